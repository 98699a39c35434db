// Computes the frames of a document's layers on the canvas: from the document's own numbers, which are current, and from the
// picture on screen, which may be older, if a layout or a text's content decides them.
import { type Affine, compose, IDENTITY, invert, rotationAbout, translation } from '../../../lib/geometry/affine.js';
import { mapRect, type Rect, rectOf } from '../../../lib/geometry/rect.js';
import { layerAt } from '../../document/commands.js';
import {
  type DrawnBox,
  drawnTransform,
  isLaidOut as isLaidOutIn,
  type OwnTransform,
} from '../../document/coordinates.js';
import { type EditorDocument, type NodeId, walk } from '../../document/document.js';
import { isBound, numberOf } from '../../document/json.js';

export interface Point {
  readonly x: number;
  readonly y: number;
}

export interface Box extends Point {
  readonly width: number;
  readonly height: number;
}

export interface Frame {
  readonly id: NodeId;
  /** Box in the coordinates of the layer's parent, before rotation and flip. */
  readonly box: Box;
  /** Rotation in degrees, clockwise. */
  readonly rotation: number;
  readonly flip: unknown;
  /** The CSS transform, in place of both; undefined for none. */
  readonly transform?: OwnTransform | undefined;
  /** Maps the parent's coordinates to the canvas, in CSS pixels. */
  readonly parent: Affine;
  /** Maps the box's coordinates to the canvas, with rotation and flip or the transform. */
  readonly toCanvas: Affine;
  /** Whether a layout places the layer, so that its x and y have no effect. */
  readonly isLaidOut: boolean;
}

export type Frames = ReadonlyMap<NodeId, Frame>;

/** Size of layers that no picture has shown yet. */
const UNKNOWN_SIZE = 40;

export function framesOf(document: EditorDocument, layers: ReadonlyMap<NodeId, DrawnBox>): Frames {
  const frames = new Map<NodeId, Frame>();
  for (const located of walk(document)) {
    const { node, ancestors } = located;
    const { id } = node;
    const raw = layerAt(document, id);
    const group = ancestors.at(-1);
    const outer = group && frames.get(group.id);
    const parent = outer ? compose(translation(outer.box.x, outer.box.y), outer.toCanvas) : IDENTITY;
    const isLaidOut = isLaidOutIn(located);
    const [x, y, width, height] = layers.get(id)?.box ?? [];
    const [left = 0, top = 0] = (group && layers.get(group.id)?.box) ?? [];
    const size = (ownSize: unknown, drawnSize: number | undefined) =>
      (isLaidOut ? drawnSize : undefined) ?? numberOf(ownSize) ?? drawnSize ?? UNKNOWN_SIZE;
    const box = {
      x: isLaidOut || isBound(raw.x) ? (x ?? left) - left : (numberOf(raw.x) ?? 0),
      y: isLaidOut || isBound(raw.y) ? (y ?? top) - top : (numberOf(raw.y) ?? 0),
      width: size(raw.width, width),
      height: size(raw.height, height),
    };
    const rotation = numberOf(raw.rotation) ?? 0;
    const turn = { rotation, flip: raw.flip, transform: drawnTransform(document, layers, id, group?.id) };
    const toCanvas = compose(turnOf(box, turn), parent);
    frames.set(id, { id, box, ...turn, parent, toCanvas, isLaidOut });
  }
  return frames;
}

/** Mirrors about the centre of the box and then rotates about it, or does what the transform says. */
export function turnOf(
  box: Box,
  { rotation, flip, transform }: Pick<Frame, 'rotation' | 'flip' | 'transform'>,
): Affine {
  const { x, y, width, height } = box;
  if (transform) {
    const [a, b, c, d, e, f] = transform([x, y, width, height]);
    return { a, b, c, d, e, f };
  }
  const [cx, cy] = [x + width / 2, y + height / 2];
  const mirrorsX = flip === 'x' || flip === 'both';
  const mirrorsY = flip === 'y' || flip === 'both';
  const turn = rotation % 360 === 0 ? IDENTITY : rotationAbout(rotation, cx, cy);
  if (!mirrorsX && !mirrorsY) return turn;
  const mirror = {
    ...IDENTITY,
    ...(mirrorsX && { a: -1, e: 2 * cx }),
    ...(mirrorsY && { d: -1, f: 2 * cy }),
  };
  return compose(mirror, turn);
}

export const mapPoint = ({ a, b, c, d, e, f }: Affine, { x, y }: Point): Point => ({
  x: a * x + c * y + e,
  y: b * x + d * y + f,
});

/** `map` without its translation, for distances. */
export const linear = (map: Affine): Affine => ({ ...map, e: 0, f: 0 });

/** Converts a distance on the canvas to the coordinates that `map` starts from; zero if they have no size. */
export const distanceIn = (map: Affine, distance: Point): Point => mapPoint(linear(invert(map) ?? IDENTITY), distance);

/** Whether the axes of the space are parallel to those of the canvas. */
export const isUpright = ({ b, c }: Affine): boolean => Math.abs(b) < 1e-9 && Math.abs(c) < 1e-9;

/** Returns the point at a share of the box's width and height, on the canvas: (0, 0) is the upper left corner. */
export function pointAt({ box: { x, y, width, height }, toCanvas }: Frame, right: number, down: number): Point {
  return mapPoint(toCanvas, { x: x + right * width, y: y + down * height });
}

export const centreOf = (frame: Frame): Point => pointAt(frame, 0.5, 0.5);

/** Returns the corners clockwise from the upper left of the box. */
export const cornersOf = (frame: Frame): readonly [Point, Point, Point, Point] => [
  pointAt(frame, 0, 0),
  pointAt(frame, 1, 0),
  pointAt(frame, 1, 1),
  pointAt(frame, 0, 1),
];

/** Returns the bounds of a frame on the canvas. */
export const boundsOf = ({ box: { x, y, width, height }, toCanvas }: Frame): Rect =>
  mapRect(rectOf(x, y, width, height), toCanvas);

/** Returns the common bounds of several rectangles; those without width or height count too. */
export function unionOf(rects: readonly Rect[]): Rect | undefined {
  const [first, ...others] = rects;
  return (
    first &&
    others.reduce(
      (all, { left, top, right, bottom }) => ({
        left: Math.min(all.left, left),
        top: Math.min(all.top, top),
        right: Math.max(all.right, right),
        bottom: Math.max(all.bottom, bottom),
      }),
      first,
    )
  );
}

/** Whether a point of the canvas is in the box, or within `slack` of it. */
export function isInside({ box, toCanvas }: Frame, point: Point, slack = 0): boolean {
  const inverse = invert(toCanvas);
  if (!inverse) return false;
  const { x, y } = mapPoint(inverse, point);
  const near = slack * Math.sqrt(Math.abs(inverse.a * inverse.d - inverse.b * inverse.c));
  return x >= box.x - near && y >= box.y - near && x <= box.x + box.width + near && y <= box.y + box.height + near;
}
