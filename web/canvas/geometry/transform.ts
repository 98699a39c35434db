// Moves, resizes and rotates layers: computes their new boxes from their frames at the gesture's beginning and the pointer's
// way on the canvas. Boxes are in the coordinates of a layer's parent, as in the record.
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

/** The axes on which a value keeps its fraction, to hundredths of a pixel, instead of being rounded to whole pixels. */
export interface Exact {
  readonly x: boolean;
  readonly y: boolean;
}

export const EXACT: Exact = { x: true, y: true };
export const WHOLE: Exact = { x: false, y: false };

/** Shortest side after resizing. */
const MIN_SIDE = 1;

const roundedTo = (value: number, isExact: boolean): number => rounded(isExact ? value : Math.round(value));

/**
 * Adjusts a distance on the canvas so that the first layer comes to whole pixels, and several layers keep their distances. In a
 * rotated group a layer that has snapped is not rounded.
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

/** Moves the box by a distance on the canvas. */
export function movedBox({ box, parent }: Frame, distance: Point): Box {
  const by = distanceIn(parent, distance);
  return { ...box, x: rounded(box.x + by.x), y: rounded(box.y + by.y) };
}

/** The sides of a box that a handle moves: −1 stands for the left or upper side, 1 for the right or lower, 0 for neither. */
export interface Handle {
  readonly x: -1 | 0 | 1;
  readonly y: -1 | 0 | 1;
}

export interface ResizeOptions {
  readonly keepsRatio?: boolean;
  readonly fromCentre?: boolean;
  readonly exact?: Exact;
  /** The axis that decides the ratio with `keepsRatio`; by default the one that changes more. */
  readonly driver?: 'x' | 'y' | undefined;
}

/** Computes the sides after a handle moved by a distance along the axes of the box. */
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

/** Computes the box after its handle moved by a distance on the canvas. The opposite side, or the centre, stays where it is. */
export function resizedBox(frame: Frame, handle: Handle, distance: Point, options: ResizeOptions = {}): Box {
  const { box, parent, toCanvas } = frame;
  const size = resizedSides(box, handle, distanceIn(toCanvas, distance), options);
  if (size.width === box.width && size.height === box.height) return box;
  return withFixedPoint(frame, size, options.fromCentre ? { x: 0, y: 0 } : handle, isUpright(parent));
}

/** Gives a box another size and keeps the point opposite the handle in place. */
function withFixedPoint(
  frame: Frame,
  { width, height }: Pick<Box, 'width' | 'height'>,
  handle: Point,
  canBeWhole: boolean,
): Box {
  const { box, rotation } = frame;
  const own = turnOf(box, frame);
  const fixed = mapPoint(own, {
    x: box.x + (box.width * (1 - handle.x)) / 2,
    y: box.y + (box.height * (1 - handle.y)) / 2,
  });
  const toFixed = mapPoint(linear(own), { x: (-handle.x * width) / 2, y: (-handle.y * height) / 2 });
  // a transform may keep another point than the centre in place
  const { x: middleX, y: middleY } = mapPoint(turnOf({ x: 0, y: 0, width, height }, frame), {
    x: width / 2,
    y: height / 2,
  });
  const [x, y] = [fixed.x - toFixed.x - middleX, fixed.y - toFixed.y - middleY];
  // a box on whole pixels stays on them when it is resized about its centre
  const isWhole = canBeWhole && rotation % 180 === 0 && Number.isInteger(box.x) && Number.isInteger(box.y);
  const isSizeWhole = Number.isInteger(width) && Number.isInteger(height);
  return isWhole && isSizeWhole
    ? { x: Math.floor(x + 0.5), y: Math.floor(y + 0.5), width, height }
    : { x: rounded(x), y: rounded(y), width, height };
}

/** Returns the map of the canvas that scales the bounds of several layers as their handle moved. */
export function scaleOf(bounds: Rect, handle: Handle, distance: Point, options: ResizeOptions = {}): Affine {
  const { left, top, right, bottom } = bounds;
  const [width, height] = [right - left, bottom - top];
  const size = resizedSides({ width, height }, handle, distance, options);
  const [sx, sy] = [width > 0 ? size.width / width : 1, height > 0 ? size.height / height : 1];
  const fixed = options.fromCentre ? { x: 0, y: 0 } : handle;
  const [x, y] = [left + (width * (1 - fixed.x)) / 2, top + (height * (1 - fixed.y)) / 2];
  return { a: sx, b: 0, c: 0, d: sy, e: x - sx * x, f: y - sy * y };
}

/** Applies a scaling of the canvas to a box: its centre moves, and its sides grow as their directions do. */
export function scaledBox(frame: Frame, map: Affine, exact: Exact = WHOLE): Box {
  const { parent } = frame;
  const inner = compose(compose(parent, map), invert(parent) ?? parent);
  return scaledInside(frame, inner, isUpright(parent) ? exact : EXACT);
}

/** Does what scaledBox does, in the coordinates of the layer's parent. */
export function scaledInside(frame: Pick<Frame, 'box' | 'rotation' | 'flip' | 'transform'>, map: Affine, exact: Exact) {
  const { box, rotation } = frame;
  const own = compose(turnOf(box, frame), map);
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

/** Computes box and rotation after a rotation about a point of the canvas. */
export function turnedBox(frame: Frame, degrees: number, about: Point): TurnedBox {
  const { box, parent, rotation } = frame;
  const centre = centreOf(frame);
  const to = mapPoint(rotationAbout(degrees, about.x, about.y), centre);
  const moved = movedBox(frame, { x: to.x - centre.x, y: to.y - centre.y });
  // in a mirrored group, clockwise is the other way
  const sign = parent.a * parent.d - parent.b * parent.c < 0 ? -1 : 1;
  return { box: moved.x === box.x && moved.y === box.y ? box : moved, rotation: halfTurn(rotation + sign * degrees) };
}

/** Normalises degrees to −180 (not included) to 180. */
export function halfTurn(degrees: number): number {
  const turn = rounded(((degrees % 360) + 360) % 360);
  return turn > 180 ? rounded(turn - 360) : turn;
}

/** Returns the map from the points of one box to those of another. */
export function mapOfBoxes(from: Box, to: Box): Affine {
  const [sx, sy] = [from.width > 0 ? to.width / from.width : 1, from.height > 0 ? to.height / from.height : 1];
  const scale = { a: sx, b: 0, c: 0, d: sy, e: 0, f: 0 };
  return compose(compose(translation(-from.x, -from.y), scale), translation(to.x, to.y));
}
