// The forms of the properties panel: every field of the schema has a control, a label and a place.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { payloadJsonSchema } from '../../../../lib/contract/json-schema.js';
import { documentFields } from '../../../../lib/contract/template/document.js';
import type { Schema } from '../../../../web/json/schema.js';
import {
  type Control,
  FORMS,
  type FormField,
  fits,
  formFields,
  initialValue,
} from '../../../../web/panels/properties/form/controls.js';
import { fieldsWithChoice, initialOf } from '../../../../web/panels/properties/form/initial.js';
import { isInView, sectionsOf } from '../../../../web/panels/properties/form/sections.js';
import { inWords } from '../../../../web/panels/properties/form/words.js';
import { ROOT } from '../../../checkout.js';

const { layerForms, templateForm, fontFamilies } = await import(join(ROOT, 'scripts/form-schema.mjs'));
const schema = payloadJsonSchema();
const layers: Schema = layerForms(schema);
const template: Schema = templateForm(schema);
const formOf = (name: (typeof FORMS)[number]) => formFields(name === 'template' ? template : layers, name);

const LAYER_FORMS = FORMS.filter((name) => name !== 'template');
const IN_THE_TREE = ['type', 'layers'];
/** Layers in place of an empty list are edited as JSON. */
const OF_DATA = ['else'];
const fieldNames = (form: (typeof FORMS)[number]): string[] => formOf(form).map(({ name }) => name);

t.test('has every field of every layer, hotspot and template', (t) => {
  const { definitions } = schema as { definitions: Record<string, { properties: object }> };
  for (const form of LAYER_FORMS) {
    const name = form === 'qrcode' ? 'Qrcode' : form.charAt(0).toUpperCase() + form.slice(1);
    // a table is no hotspot
    const inPlace = form === 'table' ? [] : [form === 'group' ? 'InPlaceGroup' : `${name}InPlace`];
    const expected = [`${name}Layer`, ...inPlace].flatMap((each) => Object.keys(definitions[each]!.properties));
    const edited = [...fieldNames(form), ...IN_THE_TREE, ...OF_DATA];
    t.same(
      expected.filter((field) => !edited.includes(field)),
      [],
      form,
    );
  }
  t.same(fieldNames('template'), [
    'name',
    'width',
    'height',
    'scale',
    'autoWidth',
    'autoHeight',
    'padding',
    'placeholders',
    'background',
    'document',
    'locale',
    'alt',
  ]);
  t.end();
});

t.test('has every field of documents', (t) => {
  const document = formOf('template').find(({ name }) => name === 'document');
  const fields = document?.control.kind === 'group' ? document.control.fields : [];
  t.same(
    fields.map(({ name }) => name),
    Object.keys(documentFields.shape),
  );
  t.end();
});

/** The fields of a form and those within, with their paths. */
function* everyField(fields: readonly FormField[], path = ''): Generator<[string, FormField]> {
  for (const field of fields) {
    yield [`${path}${field.name}`, field];
    yield* within(field.control, `${path}${field.name}.`);
  }
}

function* within(control: Control, path: string): Generator<[string, FormField]> {
  if (control.kind === 'group') yield* everyField(control.fields, path);
  if (control.kind === 'oneOf') for (const each of control.controls) yield* within(each, path);
  if (control.kind === 'list' || control.kind === 'oneOrMore' || control.kind === 'map')
    yield* within(control.item, path);
}

/** Layers in cells of tables, as those of OF_DATA. */
const LAYERS_IN_CELLS = ['columns.cell', 'footer.cell'];

t.test('edits no field as bare JSON', (t) => {
  const bare = FORMS.flatMap((form) =>
    [...everyField(formOf(form))].filter(([, { control }]) => control.kind === 'json').map(([path]) => path),
  );
  t.same(
    bare.filter((path) => !LAYERS_IN_CELLS.includes(path)),
    [],
  );
  t.end();
});

t.test('adds values that the schema and the control take', (t) => {
  for (const form of FORMS) {
    for (const [path, { name, control }] of everyField(formOf(form))) {
      t.ok(fits(control, initialValue(control)), `${form} ${path}`);
      const initial = initialOf(name, control);
      t.ok(fits(control, initial) || control.kind === 'list' || control.kind === 'oneOrMore', `${form} ${path}: added`);
    }
  }
  t.end();
});

t.test('chooses the control by the schema', (t) => {
  const controls = new Map([...everyField(formOf('text'))].map(([path, { control }]) => [path, control]));
  const kindOf = (path: string) => controls.get(path)?.kind;
  t.match(controls.get('width'), { kind: 'number', least: 0, words: ['auto', 'fill'], units: ['%'] });
  t.match(controls.get('lineHeight'), { kind: 'number', units: ['px'] });
  t.match(controls.get('color'), { kind: 'color', takesGradients: true });
  t.match(controls.get('shadow.color'), { kind: 'color', takesGradients: false });
  t.match(controls.get('textAlign'), {
    kind: 'choice',
    choices: ['left', 'center', 'right', 'start', 'end', 'justify'],
  });
  t.match(controls.get('padding'), { kind: 'oneOrMore', most: 4, item: { kind: 'number' } });
  t.match(controls.get('shadow'), { kind: 'oneOrMore', most: 8, item: { kind: 'group' } });
  t.match(controls.get('fontFeatures'), { kind: 'map', item: { kind: 'number', isWhole: true } });
  t.equal(kindOf('autoFit'), 'switch');
  t.equal(kindOf('border'), 'group');
  t.equal(kindOf('spans'), 'list');
  t.equal(kindOf('spans.baselineShift'), 'number');
  t.equal(kindOf('textDecoration'), 'oneOf');
  t.end();
});

t.test('places each field in one section', (t) => {
  for (const form of LAYER_FORMS) {
    const fields = formOf(form);
    const sections = sectionsOf(form, fields);
    const placed = sections.flatMap(({ rows, rare }) => [...rows.flat(), ...rare].map(({ name }) => name));
    t.same(placed.toSorted(), fields.map(({ name }) => name).toSorted(), form);
    t.notOk(
      sections.find(({ title }) => title === 'More'),
      `${form}: no field is without a section`,
    );
  }
  t.end();
});

t.test('shows a field that no section names', (t) => {
  const added: FormField = { name: 'glow', label: 'Glow', control: { kind: 'switch' }, isRequired: false };
  const sections = sectionsOf('text', [...formOf('text'), added]);
  t.same(sections.at(-1), { title: 'More', rows: [[added]], rare: [] });
  t.end();
});

t.test('shows what has an effect, and whatever has a value', (t) => {
  const points = formOf('shape').find(({ name }) => name === 'points')!;
  const shown = (raw: object) => isInView(points, false, { raw: raw as never, isLaidOut: false });
  t.ok(shown({ shapeType: 'star' }));
  t.notOk(shown({ shapeType: 'circle' }));
  t.ok(shown({ shapeType: 'circle', points: 5 }));
  t.end();
});

t.test('writes names in words', (t) => {
  for (const [name, words] of [
    ['x', 'X'],
    ['fillColor', 'Fill colour'],
    ['fontSize', 'Font size'],
    ['offsetX', 'Offset X'],
    ['customFontUrl', 'Font URL'],
    ['idPrefix', 'ID prefix'],
    ['color-dodge', 'Colour dodge'],
    ['space-between', 'Space between'],
    ['center', 'Centre'],
    ['constructor', 'Constructor'],
  ] as const) {
    t.equal(inWords(name), words);
  }
  t.end();
});

t.test('offers the bundled families with their weights', (t) => {
  const families = fontFamilies(JSON.parse(readFileSync(join(ROOT, 'fonts/manifest.json'), 'utf8')));
  t.match(families[0], { family: 'Inter', italics: [400, 700] });
  t.notOk(families[0].isFallback, 'the default is no fallback in the list');
  t.ok(families.some(({ isFallback }: { isFallback?: boolean }) => isFallback));
  t.end();
});

t.test('a group that gets a layout gets room around its layers', (t) => {
  t.same(fieldsWithChoice('layout', undefined, 'row', undefined), { padding: 16 });
  t.same(fieldsWithChoice('layout', 'none', 'column', undefined), { padding: 16 });
  t.same(fieldsWithChoice('layout', undefined, 'row', 4), {}, 'it has its own');
  t.same(fieldsWithChoice('layout', 'row', 'column', undefined), {}, 'its padding was removed');
  t.same(fieldsWithChoice('layout', 'row', 'none', undefined), {});
  t.same(fieldsWithChoice('alignItems', undefined, 'center', undefined), {});
  t.end();
});
