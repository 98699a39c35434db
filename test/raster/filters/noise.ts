// Random pictures for the tests of filters.
import type { Rect } from '../../../lib/geometry/rect.js';
import { packWord } from '../../../lib/raster/pixmap.js';
import { Surface } from '../../../lib/raster/surface.js';
import { randomBelow } from '../../codecs/pictures.js';

/** Random premultiplied pixels in `bounds`, a quarter of them opaque. */
export function noise(bounds: Rect, seed: number): Surface {
  const surface = new Surface(bounds);
  const random = randomBelow(seed);
  const { words } = surface.pixmap;
  for (let i = 0; i < words.length; i++) {
    const alpha = random(4) ? random(256) : 255;
    words[i] = packWord(random(alpha + 1), random(alpha + 1), random(alpha + 1), alpha);
  }
  return surface;
}
