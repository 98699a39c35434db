// What is known of the group, or the canvas, around a layer before the layout: its fill, and its size where that is given.
import { background } from '../../contract/css/background.js';
import { gridPlace, type TrackSize, trackList } from '../../contract/css/grid.js';
import { parseColor } from '../../contract/css/parse-color.js';
import { lazily } from '../../contract/json/lazily.js';
import { parsePercentage } from '../../contract/layers/layout/flex.js';
import { hasLayout } from '../../contract/layers/nested-layers.js';
import { sides } from '../../contract/layers/shared.js';
import { isObject } from '../../contract/schema/fields.js';
import { completeFour } from '../../geometry/corners.js';
import type { Color } from '../../raster/color.js';
import { contrastTo, mixColors } from '../../raster/color-math.js';
import { type Background, fillColors, fillsOf } from '../../raster/fill.js';

/** Schemas take longer to make than to use. */
const [placeSchema, tracksSchema] = [lazily(() => gridPlace()), lazily(() => trackList())];

type Json = Readonly<Record<string, unknown>>;

export interface Parent {
  /** The fill behind the layer; undefined for none. */
  readonly fill: Color | undefined;
  /** Whether the fill is a group's. */
  readonly isGroup: boolean;
  readonly layout: 'row' | 'column' | 'grid' | undefined;
  /** Pixels of its content, or of the layer's area in a grid; undefined where layout decides. */
  readonly width: number | undefined;
  readonly height: number | undefined;
}

export const SIDES = ['width', 'height'] as const;

/** Texts on a canvas, or on a light one. */
const TEXT_COLOR = parseColor('#334155')!;
const WHITE_TEXT = '#ffffff';
/** Fills of less alpha are not seen as what is behind a layer. */
const MIN_ALPHA = 0.5;

export function canvasParent(fills: Background | undefined): Parent {
  const fill = fills && colorOf(fills);
  return { fill, isGroup: false, layout: undefined, width: undefined, height: undefined };
}

/** Texts that can be read on the group; on a canvas, those of white ones unless it is dark. */
export function textColor({ fill, isGroup }: Pick<Parent, 'fill' | 'isGroup'>): Color {
  if (!fill) return TEXT_COLOR;
  const contrast = contrastTo(fill);
  return isGroup || contrast === WHITE_TEXT ? parseColor(contrast)! : TEXT_COLOR;
}

/** About the colour of a raw background; undefined for none, or one that lets through what is behind. */
export function backgroundColorOf(raw: unknown): Color | undefined {
  const parsed = raw === undefined || raw === null ? undefined : background.safeParse(raw);
  return parsed?.success ? colorOf(parsed.data) : undefined;
}

/** About the colour of a background: the mean of a gradient's colours, and the uppermost fill that hides what is beneath. */
function colorOf(fills: Background): Color | undefined {
  for (const fill of fillsOf(fills)) {
    const colors = fillColors(fill);
    const [first, ...others] = colors;
    if (!first || colors.some(({ a }) => a < MIN_ALPHA)) continue;
    return others.reduce((mean, color, i) => mixColors(mean, color, 1 / (i + 2)), first);
  }
  return undefined;
}

/** What a raw group is to the layers in it, apart from the areas of a grid. */
export function parentOf(group: Json, parent: Parent): Parent {
  const own = backgroundColorOf(group.backgroundColor);
  const padding = sides().safeParse(group.padding ?? 0);
  const isLaidOut = hasLayout(group);
  const [top, right, bottom, left] = completeFour(padding.success && isLaidOut ? padding.data : [0]);
  const [width, height] = SIDES.map((side) => sizeOf(group[side], side, parent));
  return {
    fill: own ?? parent.fill,
    isGroup: own !== undefined || parent.isGroup,
    layout: isLaidOut ? (group.layout as Parent['layout']) : undefined,
    width: width === undefined ? undefined : Math.max(0, width - left - right),
    height: height === undefined ? undefined : Math.max(0, height - top - bottom),
  };
}

/** The pixels of a size; undefined if layout decides. */
export function sizeOf(size: unknown, side: (typeof SIDES)[number], parent: Parent): number | undefined {
  if (typeof size === 'number') return size;
  const whole = parent[side];
  if (typeof size !== 'string' || whole === undefined || parent.layout === undefined) return undefined;
  const part = parsePercentage(size);
  if (part) return Math.max(0, (whole * part.percent) / 100 + (part.pixels ?? 0));
  const fills = parent.layout === 'grid' || parent.layout === (side === 'width' ? 'column' : 'row');
  return size === 'fill' && fills ? whole : undefined;
}

/** What the group is to each of its layers, by their index: in a grid, sizes are those of their areas. */
export function parentsOf(group: Json, layers: readonly unknown[], own: Parent): (index: number) => Parent {
  if (own.layout !== 'grid') return () => own;
  const [between, beside] = gaps(group.gap);
  const columns = axisOf(group.gridTemplateColumns, own.width, beside);
  const rows = axisOf(group.gridTemplateRows, own.height, between);
  // the places of layers without lines are known where each takes the next cell
  const isInOrder = (group.gridAutoFlow ?? 'row') === 'row' && layers.every(isPlain);
  const count = Math.max(1, columns.sizes.length);
  return (i) => {
    const layer = layers[i];
    const { gridColumn, gridRow, position } = isObject(layer) ? layer : {};
    if (position === 'absolute') return own;
    const width = areaSize(columns, gridColumn, isInOrder ? i % count : undefined);
    const height = areaSize(rows, gridRow, isInOrder ? Math.floor(i / count) : undefined);
    return { ...own, width, height };
  };
}

function isPlain(layer: unknown): boolean {
  if (!isObject(layer)) return false;
  const { gridColumn, gridRow, position, order } = layer;
  return [gridColumn, gridRow, position, order].every((field) => field === undefined || field === null);
}

/** `gap`: between rows, and between columns. */
function gaps(gap: unknown): readonly [number, number] {
  const [rows, columns = rows] = (Array.isArray(gap) ? gap : [gap]).map((each) =>
    typeof each === 'number' ? each : 0,
  );
  return [rows, columns];
}

/** The tracks of a grid's template along an axis. */
interface Axis {
  /** Pixels; undefined for those that content decides. */
  readonly sizes: readonly (number | undefined)[];
  readonly gap: number;
}

function axisOf(template: unknown, room: number | undefined, gap: number): Axis {
  const parsed = template === undefined || template === null ? undefined : tracksSchema().safeParse(template);
  const list = parsed?.success ? parsed.data : undefined;
  if (!list || list.fill) return { sizes: [], gap };
  const fixed = list.tracks.map((track) => fixedSize(track, room));
  const parts = list.tracks.map(({ max }) => (typeof max === 'object' && 'fr' in max ? max.fr : 0));
  const isKnown = room !== undefined && fixed.every((size, i) => size !== undefined || parts[i] > 0);
  if (!isKnown) return { sizes: fixed, gap };
  const taken = fixed.reduce<number>((sum, size) => sum + (size ?? 0), gap * (fixed.length - 1));
  // fractions that make less than 1 together leave room
  const whole = Math.max(
    1,
    parts.reduce((sum, part) => sum + part, 0),
  );
  return { sizes: fixed.map((size, i) => size ?? (Math.max(0, room - taken) * parts[i]) / whole), gap };
}

function fixedSize({ min, max, limit }: TrackSize, room: number | undefined): number | undefined {
  const pixels = (size: TrackSize['max']): number | undefined => {
    if (typeof size === 'number') return size;
    return typeof size === 'object' && 'percent' in size && room !== undefined
      ? (room * size.percent) / 100
      : undefined;
  };
  const [least, most] = [pixels(min), pixels(max)];
  return limit === undefined && least !== undefined && least === most ? least : undefined;
}

/** The size of the area of a layer with this place; `next`: the index of its track without one. */
function areaSize({ sizes, gap }: Axis, place: unknown, next: number | undefined): number | undefined {
  const parsed = placeSchema().safeParse(place ?? undefined);
  if (!parsed.success) return undefined;
  const { start, end, span } = parsed.data ?? { span: 1 };
  const line = (number: number) => (number > 0 ? number - 1 : sizes.length + 1 + number);
  let first = start === undefined ? undefined : line(start);
  let last = end === undefined ? undefined : line(end);
  if (first === undefined && last === undefined) {
    // tracks of one size are as good as each other
    const isUniform = sizes.length > 0 && sizes.every((size) => size === sizes[0]);
    first = isUniform ? 0 : next;
  }
  first ??= last === undefined ? undefined : last - span;
  if (first === undefined) return undefined;
  last ??= first + span;
  const tracks = sizes.slice(Math.max(0, first), last);
  if (first < 0 || tracks.length < last - first || tracks.length === 0) return undefined;
  const total = tracks.reduce<number>((sum, size) => sum + (size ?? Number.NaN), gap * (tracks.length - 1));
  return Number.isNaN(total) ? undefined : total;
}
