// Glyph mask cache: a glyph's coverage at one size and one of four subpixel positions, rasterized once and kept with its
// face. Text repeats its glyphs, so most are blitted instead of rasterized: a card's text takes a third of the time.
import { flatten } from '../../geometry/flatten.js';
import { Polygon } from '../../geometry/polygon.js';
import { intersect, isEmpty, offset, type Rect, roundOut } from '../../geometry/rect.js';
import { GlyphBlitter } from '../../raster/glyph-blitter.js';
import { Mask, rasterizeMask } from '../../raster/mask.js';
import { type Paint, SolidPaint } from '../../raster/paint.js';
import type { Surface } from '../../raster/surface.js';
import type { Face } from '../../text/face.js';

/** Horizontal subpixel positions of a glyph. */
export const PHASES = 4;
/** The maximum width and height of a mask, in pixels: larger glyphs are drawn as paths. */
const MAX_MASK_SIDE = 512;
/** Bytes of masks cached per face; when exceeded, the face's whole cache is dropped. */
const MAX_CACHE_BYTES = 4 * 2 ** 20;
/** Sizes cached per face, likewise. */
const MAX_CACHED_SIZES = 256;

/**
 * Coverage steps of glyph edges, as many as native renderers use. No pixel is off by more than 5 of 255. Against 64 steps
 * the similarity to Chromium is the same to four digits, and PNGs of text take 0.82–0.92 of the bytes.
 */
export const GLYPH_STEPS = 24;

/** Maps an outline in font units (x right, y up) to pixels. */
export interface GlyphScale {
  /** Pixels per font unit. */
  readonly scale: number;
  /** Growth of x per y of oblique text; 0 for upright. */
  readonly skew: number;
}

/** A mask and the canvas pixel of its glyph's origin. */
export interface PlacedMask {
  readonly mask: Mask;
  readonly x: number;
  readonly y: number;
}

/** A face's masks at one size, by glyph and phase; undefined where the glyph has no ink. */
export interface SizedMasks {
  readonly face: Face;
  readonly size: GlyphScale;
  readonly cache: FaceCache;
  readonly masks: Map<number, Mask | undefined>;
}

interface FaceCache {
  readonly sizes: SizedMasks[];
  bytes: number;
}

const caches = new WeakMap<Face, FaceCache>();

/** The masks of `face` at `size`. Look them up once per line: the search takes as long as painting a glyph. */
export function masksAt(face: Face, size: GlyphScale): SizedMasks {
  let cache = caches.get(face);
  if (!cache) {
    cache = { sizes: [], bytes: 0 };
    caches.set(face, cache);
  }
  let sized = cache.sizes.find((entry) => entry.size.scale === size.scale && entry.size.skew === size.skew);
  if (!sized) {
    sized = { face, size, cache, masks: new Map() };
    cache.sizes.push(sized);
    if (cache.sizes.length > MAX_CACHED_SIZES) caches.delete(face);
  }
  return sized;
}

/**
 * The glyph's mask, with bounds relative to the pixel of its origin; undefined when it has no ink, 'large' when it exceeds
 * MAX_MASK_SIDE. `phase`: the origin's distance from that pixel's left edge, in quarters of a pixel.
 */
export function glyphMask({ face, size, cache, masks }: SizedMasks, glyph: number, phase: number): GlyphMask {
  const key = glyph * PHASES + phase;
  const cached = masks.get(key);
  if (cached !== undefined || masks.has(key)) return cached;
  const mask = makeMask(face, glyph, size, phase);
  if (mask === 'large') return mask;
  cache.bytes += mask?.alpha.length ?? 0;
  if (cache.bytes > MAX_CACHE_BYTES) caches.delete(face);
  masks.set(key, mask);
  return mask;
}

type GlyphMask = Mask | undefined | 'large';

function makeMask(face: Face, glyph: number, { scale, skew }: GlyphScale, phase: number): GlyphMask {
  const polygon = new Polygon();
  flatten(face.outline(glyph), { a: scale, b: 0, c: skew, d: -scale, e: phase / PHASES, f: 0 }, polygon);
  const bounds = roundOut(polygon.bounds());
  if (isEmpty(bounds)) return undefined;
  if (bounds.right - bounds.left > MAX_MASK_SIDE || bounds.bottom - bounds.top > MAX_MASK_SIDE) return 'large';
  return rasterizeMask(polygon, bounds, GLYPH_STEPS);
}

/** The bounds of all masks on the canvas. */
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

/** Paints the masks as one shape: where they overlap, their coverage is added. */
export function fillMasks(surface: Surface, masks: readonly PlacedMask[], paint: Paint): void {
  const { pixmap, bounds } = surface;
  if (isEmpty(intersect(masksBounds(masks), bounds))) return;
  const blitter = paint instanceof SolidPaint ? new GlyphBlitter(pixmap, paint) : undefined;
  const firstOverlaps = overlapCache.get(masks) ?? findOverlaps(masks);
  if (pixmap.height === 1) overlapCache.set(masks, firstOverlaps);
  // from the last mask backwards, one group of connected masks at a time
  for (let end = masks.length; end > 0; ) {
    let start = end - 1;
    for (let low = firstOverlaps[start]; start > low; ) low = Math.min(low, firstOverlaps[--start]);
    const { mask, x, y } = end - start > 1 ? sumMasks(masks.slice(start, end), bounds) : masks[start];
    if (blitter) blitter.mask(mask, x + mask.bounds.left - bounds.left, y + mask.bounds.top - bounds.top);
    else surface.fillMask(new Mask(offset(mask.bounds, x, y), mask.alpha), paint);
    end = start;
  }
}

/** Overlaps of lines painted one row at a time, as under a wide shadow: caching them halves its time, measured. */
const overlapCache = new WeakMap<readonly PlacedMask[], Int32Array>();

/** Number of preceding masks that are compared; a mask that may reach farther back counts as overlapping all before it. */
const MAX_NEIGHBOURS = 8;

/** Finds for each mask the first mask that it shares an inked pixel with; its own index when none precedes it. */
function findOverlaps(masks: readonly PlacedMask[]): Int32Array {
  const firstOverlaps = new Int32Array(masks.length);
  /** The largest right edge of the masks up to each index. */
  const maxRight = new Float64Array(masks.length);
  for (let i = 0; i < masks.length; i++) {
    const { mask, x } = masks[i];
    const left = x + mask.bounds.left;
    firstOverlaps[i] = i;
    for (let other = i - 1; other >= 0 && maxRight[other] > left; other--) {
      if (i - other > MAX_NEIGHBOURS) {
        firstOverlaps[i] = 0;
        break;
      }
      if (sharesPixel(masks[other], masks[i])) firstOverlaps[i] = other;
    }
    maxRight[i] = Math.max(x + mask.bounds.right, i > 0 ? maxRight[i - 1] : -Infinity);
  }
  return firstOverlaps;
}

/** Whether both masks have ink on some pixel. Bounding boxes of glyphs overlap often, their ink hardly ever. */
function sharesPixel(p: PlacedMask, q: PlacedMask): boolean {
  const a = p.mask;
  const b = q.mask;
  const toB = { x: p.x + a.bounds.left - q.x - b.bounds.left, y: p.y + a.bounds.top - q.y - b.bounds.top };
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

/** Adds the coverage of `masks` inside `clip` into one mask. */
function sumMasks(masks: readonly PlacedMask[], clip: Rect): PlacedMask {
  const bounds = intersect(masksBounds(masks), clip);
  if (isEmpty(bounds)) return { mask: new Mask({ left: 0, top: 0, right: 0, bottom: 0 }), x: 0, y: 0 };
  const sum = new Mask(bounds);
  for (const mask of masks) addMask(sum, mask);
  return { mask: sum, x: 0, y: 0 };
}

/** Adds a mask's coverage to `sum`, saturating at 255. */
export function addMask(sum: Mask, { mask, x, y }: PlacedMask): void {
  const { bounds } = sum;
  const { left, top } = offset(mask.bounds, x, y);
  const from = Math.max(0, bounds.left - left);
  const to = Math.min(mask.width, bounds.right - left);
  const lastRow = Math.min(mask.height, bounds.bottom - top);
  for (let row = Math.max(0, bounds.top - top); row < lastRow; row++) {
    const source = row * mask.width;
    const target = (top + row - bounds.top) * sum.width + left - bounds.left;
    for (let column = from; column < to; column++) {
      const cover = mask.alpha[source + column];
      if (cover === 0) continue;
      const total = sum.alpha[target + column] + cover;
      sum.alpha[target + column] = total > 255 ? 255 : total;
    }
  }
}
