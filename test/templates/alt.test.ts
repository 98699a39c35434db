// The alternative text of pictures: written, filled, or composed of layers.
import t from 'tap';
import { createRenderer, inspect, render, validate } from '../../lib/index.js';
import { loadDataFor } from '../../lib/load-data.js';
import { expand } from '../../lib/templates/expand.js';
import { readable } from '../pdf/document.js';

const box = { x: 0, y: 0, width: 100, height: 20 };
const text = (value: string, fields: object = {}) => ({ type: 'text', text: value, ...box, ...fields });
const shape = (fields: object) => ({ type: 'shape', shapeType: 'rectangle', ...box, ...fields });
const group = (layers: readonly object[], fields: object = {}) => ({ type: 'group', layers, ...box, ...fields });
const canvas = { width: 100, height: 20 };
const payload = (layers: readonly object[], fields: object = {}) => ({ canvas, layers, ...fields }) as never;
const template = (fields: object) => ({ name: 'A', ...canvas, placeholders: true, layers: [], ...fields }) as never;

const composed = async (...layers: readonly object[]) => (await inspect(payload(layers))).alt;

t.test('it is composed of texts and alternative texts in drawing order', async (t) => {
  t.equal(await composed(text('One'), shape({}), shape({ alt: 'a dot' }), text('Two')), 'One\na dot\nTwo');
  t.equal(await composed(text('**Bold** words', { markup: true })), 'Bold words');
  t.equal(await composed(text('', { text: undefined, spans: [{ text: 'a ' }, { text: 'b' }] })), 'a b');
  t.equal(await composed(group([text('in'), group([text('deep')])]), text('out')), 'in\ndeep\nout');
  t.equal(await composed(group([text('in')], { alt: 'the group' }), text('out')), 'the group\nout');
  t.equal(await composed(), '');
});

t.test('what is hidden or decoration is left out', async (t) => {
  t.equal(await composed(text('a', { visible: false }), text('b', { alt: '' }), text('c')), 'c');
  t.equal(await composed(group([text('a')], { visible: false }), group([text('b')], { alt: '' })), '');
  t.equal(await composed(text('a', { role: 'artifact' }), group([text('b')], { role: 'artifact' }), text('  ')), '');
});

t.test('it is cut at the end of a grapheme, after 1,000 characters', async (t) => {
  t.equal(await composed(text('x'.repeat(1000))), 'x'.repeat(1000));
  t.equal(await composed(text('x'.repeat(1001))), `${'x'.repeat(999)}…`);
  const family = '👩‍👩‍👧‍👦';
  t.equal(await composed(text('x'.repeat(990) + family.repeat(3))), `${'x'.repeat(990)}…`);
  t.equal(await composed(text('x'.repeat(998)), text('y')), `${'x'.repeat(998)}\ny`);
  t.equal(await composed(text('x'.repeat(998)), text('e\u0301'.repeat(9))), `${'x'.repeat(998)}\n…`);
});

t.test('every kind of layer has its own, and inspect gives it', async (t) => {
  const url =
    'data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==';
  const layers = [
    text('t', { alt: 'text' }),
    { type: 'image', url, ...box, alt: 'image' },
    { type: 'qrcode', data: 'q', ...box, alt: 'qrcode' },
    { type: 'barcode', data: '12345', symbology: 'code128', ...box, alt: 'barcode' },
    shape({ alt: 'shape' }),
    { type: 'icon', icon: 'lucide:calendar', ...box, alt: 'icon' },
    { type: 'icon', icon: 'lucide:vegan', ...box, alt: 'icon of parts' },
    { type: 'chart', chart: 'bar', data: [1, 2], ...box, height: 100, width: 200, alt: 'chart' },
    group([], { alt: 'group' }),
    shape({ alt: '' }),
    shape({}),
  ];
  const found = await inspect(payload(layers));
  const tops = found.layers.filter(({ path }) => /^layers\[\d+\]$/.test(path)).map(({ alt }) => alt);
  const expected = ['text', 'image', 'qrcode', 'barcode', 'shape', 'icon', 'icon of parts', 'chart', 'group'];
  t.same(tops, [...expected, '', undefined]);
  t.equal(found.alt, expected.join('\n'));
});

t.test('one that is written wins, and "" is decoration', async (t) => {
  const layers = [text('a')];
  for (const alt of ['A card', '', 'x'.repeat(2000)]) {
    t.equal((await inspect(payload(layers, { alt }))).alt, alt);
    t.equal((await render(payload(layers, { alt }))).alt, alt);
  }
  t.equal((await inspect(payload(layers, { alt: null }))).alt, 'a');
  t.equal((await inspect(payload(layers, { alt: 'A card' }), { alt: 'Mine' })).alt, 'Mine');
  t.equal((await render(template({ alt: 'A card' }), { alt: 'Mine' })).alt, 'Mine');
});

t.test('placeholders and expressions stand in that of a template', async (t) => {
  const alt = 'About {{title}}';
  const altOf = async (fields: object, variables: object = {}) =>
    (await inspect(template(fields), { variables: { ...variables } })).alt;
  t.equal(await altOf({ alt }, { title: 'tides' }), 'About tides');
  t.equal(await altOf({ alt: '{{title}}', layers: [text('a')] }), 'a', 'empty without values: composed');
  t.equal(await altOf({ alt: '{{= upper(title) }}!' }, { title: 'tides' }), 'TIDES!');
  t.equal(await altOf({ alt: '{{= n * 2 }}' }, { n: 4 }), '8');
  t.equal(await altOf({ alt: '{{= n }}', layers: [text('a')] }), 'a', 'null: composed');
  t.equal(await altOf({ alt: 'var(--a)', tokens: { a: 'b' } }), 'var(--a)', 'tokens are none');
  t.equal((await inspect(payload([], { data: { n: 2 }, alt: '{{n}} of {{= n + 1 }}' }))).alt, '2 of 3');
  t.equal((await inspect(payload([], { alt: '{{= n }}' }))).alt, '{{= n }}', 'without data it is text');
  const { warnings } = await render(template({ alt }), { variables: { title: 'x' } });
  t.same(warnings, [], 'a variable that only alt names is known');
  const literal = await render(template({ alt, placeholders: false }));
  t.match(literal.warnings, [{ code: 'literal_placeholder', path: 'alt' }]);
  t.match(validate(template({ alt, placeholders: false })), { warnings: [{ path: 'alt' }] });
});

t.test('one that is wrong is an error at alt', async (t) => {
  t.match(validate(payload([], { alt: 7 })), { valid: false, details: [{ path: 'alt' }] });
  t.match(validate(template({ alt: 'x'.repeat(2001) })), { valid: false, details: [{ path: 'alt' }] });
  t.match(validate(template({ alt: '{{= 1 + }}' })), { valid: false, details: [{ path: 'alt', message: /column 9/ }] });
  const long = { variables: { a: 'x'.repeat(2001) } };
  for (const alt of ['{{a}}', '{{= a }}']) {
    await t.rejects(render(template({ alt }), long), { code: 'render_failed', details: [{ path: 'alt' }] });
  }
  await t.rejects(render(template({ alt: '{{= [1] }}' })), { code: 'render_failed', details: [{ path: 'alt' }] });
  await t.rejects(render(payload([]), { alt: 'x'.repeat(2001) }), /^alt: received .*expected a text of at most 2000/);
});

t.test('expand prints the text that it becomes', async (t) => {
  await loadDataFor(template({ alt: '{{= 1 }}' }));
  const expanded = (source: unknown, variables: object = {}) =>
    expand(source, { maxLayers: 10, variables }).payload.alt;
  t.equal(expanded(template({ alt: '{{= 1 + n }}' }), { n: 2 }), '3');
  t.equal(expanded(template({ alt: 'Hi {{a}}' }), { a: 'b' }), 'Hi b');
  t.equal(expanded(payload([], { data: {}, alt: '{{= missing }}' })), undefined);
  t.equal(expanded(payload([], { alt: 'A' })), 'A');
});

t.test('one that is written is stored in the file, one that is composed is not', async (t) => {
  const layers = [text('a')];
  const has = (bytes: Uint8Array, words: string) => Buffer.from(bytes).includes(words);
  for (const format of ['png', 'jpeg', 'webp', 'avif'] as const) {
    const plain = await render(payload(layers), { format });
    const described = await render(payload(layers, { alt: 'A ünïque card' }), { format });
    t.equal(has(described.bytes, 'A ünïque card'), format !== 'avif', format);
    const decoration = await render(payload(layers, { alt: '' }), { format });
    t.equal(Buffer.compare(plain.bytes, decoration.bytes), 0, `${format}: decoration says nothing`);
    t.notOk(has(plain.bytes, format === 'png' ? 'iTXt' : 'xmpmeta'), format);
  }
  const processes = createRenderer({ workers: 1 });
  const elsewhere = await processes.render(payload(layers, { alt: 'A card' }));
  t.ok(has(elsewhere.bytes, 'A card'));
  t.equal(elsewhere.alt, 'A card');
  t.equal((await processes.inspect(payload(layers))).alt, 'a');
  await processes.close();
});

t.test('SVG has it as desc, and PDF as its subject unless the document has one', async (t) => {
  const svg = async (fields: object) =>
    new TextDecoder().decode((await render(payload([text('a')], fields), { format: 'svg' })).bytes);
  t.match(await svg({ alt: 'A <card>' }), /^<svg [^>]*role="img"[^>]*><desc>A &lt;card&gt;<\/desc>/);
  t.match(await svg({}), '<desc>a</desc>');
  t.notMatch(await svg({ alt: '' }), '<desc>');
  const pdf = async (fields: object) =>
    readable(Buffer.from((await render(payload([text('a')], fields), { format: 'pdf' })).bytes));
  t.match(await pdf({ alt: 'A card' }), '/Subject(A card)');
  t.match(await pdf({ alt: 'A card', document: { subject: 'Cards' } }), '/Subject(Cards)');
  t.notMatch(await pdf({}), '/Subject');
  t.equal((await render(payload([text('{{page}} of {{pages}}')]), { format: 'pdf' })).alt, '1 of 1');
});
