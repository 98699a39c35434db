// Resolves a payload of any shape to a Scene and reports all its issues together. Fetches nothing.

import { type CanvasRequest, parseRequest, type RenderRequest } from '../contract/api/request.js';
import { formatReceived } from '../contract/json/describe.js';
import { assetReferences } from '../contract/layers/asset-references.js';
import type { Layer } from '../contract/layers/index.js';
import { countLayers, walkLayers } from '../contract/layers/nested-layers.js';
import { invalidRequest, limitWarnings, MAX_WARNINGS } from '../contract/messages/issues.js';
import { isObject } from '../contract/schema/fields.js';
import { canvasUsesData, usesBrand } from '../contract/template/data-fields.js';
import { parseTemplate, type Template } from '../contract/template/parse.js';
import { isTemplate } from '../contract/template/record-layers.js';
import { unknownInLayer, unknownInRequest, unknownInTemplate } from '../contract/unknown-fields.js';
import type { DetailCode } from '../detail-codes.js';
import { RenderError, type Warning } from '../errors.js';
import { type AppliedTemplate, applyTemplate, checkedAlt } from './apply.js';
import { type CheckUrl, checkLayers } from './check-layers.js';
import type { DesignOptions } from './data/data.js';
import { dataRoom, rejectTheme, stylesOf } from './data/data-room.js';
import type { IconOptions } from './icons/icon-room.js';
import { withOutput } from './output.js';
import type { RawScene, Scene } from './scene.js';

export interface ResolveOptions extends DesignOptions, IconOptions {
  /** Maximum number of layers of a payload, or of layers and hotspots of a template. */
  readonly maxLayers: number;
  /** Variables that fill the hotspots, when the payload is a template. */
  readonly variables?: unknown;
  /** Name of one of the template's sizes that replaces its own. */
  readonly size?: string | undefined;
  /** Whether `{{page}}` and `{{pages}}` in texts are left for the numbers of pages. */
  readonly numbersPages?: boolean | undefined;
  /** Checks each asset's URL. */
  readonly checkUrl: CheckUrl;
}

/** The error of a payload that names a saved template. */
export function savedTemplateError(): RenderError {
  const message = 'saved templates live in the service; to render one here, give its record (an object with hotspots)';
  return new RenderError('template_not_found', `templateId: ${message}`, {
    details: [{ code: 'template_not_found', path: 'templateId', message }],
  });
}

/**
 * The scene of a canvas request; or of a template's record, known by its hotspots, filled with `variables`.
 * Throws RenderError: `invalid_request` with every issue of the shape; `template_not_found` for a `templateId`, which
 * only a store can look up; `render_failed` with every issue of every layer.
 */
export function resolve(payload: unknown, options: ResolveOptions): Scene {
  const { maxLayers, variables, size } = options;
  if (isTemplate(payload)) return resolveTemplate(payload, options);
  const request = parseRequest(payload, { maxLayers });
  if (request.kind === 'template') throw savedTemplateError();
  const scene = resolveCanvas(request, options);
  const ignored: Warning[] = [];
  const ignore = (path: string, message: string) => ignored.push({ code: 'no_effect', path, message });
  if (variables !== undefined && request.data === undefined) ignore('variables', `are ignored: ${NO_TEMPLATE}`);
  if (size !== undefined) ignore('size', `is ignored: ${NO_TEMPLATE}`);
  return {
    ...scene,
    warnings: limitWarnings(ignored, unknownInRequest(payload, 'canvas'), scene.warnings),
  };
}

const NO_TEMPLATE = 'the payload is no template (it has no hotspots)';

/**
 * The scene of a checked request; `record` is the template's, for a request that names one. The scene's warnings leave out
 * the request's own unknown fields, which are gone by now: they are found in the body (contract/unknown-fields.ts).
 */
export function resolveRequest(
  request: RenderRequest,
  record: unknown,
  options: Omit<ResolveOptions, 'variables' | 'size'>,
): Scene {
  const numbersPages = request.format === 'pdf';
  if (request.kind === 'canvas') return resolveCanvas(request, { ...options, numbersPages });
  const { variables, size, tokens, theme, locale } = request;
  const own = { variables, size, tokens, theme, locale, numbersPages };
  return withOutput(resolveTemplate(record, { ...options, ...own }), request);
}

type CanvasOptions = Omit<ResolveOptions, 'size'>;

function resolveCanvas(request: CanvasRequest, options: CanvasOptions): Scene {
  const { format, quality, dpi, lossless, document } = request;
  return {
    ...withCheckedLayers(rawCanvas(request, options).scene, options),
    format,
    quality,
    dpi,
    lossless,
    document,
    locale: options.locale ?? request.locale,
  };
}

/** The scene of a request with a canvas before its layers are parsed. `color`: that of the canvas, if lib/data expanded it. */
export function rawCanvas(
  request: CanvasRequest,
  options: Omit<CanvasOptions, 'checkUrl'>,
): { readonly scene: RawScene; readonly color: unknown } {
  const { canvas, layers } = request;
  const unknown = unknownFields(layers);
  const takesBrand = options.brand !== undefined && usesBrand(layers, stylesOf(options.brand));
  if (!takesBrand && !canvasUsesData(request as unknown as Readonly<Record<string, unknown>>)) {
    rejectTheme(options);
    const origins = layers.map((_, index) => ({ path: `layers[${index}]` }));
    const warnings = limitWarnings(unknown);
    const { alt } = request;
    return { scene: { canvas, canvasPath: 'canvas', layers, origins, warnings, alt }, color: undefined };
  }
  const { expandCanvas, backgroundOf } = dataRoom();
  const { color, warnings, alt, ...expanded } = expandCanvas(request, options);
  const backgroundColor = color === undefined ? canvas.backgroundColor : backgroundOf(color, 'canvas.backgroundColor');
  return {
    scene: {
      canvas: { ...canvas, backgroundColor },
      canvasPath: 'canvas',
      ...expanded,
      alt: checkedAlt(alt),
      warnings: limitWarnings(unknown, warnings),
    },
    color,
  };
}

function withCheckedLayers(
  raw: RawScene,
  options: Pick<ResolveOptions, 'checkUrl' | keyof IconOptions>,
): Omit<Scene, 'format' | 'quality' | 'lossless'> {
  const layers = checkLayers(raw, options);
  return { ...raw, layers, assetUrls: [...new Set(layers.flatMap(visibleUrls))] };
}

/** The URLs in the layer and the layers in it; none of those that are hidden. */
function visibleUrls(layer: Layer): string[] {
  if (!layer.visible) return [];
  const nested = layer.type === 'group' ? layer.layers.flatMap(visibleUrls) : [];
  return [...assetReferences(layer).map(({ url }) => url), ...nested];
}

function* unknownFields(layers: CanvasRequest['layers']): Generator<Warning> {
  for (const { layer, path } of walkLayers(layers)) yield* unknownInLayer(layer, path);
}

/** The scene of a template's record. The record has no format, so the scene has the API's default. */
export function resolveTemplate(record: unknown, options: ResolveOptions): Scene {
  const { variables = {}, checkUrl } = options;
  return prepareTemplate(record, options).resolve(variables, checkUrl);
}

/** A template that is parsed once and rendered many times. */
export interface PreparedTemplate {
  readonly template: Template;
  /** The scene before its layers are parsed. Throws RenderError. */
  apply(variables: unknown): AppliedTemplate;
  /** The scene that `variables` make of the template. Throws RenderError as `resolve` does. */
  resolve(variables: unknown, checkUrl: CheckUrl): Scene;
}

/** Parses a template's record in one size. Throws RenderError `invalid_request` with every error. */
export function prepareTemplate(
  record: unknown,
  options: Pick<ResolveOptions, 'maxLayers' | 'size' | 'numbersPages' | keyof DesignOptions | keyof IconOptions>,
): PreparedTemplate {
  const { maxLayers, size, numbersPages } = options;
  const template = parseTemplate(record, { maxLayers, size, styles: stylesOf(options.brand) });
  const data = template.data && dataRoom().prepareData(template, template.data, options);
  if (!data) rejectTheme(options);
  const unknownFields: Warning[] = [];
  for (const warning of unknownInTemplate(record)) {
    // one more than are shown, so that limitWarnings sees that there are more
    if (unknownFields.push(warning) > MAX_WARNINGS) break;
  }
  const apply = (variables: unknown): AppliedTemplate => {
    if (!isObject(variables)) {
      throw invalidVariables(`received ${formatReceived(variables)}, expected an object`);
    }
    const applied = applyTemplate(template, variables, { maxLayers, data, numbersPages });
    if (applied.faults.length > 0) throw invalidRequest(applied.faults);
    // variables may bring layers of groups; the background is not one that the template counts
    const most = maxLayers + (template.background.url === undefined ? 0 : 1);
    if (countLayers(applied.written, most) > most) {
      throw invalidVariables(`bring more layers than expected: at most ${maxLayers} in all`, 'limit_exceeded');
    }
    return { ...applied, warnings: limitWarnings(unknownFields, applied.warnings) };
  };
  return {
    template,
    apply,
    resolve(variables, checkUrl) {
      const locale = options.locale ?? template.locale;
      const { faults: _, written: __, color: ___, ...scene } = apply(variables);
      return {
        ...withCheckedLayers(scene, { ...options, checkUrl }),
        format: 'png',
        quality: 90,
        lossless: false,
        locale,
      };
    },
  };
}

function invalidVariables(message: string, code: DetailCode = 'invalid_value'): RenderError {
  return new RenderError('invalid_request', `variables: ${message}`, {
    details: [{ code, path: 'variables', message }],
  });
}
