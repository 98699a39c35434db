// Paints small parts of the scene: windows of at most 256 pixels, for what has to be seen and can't be told from boxes.
import type { GroupLayer } from '../contract/layers/index.js';
import { intersect, isEmpty, type Rect, roundOut } from '../geometry/rect.js';
import { compositeLayer, type PreparedLayer } from '../layers/composite.js';
import { canvasSpace } from '../layers/frame.js';
import { groupContent } from '../layers/group.js';
import { RasterTarget } from '../paint/raster-target.js';
import { fillsOf } from '../raster/fill.js';
import { Surface } from '../raster/surface.js';
import { ancestors, type Item, type Items } from './items.js';

/** The longer side of a window, in canvas pixels. */
export const WINDOW = 256;

/** Paints the scene in a window. `stop`: a layer in the place of which `stand-in` is painted, and nothing after it. */
export function paintWindow(
  window: Rect,
  { scene }: Items,
  stop?: { readonly item: Item; readonly standIn: PreparedLayer | undefined },
): Surface {
  const { canvas } = scene;
  const surface = new Surface(window);
  const box = { left: 0, top: 0, right: canvas.width, bottom: canvas.height };
  const { toCanvas } = canvasSpace(canvas.scale);
  for (const fill of fillsOf(canvas.backgroundColor)) {
    surface.fillRect(window, surface.paintOf(fill, { box, toCanvas }));
  }
  const target = new RasterTarget(surface);
  const path = stop && [...ancestors(stop.item)].reverse().concat(stop.item);
  for (const measured of scene.layers) {
    if (path && path[0].measured === measured) {
      const prepared = standInFor(path, 0, stop.standIn);
      if (prepared) compositeLayer(target, prepared);
      break;
    }
    if (measured.prepared) compositeLayer(target, measured.prepared);
  }
  return surface;
}

/** The layer at `depth` of the path, with the layers in it up to the one that the stand-in replaces. */
function standInFor(
  path: readonly Item[],
  depth: number,
  standIn: PreparedLayer | undefined,
): PreparedLayer | undefined {
  const item = path[depth];
  if (depth === path.length - 1) return standIn;
  const { prepared, frame } = item.measured;
  if (!prepared || !frame) return undefined;
  const next = path[depth + 1];
  const before = item.children
    .filter(({ order }) => order < next.order)
    .flatMap(({ measured }) => measured.prepared ?? []);
  const last = standInFor(path, depth + 1, standIn);
  const layers = last ? [...before, last] : before;
  return { ...prepared, content: groupContent(item.layer as GroupLayer, frame, layers) };
}

/** Windows that hold the rectangles as far as they are inside `bounds`; at most `most`, evenly chosen. */
export function windowsOf(rects: readonly Rect[], bounds: Rect, most: number): Rect[] {
  const windows: Rect[] = [];
  for (const rect of rects) {
    const { left, top, right, bottom } = intersect(roundOut(rect), bounds);
    for (let y = top; y < bottom; y += WINDOW) {
      for (let x = left; x < right; x += WINDOW) {
        const window = { left: x, top: y, right: Math.min(right, x + WINDOW), bottom: Math.min(bottom, y + WINDOW) };
        if (!isEmpty(window)) windows.push(window);
      }
    }
  }
  if (windows.length <= most) return windows;
  return Array.from({ length: most }, (_, i) => windows[Math.floor(((i + 0.5) * windows.length) / most)]);
}
