// Everything that is wrong or doubtful about a payload, without rendering, network or files.

import type { TextLayer, WrittenLayer } from '../contract/layers/index.js';
import { type FieldIssue, limitWarnings } from '../contract/messages/issues.js';
import { fieldPath } from '../contract/messages/origins.js';
import { isDynamic } from '../contract/template/expression-end.js';
import { linkIssues } from '../contract/template/links.js';
import { type PlacedLayer, validatePayload } from '../contract/validate.js';
import type { DetailCode, WarningCode } from '../detail-codes.js';
import { CodedError, type Detail, limitDetails, type Warning } from '../errors.js';
import { resolveFamilies } from '../fonts/bundled.js';
import { qrcodeWarnings } from '../layers/codes/qrcode.js';
import { barcodeWarnings } from '../layers/codes/scannability.js';
import { CANVAS_SPACE, frameOf } from '../layers/frame.js';
import { type CheckUrl, codeIssue, urlIssues } from './check-layers.js';
import { dataFindings, lacksDataRoom, missingLocale } from './data/data-room.js';
import { type IconOptions, iconIssue } from './icons/icon-room.js';
import { resolve } from './resolve.js';
import { type Findings, isAboutVariables, validateSamples } from './samples.js';

export interface Validation {
  /** Whether there are no details; a render may still fail on an image or font that can't be loaded. */
  readonly valid: boolean;
  /** Errors in payload order: the first 20 problems, and the number of the others. */
  readonly details: readonly Detail[];
  /** Warnings about values that a render accepts but that the author hardly meant, at most 100. */
  readonly warnings: readonly Warning[];
}

interface ValidateOptions extends Pick<IconOptions, 'icons'> {
  readonly maxLayers: number;
  readonly checkUrl: CheckUrl;
  /** Variables that fill the hotspots, when the payload is a template. */
  readonly variables?: unknown;
  /** The size that the variables are checked in. */
  readonly size?: string | undefined;
}

type LayerChecks = Pick<ValidateOptions, 'checkUrl' | 'icons'>;

const NOTHING: Findings = { errors: [], warnings: [] };

/** Never throws on a bad payload. */
export function validatePayloadAndLayers(payload: unknown, options: ValidateOptions): Validation {
  const { kind, errors, warnings, layers } = validatePayload(payload, options);
  const found = Array.from(layers, (layer) => validateLayer(layer, options));
  const details = [...errors, ...found.flatMap((each) => each.errors)];
  const { variables, size } = options;
  const isResolved = kind === 'canvas' || (kind === 'template' && (variables !== undefined || size !== undefined));
  const data = kind === 'template' && details.length === 0 ? dataFindings(payload, options.maxLayers) : NOTHING;
  const isSound =
    details.length === 0 && data.errors.length === 0 && !lacksDataRoom(payload) && missingLocale(payload) === undefined;
  const scene = isSound && isResolved ? validateScene(payload, options) : NOTHING;
  const samples = isSound && kind === 'template' ? validateSamples(payload, options) : NOTHING;
  const all = [...details, ...data.errors, ...scene.errors, ...samples.errors];
  return {
    valid: all.length === 0,
    details: limitDetails(all),
    warnings: limitWarnings(
      warnings,
      ...found.map((each) => each.warnings),
      data.warnings,
      scene.warnings,
      samples.warnings,
    ),
  };
}

/** Finds errors in the layers' combination, and errors and doubtful values in the variables of a template without faults. */
export function validateScene(payload: unknown, options: ValidateOptions): Findings {
  try {
    return { errors: [], warnings: resolve(payload, options).warnings.filter(isAboutVariables) };
  } catch (error) {
    if (error instanceof CodedError) return { errors: error.details, warnings: [] };
    throw error;
  }
}

/** Finds errors and doubtful values in a valid layer's URLs, font family or data. */
export function validateLayer({ path, layer, standard }: PlacedLayer, options: LayerChecks): Findings {
  const { errors, warnings } = allFindings(layer, options);
  const known = standard ? allFindings(standard, options) : { errors: [], warnings: [] };
  const isNew = (others: readonly FieldIssue[]) => (found: FieldIssue) =>
    !others.some(({ field, message }) => field === found.field && message === found.message);
  const at = <Code extends DetailCode>({ field, ...found }: FieldIssue<Code>): Detail<Code> => ({
    ...found,
    path: fieldPath(path, field),
    ...(layer.id !== undefined && { layerId: layer.id }),
  });
  return {
    errors: errors.filter(isNew(known.errors)).map(at),
    warnings: warnings.filter(isNew(known.warnings)).map(at),
  };
}

function allFindings(layer: WrittenLayer, { checkUrl, icons }: LayerChecks): Required<LayerFindings> {
  const { errors = [], warnings = [] } = findingsOf(layer, icons);
  return { errors: [...urlIssues(layer, checkUrl), ...linkIssues(layer), ...errors], warnings };
}

interface LayerFindings {
  readonly errors?: readonly FieldIssue[];
  readonly warnings?: readonly FieldIssue<WarningCode>[];
}

function findingsOf(layer: WrittenLayer, icons: IconOptions['icons']): LayerFindings {
  switch (layer.type) {
    case 'text': {
      if (layer.customFontUrl !== undefined) return {};
      return { warnings: familyWarnings(layer) };
    }
    case 'qrcode': {
      const fault = codeIssue(layer);
      if (fault !== undefined) return { errors: [fault] };
      return { warnings: qrcodeWarnings(layer, frameOf(layer, CANVAS_SPACE)) };
    }
    case 'barcode': {
      const fault = codeIssue(layer);
      if (fault !== undefined) return { errors: [fault] };
      return { warnings: [...(layer.showText ? familyWarnings(layer) : []), ...barcodeWarnings(layer)] };
    }
    case 'icon': {
      // an expression or a variable gives the name later
      if (isDynamic(layer.icon)) return {};
      const fault = iconIssue(layer, icons);
      return fault === undefined ? {} : { errors: [fault] };
    }
    case 'image':
    case 'shape':
    case 'group':
      return {};
  }
}

function familyWarnings({ fontFamily }: Pick<TextLayer, 'fontFamily'>): FieldIssue<WarningCode>[] {
  const { warning } = resolveFamilies(fontFamily);
  return warning ? [warning] : [];
}
