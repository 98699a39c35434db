// The boxes behind a text: the layer's box, one around the block of its lines, or one for each line.
import type { TextLayer } from '../../contract/layers/index.js';
import { completeFour } from '../../geometry/corners.js';
import { isEmpty, type Rect } from '../../geometry/rect.js';
import { extentsOf } from '../../layout/line-box.js';
import type { TextFont } from '../../layout/measure.js';
import type { PositionedLine, TextStyle } from '../../layout/text-box.js';
import type { Background } from '../../raster/fill.js';
import { boxBorder } from '../box/border.js';
import type { BoxStyle } from '../box/paint.js';
import { type Frame, snapInFrame } from '../frame.js';
import { RECTANGLE, roundedOutline } from '../outline.js';
import { type AreaOf, type LinePlace, snapBaseline } from './line-paint.js';
import type { SpanStyle } from './spans.js';

/** The padding around the text as laid out, clockwise from the top. That of lines takes no room above and below them. */
export function textPadding({ padding, backgroundFit }: TextLayer): [number, number, number, number] {
  const [top, right, bottom, left] = completeFour(padding);
  return backgroundFit === 'line' ? [0, right, 0, left] : [top, right, bottom, left];
}

/**
 * Returns the fields that decide how the layer's text breaks into lines. A copy of the whole layer would take as long as
 * breaking a short text.
 */
export function lineBreaking(layer: TextLayer): { readonly [Field in keyof Required<TextStyle>]: TextStyle[Field] } {
  const { fontSize, minFontSize, maxFontSize, autoFit, lineHeight, letterSpacing, maxLines } = layer;
  const { wrap, textWrap, wordBreak, hyphens, language, hangingIndent, textAlign, verticalAlign, textOverflow } = layer;
  const { direction, backgroundFit } = layer;
  const [, right, , left] = textPadding(layer);
  const end = direction === 'rtl' ? left : right;
  return {
    fontSize,
    minFontSize,
    maxFontSize,
    autoFit,
    lineHeight,
    letterSpacing,
    maxLines,
    textOverflow,
    wrap,
    textWrap,
    wordBreak,
    hyphens,
    language,
    hangingIndent,
    textAlign,
    verticalAlign,
    direction,
    clonedEnd: backgroundFit === 'line' ? end : 0,
  };
}

/** The area of the text in `box`: what its padding leaves. */
export function contentBox(layer: TextLayer, box: Rect): Rect {
  const [top, right, bottom, left] = textPadding(layer);
  return {
    left: box.left + left,
    top: box.top + top,
    right: Math.max(box.left + left, box.right - right),
    bottom: Math.max(box.top + top, box.bottom - bottom),
  };
}

/** Returns the boxes. `isWrapped` says whether a line is broken at the box's width; `font` is the block's font. */
export function backgroundBoxes(
  layer: TextLayer,
  lines: readonly PositionedLine[],
  isWrapped: boolean,
  font: TextFont,
  place: LinePlace,
): BoxStyle[] {
  const { backgroundColor, backgroundFit, borderRadius, padding, shadow, textPath } = layer;
  const border = boxBorder(layer);
  if (!backgroundColor && !border) return [];
  const { frame, origin } = place;
  const [above, after, below, before] = completeFour(padding);
  const boxOf = (rect: Rect, area?: Frame): BoxStyle => {
    const box = snapInFrame(frame, rect);
    return { frame: { ...frame, box }, outline: roundedOutline(borderRadius, box), border, shadow, area };
  };
  const padded = ({ left, top, right, bottom }: Rect): Rect => {
    return { left: left - before, top: top - above, right: right + after, bottom: bottom + below };
  };
  if (backgroundFit === 'box' || textPath) return [boxOf(frame.box)];
  if (lines.length === 0) return [];
  if (backgroundFit === 'text') {
    const first = lines[0];
    const last = lines[lines.length - 1];
    const ends = isWrapped ? [origin] : lines.map((line) => inkEnds(line, place));
    const block = padded({
      left: ends.reduce((least, { left }) => Math.min(least, left), Infinity),
      top: origin.top + first.top,
      right: ends.reduce((most, { right }) => Math.max(most, right), -Infinity),
      bottom: origin.top + last.top + last.height,
    });
    return isEmpty(block) ? [] : [boxOf(block)];
  }
  const { ascent, descent } = extentsOf(font);
  return lines.flatMap((line) => {
    const baseline = snapBaseline(place, line.baseline);
    const rect = padded({ ...inkEnds(line, place), top: baseline - ascent, bottom: baseline + descent });
    // the gradient is that of the whole layer, so that it runs on from line to line
    return isEmpty(rect) ? [] : [boxOf(rect, frame)];
  });
}

/** What is painted behind a span on a line: its background, as high as its font, or a part of an inline box. */
export interface SpanMark {
  readonly box: BoxStyle;
  readonly fill: Background | undefined;
  /** The part of the box that the line shows, where that is not all of it. */
  readonly part?: Frame;
}

/** Returns the backgrounds of the spans on a line, without the blanks that hang. `styles` are the spans' styles. */
export function spanBackgrounds(
  line: PositionedLine,
  styles: readonly Pick<SpanStyle, 'backgroundColor'>[],
  place: LinePlace,
  areaOf: AreaOf,
): SpanMark[] {
  const { frame, origin } = place;
  return line.fragments.flatMap((fragment) => {
    const { span, font, x, width, raise, isHanging } = fragment;
    const fill = styles[span].backgroundColor;
    if (!fill || isHanging) return [];
    const { ascent, descent } = extentsOf(font);
    const baseline = snapBaseline(place, line.baseline - raise);
    const left = origin.left + line.x + x;
    const rect = { left, top: baseline - ascent, right: left + width, bottom: baseline + descent };
    const area = areaOf(line, fragment) ?? frame;
    const box = { frame: { ...frame, box: snapInFrame(frame, rect) }, outline: RECTANGLE, area };
    return isEmpty(box.frame.box) ? [] : [{ box, fill }];
  });
}

/** Finds the ends of a line's text without the blanks that hang. */
export function inkEnds(
  { x, fragments }: PositionedLine,
  { origin }: Pick<LinePlace, 'origin'>,
): { left: number; right: number } {
  const visible = fragments.filter(({ isHanging }) => !isHanging);
  const left = origin.left + x;
  const first = visible[0] ?? fragments[0];
  const last = visible.at(-1);
  return { left: left + (first?.x ?? 0), right: left + (last ? last.x + last.width : (first?.x ?? 0)) };
}
