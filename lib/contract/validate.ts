// Finds all errors and warnings of a payload without rendering it. An error would stop the render; a warning would not, but the
// author probably made a mistake.
import { type Detail, RenderError, type Warning } from '../errors.js';
import { parseRequest } from './api/request.js';
import { isObject } from './fields.js';
import { isTemplate, type RecordLayer, recordLayers } from './hotspots.js';
import { joinPath } from './issues.js';
import type { Layer } from './layers/index.js';
import { lintLayer } from './lint.js';
import { walkLayers } from './nested-layers.js';
import { LAYER_TYPES, parseLayer } from './parse-layers.js';
import { MAIN_FIELDS, parseTemplate } from './template.js';
import {
  unknownInFixedLayer,
  unknownInHotspot,
  unknownInLayer,
  unknownInRequest,
  unknownInTemplate,
} from './unknown-fields.js';
import { limitWarnings } from './warnings.js';

export interface PayloadReview {
  readonly kind: 'canvas' | 'template request' | 'template' | 'unknown';
  /** Problems that would stop the render. */
  readonly errors: readonly Detail[];
  readonly warnings: readonly Warning[];
  /** The valid layers, those in groups included, with their paths, for further checks. */
  readonly layers: readonly PlacedLayer[];
}

export interface PlacedLayer {
  readonly path: string;
  readonly layer: Layer;
}

/** Validates a request of either shape, or a template, which is recognized by its hotspots. Never throws. */
export function validatePayload(payload: unknown, options: { readonly maxLayers: number }): PayloadReview {
  if (!isObject(payload))
    return { kind: 'unknown', errors: errorsOf(() => parseRequest(payload, options)), warnings: [], layers: [] };
  if (isTemplate(payload)) return reviewTemplate(payload, options);
  const errors = errorsOf(() => parseRequest(payload, options));
  if (!Array.isArray(payload.layers) && !('canvas' in payload)) {
    const warnings = limitWarnings(unknownInRequest(payload, 'template'));
    return { kind: 'template request', errors, warnings, layers: [] };
  }
  const placed = placedIn(payload, 'layers', options.maxLayers);
  return {
    kind: 'canvas',
    errors: [...errors, ...placed.flatMap(layerErrors)],
    warnings: limitWarnings(requestWarnings(payload, placed)),
    layers: placed.flatMap(validLayer),
  };
}

function reviewTemplate(template: Record<string, unknown>, options: { readonly maxLayers: number }): PayloadReview {
  const layers = [...recordLayers(template)].slice(0, options.maxLayers);
  return {
    kind: 'template',
    errors: errorsOf(() => parseTemplate(template, options)),
    warnings: limitWarnings(templateWarnings(template, layers)),
    layers: [
      ...backgroundLayer(template),
      ...layers.flatMap((each) => {
        const layer = parseRecordLayer(each);
        return layer ? [{ path: each.path, layer }] : [];
      }),
    ],
  };
}

function* requestWarnings(request: Record<string, unknown>, placed: readonly PlacedRaw[]): Generator<Warning> {
  yield* unknownInRequest(request, 'canvas');
  yield* outputWarnings(request);
  for (const { raw, path, depth } of placed) {
    yield* unknownInLayer(raw, path);
    yield* lintLayer(raw, path, depth === 0 ? sizeOf(request.canvas) : undefined);
  }
  yield* repeatedIds(placed);
}

function* templateWarnings(template: Record<string, unknown>, layers: readonly RecordLayer[]): Generator<Warning> {
  yield* unknownInTemplate(template);
  for (const { raw, path, kind } of layers) {
    yield* kind === 'fixed' ? unknownInFixedLayer(raw, path) : unknownInHotspot(raw, path);
  }
  for (const each of layers) {
    yield* lintLayer(withMainValue(each), each.path, each.depth === 0 ? sizeOf(template) : undefined);
  }
}

/** The template's background, as the image layer that it is rendered as. */
function backgroundLayer({ background }: Record<string, unknown>): PlacedLayer[] {
  const url = isObject(background) ? background.url : undefined;
  const raw = { type: 'image', x: 0, y: 0, width: 1, height: 1, url };
  return validLayer({ raw, path: 'background', depth: 0 });
}

interface PlacedRaw {
  readonly path: string;
  readonly raw: Record<string, unknown>;
  /** The groups that it is in. */
  readonly depth: number;
}

/** The objects among the first `max` layers of the array `holder[key]`. The schemas report other values. */
function placedIn(holder: Record<string, unknown>, key: string, max: number): PlacedRaw[] {
  const list: unknown = holder[key];
  const placed: PlacedRaw[] = [];
  if (!Array.isArray(list)) return placed;
  let count = 0;
  for (const { layer: raw, path, depth } of walkLayers<unknown>(list, key)) {
    if (++count > max) break;
    if (isObject(raw)) placed.push({ raw, path, depth });
  }
  return placed;
}

/** Parses a layer of a template's record; undefined if it is malformed. A hotspot's missing main value is filled. */
export function parseRecordLayer(each: RecordLayer): Layer | undefined {
  return parseLayer(withMainValue(each), each.path, each.depth).layer;
}

/** Data of the symbologies that don't take any text. */
const PLACEHOLDERS: ReadonlyMap<string, string> = new Map([
  ['ean13', '0'.repeat(12)],
  ['ean8', '0'.repeat(7)],
  ['upca', '0'.repeat(11)],
  ['itf14', '0'.repeat(13)],
  ['gs1-128', `(01)${'0'.repeat(14)}`],
]);

/** The hotspot with a placeholder for a main value that it lacks, so that its other fields can be checked. */
function withMainValue({ raw, kind }: RecordLayer): Record<string, unknown> {
  const type = LAYER_TYPES.find((known) => known === raw.type);
  const main = type && MAIN_FIELDS[type];
  if (!main || kind === 'fixed') return { ...raw };
  const placeholder = type === 'image' ? 'data:,' : (PLACEHOLDERS.get(String(raw.symbology)) ?? '-');
  return { ...raw, [main]: raw[main] ?? placeholder };
}

function validLayer({ raw, path, depth }: PlacedRaw): PlacedLayer[] {
  const { layer } = parseLayer(raw, path, depth);
  return layer ? [{ path, layer }] : [];
}

function layerErrors({ raw, path, depth }: PlacedRaw): readonly Detail[] {
  const result = parseLayer(raw, path, depth);
  return result.layer ? [] : result.details;
}

function errorsOf(check: () => unknown): readonly Detail[] {
  try {
    check();
    return [];
  } catch (error) {
    if (error instanceof RenderError) return error.details;
    throw error;
  }
}

function outputWarnings({ format, quality, lossless }: Record<string, unknown>): Warning[] {
  const isPng = format === undefined || format === null || format === 'png';
  const isJpeg = format === 'jpeg' || format === 'jpg';
  const warnings: Warning[] = [];
  if (typeof quality === 'number') {
    if (isPng) warnings.push({ path: 'quality', message: 'has no effect on png' });
    else if (lossless === true && !isJpeg) warnings.push({ path: 'quality', message: 'has no effect with lossless' });
  }
  if (lossless === true && isJpeg) warnings.push({ path: 'lossless', message: 'has no effect on jpeg' });
  return warnings;
}

function repeatedIds(placed: readonly PlacedRaw[]): Warning[] {
  const firstWith = new Map<string, string>();
  return placed.flatMap(({ raw: { id }, path }) => {
    if (typeof id !== 'string') return [];
    const earlier = firstWith.get(id);
    if (earlier === undefined) firstWith.set(id, path);
    return earlier === undefined
      ? []
      : [{ path: joinPath(path, 'id'), layerId: id, message: `is that of ${earlier} too` }];
  });
}

/** The canvas's size; infinite if it is invalid, so that no layer is off the canvas. */
function sizeOf(holder: unknown): { width: number; height: number } {
  const { width, height } = isObject(holder) ? holder : {};
  const known = (side: unknown) => (typeof side === 'number' && side > 0 ? side : Number.POSITIVE_INFINITY);
  return { width: known(width), height: known(height) };
}
