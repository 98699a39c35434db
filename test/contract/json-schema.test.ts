// schema.json accepts what a render accepts, and rejects what a render rejects or warns about.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Ajv } from 'ajv';
import t from 'tap';
import { payloadJsonSchema } from '../../lib/contract/json-schema.js';
import { validate } from '../../lib/index.js';
import { ROOT } from '../checkout.js';

const ajv = new Ajv({ strict: true, allErrors: true });
const accepts = ajv.compile(payloadJsonSchema());

const box = { x: 0, y: 0, width: 10, height: 10 };
const canvas = { width: 100, height: 50 };
const layers = [
  { type: 'text', text: 'a', ...box, fontWeight: 650, stroke: { width: 2 } },
  { type: 'image', url: 'https://example.com/a.png', ...box, fit: 'cover', name: 'photo' },
  { type: 'qrcode', data: 'a', ...box, errorCorrectionLevel: 'H', id: 'code' },
  { type: 'shape', shapeType: 'line', ...box, border: { color: 'red' } },
];
const hotspots = [
  { key: 'title', label: 'Title', type: 'text', ...box },
  { key: 'photo', label: 'Photo', type: 'image', ...box },
  { key: 'code', label: 'Code', type: 'qrcode', ...box, data: 'a' },
];
const template = { name: 'card', ...canvas, background: { color: 'white' }, layers, hotspots };

t.test('accepts every example and template of the package', async (t) => {
  for (const folder of ['examples', 'data/templates']) {
    const names = readdirSync(join(ROOT, folder)).filter((name) => name.endsWith('.json'));
    t.ok(names.length >= 3, folder);
    for (const name of names) {
      const payload = JSON.parse(readFileSync(join(ROOT, folder, name), 'utf8'));
      t.ok(accepts(payload), `${folder}/${name}: ${ajv.errorsText(accepts.errors)}`);
    }
  }
});

t.test('accepts what validate accepts without a warning', async (t) => {
  const sound: object[] = [
    { canvas, layers },
    { canvas: { ...canvas, backgroundColor: '#fff' }, layers: [], format: 'jpg', quality: 50, metadata: { a: [1] } },
    { $schema: './node_modules/platen/schema.json', canvas, layers },
    { canvas, layers, id: 'a', name: 'b', workspaceId: 'c' },
    template,
    { $schema: './schema.json', id: 'a', workspaceId: 'c', ...template, layers: [] },
    {
      ...template,
      hotspots: undefined,
      layers: [
        { ...layers[3], key: 'rule' },
        { ...layers[1], url: undefined, key: 'p' },
      ],
    },
    { templateId: 'a', variables: { title: 'a', photo: { url: 'https://example.com' }, code: null } },
  ];
  for (const each of sound) {
    const payload = JSON.parse(JSON.stringify(each));
    t.match(validate(payload), { valid: true, details: [], warnings: [] }, JSON.stringify(payload));
    t.ok(accepts(payload), ajv.errorsText(accepts.errors));
  }
});

t.test('rejects what validate rejects or warns about', async (t) => {
  const [text, image, qrcode, shape] = layers;
  const drawn = (layer: object) => ({ canvas, layers: [layer] });
  const wrong: object[] = [
    {},
    [],
    { canvas },
    { canvas: { width: 0, height: 50 }, layers },
    { canvas: { width: 10.5, height: 50 }, layers },
    { canvas, layers, templateId: 'a' },
    { canvas, layers, format: 'gif' },
    { canvas, layers, quality: 101 },
    { canvas, layers, metdata: {} },
    { canvas: { ...canvas, background: 'red' }, layers },
    drawn({ ...text, type: 'txt' }),
    drawn({ ...text, fontsize: 12 }),
    drawn({ ...text, text: 12 }),
    drawn({ ...text, opacity: 2 }),
    drawn({ ...text, fontWeight: 'heavy' }),
    drawn({ ...text, shadow: { blurr: 2 } }),
    drawn({ ...image, url: undefined, src: 'https://example.com/a.png' }),
    drawn({ ...image, fit: 'crop' }),
    drawn({ ...qrcode, errorCorrectionLevel: 'X' }),
    drawn({ ...shape, shapeType: 'heart' }),
    drawn({ ...shape, x: '1' }),
    { ...template, name: '' },
    { ...template, hotspots: [{ ...hotspots[0], key: undefined }] },
    { ...template, hotspots: [{ ...hotspots[0], type: 'shape' }] },
    { ...template, layers: [{ ...text, colour: 'red' }] },
    { ...template, layers: [{ ...text, label: 'Without a key' }] },
    { ...template, layers: [{ ...text, key: '' }] },
    drawn({ ...text, key: 'title' }),
    { ...template, background: { colour: 'red' } },
    { templateId: '' },
  ];
  for (const each of wrong) {
    const payload = JSON.parse(JSON.stringify(each));
    const { valid, warnings } = validate(payload);
    t.notOk(valid && warnings.length === 0, JSON.stringify(payload));
    t.notOk(accepts(payload), JSON.stringify(payload));
  }
});

t.test('is part of the package', async (t) => {
  const { exports, files } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));
  t.equal(exports['./schema.json'], './schema.json');
  t.ok(files.includes('schema.json'));
});
