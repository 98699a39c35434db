// Computes the fields that gestures write into layers to change their boxes. They always start from the document at the
// gesture's beginning, so that a layer that comes back to its place has exactly the fields that it had.
import type { Affine } from '../../lib/geometry/affine.js';
import { type LayerChange, layerAt, rounded } from '../document/commands.js';
import { type EditorDocument, locate, type NodeId } from '../document/document.js';
import { isBound, isList, type Json, numberOf } from '../document/json.js';
import type { Box, Frame, Frames, Point } from './geometry/frames.js';
import { isBoxed } from './geometry/hit.js';
import { type Exact, movedBox, scaledInside, type TurnedBox } from './geometry/transform.js';

/** Moves the layers. */
export function moveChanges(document: EditorDocument, frames: readonly Frame[], distance: Point): LayerChange[] {
  return frames.map((frame) => {
    const { x, y } = movedBox(frame, distance);
    return { id: frame.id, fields: placeFields(layerAt(document, frame.id), frame.box, { x, y }) };
  });
}

/** The field's next value: its own while nothing moved, and always if data give it. */
const next = (own: unknown, from: number, to: number): unknown => (to === from || isBound(own) ? own : to);

const placeFields = (raw: Json, from: Point, to: Point): Json => ({
  x: next(raw.x, from.x, to.x),
  y: next(raw.y, from.y, to.y),
});

export function turnChange(
  document: EditorDocument,
  { id, box: from, transform }: Frame,
  { box, rotation }: TurnedBox,
): LayerChange {
  const raw = layerAt(document, id);
  // a transform is in place of the rotation
  if (transform) return { id, fields: placeFields(raw, from, box) };
  const turned = next(raw.rotation, numberOf(raw.rotation) ?? 0, rotation);
  return { id, fields: { ...placeFields(raw, from, box), rotation: turned || undefined } };
}

/** Gives a layer another box. The layers of a group whose box is invisible are scaled with it. */
export function resizeChanges(
  document: EditorDocument,
  frames: Frames,
  id: NodeId,
  to: Box,
  exact: Exact,
): LayerChange[] {
  const { box: from, isLaidOut } = frames.get(id)!;
  const raw = layerAt(document, id);
  const fields = {
    ...(!isLaidOut && placeFields(raw, from, to)),
    width: next(raw.width, from.width, to.width),
    height: next(raw.height, from.height, to.height),
    ...outlineFields(raw, from, to),
  };
  const own = { id, fields };
  if (raw.type !== 'group' || isBoxed(raw)) return [own];
  const scale: Affine = { a: ratio(from.width, to.width), b: 0, c: 0, d: ratio(from.height, to.height), e: 0, f: 0 };
  const { children } = locate(document, id)!.node;
  const inner = children.flatMap((child) => {
    const frame = frames.get(child.id);
    return frame ? resizeChanges(document, frames, child.id, scaledInside(frame, scale, exact), exact) : [];
  });
  return [own, ...inner];
}

const ratio = (from: number, to: number): number => (from > 0 ? to / from : 1);

/** Scales points and paths, which are in pixels of the box. */
function outlineFields(raw: Json, from: Box, to: Box): Json {
  if (raw.type !== 'shape') return {};
  const isSame = from.width === to.width && from.height === to.height;
  if (raw.shapeType === 'polygon' && isList(raw.points)) {
    const [sx, sy] = [ratio(from.width, to.width), ratio(from.height, to.height)];
    const scaled = (point: unknown) =>
      isList(point) ? [rounded((numberOf(point[0]) ?? 0) * sx), rounded((numberOf(point[1]) ?? 0) * sy)] : point;
    return { points: isSame ? raw.points : raw.points.map(scaled) };
  }
  if (raw.shapeType === 'path' && raw.viewBox === undefined && from.width > 0 && from.height > 0) {
    return {
      viewBox: isSame ? undefined : [0, 0, from.width, from.height],
      preserveAspectRatio: isSame ? raw.preserveAspectRatio : 'none',
    };
  }
  return {};
}
