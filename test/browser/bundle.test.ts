// The content and the size of the bundle for browsers.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import t from 'tap';
import ts from 'typescript';
import { WASM_NAMES } from '../../lib/browser/host.js';
import { ROOT } from './site.js';

interface Output {
  readonly entryPoint?: string;
  readonly imports: readonly { readonly path: string; readonly kind: string; readonly external?: boolean }[];
  readonly inputs: Readonly<Record<string, unknown>>;
}
interface Metafile {
  readonly inputs: Readonly<
    Record<string, { readonly imports: readonly { readonly path: string; readonly external?: boolean }[] }>
  >;
  readonly outputs: Readonly<Record<string, Output>>;
}

const metafile: Metafile = JSON.parse(readFileSync(join(ROOT, 'dist/browser.metafile.json'), 'utf8'));
const outputs = new Map(Object.entries(metafile.outputs));
const scripts = readdirSync(join(ROOT, 'dist/browser')).filter((name) => name.endsWith('.js'));
/** The engine once more, in one file. */
const SINGLE = 'service-worker.js';

/** The scripts that are loaded together with these. */
function closure(...starts: readonly string[]): Set<string> {
  const reached = new Set(starts);
  for (const path of reached) {
    for (const { path: next, kind } of outputs.get(path)?.imports ?? [])
      if (kind !== 'dynamic-import') reached.add(next);
  }
  return reached;
}

const chunkOf = (source: string) => [...outputs].find(([, { entryPoint }]) => entryPoint === source)?.[0] ?? source;
const INDEX = chunkOf('lib/browser.ts');
const gzippedSize = (path: string) => gzipSync(readFileSync(join(ROOT, path)), { level: 9 }).length;

t.test('imports nothing from outside, and uses nothing of Node', (t) => {
  t.same(
    [...outputs.keys()].map((path) => path.replace('dist/browser/', '')).sort(),
    scripts.filter((name) => name !== SINGLE).sort(),
  );
  t.notMatch(
    readFileSync(join(ROOT, 'dist/browser', SINGLE), 'utf8'),
    // `"from"in operation` asks for a field
    /\bfrom"(?!in\b)[./\w]|\bimport(?:"|\((?!\/\* webpackIgnore))/,
    'one file',
  );
  for (const [path, { imports }] of outputs) {
    t.same(
      imports.filter(({ external }) => external),
      [],
      `${path} imports files of the bundle alone`,
    );
  }
  const outside = Object.values(metafile.inputs).flatMap(({ imports }) => imports.filter(({ external }) => external));
  t.same(outside, []);
  t.same(
    Object.keys(metafile.inputs).filter((path) =>
      /^lib\/(?:node-host|package-files|net|workers|service|store|cli)\b/.test(path),
    ),
    [],
  );
  t.end();
});

/** The global names that a script refers to, and the calls that compile text. */
function suspects(name: string): string[] {
  const text = readFileSync(join(ROOT, 'dist/browser', name), 'utf8');
  const found: string[] = [];
  const source = ts.createSourceFile(name, text, ts.ScriptTarget.ES2022, true);
  const visit = (node: ts.Node): void => {
    if (ts.isIdentifier(node) && ['Buffer', 'process', 'require', 'eval', 'Function'].includes(node.text)) {
      const { parent } = node;
      const isMember =
        (ts.isPropertyAccessExpression(parent) && parent.name === node) ||
        ((ts.isPropertyAssignment(parent) || ts.isMethodDeclaration(parent)) && parent.name === node) ||
        ts.isBindingElement(parent);
      if (!isMember) found.push(text.slice(Math.max(0, node.pos - 30), node.end + 30));
    }
    // (() => {}).constructor('…') compiles too
    if (ts.isStringLiteral(node) && node.text.startsWith('node:')) found.push(node.text);
    if (node.kind === ts.SyntaxKind.ImportKeyword && ts.isCallExpression(node.parent)) {
      const [target] = node.parent.arguments;
      // a module in JavaScript, beside its WebAssembly file
      if (node.parent.getText().startsWith('import(/* webpackIgnore')) return;
      if (!ts.isStringLiteral(target) || !/^\.\/[\w-]+\.js$/.test(target.text)) found.push(node.parent.getText());
    }
    ts.forEachChild(node, visit);
  };
  visit(source);
  return found;
}

t.test('no script refers to a global of Node or compiles text', (t) => {
  for (const name of scripts) t.same(suspects(name), [], name);
  t.end();
});

t.test('every file that a script looks for beside it is in the package, and named as bundlers know it', (t) => {
  const urls = new Set<string>();
  for (const name of scripts) {
    const text = readFileSync(join(ROOT, 'dist/browser', name), 'utf8');
    for (const [, argument] of text.matchAll(/new URL\(([^)]*?),\s*import\.meta\.url\)/g)) urls.add(argument);
    t.notMatch(text, /(?<!new URL\("[^"]*",\s*)import\.meta/, `${name} uses import.meta for literal URLs alone`);
  }
  t.ok(urls.size > 100);
  for (const url of urls) t.ok(existsSync(join(ROOT, 'dist/browser', JSON.parse(url))), url);
  t.end();
});

t.test('text, shapes, effects, PNG and baseline JPEG take at most 430 KiB, compressed', (t) => {
  const chunks = closure(
    INDEX,
    ...['lib/codecs/png/decode.ts', 'lib/codecs/png/encode.ts', 'lib/codecs/jpeg/index.ts'].map(chunkOf),
  );
  const modules = ['kernels', 'harfbuzz'].map((name) => `dist/wasm/${name}.wasm`);
  const sum = (paths: Iterable<string>) => [...paths].reduce((total, path) => total + gzippedSize(path), 0);
  const sizes = {
    'index.js and what it imports': sum(closure(INDEX)),
    'all scripts': sum(chunks),
    modules: sum(modules),
  };
  for (const [name, bytes] of Object.entries(sizes)) t.comment(`${name}: ${(bytes / 1024).toFixed(1)} KiB`);
  t.ok(sizes['all scripts'] + sizes.modules <= 430 * 1024, `${sizes['all scripts'] + sizes.modules} bytes`);
  t.end();
});

t.test(
  'documents, layout, SVG, AVIF, WebP, WOFF2, the reader of codes and the plain kernels are in files of their own',
  (t) => {
    const first = closure(INDEX);
    const inputs = new Set([...first].flatMap((path) => Object.keys(outputs.get(path)?.inputs ?? {})));
    for (const pattern of [
      /resvg/,
      /bwip-js/,
      /lib\/layers\/codes\/barcode/,
      /lib\/layout\/flex/,
      /lib\/svg\//,
      /lib\/pdf\//,
      /@jsquash/,
      /jpeg-js/,
      /brotli/,
      /zxing/,
      /codecs\/svg\/decode/,
      /woff2\/decode/,
      /kernels\/plain\/deflate/,
    ]) {
      t.same(
        [...inputs].filter((path) => pattern.test(path)),
        [],
        String(pattern),
      );
    }
    for (const source of ['svg/decode', 'avif/decode', 'avif/encode', 'webp/index', 'png/decode', 'jpeg/index']) {
      t.ok(existsSync(join(ROOT, chunkOf(`lib/codecs/${source}.ts`))), source);
    }
    t.end();
  },
);

t.test('every WebAssembly file compiles in the oldest engine that is supported, too', async (t) => {
  const folder = join(ROOT, 'dist/wasm');
  const { TRANSLATED } = await import(join(ROOT, 'scripts/wasm-files.mjs'));
  const others = Object.keys(TRANSLATED).map((name) => `${name}.js.gz`);
  t.same(readdirSync(folder).sort(), [...WASM_NAMES.map((name) => `${name}.wasm`), ...others].sort());
  for (const name of WASM_NAMES) t.ok(WebAssembly.validate(readFileSync(join(folder, `${name}.wasm`))), name);
});
