// The bundle of the dashboard's pages: what the shell loads, its compressed form, and how much each page takes.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { ROOT } from '../checkout.js';
import { builtFile, FILES, gzippedSize } from './built.js';

interface Metafile {
  readonly outputs: Readonly<
    Record<
      string,
      {
        readonly entryPoint?: string;
        readonly imports: readonly { readonly path: string; readonly kind: string; readonly external?: boolean }[];
      }
    >
  >;
}

const manifest = JSON.parse(readFileSync(join(ROOT, 'dist/dashboard/manifest.json'), 'utf8'));
const { outputs }: Metafile = JSON.parse(readFileSync(join(ROOT, 'dist/dashboard.metafile.json'), 'utf8'));
const names = readdirSync(FILES).map((name) => name.replace(/\.br$/, ''));
const nameOf = (path: string) => path.slice(path.lastIndexOf('/') + 1);

/** The scripts that an entry loads before it runs, itself included. */
function scriptsOf(entry: string): string[] {
  const first = Object.keys(outputs).find((path) => outputs[path].entryPoint === entry);
  const reached = new Set([first!]);
  for (const path of reached) {
    for (const line of outputs[path].imports) {
      if (line.kind === 'import-statement' && !line.external) reached.add(line.path);
    }
  }
  return [...reached].map(nameOf);
}

t.test('the manifest names files that are there, and everything that the script imports at once', (t) => {
  const { script, styles, preload, icon } = manifest;
  for (const name of [script, ...styles, ...preload, icon]) {
    t.ok(names.includes(name), name);
    t.match(name, /-[0-9A-Z]{8}\.(js|css|svg)$/, 'named by its content');
  }
  t.same(new Set([script, ...preload]), new Set(scriptsOf('web/main.tsx')));
  t.end();
});

t.test('each file is there in Brotli alone', (t) => {
  t.ok(names.length > 5);
  t.same(
    readdirSync(FILES).filter((name) => !name.endsWith('.br')),
    [],
  );
  for (const name of names) t.ok(builtFile(name).length > 0, name);
  t.end();
});

/** Limit in bytes of gzip, with the shell's script and style, as the specification counts. */
const MAX_PAGE_BYTES = 40 * 1024;

t.test('sign-in and lists load in 40 KB', (t) => {
  const pages = [
    ...['sign-in/sign-in', 'sign-in/set-password', 'overview/overview'],
    ...['keys/keys', 'links/links', 'renders/renders'],
  ];
  for (const page of pages) {
    const scripts = new Set([...scriptsOf('web/main.tsx'), ...scriptsOf(`web/pages/${page}.tsx`)]);
    const bytes = [...scripts, ...manifest.styles]
      .map((name) => gzippedSize(name))
      .reduce((sum, length) => sum + length, 0);
    t.ok(bytes <= MAX_PAGE_BYTES, `${page}: ${bytes} bytes`);
  }
  t.end();
});

/** Beyond a page: the scripts and styles of the editor as it opens, without the JSON view and the engine. */
const MAX_EDITOR_BYTES = 111 * 1024;

t.test('the template editor opens with 111 KiB', (t) => {
  const entries = ['main', 'pages/editor/editor', 'panels/properties/properties-panel', 'pages/editor/json-panel'];
  const scripts = new Set(entries.flatMap((entry) => scriptsOf(`web/${entry}.tsx`)));
  const style = names.find((name) => /^editor-[0-9A-Z]{8}\.css$/.test(name));
  const bytes = [...scripts, ...manifest.styles, style!]
    .map((name) => gzippedSize(name))
    .reduce((sum, length) => sum + length, 0);
  t.ok(bytes > 50_000 && bytes <= MAX_EDITOR_BYTES, `${bytes} bytes`);
  const later = ['canvas/text/edited-text', 'panels/properties/layers/layer-form', 'panels/assets/assets-panel'];
  for (const entry of later) t.notOk(scripts.has(scriptsOf(`web/${entry}.tsx`)[0]!), entry);
  t.end();
});

/** Bytes that the JSON editor adds to a page when it is shown. */
const MAX_JSON_BYTES = 120 * 1000;

t.test('the JSON editor loads in 120 KB', (t) => {
  const page = new Set(scriptsOf('web/main.tsx'));
  const bytes = scriptsOf('web/json/editor.ts')
    .filter((name) => !page.has(name))
    .map((name) => gzippedSize(name))
    .reduce((sum, length) => sum + length, 0);
  t.ok(bytes > 50_000 && bytes <= MAX_JSON_BYTES, `${bytes} bytes`);
  t.end();
});

t.test('no script of the pages builds code from text, which their policy forbids', (t) => {
  const scripts = new Set(Object.keys(outputs).map(nameOf));
  for (const name of [...scripts].filter((name) => name.endsWith('.js'))) {
    t.notMatch(builtFile(name).toString(), /\beval\(|\bnew Function\(/, name);
  }
  t.end();
});
