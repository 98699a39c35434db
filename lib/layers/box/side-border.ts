// Borders whose sides differ or are no plain lines, as Chromium paints them: sides in an order in which later ones cover the
// corners of earlier ones, corners of unlike colours cut along the diagonal, dashes and dots fitted to the length of a side.
import { type Corners, insetCorners } from '../../geometry/corners.js';
import { Path } from '../../geometry/path.js';
import { Polygon } from '../../geometry/polygon.js';
import { intersect, isEmpty, mapRect, type Rect, roundOut } from '../../geometry/rect.js';
import { rectangle } from '../../geometry/shapes.js';
import { centreLines } from '../../geometry/stroke/centre-line.js';
import { type Stroke, strokePath } from '../../geometry/stroke/stroke.js';
import type { ClipShape, PaintTarget } from '../../paint/target.js';
import { type Fill, fillColors, isGradient, isOpaqueFill } from '../../raster/fill.js';
import { insetOutline, type Outline, outlinePath, type PlacedOutline } from '../outline.js';
import { type BorderPaint, fillRing, type OutlinedBox } from './ring.js';

/** Values of the sides, clockwise from the top. */
export type BoxSides<Value> = readonly [top: Value, right: Value, bottom: Value, left: Value];

/** A border with a line, or none, on each side. */
export interface SideBorder {
  readonly sides: BoxSides<BorderPaint | undefined>;
}

interface Side {
  readonly index: number;
  readonly line: BorderPaint;
  readonly width: number;
}

interface Corner {
  /** The corner of the outer edge, and where the diagonal reaches the inner edge. */
  readonly outer: Point;
  readonly inner: Point;
}

type Point = readonly [x: number, y: number];

/** How a side ends: along the diagonal of the corner, or straight. */
type End = 'mitre' | 'straight';

/** A border in its box. */
interface Ring {
  readonly box: OutlinedBox;
  readonly widths: BoxSides<number>;
  readonly outer: PlacedOutline;
  readonly inner: PlacedOutline | undefined;
  /** Clockwise from the top left. */
  readonly corners: BoxSides<Corner>;
  readonly isRounded: boolean;
  /** The radii of the inner edge. */
  readonly radii: Corners;
  /** Whether the target is clipped to the outer edge later. */
  readonly isOpen: boolean;
}

/** Paints the border. `isOpen`: the target is clipped to the box later, so that the border may reach beyond it. */
export function drawSideBorder(
  target: PaintTarget,
  box: OutlinedBox,
  { sides }: SideBorder,
  widths: BoxSides<number>,
  isOpen = false,
): void {
  const ring = ringOf(box, widths, isOpen);
  const visible = sides.flatMap((line, index): Side[] =>
    line && widths[index] > 0 && fillColors(line.color).some(({ a }) => a > 0)
      ? [{ index, line, width: widths[index] }]
      : [],
  );
  const [first] = visible;
  if (!first) return;
  const isAlike = visible.length === 4 && visible.every((side) => isSamePaint(side.line, first.line));
  const isEven = widths.every((width) => width === first.width);
  if (isAlike && (fillsRing(first.line) || (ring.isRounded && isEven))) drawAround(target, ring, first);
  else drawInOrder(target, ring, visible);
}

function ringOf(box: OutlinedBox, widths: BoxSides<number>, isOpen: boolean): Ring {
  const { frame, outline } = box;
  const inner = insetOutline(outline, frame.box, widths);
  const { left, top, right, bottom } = frame.box;
  const [above, after, below, before] = widths;
  const radii = inner?.outline.kind === 'rounded' ? inner.outline.corners : outlineRadii(outline, frame.box, widths);
  const corner = (x: number, y: number, dx: number, dy: number, index: number): Corner => {
    const { x: rx, y: ry } = radii[index];
    const innerX = x + dx;
    const innerY = y + dy;
    const flipX = index === 1 || index === 2 ? -1 : 1;
    const flipY = index >= 2 ? -1 : 1;
    // on rounded corners, the diagonal ends at the chord of the inner arc
    const run = rx > 0 && ry > 0 ? 1 / (Math.abs(dx) / rx + Math.abs(dy) / ry) : 0;
    const inwards = Number.isFinite(run) ? run : 0;
    return {
      outer: [x, y],
      inner: [innerX + flipX * Math.abs(dx) * inwards, innerY + flipY * Math.abs(dy) * inwards],
    };
  };
  return {
    box,
    widths,
    outer: { outline, rect: frame.box },
    inner,
    corners: [
      corner(left, top, before, above, 0),
      corner(right, top, -after, above, 1),
      corner(right, bottom, -after, -below, 2),
      corner(left, bottom, before, -below, 3),
    ],
    isRounded: outline.kind !== 'rectangle',
    radii,
    isOpen,
  };
}

/** The radii of the inner edge of outlines that are not given by radii. */
function outlineRadii(outline: Outline, { left, top, right, bottom }: Rect, widths: BoxSides<number>): Corners {
  const half = outline.kind === 'rectangle' ? { x: 0, y: 0 } : { x: (right - left) / 2, y: (bottom - top) / 2 };
  return insetCorners([half, half, half, half], widths);
}

/** Whether both paint the same where they meet. */
function isSamePaint(one: BorderPaint, other: BorderPaint): boolean {
  return isSameFill(one.color, other.color) && styleOf(one) === styleOf(other) && !one.dash && !other.dash;
}

export function isSameFill(one: Fill, other: Fill): boolean {
  if (one === other) return true;
  if (isGradient(one) || isGradient(other)) return false;
  return one.r === other.r && one.g === other.g && one.b === other.b && one.a === other.a;
}

function styleOf({ style = 'solid', dash, width }: BorderPaint): string {
  if (dash?.some((length) => length > 0)) return 'dashed';
  // no stripes fit into less
  return style === 'double' && width < 3 ? 'solid' : style;
}

/** Whether the line fills its side, or stripes of it, from end to end. */
function fillsRing(line: BorderPaint): boolean {
  const style = styleOf(line);
  return style === 'solid' || style === 'double';
}

/** Whether a side follows the curve of its inner edge: Chromium paints others as straight lines. */
function isCurved({ isRounded, radii }: Ring, { line, index }: Side): boolean {
  const ends = [radii[index], radii[(index + 1) % 4]];
  return isRounded && (styleOf(line) !== 'solid' || ends.some(({ x, y }) => x > 0 && y > 0));
}

/** Paints a border that is the same on all sides. */
function drawAround(target: PaintTarget, ring: Ring, side: Side): void {
  if (fillsRing(side.line)) fillStripes(target, ring, side.line);
  else within(target, ring, [ringClip(ring)], (inside) => strokeAround(inside, ring, side));
}

/** Paints curved sides of one paint between the diagonals of their corners: sides that meet are one piece. */
function drawCurved(target: PaintTarget, ring: Ring, sides: readonly Side[]): void {
  const [{ line }] = sides;
  const region = new Path();
  for (const { index } of sides) addRegion(ring, index, 'mitre', 'mitre', region);
  const clip = { path: region, map: ring.box.frame.toCanvas };
  if (fillsRing(line)) within(target, ring, [clip], (inside) => fillStripes(inside, ring, line));
  else within(target, ring, [ringClip(ring), clip], (inside) => strokeAround(inside, ring, sides[0]));
}

/** The order of sides among those of one style: so that few corners need a diagonal. */
const SIDE_ORDER = [0, 2, 1, 3];

/** Paints one side after the other; a solid one covers the corners of those before it. */
function drawInOrder(target: PaintTarget, ring: Ring, visible: readonly Side[]): void {
  const priority = ({ line }: Side) => (styleOf(line) === 'solid' ? 1 : 0);
  const sorted = [...visible].sort(
    (one, other) => priority(one) - priority(other) || SIDE_ORDER[one.index] - SIDE_ORDER[other.index],
  );
  const isOpaque = sorted.every(({ line }) => isOpaqueFill(line.color));
  const done = new Set<Side>();
  sorted.forEach((side, at) => {
    if (done.has(side)) return;
    if (isCurved(ring, side)) {
      const { line, width } = side;
      const isAlike = (other: Side) =>
        isCurved(ring, other) && isSamePaint(other.line, line) && (fillsRing(line) || other.width === width);
      const alike = sorted.filter((other) => !done.has(other) && isAlike(other));
      for (const other of alike) done.add(other);
      drawCurved(target, ring, [side, ...alike.filter((other) => other !== side)]);
      return;
    }
    const endAt = (neighbour: number): End => {
      if (ring.widths[neighbour] === 0) return 'straight';
      const place = sorted.findIndex(({ index }) => index === neighbour);
      if (place < 0) return 'mitre';
      const { line } = sorted[place];
      if (isOpaque && place > at && styleOf(line) === 'solid') return 'straight';
      if (!isOpaque || !isSameFill(line.color, side.line.color)) return 'mitre';
      const styles = [styleOf(line), styleOf(side.line)];
      return styles[0] !== styles[1] || styles[0] === 'double' ? 'mitre' : 'straight';
    };
    drawStraight(target, ring, side, endAt((side.index + 3) % 4), endAt((side.index + 1) % 4));
  });
}

/** Paints a side whose edges are straight. */
function drawStraight(target: PaintTarget, ring: Ring, side: Side, start: End, end: End): void {
  const { box } = ring;
  const { line } = side;
  const region = new Path();
  addRegion(ring, side.index, start, end, region);
  const clip: ClipShape = { path: region, map: box.frame.toCanvas };
  const { frame, area = frame } = box;
  if (styleOf(line) === 'solid') {
    if (ring.isRounded) within(target, ring, [clip], (inside) => fillStripes(inside, ring, line));
    else target.fillPath(region, frame.toCanvas, { fill: line.color, area, opacity: 1 });
    return;
  }
  const clips = start === 'mitre' || end === 'mitre' ? [clip] : [];
  if (styleOf(line) === 'double') within(target, ring, clips, (inside) => fillStripes(inside, ring, line));
  else within(target, ring, clips, (inside) => strokeSide(inside, ring, side));
}

/** Appends the area of a side: its outer edge, and its inner edge up to where the diagonals end. */
function addRegion({ corners }: Ring, index: number, start: End, end: End, path: Path): void {
  const from = corners[index];
  const to = corners[(index + 1) % 4];
  const isAcross = index % 2 === 0;
  const straight = ({ outer, inner }: Corner): Point => (isAcross ? [outer[0], inner[1]] : [inner[0], outer[1]]);
  let [innerFrom, innerTo] = [
    start === 'mitre' ? from.inner : straight(from),
    end === 'mitre' ? to.inner : straight(to),
  ];
  const meeting = start === 'mitre' && end === 'mitre' ? crossing(from, to, isAcross ? 0 : 1) : undefined;
  if (meeting) innerFrom = innerTo = meeting;
  path.moveTo(...from.outer);
  path.lineTo(...to.outer);
  path.lineTo(...innerTo);
  if (innerFrom !== innerTo) path.lineTo(...innerFrom);
  path.close();
}

/** The point where the diagonals of two corners cross before they end; undefined if they don't. */
function crossing(from: Corner, to: Corner, axis: 0 | 1): Point | undefined {
  const order = Math.sign(to.outer[axis] - from.outer[axis]);
  if ((to.inner[axis] - from.inner[axis]) * order >= 0) return undefined;
  const [ax, ay] = [from.inner[0] - from.outer[0], from.inner[1] - from.outer[1]];
  const [bx, by] = [to.inner[0] - to.outer[0], to.inner[1] - to.outer[1]];
  const area = ax * by - ay * bx;
  if (area === 0) return undefined;
  const part = ((to.outer[0] - from.outer[0]) * by - (to.outer[1] - from.outer[1]) * bx) / area;
  return [from.outer[0] + ax * part, from.outer[1] + ay * part];
}

/** The area between the outer and the inner edge. */
function ringClip({ inner, box, outer, isOpen }: Ring): ClipShape {
  const path = isOpen ? rectangle(grown(outer.rect)) : outlinePath(outer.outline, outer.rect);
  if (inner) outlinePath(inner.outline, inner.rect, path);
  return { path, map: box.frame.toCanvas, rule: 'evenodd' };
}

/** Paints what lies in all of the shapes. */
function within(
  target: PaintTarget,
  ring: Ring,
  clips: readonly ClipShape[],
  draw: (inside: PaintTarget) => void,
): void {
  const [clip, ...others] = clips;
  if (!clip) {
    draw(target);
    return;
  }
  const { frame } = ring.box;
  const bounds = intersect(roundOut(mapRect(frame.box, frame.toCanvas)), target.bounds);
  if (!isEmpty(bounds)) target.drawGroup({ bounds, clip }, (group) => within(group, ring, others, draw));
}

/** Fills the ring in the style of a solid or double line. */
function fillStripes(target: PaintTarget, ring: Ring, line: BorderPaint): void {
  if (styleOf(line) === 'solid') {
    fillBetween(target, ring, ring.outer, ring.inner, line.color);
    return;
  }
  const { outline, rect } = ring.outer;
  const third = (width: number) => Math.floor(width / 3 + 0.5);
  const stripes = ring.widths.map(third) as unknown as BoxSides<number>;
  const rest = ring.widths.map((width) => width - third(width)) as unknown as BoxSides<number>;
  fillBetween(target, ring, ring.outer, insetOutline(outline, rect, stripes), line.color);
  const second = insetOutline(outline, rect, rest);
  if (second) fillBetween(target, ring, second, ring.inner, line.color);
}

function fillBetween(
  target: PaintTarget,
  { box, outer: edge, isOpen }: Ring,
  outer: PlacedOutline,
  inner: PlacedOutline | undefined,
  fill: Fill,
): void {
  const map = box.frame.toCanvas;
  // the outer edge of a box that is clipped later lies beyond the clip
  const path = isOpen && outer === edge ? rectangle(grown(outer.rect)) : outlinePath(outer.outline, outer.rect);
  const hole = inner && { path: outlinePath(inner.outline, inner.rect), map };
  fillRing(target, box, fill, 1, { path, map }, hole);
}

function grown({ left, top, right, bottom }: Rect): Rect {
  return { left: left - 2, top: top - 2, right: right + 2, bottom: bottom + 2 };
}

/** Strokes a side of a rectangle along its middle. */
function strokeSide(target: PaintTarget, { corners, box }: Ring, { index, width, line }: Side): void {
  const [from, to] = [corners[index].outer, corners[(index + 1) % 4].outer];
  const isAcross = index % 2 === 0;
  const towards = index === 0 || index === 3 ? 1 : -1;
  const middle = (towards * width) / 2;
  const length = Math.abs(isAcross ? to[0] - from[0] : to[1] - from[1]);
  const pattern = patternOf(line, width, length, false);
  // round dots end at the corners
  const inset = pattern.cap === 'round' && !line.dash ? Math.min(width, length) / 2 : 0;
  const path = new Path();
  // from left to right and from top to bottom, as the dashes of browsers
  const [low, high] = [0, 1].map((axis) => [Math.min(from[axis], to[axis]), Math.max(from[axis], to[axis])])[
    isAcross ? 0 : 1
  ];
  const edge = isAcross ? from[1] : from[0];
  if (hasSquareDots(line, width)) {
    const squares = new Path();
    for (const [start, end] of squareDots(width, Math.round(length))) {
      const [near, far] = [Math.min(edge, edge + 2 * middle), Math.max(edge, edge + 2 * middle)];
      if (isAcross) rectangle({ left: low + start, right: low + end, top: near, bottom: far }, squares);
      else rectangle({ left: near, right: far, top: low + start, bottom: low + end }, squares);
    }
    const { frame, area = frame } = box;
    target.fillPath(squares, frame.toCanvas, { fill: line.color, area, opacity: 1 });
    return;
  }
  const across = edge + middle;
  for (const [i, along] of [low + inset, Math.max(low + inset, high - inset)].entries()) {
    const point: Point = isAcross ? [along, across] : [across, along];
    if (i === 0) path.moveTo(...point);
    else path.lineTo(...point);
  }
  fillStroke(target, box, path, { width, ...pattern }, line.color);
}

/** Strokes the whole outline in the dashes of a side. */
function strokeAround(target: PaintTarget, { box, outer, widths }: Ring, { width, line }: Side): void {
  // browsers put the middle of an odd width at a whole pixel
  const halves = widths.map((each) => Math.floor(each / 2)) as unknown as BoxSides<number>;
  const centre = insetOutline(outer.outline, outer.rect, halves);
  if (!centre) return;
  const path = outlinePath(centre.outline, centre.rect);
  const isBox = centre.outline.kind !== 'squircle';
  const [measured] = centreLines(path, { a: 1, b: 0, c: 0, d: 1, e: 0, f: 0 }, width / 2, isBox);
  // browsers fit dashes to a whole number of pixels
  const length = Math.floor(measured.lengths.reduce((sum, each) => sum + each, 0));
  const pattern = patternOf(line, width, length, true);
  // the ring cuts off the ends of dashes
  const thickness = pattern.cap === 'round' ? width : 2.2 * Math.max(...widths);
  fillStroke(target, box, path, { width: thickness, isBox, ...pattern }, line.color);
}

function fillStroke(target: PaintTarget, { frame, area = frame }: OutlinedBox, path: Path, stroke: Stroke, fill: Fill) {
  const dashes = new Polygon();
  strokePath(path, frame.toCanvas, stroke, dashes, target.bounds);
  target.fillPolygon(dashes, { fill, area, opacity: 1 });
}

/** Whether the dots of a line are so small that they are squares. */
function hasSquareDots({ style, dash }: BorderPaint, width: number): boolean {
  return style === 'dotted' && width <= 3 && Number.isInteger(width) && !dash;
}

/** The squares of a dotted line in whole pixels, as Chromium places them: one at each end, the others a width apart. */
function squareDots(width: number, length: number): (readonly [start: number, end: number])[] {
  const rest = length % (2 * width);
  const isLonger = width === 3 && rest === 0;
  const gap = isLonger ? 4 : (rest > width ? Math.ceil : Math.floor)((rest + width) / 2);
  const end = isLonger ? 4 : width;
  const dots: (readonly [number, number])[] = [[0, end]];
  for (let at = width + gap; at + 2 * width - 1 <= length - (isLonger ? 3 : 0); at += 2 * width)
    dots.push([at, at + width]);
  return [...dots, [Math.max(0, length - end), length]];
}

/** The dashes of a line of that length: such that it ends in a dash, or around a box that no dash is cut off. */
function patternOf(
  line: BorderPaint,
  width: number,
  length: number,
  isClosed: boolean,
): Pick<Stroke, 'dash' | 'dashOffset' | 'cap'> {
  const { style, dash, dashOffset, cap } = line;
  if (dash?.some((each) => each > 0)) return { dash, dashOffset, cap };
  // small dots are squares
  if (style === 'dotted' && width > 3) {
    if (length < 2 * width) return { dash: [0, 2 * width], cap: 'round' };
    return { dash: [0, bestGap(length, width, width, isClosed) + width - 0.01], cap: 'round' };
  }
  if (style === 'dotted') return { dash: [width, width] };
  const [dashLength, gap] = width >= 3 ? [2 * width, width] : [3 * width, 2 * width];
  if (length <= 2 * dashLength) return {};
  const pair = 2 * dashLength + gap;
  if (length <= pair) return { dash: [(dashLength * length) / pair, (gap * length) / pair] };
  return { dash: [dashLength, bestGap(length, dashLength, gap, isClosed)] };
}

/** The gap nearest to `gap` with which the line holds whole dashes. */
function bestGap(length: number, dash: number, gap: number, isClosed: boolean): number {
  if (!Number.isFinite(length)) return gap;
  const least = Math.floor((isClosed ? length : length + gap) / (dash + gap));
  const gapOf = (count: number) => (length - count * dash) / (isClosed ? count : count - 1);
  const wide = gapOf(least);
  const narrow = gapOf(least + 1);
  return narrow <= 0 || Math.abs(wide - gap) < Math.abs(narrow - gap) ? wide : narrow;
}
