// Text layers: paints the boxes behind the text, then each line's spans as one shape each, with the strokes below the fills.

import { hasBorder } from '../../contract/layers/border-fields.js';
import type { TextLayer } from '../../contract/layers/index.js';
import { expand, intersect, isEmpty, rectOf, unite } from '../../geometry/rect.js';
import { fontsAt } from '../../layout/text-block.js';
import { layoutBlock, layoutText, type TextLayout } from '../../layout/text-box.js';
import type { PaintTarget } from '../../paint/target.js';
import { type Background, fillsOf, isOpaqueBackground } from '../../raster/fill.js';
import { backgroundStyle } from '../box/background-style.js';
import { boxBounds, filling, paintBox } from '../box/paint.js';
import { type Drawable, emptyDrawable, NO_BOUNDS } from '../drawable.js';
import type { Frame } from '../frame.js';
import { partOf } from '../optional.js';
import { drawClipped, RECTANGLE, roundedOutline } from '../outline.js';
import { backgroundBoxes, contentBox, type SpanMark, spanBackgrounds } from './background.js';
import { type DecorationLines, decorationBounds, drawDecoration, lineDecorations, PeriodBudget } from './decoration.js';
import { drawSpan, SpanPaints, type TextTarget, textStyle } from './draw.js';
import { withTextErrors } from './errors.js';
import { gradientAreas } from './gradient-areas.js';
import { inlineBoxes } from './inline-boxes.js';
import type { LayerText } from './layer-text.js';
import { inkBounds, type LinePlace, paintableSpans, partsOf } from './line-paint.js';
import { ENDLESS, inOneLine, lineStyle } from './one-line.js';
import { type PaintableSpan, PointBudget } from './span-ink.js';
import { pathLinks, spanLinks } from './span-links.js';
import { textSpans } from './spans.js';

/** The ink of one line, or of all. */
interface Ink {
  readonly spans: readonly PaintableSpan[];
  readonly decorations: readonly DecorationLines[];
}

/** A text as laid out, how to draw it, and what that leaves out. */
export interface PaintedText {
  readonly layout: TextLayout;
  readonly content: Drawable;
  /** Whether some of it lies beyond the ends of its path. */
  readonly isCut: boolean;
  /** Whether lines of its decorations are solid because it has too many waves, dots and dashes. */
  readonly hasSolidDecorations: boolean;
  /** The spans of each line that is painted. */
  readonly lineSpans: readonly (readonly PaintableSpan[])[];
  /** Paints what lies behind the glyphs: the boxes of the text and of its spans. */
  drawBoxes(target: PaintTarget): void;
}

/** Returns the text's drawing. `text` is the layer's, wherever layout has placed it since. */
export function textContent(layer: TextLayer, frame: Frame, text: LayerText): PaintedText {
  const { styles, stacks } = text;
  const layout = layOut(layer, text);
  const outline = roundedOutline(layer.borderRadius, frame.box);
  if (isEmpty(frame.box)) {
    const content = emptyDrawable(frame, outline);
    return { layout, content, isCut: false, hasSolidDecorations: false, lineSpans: [], drawBoxes() {} };
  }
  const hasText = layout.lines.some(({ fragments }) => fragments.some(({ font }) => font.size > 0));
  const lines = hasText ? layout.lines : [];
  const place: LinePlace = { frame, origin: contentBox(layer, frame.unsnapped), budget: new PointBudget(text.check) };
  const font = { stack: stacks.block, size: layout.fontSize, letterSpacing: layer.letterSpacing };
  const boxes = backgroundBoxes(layer, lines, layout.isWrapped, font, place);
  const onPath =
    layer.textPath && partOf('textPath').textAlongPath(lines, layer.textPath, layer.textAlign, styles, place);
  const areaOf = gradientAreas(onPath ? [] : lines, styles, place);
  const isMarked = !onPath && styles.some((style) => style.backgroundColor);
  const backgrounds = isMarked ? lines.flatMap((line) => spanBackgrounds(line, styles, place, areaOf)) : [];
  const isBoxed = !onPath && styles.some((style) => style.boxes);
  const marks = isBoxed
    ? [...backgrounds, ...inlineBoxes(lines, fontsAt(text.block, layout.fontSize).spans, styles, place)]
    : backgrounds;
  const isDecorated = layer.textDecoration !== 'none' || styles.some(({ decorations }) => decorations.length > 0);
  const periods = new PeriodBudget();
  const byLine = lines.map((line): Ink => {
    text.check(1);
    if (onPath) return { spans: onPath.spans, decorations: [] };
    const decorations = isDecorated ? lineDecorations(line, layer, styles, font, place, periods, areaOf) : [];
    return { spans: paintableSpans(line, styles, place, areaOf), decorations };
  });
  // the strokes of spans lie under the fills of all lines, that of a plain text under those of its line
  const links = styles.some(({ link }) => link)
    ? onPath
      ? pathLinks(onPath.spans, styles)
      : spanLinks(lines, styles, place)
    : undefined;
  const inks = layer.spans ? [joined(byLine)] : byLine;
  const ink = inks.reduce((all, each) => unite(all, boundsOf(each, place)), NO_BOUNDS);
  const marked = marks.reduce((all, { box }) => unite(all, boxBounds(box)), isEmpty(ink) ? ink : expand(ink, 1));
  const parts = inks.reduce((sum, each) => sum + partsOf(each.spans) + each.decorations.length, 0);
  const { backgroundColor } = layer;
  const painted = boxes.length * fillCount(backgroundColor) + marks.reduce((sum, { fill }) => sum + fillCount(fill), 0);
  const drawBoxes = (target: PaintTarget, opacity = 1) => {
    for (const box of boxes) {
      // the outline and the dashes of a box cost as much wherever it is
      if (isEmpty(intersect(boxBounds(box), target.bounds))) continue;
      const style = backgroundStyle(layer, box);
      paintBox(target, box, opacity, backgroundColor && filling(backgroundColor, box, opacity, style));
    }
    for (const mark of marks) drawMark(target, mark, opacity);
  };
  const content: Drawable = {
    frame,
    outline,
    isOpaqueBox: backgroundColor !== undefined && isOpaqueBackground(backgroundColor),
    shadowBoxes: layer.backgroundFit === 'box' ? undefined : boxes,
    bounds: boxes.reduce((all, box) => unite(all, boxBounds(box)), marked),
    nonOverlapping: parts + painted <= 1 && !hasBorder(layer),
    draw(target, opacity) {
      drawBoxes(target, opacity);
      const on = { target, frame, opacity, paints: new SpanPaints() };
      for (const each of inks) drawInk(on, each, links);
    },
  };
  const lineSpans = byLine.map(({ spans }) => spans);
  const isCut = onPath?.isCut ?? false;
  return { layout, content, isCut, hasSolidDecorations: periods.isExceeded, lineSpans, drawBoxes };
}

function drawMark(target: PaintTarget, { box, fill, part }: SpanMark, opacity: number): void {
  const draw = (on: PaintTarget) => paintBox(on, box, opacity, fill && filling(fill, box, opacity));
  if (part) drawClipped(target, part, RECTANGLE, 1, draw);
  else draw(target);
}

/** Counts how often a box is painted; a box with only a border counts, too. */
function fillCount(background: Background | undefined): number {
  return background ? fillsOf(background).length : 1;
}

function joined(inks: readonly Ink[]): Ink {
  return {
    spans: inks.flatMap(({ spans }) => spans),
    decorations: inks.flatMap(({ decorations }) => decorations),
  };
}

/** Underlines, strokes, fills, and on them the lines through. */
function drawInk(on: TextTarget, { spans, decorations }: Ink, links: ReturnType<typeof spanLinks> | undefined): void {
  for (const each of decorations) if (!each.isOver) drawDecoration(on, each);
  for (const { stroke, style, size, area } of spans) {
    if (stroke && style.stroke) on.target.fillPolygon(stroke, textStyle(on, style.stroke.color, size, area));
  }
  if (links && on.target.annotate) drawLinkedSpans(on, spans, links);
  else for (const span of spans) drawSpan(on, span);
  for (const each of decorations) if (each.isOver) drawDecoration(on, each);
}

/** Draws spans that follow each other and have one link as one part of the document. */
function drawLinkedSpans(on: TextTarget, spans: readonly PaintableSpan[], links: ReturnType<typeof spanLinks>): void {
  for (let i = 0, end = 0; i < spans.length; i = end) {
    const { link } = spans[i].style;
    while (end < spans.length && spans[end].style.link === link) end++;
    const own = spans.slice(i, end);
    const draw = (target: PaintTarget) => {
      for (const span of own) drawSpan({ ...on, target }, span);
    };
    const meaning = link && links.get(link);
    if (meaning) on.target.annotate?.(meaning, draw);
    else draw(on.target);
  }
}

function boundsOf({ spans, decorations }: Ink, { frame }: LinePlace) {
  return decorations.reduce((all, each) => unite(all, decorationBounds(each, frame)), inkBounds(spans));
}

function layOut(layer: TextLayer, text: LayerText): TextLayout {
  if (layer.textPath) {
    const { stacks, styles } = text;
    const spans = inOneLine(textSpans(styles, stacks));
    return withTextErrors(() => layoutText(spans, stacks.block, lineStyle(layer), ENDLESS, text.check));
  }
  const { left, top, right, bottom } = contentBox(layer, rectOf(0, 0, layer.width, layer.height));
  const area = { width: right - left, height: bottom - top };
  return withTextErrors(() => layoutBlock(text.block, area));
}
