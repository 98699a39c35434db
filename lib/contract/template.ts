// Parses a template's record and reports all its issues together. Layers and hotspots stay unparsed: variables override their
// raw fields, and the result is parsed when it is rendered (parse-layers.ts).
import * as z from 'zod';
import { type Detail, RenderError } from '../errors.js';
import { canvasFields, checkScale } from './canvas.js';
import { expectedChoice, filledText, freeObject, isObject, record, text, withoutNulls } from './fields.js';
import { fill } from './fill.js';
import { type RecordLayer, recordLayers } from './hotspots.js';
import { detailsOf, issue, joinPath, summary } from './issues.js';
import { BODY_LEVELS, deeperThan } from './json/depth.js';
import { boxShadowIssues } from './layers/box-shadows.js';
import {
  barcodeLayer,
  groupLayer,
  imageLayer,
  type Layer,
  type LayerType,
  MAX_TEXT,
  qrcodeLayer,
  shapeLayer,
  textLayer,
} from './layers/index.js';
import { countLayers, MAX_GROUP_DEPTH } from './nested-layers.js';
import { LAYER_TYPES, parseLayer, tooDeep } from './parse-layers.js';

/** Maximum length of a name, key or label, in characters. */
const MAX_NAME_LENGTH = 200;
/** Levels in which null counts as absent: a hotspot's fields and those of its shadow, border or stroke. */
const NULL_LEVELS = 2;

const naming = { key: filledText(MAX_NAME_LENGTH), label: filledText(MAX_NAME_LENGTH) };

/** Each layer type in `hotspots`. The main value may be absent, because a variable fills it. */
export const HOTSPOT_SCHEMAS = {
  text: textLayer.extend({ ...naming, text: text(MAX_TEXT).optional() }),
  image: imageLayer.extend({ ...naming, url: text().optional() }),
  qrcode: qrcodeLayer.extend({ ...naming, data: text().optional() }),
  barcode: barcodeLayer.extend({ ...naming, data: text().optional() }),
  shape: shapeLayer.safeExtend(naming),
  group: groupLayer.extend(naming),
} as const satisfies Record<LayerType, z.ZodType>;

/** In `layers`, a hotspot's label is its key unless given. */
const label = naming.label.optional();

/** Each layer type as a hotspot in place: a layer with a key in `layers`. */
export const IN_PLACE_SCHEMAS = {
  text: HOTSPOT_SCHEMAS.text.extend({ label }),
  image: HOTSPOT_SCHEMAS.image.extend({ label }),
  qrcode: HOTSPOT_SCHEMAS.qrcode.extend({ label }),
  barcode: HOTSPOT_SCHEMAS.barcode.extend({ label }),
  shape: shapeLayer.safeExtend({ ...naming, label }),
  group: HOTSPOT_SCHEMAS.group.extend({ label }),
} as const satisfies Record<LayerType, z.ZodType>;

/** The main value: the field of each hotspot type that a variable which is no object fills. Shapes and groups have none. */
export const MAIN_FIELDS: Readonly<Record<LayerType, string | undefined>> = {
  text: 'text',
  image: 'url',
  qrcode: 'data',
  barcode: 'data',
  shape: undefined,
  group: undefined,
};

export const templateRecord = record({
  name: filledText(MAX_NAME_LENGTH),
  ...canvasFields,
  background: record({ url: text().optional(), color: fill.optional() }).default({}),
  layers: z.array(freeObject(), { error: 'an array of layers' }).default([]),
  hotspots: z.array(freeObject(), { error: 'an array of hotspots' }).default([]),
});

const checkedRecord = templateRecord.superRefine(checkScale);

/** A layer that no variable fills. */
interface FixedLayer {
  readonly key?: undefined;
  /** `layers[2]`, `layers[2].layers[0]`. */
  readonly path: string;
  /** Raw and valid. */
  readonly layer: Readonly<Record<string, unknown>>;
  /** The layers in a group. */
  readonly children: readonly TemplateLayer[];
}

export interface Hotspot {
  readonly key: string;
  readonly label: string;
  readonly type: LayerType;
  /** The hotspot's raw layer, without `key` and `label`. Valid. */
  readonly layer: Readonly<Record<string, unknown>>;
  readonly children: readonly TemplateLayer[];
}

export type TemplateLayer = FixedLayer | Hotspot;

export interface Template {
  readonly name: string;
  /** Pixels of the layers' coordinates, 1–8192. */
  readonly width: number;
  readonly height: number;
  /** Pixels of the image per pixel of the layers' coordinates. */
  readonly scale: number;
  readonly background: z.output<typeof templateRecord>['background'];
  /** Everything that is drawn over the background, hotspots included, in drawing order. */
  readonly layers: readonly TemplateLayer[];
  /** The hotspots among the layers, at any depth, with unique keys. */
  readonly hotspots: readonly Hotspot[];
}

/**
 * Parses a template's record (SEMANTICS section 4).
 * `maxLayers`: maximum number of layers and hotspots together.
 * Throws RenderError `invalid_request` with a detail for every issue: `width`, `layers[0].x`, `hotspots[2].key`.
 */
export function parseTemplate(value: unknown, { maxLayers }: { readonly maxLayers: number }): Template {
  if (!isObject(value)) throw invalidTemplate([issue('', value, 'an object')]);
  if (deeperThan(value, BODY_LEVELS)) {
    throw invalidTemplate([
      { path: '', message: `received more than ${BODY_LEVELS} levels of nesting, expected fewer` },
    ]);
  }
  const given = withoutNulls(value, 1) as Record<string, unknown>;
  const listed = ['layers', 'hotspots'].map((key) => given[key]).filter((list) => Array.isArray(list));
  if (countLayers(listed.flat(), maxLayers) > maxLayers) {
    throw invalidTemplate([{ path: 'layers', message: `expected at most ${maxLayers} layers and hotspots together` }]);
  }
  const outer = checkedRecord.safeParse({ ...given, background: withoutNulls(given.background, 1) });
  const { layers, details: layerIssues } = parseRecordLayers(given);
  const details = [...(outer.success ? [] : detailsOf(outer.error.issues, value)), ...layerIssues];
  if (!outer.success || details.length > 0) throw invalidTemplate(details);
  const { name, width, height, scale, background } = outer.data;
  const hotspots = listTemplateLayers(layers).filter((layer): layer is Hotspot => layer.key !== undefined);
  return { name, width, height, scale, background, layers, hotspots };
}

/** The layers and the layers in them, in drawing order. */
export function listTemplateLayers(layers: readonly TemplateLayer[]): TemplateLayer[] {
  return layers.flatMap((layer) => [layer, ...listTemplateLayers(layer.children)]);
}

/** The schemas of the record and of its groups report layers that are not objects. */
function parseRecordLayers(given: Record<string, unknown>): { layers: TemplateLayer[]; details: Detail[] } {
  const details: Detail[] = [];
  const firstWith = new Map<string, string>();
  /** By depth: the list that the next layer of that depth belongs to. */
  const lists: TemplateLayer[][] = [[]];
  for (const each of recordLayers(given)) {
    const { path, raw, kind, depth } = each;
    const children: TemplateLayer[] = [];
    const parsed = kind === 'fixed' ? parseFixed(each, children) : parseHotspot(each, children);
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

function parseFixed({ raw, path, depth }: RecordLayer, children: readonly TemplateLayer[]): Parsed {
  const result = parseLayer(raw, path, depth);
  return result.layer ? { layer: { path, layer: raw, children } } : { details: result.details };
}

function parseHotspot({ raw, path, kind, depth }: RecordLayer, children: readonly TemplateLayer[]): Parsed {
  const type = LAYER_TYPES.find((known) => known === raw.type);
  if (!type) return { details: [issue(joinPath(path, 'type'), raw.type, expectedChoice(LAYER_TYPES, raw.type))] };
  if (type === 'group' && depth >= MAX_GROUP_DEPTH) return { details: [tooDeep(path, depth)] };
  const schema = (kind === 'hotspot' ? HOTSPOT_SCHEMAS : IN_PLACE_SCHEMAS)[type];
  const result = schema.safeParse(withoutNulls(raw, NULL_LEVELS));
  if (!result.success) return { details: detailsOf(result.error.issues, raw, path) };
  const issues = boxShadowIssues(result.data as Layer, raw, path);
  if (issues.length > 0) return { details: issues };
  const { key: _key, label: _label, ...layer } = raw;
  const { key, label = key } = result.data;
  return { layer: { key, label, type, layer, children } };
}

function invalidTemplate(details: readonly Detail[]): RenderError {
  return new RenderError('invalid_request', `the template is malformed: ${summary(details)}`, { details });
}
