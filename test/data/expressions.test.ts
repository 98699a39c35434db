// The language of expressions: CEL with one number type, evaluated in steps that are counted.
import t from 'tap';
import { Budget, MAX_STEPS } from '../../lib/data/budget.js';
import { ExpressionError } from '../../lib/data/error.js';
import { evaluate } from '../../lib/data/evaluate.js';
import type { Names } from '../../lib/data/names.js';
import { freeNames, parseExpression } from '../../lib/data/syntax.js';
import type { ValueObject } from '../../lib/data/value.js';
import { formatterOf } from '../locale/formatters.js';

const VARIABLES: ValueObject = {
  a: { b: {} },
  three: [1, 2, 3],
  min: 'least',
  items: [
    { name: 'pear', price: 3, team: 'x' },
    { name: 'apple', price: 1, team: 'y' },
    { name: 'fig', price: 3, team: 'x' },
  ],
  'Full name': 'Ada',
};

function run(source: string, variables = VARIABLES): unknown {
  const scope: Names = { names: new Map(), variables, formatter: () => formatterOf('en') };
  const value = evaluate(parseExpression(source), scope, new Budget());
  return value === null ? null : JSON.parse(JSON.stringify(value));
}

/** Checks results by the source of the expression. */
function results(title: string, table: Readonly<Record<string, unknown>>): void {
  t.test(title, async (t) => {
    for (const [source, expected] of Object.entries(table)) t.same(run(source), expected, source);
  });
}

results('numbers are doubles', {
  '1 + 2 * 3': 7,
  '(1 + 2) * 3': 9,
  '1 / 2': 0.5,
  '1 / 2 == 0.5': true,
  '-7 % 3': -1,
  '7.5 % 2': 1.5,
  '0x1F + .5': 31.5,
  '2e3': 2000,
  'round(2.5)': 3,
  'round(-2.5)': -3,
  'round(1.005, 2)': 1.01,
  'floor(-1.5)': -2,
  'double("12.5") + 1': 13.5,
  'min(three)': 1,
  'max(4, 9, 2)': 9,
  'sum([])': 0,
  'avg([])': null,
  'avg(three)': 2,
});

results('texts take any character, escape and quote', {
  '"a" + 1 + true + null': 'a1true',
  '"\\u00e9\\n\\x41\\101"': 'é\nAA',
  "r'\\n'": '\\n',
  "'''it's'''": "it's",
  '"}}"': '}}',
  'size("🎉a")': 2,
  '"a,b".split(",").join(" / ")': 'a / b',
  '" x ".trim()': 'x',
  '"aXbX".replace("X", "$&")': 'a$&b$&',
  '"Ada".startsWith("A") && "Ada".endsWith("a") && "Ada".contains("d")': true,
  'truncate("Straße 🎉🎉🎉", 9)': 'Straße 🎉…',
  'title("ada LOVELACE")': 'Ada LOVELACE',
  'slug(" Ältere & Crème ")': 'altere-creme',
  'upper("straße")': 'STRASSE',
});

results('what is missing is null', {
  nothing: null,
  'a.b.c.d': null,
  'three[9]': null,
  'three[-1]': null,
  'has(a.b)': true,
  'has(a.x)': false,
  'size(nothing)': 0,
  'nothing.map(x, x)': [],
  'constructor == null && a.constructor == null && a["__proto__"] == null': true,
  'three.length': null,
  'default("", "y") + default(nothing, "z")': 'yz',
  'nothing ? 1 : 2': 2,
});

results('names are keys of variables', {
  min: 'least',
  'min(2, 1)': 1,
  'vars["Full name"] + vars.min': 'Adaleast',
  '"min" in vars': true,
});

results('lists', {
  'three.filter(x, x > 1).map(x, x * 2)': [4, 6],
  'items.map(i, i.price > 1, i.name)': ['pear', 'fig'],
  'items.exists_one(i, i.price == 1)': true,
  'sortBy(items, "price", "desc").map(i, i.name)': ['pear', 'fig', 'apple'],
  'groupBy(items, "team").map(g, g.key + size(g.items))': ['x2', 'y1'],
  'take(three, 2)': [1, 2],
  'range(2) + range(4, 6)': [0, 1, 4, 5],
  '[1, [2]] == [1, [2]] && {"a": 1} == {"a": 1} && 1 != "1"': true,
  '2 in three': true,
});

results('colours', {
  'contrast("#1e3a8a")': '#ffffff',
  'contrast("yellow")': '#000000',
  'mix("#000000", "#ffffff", 0.5)': '#636363',
  'alpha("#2563eb", 0.4)': '#2563eb66',
});

results('texts of codes', {
  'wifi("net;x", "p:1")': 'WIFI:T:WPA;S:net\\;x;P:p\\:1;;',
  'wifi("open")': 'WIFI:T:nopass;S:open;;',
  'vcard({"name": "A, B"})': 'BEGIN:VCARD\r\nVERSION:3.0\r\nFN:A\\, B\r\nN:A\\, B;;;;\r\nEND:VCARD\r\n',
});

results('one side of && and || may have an error where the other decides', {
  'nothing > 3 || nothing == null': true,
  'nothing > 3 && false': false,
  'three.exists(x, x > "a" || x == 2)': true,
});

t.test('faults name their place and what was expected', async (t) => {
  const faults: Readonly<Record<string, readonly [at: number, message: RegExp]>> = {
    '1 +* 2': [3, /received \*, expected a value/],
    "'abc": [0, /not closed/],
    'uper(a)': [0, /did you mean upper/],
    'a.uper()': [2, /no method uper/],
    'a.upper()': [2, /write upper\(…\)/],
    'truncate("a")': [0, /received 1 argument, expected 2/],
    '4 / 0': [2, /finite/],
    '7 % 0': [2, /finite/],
    'prise * 2': [6, /default\(/],
    '1 < "a"': [2, /compare/],
    if: [0, /reserved/],
    'a = 1': [2, /did you mean ==/],
    '3px': [1, /after a number/],
    '"\\q"': [1, /escape/],
    'items.map(1, 2)': [10, /name/],
    'has(1)': [0, /one field/],
    '"a" + three': [4, /list\(/],
    'range(10001)': [0, /at most 10000/],
  };
  for (const [source, [at, message]] of Object.entries(faults)) {
    try {
      run(source);
      t.fail(source);
    } catch (error) {
      if (!(error instanceof ExpressionError)) throw error;
      t.match(error.message, message, source);
      t.equal(error.at, at, `place in ${source}`);
    }
  }
});

t.test('an expression is bounded in length, parts, depth, steps and characters', async (t) => {
  t.throws(() => run(`"${'x'.repeat(2000)}"`), { message: /at most 2000/ });
  t.throws(() => run(Array.from({ length: 300 }, () => '1').join('+')), { message: /500 parts/ });
  t.throws(() => run(`${'('.repeat(40)}1${')'.repeat(40)}`), { message: /32 levels/ });
  t.throws(() => run('range(2000).map(a, range(2000).map(b, a))'), { message: new RegExp(`${MAX_STEPS} steps`) });
  const long = { a: 'x'.repeat(1000) };
  t.throws(() => run('range(9000).map(i, a + a)', long), { message: /characters/ });
});

t.test('knows the names that an expression reads from outside', async (t) => {
  const names = freeNames(parseExpression('items.map(i, i.price * rate) + [vars["Full name"], vars.x]'));
  t.same([...names].sort(), ['Full name', 'items', 'rate', 'vars', 'x']);
});
