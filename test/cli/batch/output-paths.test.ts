// Output paths built from rows: safe for any value, and unique.
import { dirname, join } from 'node:path';
import fc from 'fast-check';
import t from 'tap';
import { RowError } from '../../../lib/batch/rows.js';
import { checkPattern, columnsIn, fileName, OutputPaths } from '../../../lib/cli/batch/output-paths.js';
import { UsageError } from '../../../lib/cli/parse-options.js';

const name = (pattern: string, values: Record<string, unknown>, number = 7) => fileName(pattern, { number, values });

t.test('fills placeholders', async (t) => {
  const rows: [string, Record<string, unknown>, string][] = [
    ['{a}.png', { a: 'x' }, 'x.png'],
    ['out/{a}/{b c}-{#}.{a}', { a: 'x', 'b c': 'y z' }, 'out/x/y z-7.x'],
    ['{a}{a}', { a: 5 }, '55'],
    ['{a}', { a: false }, 'false'],
    ['{a}', { a: '$& $1' }, '$& $1'],
    ['{a}', { a: '{b}', b: 'no' }, '{b}'],
    ['{a}', { a: ' x ' }, 'x'],
    ['{}{a}', { a: 'x' }, '{}x'],
  ];
  for (const [pattern, values, expected] of rows) t.equal(name(pattern, values), expected);
  t.same(columnsIn('{a}/{b c}{a}{#}{}'), new Set(['a', 'b c']));
});

t.test('sanitizes values', async (t) => {
  const rows: [string, string][] = [
    ['a/b', 'a-b'],
    ['..', '-'],
    ['../../etc/passwd', '--..-etc-passwd'],
    ['..\\x', '--x'],
    ['.hidden', '-hidden'],
    ['/root', '-root'],
    ['C:\\x', 'C-x'],
    ['a\0b\nc\u2028d', 'a-b-c-d'],
    ['<a>:"b"|?*', '-a-b-'],
    ['e\u0301', 'é'],
    ['Ünïcode 🦄.v2', 'Ünïcode 🦄.v2'],
  ];
  for (const [value, expected] of rows) t.equal(name('{a}', { a: value }), expected);
});

t.test('rejects a row without a value for a placeholder', async (t) => {
  for (const a of ['', '  ', null, undefined, {}, ['x'], '\0'.repeat(0)])
    t.throws(() => name('{a}.png', { a }), RowError);
  t.throws(() => name('{toString}', {}), RowError);
  t.throws(() => name('{a}', { a: '' }), { message: '{a} in the file name: received "", expected non-empty text' });
});

t.test('rejects a pattern with unknown columns', async (t) => {
  checkPattern('{a}{#}', ['a']);
  t.throws(() => checkPattern('{nmae}', ['name', 'title']), UsageError);
  t.throws(() => checkPattern('{nmae}', ['name', 'title']), {
    message: /\{nmae\} is not a column .* did you mean \{name\}\?/,
  });
  t.throws(() => checkPattern('{xyz}', ['name', 'title']), { message: /expected one of name, title$/ });
});

t.test('rejects a path that another row has reserved', async (t) => {
  const paths = new OutputPaths('/base');
  t.equal(paths.reserve('out/a.png', 'row 1'), '/base/out/a.png');
  t.equal(paths.reserve('out/b.png', 'row 2'), '/base/out/b.png');
  for (const again of ['out/a.png', 'out/A.png', './out/x/../a.png', '/base/out/a.png']) {
    t.throws(() => paths.reserve(again, 'row 3'), {
      name: 'RowError',
      message: /is already used by row 1; add \{#\}/,
    });
  }
});

t.test('a value never escapes the folder of the pattern', async () => {
  const part = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc.string({ unit: fc.constantFrom('.', '/', '\\', 'a', ' ', '\0') }),
  );
  fc.assert(
    fc.property(part, part, (a, b) => {
      try {
        const path = join('/out', name('{a}{b}/{b}', { a, b }));
        return dirname(dirname(path)) === '/out' && !/[\0/\\]/.test(path.slice('/out/'.length).replace('/', ''));
      } catch (error) {
        return error instanceof RowError;
      }
    }),
  );
});
