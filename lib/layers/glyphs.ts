// Glyphs as masks: the coverage of an outline at one size, on one of four quarters of a pixel, made once and kept with its
// face. Text repeats its letters, so most of it is then copied instead of drawn: a card's text takes a third of the time.
import { flatten } from '../geometry/flatten.js';
import { Polygon } from '../geometry/polygon.js';
import { intersect, isEmpty, offset, type Rect, roundOut, unite } from '../geometry/rect.js';
import { Rasterizer } from '../raster/coverage.js';
import { Mask } from '../raster/mask.js';
import type { Paint } from '../raster/paint.js';
import { PER_PIXEL } from '../raster/spans.js';
import type { Surface } from '../raster/surface.js';
import type { Face } from '../text/face.js';

/** Quarters of a pixel on which glyphs stand, to the right. */
export const PHASES = 4;
/** A mask's greatest width and height, in pixels: what is larger is drawn as a path. */
const LARGEST = 512;
/** Bytes of masks kept with a face; when there are more, all are dropped and made anew as they are needed. */
const KEPT_BYTES = 4 * 2 ** 20;

/** How an outline in font units becomes pixels: x right, y up. */
export interface GlyphScale {
  /** Pixels a font unit. */
  readonly scale: number;
  /** How much x grows with y, for slanted text; 0 for upright. */
  readonly lean: number;
}

/** A mask, and the pixel of the canvas on which its glyph's origin lies. */
export interface PlacedMask {
  readonly mask: Mask;
  readonly x: number;
  readonly y: number;
}

interface Kept {
  readonly masks: Map<string, Map<number, Mask | undefined>>;
  bytes: number;
}

const keptBy = new WeakMap<Face, Kept>();
let rasterizer: Rasterizer | undefined;

/**
 * The glyph's mask, its bounds counted from the pixel of its origin; undefined when it has no ink.
 * `phase`: quarters of a pixel from that pixel's left edge to the origin. 'large' when it is no mask's size.
 */
export function glyphMask(face: Face, glyph: number, size: GlyphScale, phase: number): Mask | undefined | 'large' {
  const kept = keptBy.get(face) ?? { masks: new Map(), bytes: 0 };
  keptBy.set(face, kept);
  const sizeKey = `${size.scale} ${size.lean}`;
  const masks = kept.masks.get(sizeKey) ?? new Map<number, Mask | undefined>();
  kept.masks.set(sizeKey, masks);
  const key = glyph * PHASES + phase;
  if (masks.has(key)) return masks.get(key);
  const mask = makeMask(face, glyph, size, phase);
  if (mask === 'large') return mask;
  kept.bytes += mask?.alpha.length ?? 0;
  if (kept.bytes > KEPT_BYTES) keptBy.delete(face);
  masks.set(key, mask);
  return mask;
}

function makeMask(face: Face, glyph: number, { scale, lean }: GlyphScale, phase: number): Mask | undefined | 'large' {
  const polygon = new Polygon();
  flatten(face.outline(glyph), { a: scale, b: 0, c: lean, d: -scale, e: phase / PHASES, f: 0 }, polygon);
  const bounds = roundOut(polygon.bounds());
  if (isEmpty(bounds)) return undefined;
  if (bounds.right - bounds.left > LARGEST || bounds.bottom - bounds.top > LARGEST) return 'large';
  rasterizer ??= new Rasterizer(LARGEST, LARGEST);
  const mask = new Mask(bounds);
  rasterizer.fill(polygon, bounds.left, bounds.top, 'nonzero', (y, { count, start, end, cover, alpha }) => {
    const line = y * mask.width;
    for (let i = 0; i < count; i++) {
      // runs are in whole blocks, which may reach beyond the mask
      const last = Math.min(end[i], mask.width);
      if (cover[i] === PER_PIXEL) mask.alpha.set(alpha.subarray(start[i], last), line + start[i]);
      else mask.alpha.fill(cover[i], line + start[i], line + last);
    }
  });
  return mask;
}

/** The pixels that the masks cover. */
export function masksBounds(masks: readonly PlacedMask[]): Rect {
  return masks.reduce((all, { mask, x, y }) => unite(all, offset(mask.bounds, x, y)), {
    left: 0,
    top: 0,
    right: 0,
    bottom: 0,
  });
}

/** Paints the masks as one shape: where they overlap, their coverage adds up. */
export function fillMasks(surface: Surface, masks: readonly PlacedMask[], paint: Paint): void {
  const bounds = intersect(masksBounds(masks), surface.bounds);
  if (isEmpty(bounds)) return;
  const line = new Mask(bounds);
  for (const placed of masks) addMask(line, placed);
  surface.fillMask(line, paint);
}

function addMask(line: Mask, { mask, x, y }: PlacedMask): void {
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
