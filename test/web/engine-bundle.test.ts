// The bundle of the engine's worker: how large it is, and what loads only when a payload needs it.
import { readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { gzipSync } from 'node:zlib';
import t from 'tap';
import { ROOT } from '../checkout.js';
import { builtFile, gzippedSize } from './built.js';

interface Output {
  readonly entryPoint?: string;
  readonly imports: readonly { readonly path: string; readonly kind: string; readonly external?: boolean }[];
  readonly inputs: Readonly<Record<string, unknown>>;
}

const metafile = JSON.parse(readFileSync(join(ROOT, 'dist/dashboard-engine.metafile.json'), 'utf8'));
const outputs: Readonly<Record<string, Output>> = metafile.outputs;
const manifest = JSON.parse(readFileSync(join(ROOT, 'dist/dashboard/manifest.json'), 'utf8'));

const outputOf = (source: string) => Object.keys(outputs).find((path) => outputs[path]!.entryPoint === source)!;
const WORKER = outputOf('web/engine/worker.ts');

/** The scripts that are loaded together with these. */
function closure(...starts: readonly string[]): Set<string> {
  const reached = new Set(starts);
  for (const path of reached) {
    for (const { path: next, kind } of outputs[path]?.imports ?? []) if (kind === 'import-statement') reached.add(next);
  }
  return reached;
}

const gzipped = (path: string) =>
  path.endsWith('.wasm') ? gzipSync(readFileSync(join(ROOT, path)), { level: 9 }).length : gzippedSize(basename(path));
const sum = (paths: Iterable<string>) => [...paths].reduce((total, path) => total + gzipped(path), 0);

t.test(
  'takes at most 400 KiB compressed for every payload without AVIF, WebP, SVG, progressive JPEG and fonts',
  (t) => {
    const scripts = closure(
      WORKER,
      ...['codecs/png/decode', 'codecs/png/encode', 'codecs/jpeg/index'].map((name) => outputOf(`lib/${name}.ts`)),
    );
    const modules = ['kernels', 'harfbuzz'].map((name) => `dist/wasm/${name}.wasm`);
    const total = sum(scripts) + sum(modules);
    t.comment(`worker ${sum(closure(WORKER))}, with codecs ${sum(scripts)}, modules ${sum(modules)}`);
    t.ok(total <= 400 * 1024, `${total} bytes`);
    t.end();
  },
);

t.test('codecs, documents, layout, WOFF2 and what stands in for WebAssembly are in files of their own', (t) => {
  const first = [...closure(WORKER)].flatMap((path) => Object.keys(outputs[path]!.inputs));
  const later =
    /resvg|zxing|@jsquash|jpeg-js|brotli|codecs\/svg\/decode|woff2\/decode|kernels\/plain\/deflate|lib\/(?:svg|pdf|layout\/flex)\/|render\/document/;
  t.same(
    first.filter((path) => later.test(path)),
    [],
  );
  t.end();
});

t.test('SVG and PDF take at most 60 KB compressed each, without the subsetter', (t) => {
  const first = closure(WORKER);
  for (const [name, ...sources] of [
    ['SVG', 'render/document', 'svg/document', 'svg/target'],
    ['PDF', 'render/document', 'pdf/index'],
  ] as const) {
    const scripts = closure(...sources.map((source) => outputOf(`lib/${source}.ts`)));
    const bytes = sum([...scripts].filter((path) => !first.has(path)));
    t.ok(bytes > 1000 && bytes <= 60_000, `${name}: ${bytes} bytes`);
  }
  t.end();
});

t.test('is named in the manifest, whose scripts may compile WebAssembly, and by the pages', (t) => {
  const name = WORKER.slice(WORKER.lastIndexOf('/') + 1);
  t.same(manifest.workers, [name]);
  const { outputs: pages } = JSON.parse(readFileSync(join(ROOT, 'dist/dashboard.metafile.json'), 'utf8'));
  const scripts = Object.keys(pages).filter((path) => path.endsWith('.js'));
  t.ok(scripts.some((path) => builtFile(basename(path)).includes(name)));
  t.end();
});

t.test('imports nothing from outside, and builds no code from text', (t) => {
  for (const [path, { imports }] of Object.entries(outputs)) {
    t.notOk(
      imports.some(({ external }) => external),
      path,
    );
    t.notMatch(builtFile(basename(path)).toString(), /\beval\(|\bnew Function\(/, path);
  }
  t.end();
});
