// A picture of at most 256 colours → its palette and, row by row, indexes. Exact: no colour is merged or moved.
import { ALPHA_MASK, type Pixmap } from '../raster/pixmap.js';
import { rowRepeats } from './samerow.js';

/** Colours by open addressing: `keys[slot]` is a word, `places[slot]` its index, -1 where the slot is free. */
export interface Palette {
  /** The colours as words of `Pixmap.words`, the ones that are not opaque first. */
  readonly colors: Uint32Array;
  /** How many of them, from the front, are not opaque. */
  readonly translucent: number;
  readonly keys: Uint32Array;
  readonly places: Int16Array;
}

const SLOTS = 1024;
const LIMIT = 256;

/** The slot of `word`, or the free one where it belongs. Never full: there are four times as many slots as colours. */
function slotOf(keys: Uint32Array, places: Int16Array, word: number): number {
  let slot = Math.imul(word, 0x9e3779b1) >>> 22;
  while (places[slot] >= 0 && keys[slot] !== word) slot = (slot + 1) & (SLOTS - 1);
  return slot;
}

/** The picture's colours, undefined as soon as there are more than 256: a photograph is given up within its first rows. */
export function collectPalette(pixmap: Pixmap): Palette | undefined {
  const { width, height, words } = pixmap;
  const repeats = rowRepeats(pixmap);
  const keys = new Uint32Array(SLOTS);
  const places = new Int16Array(SLOTS).fill(-1);
  const found: number[] = [];
  for (let y = 0; y < height; y++) {
    if (repeats(y)) continue;
    const start = y * width;
    let last = -1;
    for (let i = start; i < start + width; i++) {
      const word = words[i];
      if (word === last) continue;
      last = word;
      const slot = slotOf(keys, places, word);
      if (places[slot] >= 0) continue;
      if (found.length === LIMIT) return undefined;
      keys[slot] = word;
      places[slot] = found.length;
      found.push(word);
    }
  }
  const isOpaque = (word: number) => (word & ALPHA_MASK) >>> 0 === ALPHA_MASK;
  const translucent = found.filter((word) => !isOpaque(word));
  const colors = Uint32Array.from([...translucent, ...found.filter(isOpaque)]);
  for (let index = 0; index < colors.length; index++) places[slotOf(keys, places, colors[index])] = index;
  return { colors, translucent: translucent.length, keys, places };
}

/** Writes one row of the picture as indexes, a byte each. */
export function packRow(
  { keys, places }: Palette,
  words: Uint32Array,
  start: number,
  width: number,
  out: Uint8Array,
  to: number,
) {
  const end = start + width;
  let last = -1;
  let index = 0;
  for (let i = start, o = to; i < end; i++, o++) {
    const word = words[i];
    if (word !== last) {
      last = word;
      index = places[slotOf(keys, places, word)];
    }
    out[o] = index;
  }
}
