// Walks through groups. A layer's descendants come right after it, in drawing order.
import { joinPath } from '../messages/issues.js';

const TYPES: readonly unknown[] = ['text', 'image', 'shape', 'qrcode', 'barcode', 'icon', 'group', 'chart', 'table'];

/** The layouts of groups that lay their layers out. */
const LAYOUTS: readonly unknown[] = ['row', 'column', 'block', 'grid', 'table'];

/** Maximum groups inside each other. */
export const MAX_GROUP_DEPTH = 16;

/** A layer, raw or parsed, that may be a group. */
interface MaybeGroup {
  readonly type?: unknown;
  readonly layers?: unknown;
  readonly layout?: unknown;
}

/** A raw layer's own layers; empty unless it is a group. */
export function childrenOf(layer: unknown): readonly unknown[] {
  if (typeof layer !== 'object' || layer === null) return [];
  const { type, layers } = layer as MaybeGroup;
  return type === 'group' && Array.isArray(layers) ? layers : [];
}

/** A layer in a cell of a raw table. */
export interface CellLayer {
  readonly layer: unknown;
  /** Within the table: `columns[1].cell`, `footer[0].cell`. */
  readonly field: string;
  /** Whether it is drawn for each row. */
  readonly isRow: boolean;
}

/** The layers in the cells of a raw table; empty for other layers. */
export function cellLayers(layer: unknown): readonly CellLayer[] {
  if (typeof layer !== 'object' || layer === null || (layer as MaybeGroup).type !== 'table') return [];
  const { columns, footer } = layer as { readonly columns?: unknown; readonly footer?: unknown };
  const found: CellLayer[] = [];
  const visit = (list: unknown, field: string, depth: number) => {
    if (!Array.isArray(list)) return;
    list.forEach((each: unknown, i) => {
      const at = `${field}[${i}]`;
      if (Array.isArray(each) && depth > 0) visit(each, at, depth - 1);
      const cell = typeof each === 'object' && each !== null ? (each as { readonly cell?: unknown }).cell : undefined;
      if (cell !== undefined && cell !== null) {
        found.push({ layer: cell, field: `${at}.cell`, isRow: list === columns });
      }
    });
  };
  visit(columns, 'columns', 0);
  visit(footer, 'footer', 1);
  return found;
}

/** Whether a raw or parsed layer is a group that lays its layers out. */
export function hasLayout(layer: unknown): boolean {
  if (typeof layer !== 'object' || layer === null) return false;
  const { type, layout } = layer as MaybeGroup;
  return type === 'group' && LAYOUTS.includes(layout);
}

/** Whether a raw or parsed layer is a group that lays its layers out in columns and rows: a grid or a table. */
export function isGrid(layer: unknown): boolean {
  return hasLayout(layer) && ['grid', 'table'].includes(String((layer as MaybeGroup).layout));
}

/**
 * Whether a raw group lays its layers out; undefined if its `layout` is wrong or missing, and the places of its layers can't
 * be checked before it is mended.
 */
export function readLayout(layer: unknown): boolean | undefined {
  if (typeof layer !== 'object' || layer === null || (layer as MaybeGroup).type !== 'group') return false;
  const { layout } = layer as MaybeGroup;
  if (layout === undefined || layout === null) return needsLayout(layer) ? undefined : false;
  return layout === 'none' ? false : hasLayout(layer) || undefined;
}

/** Whether a raw group has no layout, and none of its layers, all of known types, has a place: the layout was forgotten. */
export function needsLayout(group: object): boolean {
  const { layout } = group as MaybeGroup;
  const layers = childrenOf(group);
  if ((layout !== undefined && layout !== null) || layers.length === 0) return false;
  return layers.every((layer) => {
    if (typeof layer !== 'object' || layer === null) return false;
    const { type, x, y } = layer as { readonly type?: unknown; readonly x?: unknown; readonly y?: unknown };
    if (!TYPES.includes(type)) return false;
    return (x === undefined || x === null) && (y === undefined || y === null);
  });
}

/** The number of layers, those in groups included; stops counting above `max`. */
export function countLayers(layers: readonly unknown[], max: number): number {
  let count = 0;
  const visit = (list: readonly unknown[], depth: number) => {
    count += list.length;
    // values from a library's caller may hold themselves
    if (count > max || depth > MAX_GROUP_DEPTH) return;
    for (const layer of list) visit(childrenOf(layer), depth + 1);
  };
  visit(layers, 0);
  return count;
}

export interface NestedLayer<Layer> {
  readonly layer: Layer;
  /** `layers[2].layers[0]`. */
  readonly path: string;
  /** The groups that it is in. */
  readonly depth: number;
  /** Whether its group lays it out, as `readLayout` says. */
  readonly isLaidOut: boolean | undefined;
  /** Whether it does so as a grid. */
  readonly isInGrid?: boolean | undefined;
}

/** Every layer and the layers in it. `name`: the path of the list. */
export function* walkLayers<Layer>(
  layers: readonly Layer[],
  name = 'layers',
  place: Pick<NestedLayer<Layer>, 'depth' | 'isLaidOut' | 'isInGrid'> = { depth: 0, isLaidOut: false },
): Generator<NestedLayer<Layer>> {
  for (const [index, layer] of layers.entries()) {
    const path = joinPath(name, index);
    yield { layer, path, ...place };
    // one level more than is allowed, so that the last is reported
    if (place.depth > MAX_GROUP_DEPTH) continue;
    const children = childrenOf(layer) as readonly Layer[];
    if (children.length > 0) {
      const inside = { depth: place.depth + 1, isLaidOut: readLayout(layer), isInGrid: isGrid(layer) };
      yield* walkLayers(children, `${path}.layers`, inside);
    }
  }
}

/**
 * The layers with `change` made in each, groups after the layers in them are changed. `original`: the layer before the layers
 * in it were changed.
 */
export function mapLayers<Layer>(layers: readonly Layer[], change: (layer: Layer, original: Layer) => Layer): Layer[] {
  return layers.map((layer) => {
    const children = childrenOf(layer) as readonly Layer[];
    return change(children.length === 0 ? layer : { ...layer, layers: mapLayers(children, change) }, layer);
  });
}
