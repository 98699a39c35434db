// Warns about valid layers that are probably mistakes: fields without effect, and layers that are invisible.
import type { Warning } from '../errors.js';
import { cos, hypot, sin } from '../geometry/math.js';
import { joinPath } from './issues.js';
import { BOX_SHAPES } from './layers/box-shadows.js';
import type { Layer } from './layers/index.js';
import type { Border } from './layers/shared.js';
import { childrenOf } from './nested-layers.js';
import { parseLayer } from './parse-layers.js';

/** Canvas pixels; infinite where unknown. */
interface Size {
  readonly width: number;
  readonly height: number;
}

/**
 * Warnings that depend on several fields of the raw layer at `path`. unknown-fields.ts reports unknown fields. `canvas`:
 * undefined for a layer in a group, whose place on the canvas is not looked at.
 */
export function lintLayer(raw: Record<string, unknown>, path: string, canvas: Size | undefined): Warning[] {
  const { layer } = parseLayer(raw, path);
  if (!layer) return [];
  const warnings = [...ineffectiveFields(raw, layer, path), ...invisibility(raw, layer, path, canvas)];
  const { id } = layer;
  return id === undefined ? warnings : warnings.map((warning) => ({ ...warning, layerId: id }));
}

/** The fields of shape layers that only some shapes have. */
const SHAPE_FIELDS: readonly (readonly [field: string, shapeTypes: readonly string[]])[] = [
  ['borderRadius', ['rounded_rectangle']],
  ['points', ['polygon', 'star']],
  ['innerRadius', ['star', 'arc']],
  ['d', ['path']],
  ['viewBox', ['path']],
  ['preserveAspectRatio', ['path']],
  ['fillRule', ['path']],
  ['startAngle', ['arc']],
  ['endAngle', ['arc']],
  ['startCap', ['line']],
  ['endCap', ['line']],
];

/** Fields that are set, but have no effect because of other fields. */
function ineffectiveFields(raw: Record<string, unknown>, layer: Layer, path: string): Warning[] {
  const warnings: Warning[] = [];
  const add = (key: string, reason: string) => {
    if (raw[key] !== undefined && raw[key] !== null)
      warnings.push({ path: joinPath(path, key), message: `has no effect ${reason}` });
  };
  const addDashes = (border: Border | undefined) => {
    if (border?.dash?.some((length) => length > 0)) return;
    for (const key of ['dashOffset', 'cap'] as const) {
      if (border?.[key] === undefined) continue;
      warnings.push({ path: joinPath(joinPath(path, 'border'), key), message: 'has no effect without dash' });
    }
  };
  switch (layer.type) {
    case 'text':
      if (!layer.backgroundColor && !layer.border) add('borderRadius', 'without backgroundColor or border');
      addDashes(layer.border);
      if (!layer.autoFit) add('minFontSize', 'without autoFit');
      else if (layer.minFontSize > layer.fontSize) add('minFontSize', `above fontSize (${layer.fontSize})`);
      break;
    case 'image':
      if (layer.mask !== 'rounded') add('borderRadius', `with mask "${layer.mask}"`);
      addDashes(layer.border);
      if (layer.repeat === 'tile') {
        add('fit', 'with repeat "tile"');
        if (layer.position === 'smart') add('position', 'as "smart" with repeat "tile"');
      } else {
        for (const field of ['tileWidth', 'tileHeight']) add(field, 'without repeat "tile"');
        if (layer.fit === 'fill') add('position', 'with fit "fill"');
      }
      break;
    case 'qrcode':
      break;
    case 'barcode':
      if (!layer.showText) for (const field of ['fontFamily', 'fontSize']) add(field, 'without showText');
      break;
    case 'shape':
      for (const [field, shapeTypes] of SHAPE_FIELDS) {
        if (!shapeTypes.includes(layer.shapeType)) add(field, `on shapeType "${layer.shapeType}"`);
      }
      if (layer.shapeType === 'line' && layer.border?.color) add('fillColor', 'on a line whose border has a color');
      if (BOX_SHAPES.includes(layer.shapeType)) addDashes(layer.border);
      break;
    case 'group':
      if (!layer.clip && !layer.backgroundColor && !layer.border) {
        add('borderRadius', 'without backgroundColor, border or clip');
      }
      add('padding', 'on a group without a layout');
      addDashes(layer.border);
      break;
  }
  return warnings;
}

/** A warning that says why `layer` is invisible, if it is. */
function invisibility(raw: Record<string, unknown>, layer: Layer, path: string, canvas: Size | undefined): Warning[] {
  // hidden on purpose
  if (!layer.visible) return [];
  const hidden = (key: string, message: string) => [{ path: key === '' ? path : joinPath(path, key), message }];
  if (layer.opacity === 0) return hidden('opacity', 'is 0: the layer is invisible');
  if (layer.type === 'group' && childrenOf(raw).length === 0 && !layer.backgroundColor && !layer.border) {
    return hidden('layers', 'is empty: the group draws nothing');
  }
  const isBare = layer.type === 'text' && !layer.backgroundColor && !layer.border;
  if (isBare && layer.text === '') return hidden('text', 'is empty: the layer draws nothing');
  if (isBare && layer.fontSize === 0) return hidden('fontSize', 'is 0: the layer draws nothing');
  const line = layer.type === 'shape' && layer.shapeType === 'line' && (layer.border?.width ?? 0) > 0;
  // what may overflow its box is visible in an empty one too
  const overflows = layer.type === 'text' || (layer.type === 'group' && !layer.clip);
  if (!overflows && !line && (layer.width === 0 || layer.height === 0)) {
    return hidden(layer.width === 0 ? 'width' : 'height', 'is 0: the layer draws nothing');
  }
  // the points of polygons and paths, and the layers of a group, may be anywhere
  const isFree =
    (layer.type === 'shape' && (layer.shapeType === 'polygon' || layer.shapeType === 'path')) ||
    (layer.type === 'group' && !layer.clip);
  return canvas && !isFree && isOffCanvas(layer, canvas)
    ? hidden('', `lies wholly off the canvas of ${canvas.width} × ${canvas.height}`)
    : [];
}

/** Whether the layer's rotated box and its shadow are both outside the canvas. */
function isOffCanvas(layer: Layer, canvas: Size): boolean {
  const [left, top, right, bottom] = boundsOf(layer, shadowReach(layer));
  return right < 0 || bottom < 0 || left > canvas.width || top > canvas.height;
}

/** Left, top, right and bottom edge, in canvas pixels. */
export type Box = readonly [left: number, top: number, right: number, bottom: number];

/** Bounds of the layer's rotated box, enlarged by `margin` on each side. */
export function boundsOf({ x, y, width, height, rotation }: Layer, margin = 0): Box {
  const angle = (rotation * Math.PI) / 180;
  const [across, down] = [Math.abs(cos(angle)), Math.abs(sin(angle))];
  const reachX = (width * across + height * down) / 2 + margin;
  const reachY = (width * down + height * across) / 2 + margin;
  const [centreX, centreY] = [x + width / 2, y + height / 2];
  return [centreX - reachX, centreY - reachY, centreX + reachX, centreY + reachY];
}

/** A shadow rotates with the layer, within its own distance; a blur is invisible beyond three standard deviations. */
export function shadowReach({ shadow = [] }: Layer): number {
  return shadow.reduce((farthest, { offsetX, offsetY, blur, spread, inset }) => {
    if (inset) return farthest;
    // a spread box reaches farther along its diagonal
    return Math.max(farthest, hypot(offsetX, offsetY) + 1.5 * (blur + Math.max(0, spread)));
  }, 0);
}
