// Finds the place of layers on the canvas, and the fields that keep them there when they move into another group. Takes plain
// numbers from the record, which is up to date, and what a layout or a text decides from the picture.
import { layerAt, recordValue, rounded } from './commands.js';
import { type EditorDocument, type Located, locate, type NodeId } from './document.js';
import { type Json, numberOf } from './json.js';

/** `[x, y, width, height]` */
export type Box = readonly [x: number, y: number, width: number, height: number];

/** A transform in the order of CSS `matrix(a, b, c, d, e, f)`. */
export type Matrix = readonly [a: number, b: number, c: number, d: number, e: number, f: number];

export type Point = readonly [x: number, y: number];

/** The place of a layer in the picture. */
export interface Placement {
  readonly box: Box;
  /** Maps the coordinates of `box`, after rotation and flip, to canvas pixels. */
  readonly transform: Matrix;
}

export type Placements = ReadonlyMap<NodeId, Placement>;

/** A layer's place in the picture, perhaps without the map to the canvas. */
export type DrawnBox = Pick<Placement, 'box'> & Partial<Placement>;

/** Composes two transforms: `first` applies before `then`. */
export function compose([a, b, c, d, e, f]: Matrix, [A, B, C, D, E, F]: Matrix): Matrix {
  return [A * a + C * b, B * a + D * b, A * c + C * d, B * c + D * d, A * e + C * f + E, B * e + D * f + F];
}

export const transformed = ([a, b, c, d, e, f]: Matrix, [x, y]: Point): Point => [a * x + c * y + e, b * x + d * y + f];

/** Inverts a matrix; undefined if it is singular. */
export function inverse([a, b, c, d, e, f]: Matrix): Matrix | undefined {
  const determinant = a * d - b * c;
  if (determinant === 0 || !Number.isFinite(determinant)) return undefined;
  const [A, B, C, D] = [d / determinant, -b / determinant, -c / determinant, a / determinant];
  return [A, B, C, D, -(A * e + C * f), -(B * e + D * f)];
}

const translation = (x: number, y: number): Matrix => [1, 0, 0, 1, x, y];

/** The map that a layer's CSS transform makes of its box, which is in the coordinates of its group. */
export type OwnTransform = (box: Box) => Matrix;

/**
 * Finds the map of the layer's CSS transform in the picture; undefined if it has none. Where another size would move the
 * transform's origin, it does so in the next picture.
 */
export function drawnTransform(
  document: EditorDocument,
  drawn: ReadonlyMap<NodeId, DrawnBox>,
  id: NodeId,
  group: NodeId | undefined,
): OwnTransform | undefined {
  const { transform, box } = drawn.get(id) ?? {};
  if (typeof layerAt(document, id).transform !== 'string' || !transform || !box) return undefined;
  const outer = group === undefined ? undefined : drawn.get(group);
  const inGroup = translation(outer?.box[0] ?? 0, outer?.box[1] ?? 0);
  const space = outer?.transform ? compose(inGroup, outer.transform) : spaceOf(document, new Map(), undefined);
  const back = inverse(space);
  if (!back) return undefined;
  const map = compose(compose(inGroup, transform), back);
  const [left, top] = [box[0] - inGroup[4], box[1] - inGroup[5]];
  return ([x, y]) => compose(compose(translation(left - x, top - y), map), translation(x - left, y - top));
}

/** The layer's flip and then its rotation, about the centre of the box. */
function turnOf({ rotation, flip }: Json, [x, y, width, height]: Box): Matrix {
  const angle = ((numberOf(rotation) ?? 0) * Math.PI) / 180;
  const [cos, sin] = [Math.cos(angle), Math.sin(angle)];
  const [mirrorX, mirrorY] = [flip === 'x' || flip === 'both' ? -1 : 1, flip === 'y' || flip === 'both' ? -1 : 1];
  const [centerX, centerY] = [x + width / 2, y + height / 2];
  const turn: Matrix = [cos * mirrorX, sin * mirrorX, -sin * mirrorY, cos * mirrorY, 0, 0];
  return compose(compose(translation(-centerX, -centerY), turn), translation(centerX, centerY));
}

/** Whether the layers of the group are laid out as a row, a column, blocks or a grid. */
export const hasLayout = ({ layout }: Json): boolean => ['row', 'column', 'block', 'grid'].includes(String(layout));

/** The direction in which a group's layout places layers one after the other: along x in rows, and in grids that fill rows. */
export const flowAxis = ({ layout, gridAutoFlow }: Json): 'x' | 'y' =>
  layout === 'column' || layout === 'block' || (layout === 'grid' && String(gridAutoFlow).startsWith('column'))
    ? 'y'
    : 'x';

/** Whether the layer's place follows from its group's layout. */
export function isLaidOut({ node, ancestors }: Located): boolean {
  const group = ancestors.at(-1);
  return group !== undefined && hasLayout(group.raw) && node.raw.position !== 'absolute';
}

/** Maps the coordinates of a group's layers, or of the canvas, to canvas pixels. */
export function spaceOf(document: EditorDocument, placements: Placements, group: NodeId | undefined): Matrix {
  if (group === undefined) {
    const scale = numberOf(recordValue(document, ['scale'])) ?? 1;
    return [scale, 0, 0, scale, 0, 0];
  }
  const { box, transform } = placementOf(document, placements, group);
  return compose(translation(box[0], box[1]), transform);
}

/** Finds the layer's place in the present document. */
export function placementOf(document: EditorDocument, placements: Placements, id: NodeId): Placement {
  const located = locate(document, id);
  const drawn = placements.get(id);
  const raw = layerAt(document, id);
  const own = [raw.x, raw.y, raw.width, raw.height].map(numberOf);
  const isKnown = own.every((each) => each !== undefined) && located && !isLaidOut(located);
  if (drawn && !isKnown) return drawn;
  const [x = 0, y = 0, width = drawn?.box[2] ?? 0, height = drawn?.box[3] ?? 0] = own;
  const box: Box = [x, y, width, height];
  const group = located?.ancestors.at(-1)?.id;
  const turn = drawnTransform(document, placements, id, group)?.(box) ?? turnOf(raw, box);
  return { box, transform: compose(turn, spaceOf(document, placements, group)) };
}

const cornersOf = ({ box: [x, y, width, height], transform }: Placement): Point[] =>
  [
    [x, y],
    [x + width, y],
    [x, y + height],
    [x + width, y + height],
  ].map(([right, down]) => transformed(transform, [right!, down!]));

/** Finds the box around layers, in the coordinates of a group or of the canvas. */
export function boundsOf(
  document: EditorDocument,
  placements: Placements,
  ids: readonly NodeId[],
  group?: NodeId | undefined,
): Box | undefined {
  const back = inverse(spaceOf(document, placements, group));
  if (!back || ids.length === 0) return undefined;
  const points = ids.flatMap((id) => cornersOf(placementOf(document, placements, id)));
  const inside = points.map((point) => transformed(back, point));
  const [xs, ys] = [inside.map(([x]) => x), inside.map(([, y]) => y)];
  const [left, top] = [Math.min(...xs), Math.min(...ys)];
  return [left, top, Math.max(...xs) - left, Math.max(...ys) - top];
}

/** The angle in degrees by which a transform rotates. */
const angleOf = ([a, b]: Matrix): number => (Math.atan2(b, a) * 180) / Math.PI;

export interface NewSpace {
  /** Maps the group's coordinates to canvas pixels. */
  readonly space: Matrix;
  /** Whether a layout places the layers. */
  readonly hasLayout: boolean;
}

/** Fields that only layers in a group with a layout have. */
const ITEM_FIELDS = [
  ...['position', 'inset', 'order', 'grow', 'shrink', 'margin'],
  ...['alignSelf', 'justifySelf', 'gridColumn', 'gridRow'],
];

/** Finds the fields that keep a layer at its place on the canvas when it moves to another group. */
export function fieldsIn(document: EditorDocument, placements: Placements, id: NodeId, to: NewSpace): Json {
  const located = locate(document, id);
  const back = inverse(to.space);
  if (!located || !back) return {};
  const { raw } = located.node;
  if (to.hasLayout) {
    return raw.position === 'absolute' ? {} : { x: undefined, y: undefined };
  }
  const from = spaceOf(document, placements, located.ancestors.at(-1)?.id);
  const placement = placementOf(document, placements, id);
  const [x, y, width, height] = placement.box;
  const own = drawnTransform(document, placements, id, located.ancestors.at(-1)?.id);
  // rotation and flip leave the centre where it is
  const [middleX, middleY] = own
    ? transformed(own([0, 0, width, height]), [width / 2, height / 2])
    : [width / 2, height / 2];
  const [centerX, centerY] = transformed(back, transformed(placement.transform, [x + width / 2, y + height / 2]));
  const place = { x: rounded(centerX - middleX), y: rounded(centerY - middleY) };
  const turn = angleOf(from) - angleOf(to.space);
  const rotation = rounded((numberOf(raw.rotation) ?? 0) + turn);
  return {
    ...place,
    ...(Math.abs(turn) > 0.001 && !own && { rotation: rotation === 0 ? undefined : rotation }),
    ...(hasLayout(located.ancestors.at(-1)?.raw ?? {}) && ownSize(raw, width, height)),
  };
}

/** Writes sizes that a layout decides as numbers, and drops the fields that the layout reads. */
function ownSize(raw: Json, width: number, height: number): Json {
  // texts and groups with a layout have the size of their content anywhere
  const hasAuto = raw.type === 'text' || raw.type === 'table' || (raw.type === 'group' && hasLayout(raw));
  const isFree = (size: unknown) => typeof size === 'number' || (size === 'auto' && hasAuto);
  const unread = ITEM_FIELDS.filter((field) => raw[field] !== undefined && !hasOtherMeaning(raw, field));
  return {
    ...(!isFree(raw.width) && { width: rounded(width) }),
    ...(!isFree(raw.height) && { height: rounded(height) }),
    ...Object.fromEntries(unread.map((field) => [field, undefined])),
  };
}

/**
 * Whether the field means something else for this type: `margin` is the quiet zone of a code, `position` the visible part of a
 * picture.
 */
const hasOtherMeaning = ({ type, position }: Json, field: string): boolean =>
  field === 'margin'
    ? type === 'qrcode' || type === 'barcode'
    : field === 'position' && type === 'image' && position !== 'absolute';
