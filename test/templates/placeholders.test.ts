// Placeholders in a template's own strings, as variables fill them.
import fc from 'fast-check';
import t from 'tap';
import { checkTemplate, parseTemplate } from '../../lib/contract/template/parse.js';
import { listHotspots } from '../../lib/contract/template/record-strings.js';
import { RenderError } from '../../lib/errors.js';
import { validate } from '../../lib/index.js';
import { applyTemplate } from '../../lib/templates/apply.js';
import { draftOf } from '../../lib/templates/draft.js';
import { lintTemplate } from '../../lib/templates/lint.js';
import { resolveTemplate } from '../../lib/templates/resolve.js';
import { render } from '../any-payload.js';

const box = { x: 0, y: 0, width: 40, height: 40 };
const text = (value: string, more: object = {}) => ({ type: 'text', ...box, text: value, ...more });
const image = (url: string, more: object = {}) => ({ type: 'image', ...box, url, ...more });
const limits = { maxLayers: 500 };
const template = (more: object) => ({ name: 'T', width: 80, height: 40, placeholders: true, ...more });

const apply = (record: unknown, variables: Record<string, unknown> = {}) =>
  applyTemplate(parseTemplate(record, limits), variables, { maxLayers: 500 });

/** Returns the text, URL or data that is drawn. */
function drawn(layer: object, variables: Record<string, unknown>): unknown {
  const [first] = apply(template({ layers: [layer] }), variables).layers as Record<string, unknown>[];
  return first && (first.text ?? first.url ?? first.data);
}

function errorOf(run: () => unknown): RenderError {
  try {
    run();
  } catch (error) {
    if (error instanceof RenderError) return error;
    throw error;
  }
  throw new Error('nothing was thrown');
}
const issuesOf = (run: () => unknown) => errorOf(run).details.map(({ path, message }) => `${path}: ${message}`);

t.test('a value stands for its placeholder; without one the default does', async (t) => {
  const ticket = text('Row {{row}}, seat {{seat|–}}');
  const rows: [Record<string, unknown>, string][] = [
    [{}, 'Row , seat –'],
    [{ row: 'A', seat: 7 }, 'Row A, seat 7'],
    [{ row: 0, seat: false }, 'Row 0, seat false'],
    [{ row: -0, seat: 1e21 }, 'Row 0, seat 1e+21'],
    [{ row: null, seat: null }, 'Row , seat –'],
    [{ row: undefined, seat: '' }, 'Row , seat –'],
    [{ row: '{{seat}}', seat: '\\{{row}}' }, 'Row {{seat}}, seat \\{{row}}'],
  ];
  for (const [variables, expected] of rows) t.equal(drawn(ticket, variables), expected);
  t.equal(drawn(text('{{price:number(2)}} {{name:upper|nobody}}'), { price: 3.005 }), '3.01 nobody');
  t.equal(drawn(text('\\{{row}}'), { row: 1 }), '{{row}}');
});

t.test('without placeholders: true the braces are text', async (t) => {
  const record = { ...template({ layers: [text('{{row}} {{')] }), placeholders: false };
  const { layers, warnings } = apply(record, { row: 1 });
  t.match(layers, [{ text: '{{row}} {{' }]);
  t.match(warnings, [{ path: 'variables.row', message: /no variable of this template/ }]);
});

t.test('a placeholder names a hotspot by its key or its label, or a variable of its own', async (t) => {
  const record = template({
    hotspots: [
      { key: 'name', label: 'Full name', ...text('Guest') },
      { key: 'greeting', label: 'Greeting', ...text('Dear {{name|all}} ({{Full name}}), {{city}}') },
    ],
  });
  const greeting = (variables: Record<string, unknown>) => {
    const { layers, warnings } = apply(record, variables);
    t.same(warnings, []);
    return (layers as Record<string, unknown>[]).at(-1)?.text;
  };
  t.equal(greeting({}), 'Dear all (), ', 'the default of a hotspot is not its value');
  t.equal(greeting({ name: 'Ada', city: 'Turin' }), 'Dear Ada (Ada), Turin');
  t.equal(greeting({ 'Full name': 'Ada' }), 'Dear Ada (Ada), ');
  t.equal(greeting({ name: { text: 'Ada', color: 'red' } }), 'Dear Ada (Ada), ');
  t.equal(greeting({ name: { color: 'red' } }), 'Dear all (), ');
  t.equal(greeting({ name: null }), 'Dear all (), ');
  t.equal(greeting({ greeting: '{{name}}', name: 'Ada' }), '{{name}}', 'a value is not expanded');
  t.equal(greeting({ greeting: { text: '{{name}}' }, name: 'Ada' }), '{{name}}');
  t.same(listHotspots(record).at(-1), { key: 'city', label: 'city', type: 'placeholder' });
  t.same(parseTemplate(record, limits).plainVariables, ['city']);
});

t.test('expands the texts, data and URLs of every layer, at any depth', async (t) => {
  const record = template({
    background: { url: 'https://example.com/{{a}}.png' },
    layers: [
      text('{{a}}', { customFontUrl: 'https://example.com/{{a}}.ttf', maskImage: { url: 'https://x.test/{{a}}' } }),
      { type: 'group', ...box, layers: [{ type: 'group', ...box, layers: [{ key: 'deep', ...text('{{a}}') }] }] },
    ],
    hotspots: [
      {
        key: 'code',
        label: 'Code',
        type: 'qrcode',
        ...box,
        data: 'https://x.test/{{a}}',
        logo: { url: 'data:,{{a}}' },
      },
      { key: 'bars', label: 'Bars', type: 'barcode', symbology: 'code128', ...box, data: '{{a}}' },
    ],
  });
  const { layers } = apply(record, { a: 'b c' });
  t.match(layers, [
    { url: 'https://example.com/b%20c.png' },
    { text: 'b c', customFontUrl: 'https://example.com/b%20c.ttf', maskImage: { url: 'https://x.test/b%20c' } },
    { layers: [{ layers: [{ text: 'b c' }] }] },
    { data: 'https://x.test/b c', logo: { url: 'data:,b%20c' } },
    { data: 'b c' },
  ]);
});

t.test('in a URL with a scheme a value is percent-encoded; elsewhere it stands as it is', async (t) => {
  const rows: [string, Record<string, unknown>, string | undefined][] = [
    ['https://example.com/{{a}}?q={{b}}', { a: 'x/y', b: 'c&d=é' }, 'https://example.com/x%2Fy?q=c%26d%3D%C3%A9'],
    ['https://example.com/{{a:url}}', { a: 'x y' }, 'https://example.com/x%20y'],
    ['https://example.com/{{a|none/at-all.png}}', {}, 'https://example.com/none/at-all.png'],
    ['{{a}}', { a: 'https://example.com/x?y=z' }, 'https://example.com/x?y=z'],
    ['{{a}}/logo.png', { a: 'https://example.com' }, 'https://example.com/logo.png'],
    ['photos/{{a}}.jpg', { a: 'Ada Novák' }, 'photos/Ada Novák.jpg'],
    ['memory:{{a}}', { a: 'a b.png' }, 'memory:a b.png'],
    ['{{a}}', {}, undefined],
  ];
  for (const [url, variables, expected] of rows) t.equal(drawn(image(url), variables), expected, url);
  for (const a of ['.', '..']) {
    t.same(
      issuesOf(() =>
        resolveTemplate(template({ layers: [image('https://x.test/a/{{a}}/b')] }), {
          ...limits,
          variables: { a },
          checkUrl: () => {},
        }),
      ),
      ['variables.a: layers[0].url: a value must not be . or .. as a part of the URL’s path'.replace('’', "'")],
    );
    t.equal(drawn(image('https://x.test/../{{b}}?{{a}}'), { a, b: 'c' }), `https://x.test/../c?${a}`);
  }
});

t.test('a URL or data that is empty without values is left out', async (t) => {
  const record = template({
    background: { url: '{{bg}}' },
    layers: [
      image('{{photo}}'),
      { type: 'qrcode', ...box, data: '{{code}}' },
      text('a', { customFontUrl: '{{font}}', maskImage: { url: '{{mask}}' } }),
    ],
    hotspots: [{ key: 'code', label: 'Code', type: 'barcode', symbology: 'ean13', ...box, data: '{{ean}}' }],
  });
  const { layers } = apply(record);
  t.equal(layers.length, 1);
  const [only] = layers as Record<string, unknown>[];
  t.same([only?.customFontUrl, only?.maskImage], [undefined, undefined]);
  t.ok(resolveTemplate(record, { ...limits, checkUrl: () => {} }));
});

t.test('an issue of a field has the path of the one variable in it', async (t) => {
  const check = (url: string, variables: object) =>
    issuesOf(() =>
      resolveTemplate(template({ layers: [image(url)] }), {
        ...limits,
        variables,
        checkUrl: (given) => {
          throw new RenderError('render_failed', `bad ${given}`);
        },
      }),
    );
  t.same(check('https://x.test/{{a}}', { a: 1 }), ['variables.a: layers[0].url: bad https://x.test/1']);
  t.same(check('https://x.test/{{a}}/{{a}}', { a: 1 }), ['variables.a: layers[0].url: bad https://x.test/1/1']);
  t.same(check('https://x.test/{{a}}/{{b}}', { a: 1, b: 2 }), ['layers[0].url: bad https://x.test/1/2']);
  t.same(check('https://x.test/{{a|1}}', {}), ['layers[0].url: bad https://x.test/1']);
});

t.test('warns about values that a placeholder can’t have, and about variables that nothing names', async (t) => {
  const { warnings, layers } = apply(template({ layers: [text('{{a|none}} {{b:number(1)}}')] }), {
    a: [1],
    b: '12 €',
    c: 1,
  });
  t.match(layers, [{ text: 'none 12 €' }]);
  t.same(
    warnings.map(({ path, message }) => `${path}: ${message}`),
    [
      'variables.c: is no variable of this template and is ignored',
      'variables.a: layers[0].text: received an array of 1, expected text, a number, true or false: {{a|none}} has its default',
      'variables.b: layers[0].text: received "12 €", expected a number: {{b:number(1)}} has it unchanged',
    ],
  );
});

t.test('import reports malformed placeholders and too many of them', async (t) => {
  const record = template({
    background: { url: '{{' },
    layers: [text('Hi {{name'), { type: 'group', ...box, layers: [text('{{a:uper}}')] }],
  });
  t.same(
    errorOf(() => checkTemplate(record, limits)).details.map(({ path }) => path),
    ['background.url', 'layers[0].text', 'layers[1].layers[0].text'],
  );
  t.match(
    issuesOf(() => checkTemplate(record, limits))[1],
    /^layers\[0\]\.text: character 4: a placeholder is not closed/,
  );
  t.same(
    issuesOf(() => checkTemplate(template({ layers: [text('{{a}}'.repeat(2001))] }), limits)),
    ['placeholders: received 2001 placeholders in the template, expected at most 2000'],
  );
  t.same(
    issuesOf(() => checkTemplate(template({ placeholders: 'yes' }), limits)),
    ['placeholders: received "yes", expected true or false (write true)'],
  );
});

t.test('long values in many placeholders are refused, not expanded', async (t) => {
  const record = template({ layers: [text('{{a:upper}}'.repeat(2000))] });
  const run = (a: string) => resolveTemplate(record, { ...limits, variables: { a }, checkUrl: () => {} });
  t.same(
    issuesOf(() => run('x'.repeat(1_000_000))),
    ['layers[0].text: the values of the placeholders up to here have more than 4000000 characters'],
  );
  t.match(
    issuesOf(() => run('x'.repeat(800)))[0],
    /^variables\.a: layers\[0\]\.text: received .* expected a string of up to 1000000/,
  );
  t.ok(run('x'.repeat(100)));
});

t.test('expansion never throws, and never expands braces in values', async () => {
  const part = fc.constantFrom(
    '{{a}}',
    '{{b|c}}',
    '{{a:upper}}',
    '{{b:number(2)}}',
    '\\{{',
    '{{',
    '}}',
    '{',
    '|',
    'x',
    '\ud800',
  );
  const template_ = fc.array(part, { maxLength: 8 }).map((parts) => parts.join(''));
  const value = fc.oneof(template_, fc.jsonValue(), fc.constant(undefined), fc.double());
  fc.assert(
    fc.property(template_, value, value, (string, a, b) => {
      const record = template({ layers: [text(string), image(`https://x.test/${string}`)] });
      let parsed: ReturnType<typeof parseTemplate>;
      try {
        parsed = parseTemplate(record, limits);
      } catch (error) {
        return error instanceof RenderError;
      }
      const { layers } = applyTemplate(parsed, { a, b }, { maxLayers: 500 });
      // a brace of a value may stand beside one of the text
      const hasBrace = (given: unknown) => typeof given === 'string' && given.includes('{');
      const [first] = layers as { text: string }[];
      return hasBrace(a) || hasBrace(b) || string.includes('\\{{') || !first!.text.includes('{{');
    }),
    { numRuns: 500 },
  );
  fc.assert(fc.property(fc.string(), (value) => drawn(text('<{{a}}>'), { a: value }) === `<${value}>`));
});

t.test('import, validate and lint check templates with placeholders without variables', async (t) => {
  const record = template({
    width: 400,
    height: 400,
    layers: [
      image('{{photo}}'),
      image('https://example.com/{{id}}.png'),
      { type: 'barcode', symbology: 'ean13', ...box, x: 100, y: 100, width: 200, height: 100, data: '{{ean}}' },
      { type: 'barcode', symbology: 'ean8', ...box, x: 100, y: 250, width: 200, height: 100, data: '123{{rest}}' },
      text('Seat {{seat|–}}', { maxLines: 1 }),
    ],
    hotspots: [{ key: 'title', label: 'Title', ...text('{{titel}}', { maxLines: 1 }) }],
  });
  t.same(validate(record), {
    valid: true,
    details: [],
    warnings: [
      {
        code: 'unknown_placeholder',
        path: 'hotspots[0].text',
        message: '{{titel}} names a variable that no hotspot has; did you mean title?',
        value: 'titel',
        suggestion: 'title',
      },
    ],
  });
  t.same(
    draftOf(record, limits).hotspots.map(({ key }) => key),
    ['title', 'photo', 'id', 'ean', 'rest', 'seat', 'titel'],
  );
  t.same(
    lintTemplate(record).map(({ path }) => path),
    ['hotspots[0].text'],
  );
  t.same(
    lintTemplate(template({ layers: [text('{{a}}')] })).map(({ message }) => message),
    ['has neither autoFit nor maxLines: a long text overflows the box'],
  );
  const wrong = validate(template({ layers: [image('ftp://{{a}}'), image('ftp://{{a|b}}')] }));
  t.same(
    wrong.details.map(({ path }) => path),
    ['layers[1].url'],
  );
  t.match(errorOf(() => draftOf(template({ layers: [image('{{a|photos/x.png}}')] }), limits)).details, [
    { path: 'layers[0].url' },
  ]);
});

t.test('renders with placeholders', async (t) => {
  const record = template({ layers: [text('Row {{row|?}}')] });
  const [empty, filled] = [await render(record), await render(record, { variables: { row: 'A' } })];
  t.same(empty.warnings, []);
  const plain = await render({ ...record, placeholders: false, layers: [text('Row A')] });
  t.same(filled.bytes, plain.bytes);
  t.notSame(filled.bytes, empty.bytes);
});
