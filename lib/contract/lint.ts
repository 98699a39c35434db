// What a layer says that is sound but hardly meant: fields without effect, nothing to be seen.
import type { Warning } from '../errors.js';
import { joinPath } from './issues.js';
import type { Layer } from './layers.js';
import { parseLayer } from './parse-layers.js';

/** Canvas pixels; infinite where unknown. */
interface Size {
  readonly width: number;
  readonly height: number;
}

/** Doubts about the raw layer at `path` that only a look at all of it tells; unknown fields are unknown-fields.ts's. */
export function lintLayer(raw: Record<string, unknown>, path: string, canvas: Size): Warning[] {
  const { layer } = parseLayer(raw, path);
  if (!layer) return [];
  const doubts = [...idleFields(raw, layer, path), ...nothingToSee(layer, path, canvas)];
  const { id } = layer;
  return id === undefined ? doubts : doubts.map((doubt) => ({ ...doubt, layerId: id }));
}

/** Fields that were given, and have no effect beside the others. */
function idleFields(raw: Record<string, unknown>, layer: Layer, path: string): Warning[] {
  const idle: Warning[] = [];
  const add = (key: string, reason: string) => {
    if (raw[key] !== undefined && raw[key] !== null)
      idle.push({ path: joinPath(path, key), message: `has no effect ${reason}` });
  };
  switch (layer.type) {
    case 'text':
      if (!layer.autoFit) add('minFontSize', 'without autoFit');
      else if (layer.minFontSize > layer.fontSize) add('minFontSize', `above fontSize (${layer.fontSize})`);
      break;
    case 'image':
      if (layer.mask !== 'rounded') add('borderRadius', `with mask "${layer.mask}"`);
      break;
    case 'qrcode':
      break;
    case 'shape':
      if (layer.shapeType !== 'rounded_rectangle') add('borderRadius', `on shapeType "${layer.shapeType}"`);
      if (layer.shapeType === 'line' && layer.border?.color) add('fillColor', 'on a line whose border has a color');
      break;
  }
  return idle;
}

/** Why nothing of `layer` can be seen, if so. */
function nothingToSee(layer: Layer, path: string, canvas: Size): Warning[] {
  const hidden = (key: string, message: string) => [{ path: key === '' ? path : joinPath(path, key), message }];
  if (layer.opacity === 0) return hidden('opacity', 'is 0: the layer is invisible');
  if (layer.type === 'text' && layer.text === '') return hidden('text', 'is empty: the layer draws nothing');
  if (layer.type === 'text' && layer.fontSize === 0) return hidden('fontSize', 'is 0: the layer draws nothing');
  const line = layer.type === 'shape' && layer.shapeType === 'line' && (layer.border?.width ?? 0) > 0;
  // Text is painted beyond its box, so a box of no size still shows it.
  if (layer.type !== 'text' && !line && (layer.width === 0 || layer.height === 0)) {
    return hidden(layer.width === 0 ? 'width' : 'height', 'is 0: the layer draws nothing');
  }
  return isOffCanvas(layer, canvas)
    ? hidden('', `lies wholly off the canvas of ${canvas.width} × ${canvas.height}`)
    : [];
}

/** Whether the layer's box, turned about its centre, and its shadow's both miss the canvas. */
function isOffCanvas({ x, y, width, height, rotation, shadow }: Layer, canvas: Size): boolean {
  const angle = (rotation * Math.PI) / 180;
  const [cos, sin] = [Math.abs(Math.cos(angle)), Math.abs(Math.sin(angle))];
  const [reachX, reachY] = [(width * cos + height * sin) / 2, (width * sin + height * cos) / 2];
  // The shadow turns with the layer, by at most its own distance; three deviations hold all that can be seen of a blur.
  const margin = shadow ? Math.hypot(shadow.offsetX, shadow.offsetY) + 1.5 * shadow.blur : 0;
  const [centreX, centreY] = [x + width / 2, y + height / 2];
  return (
    centreX + reachX + margin < 0 ||
    centreY + reachY + margin < 0 ||
    centreX - reachX - margin > canvas.width ||
    centreY - reachY - margin > canvas.height
  );
}
