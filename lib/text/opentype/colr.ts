// Reads colour glyphs (OpenType 1.9, "COLR" versions 0 and 1, and "CPAL") into trees of paints. What is malformed, nested too
// deeply or a cycle paints nothing.
import type { Affine } from '../../geometry/affine.js';
import { cos, sin, tan } from '../../geometry/math.js';
import type { Extend } from '../../raster/gradient/color-line.js';
import type { GlyphColorStop, GlyphCompositeMode, GlyphPaint, PaletteColor } from '../glyph-paint.js';
import { Data } from './data.js';
import { MAX_COLOR_STOPS, MAX_PAINT_DEPTH, MAX_PAINTS, PAINT_FORMATS, type PaintFormat } from './paint-formats.js';
import { deltaSetIndexes, positionsOf, VariationStore } from './variations.js';

/** The palette entry that stands for the text's colour. */
const FOREGROUND = 0xffff;
/** The base index of deltas of a value that does not vary. */
const NO_VARIATION = 0xffff_ffff;

const EXTENDS: readonly Extend[] = ['pad', 'repeat', 'reflect'];

const COMPOSITE_MODES: readonly GlyphCompositeMode[] = [
  'clear',
  'source',
  'destination',
  'source-over',
  'destination-over',
  'source-in',
  'destination-in',
  'source-out',
  'destination-out',
  'source-atop',
  'destination-atop',
  'xor',
  'plus-lighter',
  'screen',
  'overlay',
  'darken',
  'lighten',
  'color-dodge',
  'color-burn',
  'hard-light',
  'soft-light',
  'difference',
  'exclusion',
  'multiply',
  'hue',
  'saturation',
  'color',
  'luminosity',
];

/** Reads the paints of a font's colour glyphs. */
export interface ColorGlyphs {
  /** Returns the paint of a glyph; undefined for glyphs without colours. */
  paint(glyph: number): GlyphPaint | undefined;
}

/** `table` reads a table of the font, `settings` are those of its axes. Undefined for a font without colour glyphs. */
export function readColorGlyphs(
  table: (tag: string) => Uint8Array | undefined,
  settings: ReadonlyMap<string, number>,
): ColorGlyphs | undefined {
  const colr = table('COLR');
  if (!colr) return undefined;
  const data = new Data(colr);
  const palette = readPalette(dataOf(table('CPAL')));
  return new Reader(data, palette, deltasOf(data, table, settings));
}

function dataOf(bytes: Uint8Array | undefined): Data | undefined {
  return bytes && new Data(bytes);
}

/** The first palette. */
function readPalette(cpal: Data | undefined): PaletteColor[] {
  if (!cpal || cpal.u16(4) === 0) return [];
  const first = cpal.u32(8) + 4 * cpal.u16(12);
  return Array.from({ length: cpal.u16(2) }, (_, i) => {
    const [b, g, r, a] = [0, 1, 2, 3].map((channel) => cpal.u8(first + 4 * i + channel));
    return { r, g, b, a: a / 255 };
  });
}

type Deltas = (index: number) => number;

function deltasOf(
  colr: Data,
  table: (tag: string) => Uint8Array | undefined,
  settings: ReadonlyMap<string, number>,
): Deltas | undefined {
  const at = colr.u16(0) > 0 ? colr.u32(30) : 0;
  if (at === 0 || settings.size === 0) return undefined;
  const tables = new Map<string, Data>();
  for (const tag of ['fvar', 'avar']) {
    const data = dataOf(table(tag));
    if (data) tables.set(tag, data);
  }
  const positions = positionsOf(tables, settings);
  if (positions.length === 0) return undefined;
  const store = new VariationStore(colr, at, positions);
  const map = colr.u32(26);
  return (index) => {
    const [outer, inner] = map === 0 ? [Math.floor(index / 65_536), index % 65_536] : deltaSetIndexes(colr, map, index);
    return store.delta(outer, inner);
  };
}

class Reader implements ColorGlyphs {
  private readonly isVersion1: boolean;
  /** Paints and stops that the current glyph may still have. */
  private remaining = 0;
  /** The paints around the current one. */
  private readonly open = new Set<number>();

  constructor(
    private readonly data: Data,
    private readonly palette: readonly PaletteColor[],
    private readonly deltas: Deltas | undefined,
  ) {
    this.isVersion1 = data.u16(0) > 0;
  }

  paint(glyph: number): GlyphPaint | undefined {
    const base = this.basePaint(glyph);
    if (base === undefined) return this.flatLayers(glyph);
    this.remaining = MAX_PAINTS;
    return this.clipped(glyph, this.read(base)) ?? NOTHING;
  }

  /** The layers of version 0. */
  private flatLayers(glyph: number): GlyphPaint | undefined {
    const { data } = this;
    const record = search(data.u32(4), data.u16(2), 6, glyph, (at) => data.u16(at));
    if (record === undefined) return undefined;
    const first = data.u16(record + 2);
    const count = Math.min(data.u16(record + 4), data.u16(12) - first, MAX_PAINTS);
    if (count <= 0) return undefined;
    const paints = Array.from({ length: count }, (_, i): GlyphPaint => {
      const layer = data.u32(8) + 4 * (first + i);
      const color = this.color(data.u16(layer + 2));
      return { kind: 'glyph', glyph: data.u16(layer), paint: { kind: 'solid', color, alpha: 1 } };
    });
    return { kind: 'layers', paints };
  }

  /** Finds the paint of a base glyph. */
  private basePaint(glyph: number): number | undefined {
    const { data } = this;
    const list = this.isVersion1 ? data.u32(14) : 0;
    if (list === 0) return undefined;
    const record = search(list + 4, data.u32(list), 6, glyph, (at) => data.u16(at));
    return record === undefined ? undefined : list + data.u32(record + 2);
  }

  private clipped(glyph: number, paint: GlyphPaint | undefined): GlyphPaint | undefined {
    const { data } = this;
    const list = data.u32(22);
    if (!paint || list === 0) return paint;
    const record = search(list + 5, data.u32(list + 1), 7, glyph, (at) =>
      data.u16(at) <= glyph && glyph <= data.u16(at + 2) ? glyph : data.u16(at),
    );
    if (record === undefined) return paint;
    const box = list + data.u24(record + 4);
    const index = data.u8(box) === 2 ? data.u32(box + 9) : NO_VARIATION;
    const [left, bottom, right, top] = this.numbers(box + 1, 4, index);
    return { kind: 'clip', box: { left, bottom, right, top }, paint };
  }

  /** The paint at an offset from the start of the table. */
  private read(at: number): GlyphPaint | undefined {
    const format = PAINT_FORMATS[this.data.u8(at)];
    if (!format || this.remaining <= 0 || this.open.has(at) || this.open.size >= MAX_PAINT_DEPTH) return undefined;
    this.remaining--;
    this.open.add(at);
    const paint = this.readFormat(at, format);
    this.open.delete(at);
    return paint;
  }

  private readFormat(at: number, format: PaintFormat): GlyphPaint | undefined {
    const { data } = this;
    const child = (offset: number) => this.read(at + data.u24(at + offset));
    const varIndex = format.varies && format.numbers > 0 ? data.u32(at + format.length - 4) : NO_VARIATION;
    const numbers = this.numbers(at + format.first, format.numbers, varIndex);
    switch (format.kind) {
      case 'layers':
        return this.layers(data.u8(at + 1), data.u32(at + 2));
      case 'solid':
        return { kind: 'solid', color: this.color(data.u16(at + 1)), alpha: alphaOf(numbers[0]) };
      case 'linear':
      case 'radial':
      case 'sweep':
        return this.gradient(format, at + data.u24(at + 1), numbers);
      case 'glyph': {
        const paint = child(1);
        return paint && { kind: 'glyph', glyph: data.u16(at + 4), paint };
      }
      case 'colrGlyph': {
        const glyph = data.u16(at + 1);
        const base = this.basePaint(glyph);
        return base === undefined ? undefined : this.clipped(glyph, this.read(base));
      }
      case 'composite': {
        const mode = COMPOSITE_MODES[data.u8(at + 4)];
        if (!mode) return undefined;
        const source = child(1) ?? NOTHING;
        return { kind: 'composite', mode, source, backdrop: child(5) ?? NOTHING };
      }
      default: {
        const map =
          format.kind === 'matrix' ? this.matrix(at + data.u24(at + 4), format.varies) : mapOf(format, numbers);
        const paint = child(1);
        return paint && { kind: 'transform', map, paint };
      }
    }
  }

  private layers(count: number, first: number): GlyphPaint {
    const { data } = this;
    const list = data.u32(18);
    const paints: GlyphPaint[] = [];
    const end = list === 0 ? 0 : Math.min(first + count, data.u32(list));
    for (let i = first; i < end; i++) {
      const paint = this.read(list + data.u32(list + 4 + 4 * i));
      if (paint) paints.push(paint);
    }
    return { kind: 'layers', paints };
  }

  private gradient({ kind, varies }: PaintFormat, line: number, numbers: readonly number[]): GlyphPaint | undefined {
    const { data } = this;
    const extend = EXTENDS[data.u8(line)] ?? 'pad';
    const count = Math.min(data.u16(line + 1), MAX_COLOR_STOPS, this.remaining);
    if (count === 0) return undefined;
    this.remaining -= count;
    const size = varies ? 10 : 6;
    const stops = Array.from({ length: count }, (_, i): GlyphColorStop => {
      const stop = line + 3 + size * i;
      const index = varies ? data.u32(stop + 6) : NO_VARIATION;
      const offset = data.i16(stop) + this.delta(index, 0);
      const alpha = data.i16(stop + 4) + this.delta(index, 1);
      return { offset: offset / ONE, color: this.color(data.u16(stop + 2)), alpha: alphaOf(alpha) };
    });
    stops.sort((one, other) => one.offset - other.offset);
    if (kind === 'sweep') {
      const [x, y, start, end] = numbers;
      // half turns, less one
      const turns = (angle: number) => (angle / ONE + 1) / 2;
      return { kind: 'gradient', geometry: { kind, x, y, start: turns(start), end: turns(end) }, stops, extend };
    }
    const [x0, y0, third, fourth, fifth, sixth] = numbers;
    if (kind === 'linear') {
      const geometry = { kind, x0, y0, x1: third, y1: fourth, x2: fifth, y2: sixth } as const;
      return { kind: 'gradient', geometry, stops, extend };
    }
    // the radii are unsigned
    const [r0, r1] = [third, sixth].map((radius) => (radius < 0 ? radius + 65_536 : radius));
    const geometry = { kind: 'circles', x0, y0, r0, x1: fourth, y1: fifth, r1 } as const;
    return { kind: 'gradient', geometry, stops, extend };
  }

  /** The table Affine2x3. */
  private matrix(at: number, varies: boolean): Affine {
    const index = varies ? this.data.u32(at + 24) : NO_VARIATION;
    const [a, b, c, d, e, f] = [0, 1, 2, 3, 4, 5].map(
      (i) => ((this.data.u32(at + 4 * i) | 0) + this.delta(index, i)) / 65_536,
    );
    return { a, b, c, d, e, f };
  }

  private color(index: number): PaletteColor | undefined {
    return index === FOREGROUND ? undefined : this.palette[index];
  }

  /** Signed 16-bit numbers with their deltas. */
  private numbers(at: number, count: number, varIndex: number): number[] {
    return Array.from({ length: count }, (_, i) => this.data.i16(at + 2 * i) + this.delta(varIndex, i));
  }

  private delta(varIndex: number, i: number): number {
    return this.deltas && varIndex !== NO_VARIATION ? this.deltas(varIndex + i) : 0;
  }
}

/** A glyph whose paint is malformed has no ink. */
const NOTHING: GlyphPaint = { kind: 'layers', paints: [] };

/** 1 as a number with 14 bits after the point. */
const ONE = 16_384;

function alphaOf(number: number): number {
  return Math.min(1, Math.max(0, number / ONE));
}

/** The transform of all formats but a matrix; angles are in half turns, counter-clockwise. */
function mapOf({ kind }: PaintFormat, numbers: readonly number[]): Affine {
  const [first, second] = numbers;
  switch (kind) {
    case 'translate':
      return { a: 1, b: 0, c: 0, d: 1, e: first, f: second };
    case 'scale':
      return about({ a: first / ONE, b: 0, c: 0, d: second / ONE }, numbers.slice(2));
    case 'uniformScale':
      return about({ a: first / ONE, b: 0, c: 0, d: first / ONE }, numbers.slice(1));
    case 'rotate': {
      const angle = (first / ONE) * Math.PI;
      return about({ a: cos(angle), b: sin(angle), c: -sin(angle), d: cos(angle) }, numbers.slice(1));
    }
    default: {
      const [x, y] = [first, second].map((angle) => tan((angle / ONE) * Math.PI));
      return about({ a: 1, b: y, c: -x, d: 1 }, numbers.slice(2));
    }
  }
}

/** The linear map about a centre, by default the origin. */
function about({ a, b, c, d }: Omit<Affine, 'e' | 'f'>, [x = 0, y = 0]: readonly number[]): Affine {
  return { a, b, c, d, e: x - a * x - c * y, f: y - b * x - d * y };
}

/** The record of `key` among records that are sorted by key. */
function search(
  first: number,
  count: number,
  size: number,
  key: number,
  keyOf: (record: number) => number,
): number | undefined {
  let low = 0;
  let high = count;
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    if (keyOf(first + size * middle) < key) low = middle + 1;
    else high = middle;
  }
  const record = first + size * low;
  return low < count && keyOf(record) === key ? record : undefined;
}
