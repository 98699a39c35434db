// Parses raw layers. If any is malformed, throws one error with every issue of every layer.
import { type Detail, RenderError } from '../errors.js';
import { expectedChoice, isObject, withoutNulls } from './fields.js';
import { detailsOf, issue, joinPath, summary } from './issues.js';
import { boxShadowIssues } from './layers/box-shadows.js';
import { LAYER_SCHEMAS, type Layer, type LayerType } from './layers/index.js';
import { type LayerOrigin, locateIssue } from './origins.js';

export const LAYER_TYPES = Object.keys(LAYER_SCHEMAS) as LayerType[];

/** Levels in which null counts as absent: a layer's own fields and those of its shadow, border or stroke. */
const NULL_LEVELS = 2;

/** An issue that the schema can't find. */
export interface FieldIssue {
  readonly field: string;
  readonly message: string;
}

interface ParseOptions {
  /** Where each layer comes from; `layers[i]` unless given. */
  readonly origins?: readonly LayerOrigin[];
  /** Checks each layer that its schema accepts. */
  readonly inspect?: (layer: Layer) => readonly FieldIssue[];
}

/**
 * Checks `layers` and applies every default.
 * Throws RenderError `render_failed` with a detail for every issue of every layer.
 */
export function parseLayers(layers: readonly unknown[], options: ParseOptions = {}): Layer[] {
  const { origins, inspect = () => [] } = options;
  const parsed: Layer[] = [];
  const details: Detail[] = [];
  let malformed = 0;
  layers.forEach((raw, index) => {
    const result = parseLayer(raw, '');
    const issues = result.layer ? toDetails(result.layer, inspect(result.layer)) : result.details;
    if (result.layer && issues.length === 0) parsed.push(result.layer);
    else {
      malformed++;
      const origin = origins?.[index] ?? { path: `layers[${index}]` };
      details.push(...issues.map(({ path, message, ...id }) => ({ ...locateIssue(origin, path, message), ...id })));
    }
  });
  if (malformed > 0) {
    const count = malformed === 1 ? '1 layer is malformed' : `${malformed} layers are malformed`;
    throw new RenderError('render_failed', `${count}: ${summary(details, 1)}`, { details });
  }
  return parsed;
}

function toDetails({ id }: Layer, issues: readonly FieldIssue[]): Detail[] {
  const layerId = id === undefined ? {} : { layerId: id };
  return issues.map(({ field, message }) => ({ path: field, ...layerId, message }));
}

type Parsed = { readonly layer: Layer } | { readonly layer?: undefined; readonly details: readonly Detail[] };

/** Parses one layer; returns the layer, or all its issues with paths that start with `path`. */
export function parseLayer(raw: unknown, path: string): Parsed {
  if (!isObject(raw)) return { details: [issue(path, raw, 'an object')] };
  const layerId = typeof raw.id === 'string' ? { layerId: raw.id } : {};
  const withLayerId = (details: Detail[]) => ({ details: details.map((detail) => ({ ...detail, ...layerId })) });
  const type = LAYER_TYPES.find((known) => known === raw.type);
  if (!type) return withLayerId([issue(joinPath(path, 'type'), raw.type, expectedChoice(LAYER_TYPES, raw.type))]);
  const result = LAYER_SCHEMAS[type].safeParse(withoutNulls(raw, NULL_LEVELS));
  if (!result.success) return withLayerId(detailsOf(result.error.issues, raw, path));
  const issues = boxShadowIssues(result.data, raw, path);
  return issues.length === 0 ? { layer: result.data } : withLayerId(issues);
}
