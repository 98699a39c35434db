// Paints a gradient. Rows of one colour and rows that repeat are evaluated once; the other rows by a kernel.
import { type Affine, compose, invert, translation } from '../../geometry/affine.js';
import { hypot } from '../../geometry/math.js';
import type { Rect } from '../../geometry/rect.js';
import type { Kernels } from '../../kernels/interface.js';
import { kernels } from '../../kernels/kernels.js';
import { compositeRun } from '../blend.js';
import { type Color, TRANSPARENT, withOpacity } from '../color.js';
import { type Paint, SolidPaint } from '../paint.js';
import { Pixmap } from '../pixmap.js';
import type { Spans } from '../spans.js';
import type { Gradient } from './gradient.js';
import { gradientLine } from './gradient-line.js';
import { createRamp, type Ramp } from './ramp.js';
import { SlantedRows } from './slanted-rows.js';

/** The bend that a jump counts as, in levels per length: more than any ramp has. */
const JUMP = 1e12;

interface Bends {
  /** Per piece: the sum of the changes of slope up to its start, in levels per length. */
  readonly before: Float64Array;
  /** Per cell of the table: the last piece that does not start after the cell's start. */
  readonly pieces: Uint16Array;
}

/** The changes of slope within the ramp; those at its ends, which no interpolated block contains, don't count. */
function bendsOf({ places, colors, cells, jumps }: Ramp): Bends {
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

const KINDS = { linear: 0, radial: 1, conic: 2 } as const;

/** Pixels that the kernel evaluates per call: whole blocks. */
const MAX_CHUNK = 4096;
/** Pixels that the kernel evaluates at a time in radial and conic gradients. */
const BLOCK = 16;
/** Largest error of a colour, in levels of 255, that interpolating positions within a block may cause. */
const MAX_ERROR = 0.15;

/** The last ramp of each gradient: a wide shadow paints its layer row by row, each time with a new paint. */
const ramps = new WeakMap<Gradient, { readonly length: number; readonly ramp: Ramp }>();

function rampOf(gradient: Gradient, length: number): Ramp {
  const known = ramps.get(gradient);
  if (known?.length === length) return known.ramp;
  const ramp = createRamp(gradient, length);
  ramps.set(gradient, { length, ramp });
  return ramp;
}

/** The paint of `gradient` in `box`, which `toTarget` maps to the target's pixels; undefined if it has no area there. */
export function createGradientPaint(
  gradient: Gradient,
  box: Rect,
  toTarget: Affine,
  opacity: number,
  coverageTable: Uint8Array | undefined,
): Paint | undefined {
  const toBox = invert(toTarget);
  if (!toBox) return undefined;
  const { length, toGradient } = gradientLine(gradient, box);
  if (!(length > 0)) return new SolidPaint(withOpacity(lastColor(gradient), opacity), coverageTable);
  const map = compose(compose(translation(0.5, 0.5), toBox), toGradient);
  return new GradientPaint(KINDS[gradient.kind], rampOf(gradient, length), map, opacity, coverageTable);
}

function lastColor({ stops }: Gradient): Color {
  return stops[stops.length - 1].color ?? TRANSPARENT;
}

/** `map` maps the target's columns and rows to the gradient's space. */
export class GradientPaint implements Paint {
  private readonly alpha: number;
  private readonly map: Affine;
  /** Place = scale × the distance or angle + shift; in a linear gradient, `map` does both. */
  private readonly scale: number;
  private readonly shift: number;
  /** A block's length in the gradient's space, and what `polarGradientRow` takes with it. */
  private readonly reach: number;
  private readonly curvature: number;
  private readonly maxMargin: number;
  /** Rows that are evaluated once and then moved, if the gradient allows it. */
  private readonly slanted: SlantedRows | undefined;
  /** A row of the target. */
  private line = new Pixmap(1, 1);
  /** The part of the row that `line` holds, when that is valid for every row. */
  private lineStart = 0;
  private lineEnd = 0;

  constructor(
    private readonly kind: 0 | 1 | 2,
    private readonly ramp: Ramp,
    map: Affine,
    opacity: number,
    private readonly coverageTable: Uint8Array | undefined,
  ) {
    this.alpha = Math.round(opacity * 255);
    this.scale = 1 / ramp.length;
    this.shift = -ramp.first / ramp.length;
    this.map = kind === 0 ? compose(map, { a: this.scale, b: 0, c: 0, d: 1, e: this.shift, f: 0 }) : map;
    const { a, b, c } = this.map;
    this.reach = BLOCK * hypot(a, b);
    // at the distance r, the second derivatives of the distance and of the angle are at most 1 / r and 1 / r²
    this.curvature = (this.scale * this.reach * this.reach) / 8 / (kind === 2 ? 2 * Math.PI : 1);
    this.maxMargin = Math.min(1, MAX_ERROR / ramp.steepest);
    if (kind === 0 && a !== 0 && c !== 0) {
      this.slanted = SlantedRows.create(a, c, ramp.steepest, ramp.jumps.length > 0, (y, start, end, out, rowStart) =>
        this.evaluateRow(y, start, end, out, rowStart),
      );
    }
  }

  row(target: Pixmap, y: number, spans: Spans): void {
    if (this.line.width < target.width) {
      this.line = new Pixmap(target.width, 1);
      this.lineEnd = 0;
    }
    const rowStart = y * target.width;
    const isOpaque = this.alpha === 255 && this.ramp.isOpaque;
    for (let i = 0; i < spans.count; i++) {
      const start = spans.start[i];
      const end = spans.end[i];
      if (isOpaque && spans.cover[i] === 255) this.evaluate(y, start, end, target.words, rowStart);
      else {
        this.evaluate(y, start, end, this.line.words, 0);
        compositeRun(target, rowStart, this.line, 0, spans, i, this.alpha, this.coverageTable);
      }
    }
  }

  /** Writes the pixels [start, end) of row `y` to `out`, where the row starts at index `rowStart`. */
  private evaluate(y: number, start: number, end: number, out: Uint32Array, rowStart: number): void {
    const { a, c } = this.map;
    if (this.kind === 0 && a === 0) out.fill(this.colorAt(y), rowStart + start, rowStart + end);
    else if (this.kind === 0 && c === 0) {
      const row = this.repeatedRow(start, end);
      if (out !== row) out.set(row.subarray(start, end), rowStart + start);
    } else if (this.slanted) this.slanted.copy(y, start, end, out, rowStart);
    else this.evaluateRow(y, start, end, out, rowStart);
  }

  private colorAt(y: number): number {
    this.evaluateRow(y, 0, 1, this.line.words, 0);
    return this.line.words[0];
  }

  /** `line`, with the pixels [start, end) that all rows have. */
  private repeatedRow(start: number, end: number): Uint32Array {
    const { words } = this.line;
    if (start < this.lineStart || end > this.lineEnd) {
      // 0 is the end of a line that holds nothing
      this.lineStart = this.lineEnd === 0 ? start : Math.min(start, this.lineStart);
      this.lineEnd = Math.max(end, this.lineEnd);
      this.evaluateRow(0, this.lineStart, this.lineEnd, words, 0);
    }
    return words;
  }

  private evaluateRow(y: number, start: number, end: number, out: Uint32Array, rowStart: number): void {
    const { ramp } = this;
    const kernel = useRamp(ramp);
    // blocks lie at the same columns for every span, so that a pixel does not depend on the others that are painted
    const first = this.kind === 0 ? start : start - (start % BLOCK);
    for (let x = first; x < end; x += MAX_CHUNK) {
      const count = Math.min(MAX_CHUNK, end - x);
      if (this.kind === 0) this.evaluateLinear(kernel, x, y, count);
      else this.evaluatePolar(kernel, x, y, count);
      const skipped = Math.max(0, start - x);
      out.set(buffer.subarray(skipped, count), rowStart + x + skipped);
    }
  }

  private evaluateLinear(kernel: Kernels, x: number, y: number, count: number): void {
    const { a, c, e } = this.map;
    const { repeating, cells, places } = this.ramp;
    kernel.linearGradientRow(count, a * x + c * y + e, a, repeating, cells, places.length);
  }

  private evaluatePolar(kernel: Kernels, x: number, y: number, count: number): void {
    const { a, b, c, d, e, f } = this.map;
    const { repeating, cells, places } = this.ramp;
    kernel.polarGradientRow(
      this.kind === 2,
      count,
      a * x + c * y + e,
      b * x + d * y + f,
      a,
      b,
      this.scale,
      this.shift,
      repeating,
      cells,
      places.length,
      this.reach,
      this.curvature,
      this.maxMargin,
    );
  }
}

/** The colours of a ramp at MAX_CHUNK places, between the one before the first stop and the one after the last. */
export function sampleRamp(ramp: Ramp): Uint32Array {
  const { table, cells, places } = ramp;
  const samples = new Uint32Array(MAX_CHUNK + 2);
  useRamp(ramp).linearGradientRow(MAX_CHUNK, 0.5 / MAX_CHUNK, 1 / MAX_CHUNK, false, cells, places.length);
  samples[0] = table[0];
  samples.set(buffer, 1);
  samples[MAX_CHUNK + 1] = table[cells + 1];
  return samples;
}

/** The kernels whose memory holds `current`, and a view of their pixels. */
let owner: Kernels | undefined;
let current: Ramp | undefined;
let buffer = new Uint32Array(0);

/** Copies the ramp into the kernels' memory, unless it is there: nothing else uses that part of it. */
function useRamp(ramp: Ramp): Kernels {
  const kernel = kernels();
  const { memory } = kernel;
  if (buffer.buffer !== memory.buffer) buffer = new Uint32Array(memory.buffer, kernel.gradientPixels(), MAX_CHUNK);
  if (owner === kernel && current === ramp) return kernel;
  owner = kernel;
  current = ramp;
  new Uint32Array(memory.buffer, kernel.gradientTable(), ramp.table.length).set(ramp.table);
  new Float32Array(memory.buffer, kernel.gradientPlaces(), ramp.places.length).set(ramp.places);
  new Float32Array(memory.buffer, kernel.gradientColors(), ramp.colors.length).set(ramp.colors);
  const { before, pieces } = bendsOf(ramp);
  new Float64Array(memory.buffer, kernel.gradientBends(), before.length).set(before);
  new Uint16Array(memory.buffer, kernel.gradientKnotsOfCells(), pieces.length).set(pieces);
  return kernel;
}
