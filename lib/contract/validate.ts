// Finds all errors and warnings of a payload without rendering it. An error would stop the render; a warning would not, but the
// author probably made a mistake.
import type { Detail, Scalar, Warning } from '../errors.js';
import { parseRequest } from './api/request.js';
import type { WrittenLayer } from './layers/index.js';
import { createOutlineLimit } from './layers/limits.js';
import { walkLayers } from './layers/nested-layers.js';
import { LAYER_TYPES, parseLayer, type TreePlace, toDetails } from './layers/parse.js';
import { lintLayer } from './lint.js';
import { closestMatch, didYouMean } from './messages/closest-match.js';
import { attempt, joinPath, limitWarnings, mismatchOf } from './messages/issues.js';
import { fieldPath } from './messages/origins.js';
import { isObject } from './schema/fields.js';
import { canvasUsesData, isDynamicLayer } from './template/data-fields.js';
import { danglingLinks } from './template/links.js';
import { checkTemplate, MAIN_FIELDS } from './template/parse.js';
import { isTemplate, type RecordLayer, recordLayers } from './template/record-layers.js';
import { hasPlaceholders, literalPlaceholders, recordPlaceholders } from './template/record-strings.js';
import { isFilled, sampleLayer, UNKNOWN_IMAGE } from './template/sample.js';
import { findInSizes, overriddenLayers } from './template/size-findings.js';
import {
  unknownInFixedLayer,
  unknownInHotspot,
  unknownInLayer,
  unknownInRequest,
  unknownInTemplate,
} from './unknown-fields.js';

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
  readonly layer: WrittenLayer;
  /** The layer without the override of a size; its findings are reported separately. */
  readonly standard?: WrittenLayer;
}

/** Validates a request of either shape, or a template, which is recognized by its hotspots. Never throws. */
export function validatePayload(payload: unknown, options: { readonly maxLayers: number }): PayloadReview {
  if (!isObject(payload))
    return { kind: 'unknown', errors: attempt(() => parseRequest(payload, options)).details, warnings: [], layers: [] };
  if (isTemplate(payload)) return reviewTemplate(payload, options);
  const errors = attempt(() => parseRequest(payload, options)).details;
  if (!Array.isArray(payload.layers) && !('canvas' in payload)) {
    const warnings = limitWarnings(unknownInRequest(payload, 'template'));
    return { kind: 'template request', errors, warnings, layers: [] };
  }
  // layers with data are known when they are resolved
  const rawLayers = canvasUsesData(payload) ? [] : placedIn(payload, 'layers', options.maxLayers);
  const layers = parsePlaced(rawLayers);
  return {
    kind: 'canvas',
    errors: [...errors, ...layers.errors],
    warnings: limitWarnings(requestWarnings(payload, rawLayers)),
    layers: layers.valid,
  };
}

function reviewTemplate(template: Record<string, unknown>, options: { readonly maxLayers: number }): PayloadReview {
  const layers = [...recordLayers(template)].slice(0, options.maxLayers);
  const outlineIssues = createOutlineLimit();
  const errors = attempt(() => checkTemplate(template, options)).details;
  const warningsOf = (record: Readonly<Record<string, unknown>>) =>
    templateWarnings({ ...record }, [...recordLayers(record)].slice(0, options.maxLayers));
  return {
    kind: 'template',
    errors,
    warnings: limitWarnings(
      templateWarnings(template, layers),
      idlePaddings(template),
      mistypedNames(template, layers),
      errors.length === 0 ? findInSizes(template, warningsOf) : [],
    ),
    layers: [
      ...backgroundLayer(template),
      ...layers.flatMap((each) => {
        const layer = parseRecordLayer(each, template);
        // parsing the template reports too large outlines
        return layer && outlineIssues(layer).length === 0 ? [{ path: each.path, layer }] : [];
      }),
      ...(errors.length === 0 ? layersOfSizes(template) : []),
    ],
  };
}

/** The layers that the sizes of a template without faults override. */
function layersOfSizes(template: Readonly<Record<string, unknown>>): PlacedLayer[] {
  return overriddenLayers(template).flatMap(({ sized, own }) => {
    const [layer, standard] = [parseRecordLayer(sized, template), parseRecordLayer(own, template)];
    return layer && standard ? [{ path: sized.path, layer, standard }] : [];
  });
}

function* requestWarnings(request: Record<string, unknown>, rawLayers: readonly PlacedRaw[]): Generator<Warning> {
  yield* unknownInRequest(request, 'canvas');
  yield* outputWarnings(request);
  if (isObject(request.canvas) && hasIdlePadding(request.canvas)) yield idlePadding('canvas', request.canvas);
  for (const { raw, path, ...place } of rawLayers) {
    yield* unknownInLayer(raw, path);
    yield* lintLayer(raw, path, place, place.depth === 0 ? sizeOf(request.canvas) : undefined);
  }
  yield* repeatedIds(rawLayers);
  yield* danglingWarnings(rawLayers);
}

function* templateWarnings(template: Record<string, unknown>, layers: readonly RecordLayer[]): Generator<Warning> {
  yield* unknownInTemplate(template);
  if (!hasPlaceholders(template)) {
    yield* literalPlaceholders({ alt: template.alt }, '');
    if (isObject(template.background))
      yield* literalPlaceholders({ ...template.background, type: 'image' }, 'background');
    for (const { raw, path } of layers) yield* literalPlaceholders(raw, path);
  }
  for (const { raw, path, kind } of layers) {
    yield* kind === 'fixed' ? unknownInFixedLayer(raw, path) : unknownInHotspot(raw, path);
  }
  for (const each of layers) {
    if (isDynamicLayer(each.raw)) continue;
    yield* lintLayer(sampleOf(each, template), each.path, each, each.depth === 0 ? sizeOf(template) : undefined);
  }
  yield* danglingWarnings(layers, hasPlaceholders(template));
}

/** Names in placeholders that are compared with every key and label. */
const MAX_COMPARED_NAMES = 20;

/** Finds variables that only placeholders name, and that are probably misspelt. */
function* mistypedNames(template: Record<string, unknown>, layers: readonly RecordLayer[]): Generator<Warning> {
  const hotspots = layers.filter(({ kind }) => kind !== 'fixed');
  const known = new Set(hotspots.flatMap(({ raw: { key, label } }) => [key, label].filter((name) => isText(name))));
  const compared = new Set<string>();
  for (const { path, placeholder } of recordPlaceholders(template)) {
    const { name, source } = placeholder;
    if (known.has(name) || compared.has(name)) continue;
    if (compared.size === MAX_COMPARED_NAMES) return;
    compared.add(name);
    const meant = closestMatch(name, known);
    if (meant === undefined) continue;
    const message = `${source} names a variable that no hotspot has${didYouMean(meant)}`;
    yield { code: 'unknown_placeholder', path, message, ...mismatchOf(name, meant) };
  }
}

const isText = (value: unknown): value is string => typeof value === 'string';

/** The template's background, as the image layer that it is rendered as. */
function backgroundLayer(template: Record<string, unknown>): PlacedLayer[] {
  const { background } = template;
  const url = isObject(background) ? background.url : undefined;
  const raw = { type: 'image', x: 0, y: 0, width: 1, height: 1, url };
  const sampled = sampleOf({ raw, kind: 'fixed' }, template);
  return parsePlaced([{ raw: sampled, path: 'background', depth: 0, isLaidOut: false }]).valid;
}

interface PlacedRaw extends TreePlace {
  readonly path: string;
  readonly raw: Record<string, unknown>;
}

/** The objects among the first `max` layers of the array `holder[key]`. The schemas report other values. */
function placedIn(holder: Record<string, unknown>, key: string, max: number): PlacedRaw[] {
  const list: unknown = holder[key];
  const rawLayers: PlacedRaw[] = [];
  if (!Array.isArray(list)) return rawLayers;
  let count = 0;
  for (const { layer: raw, ...place } of walkLayers<unknown>(list, key)) {
    if (++count > max) break;
    if (isObject(raw)) rawLayers.push({ raw, ...place });
  }
  return rawLayers;
}

/**
 * Parses a layer of the record; undefined if it is malformed. What variables fill has a sample: the missing main value of a
 * hotspot, and placeholders.
 */
export function parseRecordLayer(
  each: RecordLayer,
  record: Readonly<Record<string, unknown>>,
): WrittenLayer | undefined {
  return parseLayer(sampleOf(each, record), each.path, each).layer;
}

/** Data of the symbologies that don't take any text. */
const SAMPLE_DATA: ReadonlyMap<string, string> = new Map([
  ['ean13', '0'.repeat(12)],
  ['ean8', '0'.repeat(7)],
  ['upca', '0'.repeat(11)],
  ['itf14', '0'.repeat(13)],
  ['gs1-128', `(01)${'0'.repeat(14)}`],
]);

/** The layer with samples of what variables fill, so that its other fields can be checked. */
function sampleOf(
  { raw, kind }: Pick<RecordLayer, 'raw' | 'kind'>,
  record: Readonly<Record<string, unknown>>,
): Record<string, unknown> {
  const sampledLayer = hasPlaceholders(record) ? sampleLayer(raw) : raw;
  const { type } = raw;
  const main = MAIN_FIELDS[LAYER_TYPES.find((known) => known === type) ?? 'shape'];
  if (main === undefined) return { ...sampledLayer };
  // a placeholder's own name is hardly data of such a code
  const isUnknown = type === 'barcode' && hasPlaceholders(record) && isFilled(raw.data);
  const isMissing = kind !== 'fixed' && (raw[main] === undefined || raw[main] === null);
  if (!isUnknown && !isMissing) return { ...sampledLayer };
  return {
    ...sampledLayer,
    [main]: type === 'image' ? UNKNOWN_IMAGE : (SAMPLE_DATA.get(String(raw.symbology)) ?? '-'),
  };
}

function parsePlaced(rawLayers: readonly PlacedRaw[]): { readonly errors: Detail[]; readonly valid: PlacedLayer[] } {
  const errors: Detail[] = [];
  const valid: PlacedLayer[] = [];
  const outlineIssues = createOutlineLimit();
  for (const { raw, path, ...place } of rawLayers) {
    const result = parseLayer(raw, path, place);
    const { layer } = result;
    const details = layer ? toDetails(layer, path, outlineIssues(layer)) : result.details;
    errors.push(...details);
    if (layer && details.length === 0) valid.push({ path, layer });
  }
  return { errors, valid };
}

/** The paddings of a template and its sizes that have no effect. A size may bring what the template's own needs. */
function idlePaddings(template: Record<string, unknown>): Warning[] {
  const sizes = Object.entries(isObject(template.sizes) ? template.sizes : {}).flatMap(([name, size]) =>
    isObject(size) ? [{ path: joinPath('sizes', name), size }] : [],
  );
  const { autoWidth, autoHeight } = template;
  const inherited = (size: Record<string, unknown>) => ({
    padding: size.padding,
    autoWidth: size.autoWidth ?? autoWidth,
    autoHeight: size.autoHeight ?? autoHeight,
  });
  const isUsed = sizes.some(({ size }) => size.autoWidth === true || size.autoHeight === true);
  return [
    ...(hasIdlePadding(template) && !isUsed ? [idlePadding('', template)] : []),
    ...sizes.flatMap(({ path, size }) => (hasIdlePadding(inherited(size)) ? [idlePadding(path, size)] : [])),
  ];
}

function hasIdlePadding({ padding, autoWidth, autoHeight }: Record<string, unknown>): boolean {
  return typeof padding === 'number' && autoWidth !== true && autoHeight !== true;
}

function idlePadding(path: string, { padding }: Record<string, unknown>): Warning {
  return {
    code: 'no_effect',
    path: joinPath(path, 'padding'),
    message: 'has no effect without autoWidth or autoHeight',
    ...mismatchOf(padding),
  };
}

function outputWarnings({ format, quality, lossless }: Record<string, unknown>): Warning[] {
  const isPng = format === undefined || format === null || format === 'png';
  const isJpeg = format === 'jpeg' || format === 'jpg';
  const warnings: Warning[] = [];
  const add = (path: string, value: Scalar, reason: string) =>
    warnings.push({ code: 'no_effect', path, message: `has no effect ${reason}`, value });
  if (typeof quality === 'number') {
    if (isPng) add('quality', quality, 'on png');
    else if (lossless === true && !isJpeg) add('quality', quality, 'with lossless');
  }
  if (lossless === true && isJpeg) add('lossless', lossless, 'on jpeg');
  return warnings;
}

function repeatedIds(rawLayers: readonly PlacedRaw[]): Warning[] {
  const firstWith = new Map<string, string>();
  return rawLayers.flatMap(({ raw: { id }, path }) => {
    if (typeof id !== 'string') return [];
    const earlier = firstWith.get(id);
    if (earlier === undefined) firstWith.set(id, path);
    return earlier === undefined
      ? []
      : [
          {
            code: 'repeated_id',
            path: joinPath(path, 'id'),
            layerId: id,
            message: `is that of ${earlier} too`,
            ...mismatchOf(id),
          },
        ];
  });
}

/** Warns about links to ids that no layer has. Those with placeholders are known when variables fill them. */
function danglingWarnings(rawLayers: readonly Pick<PlacedRaw, 'raw' | 'path'>[], isExpanded = false): Warning[] {
  const layers = rawLayers.map(({ raw, path }) => ({ layer: raw, path }));
  return danglingLinks(layers)
    .filter(({ href }) => !isExpanded || !isFilled(href))
    .map(({ path, field, href, ...found }) => ({
      code: 'dangling_link',
      path: fieldPath(path, field),
      ...found,
      ...mismatchOf(href),
    }));
}

/** The canvas's size; infinite if it is invalid, so that no layer is off the canvas. */
function sizeOf(holder: unknown): { width: number; height: number } {
  const { width, height } = isObject(holder) ? holder : {};
  const known = (side: unknown) => (typeof side === 'number' && side > 0 ? side : Number.POSITIVE_INFINITY);
  return { width: known(width), height: known(height) };
}
