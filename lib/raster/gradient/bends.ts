// Bounds the distance of a ramp from a straight line, which the kernel asks before it interpolates a block of pixels between
// its ends.
import type { Ramp } from './ramp.js';

/** The bend that a jump counts as, in levels per length: more than any ramp has. */
const JUMP = 1e12;

export interface Bends {
  /** Per piece: the sum of the changes of slope up to its start, in levels per length. */
  readonly before: Float64Array;
  /** Per cell of the table: the last piece that does not start after the cell's start. */
  readonly pieces: Uint16Array;
}

/** The changes of slope within the ramp; those at its ends, which no interpolated block contains, don't count. */
export function bendsOf({ places, colors, cells, jumps }: Ramp): Bends {
  const before = new Float64Array(places.length);
  const pieces = new Uint16Array(cells + 2);
  const jumping = new Set(jumps.map(Math.fround));
  for (let piece = 1; piece < places.length; piece++) {
    let change = jumping.has(places[piece]) ? JUMP : 0;
    for (let c = piece * 8 + 4; c < piece * 8 + 8; c++) change = Math.max(change, Math.abs(colors[c] - colors[c - 8]));
    before[piece] = before[piece - 1] + change;
  }
  let piece = 0;
  for (let cell = 1; cell < pieces.length; cell++) {
    while (piece + 1 < places.length && places[piece + 1] * cells <= cell - 1) piece++;
    pieces[cell] = piece;
  }
  return { before, pieces };
}
