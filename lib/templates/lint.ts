// Finds probable mistakes in a valid template: what `validate` warns about, and what depends on several layers or on the
// values that variables will have.

import { fill as fillSchema } from '../contract/css/fill.js';
import { assetReferences } from '../contract/layers/asset-references.js';
import { hasBorder } from '../contract/layers/border-fields.js';
import type { WrittenLayer } from '../contract/layers/index.js';
import { type LayerString, layerStrings } from '../contract/layers/layer-strings.js';
import { boundsOf, effectReach, type LayerBounds } from '../contract/lint.js';
import { joinPath } from '../contract/messages/issues.js';
import { isObject } from '../contract/schema/fields.js';
import { checkTemplate } from '../contract/template/parse.js';
import { type RecordLayer, recordLayers } from '../contract/template/record-layers.js';
import { hasPlaceholders } from '../contract/template/record-strings.js';
import { isFilled } from '../contract/template/sample.js';
import { findInSizes } from '../contract/template/size-findings.js';
import { parseRecordLayer } from '../contract/validate.js';
import { cornersOf, isRounded, reduceCorners } from '../geometry/corners.js';
import { rectOf } from '../geometry/rect.js';
import { BLACK } from '../raster/color.js';
import { type Fill, isGradient, isOpaqueFill } from '../raster/fill.js';
import type { FilterFunction } from '../raster/filters/filter.js';
import { lowercase } from '../unicode/case-mapping.js';
import { validateSamples } from './samples.js';
import { validatePayloadAndLayers } from './validate.js';

/** Maximum length of an embedded image or font, in characters of its data: URL. */
const MAX_EMBEDDED_LENGTH = 1024 * 1024;
/** Pixels that a box may reach beyond the canvas or beyond a layer that covers it. */
const TOLERANCE = 0.5;
/** Largest difference per channel, of 255, of colours that look the same. */
const SAME_COLOR = 8;

/** A probable mistake, with its path in the record. */
export interface LintFinding {
  readonly path: string;
  readonly message: string;
}

/** A layer of the record with its parsed form. */
interface PlacedLayer extends RecordLayer {
  readonly layer: WrittenLayer;
}

/**
 * Probable mistakes in a template's record, with their paths in the record, such as `layers[2].url`. Fetches nothing.
 * Throws RenderError `invalid_request` if the record is malformed.
 */
export function lintTemplate(
  record: unknown,
  { maxLayers = 500 }: { readonly maxLayers?: number } = {},
): LintFinding[] {
  const template = checkTemplate(record, { maxLayers });
  const raw = record as Readonly<Record<string, unknown>>;
  const options = { maxLayers, checkUrl: () => {} };
  const { warnings } = validatePayloadAndLayers(record, options);
  const isFixed = template.hotspots.length + template.plainVariables.length === 0;
  const findings: LintFinding[] = [
    ...warnings.map(({ path, message }) => ({ path, message })),
    ...(isFixed
      ? [{ path: 'hotspots', message: 'there are no hotspots: all renders of the template are the same' }]
      : []),
    ...validateSamples(record, options).errors.map(({ path, message }) => ({ path, message })),
    ...findingsIn(raw),
    ...findInSizes(raw, findingsIn),
  ];
  const isReported = new Set<string>();
  return findings.filter(({ path, message }) => {
    const isFirst = !isReported.has(`${path}\n${message}`);
    isReported.add(`${path}\n${message}`);
    return isFirst;
  });
}

/** Probable mistakes in a valid record in its own size, apart from what `validate` warns about. */
function findingsIn(raw: Readonly<Record<string, unknown>>): LintFinding[] {
  const layers = [...recordLayers(raw)].flatMap((each): PlacedLayer[] => {
    const layer = parseRecordLayer(each, raw);
    // a variable may show a hidden hotspot
    return layer && (layer.visible || each.kind !== 'fixed') ? [{ ...each, layer }] : [];
  });
  const outer = layers.filter(({ depth }) => depth === 0);
  const canvas: LayerBounds = [0, 0, Number(raw.width), Number(raw.height)];
  return [
    ...names(layers),
    ...urls(raw, layers),
    ...layers.flatMap((each) => fillable(each, hasPlaceholders(raw))),
    // layers in groups have other coordinates
    ...outer.flatMap((each) => cutOff(each, canvas)),
    ...hidden(raw, outer, canvas),
    ...unreadable(raw, outer, canvas),
  ];
}

/** Keys and labels that are easily confused. */
function names(layers: readonly PlacedLayer[]): LintFinding[] {
  const hotspots = layers.filter(({ kind }) => kind !== 'fixed');
  return hotspots.flatMap(({ raw: { key, label }, path }, index) => {
    const found: LintFinding[] = [];
    const earlier = hotspots.slice(0, index);
    const twin = earlier.find(({ raw }) => lowercase(String(raw.key)) === lowercase(String(key)));
    if (twin) {
      found.push({ path: `${path}.key`, message: `differs from ${twin.path}.key only in upper and lower case` });
    }
    if (typeof label !== 'string') return found;
    const at = `${path}.label`;
    const owner = hotspots.find(({ raw }) => raw.key === label && raw.key !== key);
    const sharer = earlier.find(({ raw }) => raw.label === label);
    if (owner)
      found.push({ path: at, message: `is the key of ${owner.path}: a variable of that name fills only that` });
    else if (sharer)
      found.push({ path: at, message: `is that of ${sharer.path} too: a variable of that name fills both` });
    return found;
  });
}

function urls(record: Readonly<Record<string, unknown>>, layers: readonly PlacedLayer[]): LintFinding[] {
  const background = isObject(record.background) ? record.background.url : undefined;
  const hotspotTexts = [
    { path: 'background.url', url: background },
    ...layers.flatMap(({ raw, path }) =>
      assetReferences(raw).map(({ field, url }) => ({ path: `${path}.${field}`, url })),
    ),
  ];
  return hotspotTexts.flatMap(({ path, url }) => {
    if (typeof url !== 'string') return [];
    if (/^\s*http:/i.test(url)) return [{ path, message: 'is fetched without encryption: use https:' }];
    if (!/^\s*data:/i.test(url) || url.length <= MAX_EMBEDDED_LENGTH) return [];
    const size = (url.length / 1024 / 1024).toFixed(1);
    return [{ path, message: `is a data: URL of ${size} MiB, which every render reads: make it smaller, or host it` }];
  });
}

/** Hotspots, and texts with placeholders, that not every value fits. */
function fillable({ layer, raw, kind, path }: PlacedLayer, isExpanded: boolean): LintFinding[] {
  if (layer.type !== 'text' || layer.autoFit || layer.maxLines !== undefined) return [];
  if (layer.extents?.height === 'auto') return [];
  if (kind === 'fixed' && !(isExpanded && layerStrings(raw).some(isFilledText))) return [];
  return [{ path, message: 'has neither autoFit nor maxLines: a long text overflows the box' }];
}

const isFilledText = ({ kind, value }: LayerString) => kind === 'text' && isFilled(value);

/** Texts and codes that the canvas cuts off. Images often bleed on purpose. */
function cutOff({ layer, kind, path }: PlacedLayer, [, , width, height]: LayerBounds): LintFinding[] {
  if (kind === 'fixed' || layer.extents || !['text', 'qrcode', 'barcode'].includes(layer.type)) return [];
  const [left, top, right, bottom] = boundsOf(layer);
  // validate reports layers that lie wholly off the canvas
  if (right < 0 || bottom < 0 || left > width || top > height) return [];
  if (left >= -TOLERANCE && top >= -TOLERANCE && right <= width + TOLERANCE && bottom <= height + TOLERANCE) return [];
  return [{ path, message: `reaches beyond the canvas of ${width} × ${height}, which cuts it off` }];
}

/** Layers that an opaque fixed layer above covers. */
function hidden(
  record: Readonly<Record<string, unknown>>,
  layers: readonly PlacedLayer[],
  canvas: LayerBounds,
): LintFinding[] {
  const background = isObject(record.background) && typeof record.background.url === 'string';
  const subjects = [
    ...(background ? [{ path: 'background.url', bounds: canvas, index: -1 }] : []),
    ...layers.map(({ path, layer }, index) => ({
      path,
      // the size of some is known once their content is
      bounds: layer.extents ? EMPTY : boundsOf(layer, effectReach(layer)),
      index,
    })),
  ];
  return subjects.flatMap(({ path, bounds, index }) => {
    const visible = intersection(bounds, canvas);
    if (isEmpty(visible)) return [];
    const cover = layers
      .slice(index + 1)
      .find((each) => each.kind === 'fixed' && contains(opaqueBox(each.layer), visible));
    return cover ? [{ path, message: `is hidden: ${cover.path} is opaque and covers it` }] : [];
  });
}

/** Text in the colour of what is certainly behind it. */
function unreadable(
  record: Readonly<Record<string, unknown>>,
  layers: readonly PlacedLayer[],
  canvas: LayerBounds,
): LintFinding[] {
  return layers.flatMap(({ layer, path }, index) => {
    if (layer.type !== 'text' || layer.stroke || layer.shadow?.length || layer.backgroundColor) return [];
    if (layer.filter?.length) return [];
    const visible = intersection(boundsOf(layer), canvas);
    if (isEmpty(visible)) return [];
    const behind = colorBehind(record, layers.slice(0, index), visible);
    return behind && isSameColor(layer.color, behind)
      ? [{ path: joinPath(path, 'color'), message: 'is the colour of what lies behind the text: it is invisible' }]
      : [];
  });
}

/** The colour of all pixels in `box`; undefined if it is unknown or there are several. */
function colorBehind(
  { background }: Readonly<Record<string, unknown>>,
  below: readonly PlacedLayer[],
  box: LayerBounds,
): Fill | undefined {
  for (const { layer, kind } of [...below].reverse()) {
    // its layers may lie outside its box
    if (layer.type === 'group' || layer.extents) return undefined;
    if (isEmpty(intersection(boundsOf(layer, effectReach(layer)), box))) continue;
    if (kind !== 'fixed' || layer.type !== 'shape' || hasBorder(layer) || layer.filter?.length) return undefined;
    return contains(opaqueBox(layer), box) ? (layer.fillColor ?? BLACK) : undefined;
  }
  if (!isObject(background) || typeof background.url === 'string') return undefined;
  const { data } = fillSchema.safeParse(background.color);
  return data && isOpaqueFill(data) ? data : undefined;
}

function isSameColor(first: Fill, second: Fill): boolean {
  if (isGradient(first) || isGradient(second)) return false;
  return (
    first.a === second.a && (['r', 'g', 'b'] as const).every((key) => Math.abs(first[key] - second[key]) <= SAME_COLOR)
  );
}

/** A box in which the layer certainly paints every pixel opaquely; empty if there is none. */
function opaqueBox(layer: WrittenLayer): LayerBounds {
  const { x, y, width, height } = layer;
  if (layer.opacity < 1 || layer.rotation % 360 !== 0 || layer.transform?.length || layer.blendMode !== 'normal')
    return EMPTY;
  if (layer.maskImage || layer.clipPath || layer.filter?.some(fades)) return EMPTY;
  if (layer.type === 'qrcode' || layer.type === 'barcode') {
    const hasCorners = layer.type === 'qrcode' && isRounded(layer.borderRadius);
    const isOpaque = isOpaqueFill(layer.colorLight) && isOpaqueFill(layer.colorDark);
    return isOpaque && !hasCorners ? [x, y, x + width, y + height] : EMPTY;
  }
  if (layer.type !== 'shape' || (layer.fillColor ? !isOpaqueFill(layer.fillColor) : hasBorder(layer))) return EMPTY;
  if (layer.border?.color && !isOpaqueFill(layer.border.color) && !layer.fillColor) return EMPTY;
  if (layer.shapeType === 'rectangle') return [x, y, x + width, y + height];
  if (layer.shapeType !== 'rounded_rectangle') return EMPTY;
  // a square in the corner of a circle of radius 1 is 1 - √½ from its edges
  const corners = reduceCorners(
    cornersOf(layer.borderRadius, rectOf(0, 0, width, height)),
    rectOf(0, 0, width, height),
  );
  const inset = Math.max(...corners.map((corner) => Math.max(corner.x, corner.y))) * 0.3;
  return [x + inset, y + inset, x + width - inset, y + height - inset];
}

/** Whether the filter makes pixels of an opaque box translucent. */
function fades(fn: FilterFunction): boolean {
  return fn.type === 'blur' || (fn.type === 'opacity' && fn.amount < 1);
}

const EMPTY: LayerBounds = [0, 0, 0, 0];

function intersection(first: LayerBounds, second: LayerBounds): LayerBounds {
  return [
    Math.max(first[0], second[0]),
    Math.max(first[1], second[1]),
    Math.min(first[2], second[2]),
    Math.min(first[3], second[3]),
  ];
}

const isEmpty = ([left, top, right, bottom]: LayerBounds) => !(right > left && bottom > top);

function contains(outer: LayerBounds, inner: LayerBounds): boolean {
  return (
    !isEmpty(outer) &&
    outer[0] <= inner[0] + TOLERANCE &&
    outer[1] <= inner[1] + TOLERANCE &&
    outer[2] >= inner[2] - TOLERANCE &&
    outer[3] >= inner[3] - TOLERANCE
  );
}
