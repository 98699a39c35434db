// Walks through groups. A layer's descendants come right after it, in drawing order.
import { joinPath } from '../issues.js';

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

/** Whether a raw or parsed layer is a group that lays its layers out. */
export function hasLayout(layer: unknown): boolean {
  if (typeof layer !== 'object' || layer === null) return false;
  const { type, layout } = layer as MaybeGroup;
  return type === 'group' && (layout === 'row' || layout === 'column');
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
  /** Whether its group lays it out. */
  readonly isLaidOut: boolean;
}

/** Every layer and the layers in it. `name`: the path of the list. */
export function* walkLayers<Layer>(
  layers: readonly Layer[],
  name = 'layers',
  depth = 0,
  isLaidOut = false,
): Generator<NestedLayer<Layer>> {
  for (const [index, layer] of layers.entries()) {
    const path = joinPath(name, index);
    yield { layer, path, depth, isLaidOut };
    // one level more than is allowed, so that the last is reported
    if (depth > MAX_GROUP_DEPTH) continue;
    const children = childrenOf(layer) as readonly Layer[];
    if (children.length > 0) yield* walkLayers(children, `${path}.layers`, depth + 1, hasLayout(layer));
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
