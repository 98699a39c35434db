// How many pixels a unit of an SVG element's lengths may come to: the most over all the ways that lead to it from the root,
// through transforms and view boxes. From above: turns count as stretching by what they may.
import type { Node } from './svggraph.js';
import type { SvgElement } from './svgscan.js';

/** Larger than any that can be drawn; products of two are finite. */
const LIMIT = 1e15;

/** `order`: every element after those that it leads to, the root last. */
export function scalesOf(order: readonly Node[], width: number, height: number): ReadonlyMap<SvgElement, number> {
  const root = order[order.length - 1].element;
  const box = viewBoxOf(root) ?? lengthsOf(root) ?? [width, height];
  const found = new Map<SvgElement, number>([[root, Math.max(width / box[0], height / box[1])]]);
  for (const { element, parts, uses } of [...order].reverse()) {
    const scale = Math.min(LIMIT, found.get(element)! * stretchOf(element));
    found.set(element, scale);
    for (const next of [...parts, ...uses]) {
      const inner = scale * viewStretch(element, next, Math.max(...box));
      found.set(next, Math.min(LIMIT, Math.max(inner, found.get(next) ?? 0)));
    }
  }
  return found;
}

/** An embedded picture without a view box is stretched by its lengths; the root of all has always one. */
function lengthsOf({ attributes }: SvgElement): readonly [width: number, height: number] | undefined {
  const [width, height] = [attributes.get('width'), attributes.get('height')].map((text) =>
    Number.parseFloat(text ?? ''),
  );
  return width > 0 && height > 0 ? [width, height] : undefined;
}

function viewBoxOf({ attributes }: SvgElement): readonly [width: number, height: number] | undefined {
  const numbers = (attributes.get('viewBox') ?? '')
    .trim()
    .split(/[\s,]+/)
    .map(Number);
  return numbers.length === 4 && numbers[2] > 0 && numbers[3] > 0 ? [numbers[2], numbers[3]] : undefined;
}

const IN_BOXES = ['patternContentUnits', 'maskContentUnits', 'clipPathUnits', 'primitiveUnits'];
const WITH_VIEW = new Set(['svg', 'symbol', 'pattern', 'marker']);

/** What a view box within, or units of the box that is drawn into, stretch by. `whole`: the longer side of the root. */
function viewStretch(from: SvgElement, next: SvgElement, whole: number): number {
  const { name, attributes } = next;
  if (IN_BOXES.some((units) => attributes.get(units) === 'objectBoundingBox')) return Math.max(1, whole);
  const view = WITH_VIEW.has(name) ? viewBoxOf(next) : undefined;
  if (!view) return 1;
  const side = (axis: 'width' | 'height') => {
    const text = (from.name === 'use' ? from.attributes.get(axis) : undefined) ?? attributes.get(axis) ?? '';
    // markers have lengths of their own, in widths of a stroke
    return name !== 'marker' && /^\s*[\d.]+(?:px)?\s*$/.test(text) ? Number.parseFloat(text) : whole;
  };
  return Math.max(1, side('width') / view[0], side('height') / view[1]);
}

/** The most that the element's transforms may stretch by, at least 1: sums of a matrix's columns, never too small. */
function stretchOf({ attributes }: SvgElement): number {
  let scale = 1;
  for (const name of ['transform', 'patternTransform']) {
    for (const [, kind, list] of (attributes.get(name) ?? '').matchAll(/(matrix|scale)\s*\(([^)]*)\)/g)) {
      const numbers = list.split(/[\s,]+/).map((text) => Math.abs(Number.parseFloat(text)) || 0);
      const most = kind === 'scale' ? Math.max(...numbers) : Math.max(numbers[0] + numbers[1], numbers[2] + numbers[3]);
      scale *= Math.max(1, most || 1);
    }
  }
  return scale;
}
