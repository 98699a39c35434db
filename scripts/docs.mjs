// Writes the documentation site from the Markdown pages: HTML with a navigation, a search and a playground that runs the
// engine. Nothing of it is fetched from elsewhere.
//   node scripts/docs.mjs           into dist/docs, for the service: pictures scaled down, texts compressed; fonts and
//                                   engine are those of the package
//   node scripts/docs.mjs FOLDER    with everything that it needs, for any web server
import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { brotliCompressSync } from 'node:zlib';
import { archiveFolder } from './archive.mjs';
import { pictureFile, renderMarkdown } from './docs-markdown.mjs';
import { documentOf, FILES } from './docs-pages.mjs';
import { importSource } from './import-source.mjs';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const folder = process.argv[2];
const OUT = resolve(folder ?? join(ROOT, 'dist/docs'));

/** The width of pictures in the package, in pixels. */
const MAX_WIDTH = 760;
const QUALITY = 72;

if (folder === undefined) for (const path of [OUT, `${OUT}.archive`]) rmSync(path, { recursive: true, force: true });
// There is no site without esbuild's binary, which may be missing (npm's --omit=optional, or an unsupported system).
const { build } = await import('esbuild').catch(({ message }) => {
  console.warn(`the documentation site is not made: ${message}`);
  process.exit(0);
});

const { repository } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));
const repositoryUrl = repository.url.replace(/^git\+|\.git$/g, '');

/** Bundles scripts and style, named by their content. */
async function bundle() {
  const entries = { guide: 'web/guide/main.ts', playground: 'web/guide/playground.ts', style: 'web/guide/guide.css' };
  const { metafile } = await build({
    absWorkingDir: ROOT,
    bundle: true,
    format: 'esm',
    platform: 'browser',
    charset: 'utf8',
    minify: true,
    legalComments: 'none',
    target: ['es2022', 'chrome115', 'firefox115', 'safari16.4'],
    tsconfig: 'web/tsconfig.json',
    outdir: OUT,
    entryNames: '[name]-[hash]',
    entryPoints: entries,
    metafile: true,
  });
  const outputs = Object.entries(metafile.outputs);
  const names = Object.entries(entries).map(([name, entry]) => {
    const [path] = outputs.find(([, { entryPoint }]) => entryPoint === entry);
    return [name, relative(OUT, join(ROOT, path))];
  });
  cpSync(join(ROOT, 'web/style/icon.svg'), join(OUT, 'icon.svg'));
  return { ...Object.fromEntries(names), icon: 'icon.svg', index: 'search-index.json' };
}

/** Writes the pages and the search's index. Returns the pictures in them. */
function writePages(assets) {
  const pictures = new Set();
  const index = [];
  for (const [source, file] of FILES) {
    const markdown = readFileSync(join(ROOT, source), 'utf8');
    const page = renderMarkdown(source, markdown, { repository: repositoryUrl });
    if (folder !== undefined) page.html = withDocuments(page.html);
    for (const path of page.pictures) pictures.add(path);
    for (const { id, title, text, code } of page.texts) index.push([file, id, page.title, title, text, code]);
    writeFileSync(join(OUT, file), documentOf({ ...page, file, assets }));
  }
  writeFileSync(join(OUT, assets.index), JSON.stringify(index));
  const playground = {
    file: 'playground.html',
    title: 'Playground',
    html: readFileSync(join(ROOT, 'web/guide/playground.html'), 'utf8'),
    sections: [],
    scripts: [assets.playground],
  };
  writeFileSync(join(OUT, playground.file), documentOf({ ...playground, assets }));
  return pictures;
}

/** Adds links to the SVG and the PDF below each card of the gallery. */
function withDocuments(html) {
  return html.replace(/<img src="pictures\/gallery\/([\w-]+)\.webp"[^>]*\balt="([^"]*)"[^>]*>/g, (image, name, alt) => {
    const links = ['svg', 'pdf'].map((format) => {
      const label = format.toUpperCase();
      return `<a href="gallery/${name}.${format}" aria-label="${alt}: ${label}">${label}</a>`;
    });
    return `<span class="card">${image}<span>${links.join(' ')}</span></span>`;
  });
}

/** Renders the gallery as SVG and PDF: too large for the package, and for the repository. */
async function writeDocuments() {
  const { createRenderer } = await import('../dist/lib/index.js');
  const { drawDocuments } = await import('../docs/gallery.mjs');
  mkdirSync(join(OUT, 'gallery'), { recursive: true });
  for await (const { file, bytes } of drawDocuments(createRenderer)) writeFileSync(join(OUT, 'gallery', file), bytes);
}

function checkPages() {
  const missing = readdirSync(join(ROOT, 'docs')).filter((name) => name.endsWith('.md') && !FILES.has(`docs/${name}`));
  if (missing.length > 0) throw new Error(`scripts/docs-pages.mjs does not name ${missing.join(', ')}`);
}

/** Copies pictures, those for the package scaled down. */
async function writePictures(paths) {
  const { createRenderer } = await import('../dist/lib/index.js');
  const renderer = createRenderer();
  for (const path of paths) {
    const bytes = readFileSync(join(ROOT, path));
    const target = join(OUT, pictureFile(path));
    mkdirSync(dirname(target), { recursive: true });
    writeFileSync(target, folder === undefined ? await smaller(bytes, renderer) : bytes);
  }
}

/** The picture at most MAX_WIDTH wide, unless that takes more bytes. */
async function smaller(bytes, renderer) {
  const image = (canvas) => {
    const url = `data:image/webp;base64,${bytes.toString('base64')}`;
    return { canvas, layers: [{ type: 'image', url, x: 0, y: 0, ...canvas, fit: 'fill' }] };
  };
  const { layers } = await renderer.inspect(image({ width: 1, height: 1 }));
  const [width, height] = layers[0].natural;
  const scale = Math.min(1, MAX_WIDTH / width);
  const canvas = { width: Math.round(width * scale), height: Math.round(height * scale) };
  const scaled = await renderer.render(image(canvas), { format: 'webp', quality: QUALITY });
  return scaled.bytes.length < bytes.length ? scaled.bytes : bytes;
}

/** Copies what the package has beside the site: the engine, its fonts and modules, and the page of the API. */
async function copyEngine() {
  for (const [from, to] of [
    ['dist/browser', 'engine'],
    ['dist/wasm', 'wasm'],
    ['fonts', 'fonts'],
  ])
    cpSync(join(ROOT, from), join(OUT, to), { recursive: true });
  const { docsPage, openapi } = await importSource(`
    export { docsPage } from './scripts/api-page/page.ts';
    export { openapi } from './lib/contract/openapi.ts';`);
  const description = openapi();
  writeFileSync(join(OUT, 'openapi.json'), JSON.stringify(description, null, 2));
  // the forms need a server
  const page = docsPage(description, { guide: 'index.html' }).replace(/<script>[\s\S]*<\/script>/, '');
  writeFileSync(join(OUT, 'reference.html'), page);
}

/** Replaces texts by their Brotli forms: the service expands them for clients that don't take these. */
function compressTexts() {
  for (const name of readdirSync(OUT)) {
    if (!/\.(?:html|css|js|json|svg)$/.test(name)) continue;
    writeFileSync(join(OUT, `${name}.br`), brotliCompressSync(readFileSync(join(OUT, name))));
    rmSync(join(OUT, name));
  }
}

checkPages();
mkdirSync(OUT, { recursive: true });
await writePictures(writePages(await bundle()));
if (folder === undefined) {
  compressTexts();
  archiveFolder(OUT);
} else {
  await writeDocuments();
  await copyEngine();
}
