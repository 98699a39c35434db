// One mistake in a payload is one error of schema.json, at its place.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Ajv } from 'ajv';
import t from 'tap';
import { payloadJsonSchema } from '../../lib/contract/json-schema.js';
import { ROOT } from '../checkout.js';

const schema = payloadJsonSchema();
// throws whatever strict mode complains about, and knows no format but those of the standard
const ajv = new Ajv({ strict: true, allErrors: true, logger: { log() {}, warn: fail, error: fail } });
function fail(message: unknown): never {
  throw new Error(String(message));
}
const accepts = ajv.compile(schema);

/** The errors, without the line that ajv adds for each `if` around an error. */
function errorsOf(payload: object): string[] {
  if (accepts(JSON.parse(JSON.stringify(payload)))) return [];
  return (accepts.errors ?? [])
    .filter(({ keyword }) => keyword !== 'if')
    .map(({ instancePath, keyword, params }) => {
      const field = params.additionalProperty ?? params.missingProperty;
      return `${instancePath}${field === undefined ? '' : `/${field}`} ${keyword}`;
    });
}

const box = { x: 0, y: 0, width: 10, height: 10 };
const text = { type: 'text', text: 'a', ...box };
const image = { type: 'image', url: 'https://example.com/a.png', ...box };
const shape = { type: 'shape', shapeType: 'rectangle', ...box };
const canvas = { width: 100, height: 50 };
const drawn = (...layers: object[]) => ({ canvas, layers });
const nested = (layer: object) =>
  drawn({ type: 'group', ...box, layers: [{ type: 'group', ...box, layers: [layer] }] });
const template = { name: 'a', ...canvas, hotspots: [{ key: 'k', label: 'K', ...text }] };

t.test('gives one error for one mistake', async (t) => {
  const rows: [payload: object, error: string][] = [
    [drawn({ ...text, fontsize: 12 }), '/layers/0/fontsize additionalProperties'],
    [drawn(text, { ...text, opacity: 2 }), '/layers/1/opacity maximum'],
    [drawn({ ...text, type: 'txt' }), '/layers/0/type enum'],
    [drawn({ ...text, type: undefined }), '/layers/0/type required'],
    [drawn({ ...text, fontSize: '24px' }), '/layers/0/fontSize type'],
    [drawn({ ...text, width: '24px' }), '/layers/0/width pattern'],
    [drawn({ ...text, width: undefined }), '/layers/0/width required'],
    [drawn({ ...text, padding: true }), '/layers/0/padding type'],
    [drawn({ ...text, padding: [1, -2] }), '/layers/0/padding/1 minimum'],
    [drawn({ ...text, shadow: { blurr: 2 } }), '/layers/0/shadow/blurr additionalProperties'],
    [drawn({ ...text, shadow: [{ blur: 2 }, { blur: 'x' }] }), '/layers/0/shadow/1/blur type'],
    [drawn({ ...text, fontWeight: 'heavy' }), '/layers/0/fontWeight pattern'],
    [drawn({ ...text, lineHeight: 'tall' }), '/layers/0/lineHeight pattern'],
    [drawn({ ...text, textDecoration: { line: 'over' } }), '/layers/0/textDecoration/line enum'],
    [drawn({ ...text, spans: [{ text: 'a', colour: 'red' }] }), '/layers/0/spans/0/colour additionalProperties'],
    [drawn({ ...image, url: undefined }), '/layers/0/url required'],
    [drawn({ ...image, fit: 'crop' }), '/layers/0/fit enum'],
    [drawn({ ...image, fontSize: 12 }), '/layers/0/fontSize additionalProperties'],
    [drawn({ ...shape, shapeType: 'heart' }), '/layers/0/shapeType enum'],
    [drawn({ ...shape, border: { colour: 'red' } }), '/layers/0/border/colour additionalProperties'],
    [drawn({ type: 'group', ...box, layers: [], layout: { direction: 'row' } }), '/layers/0/layout enum'],
    [nested({ ...text, colour: 'red' }), '/layers/0/layers/0/layers/0/colour additionalProperties'],
    [{ ...drawn(text), quality: 101 }, '/quality maximum'],
    [{ ...drawn(text), fromat: 'png' }, '/fromat additionalProperties'],
    [{ canvas: { ...canvas, width: '10px' }, layers: [] }, '/canvas/width type'],
    [{ canvas }, '/layers required'],
    [{ layers: [] }, '/canvas required'],
    [{ templateId: '' }, '/templateId minLength'],
    [{ templateId: 'a', vars: {} }, '/vars additionalProperties'],
    [{ ...template, hotspot: [] }, '/hotspot additionalProperties'],
    [{ ...template, hotspots: [{ key: 'k', ...text }] }, '/hotspots/0/label required'],
    [{ ...template, layers: [{ ...text, key: 'm', colour: 'red' }] }, '/layers/0/colour additionalProperties'],
    [{ ...template, layers: [{ ...text, colour: 'red' }] }, '/layers/0/colour additionalProperties'],
    [{ ...template, background: { colour: 'red' } }, '/background/colour additionalProperties'],
    [
      { ...template, sizes: { story: { ...canvas, layers: { k: { fontsize: 2 } } } } },
      '/sizes/story/layers/k/fontsize additionalProperties',
    ],
  ];
  t.same(errorsOf(drawn(text, image, shape)), []);
  t.same(errorsOf(template), []);
  t.same(errorsOf({ ...template, sizes: { story: { ...canvas, layers: { k: { width: '{{= 2 * a }}' } } } } }), []);
  for (const [payload, error] of rows) t.same(errorsOf(payload), [error], JSON.stringify(payload));
});

t.test('accepts the payloads of all golden images', async (t) => {
  const folder = join(ROOT, 'test/golden');
  const names = (readdirSync(folder, { recursive: true }) as string[]).filter((name) => name.endsWith('.json'));
  const refused = names.filter((name) => {
    const { payload, ...own } = JSON.parse(readFileSync(join(folder, name), 'utf8'));
    const drawn = payload ?? own;
    return drawn.layers !== undefined && errorsOf(drawn).length > 0;
  });
  t.ok(names.length > 50);
  t.same(refused, []);
});

t.test('is small, and has formats of the standard alone', async (t) => {
  const written = JSON.stringify(schema);
  t.ok(written.length < 150_000, `${written.length} characters`);
  t.notMatch(written, /"format":"(?:color|fill|css-filter)"/);
});
