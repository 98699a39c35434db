// Converts the hotspots and plain variables of a template's record to fields of a form, and the fields' values to variables.
import { layerStrings } from '../../lib/contract/layers/layer-strings.js';
import { isPlaceholder, parsePlaceholders } from '../../lib/contract/template/placeholders.js';

export type HotspotType = 'text' | 'image' | 'qrcode' | 'barcode' | 'shape' | 'group';

export interface HotspotField {
  readonly key: string;
  readonly label: string;
  /** `placeholder` is a variable that only placeholders name. */
  readonly type: HotspotType | 'placeholder';
  /** The field that a plain variable fills, and the record's value for it; shapes and groups have none. */
  readonly main?: { readonly field: string; readonly name: string; readonly standard: string };
  readonly colors: readonly { readonly field: string; readonly name: string; readonly standard: string }[];
  /** Kind of a placeholder's value: it is formatted as a number, or is part of a URL or of a code's data. */
  readonly content?: 'number' | 'url' | 'data';
}

const MAIN: Readonly<Partial<Record<HotspotType, { readonly field: string; readonly name: string }>>> = {
  text: { field: 'text', name: 'Text' },
  image: { field: 'url', name: 'Image URL' },
  qrcode: { field: 'data', name: 'Data' },
  barcode: { field: 'data', name: 'Data' },
};

const CODE_COLORS: HotspotField['colors'] = [
  { field: 'colorDark', name: 'Dark colour', standard: '#000000' },
  { field: 'colorLight', name: 'Light colour', standard: '#ffffff' },
];

/** Each type's colours with the renderer's defaults. */
const COLORS: Readonly<Record<HotspotType, HotspotField['colors']>> = {
  text: [{ field: 'color', name: 'Colour', standard: '#000000' }],
  image: [],
  qrcode: CODE_COLORS,
  barcode: CODE_COLORS,
  shape: [{ field: 'fillColor', name: 'Fill colour', standard: '#000000' }],
  group: [{ field: 'backgroundColor', name: 'Background colour', standard: 'transparent' }],
};

type Json = Readonly<Record<string, unknown>>;

const isObject = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const textOf = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined);

/** Lists the fields of hotspots in drawing order, then those of plain variables. Leaves out malformed hotspots. */
export function hotspotFields(record: unknown): HotspotField[] {
  if (!isObject(record)) return [];
  const layers = [record.layers, record.hotspots].flatMap((list) => layersIn(list));
  const hotspots = layers.flatMap((layer): HotspotField[] => {
    const key = textOf(layer.key);
    const type = textOf(layer.type) as HotspotType;
    if (key === undefined || !Object.hasOwn(COLORS, type)) return [];
    const main = MAIN[type];
    return [
      {
        key,
        label: textOf(layer.label) ?? key,
        type,
        ...(main && { main: { ...main, standard: standardOf(layer, main.field) } }),
        colors: COLORS[type].map((color) => ({ ...color, standard: textOf(layer[color.field]) ?? color.standard })),
      },
    ];
  });
  return [...hotspots, ...plainVariables(record, layers, hotspots)];
}

/** Returns the layer's value for its main field; a text may have it in spans. */
function standardOf(layer: Json, field: string): string {
  const spans = field === 'text' && Array.isArray(layer.spans) ? layer.spans.filter(isObject) : [];
  return textOf(layer[field]) ?? spans.map(({ text }) => textOf(text) ?? '').join('');
}

/** Finds the variables that only placeholders name, in the record or in one of its sizes. */
function plainVariables(record: Json, layers: readonly Json[], hotspots: readonly HotspotField[]): HotspotField[] {
  if (record.placeholders !== true) return [];
  const sizes = isObject(record.sizes) ? Object.values(record.sizes).filter(isObject) : [];
  const overrides = sizes.flatMap((size) =>
    Object.entries(isObject(size.layers) ? size.layers : {}).flatMap(([name, override]) => {
      const target = layers.find(({ key }) => key === name) ?? layers.find(({ id }) => id === name);
      return target && isObject(override) ? [{ ...override, type: target.type }] : [];
    }),
  );
  const backgrounds = [record, ...sizes].flatMap(({ background }) =>
    isObject(background) ? [{ ...background, type: 'image' }] : [],
  );
  // declared variables have fields of their own
  const declared = isObject(record.variables) ? Object.keys(record.variables) : [];
  const known = new Set([...hotspots.flatMap(({ key, label }) => [key, label]), ...declared]);
  const found = new Map<string, { fallback: string; content: HotspotField['content'] }>();
  for (const { value, kind } of [...backgrounds, ...layers, ...overrides].flatMap((layer) => layerStrings(layer))) {
    for (const piece of parsePlaceholders(value).pieces) {
      if (!isPlaceholder(piece) || known.has(piece.name)) continue;
      const isNumber = piece.formats.some((format) => format.kind === 'number');
      const content = isNumber ? 'number' : kind === 'url' || kind === 'data' ? kind : undefined;
      const before = found.get(piece.name);
      found.set(piece.name, {
        fallback: before ? before.fallback : piece.fallback,
        content: before?.content ?? content,
      });
    }
  }
  return [...found].map(([name, { fallback, content }]) => ({
    key: name,
    label: name,
    type: 'placeholder',
    main: { field: 'text', name: 'Placeholder', standard: fallback },
    colors: [],
    ...(content && { content }),
  }));
}

/** Lists layers and their nested layers in drawing order. */
function layersIn(list: unknown): Json[] {
  const layers = Array.isArray(list) ? list.filter(isObject) : [];
  return layers.flatMap((layer) => [layer, ...(layer.type === 'group' ? layersIn(layer.layers) : [])]);
}

export type Variables = Json;

/** Returns the name by which variables fill a hotspot: its key, else its label, unless that is another hotspot's key. */
export function variableNameOf(
  fields: readonly HotspotField[],
  { key, label }: HotspotField,
  variables: Variables,
): string | undefined {
  if (Object.hasOwn(variables, key)) return key;
  const isOwnKey = fields.some((each) => each.key === label);
  return !isOwnKey && Object.hasOwn(variables, label) ? label : undefined;
}

/** Returns the fields that the variables give a hotspot. A plain value is the main field's. */
export function givenTo(fields: readonly HotspotField[], field: HotspotField, variables: Variables): Json {
  const name = variableNameOf(fields, field, variables);
  const value = name === undefined ? undefined : variables[name];
  if (isObject(value)) return value;
  return field.main && value !== undefined && value !== null ? { [field.main.field]: value } : {};
}

/**
 * Sets one field of a hotspot in the variables; undefined removes it. If only the main field is set, the hotspot gets a plain
 * value.
 */
export function withGiven(
  fields: readonly HotspotField[],
  field: HotspotField,
  variables: Variables,
  name: string,
  value: unknown,
): Variables {
  const found = variableNameOf(fields, field, variables);
  // a label that several hotspots share fills the others too
  const isShared = found === field.label && fields.filter(({ label }) => label === found).length > 1;
  const target = found === undefined || isShared ? field.key : found;
  const { [name]: _before, ...others } = givenTo(fields, field, variables);
  const values = value === undefined ? others : { ...others, [name]: value };
  const names = Object.keys(values);
  const { [target]: _replaced, ...rest } = variables;
  if (names.length === 0) return rest;
  const isPlain = names.length === 1 && names[0] === field.main?.field;
  return { ...variables, [target]: isPlain ? values[names[0]!] : values };
}

/** Returns a template's own values as variables to edit. */
export function sampleVariables(record: unknown): Record<string, string> {
  const plain = hotspotFields(record).flatMap(({ key, main }) =>
    main && main.standard !== '' ? [[key, main.standard] as const] : [],
  );
  return Object.fromEntries(plain);
}
