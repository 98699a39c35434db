// Works around a resvg trap: resvg draws a group with opacity, a mask, a clip path or a filter into a layer, and traps
// if the entire layer is more than two image sizes away from the origin. This occurs in icon sheets that show one icon
// at a time, and with elements parked beside the page. Such a group is invisible and needs no layer, so its tag keeps
// only its transform. Works on resvg's simplified document: groups, paths and images, without inheritance.
import {
  type Bounds,
  boxOf,
  EMPTY,
  matrixOf,
  multiply,
  numbersOf,
  numericAttribute,
  pointBounds,
  type SvgMatrix,
  strokedBounds,
  transformed,
  union,
  viewMatrix,
} from './bounds.js';
import type { SvgElement } from './scan.js';

export interface ElementBox {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/** Distance from the origin at which resvg traps, in image sizes, minus a margin for rounding. */
const OFFSCREEN_LIMIT = 1.9;

/**
 * Whether any part of an SVG is so far off-screen that resvg may trap. `box`: the bounding box of everything, in the
 * root's units.
 */
export const extendsOffscreen = (box: ElementBox, root: SvgElement): boolean =>
  extendsBeyond(box, root, -OFFSCREEN_LIMIT, OFFSCREEN_LIMIT);

/** Whether any part of an SVG is before `start` or after `end` on either axis, in multiples of the image size. */
export function extendsBeyond(
  { x, y, width, height }: ElementBox,
  root: SvgElement,
  start: number,
  end: number,
): boolean {
  const [right, bottom] = [numericAttribute(root, 'width'), numericAttribute(root, 'height')];
  const [x0, y0, x1, y1] = transformed([x, y, x + width, y + height], viewMatrix(root));
  return !(x0 >= start * right && x1 <= end * right && y0 >= start * bottom && y1 <= end * bottom);
}

/** A tag as resvg writes it: quotes in values are escaped, but `>` is not. */
const TAG = /<(\/?)([\w:-]+)((?:\s+[\w:-]+="[^"]*")*)\s*(\/?)>/g;
const ATTRIBUTE = /([\w:-]+)="([^"]*)"/g;

interface OpenGroup {
  readonly element: SvgElement;
  readonly start: number;
  readonly end: number;
  /** Transform from its units to pixels. */
  readonly matrix: SvgMatrix;
  /** Whether an ancestor's filter may display it elsewhere. */
  readonly isFiltered: boolean;
  /** Bounds of what it draws, in pixels. */
  bounds: Bounds;
}

/** Removes from resvg's `toString` output everything that makes an off-screen group need a layer. */
export function stripOffscreenLayers(simplified: string): string {
  const open: OpenGroup[] = [];
  const stripped: { start: number; end: number; tag: string }[] = [];
  const filters = new Map<string, SvgElement>();
  let [right, bottom] = [0, 0];
  let defs = 0;
  for (const { index: start, 0: tag, 1: closing, 2: name, 3: list, 4: empty } of simplified.matchAll(TAG)) {
    if (name === 'defs' && !empty) defs += closing ? -1 : 1;
    if (closing) {
      if (defs > 0 || (name !== 'g' && name !== 'svg')) continue;
      const group = open.pop();
      const parent = open.at(-1);
      if (!group || !parent) continue;
      const bounds = boundsWithFilter(group, filters);
      const visible: Bounds = group.isFiltered
        ? [-OFFSCREEN_LIMIT * right, -OFFSCREEN_LIMIT * bottom, OFFSCREEN_LIMIT * right, OFFSCREEN_LIMIT * bottom]
        : [-2, -2, right + 2, bottom + 2];
      if (bounds[2] < visible[0] || bounds[3] < visible[1] || bounds[0] > visible[2] || bounds[1] > visible[3]) {
        const { transform } = Object.fromEntries(group.element.attributes);
        stripped.push({ ...group, tag: transform === undefined ? '<g>' : `<g transform="${transform}">` });
      }
      parent.bounds = union(parent.bounds, bounds);
      continue;
    }
    const element = elementOf(name, list);
    if (name === 'filter') filters.set(`url(#${element.attributes.get('id')})`, element);
    if (defs > 0) continue;
    const parent = open.at(-1);
    const matrix = parent ? multiply(parent.matrix, matrixOf(element)) : viewMatrix(element);
    if (!parent) [right, bottom] = [numericAttribute(element, 'width'), numericAttribute(element, 'height')];
    if (name === 'g' || name === 'svg') {
      const isFiltered = parent !== undefined && (parent.isFiltered || parent.element.attributes.has('filter'));
      if (!empty) open.push({ element, start, end: start + tag.length, matrix, isFiltered, bounds: EMPTY });
    } else if (parent) parent.bounds = union(parent.bounds, transformed(shapeBounds(element), matrix));
  }
  let text = '';
  let at = 0;
  for (const { start, end, tag } of stripped.sort((a, b) => a.start - b.start)) {
    text += simplified.slice(at, start) + tag;
    at = end;
  }
  return text + simplified.slice(at);
}

function elementOf(name: string, list: string): SvgElement {
  const attributes = new Map<string, string>();
  for (const [, attribute, value] of list.matchAll(ATTRIBUTE)) attributes.set(attribute, value);
  return { name, attributes, children: [], characters: 0 };
}

function shapeBounds(element: SvgElement): Bounds {
  if (element.name === 'image') return boxOf(element);
  return strokedBounds(pointBounds(numbersOf(element.attributes.get('d') ?? '')), element);
}

/** The bounds of a group including its filter region, which may display content from elsewhere. */
function boundsWithFilter({ element, matrix, bounds }: OpenGroup, filters: ReadonlyMap<string, SvgElement>): Bounds {
  const value = element.attributes.get('filter');
  if (value === undefined) return bounds;
  const filter = filters.get(value);
  const [x, y, width, height] = ['x', 'y', 'width', 'height'].map((side) =>
    filter ? numericAttribute(filter, side) : NaN,
  );
  if (filter?.attributes.get('filterUnits') === 'userSpaceOnUse') {
    return union(bounds, transformed([x, y, x + width, y + height], matrix));
  }
  // in multiples of the bounding box; that of a rotated one is larger, so twice its size is used
  const [doubleWidth, doubleHeight] = [2 * (bounds[2] - bounds[0]), 2 * (bounds[3] - bounds[1])];
  const factor = Math.max(0, -x, -y, x + width - 1, y + height - 1);
  const region: Bounds = [
    bounds[0] - factor * doubleWidth,
    bounds[1] - factor * doubleHeight,
    bounds[2] + factor * doubleWidth,
    bounds[3] + factor * doubleHeight,
  ];
  return region.some(Number.isNaN) ? [-Infinity, -Infinity, Infinity, Infinity] : region;
}
