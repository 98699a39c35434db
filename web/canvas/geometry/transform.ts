// Moving, resizing and turning layers: from their frames when the gesture began and how far the pointer went on the canvas, the
// boxes that they get. Boxes are in the coordinates of what a layer is in, like those of the record.
import { type Affine, compose, invert, rotationAbout, translation } from '../../../lib/geometry/affine.js';
import { hypot } from '../../../lib/geometry/math.js';
import type { Rect } from '../../../lib/geometry/rect.js';
import { rounded } from '../../document/commands.js';
import {
  type Box,
  centreOf,
  distanceIn,
  type Frame,
  isUpright,
  linear,
  mapPoint,
  type Point,
  turnOf,
} from './frames.js';

/** Axes along which a value is kept as it is, to hundredths of a pixel, instead of rounded to whole pixels. */
export interface Exact {
  readonly x: boolean;
  readonly y: boolean;
}

export const EXACT: Exact = { x: true, y: true };
export const WHOLE: Exact = { x: false, y: false };

/** The shortest side that resizing leaves. */
const MIN_SIDE = 1;

const roundedTo = (value: number, isExact: boolean): number => rounded(isExact ? value : Math.round(value));

/**
 * The distance on the canvas that takes the first layer to whole pixels, so that several keep their distances from each other.
 * In a turned group, no pixel is whole once the layer snaps.
 */
export function wholeDistance(first: Frame, distance: Point, exact: Exact): Point {
  const { box, parent } = first;
  const inner = distanceIn(parent, distance);
  const isTurned = !isUpright(parent);
  const keeps = { x: exact.x || (isTurned && exact.y), y: exact.y || (isTurned && exact.x) };
  const to = {
    x: keeps.x ? inner.x : Math.round(box.x + inner.x) - box.x,
    y: keeps.y ? inner.y : Math.round(box.y + inner.y) - box.y,
  };
  return mapPoint(linear(parent), to);
}

/** The box moved by a distance on the canvas. */
export function movedBox({ box, parent }: Frame, distance: Point): Box {
  const by = distanceIn(parent, distance);
  return { ...box, x: rounded(box.x + by.x), y: rounded(box.y + by.y) };
}

/** Which sides of a box a handle moves: −1 the left or upper one, 1 the right or lower one, 0 neither. */
export interface Handle {
  readonly x: -1 | 0 | 1;
  readonly y: -1 | 0 | 1;
}

export interface ResizeOptions {
  readonly keepsRatio?: boolean;
  readonly fromCentre?: boolean;
  readonly exact?: Exact;
  /** The side that decides, with `keepsRatio`; else the one that changes more. */
  readonly driver?: 'x' | 'y' | undefined;
}

/** The sides after a handle went by a distance along the axes of the box. */
function resizedSides(
  { width, height }: Pick<Box, 'width' | 'height'>,
  handle: Handle,
  by: Point,
  { keepsRatio = false, fromCentre = false, exact = WHOLE, driver }: ResizeOptions,
) {
  const factor = fromCentre ? 2 : 1;
  let [right, down] = [width + handle.x * by.x * factor, height + handle.y * by.y * factor];
  if (keepsRatio && width > 0 && height > 0) {
    const [sx, sy] = [right / width, down / height];
    const larger = Math.abs(sx - 1) >= Math.abs(sy - 1) ? 'x' : 'y';
    const side = handle.y === 0 ? 'x' : handle.x === 0 ? 'y' : (driver ?? larger);
    const scale = Math.max(side === 'x' ? sx : sy, MIN_SIDE / Math.min(width, height));
    [right, down] = [width * scale, height * scale];
  }
  const side = (before: number, after: number, isExact: boolean) =>
    after === before ? before : Math.max(roundedTo(after, isExact), Math.min(before, MIN_SIDE));
  return { width: side(width, right, exact.x), height: side(height, down, exact.y) };
}

/** The box after its handle went by a distance on the canvas. The opposite side, or the centre, stays where it is. */
export function resizedBox(frame: Frame, handle: Handle, distance: Point, options: ResizeOptions = {}): Box {
  const { box, rotation, flip, parent, toCanvas } = frame;
  const size = resizedSides(box, handle, distanceIn(toCanvas, distance), options);
  if (size.width === box.width && size.height === box.height) return box;
  return withFixedPoint(box, rotation, flip, size, options.fromCentre ? { x: 0, y: 0 } : handle, isUpright(parent));
}

/** A box of another size, with the point opposite of the handle where it was. */
function withFixedPoint(
  box: Box,
  rotation: number,
  flip: unknown,
  { width, height }: Pick<Box, 'width' | 'height'>,
  handle: Point,
  canBeWhole: boolean,
): Box {
  const own = turnOf(box, rotation, flip);
  const fixed = mapPoint(own, {
    x: box.x + (box.width * (1 - handle.x)) / 2,
    y: box.y + (box.height * (1 - handle.y)) / 2,
  });
  const toFixed = mapPoint(linear(own), { x: (-handle.x * width) / 2, y: (-handle.y * height) / 2 });
  const [x, y] = [fixed.x - toFixed.x - width / 2, fixed.y - toFixed.y - height / 2];
  // about its centre, a box that was on whole pixels stays there
  const isWhole = canBeWhole && rotation % 180 === 0 && Number.isInteger(box.x) && Number.isInteger(box.y);
  const isSizeWhole = Number.isInteger(width) && Number.isInteger(height);
  return isWhole && isSizeWhole
    ? { x: Math.floor(x + 0.5), y: Math.floor(y + 0.5), width, height }
    : { x: rounded(x), y: rounded(y), width, height };
}

/** The map of the canvas that takes the bounds of several layers to those after their handle went by a distance. */
export function scaleOf(bounds: Rect, handle: Handle, distance: Point, options: ResizeOptions = {}): Affine {
  const { left, top, right, bottom } = bounds;
  const [width, height] = [right - left, bottom - top];
  const size = resizedSides({ width, height }, handle, distance, options);
  const [sx, sy] = [width > 0 ? size.width / width : 1, height > 0 ? size.height / height : 1];
  const fixed = options.fromCentre ? { x: 0, y: 0 } : handle;
  const [x, y] = [left + (width * (1 - fixed.x)) / 2, top + (height * (1 - fixed.y)) / 2];
  return { a: sx, b: 0, c: 0, d: sy, e: x - sx * x, f: y - sy * y };
}

/** The box under a map of the canvas that scales: its centre moves, and its sides grow as their directions do. */
export function scaledBox(frame: Frame, map: Affine, exact: Exact = WHOLE): Box {
  const { parent } = frame;
  const inner = compose(compose(parent, map), invert(parent) ?? parent);
  return scaledInside(frame, inner, isUpright(parent) ? exact : EXACT);
}

/** The same in the coordinates of what the layer is in. */
export function scaledInside(
  { box, rotation, flip }: Pick<Frame, 'box' | 'rotation' | 'flip'>,
  map: Affine,
  exact: Exact,
) {
  const own = compose(turnOf(box, rotation, flip), map);
  const centre = mapPoint(own, { x: box.x + box.width / 2, y: box.y + box.height / 2 });
  const [width, height] = [box.width * hypot(own.a, own.b), box.height * hypot(own.c, own.d)];
  const keep = { x: exact.x || rotation % 360 !== 0, y: exact.y || rotation % 360 !== 0 };
  const along = (middle: number, length: number, before: number, isExact: boolean) => {
    const start = roundedTo(middle - length / 2, isExact);
    const end = roundedTo(middle + length / 2, isExact);
    return [start, rounded(Math.max(end - start, Math.min(before, MIN_SIDE)))] as const;
  };
  const [x, right] = along(centre.x, width, box.width, keep.x);
  const [y, down] = along(centre.y, height, box.height, keep.y);
  return { x, y, width: right, height: down };
}

export interface TurnedBox {
  readonly box: Box;
  readonly rotation: number;
}

/** The box and rotation after a turn about a point of the canvas. */
export function turnedBox(frame: Frame, degrees: number, about: Point): TurnedBox {
  const { box, parent, rotation } = frame;
  const centre = centreOf(frame);
  const to = mapPoint(rotationAbout(degrees, about.x, about.y), centre);
  const moved = movedBox(frame, { x: to.x - centre.x, y: to.y - centre.y });
  // in a mirrored group, clockwise is the other way
  const sign = parent.a * parent.d - parent.b * parent.c < 0 ? -1 : 1;
  return { box: moved.x === box.x && moved.y === box.y ? box : moved, rotation: halfTurn(rotation + sign * degrees) };
}

/** Degrees from −180 (not included) to 180. */
export function halfTurn(degrees: number): number {
  const turn = rounded(((degrees % 360) + 360) % 360);
  return turn > 180 ? rounded(turn - 360) : turn;
}

/** The map of the points in a box to those in another. */
export function mapOfBoxes(from: Box, to: Box): Affine {
  const [sx, sy] = [from.width > 0 ? to.width / from.width : 1, from.height > 0 ? to.height / from.height : 1];
  const scale = { a: sx, b: 0, c: 0, d: sy, e: 0, f: 0 };
  return compose(compose(translation(-from.x, -from.y), scale), translation(to.x, to.y));
}
