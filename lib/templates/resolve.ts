// The line's first step: a payload of any shape → a Scene, checked as a whole. Nothing is fetched.

import { isObject } from '../contract/fields.js';
import { formatReceived } from '../contract/issues.js';
import { type CanvasRequest, parseRequest, type RenderRequest } from '../contract/request.js';
import { parseTemplate } from '../contract/template.js';
import { unknownInLayer, unknownInRequest, unknownInTemplate } from '../contract/unknown-fields.js';
import { limitWarnings } from '../contract/warnings.js';
import { RenderError, type Warning } from '../errors.js';
import { applyTemplate } from './apply.js';
import { assetUrlOf, type CheckUrl, checkLayers } from './check-layers.js';
import type { RawScene, Scene } from './scene.js';

export interface ResolveOptions {
  /** How many layers a payload, or layers and hotspots a template, may have. */
  readonly maxLayers: number;
  /** What fills the hotspots, when the payload is a template. */
  readonly variables?: unknown;
  /** Checks each asset's URL. */
  readonly checkUrl: CheckUrl;
}

/**
 * The scene of a canvas request; or of a template's record, known by its `hotspots`, filled with `variables`.
 * Throws RenderError: `invalid_request` with every fault of the shape; `template_not_found` for a `templateId`, which
 * only a store can look up; `render_failed` with every fault of every layer.
 */
export function resolve(payload: unknown, options: ResolveOptions): Scene {
  const { maxLayers, variables, checkUrl } = options;
  if (isTemplate(payload)) return resolveTemplate(payload, options);
  const request = parseRequest(payload, { maxLayers });
  if (request.kind === 'template') {
    const message =
      'saved templates live in the service; to render one here, give its record (an object with hotspots)';
    throw new RenderError('template_not_found', `templateId: ${message}`, {
      details: [{ path: 'templateId', message }],
    });
  }
  const scene = resolveCanvas(request, checkUrl);
  const ignored = { path: 'variables', message: 'are ignored: the payload is no template (it has no hotspots)' };
  return {
    ...scene,
    warnings: limitWarnings(
      variables === undefined ? [] : [ignored],
      unknownInRequest(payload, 'canvas'),
      scene.warnings,
    ),
  };
}

/**
 * The scene of a checked request; `record` is the template's, for a request that names one. The scene's warnings leave out
 * the request's own unknown fields, which are gone by now: they are found in the body (contract/unknown-fields.ts).
 */
export function resolveRequest(
  request: RenderRequest,
  record: unknown,
  options: Omit<ResolveOptions, 'variables'>,
): Scene {
  if (request.kind === 'canvas') return resolveCanvas(request, options.checkUrl);
  const { variables, format, quality } = request;
  return { ...resolveTemplate(record, { ...options, variables }), format, quality };
}

function resolveCanvas({ canvas, layers, format, quality }: CanvasRequest, checkUrl: CheckUrl): Scene {
  const origins = layers.map((_, index) => ({ path: `layers[${index}]` }));
  const warnings = limitWarnings(unknownFields(layers));
  return { ...withCheckedLayers({ canvas, layers, origins, warnings }, checkUrl), format, quality };
}

function withCheckedLayers(raw: RawScene, checkUrl: CheckUrl): Omit<Scene, 'format' | 'quality'> {
  const layers = checkLayers(raw, checkUrl);
  const urls = layers.map(assetUrlOf).filter((url) => url !== undefined);
  return { ...raw, layers, assetUrls: [...new Set(urls)] };
}

function* unknownFields(layers: CanvasRequest['layers']): Generator<Warning> {
  for (const [index, layer] of layers.entries()) yield* unknownInLayer(layer, `layers[${index}]`);
}

/** The scene of a template's record, known to be one; the record names no format, so that it is the wire's default. */
export function resolveTemplate(record: unknown, { maxLayers, variables = {}, checkUrl }: ResolveOptions): Scene {
  const template = parseTemplate(record, { maxLayers });
  if (!isObject(variables)) {
    const message = `received ${formatReceived(variables)}, expected an object`;
    throw new RenderError('invalid_request', `variables: ${message}`, { details: [{ path: 'variables', message }] });
  }
  const scene = applyTemplate(template, variables);
  return {
    ...withCheckedLayers(scene, checkUrl),
    format: 'png',
    quality: 90,
    warnings: limitWarnings(unknownInTemplate(record), scene.warnings),
  };
}

/** Whether `payload` is a template's record rather than a request. */
export function isTemplate(payload: unknown): payload is Record<string, unknown> {
  return isObject(payload) && 'hotspots' in payload;
}
