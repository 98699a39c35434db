// Renders the pictures of docs/templates.md: a contact sheet of the starter templates, and some of them with their sample sets.
// test/gallery.test.ts compares the committed files with them.
//   npm run build && node docs/templates.mjs
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { argv } from 'node:process';
import { pathToFileURL } from 'node:url';

/** In pixels: of a picture, and between the images in it. */
const WIDTH = 1320;
const GAP = 20;
/** Rows of images that are as high as each other. */
const STARTERS = [
  ['og-card', 'changelog-card', 'event-card'],
  ['story', 'badge', 'quote', 'podcast', 'profile'],
  ['ticket', 'speaker-card'],
  ['certificate', 'invoice', 'catalogue', 'price-label', 'product'],
];
const SAMPLED = ['og-card', 'event-card', 'quote', 'changelog-card'];

const folder = new URL('../data/templates/', import.meta.url);
const read = (name) => JSON.parse(readFileSync(new URL(`${name}.json`, folder), 'utf8'));

/** Yields each picture with its path from docs/, and the warnings about all its images. */
export async function* drawStarters(createRenderer) {
  const renderer = createRenderer();
  const starters = STARTERS.map((names) => names.map((name) => ({ template: read(name), variables: {} })));
  yield await drawSheet(renderer, 'starters', starters);
  const samples = SAMPLED.map((name) => {
    const template = read(name);
    return template.samples.map(({ variables }) => ({ template, variables }));
  });
  yield await drawSheet(renderer, 'samples', samples);
}

/** A picture with rows of images, each row as wide as the picture. */
async function drawSheet(renderer, name, rows) {
  const layers = [];
  const warnings = [];
  let y = 1;
  for (const row of rows) {
    const ratio = row.reduce((sum, { template }) => sum + template.width / template.height, 0);
    const height = (WIDTH - GAP * (row.length - 1)) / ratio;
    let x = 0;
    for (const { template, variables } of row) {
      const image = await renderer.render(template, { format: 'png', variables });
      warnings.push(...image.warnings);
      const width = (height * template.width) / template.height;
      const url = `data:image/png;base64,${Buffer.from(image.bytes).toString('base64')}`;
      const shadow = { color: 'rgba(0, 0, 0, 0.16)', spread: 1 };
      layers.push({ type: 'image', url, x, y, width, height, fit: 'fill', shadow });
      x += width + GAP;
    }
    y += height + GAP;
  }
  const height = Math.ceil(y - GAP + 1);
  const { bytes, warnings: own } = await renderer.render(
    { canvas: { width: WIDTH, height }, layers },
    { format: 'webp', quality: 84 },
  );
  return { path: `templates/${name}.webp`, bytes, width: WIDTH, height, warnings: [...warnings, ...own] };
}

if (argv[1] && import.meta.url === pathToFileURL(argv[1]).href) {
  const { createRenderer } = await import('../dist/lib/index.js');
  mkdirSync(new URL('templates', import.meta.url), { recursive: true });
  for await (const { path, bytes, width, height, warnings } of drawStarters(createRenderer)) {
    writeFileSync(new URL(path, import.meta.url), bytes);
    console.log(`${path}: ${width} × ${height}, ${bytes.length} bytes`);
    for (const { path: field, message } of warnings) console.log(`  ${field}: ${message}`);
  }
}
