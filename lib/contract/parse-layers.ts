// Parses raw layers. If any is malformed, throws one error with every issue of every layer.
import { type Detail, RenderError } from '../errors.js';
import { expectedChoice, isObject, withoutNulls } from './fields.js';
import { detailsOf, issue, joinPath, summary } from './issues.js';
import { boxShadowIssues } from './layers/box-shadows.js';
import { LAYER_SCHEMAS, type Layer, type LayerType } from './layers/index.js';
import { childrenOf, MAX_GROUP_DEPTH } from './nested-layers.js';
import { fieldPath, type LayerOrigin, locateIssue } from './origins.js';

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
    const result = parseTree(raw, '', 0, inspect);
    if (result.layer) parsed.push(result.layer);
    malformed += result.malformed;
    const origin = origins?.[index] ?? { path: `layers[${index}]` };
    for (const { path, message, ...id } of result.details)
      details.push({ ...locateIssue(origin, path, message), ...id });
  });
  if (malformed > 0) {
    const count = malformed === 1 ? '1 layer is malformed' : `${malformed} layers are malformed`;
    throw new RenderError('render_failed', `${count}: ${summary(details, 1)}`, { details });
  }
  return parsed;
}

interface ParsedTree {
  /** Absent if it or a layer in it is malformed. */
  readonly layer?: Layer;
  readonly details: readonly Detail[];
  /** The number of malformed layers. */
  readonly malformed: number;
}

/** Parses a layer and the layers in it. */
function parseTree(
  raw: unknown,
  path: string,
  depth: number,
  inspect: NonNullable<ParseOptions['inspect']>,
): ParsedTree {
  const own = parseLayer(raw, path, depth);
  const issues = own.layer ? toDetails(own.layer, path, inspect(own.layer)) : own.details;
  const isTooDeep = depth >= MAX_GROUP_DEPTH;
  const children = (isTooDeep ? [] : childrenOf(raw)).map((child, index): ParsedTree => {
    // the group's own schema reports it
    if (!isObject(child)) return { details: [], malformed: 1 };
    return parseTree(child, joinPath(joinPath(path, 'layers'), index), depth + 1, inspect);
  });
  const details = [...issues, ...children.flatMap((child) => child.details)];
  const malformed = children.reduce((sum, child) => sum + child.malformed, issues.length > 0 ? 1 : 0);
  if (!own.layer || malformed > 0) return { details, malformed };
  const { layer } = own;
  if (layer.type !== 'group') return { layer, details, malformed };
  return { layer: { ...layer, layers: children.flatMap((child) => child.layer ?? []) }, details, malformed };
}

function toDetails({ id }: Layer, path: string, issues: readonly FieldIssue[]): Detail[] {
  const layerId = id === undefined ? {} : { layerId: id };
  return issues.map(({ field, message }) => ({
    path: path === '' ? field : fieldPath(path, field),
    ...layerId,
    message,
  }));
}

type Parsed = { readonly layer: Layer } | { readonly layer?: undefined; readonly details: readonly Detail[] };

/**
 * Parses one layer, without the layers in it: a group's `layers` are empty. `depth`: how many groups it is in. Returns the
 * layer, or all its issues with paths that start with `path`.
 */
export function parseLayer(raw: unknown, path: string, depth = 0): Parsed {
  if (!isObject(raw)) return { details: [issue(path, raw, 'an object')] };
  const layerId = typeof raw.id === 'string' ? { layerId: raw.id } : {};
  const withLayerId = (details: Detail[]) => ({ details: details.map((detail) => ({ ...detail, ...layerId })) });
  const type = LAYER_TYPES.find((known) => known === raw.type);
  if (!type) return withLayerId([issue(joinPath(path, 'type'), raw.type, expectedChoice(LAYER_TYPES, raw.type))]);
  if (type === 'group' && depth >= MAX_GROUP_DEPTH) {
    return withLayerId([tooDeep(path, depth)]);
  }
  const result = LAYER_SCHEMAS[type].safeParse(withoutNulls(raw, NULL_LEVELS));
  if (!result.success) return withLayerId(detailsOf(result.error.issues, raw, path));
  const { data } = result;
  const layer: Layer = data.type === 'group' ? { ...data, layers: [] } : data;
  const issues = boxShadowIssues(layer, raw, path);
  return issues.length === 0 ? { layer } : withLayerId(issues);
}

/** The issue of a group that is inside `depth` others. */
export function tooDeep(path: string, depth: number): Detail {
  return {
    path,
    message: `received a group inside ${depth} groups, expected at most ${MAX_GROUP_DEPTH} levels of groups`,
  };
}
