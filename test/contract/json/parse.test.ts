// The JSON parser: values, and error positions for invalid input.
import fc from 'fast-check';
import t from 'tap';
import { parseJson } from '../../../lib/contract/json/parse.js';
import { ServiceError } from '../../../lib/errors.js';

function refusal(source: string | Uint8Array): string {
  try {
    parseJson(source);
  } catch (error) {
    if (error instanceof ServiceError && error.code === 'invalid_json') return error.message;
    throw error;
  }
  throw new Error('it was taken');
}

t.test('reports the first error with line and column', async (t) => {
  const rows: [string, string][] = [
    ['{', 'line 1, column 2: received the end, expected a key in quotes or }'],
    ['{"a":1,}', 'line 1, column 8: received "}", expected a key in quotes'],
    ['{"a" 1}', 'line 1, column 6: received "1", expected a colon'],
    ['{"a":}', 'line 1, column 6: received "}", expected a value'],
    ['{"a":1 "b":2}', 'line 1, column 8: received "\\"", expected a comma or }'],
    ['{a:1}', 'line 1, column 2: received "a", expected a key in quotes or }'],
    ["{'a':1}", 'line 1, column 2: received "\'", expected a key in quotes or }'],
    ['[1,]', 'line 1, column 4: received "]", expected a value'],
    ['[', 'line 1, column 2: received the end, expected a value or ]'],
    ['[1 2]', 'line 1, column 4: received "2", expected a comma or ]'],
    ['[1}', 'line 1, column 3: received "}", expected a comma or ]'],
    ['[01]', 'line 1, column 3: received "1", expected a comma or ]'],
    ['[+1]', 'line 1, column 2: received "+", expected a value or ]'],
    ['[1.]', 'line 1, column 3: received ".", expected a comma or ]'],
    ['NaN', 'line 1, column 1: received "N", expected a value'],
    ['true false', 'line 1, column 6: received "f", expected nothing more'],
    ['{}\u0000', 'line 1, column 3: received "\\u0000", expected nothing more'],
    ['"a', 'line 1, column 3: received the end, expected a closing quote'],
    ['"a\nb"', 'line 1, column 3: received "\\n", expected a closing quote or an escaped control character'],
    ['"\\x"', 'line 1, column 2: received "\\\\", expected an escape such as \\n or \\u00e9'],
    ['"\\u12g4"', 'line 1, column 2: received "\\\\", expected an escape such as \\n or \\u00e9'],
    ['{\n  "a": 1,\r\n  "b": tru\r}', 'line 3, column 8: received "t", expected a value'],
    ['[1,\r\r2,\n x]', 'line 4, column 2: received "x", expected a value'],
    ['["😀", 😀]', 'line 1, column 8: received "😀", expected a value'],
  ];
  for (const [source, place] of rows) t.equal(refusal(source), `not valid JSON: ${place}`, source);
});

t.test('skips a byte order mark', async (t) => {
  t.same(parseJson('\uFEFF{"a":"\uFEFF"}'), { a: '\uFEFF' });
  t.same(parseJson(Uint8Array.of(0xef, 0xbb, 0xbf, 0x7b, 0x7d)), {});
  t.equal(refusal('\uFEFF{'), 'not valid JSON: line 1, column 2: received the end, expected a key in quotes or }');
});

t.test('rejects empty bodies and bodies that are not UTF-8', async (t) => {
  for (const empty of ['', ' \n', new Uint8Array(0)]) t.equal(refusal(empty), 'not valid JSON: it is empty');
  t.equal(refusal('\uFEFF'), 'not valid JSON: it is empty');
  t.match(refusal('\uFEFF\uFEFF{}'), 'line 1, column 1: ');
  for (const bytes of [
    [0xff, 0xfe, 0x7b, 0x00],
    [0xfe, 0xff, 0x00, 0x7b],
  ]) {
    t.throws(() => parseJson(Uint8Array.from(bytes)), { message: 'not valid JSON: it is UTF-16, expected UTF-8' });
  }
  const notUtf8 = 'not valid JSON: it is not UTF-8';
  for (const bytes of [
    [0x22, 0xff, 0x22],
    [0x22, 0xc0, 0x80, 0x22],
    [0x22, 0xed, 0xa0, 0x80, 0x22],
  ]) {
    t.equal(refusal(Uint8Array.from(bytes)), notUtf8);
  }
  t.match(refusal(Uint8Array.of(0x7b, 0, 0x7d, 0)), /line 1, column 2/);
});

// fault: 3
t.test('parses deep nesting without a stack overflow', async (t) => {
  const deep = 200_000;
  t.ok(Array.isArray(parseJson('['.repeat(deep) + ']'.repeat(deep))));
  t.match(refusal('['.repeat(deep)), `line 1, column ${deep + 1}: received the end`);
  t.match(refusal('{"a":'.repeat(deep)), 'expected a value');
});

// fault: 5
t.test('treats __proto__ as plain data', async (t) => {
  const value = parseJson('{"__proto__":{"polluted":1}}');
  t.ok(Object.hasOwn(value as object, '__proto__'));
  t.notOk('polluted' in {});
});

t.test('round-trips JSON.stringify, from text and from bytes', async () => {
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      const text = JSON.stringify(value);
      const same = (read: unknown) => JSON.stringify(read) === text;
      return same(parseJson(text)) && same(parseJson(new TextEncoder().encode(text)));
    }),
  );
});

t.test('rejects truncated input at its end; damaged input never throws another error', async () => {
  fc.assert(
    fc.property(
      fc.jsonValue().filter((value) => typeof value === 'object' && value !== null),
      fc.nat(),
      (value, n) => {
        const text = JSON.stringify(value);
        const cut = text.slice(0, 1 + (n % (text.length - 1)));
        const message = refusal(cut);
        return message.includes('received the end') || /["\\tfn]/.test(message);
      },
    ),
  );
  const marks = fc.constantFrom(
    '{',
    '}',
    '[',
    ']',
    ',',
    ':',
    '"',
    '\\',
    'u',
    '1',
    '-',
    'e',
    '.',
    'true',
    ' ',
    '\n',
    '\u0001',
  );
  fc.assert(
    fc.property(fc.array(marks), (pieces) => {
      const text = pieces.join('');
      try {
        parseJson(text);
        return true;
      } catch (error) {
        return (
          error instanceof ServiceError && /empty|line \d+, column \d+: received .+, expected .+/.test(error.message)
        );
      }
    }),
    { numRuns: 3000 },
  );
});
