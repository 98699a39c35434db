// The hyphen that a line shows where it ends at a soft hyphen or inside a hyphenated word.
import type { Face } from '../text/face.js';
import { type FontStack, faceFor } from '../text/font-stack.js';
import type { Glyph } from '../text/glyph.js';

/** The glyphs of the hyphen: U+2010 if the primary face has it, else the hyphen-minus. */
export function hyphenGlyphs(stack: FontStack): { face: Face; glyphs: readonly Glyph[] } {
  const hyphen = stack.primary.glyph(0x2010) !== 0 ? '\u2010' : '-';
  const face = faceFor(stack, hyphen) ?? stack.primary;
  return { face, glyphs: face.shapeCharacter(hyphen, false, stack.features) };
}
