// The pictures of the README are what the examples render to, byte for byte.
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

t.test('each committed picture is drawn anew', async (t) => {
  const drawn: string[] = [];
  for await (const { path, bytes } of drawGallery(createRenderer)) {
    drawn.push(path);
    const isSame = Buffer.from(bytes).equals(readFileSync(join(ROOT, path)));
    t.ok(isSame, `${path} is what the product renders: if it should look so, npm run build && node docs/gallery.mjs`);
  }
  const committed = readdirSync(join(ROOT, 'docs/gallery')).map((name) => `docs/gallery/${name}`);
  t.same(drawn.sort(), [...committed, 'docs/social-card.webp'].sort(), 'there is no other picture');
});
