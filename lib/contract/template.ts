// Parses a template's record and reports all its issues together. Layers and hotspots stay unparsed: variables override their
// raw fields, and the result is parsed when it is rendered (parse-layers.ts).
import * as z from 'zod';
import { type Detail, RenderError } from '../errors.js';
import { canvas } from './api/request.js';
import { color } from './color/parse.js';
import { expectedChoice, filledText, freeObject, isObject, record, text, withoutNulls } from './fields.js';
import { detailsOf, issue, joinPath, summary } from './issues.js';
import { BODY_LEVELS, deeperThan } from './json/depth.js';
import { imageLayer, MAX_TEXT, qrcodeLayer, textLayer } from './layers.js';
import { parseLayer } from './parse-layers.js';

/** Maximum length of a name, key or label, in characters. */
const MAX_NAME_LENGTH = 200;
/** Levels in which null counts as absent: a hotspot's fields and those of its shadow, border or stroke. */
const NULL_LEVELS = 2;

const naming = { key: filledText(MAX_NAME_LENGTH), label: filledText(MAX_NAME_LENGTH) };

/** The layer types of hotspots. The main value may be absent, because a variable fills it. */
export const HOTSPOT_SCHEMAS = {
  text: textLayer.extend({ ...naming, text: text(MAX_TEXT).optional() }),
  image: imageLayer.extend({ ...naming, url: text().optional() }),
  qrcode: qrcodeLayer.extend({ ...naming, data: text().optional() }),
} as const;

export type HotspotType = keyof typeof HOTSPOT_SCHEMAS;
export const HOTSPOT_TYPES = Object.keys(HOTSPOT_SCHEMAS) as HotspotType[];

/** The main value: the field of each hotspot type that a variable fills. */
export const MAIN_FIELDS = { text: 'text', image: 'url', qrcode: 'data' } as const satisfies Record<
  HotspotType,
  string
>;

export const templateRecord = record({
  name: filledText(MAX_NAME_LENGTH),
  width: canvas.shape.width,
  height: canvas.shape.height,
  background: record({ url: text().optional(), color: color.optional() }).default({}),
  layers: z.array(freeObject(), { error: 'an array of layers' }).default([]),
  hotspots: z.array(freeObject(), { error: 'an array of hotspots' }).default([]),
});

export interface Hotspot {
  readonly key: string;
  readonly label: string;
  readonly type: HotspotType;
  /** The hotspot's raw layer, without `key` and `label`. Valid. */
  readonly layer: Readonly<Record<string, unknown>>;
}

export interface Template {
  readonly name: string;
  /** Canvas pixels, 1–8192. */
  readonly width: number;
  readonly height: number;
  readonly background: z.output<typeof templateRecord>['background'];
  /** Raw layers between the background and the hotspots. Valid. */
  readonly layers: readonly Readonly<Record<string, unknown>>[];
  /** In drawing order, with unique keys. */
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
  if (listed.reduce((sum, list) => sum + list.length, 0) > maxLayers) {
    throw invalidTemplate([{ path: 'layers', message: `expected at most ${maxLayers} layers and hotspots together` }]);
  }
  const outer = templateRecord.safeParse({ ...given, background: withoutNulls(given.background, 1) });
  const hotspots = checkHotspots(given.hotspots);
  const details = [
    ...(outer.success ? [] : detailsOf(outer.error.issues, value)),
    ...checkLayers(given.layers),
    ...hotspots.details,
  ];
  if (!outer.success || details.length > 0) throw invalidTemplate(details);
  const { name, width, height, background, layers } = outer.data;
  return { name, width, height, background, layers, hotspots: hotspots.hotspots };
}

function checkLayers(layers: unknown): Detail[] {
  if (!Array.isArray(layers)) return [];
  return layers.flatMap((raw, index) => {
    // The record's own schema reports values that are not objects.
    const result = isObject(raw) ? parseLayer(raw, `layers[${index}]`) : { details: [] };
    return 'details' in result ? result.details : [];
  });
}

function checkHotspots(list: unknown): { hotspots: Hotspot[]; details: Detail[] } {
  const hotspots: Hotspot[] = [];
  const details: Detail[] = [];
  const firstWith = new Map<string, string>();
  for (const [index, raw] of Array.isArray(list) ? list.entries() : []) {
    if (!isObject(raw)) continue;
    const path = `hotspots[${index}]`;
    const parsed = parseHotspot(raw, path);
    if (parsed.hotspot) hotspots.push(parsed.hotspot);
    else details.push(...parsed.details);
    if (typeof raw.key !== 'string') continue;
    const earlier = firstWith.get(raw.key);
    if (earlier === undefined) firstWith.set(raw.key, path);
    else details.push(issue(`${path}.key`, raw.key, `a key of its own (${earlier} has the same)`));
  }
  return { hotspots, details };
}

type ParsedHotspot =
  | { readonly hotspot: Hotspot }
  | { readonly hotspot?: undefined; readonly details: readonly Detail[] };

function parseHotspot(raw: Record<string, unknown>, path: string): ParsedHotspot {
  const type = HOTSPOT_TYPES.find((known) => known === raw.type);
  if (!type) return { details: [issue(joinPath(path, 'type'), raw.type, expectedChoice(HOTSPOT_TYPES, raw.type))] };
  const result = HOTSPOT_SCHEMAS[type].safeParse(withoutNulls(raw, NULL_LEVELS));
  if (!result.success) return { details: detailsOf(result.error.issues, raw, path) };
  const { key: _key, label: _label, ...layer } = raw;
  return { hotspot: { key: result.data.key, label: result.data.label, type, layer } };
}

function invalidTemplate(details: readonly Detail[]): RenderError {
  return new RenderError('invalid_request', `the template is malformed: ${summary(details)}`, { details });
}
