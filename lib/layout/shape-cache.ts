// LRU cache of shaped paragraphs, for text that repeats in the same faces: a template's fixed texts, a layer drawn twice, a
// text laid out again. The key covers everything that shaping depends on.
// Measured: 3,000 Latin letters, wrapped and positioned, take a sixth of the time when cached.
import type { Face } from '../text/face.js';
import type { FontStack } from '../text/font-stack.js';
import { type Paragraph, shapeParagraph } from './paragraph.js';

/** The cache's size in UTF-16 units of text; one takes about 130 bytes, measured. */
const MAX_UNITS = 2 ** 16;
/** Units charged per paragraph besides its text. */
const OVERHEAD_UNITS = 16;
/** Longer paragraphs are not cached: they would leave room for few others. */
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

/** The key's prefix: everything that `shapeParagraph` depends on besides the text. */
export function settingKey({ primary, fallbacks }: FontStack, ligatures: boolean, direction?: number): string {
  let key = `${serialOf(primary)}${ligatures ? 'l' : 'p'}${direction ?? ''}`;
  for (const faces of [fallbacks.text, fallbacks.symbols, fallbacks.emoji]) {
    key += '/';
    for (const face of faces) key += `${serialOf(face)},`;
  }
  return `${key}:`;
}

/** `shapeParagraph` through the cache. `setting`: the `settingKey` of the other arguments. */
export function shapeCached(
  text: string,
  setting: string,
  stack: FontStack,
  ligatures: boolean,
  direction?: number,
): Paragraph {
  if (text.length > MAX_PARAGRAPH_UNITS) return shapeParagraph(text, stack, ligatures, direction);
  const key = setting + text;
  let paragraph = cache.get(key);
  if (paragraph) cache.delete(key);
  else {
    paragraph = shapeParagraph(text, stack, ligatures, direction);
    units += text.length + OVERHEAD_UNITS;
  }
  cache.set(key, paragraph);
  for (const [oldest, { text: dropped }] of cache) {
    if (units <= MAX_UNITS) break;
    cache.delete(oldest);
    units -= dropped.length + OVERHEAD_UNITS;
  }
  return paragraph;
}
