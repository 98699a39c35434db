// Functions of the reader's language: their arguments, and the examples of docs/data.md.
import { readFileSync } from 'node:fs';
import t from 'tap';
import { Budget } from '../../lib/data/budget.js';
import { evaluate } from '../../lib/data/evaluate.js';
import { parseExpression } from '../../lib/data/syntax.js';
import { formatterOf } from '../locale/formatters.js';

function run(source: string, locale = 'en'): unknown {
  const scope = { names: new Map(), variables: {}, formatter: () => formatterOf(locale) };
  return evaluate(parseExpression(source), scope, new Budget());
}

t.test('the examples of the page on data give what they say', (t) => {
  const page = readFileSync(new URL('../../docs/data.md', import.meta.url), 'utf8');
  const rows = page.split('\n').filter((line) => /^\| `(?:\w+)\(.*\|.*\|.*\|$/.test(line));
  t.ok(rows.length >= 13, `${rows.length} rows`);
  for (const row of rows) {
    const [functions, ...texts] = row.slice(1, -1).split('|');
    const sources = Array.from(functions.matchAll(/`(\w+\([^`]*\))`/g), ([, source]) => source);
    for (const [i, locale] of ['en', 'de'].entries()) {
      const expected = texts[i].trim();
      // the page writes spaces that don't break as plain ones
      const found = sources.map((source) => String(run(source, locale)).replace(/[\u00a0\u202f]/g, ' '));
      const separator = expected.includes('; ') ? '; ' : ', ';
      t.equal(found.join(separator), expected, `${functions.trim()} in ${locale}`);
    }
  }
  t.end();
});

t.test('an argument of the wrong kind is an error that says what is expected', (t) => {
  const errors: Readonly<Record<string, RegExp>> = {
    'number("x")': /^number received "x", expected a number$/,
    'number(null)': /default\(x, y\) stands in for null/,
    'number(1, 1.5)': /expected a whole number from 0 to 20/,
    'currency(1, "EURO")': /^currency received "EURO", expected the code of a currency such as EUR$/,
    'unit(1, "kilometre")': /expected a unit such as kilometer.*did you mean kilometer/,
    'unit(1, "constructor")': /expected a unit/,
    'date("9.3.2026")': /^date received "9.3.2026", expected a date of ISO 8601/,
    'date("2026-03-09", "tiny")': /expected one of full, long, medium, short, or a skeleton/,
    'date("2026-03-09", "yyw")': /expected one of full/,
    'relative("2026-03-09", null)': /expected a date of ISO 8601/,
    'plural(1, "days")': /expected an object such as/,
    'list([1, [2]])': /expected a list of texts/,
    'list([1], "nor")': /expected "and" or "or"/,
  };
  for (const [source, message] of Object.entries(errors)) {
    t.throws(() => run(source), { message }, source);
  }
  t.throws(() => parseExpression('currency(1)'), { message: /currency/ }, 'the number of arguments is checked');
  t.end();
});

t.test('a plural without its form falls back to the other', (t) => {
  t.equal(run('plural(1, {"other": "days"})'), 'days');
  t.equal(run('plural(1, {"one": "day"})'), 'day');
  t.equal(run('plural(2, {"one": "day"})'), null);
  t.equal(run('list([])'), '');
  t.equal(run('list(null)'), '');
  t.end();
});
