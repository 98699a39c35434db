// LRU cache of shaped paragraphs, for text that repeats in the same faces: a template's fixed texts, a layer drawn twice, a
// text laid out again. The key covers everything that shaping depends on.
// Measured: 3,000 Latin letters, wrapped and positioned, take a sixth of the time when cached.
import type { CheckTime } from '../stage-budget.js';
import type { Face } from '../text/face.js';
import { type FontRange, type Paragraph, type ShapingFont, shapeParagraph } from './paragraph.js';

/** The cache's size in UTF-16 units of keys, which hold the text; one of text takes about 130 bytes, measured. */
const MAX_UNITS = 2 ** 16;
/** Units charged per paragraph besides its key. */
const OVERHEAD_UNITS = 16;
/** Paragraphs with longer keys are not cached: they would leave room for few others. */
const MAX_PARAGRAPH_UNITS = MAX_UNITS / 4;

/** Paragraphs by key, the most recently used last. */
const cache = new Map<string, Paragraph>();
let units = 0;

/** Identifies faces in keys: their names are not unique. */
const serials = new WeakMap<Face, number>();
let lastSerial = 0;

function serialOf(face: Face): number {
  let serial = serials.get(face);
  if (serial === undefined) {
    serial = ++lastSerial;
    serials.set(face, serial);
  }
  return serial;
}

/** Everything that `shapeParagraph` depends on in the font. */
export function fontKey({ stack, letterSpacing }: ShapingFont): string {
  const { primary, named = [], fallbacks, features } = stack;
  let key = `${serialOf(primary)}${letterSpacing === 0 ? 'l' : 'p'}`;
  for (const faces of [named, fallbacks.text, fallbacks.symbols, fallbacks.emoji]) {
    key += '/';
    for (const face of faces) key += `${serialOf(face)},`;
  }
  return features ? `${key}${JSON.stringify(features)}` : key;
}

/** `shapeParagraph` through the cache. `keyOf`: the font's `fontKey`. */
export function shapeCached(
  text: string,
  ranges: readonly FontRange[],
  keyOf: (font: ShapingFont) => string = fontKey,
  direction?: number,
  check?: CheckTime,
): Paragraph {
  if (text.length > MAX_PARAGRAPH_UNITS) return shapeParagraph(text, ranges, direction, check);
  let key = direction === undefined ? '' : `${direction} `;
  for (const { end, font } of ranges) key += `${keyOf(font)}${ranges.length > 1 ? `@${end}` : ''} `;
  key += text;
  if (key.length > MAX_PARAGRAPH_UNITS) return shapeParagraph(text, ranges, direction, check);
  let paragraph = cache.get(key);
  if (paragraph) cache.delete(key);
  else {
    paragraph = shapeParagraph(text, ranges, direction, check);
    units += key.length + OVERHEAD_UNITS;
  }
  cache.set(key, paragraph);
  for (const oldest of cache.keys()) {
    if (units <= MAX_UNITS) break;
    cache.delete(oldest);
    units -= oldest.length + OVERHEAD_UNITS;
  }
  return paragraph;
}
