// Compares the README's images with renders of the examples, byte for byte.
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
