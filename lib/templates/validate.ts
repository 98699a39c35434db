// Everything that is wrong or doubtful about a payload, without rendering, network or files.
import type { Layer } from '../contract/layers/index.js';
import { fieldPath } from '../contract/origins.js';
import { type PlacedLayer, validatePayload } from '../contract/validate.js';
import { limitWarnings } from '../contract/warnings.js';
import { type Detail, RenderError, type Warning } from '../errors.js';
import { resolveFamily } from '../fonts/bundled.js';
import { qrcodeContent } from '../layers/codes/qrcode.js';
import { barcodeWarnings } from '../layers/codes/scannability.js';
import { CANVAS_SPACE } from '../layers/frame.js';
import { type CheckUrl, codeIssue, urlIssues } from './check-layers.js';
import { resolveTemplate } from './resolve.js';

export interface Validation {
  /** Whether there are no details; a render may still fail on an image or font that can't be loaded. */
  readonly valid: boolean;
  /** Everything that is wrong, in payload order. */
  readonly details: readonly Detail[];
  /** What a render accepts but its author hardly meant, at most 100. */
  readonly warnings: readonly Warning[];
}

interface ValidateOptions {
  readonly maxLayers: number;
  readonly checkUrl: CheckUrl;
  /** What fills the hotspots, when the payload is a template. */
  readonly variables?: unknown;
}

/** Never throws on a bad payload. */
export function validatePayloadAndLayers(payload: unknown, options: ValidateOptions): Validation {
  const { kind, errors, warnings, layers } = validatePayload(payload, options);
  const found = layers.map((placed) => validateLayer(placed, options.checkUrl));
  const details = [...errors, ...found.flatMap((each) => each.errors)];
  const filled: Validation =
    kind === 'template' && details.length === 0 && options.variables !== undefined
      ? validateVariables(payload, options)
      : { valid: true, details: [], warnings: [] };
  return {
    valid: details.length === 0 && filled.valid,
    details: [...details, ...filled.details],
    warnings: limitWarnings(warnings, ...found.map((each) => each.warnings), filled.warnings),
  };
}

/** What is wrong or doubtful about the variables of a template without faults. */
function validateVariables(template: unknown, options: ValidateOptions): Validation {
  const aboutVariables = ({ path }: Detail) => path === 'variables' || /^variables[.[]/.test(path);
  try {
    const { warnings } = resolveTemplate(template, options);
    return { valid: true, details: [], warnings: warnings.filter(aboutVariables) };
  } catch (error) {
    if (error instanceof RenderError) return { valid: false, details: error.details, warnings: [] };
    throw error;
  }
}

interface LayerFindings {
  readonly errors: readonly Detail[];
  readonly warnings: readonly Warning[];
}

/** What is wrong or doubtful about a valid layer's URLs, font family or data. */
export function validateLayer({ path, layer }: PlacedLayer, checkUrl: CheckUrl): LayerFindings {
  const { errors = [], warnings = [] } = findingsOf(layer);
  const at = ({ field, message }: Finding): Detail => ({
    path: fieldPath(path, field),
    ...(layer.id !== undefined && { layerId: layer.id }),
    message,
  });
  return { errors: [...urlIssues(layer, checkUrl), ...errors].map(at), warnings: warnings.map(at) };
}

interface Finding {
  readonly field: string;
  readonly message: string;
}

function findingsOf(layer: Layer): { errors?: Finding[]; warnings?: readonly Finding[] } {
  switch (layer.type) {
    case 'text': {
      if (layer.customFontUrl !== undefined) return {};
      const { warning } = resolveFamily(layer.fontFamily);
      return warning === undefined ? {} : { warnings: [{ field: 'fontFamily', message: warning }] };
    }
    case 'qrcode': {
      const fault = codeIssue(layer);
      if (fault !== undefined) return { errors: [fault] };
      return { warnings: qrcodeContent(layer, CANVAS_SPACE).warnings };
    }
    case 'barcode': {
      const fault = codeIssue(layer);
      if (fault !== undefined) return { errors: [fault] };
      const family = layer.showText ? resolveFamily(layer.fontFamily).warning : undefined;
      const warnings = barcodeWarnings(layer);
      return { warnings: family === undefined ? warnings : [{ field: 'fontFamily', message: family }, ...warnings] };
    }
    case 'image':
    case 'shape':
    case 'group':
      return {};
  }
}
