// The boxes around parts of a text, as CSS's inline boxes: a piece on each line, as high as the box's font, and with borders,
// padding and rounded corners at the start of the first piece and the end of the last (box-decoration-break: slice).
import { type CornerLengths, completeFour } from '../../geometry/corners.js';
import { isEmpty, type Rect } from '../../geometry/rect.js';
import { extentsOf } from '../../layout/line-box.js';
import type { TextSpan } from '../../layout/spans.js';
import type { PositionedLine } from '../../layout/text-box.js';
import { type Frame, snapInFrame } from '../frame.js';
import { roundedOutline } from '../outline.js';
import type { SpanMark } from './background.js';
import { type LinePlace, snapBaseline } from './line-paint.js';
import { edgeWidth, type InlineBox, type SpanStyle } from './spans.js';

/** A box and its part of the text. */
interface BoxRange {
  readonly box: InlineBox;
  /** The first span in it, whose font it has. */
  readonly first: number;
  readonly depth: number;
  readonly start: number;
  end: number;
}

/** The piece of a box on one line. */
interface Piece {
  readonly range: BoxRange;
  readonly line: PositionedLine;
  readonly opens: boolean;
  readonly closes: boolean;
  /** The border box, in pixels of the layer. */
  readonly rect: Rect;
}

/** Returns the pieces, the outer boxes of a line before the inner ones. `spans` are those of the layout, `styles` their styles. */
export function inlineBoxes(
  lines: readonly PositionedLine[],
  spans: readonly TextSpan[],
  styles: readonly Pick<SpanStyle, 'text' | 'boxes'>[],
  place: LinePlace,
): SpanMark[] {
  const ranges = boxRanges(styles);
  const pieces = lines.flatMap((line) => piecesOn(line, ranges, spans, styles, place));
  const strips = new Map<BoxRange, { total: number; before: number }>();
  for (const { range, rect } of pieces) {
    const strip = strips.get(range) ?? { total: 0, before: 0 };
    strips.set(range, { ...strip, total: strip.total + rect.right - rect.left });
  }
  return pieces.flatMap((piece) => {
    const strip = strips.get(piece.range)!;
    const mark = markOf(piece, strip, place.frame);
    strip.before += piece.rect.right - piece.rect.left;
    return mark ? [mark] : [];
  });
}

function boxRanges(styles: readonly Pick<SpanStyle, 'text' | 'boxes'>[]): Map<InlineBox, BoxRange> {
  const ranges = new Map<InlineBox, BoxRange>();
  let end = 0;
  styles.forEach(({ text, boxes = [] }, span) => {
    const start = end;
    end += text.length;
    boxes.forEach((box, depth) => {
      const known = ranges.get(box);
      if (known) known.end = end;
      else ranges.set(box, { box, first: span, depth, start, end });
    });
  });
  return ranges;
}

interface Extent {
  left: number;
  right: number;
}

/** The pieces on a line, from the outermost. */
function piecesOn(
  line: PositionedLine,
  ranges: ReadonlyMap<InlineBox, BoxRange>,
  spans: readonly TextSpan[],
  styles: readonly Pick<SpanStyle, 'boxes'>[],
  place: LinePlace,
): Piece[] {
  const { wrapped, isRightToLeft } = line;
  const lineStart = wrapped.start + wrapped.range.start;
  const lineEnd = wrapped.start + (wrapped.sourceEnd ?? wrapped.range.end);
  const extents = new Map<BoxRange, Extent>();
  const include = (range: BoxRange, left: number, right: number) => {
    const known = extents.get(range);
    if (!known) extents.set(range, { left, right });
    else {
      known.left = Math.min(known.left, left);
      known.right = Math.max(known.right, right);
    }
  };
  const parents = new Map<BoxRange, BoxRange>();
  for (const { span, x, width, isHanging } of line.fragments) {
    const { boxes = [] } = styles[span];
    const inner = boxes.at(-1);
    if (!inner || isHanging) continue;
    const left = place.origin.left + line.x + x;
    include(ranges.get(inner)!, left, left + width);
    boxes.forEach((box, depth) => {
      if (depth > 0) parents.set(ranges.get(box)!, ranges.get(boxes[depth - 1])!);
    });
  }
  const pieces: Piece[] = [];
  const depthOf = () => Math.max(-1, ...Array.from(extents.keys(), ({ depth }) => depth));
  for (let depth = depthOf(); depth >= 0; depth--) {
    // inner boxes, with their margins, are in the outer ones
    for (const [range, extent] of Array.from(extents)) {
      if (range.depth !== depth) continue;
      const { box, first } = range;
      const opens = range.start >= lineStart;
      const closes = range.end <= lineEnd;
      const [atLeft, atRight] = isRightToLeft ? [closes, opens] : [opens, closes];
      const left = extent.left - (atLeft ? edgeWidth(box, 3) : 0);
      const right = extent.right + (atRight ? edgeWidth(box, 1) : 0);
      const parent = parents.get(range);
      if (parent) include(parent, left - (atLeft ? box.margin[3] : 0), right + (atRight ? box.margin[1] : 0));
      const { ascent, descent } = extentsOf(spans[first]);
      const within = line.fragments.filter((each) => styles[each.span].boxes?.includes(box));
      const own = within.find((each) => styles[each.span].boxes?.at(-1) === box) ?? within[0];
      const raise = own?.raise ?? 0;
      const baseline = snapBaseline(place, line.baseline - raise);
      const top = baseline - ascent - edgeWidth(box, 0);
      const bottom = baseline + descent + edgeWidth(box, 2);
      pieces.push({ range, line, opens, closes, rect: { left, top, right, bottom } });
    }
  }
  return pieces.reverse();
}

/** The radii with square corners where the box does not end. */
function radiiAt(ends: readonly boolean[], radii: CornerLengths): CornerLengths {
  const cut = <Radius>(axis: readonly Radius[]) => completeFour(axis).map((radius, i) => (ends[i] ? radius : 0));
  return 'across' in radii ? { across: cut(radii.across), down: cut(radii.down) } : cut(radii);
}

/** How a piece is painted: a border is cut off beyond the ends that it does not have. */
function markOf(
  { range: { box }, line, opens, closes, rect }: Piece,
  { total, before }: { readonly total: number; readonly before: number },
  frame: Frame,
): SpanMark | undefined {
  const { backgroundColor: fill, border } = box;
  const part = snapInFrame(frame, rect);
  if (isEmpty(part) || (!fill && !border)) return undefined;
  const [atLeft, atRight] = line.isRightToLeft ? [closes, opens] : [opens, closes];
  const radii = radiiAt([atLeft, atRight, atRight, atLeft], box.borderRadius);
  // the gradient of a box that is cut runs on from piece to piece
  const start = rect.left - (line.isRightToLeft ? total - before - (rect.right - rect.left) : before);
  const area: Frame = {
    ...frame,
    box: atLeft && atRight ? part : { left: start, top: part.top, right: start + total, bottom: part.bottom },
  };
  const isCut = border !== undefined && !(atLeft && atRight);
  const reach = border?.width ?? 0;
  const whole = isCut
    ? { ...part, left: part.left - (atLeft ? 0 : reach), right: part.right + (atRight ? 0 : reach) }
    : part;
  const style = { frame: { ...frame, box: whole }, outline: roundedOutline(radii, whole), border, area };
  return { box: style, fill, ...(isCut && { part: { ...frame, box: part } }) };
}
