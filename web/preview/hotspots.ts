// The hotspots of a template's record as fields of a form, and the variables that fill them.

export type HotspotType = 'text' | 'image' | 'qrcode' | 'barcode' | 'shape' | 'group';

export interface HotspotField {
  readonly key: string;
  readonly label: string;
  readonly type: HotspotType;
  /** The field that a plain variable fills, with what the record has there; shapes and groups have none. */
  readonly main?: { readonly field: string; readonly name: string; readonly standard: string };
  readonly colors: readonly { readonly field: string; readonly name: string; readonly standard: string }[];
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

/** Each type's colours with what the renderer takes without one. */
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

/** In drawing order. Leaves out hotspots that are malformed. */
export function hotspotFields(record: unknown): HotspotField[] {
  if (!isObject(record)) return [];
  const layers = [record.layers, record.hotspots].flatMap((list) => layersIn(list));
  return layers.flatMap((layer) => {
    const key = textOf(layer.key);
    const type = textOf(layer.type) as HotspotType;
    if (key === undefined || !Object.hasOwn(COLORS, type)) return [];
    const main = MAIN[type];
    return [
      {
        key,
        label: textOf(layer.label) ?? key,
        type,
        ...(main && { main: { ...main, standard: textOf(layer[main.field]) ?? '' } }),
        colors: COLORS[type].map((color) => ({ ...color, standard: textOf(layer[color.field]) ?? color.standard })),
      },
    ];
  });
}

/** The layers of a list and those in its groups, in drawing order. */
function layersIn(list: unknown): Json[] {
  const layers = Array.isArray(list) ? list.filter(isObject) : [];
  return layers.flatMap((layer) => [layer, ...(layer.type === 'group' ? layersIn(layer.layers) : [])]);
}

/** What the form has for a hotspot: only fields that were changed. */
export type Values = Readonly<Record<string, Readonly<Record<string, string>>>>;

/** As `variables` of a render: a plain value where the main field alone is filled. */
export function variablesOf(fields: readonly HotspotField[], values: Values): Record<string, unknown> {
  const variables: [string, unknown][] = [];
  for (const { key, main, colors } of fields) {
    const given = Object.hasOwn(values, key) ? values[key]! : {};
    const names = [main?.field, ...colors.map(({ field }) => field)].filter((field) => field !== undefined);
    const filled = names.filter((name) => given[name] !== undefined);
    if (filled.length === 0) continue;
    const isPlain = filled.length === 1 && filled[0] === main?.field;
    variables.push([key, isPlain ? given[filled[0]!] : Object.fromEntries(filled.map((name) => [name, given[name]]))]);
  }
  return Object.fromEntries(variables);
}

/** The form's values for variables of a render, by key or label; what the form has no field for is left out. */
export function valuesOf(fields: readonly HotspotField[], variables: Json): Values {
  const keys = new Set(fields.map(({ key }) => key));
  const values = fields.map(({ key, label, main, colors }) => {
    // a name that is some hotspot's key means that one alone
    const names = keys.has(label) ? [key] : [key, label];
    const name = names.find((each) => Object.hasOwn(variables, each));
    const given = name === undefined ? undefined : variables[name];
    const overrides = isObject(given) ? given : main ? { [main.field]: given } : {};
    const own = [...(main ? [main.field] : []), ...colors.map(({ field }) => field)];
    const filled = own.filter((field) => ['string', 'number', 'boolean'].includes(typeof overrides[field]));
    return [key, Object.fromEntries(filled.map((field) => [field, String(overrides[field])]))] as const;
  });
  return Object.fromEntries(values.filter(([, given]) => Object.keys(given).length > 0));
}

/** A template's own values as variables, to be changed. */
export function sampleVariables(record: unknown): Record<string, string> {
  const plain = hotspotFields(record).flatMap(({ key, main }) =>
    main && main.standard !== '' ? [[key, main.standard] as const] : [],
  );
  return Object.fromEntries(plain);
}
