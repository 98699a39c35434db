// Checks COLR and CPAL: the flat layers of colour glyphs (COLR version 0), their paint graphs (version 1), and their palettes.
import { COMPOSITE_MODE_COUNT } from '../../text/opentype/colr.js';
import { MAX_COLOR_STOPS, MAX_PAINT_DEPTH, MAX_PAINTS, PAINT_FORMATS } from '../../text/opentype/paint-formats.js';
import { assertInside, malformedFont, viewOf } from './errors.js';
import { checkIndexMap, checkStore } from './variations.js';

/** Layers of one glyph; each is an outline to paint. The bundled emoji have at most 44. */
export const MAX_LAYERS = 512;
/** References from paints to paints. Tables may share bytes, so the file's length is no bound. Noto Color Emoji has 120,000. */
const MAX_PAINT_REFERENCES = 1 << 20;

/** Returns whether the table has colour glyphs. */
export function checkColr(data: Uint8Array, glyphs: number): boolean {
  const view = viewOf(data);
  const hasLayers = checkFlatLayers(view, glyphs);
  if (view.getUint16(0) === 0) return hasLayers;
  const map = view.getUint32(26);
  if (map !== 0) checkIndexMap(view, map);
  checkStore(data, view.getUint32(30));
  checkClips(view);
  return new PaintGraph(view, glyphs).check() || hasLayers;
}

function checkFlatLayers(view: DataView, glyphs: number): boolean {
  const count = view.getUint16(2);
  const bases = view.getUint32(4);
  const layers = view.getUint32(8);
  const layerCount = view.getUint16(12);
  if (count === 0) return false;
  assertInside(view, bases, 6 * count);
  assertInside(view, layers, 4 * layerCount);
  let previousGlyph = -1;
  for (let record = bases; record < bases + 6 * count; record += 6) {
    const glyph = view.getUint16(record);
    const first = view.getUint16(record + 2);
    const length = view.getUint16(record + 4);
    if (glyph <= previousGlyph || glyph >= glyphs) throw malformedFont('its COLR table has glyphs out of order');
    if (first + length > layerCount) throw malformedFont(`the layers of glyph ${glyph} are outside its COLR table`);
    if (length > MAX_LAYERS)
      throw malformedFont(`glyph ${glyph} has ${length} layers, ${MAX_LAYERS} at most are drawn`);
    previousGlyph = glyph;
  }
  return true;
}

/** Boxes of glyph ranges. */
function checkClips(view: DataView): void {
  const list = view.getUint32(22);
  if (list === 0) return;
  const count = view.getUint32(list + 1);
  assertInside(view, list + 5, 7 * count);
  let previousGlyph = -1;
  for (let clip = list + 5; clip < list + 5 + 7 * count; clip += 7) {
    const [first, last] = [view.getUint16(clip), view.getUint16(clip + 2)];
    if (first <= previousGlyph || last < first) throw malformedFont('its COLR table has clips out of order');
    const box = list + uint24(view, clip + 4);
    assertInside(view, box, view.getUint8(box) === 2 ? 13 : 9);
    previousGlyph = last;
  }
}

/** The size of a paint's drawing: itself, the paints below it and colour stops, counted each time that they are drawn. */
interface Extent {
  readonly paints: number;
  /** Nested paints. */
  readonly depth: number;
}

/** The paints of version 1, each visited once. */
class PaintGraph {
  /** Extents by the paint's position; undefined while the paints below it are visited. */
  private readonly extents = new Map<number, Extent | undefined>();
  private readonly bases = new Map<number, number>();
  private references = 0;
  private readonly layerList: number;
  private readonly layerCount: number;

  constructor(
    private readonly view: DataView,
    private readonly glyphs: number,
  ) {
    this.layerList = view.getUint32(18);
    this.layerCount = this.layerList === 0 ? 0 : view.getUint32(this.layerList);
    assertInside(view, this.layerList + 4, 4 * this.layerCount);
  }

  /** Returns whether any glyph has paints. */
  check(): boolean {
    const { view, glyphs, bases } = this;
    const list = view.getUint32(14);
    const count = list === 0 ? 0 : view.getUint32(list);
    assertInside(view, list + 4, 6 * count);
    let previousGlyph = -1;
    for (let record = list + 4; record < list + 4 + 6 * count; record += 6) {
      const glyph = view.getUint16(record);
      if (glyph <= previousGlyph || glyph >= glyphs) throw malformedFont('its COLR table has glyphs out of order');
      bases.set(glyph, list + view.getUint32(record + 2));
      previousGlyph = glyph;
    }
    for (const [glyph, paint] of bases) {
      const { paints, depth } = this.visit(paint, 1);
      if (paints > MAX_PAINTS)
        throw malformedFont(`glyph ${glyph} has ${paints} paints and colour stops, ${MAX_PAINTS} at most are drawn`);
      if (depth > MAX_PAINT_DEPTH) throw tooDeep();
    }
    return bases.size > 0;
  }

  private visit(at: number, depth: number): Extent {
    const known = this.extents.get(at);
    if (known) return known;
    if (this.extents.has(at)) throw malformedFont('a paint of its COLR table contains itself');
    if (depth > MAX_PAINT_DEPTH) throw tooDeep();
    this.extents.set(at, undefined);
    let paints = 1 + this.colorStops(at);
    let below = 0;
    for (const child of this.children(at)) {
      if (++this.references > MAX_PAINT_REFERENCES)
        throw malformedFont(`its COLR table has more than ${MAX_PAINT_REFERENCES} references to paints`);
      const extent = this.visit(child, depth + 1);
      paints += extent.paints;
      below = Math.max(below, extent.depth);
    }
    const extent = { paints, depth: below + 1 };
    this.extents.set(at, extent);
    return extent;
  }

  /** Checks a paint's own bytes and returns the places of the paints below it. */
  private children(at: number): number[] {
    const { view, layerList } = this;
    const number = view.getUint8(at);
    const format = PAINT_FORMATS[number];
    if (!format) throw malformedFont(`its COLR table has a paint of format ${number}`);
    assertInside(view, at, format.length);
    const paints = format.paints.map((offset) => at + uint24(view, at + offset));
    switch (format.kind) {
      case 'layers': {
        const [count, first] = [view.getUint8(at + 1), view.getUint32(at + 2)];
        if (first + count > this.layerCount) throw malformedFont('its COLR table refers to a missing layer');
        return Array.from({ length: count }, (_, i) => layerList + view.getUint32(layerList + 4 + 4 * (first + i)));
      }
      case 'glyph':
        if (view.getUint16(at + 4) >= this.glyphs) throw malformedFont('its COLR table refers to a missing glyph');
        return paints;
      case 'colrGlyph': {
        const base = this.bases.get(view.getUint16(at + 1));
        if (base === undefined) throw malformedFont('its COLR table refers to a missing colour glyph');
        return [base];
      }
      case 'matrix':
        assertInside(view, at + uint24(view, at + 4), format.varies ? 28 : 24);
        return paints;
      case 'composite':
        if (view.getUint8(at + 4) >= COMPOSITE_MODE_COUNT)
          throw malformedFont(`its COLR table has the composite mode ${view.getUint8(at + 4)}`);
        return paints;
      default:
        return paints;
    }
  }

  /** The number of a gradient's stops. */
  private colorStops(at: number): number {
    const { view } = this;
    const format = PAINT_FORMATS[view.getUint8(at)];
    if (format?.kind !== 'linear' && format?.kind !== 'radial' && format?.kind !== 'sweep') return 0;
    const line = at + uint24(view, at + 1);
    const count = view.getUint16(line + 1);
    if (count === 0 || count > MAX_COLOR_STOPS)
      throw malformedFont(`a gradient has ${count} colour stops, 1 to ${MAX_COLOR_STOPS} are read`);
    assertInside(view, line + 3, count * (format.varies ? 10 : 6));
    return count;
  }
}

function tooDeep(): Error {
  return malformedFont(`its COLR table nests more than ${MAX_PAINT_DEPTH} paints`);
}

function uint24(view: DataView, at: number): number {
  return (view.getUint16(at) << 8) | view.getUint8(at + 2);
}

/** CPAL: every palette's entries are inside the list of colours. */
export function checkPalettes(data: Uint8Array): void {
  const view = viewOf(data);
  const entries = view.getUint16(2);
  const palettes = view.getUint16(4);
  const colors = view.getUint16(6);
  assertInside(view, view.getUint32(8), 4 * colors);
  assertInside(view, 12, 2 * palettes);
  for (let i = 0; i < palettes; i++) {
    if (view.getUint16(12 + 2 * i) + entries > colors) throw malformedFont('a palette is outside its CPAL table');
  }
}
