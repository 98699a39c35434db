// Renders the README's images from the examples: the first at full size, the others scaled down, and small ones as SVG and PDF.
// test/gallery.test.ts compares the committed files with them. The documentation site has all of them as SVG and PDF.
//   npm run build && node docs/gallery.mjs
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { argv } from 'node:process';
import { fileURLToPath, pathToFileURL } from 'node:url';

/** In pixels. The README shows the images at half this height, so that they are sharp on high-density screens. */
const HEIGHT = 440;
const GALLERY = [
  ...['festival', 'event-poster', 'story', 'product-card', 'quote', 'ticket', 'languages', 'chart', 'glass', 'price-label'],
  ...['year', 'sticker', 'pricing', 'recipe', 'changelog'],
];
/** The cards that are committed as SVG and PDF, too. */
const SMALL = ['event-poster', 'quote'];

const root = new URL('..', import.meta.url);
const payloadOf = (name) => JSON.parse(readFileSync(new URL(`examples/${name}.json`, root), 'utf8'));

/** Yields each image with its path from the root. */
export async function* drawGallery(createRenderer) {
  const renderer = rendererOfExamples(createRenderer);
  const cover = await renderer.render(payloadOf('social-card'), { format: 'webp', quality: 86 });
  yield { path: 'docs/social-card.webp', ...cover };
  for (const name of GALLERY) {
    const whole = await renderer.render(payloadOf(name), { format: 'png' });
    const width = Math.round((HEIGHT * whole.width) / whole.height);
    const url = `data:image/png;base64,${Buffer.from(whole.bytes).toString('base64')}`;
    const layer = { type: 'image', url, x: 0, y: 0, width, height: HEIGHT, fit: 'fill' };
    const payload = { canvas: { width, height: HEIGHT }, layers: [layer] };
    yield { path: `docs/gallery/${name}.webp`, ...(await renderer.render(payload, { format: 'webp', quality: 82 })) };
  }
  for await (const { file, ...document } of drawDocuments(createRenderer, SMALL)) {
    yield { path: `docs/gallery/${file}`, ...document };
  }
}

/** Yields cards of the gallery, by default all of them, as SVG and PDF, each with the name of its file. */
export async function* drawDocuments(createRenderer, names = GALLERY) {
  const renderer = rendererOfExamples(createRenderer);
  for (const name of names) {
    for (const format of ['svg', 'pdf']) {
      yield { file: `${name}.${format}`, ...(await renderer.render(payloadOf(name), { format })) };
    }
  }
}

const rendererOfExamples = (createRenderer) =>
  createRenderer({ baseDirectory: fileURLToPath(new URL('examples', root)) });

if (argv[1] && import.meta.url === pathToFileURL(argv[1]).href) {
  const { createRenderer } = await import('../dist/lib/index.js');
  mkdirSync(new URL('docs/gallery', root), { recursive: true });
  for await (const { path, bytes, width, height } of drawGallery(createRenderer)) {
    writeFileSync(new URL(path, root), bytes);
    console.log(`${path}: ${width} × ${height}, ${bytes.length} bytes`);
  }
}
