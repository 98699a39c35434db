// Bundles the pages of the dashboard into dist/dashboard: scripts with content-hashed names, split by page, one style sheet,
// each in Brotli alone, and manifest.json, which names what a page starts with.
//   node scripts/web.mjs [dist]
import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { brotliCompressSync, constants } from 'node:zlib';
import { archiveFolder } from './archive.mjs';
import { ENGINE_BUNDLE, fontManifest, UNREAD_FIELDS } from './engine-bundle.mjs';
import { fontFamilies, layerForms, templateForm } from './form-schema.mjs';
import { wholeLibrary } from './late-imports.mjs';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const DIST = resolve(process.argv[2] ?? join(ROOT, 'dist'));
const OUT = join(DIST, 'dashboard');
const FILES = join(OUT, 'files');

rmSync(OUT, { recursive: true, force: true });
// There are no pages without esbuild's binary, which may be missing (npm's --omit=optional, or an unsupported system).
const { build } = await import('esbuild').catch(({ message }) => {
  console.warn(`the dashboard's pages are not bundled: ${message}`);
  process.exit(0);
});
mkdirSync(FILES, { recursive: true });

const common = {
  outdir: FILES,
  target: ['es2022', 'chrome115', 'firefox115', 'safari16.4'],
  entryNames: '[name]-[hash]',
  chunkNames: '[name]-[hash]',
  splitting: true,
  metafile: true,
};

const { metafile: engineMetafile } = await build({
  ...ENGINE_BUNDLE,
  ...common,
  // the worker draws; the pages have their own list of families
  define: { ...ENGINE_BUNDLE.define, FONT_MANIFEST: fontManifest(...UNREAD_FIELDS, 'scripts') },
  plugins: [wholeLibrary(ROOT, 'web/engine/draw.ts'), ...ENGINE_BUNDLE.plugins],
  entryPoints: { engine: 'web/engine/worker.ts' },
  chunkNames: 'engine-[name]-[hash]',
  logOverride: { 'ignored-bare-import': 'silent' },
});
const worker = outputOf('web/engine/worker.ts', engineMetafile);

const { metafile: styleMetafile } = await build({
  ...common,
  format: 'esm',
  absWorkingDir: ROOT,
  bundle: true,
  minify: true,
  legalComments: 'none',
  entryPoints: { editor: 'web/style/editor-page.css' },
});

const { metafile } = await build({
  ...common,
  absWorkingDir: ROOT,
  bundle: true,
  format: 'esm',
  platform: 'browser',
  charset: 'utf8',
  minify: true,
  legalComments: 'none',
  entryPoints: { main: 'web/main.tsx', style: 'web/style/index.css' },
  tsconfig: 'web/tsconfig.json',
  define: {
    process: 'undefined',
    ENGINE_WORKER: JSON.stringify(worker),
    EDITOR_STYLE: JSON.stringify(outputOf('web/style/editor-page.css', styleMetafile)),
    // texts, which stay where they are used: objects become a chunk that every page loads
    TEMPLATE_FORM: JSON.stringify(JSON.stringify(templateForm(readJson('schema.json')))),
    LAYER_FORMS: JSON.stringify(JSON.stringify(layerForms(readJson('schema.json')))),
    FONT_FAMILIES: JSON.stringify(JSON.stringify(fontFamilies(readJson('fonts/manifest.json')))),
  },
});

function readJson(path) {
  return JSON.parse(readFileSync(join(ROOT, path), 'utf8'));
}

/** The name of an entry's output in dist/dashboard/files. */
function outputOf(entry, { outputs } = metafile) {
  const [path] = Object.entries(outputs).find(([, { entryPoint }]) => entryPoint === entry);
  return relative(FILES, join(ROOT, path));
}

/** Writes a file under a name that its content decides. */
function addFile(name, extension, bytes) {
  const hash = createHash('sha256').update(bytes).digest('hex').slice(0, 8).toUpperCase();
  writeFileSync(join(FILES, `${name}-${hash}.${extension}`), bytes);
  return `${name}-${hash}.${extension}`;
}

const script = outputOf('web/main.tsx');
const main = Object.entries(metafile.outputs).find(([path]) => path.endsWith(`/${script}`))[1];
const manifest = {
  script,
  /** Scripts that the main one imports at once, for browsers to fetch beside it. */
  preload: main.imports
    .filter(({ kind }) => kind === 'import-statement')
    .map(({ path }) => relative(FILES, join(ROOT, path))),
  styles: [outputOf('web/style/index.css')],
  icon: addFile('icon', 'svg', readFileSync(join(ROOT, 'web/style/icon.svg'))),
  /** Their answers allow to compile WebAssembly. */
  workers: [worker],
};
writeFileSync(join(OUT, 'manifest.json'), `${JSON.stringify(manifest, null, 2)}\n`);
// for the tests of what the bundle holds and the list of licences; not part of the package
writeFileSync(join(DIST, 'dashboard.metafile.json'), JSON.stringify(metafile));
writeFileSync(join(DIST, 'dashboard-engine.metafile.json'), JSON.stringify(engineMetafile));

for (const name of readdirSync(FILES)) {
  const bytes = readFileSync(join(FILES, name));
  const params = {
    [constants.BROTLI_PARAM_MODE]: constants.BROTLI_MODE_TEXT,
    [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length,
  };
  // the server makes the other forms of it for clients that don't take Brotli
  writeFileSync(join(FILES, `${name}.br`), brotliCompressSync(bytes, { params }));
  rmSync(join(FILES, name));
}
archiveFolder(FILES);
