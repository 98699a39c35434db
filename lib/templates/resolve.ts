// The line's first step: a payload of any shape → a Scene. Nothing is fetched, no layer is checked yet.
import { shown } from '../contract/faults.js';
import { isObject } from '../contract/fields.js';
import { inLayers } from '../contract/parse.js';
import { type CanvasRequest, parseRequest, type RenderRequest } from '../contract/request.js';
import { parseTemplate } from '../contract/template.js';
import { RenderError } from '../errors.js';
import { applyTemplate } from './apply.js';
import type { Resolved } from './scene.js';

export interface ResolveOptions {
  /** How many layers a payload, or layers and hotspots a template, may have. */
  readonly maxLayers: number;
  /** What fills the hotspots, when the payload is a template. */
  readonly variables?: unknown;
}

/**
 * The scene of a canvas request; or of a template's record, known by its `hotspots`, filled with `variables`.
 * Throws RenderError: `invalid_request` with every fault of the shape; `template_not_found` for a `templateId`, which
 * only a store can look up.
 */
export function resolve(payload: unknown, { maxLayers, variables }: ResolveOptions): Resolved {
  if (isTemplate(payload)) return resolveTemplate(payload, { maxLayers, variables });
  const request = parseRequest(payload, { maxLayers });
  if (request.kind === 'template') {
    const message =
      'saved templates live in the service; to render one here, give its record (an object with hotspots)';
    throw new RenderError('template_not_found', `templateId: ${message}`, {
      details: [{ path: 'templateId', message }],
    });
  }
  const ignored = { path: 'variables', message: 'are ignored: the payload is no template (it has no hotspots)' };
  return { ...resolveCanvas(request), warnings: variables === undefined ? [] : [ignored] };
}

/** The scene of a checked request; `record` is the template's, for a request that names one. */
export function resolveRequest(request: RenderRequest, record: unknown, maxLayers: number): Resolved {
  if (request.kind === 'canvas') return resolveCanvas(request);
  const { variables, format, quality } = request;
  return { ...resolveTemplate(record, { maxLayers, variables }), format, quality };
}

function resolveCanvas({ canvas, layers, format, quality }: CanvasRequest): Resolved {
  return { canvas, layers, format, quality, place: inLayers, warnings: [] };
}

/** The scene of a template's record, known to be one; the record names no format, so that it is the wire's default. */
export function resolveTemplate(record: unknown, { maxLayers, variables = {} }: ResolveOptions): Resolved {
  const template = parseTemplate(record, { maxLayers });
  if (!isObject(variables)) {
    const message = `received ${shown(variables)}, expected an object`;
    throw new RenderError('invalid_request', `variables: ${message}`, { details: [{ path: 'variables', message }] });
  }
  return { ...applyTemplate(template, variables), format: 'png', quality: 90 };
}

/** Whether `payload` is a template's record rather than a request. */
export function isTemplate(payload: unknown): payload is Record<string, unknown> {
  return isObject(payload) && 'hotspots' in payload;
}
