// Makes groups of charts and tables among expanded layers, once it is known how large the groups around them are and what fills
// them.
import { isObject } from '../../contract/schema/fields.js';
import type { Background } from '../../raster/fill.js';
import type { OriginalLayer, Resolver, Surroundings } from '../resolver.js';
import { ChartExpansion, type ChartOptions } from './charts.js';
import { canvasParent, type Parent, parentOf, parentsOf } from './parent.js';
import type { TableExpansionOptions } from './table-rows.js';
import { TableExpansion } from './tables.js';

export interface GroupOptions extends ChartOptions, TableExpansionOptions {}

export class GroupExpansion {
  /** Charts and tables without their layers, with the names that their formats see. */
  readonly #pending = new Map<object, Surroundings>();
  readonly #charts: ChartExpansion;
  readonly #tables: TableExpansion;

  constructor(options: GroupOptions, resolver: Resolver, countLayer: (path: string) => void) {
    this.#charts = new ChartExpansion(options, resolver, countLayer);
    this.#tables = new TableExpansion(options, resolver, countLayer);
  }

  /** Notes a chart or table whose fields have their values. */
  add(layer: object, around: Surroundings): void {
    this.#pending.set(layer, around);
  }

  /** The layers with groups in place of charts and tables. `behind`: the fill of the canvas. */
  expandAll(layers: readonly OriginalLayer[], behind: Background | undefined): OriginalLayer[] {
    if (this.#pending.size === 0) return [...layers];
    const canvas = canvasParent(behind);
    return layers.map((each) => this.#replaced(each, () => canvas));
  }

  #replaced(original: OriginalLayer, findParent: () => Parent): OriginalLayer {
    const { layer, origin } = original;
    if (!isObject(layer)) return original;
    const around = this.#pending.get(layer);
    if (!around && layer.type !== 'group') return original;
    const parent = findParent();
    if (!around) return this.#withLayers(original, parent);
    if (layer.type === 'table') return this.#withLayers(this.#tables.groupOf(layer, origin, parent, around), parent);
    return { layer: this.#charts.groupOf(layer, origin.path, parent, around), origin };
  }

  /** A group with groups in place of the charts and tables in it. */
  #withLayers(original: OriginalLayer, parent: Parent): OriginalLayer {
    const { layer, origin } = original;
    if (!isObject(layer) || layer.type !== 'group' || !Array.isArray(layer.layers)) return original;
    const list: readonly unknown[] = layer.layers;
    const parentAt = parentsOf(layer, list, parentOf(layer, parent));
    const children = list.map((child, i) =>
      this.#replaced({ layer: child, origin: origin.layers?.[i] ?? { path: `${origin.path}.layers[${i}]` } }, () =>
        parentAt(i),
      ),
    );
    const origins = origin.layers && children.map((child) => child.origin);
    return {
      layer: { ...layer, layers: children.map((child) => child.layer) },
      origin: { ...origin, ...(origins && { layers: origins }) },
    };
  }
}
