// Warns about valid layers that are probably mistakes: fields without effect, and layers that are invisible.
import type { Warning } from '../errors.js';
import { cos, hypot, sin } from '../geometry/math.js';
import { expand, mapRect, rectOf } from '../geometry/rect.js';
import { resolveTransform } from '../geometry/transform.js';
import { bordersOf, hasBorder } from './layers/border-fields.js';
import { BOX_SHAPES } from './layers/combined-fields.js';
import type { WrittenLayer } from './layers/index.js';
import { childrenOf } from './layers/nested-layers.js';
import { parseLayer, type TreePlace } from './layers/parse.js';
import { joinPath, mismatchOf } from './messages/issues.js';

/** Canvas pixels; infinite where unknown. */
interface Size {
  readonly width: number;
  readonly height: number;
}

/**
 * Warnings that depend on several fields of the raw layer at `path`. unknown-fields.ts reports unknown fields. `canvas`:
 * undefined for a layer in a group, whose place on the canvas is not looked at.
 */
export function lintLayer(
  raw: Record<string, unknown>,
  path: string,
  place: TreePlace,
  canvas: Size | undefined,
): Warning[] {
  const { layer } = parseLayer(raw, path, place);
  if (!layer) return [];
  const warnings = [
    ...ineffectiveFields(raw, layer, path),
    ...ineffectiveLayout(raw, layer, path, place),
    ...invisibility(raw, layer, path, canvas),
  ];
  const { id } = layer;
  return id === undefined ? warnings : warnings.map((warning) => ({ ...warning, layerId: id }));
}

/** The fields of shape layers that only some shapes have. */
const SHAPE_FIELDS: readonly (readonly [fields: readonly string[], shapeTypes: readonly string[]])[] = [
  [['borderRadius'], ['rounded_rectangle']],
  [['points'], ['polygon', 'star']],
  [['innerRadius'], ['star', 'arc']],
  [['d', 'viewBox', 'preserveAspectRatio', 'fillRule'], ['path']],
  [['startAngle', 'endAngle'], ['arc']],
  [['startCap', 'endCap'], ['line']],
];

/** The fields of text layers that lay out lines, of which text along a path has one. */
const NOT_ON_PATH = [
  'wrap',
  'textWrap',
  'wordBreak',
  'hyphens',
  'hangingIndent',
  'autoFit',
  'maxLines',
  'lineHeight',
  'verticalAlign',
  'textDecoration',
  'backgroundFit',
  'padding',
];

/** The fields of spans that lines have and text along a path lacks. */
const SPAN_NOT_ON_PATH = [
  'backgroundColor',
  'textDecoration',
  'gradientBox',
  'padding',
  'margin',
  'border',
  'borderRadius',
] as const;

function noEffect(path: string, reason: string, value: unknown): Warning {
  return { code: 'no_effect', path, message: `has no effect ${reason}`, ...mismatchOf(value) };
}

/** Fields that are set, but have no effect because of other fields. */
function ineffectiveFields(raw: Record<string, unknown>, layer: WrittenLayer, path: string): Warning[] {
  const warnings: Warning[] = [];
  const add = (key: string, reason: string) => {
    if (raw[key] !== undefined && raw[key] !== null) warnings.push(noEffect(joinPath(path, key), reason, raw[key]));
  };
  const addDashes = () => {
    for (const [name, line] of bordersOf(layer)) {
      if (line.dash?.some((length) => length > 0)) continue;
      for (const key of ['dashOffset', 'cap'] as const) {
        if (line[key] === undefined) continue;
        warnings.push(noEffect(joinPath(joinPath(path, name), key), 'without dash', line[key]));
      }
    }
  };
  switch (layer.type) {
    case 'text':
      if (!layer.backgroundColor && !hasBorder(layer)) add('borderRadius', 'without backgroundColor or border');
      addDashes();
      if (!layer.autoFit) for (const field of ['minFontSize', 'maxFontSize']) add(field, 'without autoFit');
      else if (layer.minFontSize > (layer.maxFontSize ?? layer.fontSize)) {
        const name = layer.maxFontSize === undefined ? 'fontSize' : 'maxFontSize';
        add('minFontSize', `above ${name} (${layer[name]})`);
      }
      if (layer.spans) add('text', 'with spans');
      if (layer.textPath) {
        for (const field of NOT_ON_PATH) add(field, 'with textPath');
        layer.spans?.forEach((span, index) => {
          for (const field of SPAN_NOT_ON_PATH) {
            if (span[field] === undefined) continue;
            const at = joinPath(joinPath(joinPath(path, 'spans'), index), field);
            warnings.push(noEffect(at, 'with textPath', span[field]));
          }
        });
      } else if (!layer.backgroundColor && !hasBorder(layer)) add('backgroundFit', 'without backgroundColor or border');
      if (!layer.wrap && layer.textWrap === 'balance') add('textWrap', 'without wrap');
      if (!layer.wrap) for (const field of ['wordBreak', 'hyphens', 'hangingIndent']) add(field, 'without wrap');
      if (!layer.wrap && layer.textAlign === 'justify') add('textAlign', 'as "justify" without wrap');
      break;
    case 'image':
      if (layer.mask !== 'rounded') add('borderRadius', `with mask "${layer.mask}"`);
      addDashes();
      if (layer.repeat === 'tile') {
        add('fit', 'with repeat "tile"');
        if (layer.position === 'smart') add('position', 'as "smart" with repeat "tile"');
      } else {
        for (const field of ['tileWidth', 'tileHeight']) add(field, 'without repeat "tile"');
        if (layer.fit === 'fill') add('position', 'with fit "fill"');
      }
      break;
    case 'qrcode':
    case 'icon':
      break;
    case 'barcode':
      if (!layer.showText) for (const field of ['fontFamily', 'fontSize']) add(field, 'without showText');
      break;
    case 'shape':
      for (const [fields, shapeTypes] of SHAPE_FIELDS) {
        if (shapeTypes.includes(layer.shapeType)) continue;
        for (const field of fields) add(field, `on shapeType "${layer.shapeType}"`);
      }
      if (layer.shapeType === 'line' && layer.border?.color) add('fillColor', 'on a line whose border has a color');
      if (layer.shapeType === 'arc' && layer.innerRadius === 1) add('fillColor', 'on an arc with innerRadius 1');
      if (BOX_SHAPES.includes(layer.shapeType)) addDashes();
      break;
    case 'group':
      if (!layer.clip && !layer.backgroundColor && !hasBorder(layer)) {
        add('borderRadius', 'without backgroundColor, border or clip');
      }
      if (layer.layout === 'none') {
        for (const field of [...LAYOUT_FIELDS, 'wrapItems', ...GRID_FIELDS] as const) {
          add(field, 'on a group without a layout');
        }
      } else if (layer.layout === 'grid') add('wrapItems', 'in a grid');
      else if (layer.layout === 'table') {
        for (const field of [...TABLE_IGNORES, ...GRID_FIELDS] as const) add(field, 'in a table');
      } else for (const field of GRID_FIELDS) add(field, 'without layout "grid"');
      addDashes();
      break;
  }
  return warnings;
}

/** Fields of a group that only a layout reads. */
const LAYOUT_FIELDS = ['padding', 'gap', 'alignItems', 'justifyContent', 'alignContent'] as const;
/** Fields of a group that a table does not read: its cells fill their areas. */
const TABLE_IGNORES = ['alignItems', 'justifyContent', 'alignContent', 'wrapItems'] as const;
/** Fields of a group that only a grid reads. */
const GRID_FIELDS = [
  'gridTemplateColumns',
  'gridTemplateRows',
  'gridAutoColumns',
  'gridAutoRows',
  'gridAutoFlow',
  'justifyItems',
] as const;
/** Fields that only a group with a layout reads. */
const ITEM_FIELDS = ['position', 'inset', 'order', 'alignSelf', 'margin'] as const;
/** Fields that only a row or column reads. */
const FLEX_ITEM_FIELDS = ['grow', 'shrink'] as const;
/** Fields that only a grid reads. */
const GRID_ITEM_FIELDS = ['gridColumn', 'gridRow', 'justifySelf'] as const;
/** Fields for sizes that layout decides. */
const SIZING_FIELDS = ['minWidth', 'maxWidth', 'minHeight', 'maxHeight', 'aspectRatio'] as const;
/** Fields of layout that have another meaning on layers of these types. */
const OTHER_MEANING = [
  ['position', ['image']],
  ['margin', ['qrcode', 'barcode']],
] as const satisfies readonly (readonly [string, readonly WrittenLayer['type'][]])[];

/** Fields of layout that are set, but have no effect where the layer is. */
function ineffectiveLayout(
  raw: Record<string, unknown>,
  { type, extents, isAbsolute = false }: WrittenLayer,
  path: string,
  { isLaidOut, isInGrid }: TreePlace,
): Warning[] {
  const isSet = (key: string) => raw[key] !== undefined && raw[key] !== null;
  const hasOtherMeaning = (key: string) =>
    OTHER_MEANING.some(([field, types]) => field === key && (types as readonly string[]).includes(type));
  const report = (keys: readonly string[], reason: string) =>
    keys
      .filter((key) => isSet(key) && !hasOtherMeaning(key))
      .map((key) => noEffect(joinPath(path, key), reason, raw[key]));
  if (isLaidOut === undefined) return [];
  if (!isLaidOut) {
    const outside = 'outside of a group with a layout';
    return [
      ...report([...FLEX_ITEM_FIELDS, ...ITEM_FIELDS, ...GRID_ITEM_FIELDS], outside),
      ...(extents ? [] : report(SIZING_FIELDS, outside)),
    ];
  }
  if (isAbsolute) return report([...FLEX_ITEM_FIELDS, 'order', 'gridColumn', 'gridRow'], 'with position "absolute"');
  return [
    ...report(['x', 'y'], 'in a group with a layout'),
    ...(isInGrid ? report(FLEX_ITEM_FIELDS, 'in a grid') : report(GRID_ITEM_FIELDS, 'outside of a grid')),
  ];
}

/** A warning that says why `layer` is invisible, if it is. */
function invisibility(
  raw: Record<string, unknown>,
  layer: WrittenLayer,
  path: string,
  canvas: Size | undefined,
): Warning[] {
  // hidden on purpose
  if (!layer.visible) return [];
  const hidden = (key: string, message: string): Warning[] => [
    { code: 'invisible', path: joinPath(path, key), message, ...mismatchOf(raw[key]) },
  ];
  if (layer.opacity === 0) return hidden('opacity', 'is 0: the layer is invisible');
  if (layer.filter?.some((fn) => fn.type === 'opacity' && fn.amount === 0) && !hasOuterBoxShadow(layer)) {
    return hidden('filter', 'has opacity(0): the layer is invisible');
  }
  if (layer.type === 'group' && childrenOf(raw).length === 0 && !layer.backgroundColor && !hasBorder(layer)) {
    return hidden('layers', 'is empty: the group draws nothing');
  }
  // the boxes of lines need lines
  const isBare =
    layer.type === 'text' && (layer.backgroundFit !== 'box' || (!layer.backgroundColor && !hasBorder(layer)));
  if (isBare && (layer.spans ?? [layer]).every(({ text }) => text === '')) {
    return hidden(layer.spans ? 'spans' : 'text', 'is empty: the layer draws nothing');
  }
  if (isBare && (layer.spans ?? [layer]).every(({ fontSize = layer.fontSize }) => fontSize === 0))
    return hidden('fontSize', 'is 0: the layer draws nothing');
  const line = layer.type === 'shape' && layer.shapeType === 'line' && (layer.border?.width ?? 0) > 0;
  // what may overflow its box is visible in an empty one too
  const overflows = layer.type === 'text' || (layer.type === 'group' && !layer.clip);
  if (!overflows && !line && !layer.extents && (layer.width === 0 || layer.height === 0)) {
    return hidden(layer.width === 0 ? 'width' : 'height', 'is 0: the layer draws nothing');
  }
  // the points of polygons and paths, and the layers of a group, may be anywhere
  const isFree =
    (layer.type === 'shape' && (layer.shapeType === 'polygon' || layer.shapeType === 'path')) ||
    (layer.type === 'group' && !layer.clip);
  return canvas && !isFree && !layer.extents && isOffCanvas(layer, canvas)
    ? [{ code: 'off_canvas', path, message: `lies wholly off the canvas of ${canvas.width} × ${canvas.height}` }]
    : [];
}

/** Whether a shadow is that of the box, which no filter fades. */
function hasOuterBoxShadow({ shadow = [] }: WrittenLayer): boolean {
  return shadow.some(({ spread, inset }) => spread !== 0 && !inset);
}

/** Whether the layer's rotated box and what its effects add are outside the canvas. */
function isOffCanvas(layer: WrittenLayer, canvas: Size): boolean {
  const [left, top, right, bottom] = boundsOf(layer, effectReach(layer));
  return right < 0 || bottom < 0 || left > canvas.width || top > canvas.height;
}

/** Left, top, right and bottom edge, in canvas pixels. */
export type LayerBounds = readonly [left: number, top: number, right: number, bottom: number];

/** Bounds of the layer's rotated or transformed box, enlarged by `margin` on each side. */
export function boundsOf(layer: WrittenLayer, margin = 0): LayerBounds {
  const { x, y, width, height, rotation, transform, transformOrigin } = layer;
  if (transform?.length) {
    const box = rectOf(x, y, width, height);
    const map = resolveTransform(transform, box, transformOrigin);
    const { left, top, right, bottom } = mapRect(expand(box, margin), map);
    return [left, top, right, bottom];
  }
  const angle = (rotation * Math.PI) / 180;
  const [across, down] = [Math.abs(cos(angle)), Math.abs(sin(angle))];
  const reachX = (width * across + height * down) / 2 + margin;
  const reachY = (width * down + height * across) / 2 + margin;
  const [centreX, centreY] = [x + width / 2, y + height / 2];
  return [centreX - reachX, centreY - reachY, centreX + reachX, centreY + reachY];
}

/** Returns the distance by which filters, and shadows of the filtered layer, reach beyond its box. */
export function effectReach({ filter = [], shadow = [] }: WrittenLayer): number {
  const filtered = filter.reduce((reach, fn) => {
    if (fn.type === 'blur') return reach + blurReach(fn.sigma);
    return fn.type === 'drop-shadow' ? reach + hypot(fn.x, fn.y) + blurReach(fn.sigma) : reach;
  }, 0);
  // a shadow rotates with the layer, within its own distance; a spread box reaches farther along its diagonal
  const shadows = shadow.map(({ offsetX, offsetY, blur, spread, inset }) =>
    inset ? 0 : hypot(offsetX, offsetY) + blurReach(blur / 2) + 1.5 * Math.max(0, spread),
  );
  return filtered + Math.max(0, ...shadows);
}

/** A blur is invisible beyond three standard deviations. */
function blurReach(sigma: number): number {
  return 3 * sigma;
}
