// Parses a template's record and reports all its issues together. Layers and hotspots stay unparsed: variables override their
// raw fields, and the result is parsed when it is rendered (layers/parse.ts).
import * as z from 'zod';
import { type Detail, RenderError } from '../../errors.js';
import { background as backgroundFill } from '../css/background.js';
import { lazily } from '../json/lazily.js';
import { type AutoSize, autoSizeOf, canvasFields, checkScale } from '../layers/canvas.js';
import { combinedFieldIssues } from '../layers/combined-fields.js';
import { expandedType } from '../layers/expanded/types.js';
import {
  barcodeLayer,
  groupLayer,
  iconLayer,
  imageLayer,
  type LayerType,
  MAX_TEXT,
  qrcodeLayer,
  shapeLayer,
  textLayer,
  type WrittenLayer,
} from '../layers/index.js';
import type { Geometry } from '../layers/layout/extents.js';
import { createOutlineLimit } from '../layers/limits.js';
import { cellLayers, countLayers, MAX_GROUP_DEPTH, walkLayers } from '../layers/nested-layers.js';
import {
  expandedIssues,
  LAYER_TYPES,
  parseFields,
  parseLayer,
  toDetails,
  tooDeep,
  typeIssue,
} from '../layers/parse.js';
import { attempt, invalidRequest, issue, joinPath } from '../messages/issues.js';
import { fieldPath } from '../messages/origins.js';
import { filledText, flag, freeObject, isObject, record, text } from '../schema/fields.js';
import { normalizeBody, parseWith, withoutNulls } from '../schema/normalize.js';
import { plainShape, recordUsesData, staticIssues, usesBrand } from './data-fields.js';
import { components, locale, pictureAlt, themes, tokens, variables } from './data-schemas.js';
import { type DocumentFields, documentFields } from './document.js';
import { isDynamic } from './expression-end.js';
import { FIXED_FIELDS, overridden } from './overrides.js';
import { parsePlaceholders } from './placeholders.js';
import { type RecordLayer, recordLayers } from './record-layers.js';
import { hasPlaceholders, plainVariables, recordStrings } from './record-strings.js';
import { nameLayers, type SizeOverride, sizedRecord, sizeIssue, sizeOverrides } from './sizes.js';

/** Maximum length of a name, key or label, in characters. */
const MAX_NAME_LENGTH = 200;

const naming = { key: filledText(MAX_NAME_LENGTH), label: filledText(MAX_NAME_LENGTH) };

/** Each layer type in `hotspots`. The main value may be absent, because a variable fills it. */
export const hotspotSchemas = lazily(
  () =>
    ({
      text: textLayer.extend({ ...naming, text: text(MAX_TEXT).optional() }),
      image: imageLayer.extend({ ...naming, url: text().optional() }),
      qrcode: qrcodeLayer.extend({ ...naming, data: text().optional() }),
      barcode: barcodeLayer.extend({ ...naming, data: text().optional() }),
      shape: shapeLayer.safeExtend(naming),
      icon: iconLayer.extend({ ...naming, icon: text().optional() }),
      group: groupLayer.extend(naming),
    }) as const satisfies Record<LayerType, z.ZodType>,
);

/** The label of a hotspot in `layers`, which is its key by default. */
const label = naming.label.optional();

/** Each layer type as a hotspot in place: a layer with a key in `layers`. */
export const inPlaceSchemas = lazily(
  () =>
    ({
      text: hotspotSchemas().text.extend({ label }),
      image: hotspotSchemas().image.extend({ label }),
      qrcode: hotspotSchemas().qrcode.extend({ label }),
      barcode: hotspotSchemas().barcode.extend({ label }),
      shape: shapeLayer.safeExtend({ ...naming, label }),
      icon: hotspotSchemas().icon.extend({ label }),
      group: hotspotSchemas().group.extend({ label }),
    }) as const satisfies Record<LayerType, z.ZodType>,
);

/** The main value: the field of each hotspot type that a variable which is no object fills. Shapes and groups have none. */
export const MAIN_FIELDS: Readonly<Record<LayerType, string | undefined>> = {
  text: 'text',
  image: 'url',
  qrcode: 'data',
  barcode: 'data',
  icon: 'icon',
  shape: undefined,
  group: undefined,
};

const background = record(() => ({ url: text().optional(), color: backgroundFill.optional() }));

/** Another canvas of the template. Its overrides are checked with the layers that they are of. */
export const templateSize = record(() => ({
  ...canvasFields(),
  scale: canvasFields().scale.unwrap().optional().describe('in place of the template’s'),
  background: background.optional().describe('fields in place of those of the background'),
  layers: freeObject().optional().describe('by key or id of a layer: an object of fields in place of its own'),
}));

/** A set of variables to look at the template with. Its names are checked with the others. */
export const templateSample = record(() => ({
  name: filledText(MAX_NAME_LENGTH).describe('for people; no two sample sets have the same'),
  variables: freeObject().describe('as a render takes them'),
  size: text().optional().describe('the size that it is for; none for any'),
}));

const MAX_SAMPLES = 50;
const SAMPLES = 'sets of variables to look at the template with; renders ignore them';
export const templateSamples = z
  .array(templateSample, { error: 'an array of sample sets' })
  .max(MAX_SAMPLES, { error: `at most ${MAX_SAMPLES} sample sets` })
  .describe(SAMPLES);

export const templateRecord = record(() => ({
  name: filledText(MAX_NAME_LENGTH),
  ...canvasFields(),
  placeholders: flag()
    .default(false)
    .describe('whether {{name}} in texts, data of codes and URLs stands for the value of a variable'),
  background: background.default({}),
  document: documentFields.optional().describe('for SVG and PDF; other formats ignore it'),
  variables: variables.optional(),
  components: components.optional(),
  tokens: tokens.optional(),
  themes: themes.optional(),
  locale: locale.optional(),
  alt: pictureAlt.optional(),
  layers: z.array(freeObject(), { error: 'an array of layers' }).default([]),
  hotspots: z.array(freeObject(), { error: 'an array of hotspots' }).default([]),
  sizes: freeObject().optional().describe('other canvases of the design by name, each with overrides of layers'),
  samples: z.unknown().optional().describe(SAMPLES),
}));

const checkedRecord = templateRecord.superRefine(checkScale);
const checkedSize = templateSize.superRefine(({ width, height, scale = 1 }, context) =>
  checkScale({ width, height, scale }, context),
);

/** Fields that the schema of every hotspot yields. */
type HotspotFields = Geometry & { readonly key: string; readonly label?: string | undefined };

/** A layer that no variable fills. */
export interface FixedLayer {
  readonly key?: undefined;
  /** `layers[2]`, `layers[2].layers[0]`. */
  readonly path: string;
  /** Raw and valid. */
  readonly layer: Readonly<Record<string, unknown>>;
  /** The layers in a group. */
  readonly children: readonly TemplateLayer[];
}

export interface Hotspot {
  /** Path like that of a fixed layer, or `hotspots[2]`. */
  readonly path: string;
  readonly key: string;
  readonly label: string;
  readonly type: LayerType;
  /** The hotspot's raw layer, without `key` and `label`. Valid. */
  readonly layer: Readonly<Record<string, unknown>>;
  readonly children: readonly TemplateLayer[];
}

export type TemplateLayer = FixedLayer | Hotspot;

export interface Template extends AutoSize {
  readonly name: string;
  /** Pixels of the layers' coordinates, 1–8192. */
  readonly width: number;
  readonly height: number;
  /** Pixels of the image per pixel of the layers' coordinates. */
  readonly scale: number;
  readonly background: z.output<typeof templateRecord>['background'];
  readonly document?: DocumentFields | undefined;
  readonly locale?: string | undefined;
  /** What the picture shows, with placeholders or expressions if the template has them. */
  readonly alt?: string | undefined;
  /** Everything that is drawn over the background, hotspots included, in drawing order. */
  readonly layers: readonly TemplateLayer[];
  /** The hotspots among the layers, at any depth, with unique keys. */
  readonly hotspots: readonly Hotspot[];
  /** Whether placeholders in its strings are expanded. */
  readonly placeholders: boolean;
  /** The variables that only placeholders name, in any of its sizes. */
  readonly plainVariables: readonly string[];
  /** The record in its size, if lib/data has something to do in it. */
  readonly data?: Readonly<Record<string, unknown>>;
}

interface ParseOptions {
  /** Maximum number of layers and hotspots together. */
  readonly maxLayers: number;
  /** The size to parse, in place of the template's own. */
  readonly size?: string | undefined;
  /** The text styles of the brand, which layers may name though the template has no tokens. */
  readonly styles?: ReadonlySet<string> | undefined;
}

/**
 * Parses a template's record (docs/templates.md#fields) with all its sizes and sample sets.
 * Throws RenderError `invalid_request` with a detail for every issue: `width`, `layers[0].x`, `sizes.story.layers.title.y`,
 * `samples[1].name`. Variables of sample sets are checked by validateSamples.
 */
export function checkTemplate(value: unknown, options: Omit<ParseOptions, 'size'>): Template {
  const { value: template, details: found } = attempt(() => parseTemplate(value, options));
  let details = found;
  // what is too deep or has too many layers is not searched further
  if (
    isObject(value) &&
    (template || details.every(({ path, more }) => more !== undefined || (path !== '' && path !== 'layers')))
  ) {
    const whole = withoutNulls(value, 1) as Record<string, unknown>;
    details = [...details, ...sizeIssues(whole), ...sampleIssues(whole)];
  }
  if (!template || details.length > 0) throw invalidTemplate(details);
  return template;
}

/** Parses a template's record in one size, without looking at the others. Throws as `checkTemplate` does. */
export function parseTemplate(value: unknown, { maxLayers, size, styles }: ParseOptions): Template {
  const whole = normalizeBody(value, invalidTemplate);
  if (size !== undefined) checkSize(whole, size);
  const listed = ['layers', 'hotspots'].map((key) => whole[key]).filter((list) => Array.isArray(list));
  if (countLayers(listed.flat(), maxLayers) > maxLayers) {
    const expected = `at most ${maxLayers} layers and hotspots together`;
    throw invalidTemplate([{ code: 'limit_exceeded', path: 'layers', message: `expected ${expected}`, expected }]);
  }
  const rawRecord = size === undefined ? whole : sizedRecord(whole, size);
  const hasStyles =
    styles !== undefined && styles.size > 0 && usesBrand([rawRecord.layers, rawRecord.hotspots], styles);
  const data = hasStyles || recordUsesData(rawRecord) ? rawRecord : undefined;
  const normalized = {
    ...rawRecord,
    background: withoutDynamicColor(withoutNulls(rawRecord.background, 1)),
    document: withoutNulls(rawRecord.document, 1),
  };
  const outer = parseWith(checkedRecord, normalized, size === undefined ? value : rawRecord);
  const { layers, details: layerIssues } = parseRecordLayers(rawRecord);
  const details = [...outer.details, ...layerIssues, ...placeholderIssues(whole)];
  if (!outer.data || details.length > 0) {
    // the issues of a size have the paths of its overrides
    if (size !== undefined) checkTemplate(value, { maxLayers });
    throw invalidTemplate(details);
  }
  const { name, width, height, scale, background, placeholders, document, locale, alt } = outer.data;
  const autoSize = autoSizeOf(outer.data);
  const hotspots = listTemplateLayers(layers).filter((layer): layer is Hotspot => layer.key !== undefined);
  const plain = placeholders ? plainVariables(whole, hotspots) : [];
  return {
    name,
    width,
    height,
    scale,
    ...autoSize,
    background,
    ...(document && { document }),
    ...(locale !== undefined && { locale }),
    ...(alt !== undefined && { alt }),
    layers,
    hotspots,
    placeholders,
    plainVariables: plain,
    ...(data && { data }),
  };
}

/** The background without a colour that is known only when it is resolved. */
function withoutDynamicColor(raw: unknown): unknown {
  if (!isObject(raw) || !isDynamic(raw.color)) return raw;
  const { color: _, ...rest } = raw;
  return rest;
}

/** Throws RenderError `invalid_request` if the record, which need not be valid, has no size of that name. */
export function checkSize(record: unknown, size: string): void {
  const detail = sizeIssue(isObject(record) ? record : {}, size, 'size');
  if (detail) throw new RenderError('invalid_request', `size: ${detail.message}`, { details: [detail] });
}

/** Maximum placeholders of a record, those of its sizes included. */
const MAX_PLACEHOLDERS = 2000;

function placeholderIssues(rawRecord: Record<string, unknown>): Detail[] {
  if (!hasPlaceholders(rawRecord)) return [];
  const details: Detail[] = [];
  let count = 0;
  for (const { field: path, value } of recordStrings(rawRecord)) {
    const { pieces, faults } = parsePlaceholders(value);
    for (const { position, message } of faults) {
      details.push({ code: 'invalid_value', path, message: `character ${position}: ${message}` });
    }
    count += pieces.filter((piece) => typeof piece !== 'string').length;
  }
  if (count > MAX_PLACEHOLDERS) {
    const expected = `at most ${MAX_PLACEHOLDERS}`;
    const message = `received ${count} placeholders in the template, expected ${expected}`;
    details.push({ code: 'limit_exceeded', path: 'placeholders', message, value: count, expected });
  }
  return details;
}

const MAX_SIZES = 50;
/** Maximum layers that the sizes of a template override, counted in each size. */
const MAX_OVERRIDES = 2000;

/** The issues of the sizes, and of the layers as they are in them. */
function sizeIssues(rawRecord: Record<string, unknown>): Detail[] {
  const { sizes } = rawRecord;
  // the record's schema reports what is no object
  if (!isObject(sizes)) return [];
  const names = Object.keys(sizes);
  if (names.length > MAX_SIZES) return [issue('sizes', sizes, `at most ${MAX_SIZES} sizes, not ${names.length}`)];
  const named = nameLayers(rawRecord);
  const details: Detail[] = [];
  let count = 0;
  for (const name of names) {
    const path = joinPath('sizes', name);
    const result = filledText(MAX_NAME_LENGTH).safeParse(name);
    if (!result.success) details.push(issue(path, name, 'a name of 1 to 200 characters'));
    details.push(...ownSizeIssues(sizes[name], rawRecord, path));
    const overrides = sizeOverrides(sizes[name], path, named);
    count += overrides.length;
    if (count <= MAX_OVERRIDES) details.push(...overrides.flatMap(overrideIssues));
  }
  if (count > MAX_OVERRIDES) {
    const expected = `at most ${MAX_OVERRIDES}`;
    const message = `override ${count} layers, expected ${expected}`;
    details.push({ code: 'limit_exceeded', path: 'sizes', message, value: count, expected });
  }
  return details;
}

function ownSizeIssues(size: unknown, { scale }: Record<string, unknown>, path: string): Detail[] {
  const sizeFields = withoutNulls(size, 1);
  if (!isObject(sizeFields)) return [issue(path, size, 'an object with width and height')];
  const inherited = typeof scale === 'number' ? { scale } : {};
  const sizedFields = { ...inherited, ...sizeFields, background: withoutNulls(sizeFields.background, 1) };
  return parseWith(checkedSize, sizedFields, sizedFields, path).details;
}

/** The issues of one layer with an override, at the override's path. */
function overrideIssues({ path, override, target, fault }: SizeOverride): Detail[] {
  if (!target) return fault ? [fault] : [];
  if (!isObject(override)) return [issue(path, override, 'an object of layer fields')];
  const fixed = FIXED_FIELDS.filter((field) => Object.hasOwn(override, field));
  const details = fixed.map((field): Detail => {
    const hint = field === 'layers' ? '; override each of its layers by its own key or id' : '';
    return { code: 'conflicting_values', path: joinPath(path, field), message: `can't be overridden${hint}` };
  });
  const issuesOf = (raw: RecordLayer['raw']) => {
    const parsed = target.kind === 'fixed' ? parseFixed : parseHotspot;
    const result = parsed({ ...target, raw, path }, [], createOutlineLimit());
    return result.layer ? [] : result.details;
  };
  const known = new Set(issuesOf(target.raw).map(({ path: at, message }) => `${at} ${message}`));
  const found = issuesOf(overridden(target.raw, override));
  return [...details, ...found.filter(({ path: at, message }) => !known.has(`${at} ${message}`))];
}

/** The issues of the sample sets but for those of their variables. */
function sampleIssues(rawRecord: Record<string, unknown>): Detail[] {
  const { samples } = rawRecord;
  if (samples === undefined) return [];
  const { data, details } = parseWith(templateSamples, withoutNulls(samples, 1), samples, 'samples');
  if (!data) return details;
  const firstWith = new Map<string, string>();
  return data.flatMap(({ name, size }, index) => {
    const path = joinPath('samples', index);
    const earlier = firstWith.get(name);
    if (earlier === undefined) firstWith.set(name, path);
    const sizeFault = size === undefined ? undefined : sizeIssue(rawRecord, size, `${path}.size`);
    return [
      ...(earlier === undefined ? [] : [issue(`${path}.name`, name, `a name of its own (${earlier} has the same)`)]),
      ...(sizeFault ? [sizeFault] : []),
    ];
  });
}

/** The layers and the layers in them, in drawing order. */
export function listTemplateLayers(layers: readonly TemplateLayer[]): TemplateLayer[] {
  return layers.flatMap((layer) => [layer, ...listTemplateLayers(layer.children)]);
}

/** The schemas of the record and of its groups report layers that are not objects. */
function parseRecordLayers(rawRecord: Record<string, unknown>): { layers: TemplateLayer[]; details: Detail[] } {
  const details: Detail[] = [];
  const firstWith = new Map<string, string>();
  /** The list that the next layer of each depth belongs to. */
  const lists: TemplateLayer[][] = [[]];
  const outlineIssues = createOutlineLimit();
  for (const each of recordLayers(rawRecord)) {
    const { path, raw, kind, depth } = each;
    const children: TemplateLayer[] = [];
    const parsed =
      kind === 'fixed' ? parseFixed(each, children, outlineIssues) : parseHotspot(each, children, outlineIssues);
    if (parsed.layer) lists[depth].push(parsed.layer);
    else details.push(...parsed.details);
    lists[depth + 1] = children;
    if (kind === 'fixed' || typeof raw.key !== 'string') continue;
    const earlier = firstWith.get(raw.key);
    if (earlier === undefined) firstWith.set(raw.key, path);
    else details.push(issue(`${path}.key`, raw.key, `a key of its own (${earlier} has the same)`));
  }
  return { layers: lists[0], details };
}

type Parsed = { readonly layer: TemplateLayer } | { readonly layer?: undefined; readonly details: readonly Detail[] };

type OutlineIssues = ReturnType<typeof createOutlineLimit>;

function parseFixed(
  { raw, path, ...place }: RecordLayer,
  children: readonly TemplateLayer[],
  outlineIssues: OutlineIssues,
): Parsed {
  const shape = plainShape(raw);
  const expanded = expandedType(raw);
  if (expanded) {
    const issues = [
      ...staticIssues(expandedIssues(shape, expanded, path, place), raw, path),
      ...cellLayers(raw).flatMap(({ layer, field }) => cellIssues(layer, fieldPath(path, field), place.depth + 2)),
    ];
    return issues.length === 0 ? { layer: { path, layer: raw, children } } : { details: issues };
  }
  const result = parseLayer(shape, path, place);
  const details = result.layer
    ? toDetails(result.layer, path, outlineIssues(result.layer))
    : staticIssues(result.details, raw, path);
  return details.length === 0 ? { layer: { path, layer: raw, children } } : { details };
}

/** The issues of a layer in a cell of a table and of the layers in it, apart from what is known when it is resolved. */
function cellIssues(cell: unknown, path: string, depth: number): Detail[] {
  if (!isObject(cell)) return [];
  const found = [...walkLayers<unknown>([cell], '', { depth, isLaidOut: true })];
  return found.flatMap(({ layer, path: inner, ...place }): Detail[] => {
    if (!isObject(layer)) return [];
    const at = path + inner.slice('[0]'.length);
    const parsed = parseFixed({ raw: layer, path: at, kind: 'fixed', ...place }, [], createOutlineLimit());
    return parsed.layer ? [] : [...parsed.details];
  });
}

function parseHotspot(
  { raw, path, kind, depth, isLaidOut }: RecordLayer,
  children: readonly TemplateLayer[],
  outlineIssues: OutlineIssues,
): Parsed {
  const type = LAYER_TYPES.find((known) => known === raw.type);
  if (!type) return { details: [typeIssue(raw, path)] };
  if (type === 'group' && depth >= MAX_GROUP_DEPTH) return { details: [tooDeep(path, depth)] };
  const schema = (kind === 'hotspot' ? hotspotSchemas() : inPlaceSchemas())[type];
  const result = parseFields<z.ZodType<HotspotFields>>(schema, plainShape(raw), path, isLaidOut);
  let issues: Detail[];
  if (result.fields) {
    const parsed = result.fields as unknown as WrittenLayer;
    issues = [...combinedFieldIssues(parsed, raw, path), ...toDetails(parsed, path, outlineIssues(parsed))];
  } else issues = staticIssues(result.details, raw, path);
  if (issues.length > 0) return { details: issues };
  const { key: _key, label: _label, ...layer } = raw;
  const { key, label = key } = (result.fields ?? raw) as HotspotFields;
  return { layer: { path, key, label, type, layer, children } };
}

export function invalidTemplate(details: readonly Detail[]): RenderError {
  return invalidRequest(details, 'the template is malformed: ');
}
