// Compares the README's images with renders of the examples, and the pictures of docs/ with renders of the payloads below
// them, byte for byte.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import type { RenderResult } from '../lib/index.js';
import { createRenderer } from '../lib/index.js';
import { ROOT } from './checkout.js';

interface Gallery {
  drawGallery(create: typeof createRenderer): AsyncIterable<RenderResult & { readonly path: string }>;
}

const { drawGallery }: Gallery = await import(new URL('../docs/gallery.mjs', import.meta.url).href);

t.test('every committed image is what its example renders to', async (t) => {
  const drawn: string[] = [];
  for await (const { path, bytes } of drawGallery(createRenderer)) {
    drawn.push(path);
    const isSame = Buffer.from(bytes).equals(readFileSync(join(ROOT, path)));
    t.ok(isSame, `${path} differs from its render; if the render is right, npm run build && node docs/gallery.mjs`);
  }
  const committed = readdirSync(join(ROOT, 'docs/gallery')).map((name) => `docs/gallery/${name}`);
  t.same(drawn.sort(), [...committed, 'docs/social-card.webp'].sort(), 'there are no other images');
});

interface Visuals {
  drawVisuals(create: typeof createRenderer): AsyncIterable<RenderResult & { readonly path: string }>;
}

const { drawVisuals }: Visuals = await import(new URL('../docs/visuals.mjs', import.meta.url).href);

t.test('every picture of docs/ is what the payload below it renders to, without a warning', async (t) => {
  const drawn: string[] = [];
  for await (const { path, bytes, warnings } of drawVisuals(createRenderer)) {
    drawn.push(path);
    t.same(warnings, [], path);
    const isSame = Buffer.from(bytes).equals(readFileSync(join(ROOT, 'docs', path)));
    t.ok(isSame, `${path} differs from its render; if the render is right, npm run build && node docs/visuals.mjs`);
  }
  const committed = readdirSync(join(ROOT, 'docs/visuals')).map((name) => `visuals/${name}`);
  t.same(drawn.sort(), committed.sort(), 'there are no other pictures');
});

interface Starters {
  drawStarters(create: typeof createRenderer): AsyncIterable<RenderResult & { readonly path: string }>;
}

const { drawStarters }: Starters = await import(new URL('../docs/templates.mjs', import.meta.url).href);

t.test('the pictures of docs/templates.md show the starters and their sample sets, without a warning', async (t) => {
  const page = readFileSync(join(ROOT, 'docs/templates.md'), 'utf8');
  const drawn: string[] = [];
  for await (const { path, bytes, warnings } of drawStarters(createRenderer)) {
    drawn.push(path);
    t.same(warnings, [], path);
    t.match(page, `](${path})`, 'is shown');
    const isSame = Buffer.from(bytes).equals(readFileSync(join(ROOT, 'docs', path)));
    t.ok(isSame, `${path} differs from its render; if the render is right, npm run build && node docs/templates.mjs`);
  }
  const committed = readdirSync(join(ROOT, 'docs/templates')).map((name) => `templates/${name}`);
  t.same(drawn.sort(), committed.sort(), 'there are no other pictures');
});
