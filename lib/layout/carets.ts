// Finds the positions of a caret in a text after layout: at the boundaries of its grapheme clusters, and at the ends of its
// lines.
import { graphemesOf } from '../unicode/graphemes.js';
import { ELLIPSIS } from './ellipsis.js';
import { type PlacedCluster, positionLine } from './line.js';
import { lineBoxer } from './line-box.js';
import { LINE_ENDS } from './spans.js';
import { linesIn, type TextArea, type TextBlock } from './text-block.js';
import { justification, layoutBlock, lineStart, type PositionedLine, type TextStyle } from './text-box.js';

export type Direction = 'ltr' | 'rtl';

/**
 * A place for the caret. Where the direction changes, and where a line wraps, an offset has two: behind the character before
 * it, then before the character after it. Between two of a line that follow each other with different offsets lies the text
 * from one offset to the other.
 */
export interface CaretStop {
  /** The UTF-16 units of the text before it. */
  readonly offset: number;
  /** The index of its line. */
  readonly line: number;
  /** Pixels. */
  readonly x: number;
  /** Direction of the character beside it, or of an empty line. */
  readonly direction: Direction;
}

export interface CaretLine {
  /** Its part of the text, without the line end and without an ellipsis. */
  readonly start: number;
  readonly end: number;
  /** The line box, with the blanks that hang. Pixels. */
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
  readonly baseline: number;
  /** The base direction of its paragraph. */
  readonly direction: Direction;
}

export interface Carets {
  readonly lines: readonly CaretLine[];
  /** Stops by line and offset. */
  readonly stops: readonly CaretStop[];
}

/** Lengths from the corner of the box. A line end at the text's end begins another line here. Throws TextError. */
export function caretsIn(block: TextBlock<TextStyle>, box: TextArea): Carets {
  const { lines, truncated } = layoutBlock(block, box);
  const caretLine = lines.map((line, i): CaretLine => {
    const { start, range } = line.wrapped;
    const isCut = truncated && i === lines.length - 1;
    const { x, top, width, height, baseline, isRightToLeft } = line;
    return {
      start: start + range.start,
      end: start + range.end - (isCut ? ELLIPSIS.length : 0),
      x,
      y: top,
      width,
      height,
      baseline,
      direction: directionOf(isRightToLeft),
    };
  });
  const stops = lines.flatMap((line, i) => lineStops(line, caretLine[i], i, block.style, box));
  const last = truncated ? undefined : emptyLastLine(block, box, caretLine.at(-1));
  if (!last) return { lines: caretLine, stops };
  const { start: offset, x, direction } = last;
  return { lines: [...caretLine, last], stops: [...stops, { offset, line: caretLine.length, x, direction }] };
}

/** The line after a line end at the text's end, which layout leaves out, as browsers do. */
function emptyLastLine(block: TextBlock<TextStyle>, box: TextArea, last: CaretLine | undefined): CaretLine | undefined {
  const text = block.spans.map((span) => span.text).join('');
  const hasLineEnd = Array.from(text.slice(-1).matchAll(LINE_ENDS)).length > 0;
  if (!last || !hasLineEnd) return undefined;
  const { style } = block;
  const strut = lineBoxer(linesIn(block, box).fonts)({ spans: [], range: { start: 0, end: 0 } });
  const base = style.direction === 'rtl' ? 1 : 0;
  const y = last.y + last.height;
  return {
    start: text.length,
    end: text.length,
    x: lineStart(0, box.width, style.textAlign, base),
    y,
    width: 0,
    height: strut.height,
    baseline: y + strut.ascent,
    direction: directionOf(base === 1),
  };
}

const directionOf = (isRightToLeft: boolean): Direction => (isRightToLeft ? 'rtl' : 'ltr');

/** A grapheme cluster on a line: where it ends in the text, and its edges by the direction of its text. */
interface Placed {
  readonly end: number;
  readonly before: number;
  readonly after: number;
  readonly direction: Direction;
}

function lineStops(
  line: PositionedLine,
  caretLine: CaretLine,
  index: number,
  style: TextStyle,
  box: TextArea,
): CaretStop[] {
  const stops: CaretStop[] = [];
  const add = (offset: number, x: number, direction: Direction) => {
    const last = stops.at(-1);
    const isKnown = last?.offset === offset && last.direction === direction && Math.abs(last.x - x) < SAME_PLACE;
    if (!isKnown) stops.push({ offset, line: index, x, direction });
  };
  let offset = caretLine.start;
  for (const { end, before, after, direction } of placedGraphemes(line, caretLine, style, box)) {
    add(offset, line.x + before, direction);
    add(end, line.x + after, direction);
    offset = end;
  }
  if (stops.length === 0) add(offset, line.x, caretLine.direction);
  return stops;
}

/** Pixels between the edges of neighbours that are one edge: the rounding of sums. */
const SAME_PLACE = 1e-6;

/** The grapheme clusters of the line in logical order. */
function placedGraphemes(
  { wrapped }: PositionedLine,
  { start, end }: CaretLine,
  style: TextStyle,
  box: TextArea,
): Placed[] {
  const clusters: PlacedCluster[] = [];
  positionLine(wrapped, [], justification(wrapped, style, box), clusters);
  const { text } = wrapped.measurer.paragraph;
  const from = start - wrapped.start;
  const to = end - wrapped.start;
  const isStart = new Set(clusters.map((cluster) => cluster.start));
  const inOrder = clusters.sort((a, b) => a.start - b.start).filter((cluster) => cluster.start < to);
  const boxes: Placed[] = [];
  /** The ends of graphemes since the last place where both a grapheme and a shaping cluster begin. */
  let ends: number[] = [];
  let next = 0;
  let index = from;
  for (const grapheme of graphemesOf(text.slice(from, to))) {
    index += grapheme.length;
    ends.push(index);
    if (index < to && !isStart.has(index)) continue;
    const own: PlacedCluster[] = [];
    while (next < inOrder.length && inOrder[next].start < index) own.push(inOrder[next++]);
    // text without glyphs counts with what follows
    if (own.length === 0) continue;
    boxes.push(
      ...divided(
        own,
        ends.map((each) => wrapped.start + each),
      ),
    );
    ends = [];
  }
  return boxes;
}

/** Divides the width of shaping clusters, one at least, evenly among the graphemes with these ends: a ligature is one. */
function divided(clusters: readonly PlacedCluster[], ends: readonly number[]): Placed[] {
  const [{ isRightToLeft }] = clusters;
  const left = clusters.reduce((least, { x }) => Math.min(least, x), Infinity);
  const right = clusters.reduce((most, { x, width }) => Math.max(most, x + width), -Infinity);
  const [before, after] = isRightToLeft ? [right, left] : [left, right];
  const at = (part: number) => before + ((after - before) * part) / ends.length;
  const direction = directionOf(isRightToLeft);
  return ends.map((end, i) => ({ end, before: at(i), after: at(i + 1), direction }));
}
