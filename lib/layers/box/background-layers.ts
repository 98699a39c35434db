// Backgrounds whose gradients are tiles, or that fill a smaller box than the layer's.
import {
  type BackgroundBox,
  type BackgroundStyle,
  backgroundTiles,
  tileStarts,
} from '../../geometry/background-tiles.js';
import { completeFour } from '../../geometry/corners.js';
import type { Position } from '../../geometry/length.js';
import { intersect, isEmpty, mapRect, type Rect, rectOf, roundOut } from '../../geometry/rect.js';
import { RasterTarget } from '../../paint/raster-target.js';
import type { PaintTarget } from '../../paint/target.js';
import { type Background, type Fill, fillsOf, isGradient } from '../../raster/fill.js';
import { Surface } from '../../raster/surface.js';
import { type Frame, scalesOf, snapInFrame } from '../frame.js';
import { drawImage, type PlacedImage } from '../image.js';
import { drawClipped, fillOutline, insetOutline, type Outline, RECTANGLE } from '../outline.js';
import type { OutlinedBox } from './ring.js';

const TOP_LEFT: Position = { x: { px: 0, percent: 0 }, y: { px: 0, percent: 0 } };

/** Tiles that are painted one by one; more are copies of a picture. */
const MAX_SINGLE_TILES = 24;
const MAX_VECTOR_TILES = 2000;

/** Paints the fills in `clip`, or for a later clip, beyond the box. */
export function fillBackgroundLayers(
  target: PaintTarget,
  background: Background,
  box: OutlinedBox,
  clip: OutlinedBox | undefined,
  style: BackgroundStyle,
  opacity: number,
): void {
  const fills = fillsOf(background);
  fills.forEach((fill, at) => {
    const index = fills.length - 1 - at;
    const seen = clipOf(box, clip, valueAt(style.clip, index) ?? 'border-box', style);
    if (!seen) return;
    if (isGradient(fill)) fillTiles(target, fill, box, seen, style, index, opacity);
    else fillOutline(target, seen.frame, seen.outline, fill, opacity, box.area ?? box.frame);
  });
}

/** CSS lists start again when they end. */
function valueAt<Value>(list: readonly Value[] | undefined, index: number): Value | undefined {
  return list?.[index % list.length];
}

/** The area inside the border, or inside the padding. */
function insets(style: BackgroundStyle, box: BackgroundBox): readonly [number, number, number, number] {
  if (box === 'border-box') return [0, 0, 0, 0];
  return box === 'padding-box' ? style.borderWidths : completeFour(style.padding);
}

function clipOf(
  { frame, outline }: OutlinedBox,
  clip: OutlinedBox | undefined,
  kind: BackgroundBox,
  style: BackgroundStyle,
): { readonly frame: Frame; readonly outline: Outline } | undefined {
  if (kind === 'border-box') return clip ?? { frame: { ...frame, box: grown(frame.box) }, outline: RECTANGLE };
  const inner = insetOutline(outline, frame.box, insets(style, kind));
  return inner && { frame: { ...frame, box: inner.rect }, outline: inner.outline };
}

function grown({ left, top, right, bottom }: Rect): Rect {
  return { left: left - 2, top: top - 2, right: right + 2, bottom: bottom + 2 };
}

function fillTiles(
  target: PaintTarget,
  fill: Fill,
  { frame }: OutlinedBox,
  seen: { readonly frame: Frame; readonly outline: Outline },
  style: BackgroundStyle,
  index: number,
  opacity: number,
): void {
  const [top, right, bottom, left] = insets(style, valueAt(style.origin, index) ?? 'border-box');
  const { box } = frame;
  const origin = { left: box.left + left, top: box.top + top, right: box.right - right, bottom: box.bottom - bottom };
  const size = valueAt(style.size, index) ?? { width: 'auto', height: 'auto' };
  const repeat = valueAt(style.repeat, index) ?? (['repeat', 'repeat'] as const);
  const tiles = backgroundTiles(origin, size, valueAt(style.position, index) ?? TOP_LEFT, repeat);
  if (!tiles) return;
  const area = seen.frame.box;
  const xs = tileStarts(tiles.x, area.left, area.right);
  const ys = tileStarts(tiles.y, area.top, area.bottom);
  if (xs.length === 0 || ys.length === 0) return;
  const drawEach = (on: PaintTarget) => {
    const draw = (inner: PaintTarget, cut: Frame) => {
      for (const y of ys) {
        for (const x of xs) {
          const tile = rectOf(x, y, tiles.x.size, tiles.y.size);
          const rect = intersect(snapInFrame(frame, tile), cut.box);
          const place = { box: tile, toCanvas: frame.toCanvas };
          if (!isEmpty(rect)) fillOutline(inner, { ...frame, box: rect }, RECTANGLE, fill, opacity, place);
        }
      }
    };
    if (seen.outline.kind === 'rectangle') draw(on, seen.frame);
    else if (xs.length * ys.length === 1 && covers(rectOf(xs[0], ys[0], tiles.x.size, tiles.y.size), area)) {
      const place = { box: rectOf(xs[0], ys[0], tiles.x.size, tiles.y.size), toCanvas: frame.toCanvas };
      fillOutline(on, seen.frame, seen.outline, fill, opacity, place);
    } else drawClipped(on, seen.frame, seen.outline, 1, (group) => draw(group, { ...frame, box: grown(area) }));
  };
  const isSpaced = tiles.x.step !== tiles.x.size || tiles.y.step !== tiles.y.size;
  if (xs.length * ys.length <= MAX_SINGLE_TILES || (isSpaced && xs.length * ys.length <= MAX_VECTOR_TILES)) {
    drawEach(target);
    return;
  }
  const image = tilePicture(fill, frame, rectOf(xs[0], ys[0], tiles.x.size, tiles.y.size));
  const whole: PlacedImage = {
    ...image,
    area: {
      left: tiles.x.repeats ? area.left : xs[0],
      top: tiles.y.repeats ? area.top : ys[0],
      right: tiles.x.repeats ? area.right : xs[0] + tiles.x.size,
      bottom: tiles.y.repeats ? area.bottom : ys[0] + tiles.y.size,
    },
    repeats: true,
  };
  const bounds = intersect(roundOut(mapRect(area, frame.toCanvas)), target.bounds);
  if (isEmpty(bounds)) return;
  target.drawPixels(
    bounds,
    (surface) => drawImage(new RasterTarget(surface), seen.frame, seen.outline, whole, opacity),
    xs.length * ys.length <= MAX_VECTOR_TILES ? { exact: drawEach } : {},
  );
}

function covers(outer: Rect, inner: Rect): boolean {
  return (
    outer.left <= inner.left && outer.top <= inner.top && outer.right >= inner.right && outer.bottom >= inner.bottom
  );
}

/** A tile as a picture, at the scale of the layer. */
function tilePicture(fill: Fill, frame: Frame, tile: Rect): Pick<PlacedImage, 'source' | 'imageBox'> {
  const scale = scalesOf(frame);
  const imageBox = snapInFrame(frame, tile);
  const width = Math.max(1, Math.round((imageBox.right - imageBox.left) * scale.x));
  const height = Math.max(1, Math.round((imageBox.bottom - imageBox.top) * scale.y));
  const bounds = rectOf(0, 0, width, height);
  const surface = new Surface(bounds);
  const [a, d] = [width / (tile.right - tile.left), height / (tile.bottom - tile.top)];
  const toCanvas = { a, b: 0, c: 0, d, e: -tile.left * a, f: -tile.top * d };
  surface.fillRect(bounds, surface.paintOf(fill, { box: tile, toCanvas }, 1));
  return { source: surface.pixmap, imageBox };
}
