// The cases of `npm run parity`: valid, the same for a seed, with every layer type; and what counts as a difference.
import t from 'tap';
import { validate } from '../../lib/index.js';
import { GROUPS, groupOf, makeCases } from './cases.js';
import { compare, type Result } from './compare.js';

const cases = await makeCases(300, '7');

t.test('every payload is valid, and needs no files', (t) => {
  for (const { name, payload, variables } of cases) {
    const options = variables === undefined ? {} : { variables: variables as Record<string, unknown> };
    const { valid, details } = validate(payload, options);
    if (!valid) t.fail(name, { details });
  }
  t.equal(new Set(cases.map(({ name }) => name)).size, cases.length, 'names are unique');
  for (const group of GROUPS) t.ok(cases.filter((one) => groupOf(one) === group).length >= 8, group);
  t.end();
});

t.test('random payloads have layers of every type, with data: URLs of every kind', (t) => {
  const text = JSON.stringify(cases.filter((one) => groupOf(one) === 'fuzzed'));
  for (const part of [
    ...['text', 'image', 'shape', 'qrcode', 'barcode'].map((type) => `"type":"${type}"`),
    ...['png', 'jpeg', 'webp', 'avif', 'gif', 'svg+xml'].map((type) => `"url":"data:image/${type}`),
    ...['rotation', 'shadow', 'stroke', 'border', 'autoFit', 'mask', 'customFontUrl', 'opacity'].map(
      (name) => `"${name}":`,
    ),
  ]) {
    t.ok(text.includes(part), part);
  }
  t.end();
});

t.test('the same seed gives the same cases', async (t) => {
  t.same(await makeCases(20, '7'), cases.slice(0, cases.length - 280));
  t.notSame((await makeCases(20, '8')).at(-1)?.payload, cases.at(-281)?.payload);
});

t.test('a difference is named by what differs first', (t) => {
  const expected: Result = { name: 'a', pixels: '1 × 1 00', encoded: 'png 00', warnings: '' };
  const found = (actual?: Partial<Result>) => {
    const results = new Map(actual ? [['a', { ...expected, ...actual }]] : []);
    return compare(new Map([['a', expected]]), results)[0];
  };
  t.equal(found({}), undefined);
  t.same(found(), { name: 'a', what: 'no result' });
  t.same(found({ pixels: '1 × 1 01', encoded: 'png 01' }), { name: 'a', what: 'pixels' });
  t.same(found({ encoded: 'png 01' }), { name: 'a', what: 'file' });
  t.same(found({ warnings: 'layers[0].text: x' }), { name: 'a', what: 'warnings', texts: ['', 'layers[0].text: x'] });
  t.same(found({ error: 'render_failed: x' }), {
    name: 'a',
    what: 'error',
    texts: ['none', 'render_failed: x'],
  });
  t.end();
});
