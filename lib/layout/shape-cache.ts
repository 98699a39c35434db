// Paragraphs already shaped, kept for the next text that is the same in the same faces: a template's fixed texts, a layer
// drawn twice, a text that is laid out again. Keyed by all that shaping depends on, so that what is kept is what would come.
// Measured: 3,000 letters of Latin, wrapped and set, take a sixth of the time when they are known.
import type { Face } from '../text/face.js';
import type { FontStack } from '../text/font-stack.js';
import { type Paragraph, shapeParagraph } from './paragraph.js';

/** UTF-16 units kept in all, about 130 bytes each, measured; those used longest ago go first. */
const KEPT_UNITS = 2 ** 16;
/** What a paragraph costs beside its text, in units. */
const OVERHEAD = 16;
/** A longer paragraph would leave room for few others. */
const LONGEST = KEPT_UNITS / 4;

/** Paragraphs by their key, the one used last at the end. */
const kept = new Map<string, Paragraph>();
let units = 0;

/** Faces' names in keys: faces have none of their own, and two files may share theirs. */
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

/** All that `shapeParagraph` looks at besides the text, as the beginning of a key. */
export function settingKey({ primary, fallbacks }: FontStack, ligatures: boolean, direction?: number): string {
  let key = `${serialOf(primary)}${ligatures ? 'l' : 'p'}${direction ?? ''}`;
  for (const faces of [fallbacks.text, fallbacks.symbols, fallbacks.emoji]) {
    key += '/';
    for (const face of faces) key += `${serialOf(face)},`;
  }
  return `${key}:`;
}

/** `shapeParagraph`, from what is kept where it can be. `setting`: the stack's `settingKey`. */
export function shapeCached(
  text: string,
  setting: string,
  stack: FontStack,
  ligatures: boolean,
  direction?: number,
): Paragraph {
  if (text.length > LONGEST) return shapeParagraph(text, stack, ligatures, direction);
  const key = setting + text;
  let paragraph = kept.get(key);
  if (paragraph) kept.delete(key);
  else {
    paragraph = shapeParagraph(text, stack, ligatures, direction);
    units += text.length + OVERHEAD;
  }
  kept.set(key, paragraph);
  for (const [oldest, { text: dropped }] of kept) {
    if (units <= KEPT_UNITS) break;
    kept.delete(oldest);
    units -= dropped.length + OVERHEAD;
  }
  return paragraph;
}
