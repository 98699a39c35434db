// The colours of a gradient along its line, as pieces that are linear in premultiplied sRGB: stops in other colour spaces
// and hints are approximated by pieces as short as the exact colours ask for. And their table, which painting reads.

import { resolveLength } from '../../geometry/length.js';
import { log, pow } from '../../geometry/math.js';
import type { Color } from '../color.js';
import { packWord } from '../pixmap.js';
import { interpolator, type Premultiplied, premultiply } from './color-space.js';
import type { ColorStops, Stop } from './gradient.js';

/** Largest number of pieces: the kernel's number of knots. */
const MAX_PIECES = 1024;
/** Largest error of a linear piece, in levels of 255. */
const TOLERANCE = 0.06;
const MAX_HALVINGS = 8;

const MIN_CELLS = 64;
const MAX_CELLS = 4096;
/** The most that a cell's colour may be off at its edges, in levels, before its pixels are interpolated one by one. */
const MAX_CELL_ERROR = 0.3;
/** The table's entry of a cell whose pixels are interpolated one by one: no premultiplied pixel has this value. */
const MIXED = 1;

/** `place` 0 is the first stop's, 1 the last's. */
export interface Ramp {
  readonly repeating: boolean;
  /** The first stop's place on the gradient line, and the distance to the last one's; in units of the line's length. */
  readonly first: number;
  readonly length: number;
  /** Start of each piece. */
  readonly places: Float32Array;
  /** Per piece 8 numbers: the premultiplied colour at its start, 0–255, and its slopes. */
  readonly colors: Float32Array;
  /** A power of two. */
  readonly cells: number;
  /** Pixels by cell; index 0 is before the first stop, the last index is from the last stop on. */
  readonly table: Uint32Array;
  readonly isOpaque: boolean;
  /** The steepest change of a channel where the colour does not jump, in levels per length. */
  readonly steepest: number;
  /** Positions at which the colour jumps, in ascending order; in a repeating gradient, 0 is its seam. */
  readonly jumps: readonly number[];
}

interface ResolvedStop {
  readonly color?: Color;
  readonly position: number;
}

/** The colours of `gradient` on a line of `length` pixels. */
export function createRamp(gradient: ColorStops, length: number): Ramp {
  const stops = resolveStops(gradient.stops, length);
  const colored = stops.filter((stop): stop is ResolvedStop & { color: Color } => stop.color !== undefined);
  const isOpaque = colored.every(({ color }) => color.a === 1);
  const first = colored[0];
  const last = colored[colored.length - 1];
  const span = last.position - first.position;
  const { repeating } = gradient;
  if (!(span > 0)) {
    // without a length, a repeating gradient is its last colour
    const after = pixelOf(premultiply(last.color));
    const table = Uint32Array.of(repeating ? after : pixelOf(premultiply(first.color)), after, after);
    const [places, colors] = [new Float32Array(1), Float32Array.of(...premultiply(last.color), 0, 0, 0, 0)];
    return {
      repeating: false,
      first: first.position,
      length: 1,
      places,
      colors,
      cells: 1,
      table,
      isOpaque,
      steepest: 0,
      jumps: [0],
    };
  }
  const pieces = new Pieces(gradient, stops.length);
  for (let i = 0; i < stops.length - 1; i++) {
    const { color, position } = stops[i];
    if (color === undefined) continue;
    const isHinted = stops[i + 1].color === undefined;
    const next = stops[isHinted ? i + 2 : i + 1];
    const start = (position - first.position) / span;
    const end = (next.position - first.position) / span;
    if (!(end > start)) continue;
    const middle = isHinted ? (stops[i + 1].position - position) / (next.position - position) : 0.5;
    pieces.add(start, end, color, next.color as Color, middle);
  }
  const { places, colors } = pieces;
  const [before, after] = [premultiply(first.color), premultiply(last.color)];
  const steepest = steepestOf(pieces);
  const { cells, table } = createTable(pieces, steepest, before, after, repeating);
  const jumps = jumpsOf(pieces, before, after, repeating);
  const ramp = {
    repeating,
    first: first.position,
    length: span,
    cells,
    table,
    isOpaque,
    steepest,
    jumps,
  };
  return { ...ramp, places: Float32Array.from(places), colors: Float32Array.from(colors) };
}

/** CSS Images 4 section 3.5.3: every stop gets a position, and none is before the one ahead of it. */
function resolveStops(stops: readonly Stop[], length: number): ResolvedStop[] {
  const positions: (number | undefined)[] = stops.map(
    ({ position }) => position && resolveLength(position, length) / length,
  );
  positions[0] ??= 0;
  positions[stops.length - 1] ??= 1;
  let previous = Number.NEGATIVE_INFINITY;
  positions.forEach((position, i) => {
    if (position === undefined) return;
    previous = Math.max(previous, position);
    positions[i] = previous;
  });
  for (let i = 1; i < stops.length; i++) {
    if (positions[i] !== undefined) continue;
    let end = i;
    while (positions[end] === undefined) end++;
    const from = positions[i - 1] as number;
    const step = ((positions[end] as number) - from) / (end - i + 1);
    for (let k = i; k < end; k++) positions[k] = from + step * (k - i + 1);
  }
  return stops.map(({ color }, i) => ({ ...(color && { color }), position: positions[i] as number }));
}

/** Collects the pieces between stops. */
class Pieces {
  readonly places: number[] = [];
  readonly colors: number[] = [];
  private readonly halvings: number;

  constructor(
    private readonly gradient: ColorStops,
    stops: number,
  ) {
    let halvings = MAX_HALVINGS;
    while (halvings > 0 && stops << halvings > MAX_PIECES) halvings--;
    this.halvings = halvings;
  }

  /** Adds the pieces from one stop to the next. `middle`: the part of the way where half of the change is done. */
  add(start: number, end: number, first: Color, second: Color, middle: number): void {
    if (middle <= 0 || middle >= 1) {
      // the whole change is at one end
      const color = premultiply(middle <= 0 ? second : first);
      this.push(start, end, color, color);
      return;
    }
    const isEven = middle === 0.5;
    const isStraight = this.gradient.isStraight === true && first.a !== second.a;
    if (isEven && this.gradient.space === 'srgb' && !isStraight) {
      this.push(start, end, premultiply(first), premultiply(second));
      return;
    }
    const mix = isStraight ? straightMix(first, second) : interpolator(first, second, this.gradient);
    // CSS Images 4 section 3.5.2
    const exponent = isEven ? 1 : log(0.5) / log(middle);
    const at = isEven ? mix : (t: number) => mix(pow(t, exponent));
    this.approximate(at, 0, 1, at(0), at(1), (t) => start + (end - start) * t, this.halvings);
  }

  /** Halves the part from `from` to `to` until straight lines are as good as `at`. */
  private approximate(
    at: (t: number) => Premultiplied,
    from: number,
    to: number,
    first: Premultiplied,
    last: Premultiplied,
    placeOf: (t: number) => number,
    halvings: number,
  ): void {
    const middle = (from + to) / 2;
    const color = at(middle);
    const isGood = (t: number, exact: Premultiplied) => {
      const part = (t - from) / (to - from);
      return exact.every((value, c) => Math.abs(first[c] + (last[c] - first[c]) * part - value) <= TOLERANCE);
    };
    const quarter = (from + middle) / 2;
    const third = (middle + to) / 2;
    if (
      halvings === 0 ||
      (isGood(middle, color) &&
        halvings < this.halvings - 1 &&
        isGood(quarter, at(quarter)) &&
        isGood(third, at(third)))
    ) {
      this.push(placeOf(from), placeOf(to), first, last);
      return;
    }
    this.approximate(at, from, middle, first, color, placeOf, halvings - 1);
    this.approximate(at, middle, to, color, last, placeOf, halvings - 1);
  }

  private push(start: number, end: number, first: Premultiplied, last: Premultiplied): void {
    if (!(end > start)) return;
    this.places.push(start);
    this.colors.push(...first);
    for (let c = 0; c < 4; c++) this.colors.push((last[c] - first[c]) / (end - start));
  }
}

/** Interpolates colours and alpha separately. */
function straightMix(first: Color, second: Color): (t: number) => Premultiplied {
  return (t) => {
    const between = (from: number, to: number) => from + (to - from) * t;
    return premultiply({
      r: between(first.r, second.r),
      g: between(first.g, second.g),
      b: between(first.b, second.b),
      a: between(first.a, second.a),
    });
  };
}

/** The steepest change inside a piece, in levels per length. */
function steepestOf({ colors }: Pieces): number {
  let steepest = 0;
  for (let i = 0; i < colors.length; i += 8) {
    for (let c = 4; c < 8; c++) steepest = Math.max(steepest, Math.abs(colors[i + c]));
  }
  return steepest;
}

/** Finds the positions at which the colour changes without a piece between. */
function jumpsOf(pieces: Pieces, before: Premultiplied, after: Premultiplied, repeating: boolean): number[] {
  const { places, colors } = pieces;
  const last = places.length - 1;
  const jumps = [];
  const first = colors.slice(0, 4);
  const jumpsAtEnd = hasJump(colors, last * 8, 1 - places[last], repeating ? first : after);
  if (repeating ? jumpsAtEnd : before.some((value, c) => Math.abs(value - first[c]) > MAX_CELL_ERROR)) jumps.push(0);
  for (let piece = 0; piece < last; piece++) {
    const next = colors.slice(piece * 8 + 8, piece * 8 + 12);
    if (hasJump(colors, piece * 8, places[piece + 1] - places[piece], next)) jumps.push(places[piece + 1]);
  }
  if (jumpsAtEnd && !repeating) jumps.push(1);
  return jumps;
}

function createTable(
  { places, colors }: Pieces,
  steepest: number,
  before: Premultiplied,
  after: Premultiplied,
  repeating: boolean,
): { cells: number; table: Uint32Array } {
  let cells = MIN_CELLS;
  while (cells < MAX_CELLS && steepest / 2 > cells * MAX_CELL_ERROR) cells *= 2;
  const table = new Uint32Array(cells + 2);
  table[0] = pixelOf(before);
  for (let piece = 0; piece < places.length; piece++) {
    const start = places[piece];
    const end = piece + 1 < places.length ? places[piece + 1] : 1;
    const at = piece * 8;
    const [r, g, b, a, slopeR, slopeG, slopeB, slopeA] = colors.slice(at, at + 8);
    const slope = Math.max(Math.abs(slopeR), Math.abs(slopeG), Math.abs(slopeB), Math.abs(slopeA));
    const isSteep = slope / 2 > cells * MAX_CELL_ERROR;
    const isAbrupt = piece > 0 && hasJump(colors, at - 8, start - places[piece - 1], [r, g, b, a]);
    const firstCell = Math.floor(start * cells);
    const lastCell = Math.min(cells, Math.ceil(end * cells));
    for (let cell = firstCell; cell < lastCell; cell++) {
      const index = cell + 1;
      if (isSteep || (isAbrupt && cell === firstCell && start * cells > cell)) table[index] = MIXED;
      else if (table[index] !== MIXED) {
        const distance = Math.min(end, Math.max(start, (cell + 0.5) / cells)) - start;
        table[index] = pixelOf([
          r + slopeR * distance,
          g + slopeG * distance,
          b + slopeB * distance,
          a + slopeA * distance,
        ]);
      }
    }
  }
  table[cells + 1] = repeating ? table[1] : pixelOf(after);
  return { cells, table };
}

/** Whether the piece at index `at` of `colors`, `length` long, ends in another colour than `next`. */
function hasJump(colors: readonly number[], at: number, length: number, next: readonly number[]): boolean {
  for (let c = 0; c < 4; c++) {
    if (Math.abs(colors[at + c] + colors[at + c + 4] * length - next[c]) > MAX_CELL_ERROR) return true;
  }
  return false;
}

/** Rounds the colour, whose channels don't exceed alpha, to a pixel. */
function pixelOf([r, g, b, a]: Premultiplied): number {
  const alpha = rounded(a);
  return packWord(Math.min(rounded(r), alpha), Math.min(rounded(g), alpha), Math.min(rounded(b), alpha), alpha);
}

function rounded(value: number): number {
  return Math.floor(value + 0.5);
}
