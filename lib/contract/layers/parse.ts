// Parses raw layers. If any is malformed, throws one error with every issue of every layer.
import type * as z from 'zod';
import { type Detail, RenderError } from '../../errors.js';
import { detailsOf, type FieldIssue, issue, joinPath, summary } from '../messages/issues.js';
import { fieldPath, type LayerOrigin, locateIssue } from '../messages/origins.js';
import { renameHint } from '../messages/synonyms.js';
import { expectedChoice, typeHint } from '../messages/value-hints.js';
import { isObject } from '../schema/fields.js';
import { withoutNulls } from '../schema/normalize.js';
import { combinedFieldIssues } from './combined-fields.js';
import { EXPANDED_TYPES, type ExpandedType, expandedKind } from './expanded/types.js';
import { LAYER_SCHEMAS, type Layer, type LayerType, type WrittenLayer } from './index.js';
import { GEOMETRY_FIELDS, type Geometry, geometryIssues, type Placed, withGeometry } from './layout/extents.js';
import { createOutlineLimit } from './limits.js';
import { childrenOf, MAX_GROUP_DEPTH, readLayout } from './nested-layers.js';
import { missingTextIssues } from './text.js';

export const LAYER_TYPES = Object.keys(LAYER_SCHEMAS) as LayerType[];
/** The types of layers that payloads may have. */
const WRITTEN_TYPES = [...LAYER_TYPES, ...EXPANDED_TYPES];

/** The issues of a raw layer that resolve makes a group of; none before its schema is loaded. */
export function expandedIssues(
  raw: Readonly<Record<string, unknown>>,
  type: ExpandedType,
  path: string,
  { isLaidOut }: TreePlace,
): readonly Detail[] {
  const kind = expandedKind(type);
  if (!kind) return [];
  const { schema, placed = (layer) => layer } = kind;
  const parsed = parseFields(schema as z.ZodType<Geometry>, placed(raw), path, isLaidOut);
  return parsed.fields ? [] : parsed.details;
}

/** Levels in which null counts as absent: a layer's own fields and those of its shadow, border or stroke, and of objects in them. */
const NULL_LEVELS = 4;

interface ParseOptions {
  /** Origin of each layer; `layers[i]` by default. */
  readonly origins?: readonly LayerOrigin[];
  /** Checks each layer that its schema accepts. An icon always has an issue: the others are shapes by now. */
  readonly inspect?: (layer: WrittenLayer) => readonly FieldIssue[];
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
  const outlineIssues = createOutlineLimit();
  const issuesOf = (layer: WrittenLayer) => inspect(layer).concat(outlineIssues(layer));
  layers.forEach((raw, index) => {
    const result = parseTree(raw, '', ON_CANVAS, issuesOf);
    if (result.layer) parsed.push(result.layer);
    malformed += result.malformed;
    const origin = origins?.[index] ?? { path: `layers[${index}]` };
    for (const { path, ...found } of result.details) details.push(locateIssue(origin, { ...found, field: path }));
  });
  if (malformed > 0) throw malformedLayers(details, malformed);
  return parsed;
}

/** The error with the issues of `count` layers. */
export function malformedLayers(details: readonly Detail[], count: number): RenderError {
  const layers = count === 1 ? '1 layer is malformed' : `${count} layers are malformed`;
  return new RenderError('render_failed', `${layers}: ${summary(details, 1)}`, { details });
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
  place: TreePlace,
  inspect: NonNullable<ParseOptions['inspect']>,
): ParsedTree {
  const own = parseLayer(raw, path, place);
  const { layer } = own;
  const issues = own.layer ? toDetails(own.layer, path, inspect(own.layer)) : own.details;
  const isDrawn = layer && layer.type !== 'icon' && issues.length === 0;
  if (isDrawn && layer.type !== 'group') return { layer, details: issues, malformed: 0 };
  const isTooDeep = place.depth >= MAX_GROUP_DEPTH;
  const inside = { depth: place.depth + 1, isLaidOut: readLayout(raw) };
  const children = (isTooDeep ? [] : childrenOf(raw)).map((child, index): ParsedTree => {
    // the group's own schema reports it
    if (!isObject(child)) return { details: [], malformed: 1 };
    return parseTree(child, joinPath(joinPath(path, 'layers'), index), inside, inspect);
  });
  const details = [...issues, ...children.flatMap((child) => child.details)];
  const malformed = children.reduce((sum, child) => sum + child.malformed, issues.length > 0 ? 1 : 0);
  if (layer?.type !== 'group' || malformed > 0) return { details, malformed };
  return { layer: { ...layer, layers: children.flatMap((child) => child.layer ?? []) }, details, malformed };
}

/** The issues of a layer with their paths, which start with `path`. */
export function toDetails({ id }: Pick<Layer, 'id'>, path: string, issues: readonly FieldIssue[]): Detail[] {
  if (issues.length === 0) return [];
  const layerId = id === undefined ? {} : { layerId: id };
  return issues.map(({ field, ...found }) => ({
    ...found,
    path: path === '' ? field : fieldPath(path, field),
    ...layerId,
  }));
}

type Parsed = { readonly layer: WrittenLayer } | { readonly layer?: undefined; readonly details: readonly Detail[] };

/** The place of a layer in the tree. */
export interface TreePlace {
  /** The groups that it is in. */
  readonly depth: number;
  /** Whether its group lays it out; undefined if the group's layout is wrong, and only what is wrong either way is reported. */
  readonly isLaidOut: boolean | undefined;
  /** Whether it does so as a grid. */
  readonly isInGrid?: boolean | undefined;
}

const ON_CANVAS: TreePlace = { depth: 0, isLaidOut: false };

/**
 * Parses one layer, without the layers in it: a group's `layers` are empty. Returns the layer, or all its issues with paths
 * that start with `path`.
 */
export function parseLayer(raw: unknown, path: string, { depth, isLaidOut }: TreePlace = ON_CANVAS): Parsed {
  if (!isObject(raw)) return { details: [issue(path, raw, 'an object')] };
  const layerId = typeof raw.id === 'string' ? { layerId: raw.id } : {};
  const withLayerId = (details: Detail[]) => ({ details: details.map((detail) => ({ ...detail, ...layerId })) });
  const type = LAYER_TYPES.find((known) => known === raw.type);
  if (!type) return withLayerId([typeIssue(raw, path)]);
  if (type === 'group' && depth >= MAX_GROUP_DEPTH) {
    return withLayerId([tooDeep(path, depth)]);
  }
  const control = CONTROL_FIELDS.find((field) => raw[field] !== undefined && raw[field] !== null);
  if (control !== undefined) return withLayerId([needsData(joinPath(path, control), raw[control])]);
  const result = parseFields(LAYER_SCHEMAS[type], raw, path, isLaidOut);
  const missing = type === 'text' ? missingTextIssues(raw, path) : [];
  if (!result.fields) return withLayerId([...result.details, ...missing]);
  const layer = (type === 'group' ? { ...result.fields, layers: [] } : result.fields) as WrittenLayer;
  const issues = [...missing, ...combinedFieldIssues(layer, raw, path)];
  return issues.length === 0 ? { layer } : withLayerId(issues);
}

type ParsedFields<Output> =
  | { readonly fields: Placed<Output> }
  | { readonly fields?: undefined; readonly details: Detail[] };

/** Checks a layer's fields by the schema of its type, and its place and size. */
export function parseFields<Schema extends z.ZodType<Geometry>>(
  schema: Schema,
  raw: Readonly<Record<string, unknown>>,
  path: string,
  isLaidOut: boolean | undefined,
): ParsedFields<z.output<Schema>> {
  const result = schema.safeParse(withoutNulls(raw, NULL_LEVELS));
  const details = geometryIssues(raw, isLaidOut, path);
  if (result.success && details.length === 0) return { fields: withGeometry(result.data) };
  const isGeometry = ({ path: [field] }: z.core.$ZodIssue) => GEOMETRY_FIELDS.some((each) => each === field);
  const issues = result.success ? [] : result.error.issues.filter((each) => !isGeometry(each));
  return { details: [...details, ...detailsOf(issues, raw, path)] };
}

/** Fields that lib/data takes from layers. */
const CONTROL_FIELDS = ['each', 'else', 'when', 'switch'];

/** The issue of a field that only means something in a payload with data. */
function needsData(path: string, value: unknown): Detail {
  const expected = 'nothing without "data": {} in the payload, or "placeholders": true in the template';
  return issue(path, value, expected);
}

/** The issue of a layer without a type, or of an unknown one. */
export function typeIssue(raw: Readonly<Record<string, unknown>>, path: string): Detail {
  const { type } = raw;
  const hint = type === undefined || type === null ? renameHint(raw, 'type') : typeHint(type, WRITTEN_TYPES);
  const isPlaced = EXPANDED_TYPES.some((known) => known === type);
  return issue(joinPath(path, 'type'), type, isPlaced ? NOT_FILLED : expectedChoice(WRITTEN_TYPES), hint);
}

const NOT_FILLED = `${expectedChoice(LAYER_TYPES)}: variables fill no other layers`;

/** The issue of a group that is inside `depth` others. */
export function tooDeep(path: string, depth: number): Detail {
  const expected = `at most ${MAX_GROUP_DEPTH} levels of groups`;
  const message = `received a group inside ${depth} groups, expected ${expected}`;
  return { code: 'limit_exceeded', path, message, expected };
}
