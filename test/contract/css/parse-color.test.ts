// The colour parser must agree with colors.json: what Chromium 156 computes for each notation (null: not a colour).
import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import t from 'tap';
import { color } from '../../../lib/contract/css/fill.js';
import { NAMED_COLORS, parseColor } from '../../../lib/contract/css/parse-color.js';

const table: Record<string, string | null> = JSON.parse(
  readFileSync(new URL('./colors.json', import.meta.url), 'utf8'),
);

/** As getComputedStyle writes it, alpha with up to two decimals. */
function computed(text: string): string | null {
  const parsed = parseColor(text);
  if (!parsed) return null;
  const { r, g, b, a } = parsed;
  return a === 1 ? `rgb(${r}, ${g}, ${b})` : `rgba(${r}, ${g}, ${b}, ${Number(a.toFixed(2))})`;
}

t.test('parses every notation as Chromium does', async (t) => {
  const computedAll = Object.fromEntries(Object.keys(table).map((text) => [text, computed(text)]));
  t.same(computedAll, table);
  t.ok(Object.keys(table).length > 200);
});

t.test('knows all 148 names, and no inherited property names', async (t) => {
  t.equal(NAMED_COLORS.size, 148);
  for (const name of ['constructor', 'toString', '__proto__', 'hasOwnProperty', ''])
    t.equal(parseColor(name), undefined);
});

t.test('parses single values', async (t) => {
  t.same(parseColor('#80ff0080'), { r: 128, g: 255, b: 0, a: 128 / 255 });
  t.same(parseColor(' \n\tRebeccaPurple  '), { r: 102, g: 51, b: 153, a: 1 });
  t.same(parseColor('rgb(1e999 -1e999 0 / 1e999)'), { r: 255, g: 0, b: 0, a: 1 });
  t.same(parseColor('hsl(1e999 100% 50%)'), { r: 255, g: 0, b: 0, a: 1 });
  t.same(parseColor('transparent'), { r: 0, g: 0, b: 0, a: 0 });
});

t.test('uses the white space and letter case of CSS, not of JavaScript', (t) => {
  for (const blank of [' ', '\t', '\n', '\r', '\f']) t.ok(parseColor(`${blank}black${blank}`), JSON.stringify(blank));
  for (const text of ['blac\u212a', '\u00a0red', 'red\ufeff', '\vred', '#123\u2003', 'rgb(1,\u00a02, 3)', 'r\u0000ed'])
    t.equal(parseColor(text), undefined, JSON.stringify(text));
  t.end();
});

t.test('any text gives a colour within bounds, or none', async () => {
  const piece = fc.constantFrom(
    'rgb(',
    'hsl(',
    'hwb(',
    '1',
    '2.5',
    '-3',
    '50%',
    'none',
    'deg',
    ',',
    '/',
    ' ',
    ')',
    '#',
    'e9',
  );
  fc.assert(
    fc.property(
      fc.oneof(
        fc.string(),
        fc.array(piece).map((pieces) => pieces.join('')),
      ),
      (text) => {
        const parsed = parseColor(text);
        if (!parsed) return true;
        const whole = [parsed.r, parsed.g, parsed.b].every((c) => Number.isInteger(c) && c >= 0 && c <= 255);
        return whole && parsed.a >= 0 && parsed.a <= 1;
      },
    ),
    { numRuns: 2000 },
  );
});

t.test('round-trips hexadecimal colours', async () => {
  const byte = fc.integer({ min: 0, max: 255 });
  fc.assert(
    fc.property(byte, byte, byte, (r, g, b) => {
      const hex = `#${[r, g, b].map((c) => c.toString(16).padStart(2, '0')).join('')}`;
      const parsed = parseColor(hex);
      return parsed?.r === r && parsed.g === g && parsed.b === b && parsed.a === 1;
    }),
  );
});

// fault: 66
t.test('parses or rejects a megabyte without backtracking', async (t) => {
  const million = 1 << 20;
  for (const text of [
    '1'.repeat(million),
    `#${'f'.repeat(million)}`,
    `rgb(${' '.repeat(million)}x`,
    `rgb(${'1'.repeat(million)}`,
    `rgb(${'.1'.repeat(million)}`,
    `rgb(${'1e1'.repeat(million)}`,
    'rgb('.repeat(million / 4),
  ]) {
    t.equal(parseColor(text), undefined);
  }
  t.same(parseColor(`${' '.repeat(million)}red`), { r: 255, g: 0, b: 0, a: 1 });
});

t.test('the schema converts text to a Color and reports what it expects', async (t) => {
  t.same(color.parse('red'), { r: 255, g: 0, b: 0, a: 1 });
  for (const value of ['#zz', 5, null, {}]) {
    const result = color.safeParse(value);
    t.match(result.error?.issues[0].message, /^a CSS colour such as/);
  }
});
