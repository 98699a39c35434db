// Breaks a scene into pages where the layers of a group that flows fill it. Each page is a copy of the scene that hides the
// layers of the others, so that it is laid out as any scene.
import type { GroupLayer, Layer } from '../contract/layers/index.js';
import { MAX_PAGES } from '../contract/layers/output-size.js';
import { RenderError, type Warning } from '../errors.js';
import { completeFour } from '../geometry/corners.js';
import type { Scene } from '../templates/scene.js';
import type { LoadContext } from './context.js';
import { type GridPart, gridRows, hasRows, partOf, withRows } from './grid-rows.js';
import { layOut } from './lay-out.js';
import { Report } from './report.js';

/** A page of a scene. */
export interface ScenePage {
  readonly scene: Scene;
  readonly warnings: readonly Warning[];
  /** The path that layout warns of, too, because a layer is taller than the page. */
  readonly cutIn?: string | undefined;
}

/** The layers of a group on a page by their index: whole, or some layers of a group, or rows of a grid. */
type Visible = Map<number, Visible | GridPart | 'whole'>;

/** A layer that is too tall for a page, by its indices in the group that flows. */
interface Cut {
  readonly indices: readonly number[];
  readonly height: number;
}

/** The pages of a scene: one, unless a group flows. Loads fonts and the sizes of pictures to find the breaks. */
export async function breakPages(scene: Scene, context: LoadContext): Promise<ScenePage[]> {
  const path = pathToFlow(scene.layers);
  if (!path) return [{ scene, warnings: [] }];
  const [top, ...rest] = path;
  const report = new Report(scene.layers[top], scene.origins[top], context.verify);
  const measured = await layOut([changeGroup(scene.layers[top], rest, unshrinking)], scene.canvas, [report], {
    ...context,
    fonts: new Set<string>(),
    familyFiles: scene.familyFiles,
  });
  const flow = groupAt(measured.layers[0], rest);
  const breaks = new Breaks(flow);
  breaks.visit(flow);
  const { pages, cuts } = breaks;
  if (pages.length === 1 && cuts.size === 0) return [{ scene, warnings: [] }];
  const reportAt = (indices: readonly number[]) =>
    indices.reduce<[Report, Layer]>(
      ([found, layer], i) => {
        const child = (layer as GroupLayer).layers[i];
        return [found.of(child, i), child];
      },
      [report, scene.layers[top]],
    )[0];
  if (pages.length > MAX_PAGES) {
    const message = `fills ${pages.length} pages, expected at most ${MAX_PAGES}`;
    const detail = reportAt(rest).locate({ code: 'limit_exceeded', field: '', message });
    throw new RenderError('render_failed', `${detail.path}: ${detail.message}`, { details: [detail] });
  }
  const room = Math.round(breaks.room);
  return pages.map((visible, page) => {
    const cut = cuts.get(visible);
    const change = (group: GroupLayer) => ({ ...onPage(unshrinking(group), visible), ...(cut && { clip: true }) });
    const layers = scene.layers.map((layer, i) => {
      if (i === top) return changeGroup(layer, rest, change, page > 0);
      return page === 0 || layer.repeatOnPages || scene.origins[i].fillsCanvas ? layer : hidden(layer);
    });
    const message = cut && `is ${Math.round(cut.height)} px tall, and a page has room for ${room}: it is cut off`;
    return {
      scene: { ...scene, layers },
      warnings: cut
        ? [reportAt([...rest, ...cut.indices]).locate({ code: 'page_overflow', field: '', message: message! })]
        : [],
      cutIn: cut && reportAt(rest).locate({ code: 'page_overflow', field: 'layers', message: '' }).path,
    };
  });
}

/** What is warned of on pages, of which `found` has the warnings of each. A layer that is on several of them warns once. */
export function pageWarnings(pages: readonly ScenePage[], found: readonly (readonly Warning[])[]): Warning[] {
  const all = pages.flatMap(({ warnings, cutIn }, i) => [
    ...warnings,
    ...found[i].filter(({ code, path }) => code !== 'layout_overflow' || path !== cutIn),
  ]);
  return [...new Map(all.map((warning) => [`${warning.code} ${warning.path} ${warning.message}`, warning])).values()];
}

/** Whether the layers have a group that flows. */
export function flows(layers: readonly Layer[]): boolean {
  return pathToFlow(layers) !== undefined;
}

/** The indices that lead to the group that flows. */
function pathToFlow(layers: readonly Layer[]): readonly [number, ...number[]] | undefined {
  for (const [i, layer] of layers.entries()) {
    if (layer.type !== 'group' || !layer.visible) continue;
    if (layer.paginate) return [i];
    const nested = pathToFlow(layer.layers);
    if (nested) return [i, ...nested];
  }
  return undefined;
}

function groupAt(layer: Layer, [first, ...rest]: readonly number[]): GroupLayer {
  const group = layer as GroupLayer;
  return first === undefined ? group : groupAt(group.layers[first], rest);
}

/** The layer with a group in it changed. `isLater`: beside the way to the group, only layers stay that repeat on pages. */
function changeGroup(
  layer: Layer,
  [first, ...rest]: readonly number[],
  change: (group: GroupLayer) => GroupLayer,
  isLater = false,
): GroupLayer {
  const group = layer as GroupLayer;
  if (first === undefined) return change(group);
  const layers = group.layers.map((each, i) => {
    if (i === first) return changeGroup(each, rest, change, isLater);
    return isLater && !each.repeatOnPages ? hidden(each) : each;
  });
  return { ...group, layers };
}

/** The group, whose layers keep their height when they don't fit, and begin at its top. */
function unshrinking(group: GroupLayer): GroupLayer {
  return { ...group, justifyContent: 'start', layers: group.layers.map((layer) => ({ ...layer, shrink: 0 })) };
}

function onPage(group: GroupLayer, visible: Visible): GroupLayer {
  const layers = group.layers.map((layer, i) => {
    const part = visible.get(i);
    if (part === undefined) return hidden(layer);
    if (part === 'whole') return layer;
    const inner = layer as GroupLayer;
    return 'rows' in part ? withRows(inner, part, hidden) : onPage(inner, part);
  });
  return { ...group, layers };
}

function hidden<Each extends Layer>(layer: Each): Each {
  return { ...layer, visible: false };
}

/** Pixels by which a page may be too full: layout counts in 64ths. */
const TOLERANCE = 1 / 16;

/** Finds the pages of a group that was laid out: fills one after the other. */
class Breaks {
  readonly pages: Visible[] = [];
  /** The layers that are taller than a page, by their page. */
  readonly cuts = new Map<Visible, Cut>();
  /** Pixels for layers on a page. */
  readonly room: number;
  /** Pixels that are taken on the current page, and that the ends of open groups need. */
  private taken = 0;
  private reserved = 0;
  private isEmpty = true;
  /** The open groups, with the pixels above their layers, and what of them is on the current page. */
  private readonly open: { readonly index: number; readonly above: number }[] = [];
  private levels: Visible[] = [];

  constructor(flow: GroupLayer) {
    const [top, , bottom] = completeFour(flow.padding);
    this.room = flow.height - top - bottom;
    this.turn();
  }

  /** Adds the layers of the group that was opened last. */
  visit(group: GroupLayer): void {
    const level = this.levels.length - 1;
    for (const [index, layer] of group.layers.entries()) {
      if (!layer.visible) continue;
      if (layer.isAbsolute) this.levels[level].set(index, 'whole');
      else this.add(layer, index, this.levels[level].size > 0 ? group.gap[0] : 0);
    }
  }

  private add(layer: Layer, index: number, gap: number): void {
    const [before, , after] = outerMargins(layer);
    const height = before + layer.height + after;
    const most = this.room - this.reserved + TOLERANCE;
    const above = this.open.reduce((sum, each) => sum + each.above, 0);
    const fitsPage = above + height <= most;
    if (this.taken + gap + height > most) {
      if (!fitsPage && isBreakable(layer)) {
        if (layer.layout === 'grid') this.splitGrid(layer, index, gap);
        else this.split(layer, index, gap);
        return;
      }
      if (!this.isEmpty) this.turn();
      if (!fitsPage) {
        const indices = [...this.open.map((each) => each.index), index];
        this.cuts.set(this.pages[this.pages.length - 1], { indices, height });
      }
    } else this.taken += gap;
    this.taken += height;
    this.isEmpty = false;
    this.levels[this.levels.length - 1].set(index, 'whole');
  }

  /** Breaks a group between its layers. */
  private split(group: GroupLayer, index: number, gap: number): void {
    const [before, , after] = outerMargins(group);
    const [top, , bottom] = completeFour(group.padding);
    const above = before + top;
    const below = bottom + after;
    const first = group.layers.find((layer) => layer.visible && !layer.isAbsolute);
    const least = gap + above + (first ? first.height : 0) + below;
    if (!this.isEmpty && this.taken + least > this.room - this.reserved) this.turn();
    else this.taken += gap;
    this.taken += above;
    this.reserved += below;
    this.open.push({ index, above });
    this.openLevel(index);
    this.visit(group);
    this.open.pop();
    this.levels.pop();
    this.reserved -= below;
    this.taken += below;
  }

  /** Breaks a grid between its rows. Those that repeat are on each page. */
  private splitGrid(group: GroupLayer, index: number, gap: number): void {
    const [before, , after] = outerMargins(group);
    const [top, , bottom] = completeFour(group.padding);
    const { rows, heads, headHeight } = gridRows(group);
    const first = rows.find((row) => !row.isHead);
    const [above, below] = [before + top, bottom + after];
    const least = gap + above + headHeight + (first?.height ?? 0) + below;
    if (!this.isEmpty && this.taken + least > this.room - this.reserved) this.turn();
    else this.taken += gap;
    this.reserved += below;
    const begin = (visible: readonly number[]): GridPart => {
      const part = partOf(group, visible);
      this.levels[this.levels.length - 1].set(index, part);
      this.taken += above;
      this.isEmpty = false;
      return part;
    };
    let part = begin([]);
    let hasBody = false;
    for (const { row, height, isHead, index: cell } of rows) {
      const space = part.rows.length > 0 ? group.gap[0] : 0;
      const most = this.room - this.reserved + TOLERANCE;
      if (hasBody && this.taken + space + height > most) {
        this.turn();
        part = begin(heads);
        this.taken += headHeight;
        hasBody = false;
      } else this.taken += space;
      if (!hasBody && !isHead && this.taken + height > most) {
        const indices = [...this.open.map((each) => each.index), index, cell];
        this.cuts.set(this.pages[this.pages.length - 1], { indices, height });
      }
      this.taken += height;
      part.rows.push(row);
      hasBody ||= !isHead;
    }
    this.reserved -= below;
    this.taken += below;
  }

  private openLevel(index: number): void {
    const visible: Visible = new Map();
    this.levels[this.levels.length - 1].set(index, visible);
    this.levels.push(visible);
  }

  /** Begins a page, on which the open groups continue. */
  private turn(): void {
    const page: Visible = new Map();
    this.pages.push(page);
    this.levels = [page];
    this.taken = 0;
    this.isEmpty = true;
    for (const { index, above } of this.open) {
      this.openLevel(index);
      this.taken += above;
    }
  }
}

/** The margins of a layer in a group with a layout: top, right, bottom, left. */
function outerMargins(layer: Layer): readonly number[] {
  // a code's margin is its quiet zone
  if (layer.type === 'qrcode' || layer.type === 'barcode' || layer.margin === undefined) return [0, 0, 0, 0];
  return completeFour(layer.margin).map((side) => (side === 'auto' ? 0 : side));
}

/** Whether a page may end within the layer. */
function isBreakable(layer: Layer): layer is GroupLayer {
  if (layer.type !== 'group' || layer.keepTogether || layer.wrapItems) return false;
  if (layer.extents?.height !== 'auto') return false;
  return layer.layout === 'column' || hasRows(layer);
}
