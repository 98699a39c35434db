// Checks combinations of fields: each is valid alone, but not all of a layer's fields together.
import type { Detail } from '../../errors.js';
import { issue, joinPath } from '../messages/issues.js';
import { borderIssues } from './borders.js';
import type { WrittenLayer } from './index.js';
import { hyphenationIssues, spansIssues } from './text.js';

/** The issues that the layer's fields have together. `raw`: the layer as given. */
export function combinedFieldIssues(
  layer: WrittenLayer,
  raw: Readonly<Record<string, unknown>>,
  path: string,
): Detail[] {
  const own = layer.type === 'text' ? [...spansIssues(layer, path), ...hyphenationIssues(layer, path)] : [];
  const isBoxless = layer.type === 'shape' && !BOX_SHAPES.includes(layer.shapeType);
  const boxless = isBoxless ? `on shapeType "${layer.shapeType}"` : undefined;
  return [
    ...own,
    ...borderIssues(layer, raw, path, boxless),
    ...boxShadowIssues(layer, raw, path),
    ...turnIssues(layer, path),
    ...pageIssues(layer, raw, path),
  ];
}

/** The issues of `rotation` and `flip` beside a transform, which is in place of them. */
function turnIssues({ transform, transformOrigin, rotation, flip }: WrittenLayer, path: string): Detail[] {
  if (transform === undefined && transformOrigin === undefined) return [];
  const name = transform === undefined ? 'transformOrigin' : 'transform';
  return [
    ...(rotation === 0
      ? []
      : [issue(joinPath(path, 'rotation'), rotation, `nothing beside ${name}: rotate() in transform`)]),
    ...(flip === undefined
      ? []
      : [issue(joinPath(path, 'flip'), flip, `nothing beside ${name}: scale() in transform`)]),
  ];
}

/** The issues of a group whose layers continue on other pages. */
function pageIssues(layer: WrittenLayer, raw: Readonly<Record<string, unknown>>, path: string): Detail[] {
  if (layer.type !== 'group' || !layer.paginate) return [];
  const { layout, wrapItems, extents } = layer;
  const isKnown = extents === undefined || typeof extents.height === 'number';
  return [
    ...(layout === 'column' ? [] : [issue(joinPath(path, 'layout'), raw.layout, '"column" with paginate')]),
    ...(wrapItems ? [issue(joinPath(path, 'wrapItems'), true, 'false with paginate')] : []),
    ...(isKnown ? [] : [issue(joinPath(path, 'height'), raw.height, 'a number with paginate')]),
  ];
}

/** The shapes that are boxes: their borders lie inside, along the outline. */
export const BOX_SHAPES: readonly string[] = ['rectangle', 'rounded_rectangle', 'circle', 'pill'];

/**
 * The issues of shadows with `spread` or `inset` on a layer without a box: box shadows are cast by a layer's box. `raw`: the
 * layer as given.
 */
function boxShadowIssues(layer: WrittenLayer, raw: Readonly<Record<string, unknown>>, path: string): Detail[] {
  const { shadow: shadows = [] } = layer;
  const reason = shadows.length === 0 ? undefined : whyNoBox(layer);
  if (reason === undefined) return [];
  const at = joinPath(path, 'shadow');
  return shadows.flatMap(({ spread, inset }, index) => {
    const shadow = Array.isArray(raw.shadow) ? joinPath(at, index) : at;
    return [
      ...(spread !== 0 ? [issue(joinPath(shadow, 'spread'), spread, `0 ${reason}`)] : []),
      ...(inset ? [issue(joinPath(shadow, 'inset'), inset, `false ${reason}`)] : []),
    ];
  });
}

/** Says why the layer has no box that casts shadows; undefined if it has one. */
function whyNoBox(layer: WrittenLayer): string | undefined {
  if (layer.type === 'text' && !layer.backgroundColor) return 'on a text without backgroundColor';
  if (layer.type === 'barcode') return 'on a barcode';
  if (layer.type === 'icon') return 'on an icon';
  if (layer.type === 'shape' && !BOX_SHAPES.includes(layer.shapeType)) return `on shapeType "${layer.shapeType}"`;
  return undefined;
}
