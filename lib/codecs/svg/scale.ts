// Computes an upper bound of the pixels per unit of each SVG element: the maximum over all reference paths from the
// root, through transforms and view boxes. Rotations count as the maximum scaling they may cause.
import { transformScale } from './bounds.js';
import type { GraphNode } from './graph.js';
import type { SvgElement } from './scan.js';

/** Larger than any useful scale; products of two are finite. */
const LIMIT = 1e15;

/** Computes the scales. `order` is the topological order: referenced elements first, the root last. */
export function maxScales(order: readonly GraphNode[], width: number, height: number): ReadonlyMap<SvgElement, number> {
  const root = order[order.length - 1].element;
  const box = viewBoxOf(root) ?? lengthsOf(root) ?? [width, height];
  const found = new Map<SvgElement, number>([[root, rootScale(root, width / box[0], height / box[1])]]);
  for (const { element, parts, uses } of [...order].reverse()) {
    const scale = Math.min(LIMIT, found.get(element)! * transformScale(element));
    found.set(element, scale);
    for (const next of [...parts, ...uses]) {
      const inner = scale * viewScale(element, next, Math.max(...box));
      found.set(next, Math.min(LIMIT, Math.max(inner, found.get(next) ?? 0)));
    }
  }
  return found;
}

/** A root whose aspect ratio differs from the image's is scaled to fit into it, unless it asks for something else. */
function rootScale({ attributes }: SvgElement, scaleX: number, scaleY: number): number {
  const isLarger = /\b(?:none|slice)\b/.test(attributes.get('preserveAspectRatio') ?? '');
  return isLarger ? Math.max(scaleX, scaleY) : Math.min(scaleX, scaleY);
}

/** An embedded image without a viewBox is scaled by its lengths; the outermost root always has a viewBox. */
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

const BOX_UNITS = ['patternContentUnits', 'maskContentUnits', 'clipPathUnits', 'primitiveUnits'];
const WITH_VIEWBOX = new Set(['svg', 'symbol', 'pattern', 'marker']);

/** The scaling by a nested viewBox or by bounding-box units. `rootSide`: the longer side of the root. */
function viewScale(from: SvgElement, next: SvgElement, rootSide: number): number {
  const { name, attributes } = next;
  if (BOX_UNITS.some((units) => attributes.get(units) === 'objectBoundingBox')) return Math.max(1, rootSide);
  const view = WITH_VIEWBOX.has(name) ? viewBoxOf(next) : undefined;
  if (!view) return 1;
  const side = (axis: 'width' | 'height') => {
    const text = (from.name === 'use' ? from.attributes.get(axis) : undefined) ?? attributes.get(axis) ?? '';
    // lengths of markers are in stroke widths
    return name !== 'marker' && /^\s*[\d.]+(?:px)?\s*$/.test(text) ? Number.parseFloat(text) : rootSide;
  };
  return Math.max(1, side('width') / view[0], side('height') / view[1]);
}
