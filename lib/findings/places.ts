// Layers off the canvas, and texts and codes in the margins of a platform.
import { intersect, isEmpty, type Rect } from '../geometry/rect.js';
import { inkBounds } from '../layers/composite.js';
import { removing } from './fixes/changes.js';
import { freePlaces } from './fixes/free-places.js';
import { excerptOf, glyphInk, type Item, isCode, isInPages, isShown } from './items.js';
import type { MeasuredFinding, RuleContext } from './rules.js';
import { safeArea } from './safe-areas.js';

/** Canvas pixels by which ink may reach into a margin: the edges of glyphs are antialiased. */
const TOLERANCE = 1;

export function findPlaces({ items, options }: RuleContext): MeasuredFinding[] {
  const { canvas, all, scale } = items;
  const found: MeasuredFinding[] = [];
  for (const item of all) {
    if (!item.isOff || hasShadowInside(item, canvas) || isClippedAway(item) || isInPages(item)) continue;
    const { left, top, right, bottom } = item.ink;
    const beyond = Math.max(-right, -bottom, left - canvas.right, top - canvas.bottom, 0) / scale;
    found.push({
      code: 'off_canvas',
      severity: 'warning',
      path: item.path,
      message: `${excerptOf(item)} lies wholly off the canvas, ${Math.round(beyond)} px beyond its edge`,
      value: Math.round(beyond),
      limit: 0,
      // the picture is the same without a shape that nobody sees
      changes: hasContent(item) ? freePlaces(item, items, canvas) : removing(item),
    });
  }
  if (options.safeArea === undefined) return found;
  const area = safeArea(options.safeArea, canvas.right, canvas.bottom);
  for (const item of all) {
    const ink = inkOf(item);
    if (!isShown(item) || isEmpty(ink) || isEmpty(intersect(ink, canvas))) continue;
    const visible = intersect(ink, canvas);
    const into = Math.max(
      area.left - visible.left,
      area.top - visible.top,
      visible.right - area.right,
      visible.bottom - area.bottom,
    );
    if (into <= TOLERANCE) continue;
    const pixels = Math.round(into / scale);
    found.push({
      code: 'unsafe_area',
      severity: 'warning',
      path: item.path,
      message: `${excerptOf(item)} reaches ${pixels} px into the margin that ${options.safeArea} covers`,
      value: pixels,
      limit: 0,
      changes: freePlaces(item, items, area),
    });
  }
  return found;
}

/** The ink that has to be seen: the glyphs of texts, and codes. */
function inkOf(item: Item): Rect {
  if (isCode(item)) return item.ink;
  return glyphInk(item);
}

function hasContent({ layer }: Item): boolean {
  if (layer.type === 'group') return layer.layers.length > 0;
  return layer.type !== 'shape';
}

/** Glows are made by layers off the canvas whose shadow is on it. */
function hasShadowInside({ measured: { prepared } }: Item, canvas: Rect): boolean {
  return prepared !== undefined && !isEmpty(intersect(inkBounds(prepared), canvas));
}

/** What a group cuts off is the business of the rule about clipped texts. */
function isClippedAway({ parent }: Item): boolean {
  return parent?.layer.type === 'group' && parent.layer.clip;
}
