// The result of shaping: glyphs with their advances.

/** A shaped glyph. Lengths are in ems, y up; `cluster` is a UTF-16 index in the shaped text. */
export interface Glyph {
  readonly id: number;
  readonly cluster: number;
  /** The glyph's nominal advance, and the adjustment by kerning and other positioning. */
  readonly advance: number;
  readonly kerning: number;
  readonly offsetX: number;
  readonly offsetY: number;
  /** Whether a line break before this cluster requires shaping both sides again. */
  readonly unsafeToBreak: boolean;
}
