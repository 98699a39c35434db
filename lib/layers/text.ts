// Text layers: paints each line as one shape, with its stroke below the fill and its decoration below the stroke.
import type { TextLayer } from '../contract/layers/index.js';
import { RenderError } from '../errors.js';
import { completeFour } from '../geometry/corners.js';
import { expand, intersect, isEmpty, type Rect, rectOf, roundOut, unite } from '../geometry/rect.js';
import { layoutText, TextError, type TextLayout } from '../layout/text-box.js';
import { type Fill, isGradient, isOpaqueFill } from '../raster/fill.js';
import type { Paint } from '../raster/paint.js';
import { Surface } from '../raster/surface.js';
import { contrastTable } from '../raster/text-gamma.js';
import { type FontStack, isEmoji, isPictograph, visibleCodePoints } from '../text/font-stack.js';
import { transformText } from '../text/transform.js';
import { asciiUppercase } from '../unicode/ascii.js';
import { type BoxStyle, boxBounds, filling, paintBox } from './box/paint.js';
import { type Drawable, emptyDrawable, NO_BOUNDS } from './drawable.js';
import { frameOf, type Space, scaleOf } from './frame.js';
import { fillMasks } from './glyph-masks.js';
import {
  type ColoredPart,
  inkBounds,
  MAX_MASK_FONT_SIZE,
  PointBudget,
  paintableLine,
  polygonsOf,
} from './line-paint.js';
import { roundedOutline } from './outline.js';

export function textContent(
  layer: TextLayer,
  space: Space,
  stack: FontStack,
): { content: Drawable; layout: TextLayout } {
  const text = transformText(layer.text, layer.textTransform);
  const layout = layOut(text, stack, layer);
  const frame = frameOf(layer, space);
  const outline = roundedOutline(layer.borderRadius, frame.box);
  if (isEmpty(frame.box)) return { content: emptyDrawable(frame, outline), layout };
  const { backgroundColor, border } = layer;
  const box: BoxStyle | undefined =
    backgroundColor || border ? { frame, outline, border, shadow: layer.shadow } : undefined;
  const hasText = layout.fontSize > 0 && text !== '';
  if (!hasText && !box) return { content: emptyDrawable(frame, outline), layout };
  const origin = contentBox(layer, frame.unsnapped);
  const budget = new PointBudget();
  const laidOut = hasText ? layout.lines : [];
  const lines = laidOut.map((line) => paintableLine(layer, frame, origin, stack, layout.fontSize, line, budget));
  const bounds = lines.reduce((all, line) => unite(all, inkBounds(line)), NO_BOUNDS);
  const { color, stroke } = layer;
  const hasContrast = layout.fontSize * scaleOf(frame) <= MAX_MASK_FONT_SIZE;
  const textPaint: TextPaint = (surface, fill, opacity) =>
    surface.paintOf(fill, frame, opacity, hasContrast ? contrastTable(fill) : undefined);
  const parts = lines.reduce((sum, line) => sum + polygonsOf(line).length + (line.masks.length > 0 ? 1 : 0), 0);
  const ink = isEmpty(bounds) ? bounds : expand(bounds, 1);
  const content: Drawable = {
    frame,
    outline,
    isOpaqueBox: backgroundColor !== undefined && isOpaqueFill(backgroundColor),
    bounds: box ? unite(ink, boxBounds(box)) : ink,
    nonOverlapping: parts <= 1 && !box,
    draw(surface, opacity) {
      if (box) paintBox(surface, box, opacity, backgroundColor && filling(backgroundColor, box, opacity));
      const fill = textPaint(surface, color, opacity);
      for (const line of lines) {
        if (line.decoration) surface.fillPolygon(line.decoration, surface.paintOf(color, frame, opacity));
        if (line.stroke && stroke) surface.fillPolygon(line.stroke, textPaint(surface, stroke.color, opacity));
        if (line.masks.length > 0) fillMasks(surface, line.masks, fill);
        for (const polygon of line.fills) surface.fillPolygon(polygon, fill);
        if (line.colored.length > 0) drawColored(surface, line.colored, color, opacity, textPaint);
      }
    },
  };
  return { content, layout };
}

function layOut(text: string, stack: FontStack, layer: TextLayer): TextLayout {
  try {
    const { left, top, right, bottom } = contentBox(layer, rectOf(0, 0, layer.width, layer.height));
    return layoutText(text, stack, layer, { width: right - left, height: bottom - top });
  } catch (error) {
    if (!(error instanceof TextError)) throw error;
    throw new RenderError('render_failed', error.message);
  }
}

/** The area of the text in `box`: what its padding leaves. */
function contentBox({ padding }: TextLayer, box: Rect): Rect {
  const [top, right, bottom, left] = completeFour(padding);
  return {
    left: box.left + left,
    top: box.top + top,
    right: Math.max(box.left + left, box.right - right),
    bottom: Math.max(box.top + top, box.bottom - bottom),
  };
}

type TextPaint = (surface: Surface, fill: Fill, opacity: number) => Paint;

/** Draws colour glyphs in their own colours; the text colour's alpha applies to them as a group. */
function drawColored(
  surface: Surface,
  parts: readonly ColoredPart[],
  color: Fill,
  opacity: number,
  textPaint: TextPaint,
): void {
  // a gradient has no alpha of its own
  const opaque = isGradient(color) ? color : { ...color, a: 1 };
  const drawOn = (target: Surface, alpha: number) => {
    for (const part of parts) target.fillPolygon(part.polygon, textPaint(target, part.color ?? opaque, alpha));
  };
  const alpha = isGradient(color) ? opacity : color.a * opacity;
  if (alpha === 1) {
    drawOn(surface, 1);
    return;
  }
  const bounds = parts.reduce((all, { polygon }) => unite(all, polygon.bounds()), NO_BOUNDS);
  const visible = intersect(roundOut(bounds), surface.bounds);
  if (isEmpty(visible)) return;
  const group = new Surface(visible);
  drawOn(group, 1);
  surface.drawSurface(group, alpha);
}

/** The maximum number of clusters listed in one warning, and of emoji sequences with a separate warning. */
const MAX_NAMED = 8;
/** Code points of a cluster shown in a warning: a base character can have any number of marks. */
const MAX_CODE_POINTS = 16;

/** The scripts whose letters join, stack or change their order, by their ISO 15924 codes. */
const SCRIPT_NAMES = new Map(
  Object.entries({
    Arab: 'Arabic',
    Beng: 'Bengali',
    Deva: 'Devanagari',
    Gujr: 'Gujarati',
    Guru: 'Gurmukhi',
    Hang: 'Hangul',
    Khmr: 'Khmer',
    Knda: 'Kannada',
    Laoo: 'Lao',
    Mlym: 'Malayalam',
    Mong: 'Mongolian',
    Mymr: 'Myanmar',
    Orya: 'Oriya',
    Sinh: 'Sinhala',
    Syrc: 'Syriac',
    Taml: 'Tamil',
    Telu: 'Telugu',
    Thaa: 'Thaana',
    Thai: 'Thai',
    Tibt: 'Tibetan',
  }),
);

/** Warnings about the layout: fallback fonts, missing glyphs, truncation, overflow. */
export function textWarnings(layer: TextLayer, layout: TextLayout): string[] {
  const warnings: string[] = [];
  const list = (clusters: readonly string[]) => {
    const distinct = [...new Set(clusters)];
    const shown = distinct.slice(0, MAX_NAMED).map((cluster) => JSON.stringify(cluster));
    return shown.join(', ') + (distinct.length > MAX_NAMED ? ` and ${distinct.length - MAX_NAMED} more` : '');
  };
  const fallback = layout.fallbackClusters.filter((cluster) => !isEmoji(cluster));
  if (fallback.length > 0) warnings.push(`a fallback font shows ${list(fallback)}: the text's own font lacks them`);
  const missing = layout.missing.filter((cluster) => !isPictograph(cluster));
  if (missing.length > 0) warnings.push(`no font has ${list(missing)}: boxes are shown instead`);
  warnings.push(...emojiWarnings(layout));
  if (layout.unshaped.length > 0) {
    const names = layout.unshaped.map((script) => SCRIPT_NAMES.get(script) ?? 'other scripts');
    const needs = 'needs WebAssembly, which this process lacks: its letters may be in the wrong form or place';
    warnings.push(`${[...new Set(names)].join(', ')} text ${needs}`);
  }
  if (layout.truncated)
    warnings.push(`the text was cut after ${layer.maxLines === 1 ? '1 line' : `${layer.maxLines} lines`}`);
  if (layout.unfitted) warnings.push(`the text does not fit its box: autoFit stops at ${layout.fontSize} px`);
  else if (layout.overflows) warnings.push('the text overflows its box');
  return warnings;
}

/** A warning for each emoji that the bundled font lacks, up to MAX_NAMED, and one that counts the others. */
function emojiWarnings({ missing, split }: TextLayout): string[] {
  const shownAs = new Map<string, string>();
  for (const { cluster, emoji } of split) shownAs.set(cluster, `${emoji} emoji`);
  for (const cluster of missing) {
    if (isPictograph(cluster)) shownAs.set(cluster, visibleCodePoints(cluster).length > 1 ? 'boxes' : 'a box');
  }
  const warnings = [...shownAs].slice(0, MAX_NAMED).map(([cluster, drawnAs]) => {
    const characters = Array.from(cluster);
    const first = characters.slice(0, MAX_CODE_POINTS);
    const more = characters.length > first.length ? '…' : '';
    const codePoints = first.map(
      (character) => `U+${asciiUppercase(character.codePointAt(0)!.toString(16).padStart(4, '0'))}`,
    );
    return `"${first.join('')}${more}" (${codePoints.join(' ')}${more}) is drawn as ${drawnAs}: the bundled emoji font has no glyph for it`;
  });
  const others = shownAs.size - warnings.length;
  if (others > 0) warnings.push(`the bundled emoji font has no glyphs for ${others} more emoji`);
  return warnings;
}
