// image layer + its picture → content: the picture fitted into the box, cut by the mask, under a border.
import type { ImageLayer } from '../contract/layers.js';
import { type Affine, compose, IDENTITY, invert, translation } from '../geometry/affine.js';
import { intersect, isEmpty, mapRect, offset, type Rect, rectOf } from '../geometry/rect.js';
import { withOpacity } from '../raster/color.js';
import { type Paint, PixmapPaint, TransformedPaint } from '../raster/paint.js';
import { Pixmap } from '../raster/pixmap.js';
import { halveTowards } from '../raster/resample.js';
import { ScaledPaint, ScaledRows } from '../raster/scaled-rows.js';
import type { Surface } from '../raster/surface.js';
import { type Drawable, EMPTY_DRAWABLE } from './drawable.js';
import { type Frame, frameOf, snapIfUpright } from './frame.js';
import {
  drawBorder,
  drawBordered,
  drawBorderedFill,
  drawClipped,
  fillOutline,
  type Outline,
  outlinePath,
  RECTANGLE,
} from './outline.js';

/** A picture's own size, which decides where it lies in its box. */
export interface NaturalSize {
  readonly width: number;
  readonly height: number;
  /** It has no ratio of its own: every `fit` gives it the whole box. */
  readonly ratioless?: boolean;
}

/**
 * `picture` is absent when it could not be had; `fallbackColor` then fills the mask. `natural` is its own size where its
 * pixels are of another (an SVG, drawn at the size shown).
 */
export function imageContent(
  layer: ImageLayer,
  picture: Pixmap | undefined,
  natural: NaturalSize | undefined = picture,
): Drawable {
  const frame = frameOf(layer);
  if (isEmpty(frame.box)) return EMPTY_DRAWABLE;
  const outline = maskOf(layer);
  const { border, fallbackColor } = layer;
  const bounds = mapRect(frame.box, frame.toCanvas);
  // halved once for all drawing: a wide shadow draws the layer many times
  let halved: Pixmap | undefined;
  return {
    bounds,
    nonOverlapping: !border,
    draw(surface, opacity) {
      if (isEmpty(intersect(bounds, surface.bounds))) return;
      const ring = border && { width: border.width, color: withOpacity(border.color, opacity) };
      if (picture && natural) {
        const place = placed(layer, frame, natural);
        halved ??= halveTowards(picture, place.right - place.left, place.bottom - place.top);
        const source = halved;
        if (!ring) drawPicture(surface, frame, outline, place, source, opacity);
        else {
          drawBordered(surface, frame, outline, ring, (target, clip) => {
            if (clip) drawPicture(target, clip.frame, clip.outline, place, source, opacity);
            else drawUnmasked(target, frame, place, source);
          });
        }
      } else if (fallbackColor) {
        const fill = withOpacity(fallbackColor, opacity);
        if (ring) drawBorderedFill(surface, frame, outline, ring, fill);
        else fillOutline(surface, frame, outline, fill);
      } else if (ring) drawBorder(surface, frame, outline, ring);
    },
  };
}

/**
 * The pixels at which the whole picture of `layer` is painted: what an SVG should be drawn for, so that it is not scaled
 * once more. Whole when upright. `exact`: the box is the viewport that an SVG lays itself out in.
 */
export function paintedSize(
  layer: ImageLayer,
  natural: NaturalSize,
): { width: number; height: number; exact: boolean } {
  const { left, top, right, bottom } = placed(layer, frameOf(layer), natural);
  return { width: right - left, height: bottom - top, exact: takesBox(layer, natural) };
}

function takesBox({ fit }: ImageLayer, { ratioless }: NaturalSize): boolean {
  return fit === 'fill' || ratioless === true;
}

function maskOf({ mask, borderRadius }: ImageLayer): Outline {
  switch (mask) {
    case 'none':
      return RECTANGLE;
    case 'circle':
      return { kind: 'ellipse' };
    case 'squircle':
      return { kind: 'squircle' };
    case 'rounded':
      return { kind: 'rounded', radius: borderRadius };
  }
}

/** Where the whole picture lies, before the turn: centred in the box; on whole pixels when upright. */
function placed(layer: ImageLayer, frame: Frame, natural: NaturalSize): Rect {
  if (takesBox(layer, natural)) return frame.box;
  const across = layer.width / natural.width;
  const down = layer.height / natural.height;
  const scale = layer.fit === 'cover' ? Math.max(across, down) : Math.min(across, down);
  const width = natural.width * scale;
  const height = natural.height * scale;
  const left = layer.x + (layer.width - width) / 2;
  const top = layer.y + (layer.height - height) / 2;
  return snapIfUpright(frame, rectOf(left, top, width, height));
}

function drawPicture(
  surface: Surface,
  frame: Frame,
  outline: Outline,
  place: Rect,
  picture: Pixmap,
  opacity: number,
): void {
  if (isEmpty(place)) return;
  const covers = isEmpty(intersect(place, frame.box)) ? false : contains(place, frame.box);
  if (outline.kind !== 'rectangle' && !covers) {
    // the picture leaves a part of the mask open
    drawClipped(surface, frame, outline, opacity, (group) => drawUnmasked(group, frame, place, picture));
    return;
  }
  const shown = intersect(place, frame.box);
  if (frame.upright) drawUpright(surface, outline, frame.box, place, shown, picture, opacity);
  else drawTurned(surface, frame, outline, place, shown, picture, opacity);
}

/** Draws the picture for a clip to the box: where it fills the box to an edge, it goes on beyond that edge. */
function drawUnmasked(surface: Surface, frame: Frame, place: Rect, picture: Pixmap): void {
  if (isEmpty(place)) return;
  const { box } = frame;
  const shown = intersect(place, box);
  if (frame.upright) {
    drawUpright(surface, RECTANGLE, box, place, shown, picture, 1);
    return;
  }
  const overdrawn = {
    left: place.left <= box.left ? box.left - OVERDRAW : shown.left,
    top: place.top <= box.top ? box.top - OVERDRAW : shown.top,
    right: place.right >= box.right ? box.right + OVERDRAW : shown.right,
    bottom: place.bottom >= box.bottom ? box.bottom + OVERDRAW : shown.bottom,
  };
  drawTurned(surface, frame, RECTANGLE, place, overdrawn, picture, 1);
}

/** More than a pixel's diagonal. */
const OVERDRAW = 2;

function contains(outer: Rect, inner: Rect): boolean {
  return (
    outer.left <= inner.left && outer.top <= inner.top && outer.right >= inner.right && outer.bottom >= inner.bottom
  );
}

/** Scales only the pixels that can be seen, straight onto the surface. `picture` has been halved for its place. */
function drawUpright(
  surface: Surface,
  outline: Outline,
  box: Rect,
  place: Rect,
  shown: Rect,
  picture: Pixmap,
  opacity: number,
): void {
  const visible = intersect(shown, surface.bounds);
  if (isEmpty(visible)) return;
  const at = offset(visible, -surface.bounds.left, -surface.bounds.top);
  const width = place.right - place.left;
  const height = place.bottom - place.top;
  let paint: Paint;
  if (picture.width === width && picture.height === height) {
    paint = new PixmapPaint(picture, place.left - surface.bounds.left, place.top - surface.bounds.top, opacity);
  } else {
    const rows = new ScaledRows(picture, width, height, offset(visible, -place.left, -place.top));
    paint = new ScaledPaint(rows, at.left, at.top, opacity);
  }
  if (outline.kind === 'rectangle') surface.fillRect(visible, paint);
  else surface.fillPath(outlinePath(outline, box), IDENTITY, paint);
}

/** Samples the picture under the turn, already halved to near above the size shown. */
function drawTurned(
  surface: Surface,
  frame: Frame,
  outline: Outline,
  place: Rect,
  shown: Rect,
  source: Pixmap,
  opacity: number,
): void {
  const scale: Affine = {
    a: (place.right - place.left) / source.width,
    b: 0,
    c: 0,
    d: (place.bottom - place.top) / source.height,
    e: place.left,
    f: place.top,
  };
  const onSurface = compose(compose(scale, frame.toCanvas), translation(-surface.bounds.left, -surface.bounds.top));
  const toSource = invert(onSurface);
  if (!toSource) return;
  const paint = new TransformedPaint(source, toSource, opacity, new Pixmap(surface.pixmap.width, 1));
  const path = outline.kind === 'rectangle' ? outlinePath(RECTANGLE, shown) : outlinePath(outline, frame.box);
  surface.fillPath(path, frame.toCanvas, paint);
}
