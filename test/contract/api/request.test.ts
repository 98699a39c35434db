// The rules of the request's shape, one row each.
import fc from 'fast-check';
import t from 'tap';
import { parseRequest } from '../../../lib/contract/api/request.js';
import { type Detail, RenderError } from '../../../lib/errors.js';

const canvas = { width: 10, height: 20 };
const drawn = { canvas, layers: [] };
const saved = { templateId: 'tpl_1' };
const parse = (body: unknown, maxLayers = 500) => parseRequest(body, { maxLayers });

function refusal(body: unknown, maxLayers = 500): { message: string; details: readonly Detail[] } {
  try {
    parse(body, maxLayers);
  } catch (error) {
    if (error instanceof RenderError && error.code === 'invalid_request') return error;
    throw error;
  }
  throw new Error('it was taken');
}

t.test('applies defaults', async (t) => {
  t.strictSame(parse(drawn), {
    kind: 'canvas',
    canvas: { ...canvas, scale: 1, backgroundColor: { r: 0, g: 0, b: 0, a: 0 } },
    layers: [],
    format: 'png',
    quality: 90,
    lossless: false,
    responseType: 'binary',
  });
  t.strictSame(parse(saved), {
    kind: 'template',
    templateId: 'tpl_1',
    variables: {},
    format: 'png',
    quality: 90,
    lossless: false,
    responseType: 'json',
  });
});

t.test('a template request may name a version of the template', async (t) => {
  t.match(parse({ ...saved, templateVersion: 3 }), { templateVersion: 3 });
  t.notOk('templateVersion' in parse({ ...saved, templateVersion: null }));
  for (const templateVersion of [0, -1, 1.5, '3', [3]]) {
    const [{ path, message }] = refusal({ ...saved, templateVersion }).details;
    t.equal(path, 'templateVersion');
    t.match(message, 'expected a whole number of at least 1');
  }
});

t.test('the presence of keys selects the shape', async (t) => {
  t.equal(refusal({}).message, 'received an empty object, expected either templateId, or canvas and layers');
  t.equal(
    refusal({ width: 1 }).message,
    'received an object with width, expected either templateId, or canvas and layers (move width into canvas)',
  );
  t.equal(
    refusal({ ...saved, ...drawn }).message,
    'received both templateId and canvas and layers, expected either templateId, or canvas and layers',
  );
  t.match(refusal({ ...saved, layers: [] }).message, /^received both templateId and layers/);
  const code = 'missing_value';
  t.same(refusal({ canvas }).details, [
    {
      code,
      path: 'layers',
      message: 'received nothing, expected an array of layers',
      expected: 'an array of layers',
    },
  ]);
  t.match(refusal({ layers: [] }).details, [{ code, path: 'canvas', message: 'received nothing, expected an object' }]);
  for (const body of [null, 1, 'x', [], [drawn], true, undefined])
    t.match(refusal(body).message, /, expected an object$/);
});

t.test('treats null as absent', async (t) => {
  const absent = { format: null, quality: null, responseType: null, metadata: null };
  t.strictSame(parse({ ...drawn, ...absent, templateId: null }), parse(drawn));
  t.strictSame(parse({ canvas: { ...canvas, backgroundColor: null }, layers: [] }), parse(drawn));
  t.strictSame(parse({ ...saved, ...absent, variables: null, canvas: null, layers: null }), parse(saved));
});

t.test('reads jpg as jpeg, and ignores unknown fields and workspaceId', async (t) => {
  t.strictSame(parse({ ...drawn, format: 'jpg', workspaceId: 5, constructor: 1 }), parse({ ...drawn, format: 'jpeg' }));
});

t.test('passes layers, variables and metadata through unchanged', async (t) => {
  const layers = [JSON.parse('{"type":"nonsense","x":null,"__proto__":{"a":null}}')];
  const request = parse({ canvas, layers });
  t.equal(request.kind === 'canvas' && request.layers[0], layers[0]);
  const variables = JSON.parse('{"__proto__":"a","title":null,"constructor":{"x":1}}');
  const metadata = JSON.parse('{"__proto__":{"polluted":true},"n":null}');
  const template = parse({ ...saved, variables, metadata });
  t.equal(template.kind === 'template' && template.variables, variables);
  t.equal(template.metadata, metadata);
  t.notOk('polluted' in {});
});

/** Path, values taken, values refused, what the message expects; a hint such as ` (write 90)` may follow. */
const rules: [string, unknown[], unknown[], string][] = [
  [
    'canvas.width',
    [1, 8192],
    [0, 8193, 8192.5, -1, '100', Number.NaN, Number.POSITIVE_INFINITY, 2 ** 53, true, null],
    'a whole number from 1 to 8192',
  ],
  ['canvas.height', [1, 8192, 1.0], [0, -0, 1e-300, 10.5], 'a whole number from 1 to 8192'],
  [
    'canvas.backgroundColor',
    ['#fff', 'red', 'transparent', 'linear-gradient(red, #00f8 20px)'],
    ['#zz', '', 'url(#x)'],
    'a CSS colour such as #ff8800, rgb(255 136 0 / 50%), hsl(32 100% 50%) or orange, or a CSS gradient such as linear-gradient(90deg, #ff8800, teal 60%)',
  ],
  [
    'canvas.backgroundColor',
    [['red', 'blue']],
    [5, [], Array(9).fill('red'), {}],
    'a CSS colour or gradient, or an array of 1 to 8 of them',
  ],
  ['canvas.autoHeight', [true, false], ['yes', 1], 'true or false'],
  ['canvas.autoWidth', [true, false], ['yes', 1], 'true or false'],
  ['canvas.padding', [0, 1.5, 1e6], [-1, '4px', [4]], 'a number from 0 to 1000000'],
  ['layers', [[], [{}]], [{}, 'x', 5], 'an array of layers'],
  ['layers[0]', [{}], [null, 5, 'x', []], 'an object'],
  ['format', ['png', 'jpeg', 'jpg', 'webp', 'avif'], ['gif!', 'bmp', 5], 'one of "png", "jpeg", "jpg", "webp", "avif"'],
  ['format', [], ['wepb'], 'one of "png", "jpeg", "jpg", "webp", "avif" (did you mean "webp"?)'],
  ['quality', [1, 100, 55.5], [0, 100.1, 0.99, '90', Number.NaN], 'a number from 1 to 100'],
  ['responseType', ['json', 'binary', 'base64'], ['stream!'], 'one of "json", "binary", "base64"'],
  ['metadata', [{}, { a: [{}] }], [[], 'x', 5], 'an object'],
];

for (const [path, taken, refused, expected] of rules) {
  t.test(`${path}: ${expected}`, async (t) => {
    const [head, field] = path.split('.');
    const bodyWith = (value: unknown) => {
      if (path === 'layers[0]') return { canvas, layers: [value] };
      return { ...drawn, [head]: field ? { ...canvas, [field]: value } : value };
    };
    for (const value of taken) t.doesNotThrow(() => parse(bodyWith(value)));
    for (const value of refused) {
      const { message, details } = refusal(bodyWith(value));
      t.equal(details.length, 1);
      t.equal(details[0].path, path);
      t.equal(message, `${path}: ${details[0].message}`);
      t.equal(details[0].message.replace(/^received .*?, expected | \(write .*\)$/g, ''), expected);
    }
  });
}

t.test('validates templateId and variables', async (t) => {
  for (const templateId of ['', 5, {}, []]) {
    t.equal(refusal({ templateId }).details[0].path, 'templateId');
  }
  for (const variables of [[], 'x', 5]) {
    t.same(
      refusal({ ...saved, variables }).details.map(({ path }) => path),
      ['variables'],
    );
  }
});

t.test('reports every fault in one message', async (t) => {
  const { message, details } = refusal({ canvas: { width: 0, height: 'x' }, layers: [1, 2], quality: 0, format: 5 });
  t.same(
    details.map(({ path }) => path),
    ['canvas.width', 'canvas.height', 'layers[0]', 'layers[1]', 'format', 'quality'],
  );
  t.match(message, /^canvas\.width: .*; canvas\.height: .*; layers\[0\]: .*; and 3 more$/);
});

t.test('limits the number of layers', async (t) => {
  t.doesNotThrow(() => parse({ canvas, layers: [{}, {}] }, 2));
  t.same(refusal({ canvas: { ...canvas, width: 0 }, layers: [{}, {}, 5] }, 2).details, [
    {
      code: 'invalid_value',
      path: 'canvas.width',
      message: 'received 0, expected a whole number from 1 to 8192',
      value: 0,
      expected: 'a whole number from 1 to 8192',
    },
    {
      code: 'limit_exceeded',
      path: 'layers',
      message: 'received an array of 3, expected at most 2 layers',
      expected: 'at most 2 layers',
    },
  ]);
  t.equal(refusal({ canvas, layers: new Array(1e6).fill(0) }).details.length, 1);
});

/** An object of `levels` levels. */
function nested(levels: number): Record<string, unknown> {
  let value: Record<string, unknown> = {};
  for (let i = 1; i < levels; i++) value = { in: value };
  return value;
}

// fault: 3
t.test('limits the nesting depth', async (t) => {
  t.doesNotThrow(() => parse({ ...drawn, metadata: nested(8) }));
  t.equal(refusal({ ...drawn, metadata: nested(9) }).details[0].path, 'metadata');
  t.doesNotThrow(() => parse({ ...saved, variables: nested(63) }));
  t.match(refusal({ ...saved, variables: nested(64) }).message, /more than 64 levels/);
  t.match(refusal({ ...saved, ignored: nested(64) }).message, /more than 64 levels/);
  const deep = JSON.parse(`${'['.repeat(100_000)}${']'.repeat(100_000)}`);
  t.match(refusal({ ...drawn, metadata: { deep } }).message, /more than 64 levels/);
  const cyclic: Record<string, unknown> = { ...drawn };
  cyclic.self = cyclic;
  t.match(refusal(cyclic).message, /more than 64 levels/);
});

// fault: 102
t.test('limits the size of metadata in bytes', async (t) => {
  const sized = (bytes: number) => ({ a: 'é'.repeat((bytes - '{"a":""}'.length) / 2) });
  t.doesNotThrow(() => parse({ ...drawn, metadata: sized(16384) }));
  t.equal(
    refusal({ ...saved, metadata: sized(16386) }).details[0].message,
    'received an object with a, expected an object of at most 16384 bytes as JSON',
  );
  t.equal(refusal({ ...saved, metadata: { big: 5n } }).details[0].path, 'metadata');
});

t.test('throws only RenderErrors, for any value', async () => {
  const key = fc.constantFrom(
    'canvas',
    'layers',
    'templateId',
    'variables',
    'metadata',
    'format',
    'quality',
    'responseType',
    '__proto__',
  );
  const body = fc
    .array(fc.tuple(key, fc.anything({ withBigInt: true, withNullPrototype: true })))
    .map((pairs) => Object.fromEntries(pairs));
  fc.assert(
    fc.property(fc.oneof(fc.anything(), body), (body) => {
      try {
        return ['canvas', 'template'].includes(parse(body).kind);
      } catch (error) {
        return error instanceof RenderError && error.code === 'invalid_request' && error.details.length > 0;
      }
    }),
    { numRuns: 1000 },
  );
});
