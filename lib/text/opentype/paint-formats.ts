// The paint tables of COLR version 1 (OpenType 1.9): what follows the format byte of each. Formats that vary hold the same as the
// format before them, then a base index of deltas.

export type PaintKind =
  | 'layers'
  | 'solid'
  | 'linear'
  | 'radial'
  | 'sweep'
  | 'glyph'
  | 'colrGlyph'
  | 'matrix'
  | 'translate'
  | 'scale'
  | 'uniformScale'
  | 'rotate'
  | 'skew'
  | 'composite';

export interface PaintFormat {
  readonly kind: PaintKind;
  /** Offset and count of the numbers that may vary; 16 bits each. */
  readonly first: number;
  readonly numbers: number;
  /** Positions of the 24-bit offsets to other paints. */
  readonly paints: readonly number[];
  /** Bytes of the table. */
  readonly length: number;
  readonly varies: boolean;
}

/** Kind, numbers, offsets to paints; without a format that varies where `numbers` is 0. */
type Row = readonly [kind: PaintKind, length: number, first: number, numbers: number, ...paints: number[]];

const ROWS: readonly Row[] = [
  ['layers', 6, 0, 0],
  ['solid', 5, 3, 1],
  ['linear', 16, 4, 6],
  ['radial', 16, 4, 6],
  ['sweep', 12, 4, 4],
  ['glyph', 6, 0, 0, 1],
  ['colrGlyph', 3, 0, 0],
  // its numbers are in a separate table
  ['matrix', 7, 0, -1, 1],
  ['translate', 8, 4, 2, 1],
  ['scale', 8, 4, 2, 1],
  ['scale', 12, 4, 4, 1],
  ['uniformScale', 6, 4, 1, 1],
  ['uniformScale', 10, 4, 3, 1],
  ['rotate', 6, 4, 1, 1],
  ['rotate', 10, 4, 3, 1],
  ['skew', 8, 4, 2, 1],
  ['skew', 12, 4, 4, 1],
  ['composite', 8, 0, 0, 1, 5],
];

/** Formats by number; format 0 doesn't exist. */
export const PAINT_FORMATS: readonly (PaintFormat | undefined)[] = [
  undefined,
  ...ROWS.flatMap(([kind, length, first, numbers, ...paints]): PaintFormat[] => {
    const format = { kind, first, numbers: Math.max(0, numbers), paints };
    if (numbers === 0) return [{ ...format, length, varies: false }];
    const extra = numbers > 0 ? 4 : 0;
    return [
      { ...format, length, varies: false },
      { ...format, length: length + extra, varies: true },
    ];
  }),
];

/** Nested paints. */
export const MAX_PAINT_DEPTH = 64;
/** Paints and colour stops of a glyph, counted once for each time that they are drawn. Noto Color Emoji has 6,731 at most. */
export const MAX_PAINTS = 32_768;
export const MAX_COLOR_STOPS = 256;
