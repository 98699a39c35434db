// What shaping gives: glyphs with their advances.

/** A shaped glyph. Advance and offsets are in ems, y up; `cluster` is the UTF-16 index in the text that was shaped. */
export interface Glyph {
  readonly id: number;
  readonly cluster: number;
  /** The glyph's own advance, and what kerning and its like add to it. */
  readonly advance: number;
  readonly kerning: number;
  readonly offsetX: number;
  readonly offsetY: number;
  /** A line must not be broken before this cluster without shaping both sides again. */
  readonly unsafeToBreak: boolean;
}
