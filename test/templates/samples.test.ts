// The sample sets of a template: variables to look at it with.
import t from 'tap';
import { checkTemplate } from '../../lib/contract/template/parse.js';
import { listAssetIds } from '../../lib/contract/template/record-layers.js';
import { listSamples } from '../../lib/contract/template/samples.js';
import { RenderError } from '../../lib/errors.js';
import { validate } from '../../lib/index.js';
import { lintTemplate } from '../../lib/templates/lint.js';
import { render } from '../any-payload.js';

const limits = { maxLayers: 500 };
const title = { key: 'title', label: 'Title', type: 'text', x: 0, y: 0, width: 80, height: 40, text: 'T', maxLines: 1 };
const code = { key: 'code', label: 'Code', type: 'barcode', symbology: 'ean13', x: 0, y: 0, width: 95, height: 40 };
const card = {
  name: 'Card',
  width: 100,
  height: 40,
  hotspots: [title, code],
  sizes: { tall: { width: 100, height: 80 } },
};
const sample = (more: object = {}) => ({ name: 'Short', variables: { title: 'Hi' }, ...more });
const withSamples = (...samples: unknown[]) => ({ ...card, samples });

function issuesOf(record: unknown): string[] {
  try {
    checkTemplate(record, limits);
  } catch (error) {
    if (error instanceof RenderError) return error.details.map(({ path, message }) => `${path}: ${message}`);
    throw error;
  }
  return [];
}

t.test('a record has named sets of variables', async (t) => {
  const samples = [sample({ size: null }), { name: 'Long', variables: {}, size: 'tall' }];
  t.same(issuesOf({ ...card, samples }), []);
  t.same(issuesOf({ ...card, samples: null }), []);
  t.same(validate({ ...card, samples }), { valid: true, details: [], warnings: [] });
});

t.test('malformed sample sets are faults of the template', async (t) => {
  const rows: [unknown, string][] = [
    ['x', 'samples: received "x", expected an array of sample sets'],
    [[5], 'samples[0]: received 5, expected an object'],
    [[{ name: 'A' }], 'samples[0].variables: received nothing, expected an object'],
    [[sample({ variables: [] })], 'samples[0].variables: received an empty array, expected an object'],
    [[sample({ name: '' })], 'samples[0].name: received "", expected a string of 1 to 200 characters'],
    [[sample({ size: 5 })], 'samples[0].size: received 5, expected a string (write "5")'],
    [[sample({ size: 'tal' })], 'samples[0].size: received "tal", expected one of "tall" (did you mean "tall"?)'],
    [
      [sample(), sample({ name: 'B' }), sample()],
      'samples[2].name: received "Short", expected a name of its own (samples[0] has the same)',
    ],
    [
      Array.from({ length: 51 }, (_, i) => sample({ name: `${i}` })),
      'samples: received an array of 51, expected at most 50 sample sets',
    ],
  ];
  for (const [samples, expected] of rows) t.same(issuesOf({ ...card, samples }), [expected]);
});

t.test('variables of sample sets are checked as those of a render', async (t) => {
  const record = withSamples(
    sample(),
    sample({ name: 'Wrong', variables: { title: { fontSize: -1 }, code: 'abc' } }),
    sample({ name: 'Doubtful', variables: { titel: 'x', title: { colour: 'red' } }, sort: 1 }),
  );
  const { valid, details, warnings } = validate(record);
  t.equal(valid, false);
  t.same(
    details.map(({ path }) => path),
    ['samples[1].variables.title', 'samples[1].variables.code'],
  );
  t.same(
    warnings.map(({ path, message }) => `${path}: ${message}`),
    [
      'samples[2].sort: is no known field and is ignored',
      'samples[2].variables.titel: is no variable of this template and is ignored; did you mean title?',
      'samples[2].variables.title: colour: is no known field and is ignored; did you mean color?',
    ],
  );
  t.same(
    new Set(lintTemplate(record).map(({ path }) => path)),
    new Set([...details, ...warnings].map(({ path }) => path)),
  );
});

t.test('a sample set is checked in its size', async (t) => {
  const sizes = { tall: { width: 100, height: 80, layers: { code: { symbology: 'code128' } } } };
  const variables = { code: 'abc' };
  const found = (size?: string) => validate({ ...withSamples(sample({ variables, size })), sizes }).details;
  t.same(found('tall'), []);
  t.match(found(), [{ path: 'samples[0].variables.code' }]);
});

t.test('what placeholders make of a sample set has the path of the set', async (t) => {
  const record = {
    ...withSamples(sample({ variables: { number: 'x' } })),
    placeholders: true,
    hotspots: [{ ...code, data: '{{number}}' }],
  };
  t.match(validate(record).details, [{ path: 'samples[0]', message: /^hotspots\.code\.data: / }]);
});

t.test('renders ignore sample sets', async (t) => {
  const plain = await render(card, {});
  for (const samples of ['x', [sample({ variables: 5 })], [sample({ variables: { titel: 'x' } })]]) {
    const { bytes, warnings } = await render({ ...card, samples } as never, {});
    t.same(warnings, []);
    t.ok(Buffer.from(bytes).equals(Buffer.from(plain.bytes)));
  }
});

t.test('lists the sample sets of a record, which need not be valid', async (t) => {
  const samples = [sample(), 5, null, { name: 'A' }, sample(), sample({ name: 'B', size: 'tall' })];
  t.same(listSamples({ samples }), [
    { path: 'samples[0]', name: 'Short', variables: { title: 'Hi' } },
    { path: 'samples[5]', name: 'B', variables: { title: 'Hi' }, size: 'tall' },
  ]);
  for (const value of [undefined, null, 5, {}, { samples: {} }]) t.same(listSamples(value), []);
});

t.test('assets in sample sets belong to the template', async (t) => {
  const variables = { photo: 'asset:asset_1', frame: { maskImage: { url: 'asset:asset_2' } }, none: 'asset' };
  t.same(new Set(listAssetIds(withSamples(sample({ variables })))), new Set(['asset_1', 'asset_2']));
});
