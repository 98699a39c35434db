// The README's tables say what the schemas, the limits and the manifest of fonts say: every field with its default, no field too many.
import { readFileSync } from 'node:fs';
import t from 'tap';
import { openapi } from '../lib/contract/openapi.js';
import { loadManifest } from '../lib/fonts/bundled.js';
import { readLineSettings } from '../lib/settings.js';
import { rowsUnder } from './tables.js';

interface Field {
  readonly default?: unknown;
  readonly properties?: Readonly<Record<string, Field>>;
}

interface Schema {
  readonly properties: Readonly<Record<string, Field>>;
  readonly required: readonly string[];
}

const readme = readFileSync(new URL('../README.md', import.meta.url), 'utf8');
const { schemas } = (openapi() as { components: { schemas: Record<string, Schema> } }).components;

/** A field's name → what the README's second column must say. Objects are followed by their own fields. */
function expectedOf({ properties, required }: Schema, skip: readonly string[] = []): Map<string, string> {
  const expected = new Map<string, string>();
  const add = (name: string, field: Field, needed: boolean) => {
    if (field.default !== undefined) expected.set(name, `\`${field.default}\``);
    else expected.set(name, needed ? 'required' : 'none');
    for (const [key, inner] of Object.entries(field.properties ?? {})) add(`${name}.${key}`, inner, false);
  };
  for (const [name, field] of Object.entries(properties)) {
    if (!skip.includes(name)) add(name, field, required.includes(name));
  }
  return expected;
}

/** Defaults that depend on another field, so that the schema has none. */
const BY_CONTEXT = new Map([
  ['fillColor', '`#000000`, or none when there is a border'],
  ['border.color', '`#000000`; for a line, `fillColor`'],
  ['border.width', '`1`; for a line, the shorter side of the box'],
]);

const LAYERS = [
  ['text', schemas.TextLayer],
  ['image', schemas.ImageLayer],
  ['qrcode', schemas.QrcodeLayer],
  ['shape', schemas.ShapeLayer],
] as const;
const shared = Object.keys(schemas.TextLayer.properties).filter((name) =>
  LAYERS.every(([, { properties }]) => name in properties),
);

function agrees(
  t: { same(found: unknown, wanted: unknown, message: string): void },
  heading: string,
  expected: ReadonlyMap<string, string>,
): void {
  const documented = rowsUnder(readme, heading).map(([name, value]) => [name.replaceAll('`', ''), value]);
  t.same(documented, [...expected], heading);
}

for (const [type, schema] of LAYERS) {
  t.test(`the fields of ${type} layers`, async (t) => {
    const expected = expectedOf(schema, shared);
    if (type === 'shape') for (const [name, value] of BY_CONTEXT) expected.set(name, value);
    t.ok(expected.size > 4);
    agrees(t, type, expected);
  });
}

t.test('the fields of every layer', async (t) => {
  const properties = Object.fromEntries(shared.map((name) => [name, schemas.TextLayer.properties[name]]));
  agrees(t, 'Every layer', expectedOf({ properties, required: schemas.TextLayer.required }));
});

t.test('the fields of the payload', async (t) => {
  const expected = expectedOf(schemas.CanvasRequest);
  expected.delete('canvas');
  for (const side of ['canvas.width', 'canvas.height']) expected.set(side, 'required');
  agrees(t, 'The payload', expected);
});

t.test('what each kind of request answers without responseType', async (t) => {
  const rows = rowsUnder(readme, 'Service').filter(([, , , json]) => json === 'JSON');
  const answers = new Map(rows.map(([request, byDefault]) => [request.replaceAll('`', ''), byDefault]));
  const expected = { binary: 'the picture’s bytes', json: 'JSON' } as const;
  for (const [field, { properties }] of [
    ['canvas', schemas.CanvasRequest],
    ['templateId', schemas.TemplateRequest],
  ] as const) {
    const [, answer] = [...answers].find(([request]) => request.includes(`"${field}"`)) ?? [];
    t.equal(answer, expected[properties.responseType.default as keyof typeof expected], field);
  }
});

t.test('values of a field with few of them are all named', async (t) => {
  const rows = new Map(
    LAYERS.flatMap(([type]) => rowsUnder(readme, type).map(([name, , text]) => [`${type}.${name}`, text])),
  );
  for (const [type, { properties }] of LAYERS) {
    for (const [name, field] of Object.entries(properties)) {
      if (shared.includes(name)) continue;
      const { enum: values = [] } = field as { enum?: readonly string[] };
      for (const value of values) t.match(rows.get(`${type}.\`${name}\``), `\`${value}\``, `${type}.${name}`);
    }
  }
});

t.test('the limits', async (t) => {
  const defaults = new Map(Object.entries(readLineSettings({})));
  const documented = rowsUnder(readme, 'Limits').filter(([, , setting]) => setting !== '');
  t.same(new Set(documented.map(([, , setting]) => setting.replaceAll('`', ''))), new Set(defaults.keys()));
  for (const [, , setting, value] of documented)
    t.equal(defaults.get(setting.replaceAll('`', '')), Number(value), setting);
});

t.test('the fonts', async (t) => {
  const section = readme
    .split(/^## Fonts$/m)[1]
    .split(/^## /m)[0]
    .replaceAll('\n', ' ');
  const families = new Set(loadManifest().faces.map(({ family }) => family));
  for (const family of families) if (!/^Noto Sans|^Twemoji/.test(family)) t.match(section, family);
});
