// Compares the tables of docs/ with the schemas, the settings and the manifest of fonts: every field with its default, and
// no others.
import { readdirSync, readFileSync } from 'node:fs';
import t from 'tap';
import { ERRORS } from '../lib/contract/api/errors.js';
import { openapi } from '../lib/contract/openapi.js';
import { hotspotSchemas, templateRecord } from '../lib/contract/template/parse.js';
import { loadManifest } from '../lib/fonts/bundled.js';
import { readRenderSettings } from '../lib/settings.js';
import { rowsUnder } from './tables.js';

interface Field {
  readonly default?: unknown;
  readonly properties?: Readonly<Record<string, Field>>;
  readonly anyOf?: readonly Field[];
}

interface Schema {
  readonly properties: Readonly<Record<string, Field>>;
  readonly required: readonly string[];
}

const read = (path: string) => readFileSync(new URL(`../${path}`, import.meta.url), 'utf8');
const payloadPage = read('docs/payload.md');
const templatePage = read('docs/templates.md');
const servicePage = read('docs/service.md');
const limitsPage = read('docs/limits.md');
const designPage = read('docs/design.md');
const { schemas } = (openapi() as { components: { schemas: Record<string, Schema> } }).components;

/** The object that the field's value is, or may be. */
function objectOf(field: Field): Field | undefined {
  return field.properties ? field : field.anyOf?.find(({ properties }) => properties);
}

/** A field's name → what the table's second column must say. Objects are followed by their own fields. */
function expectedOf({ properties, required }: Schema, skip: readonly string[] = []): Map<string, string> {
  const expected = new Map<string, string>();
  const add = (name: string, field: Field, needed: boolean) => {
    if (field.default !== undefined) expected.set(name, `\`${field.default}\``);
    else expected.set(name, needed ? 'required' : 'none');
    const inner = Object.entries(objectOf(field)?.properties ?? {});
    // the fields of spans have a separate table
    if (inner.some(([key]) => key === 'baselineShift')) return;
    // sides have the fields of the border
    if (/^border(?:Top|Right|Bottom|Left)$/.test(name)) return;
    for (const [key, each] of inner) add(`${name}.${key}`, each, false);
  };
  for (const [name, field] of Object.entries(properties)) {
    if (!skip.includes(name)) add(name, field, required.includes(name));
  }
  return expected;
}

/** Defaults that depend on another field, so the schema has none. */
const BY_CONTEXT: Readonly<Record<string, readonly (readonly [string, string])[]>> = {
  text: [
    ['textDecoration', '`none`'],
    ['text', 'required unless there are `spans`'],
    ['border.style', '`solid`'],
    ['border.dashOffset', '`0`'],
    ['border.cap', '`butt`'],
  ],
  group: [
    ['border.style', '`solid`'],
    ['border.dashOffset', '`0`'],
    ['border.cap', '`butt`'],
  ],
  image: [
    ['border.style', '`solid`'],
    ['border.dashOffset', '`0`'],
    ['border.cap', '`butt`'],
    ['position', '`center`; with tiles, `left top`'],
    ['crop.x', 'required'],
    ['crop.y', 'required'],
    ['crop.width', 'required'],
    ['crop.height', 'required'],
  ],
  qrcode: [
    ['eyeColor', '`colorDark`'],
    ['logo.url', 'required'],
  ],
  barcode: [
    ['margin', "the standard's"],
    ['fontSize', "an eighth of the box's height, at most 10 modules"],
  ],
  shape: [
    ['fillColor', '`#000000`, or none when there is a border'],
    ['border.color', '`#000000`; for a line, `fillColor`'],
    ['border.width', '`1`; for a line, the shorter side of the box'],
    ['border.style', '`solid`'],
    ['border.dashOffset', '`0`'],
    ['border.cap', '`butt`'],
    ['border.join', '`miter`'],
    ['points', 'required for a polygon and a star'],
    ['innerRadius', '`0.5` of a star, `0` of an arc'],
    ['d', 'required for a path'],
    ['preserveAspectRatio', '`meet`'],
    ['fillRule', '`nonzero`'],
    ['startAngle', '`0`'],
    ['endAngle', '`360`'],
    ['startCap', '`none`'],
    ['endCap', '`none`'],
  ],
};

const LAYERS = [
  ['text', schemas.TextLayer],
  ['image', schemas.ImageLayer],
  ['qrcode', schemas.QrcodeLayer],
  ['barcode', schemas.BarcodeLayer],
  ['shape', schemas.ShapeLayer],
  ['icon', schemas.IconLayer],
  ['group', schemas.GroupLayer],
] as const;
const shared = Object.keys(schemas.TextLayer.properties).filter((name) =>
  LAYERS.every(([, { properties }]) => name in properties),
);

function agrees(
  t: { same(found: unknown, wanted: unknown, message: string): void },
  page: string,
  heading: string,
  expected: ReadonlyMap<string, string>,
): void {
  const documented = rowsUnder(page, heading).map(([name, value]) => [name.replaceAll('`', ''), value]);
  t.same(documented, [...expected], heading);
}

for (const [type, schema] of LAYERS) {
  t.test(`lists the fields of ${type} layers`, async (t) => {
    // fields of one name may differ: the position of an image, the margin of a code
    const { properties } = schemas.TextLayer;
    const isSame = (name: string) => JSON.stringify(schema.properties[name]) === JSON.stringify(properties[name]);
    const expected = expectedOf(schema, ['type', ...shared.filter(isSame)]);
    for (const [name, value] of BY_CONTEXT[type] ?? []) expected.set(name, value);
    t.ok(expected.size > 4);
    agrees(t, payloadPage, type, expected);
  });
}

t.test('lists the fields of tables and their columns', async (t) => {
  const { properties, required } = schemas.TableLayer as unknown as {
    readonly properties: Readonly<Record<string, Field & { readonly items?: Schema }>>;
    readonly required: readonly string[];
  };
  const own = ['type', ...shared.filter((name) => name !== 'height')];
  // the objects are described beneath the table
  const expected = Object.entries(properties).flatMap(([name, field]) => {
    if (own.includes(name)) return [];
    const value = field.default === undefined ? undefined : `\`${field.default}\``;
    return [[name, value ?? (required.includes(name) ? 'required' : 'none')] as const];
  });
  agrees(t, payloadPage, 'table', new Map(expected));
  const { style: _, ...columns } = properties.columns.items!.properties;
  const expectedColumns = expectedOf({ properties: columns, required: [] });
  agrees(t, payloadPage, 'Columns', new Map([...expectedColumns, ['style', 'none']]));
});

t.test('lists the fields of spans', async (t) => {
  const [list] = [schemas.TextLayer.properties.spans as { items?: Schema }];
  agrees(t, payloadPage, 'Spans', expectedOf(list.items!));
});

t.test('lists the fields of every layer', async (t) => {
  const properties = Object.fromEntries(shared.map((name) => [name, schemas.TextLayer.properties[name]]));
  const expected = expectedOf({ properties, required: schemas.TextLayer.required });
  for (const side of ['x', 'y']) expected.set(side, 'required');
  expected.set('grow', '`0`, with `fill` `1`');
  expected.set('shrink', '`1`, where the size is a number `0`');
  agrees(t, payloadPage, 'Every layer', expected);
});

t.test('lists the fields of the payload', async (t) => {
  const expected = expectedOf(schemas.CanvasRequest);
  expected.delete('canvas');
  for (const side of ['canvas.width', 'canvas.height']) expected.set(side, 'required');
  agrees(t, payloadPage, 'The payload', expected);
});

t.test('lists the fields of a template', async (t) => {
  const { background, ...fields } = templateRecord.shape;
  const inner = Object.keys(background.unwrap().shape).map((name) => `background.${name}`);
  const documented = ['Fields', 'Hotspots'].flatMap((heading) =>
    rowsUnder(templatePage, heading).map(([name]) => name.replaceAll('`', '')),
  );
  t.same(new Set(documented), new Set([...Object.keys(fields), 'background', ...inner, 'key', 'label']));
  for (const type of Object.keys(hotspotSchemas())) t.match(templatePage, `\`${type}\``);
});

t.test('lists every error of the service with its status', async (t) => {
  const documented = rowsUnder(servicePage, 'Errors').flatMap(([status, codes]) =>
    codes === '' ? [`${status} `] : codes.split(', ').map((code) => `${status} ${code.replaceAll('`', '')}`),
  );
  const expected = Object.entries(ERRORS).map(([code, { status, wire }]) => `${status} ${wire ? code : ''}`);
  t.same(documented.sort(), [...new Set(expected)].sort());
});

t.test('lists every folder and every dependency of the design', async (t) => {
  const namesUnder = (heading: string) => rowsUnder(designPage, heading).map(([name]) => name.replaceAll('`', ''));
  const folders = readdirSync(new URL('../lib', import.meta.url), { withFileTypes: true });
  t.same(namesUnder('Folders').sort(), folders.flatMap((entry) => (entry.isDirectory() ? [entry.name] : [])).sort());
  const { dependencies, devDependencies } = JSON.parse(read('package.json'));
  const { devDependencies: ofTests } = JSON.parse(read('test/package.json'));
  const listed = namesUnder('Dependencies');
  for (const name of Object.keys(dependencies)) t.ok(listed.includes(name), name);
  for (const name of listed) t.ok(name in dependencies || name in devDependencies || name in ofTests, name);
});

t.test('says what each request shape answers without responseType', async (t) => {
  const rows = rowsUnder(servicePage, 'Responses').filter(([, , , json]) => json === 'JSON');
  const answers = new Map(rows.map(([request, byDefault]) => [request.replaceAll('`', ''), byDefault]));
  const expected = { binary: 'the image’s bytes', json: 'JSON' } as const;
  for (const [field, { properties }] of [
    ['canvas', schemas.CanvasRequest],
    ['templateId', schemas.TemplateRequest],
  ] as const) {
    const [, answer] = [...answers].find(([request]) => request.includes(`"${field}"`)) ?? [];
    t.equal(answer, expected[properties.responseType.default as keyof typeof expected], field);
  }
});

t.test('lists every value of an enumerated field', async (t) => {
  const rows = new Map(
    LAYERS.flatMap(([type]) => rowsUnder(payloadPage, type).map(([name, , text]) => [`${type}.${name}`, text])),
  );
  for (const [type, { properties }] of LAYERS) {
    for (const [name, field] of Object.entries(properties)) {
      if (shared.includes(name)) continue;
      const { enum: values = [] } = field as { enum?: readonly string[] };
      for (const value of values) t.match(rows.get(`${type}.\`${name}\``), `\`${value}\``, `${type}.${name}`);
    }
  }
});

t.test('lists the limits with their settings and defaults', async (t) => {
  const defaults = new Map(Object.entries(readRenderSettings({})));
  const documented = rowsUnder(limitsPage, 'Settings').filter(([, , setting]) => setting !== '');
  t.same(new Set(documented.map(([, , setting]) => setting.replaceAll('`', ''))), new Set(defaults.keys()));
  for (const [, , setting, value] of documented)
    t.equal(defaults.get(setting.replaceAll('`', '')), Number(value), setting);
});

t.test('names every bundled family', async (t) => {
  const section = payloadPage
    .split(/^## Fonts$/m)[1]
    .split(/^## /m)[0]
    .replaceAll('\n', ' ');
  const families = new Set(loadManifest().faces.map(({ family }) => family));
  for (const family of families) if (!/^Noto Sans|^Twemoji/.test(family)) t.match(section, family);
});
