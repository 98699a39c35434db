// Layers that lie beneath what is opaque.
import { intersect, isEmpty, type Rect } from '../geometry/rect.js';
import { isBoxShadow } from '../layers/box/shadow.js';
import { compositeLayer } from '../layers/composite.js';
import { RasterTarget } from '../paint/raster-target.js';
import { Surface } from '../raster/surface.js';
import { canCover, coversPoint } from './covers.js';
import { type Change, pointerOf, removing } from './fixes/changes.js';
import { ancestors, clipOf, excerptOf, type Item, type Items, isCode, isShown } from './items.js';
import { windowsOf } from './paint.js';
import type { MeasuredFinding, RuleContext } from './rules.js';

/** The share of the ink that may be covered. */
export const MAX_COVERED = 0.95;
/** The points along each side of a box that are looked at, and the share of them from which the ink itself is. */
const POINTS = 24;
const SUSPICION = 0.6;
const MAX_WINDOWS = 12;

/** The layers that are covered, but for those of which another finding says it. */
export function findCovered({ items, signal }: RuleContext, others: ReadonlySet<Item>): MeasuredFinding[] {
  const found: MeasuredFinding[] = [];
  for (const item of items.all) {
    if (others.has(item) || item.layer.type === 'group' || !isShown(item) || hasOuterShadow(item)) continue;
    signal?.throwIfAborted();
    const share = coveredShareOf(item, items);
    if (share < MAX_COVERED) continue;
    const above = coversOf(item, items);
    const percent = Math.round(share * 100);
    const cover = above.find((each) => hides(each, item, items)) ?? above[0];
    found.push({
      code: 'covered',
      severity: 'warning',
      path: item.path,
      message: `${percent} % of ${excerptOf(item)} lies beneath ${cover.path}, which is opaque`,
      value: Math.round(share * 100) / 100,
      limit: MAX_COVERED,
      changes: uncovered(item, cover),
    });
  }
  return found;
}

/** The layers that may hide the item. */
function coversOf(item: Item, { all }: Items): Item[] {
  return all.filter((cover) => {
    return cover.order > item.order && cover.parent !== item && !isPlate(item, cover) && canCover(cover);
  });
}

/** Shares by item: two rules ask for them. */
const shares = new WeakMap<Item, number>();

/** The share of the item's ink that layers above hide. */
export function coveredShareOf(item: Item, items: Items): number {
  const known = shares.get(item);
  if (known !== undefined) return known;
  const share = measuredShare(item, coversOf(item, items), items);
  shares.set(item, share);
  return share;
}

function measuredShare(item: Item, above: readonly Item[], items: Items): number {
  const visible = intersect(item.ink, clipOf(item, items));
  if (isEmpty(visible)) return 0;
  const near = above.filter(({ ink }) => !isEmpty(intersect(ink, visible)));
  if (near.length === 0) return 0;
  const isHidden = (x: number, y: number) => near.some((each) => coversPoint(each, x, y));
  const share = shareOf(visible, isHidden);
  if (share < SUSPICION || share === 1) return share;
  return inkShare(item, visible, isHidden);
}

/** The share of points of a rectangle. */
function shareOf({ left, top, right, bottom }: Rect, isHidden: (x: number, y: number) => boolean): number {
  let hidden = 0;
  for (let j = 0; j < POINTS; j++) {
    const y = top + ((j + 0.5) * (bottom - top)) / POINTS;
    for (let i = 0; i < POINTS; i++) if (isHidden(left + ((i + 0.5) * (right - left)) / POINTS, y)) hidden++;
  }
  return hidden / (POINTS * POINTS);
}

/** The share of the layer's pixels, by their alpha. */
function inkShare({ measured }: Item, visible: Rect, isHidden: (x: number, y: number) => boolean): number {
  let [all, hidden] = [0, 0];
  for (const window of windowsOf([visible], visible, MAX_WINDOWS)) {
    const surface = new Surface(window);
    compositeLayer(new RasterTarget(surface), measured.prepared!);
    const { data, width, height } = surface.pixmap;
    for (let y = 0; y < height; y += 2) {
      for (let x = 0; x < width; x += 2) {
        const alpha = data[(y * width + x) * 4 + 3];
        if (alpha === 0) continue;
        all += alpha;
        if (isHidden(window.left + x + 0.5, window.top + y + 0.5)) hidden += alpha;
      }
    }
  }
  return all === 0 ? 0 : hidden / all;
}

/** A shape beneath a picture, a text or a code is its plate, which shows while that is missing. */
function isPlate(item: Item, { layer: { type } }: Item): boolean {
  return item.layer.type === 'shape' && type !== 'shape' && type !== 'group';
}

/** Shadows are what some layers are there for. */
function hasOuterShadow({ layer }: Item): boolean {
  return (layer.shadow ?? []).some((shadow) => !isBoxShadow(shadow) || !shadow.inset);
}

function hides(cover: Item, item: Item, items: Items): boolean {
  const visible = intersect(item.ink, clipOf(item, items));
  return shareOf(visible, (x, y) => coversPoint(cover, x, y)) >= SUSPICION;
}

/** Removes a shape that nobody sees; else brings the cover beneath the layer, or takes away a cover that says nothing. */
function uncovered(item: Item, cover: Item): Change[] {
  if (item.layer.type === 'shape') return removing(item);
  const [own, its] = [outermost(item, cover), cover];
  const changes: Change[] = [];
  if (own && own.parent === its.parent) {
    const [from, path] = [pointerOf(its), pointerOf(own)];
    if (from !== undefined && path !== undefined && listOf(from) === listOf(path))
      changes.push([{ op: 'move', from, path }]);
  }
  const saysNothing = cover.layer.type === 'shape';
  return [...changes, ...(saysNothing && !isCode(cover) ? removing(cover) : [])];
}

/** The layer around the item that is a sibling of the cover. */
function outermost(item: Item, cover: Item): Item | undefined {
  return [item, ...ancestors(item)].find(({ parent }) => parent === cover.parent);
}

const listOf = (pointer: string) => pointer.slice(0, pointer.lastIndexOf('/'));
