// What gestures write into layers: fields that give them other boxes. Always from the document that the gesture began with, so
// that a layer that comes back to its place has the very fields that it had.
import type { Affine } from '../../lib/geometry/affine.js';
import { type LayerChange, layerAt, rounded } from '../document/commands.js';
import { type EditorDocument, locate, type NodeId } from '../document/document.js';
import { isList, type Json, numberOf } from '../document/json.js';
import type { Box, Frame, Frames, Point } from './geometry/frames.js';
import { isBoxed } from './geometry/hit.js';
import { type Exact, movedBox, scaledInside, type TurnedBox } from './geometry/transform.js';

/** The layers at another place. */
export function moveChanges(document: EditorDocument, frames: readonly Frame[], distance: Point): LayerChange[] {
  return frames.map((frame) => {
    const { x, y } = movedBox(frame, distance);
    return { id: frame.id, fields: placeFields(layerAt(document, frame.id), frame.box, { x, y }) };
  });
}

const placeFields = (raw: Json, from: Point, to: Point): Json => ({
  x: to.x === from.x ? raw.x : to.x,
  y: to.y === from.y ? raw.y : to.y,
});

export function turnChange(
  document: EditorDocument,
  { id, box: from }: Frame,
  { box, rotation }: TurnedBox,
): LayerChange {
  const raw = layerAt(document, id);
  const isBack = rotation === (numberOf(raw.rotation) ?? 0);
  return { id, fields: { ...placeFields(raw, from, box), rotation: isBack ? raw.rotation : rotation || undefined } };
}

/** The layer in another box. The layers in a group whose own box is not seen grow with it. */
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
    width: to.width === from.width ? raw.width : to.width,
    height: to.height === from.height ? raw.height : to.height,
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

/** Points and paths are in pixels of the box: they grow with it. */
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
