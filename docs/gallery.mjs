// Examples → the README's pictures: the first at full size, the others smaller, all drawn and scaled by this engine.
//   npm run build && node docs/gallery.mjs
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { createRenderer } from '../dist/lib/index.js';

/** Pixels; the README shows them at half of it, so that they stay sharp on dense screens. */
const HEIGHT = 440;
const GALLERY = ['event-poster', 'story', 'product-card', 'quote', 'ticket', 'languages', 'chart'];

const root = new URL('..', import.meta.url);
const renderer = createRenderer({ baseDirectory: fileURLToPath(new URL('examples', root)) });
const payloadOf = (name) => JSON.parse(readFileSync(new URL(`examples/${name}.json`, root), 'utf8'));

function save(path, { bytes, width, height }) {
  writeFileSync(new URL(path, root), bytes);
  console.log(`${path}: ${width} × ${height}, ${bytes.length} bytes`);
}

mkdirSync(new URL('docs/gallery', root), { recursive: true });
save('docs/social-card.webp', await renderer.render(payloadOf('social-card'), { format: 'webp', quality: 86 }));
for (const name of GALLERY) {
  const whole = await renderer.render(payloadOf(name), { format: 'png' });
  const width = Math.round((HEIGHT * whole.width) / whole.height);
  const url = `data:image/png;base64,${Buffer.from(whole.bytes).toString('base64')}`;
  const layer = { type: 'image', url, x: 0, y: 0, width, height: HEIGHT, fit: 'fill' };
  const payload = { canvas: { width, height: HEIGHT }, layers: [layer] };
  save(`docs/gallery/${name}.webp`, await renderer.render(payload, { format: 'webp', quality: 82 }));
}
