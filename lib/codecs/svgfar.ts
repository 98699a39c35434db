// Groups far off the picture, mended. Resvg draws a group with opacity, a mask, a clip path or a filter into a picture of
// its own, and traps when all of that lies more than two pictures away from the first pixel: sheets of icons shown one at a
// time, what was parked beside the page. Nothing of such a group is seen, so it needs no picture: its tag loses all but the
// place. Done to the document as resvg has simplified it: groups, paths and images, with nothing inherited.
import { type Bounds, boundsOf, type Matrix, matrixOf, multiply, NOWHERE, transformed, union } from './svgbounds.js';
import { numbersOf } from './svgpath.js';
import type { SvgElement } from './svgscan.js';

export interface Box {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/** Where resvg begins to trap, in pictures to either side of the first pixel, less what rounding may take. */
const FAR = 1.9;

/** Whether something of a drawing, `box` in the root's units around all of it, lies as far off as resvg can't bear. */
export function reachesFar({ x, y, width, height }: Box, root: SvgElement): boolean {
  const [right, bottom] = [numberOf(root, 'width'), numberOf(root, 'height')];
  const [x0, y0, x1, y1] = transformed([x, y, x + width, y + height], viewMatrix(root));
  return !(x0 >= -FAR * right && x1 <= FAR * right && y0 >= -FAR * bottom && y1 <= FAR * bottom);
}

/** A tag as resvg writes them: quotes within values are escaped, and a `>` may stand in them. */
const TAG = /<(\/?)([\w:-]+)((?:\s+[\w:-]+="[^"]*")*)\s*(\/?)>/g;
const ATTRIBUTE = /([\w:-]+)="([^"]*)"/g;

interface Open {
  readonly element: SvgElement;
  readonly start: number;
  readonly end: number;
  /** From its units to pixels. */
  readonly matrix: Matrix;
  /** Whether a filter around it may show it elsewhere. */
  readonly isFiltered: boolean;
  /** Of what it draws, in pixels. */
  bounds: Bounds;
}

/** The document that resvg's `toString` gives, its groups off the picture without what asks for a picture of their own. */
export function withoutFar(simplified: string): string {
  const open: Open[] = [];
  const plain: { start: number; end: number; tag: string }[] = [];
  const filters = new Map<string, SvgElement>();
  let [right, bottom] = [0, 0];
  let defs = 0;
  for (const { index: start, 0: tag, 1: closing, 2: name, 3: list, 4: empty } of simplified.matchAll(TAG)) {
    if (name === 'defs' && !empty) defs += closing ? -1 : 1;
    if (closing) {
      if (defs > 0 || (name !== 'g' && name !== 'svg')) continue;
      const group = open.pop();
      const around = open.at(-1);
      if (!group || !around) continue;
      const bounds = filtered(group, filters);
      const seen: Bounds = group.isFiltered
        ? [-FAR * right, -FAR * bottom, FAR * right, FAR * bottom]
        : [-2, -2, right + 2, bottom + 2];
      if (bounds[2] < seen[0] || bounds[3] < seen[1] || bounds[0] > seen[2] || bounds[1] > seen[3]) {
        const { transform } = Object.fromEntries(group.element.attributes);
        plain.push({ ...group, tag: transform === undefined ? '<g>' : `<g transform="${transform}">` });
      }
      around.bounds = union(around.bounds, bounds);
      continue;
    }
    const element = elementOf(name, list);
    if (name === 'filter') filters.set(`url(#${element.attributes.get('id')})`, element);
    if (defs > 0) continue;
    const around = open.at(-1);
    const matrix = around ? multiply(around.matrix, matrixOf(element)) : viewMatrix(element);
    if (!around) [right, bottom] = [numberOf(element, 'width'), numberOf(element, 'height')];
    if (name === 'g' || name === 'svg') {
      const isFiltered = around !== undefined && (around.isFiltered || around.element.attributes.has('filter'));
      if (!empty) open.push({ element, start, end: start + tag.length, matrix, isFiltered, bounds: NOWHERE });
    } else if (around) around.bounds = union(around.bounds, transformed(stroked(element), matrix));
  }
  let text = '';
  let at = 0;
  for (const { start, end, tag } of plain.sort((a, b) => a.start - b.start)) {
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

const numberOf = ({ attributes }: SvgElement, name: string) => Number.parseFloat(attributes.get(name) ?? '') || 0;

/** From the root's units to pixels, by its viewBox and preserveAspectRatio. */
function viewMatrix(root: SvgElement): Matrix {
  const [width, height] = [numberOf(root, 'width'), numberOf(root, 'height')];
  const [x, y, across, along] = numbersOf(root.attributes.get('viewBox') ?? '');
  if (!(across > 0 && along > 0)) return [1, 0, 0, 1, 0, 0];
  const aspect = root.attributes.get('preserveAspectRatio') ?? 'xMidYMid';
  const own = [width / across, height / along] as const;
  const even = aspect.includes('slice') ? Math.max(...own) : Math.min(...own);
  const [a, d] = /^\s*none/.test(aspect) ? own : [even, even];
  const share = (axis: string) => (aspect.includes(`${axis}Min`) ? 0 : aspect.includes(`${axis}Max`) ? 1 : 0.5);
  return [a, 0, 0, d, share('x') * (width - across * a) - x * a, share('Y') * (height - along * d) - y * d];
}

/** A path with its stroke, as far as that may reach. */
function stroked(element: SvgElement): Bounds {
  const [x0, y0, x1, y1] = boundsOf(element);
  if (x0 > x1 || (element.attributes.get('stroke') ?? 'none') === 'none') return [x0, y0, x1, y1];
  const width = Number.parseFloat(element.attributes.get('stroke-width') ?? '1');
  const reach = width * Math.max(1, Number.parseFloat(element.attributes.get('stroke-miterlimit') ?? '4'));
  return [x0 - reach, y0 - reach, x1 + reach, y1 + reach];
}

/** What a group draws and the region of its filter, which may show what lies elsewhere. */
function filtered({ element, matrix, bounds }: Open, filters: ReadonlyMap<string, SvgElement>): Bounds {
  const value = element.attributes.get('filter');
  if (value === undefined) return bounds;
  const filter = filters.get(value);
  const [x, y, width, height] = ['x', 'y', 'width', 'height'].map((side) => (filter ? numberOf(filter, side) : NaN));
  if (filter?.attributes.get('filterUnits') === 'userSpaceOnUse') {
    return union(bounds, transformed([x, y, x + width, y + height], matrix));
  }
  // in boxes of what is drawn; a turned one is larger than that, so twice is taken
  const [across, along] = [2 * (bounds[2] - bounds[0]), 2 * (bounds[3] - bounds[1])];
  const by = Math.max(0, -x, -y, x + width - 1, y + height - 1);
  const region: Bounds = [
    bounds[0] - by * across,
    bounds[1] - by * along,
    bounds[2] + by * across,
    bounds[3] + by * along,
  ];
  return region.some(Number.isNaN) ? [-Infinity, -Infinity, Infinity, Infinity] : region;
}
