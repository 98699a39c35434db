// Glyphs as masks: the coverage of an outline at one size, on one of four quarters of a pixel, made once and kept with its
// face. Text repeats its letters, so most of it is then copied instead of drawn: a card's text takes a third of the time.
import { flatten } from '../geometry/flatten.js';
import { Polygon } from '../geometry/polygon.js';
import { intersect, isEmpty, offset, type Rect, roundOut } from '../geometry/rect.js';
import { GlyphBlitter } from '../raster/glyph-blitter.js';
import { Mask, rasterizeMask } from '../raster/mask.js';
import type { SolidPaint } from '../raster/paint.js';
import type { Surface } from '../raster/surface.js';
import type { Face } from '../text/face.js';

/** Quarters of a pixel on which glyphs stand, to the right. */
export const PHASES = 4;
/** A mask's greatest width and height, in pixels: what is larger is drawn as a path. */
const LARGEST = 512;
/** Bytes of masks kept with a face; when there are more, all are dropped and made anew as they are needed. */
const KEPT_BYTES = 4 * 2 ** 20;
/** Sizes kept with a face, likewise. */
const KEPT_SIZES = 256;

/**
 * Shades of a glyph's edges, as many as native renderers show. No pixel is off by more than 5 of 255; against 64 steps the
 * likeness to Chromium is the same to four digits, and PNGs of text take 0.82–0.92 of the bytes.
 */
export const GLYPH_STEPS = 24;

/** How an outline in font units becomes pixels: x right, y up. */
export interface GlyphScale {
  /** Pixels a font unit. */
  readonly scale: number;
  /** How much x grows with y, for slanted text; 0 for upright. */
  readonly skew: number;
}

/** A mask, and the pixel of the canvas on which its glyph's origin lies. */
export interface PlacedMask {
  readonly mask: Mask;
  readonly x: number;
  readonly y: number;
}

/** A face's masks at one size, by glyph and phase; undefined where the glyph has no ink. */
export interface SizedMasks {
  readonly face: Face;
  readonly size: GlyphScale;
  readonly kept: Kept;
  readonly masks: Map<number, Mask | undefined>;
}

interface Kept {
  readonly sizes: SizedMasks[];
  bytes: number;
}

const keptBy = new WeakMap<Face, Kept>();

/** The masks of `face` at `size`: found once for all glyphs of a line, as the search takes as long as painting a glyph. */
export function masksAt(face: Face, size: GlyphScale): SizedMasks {
  let kept = keptBy.get(face);
  if (!kept) {
    kept = { sizes: [], bytes: 0 };
    keptBy.set(face, kept);
  }
  let sized = kept.sizes.find((one) => one.size.scale === size.scale && one.size.skew === size.skew);
  if (!sized) {
    sized = { face, size, kept, masks: new Map() };
    kept.sizes.push(sized);
    if (kept.sizes.length > KEPT_SIZES) keptBy.delete(face);
  }
  return sized;
}

/**
 * The glyph's mask, its bounds counted from the pixel of its origin; undefined when it has no ink.
 * `phase`: quarters of a pixel from that pixel's left edge to the origin. 'large' when it is no mask's size.
 */
export function glyphMask({ face, size, kept, masks }: SizedMasks, glyph: number, phase: number): GlyphMask {
  const key = glyph * PHASES + phase;
  const known = masks.get(key);
  if (known !== undefined || masks.has(key)) return known;
  const mask = makeMask(face, glyph, size, phase);
  if (mask === 'large') return mask;
  kept.bytes += mask?.alpha.length ?? 0;
  if (kept.bytes > KEPT_BYTES) keptBy.delete(face);
  masks.set(key, mask);
  return mask;
}

type GlyphMask = Mask | undefined | 'large';

function makeMask(face: Face, glyph: number, { scale, skew }: GlyphScale, phase: number): GlyphMask {
  const polygon = new Polygon();
  flatten(face.outline(glyph), { a: scale, b: 0, c: skew, d: -scale, e: phase / PHASES, f: 0 }, polygon);
  const bounds = roundOut(polygon.bounds());
  if (isEmpty(bounds)) return undefined;
  if (bounds.right - bounds.left > LARGEST || bounds.bottom - bounds.top > LARGEST) return 'large';
  return rasterizeMask(polygon, bounds, GLYPH_STEPS);
}

/** The pixels that the masks cover. */
export function masksBounds(masks: readonly PlacedMask[]): Rect {
  if (masks.length === 0) return { left: 0, top: 0, right: 0, bottom: 0 };
  let left = Infinity;
  let top = Infinity;
  let right = -Infinity;
  let bottom = -Infinity;
  for (const { mask, x, y } of masks) {
    const { bounds } = mask;
    if (x + bounds.left < left) left = x + bounds.left;
    if (y + bounds.top < top) top = y + bounds.top;
    if (x + bounds.right > right) right = x + bounds.right;
    if (y + bounds.bottom > bottom) bottom = y + bounds.bottom;
  }
  return { left, top, right, bottom };
}

/** Paints the masks as one shape: where they overlap, their coverage adds up. */
export function fillMasks(surface: Surface, masks: readonly PlacedMask[], paint: SolidPaint): void {
  const { pixmap, bounds } = surface;
  if (isEmpty(intersect(masksBounds(masks), bounds))) return;
  const stamp = new GlyphBlitter(pixmap, paint);
  const joined = joinsOf.get(masks) ?? joinedMasks(masks);
  if (pixmap.height === 1) joinsOf.set(masks, joined);
  // from the last mask down, each stretch of masks that hang together
  for (let end = masks.length; end > 0; ) {
    let start = end - 1;
    for (let low = joined[start]; start > low; ) low = Math.min(low, joined[--start]);
    const { mask, x, y } = end - start > 1 ? sumOf(masks.slice(start, end), bounds) : masks[start];
    stamp.mask(mask, x + mask.bounds.left - bounds.left, y + mask.bounds.top - bounds.top);
    end = start;
  }
}

/** Kept with a line's masks where they are painted a row at a time, as a wide shadow does: half of its time, measured. */
const joinsOf = new WeakMap<readonly PlacedMask[], Int32Array>();

/** How many masks before one are looked at, before it counts as one with all that came before. */
const MAX_NEIGHBOUR = 8;

/** For each mask, the first one that it shares an inked pixel with; itself when there is none before it. */
function joinedMasks(masks: readonly PlacedMask[]): Int32Array {
  const joined = new Int32Array(masks.length);
  const reach = new Float64Array(masks.length);
  for (let i = 0; i < masks.length; i++) {
    const { mask, x } = masks[i];
    const left = x + mask.bounds.left;
    joined[i] = i;
    for (let other = i - 1; other >= 0 && reach[other] > left; other--) {
      if (i - other > MAX_NEIGHBOUR) {
        joined[i] = 0;
        break;
      }
      if (sharesPixel(masks[other], masks[i])) joined[i] = other;
    }
    reach[i] = Math.max(x + mask.bounds.right, i > 0 ? reach[i - 1] : -Infinity);
  }
  return joined;
}

/** Whether both have ink on some pixel. Boxes of letters overlap often, their ink hardly ever. */
function sharesPixel(one: PlacedMask, other: PlacedMask): boolean {
  const a = one.mask;
  const b = other.mask;
  const toB = { x: one.x + a.bounds.left - other.x - b.bounds.left, y: one.y + a.bounds.top - other.y - b.bounds.top };
  const endColumn = Math.min(a.width, b.width - toB.x);
  const endRow = Math.min(a.height, b.height - toB.y);
  for (let row = Math.max(0, -toB.y); row < endRow; row++) {
    const inA = row * a.width;
    const inB = (row + toB.y) * b.width + toB.x;
    for (let column = Math.max(0, -toB.x); column < endColumn; column++) {
      if (a.alpha[inA + column] !== 0 && b.alpha[inB + column] !== 0) return true;
    }
  }
  return false;
}

/** One mask for all of `masks`, their coverage added up, of what `clip` leaves of them. */
function sumOf(masks: readonly PlacedMask[], clip: Rect): PlacedMask {
  const bounds = intersect(masksBounds(masks), clip);
  if (isEmpty(bounds)) return { mask: new Mask({ left: 0, top: 0, right: 0, bottom: 0 }), x: 0, y: 0 };
  const sum = new Mask(bounds);
  for (const placed of masks) addMask(sum, placed);
  return { mask: sum, x: 0, y: 0 };
}

/** Adds a mask to one that others are in already. */
export function addMask(line: Mask, { mask, x, y }: PlacedMask): void {
  const { bounds } = line;
  const { left, top } = offset(mask.bounds, x, y);
  const from = Math.max(0, bounds.left - left);
  const to = Math.min(mask.width, bounds.right - left);
  const lastRow = Math.min(mask.height, bounds.bottom - top);
  for (let row = Math.max(0, bounds.top - top); row < lastRow; row++) {
    const source = row * mask.width;
    const target = (top + row - bounds.top) * line.width + left - bounds.left;
    for (let column = from; column < to; column++) {
      const cover = mask.alpha[source + column];
      if (cover === 0) continue;
      const sum = line.alpha[target + column] + cover;
      line.alpha[target + column] = sum > 255 ? 255 : sum;
    }
  }
}
