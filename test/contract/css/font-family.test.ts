// CSS lists of font families.
import fc from 'fast-check';
import t from 'tap';
import { parseFamilyList } from '../../../lib/contract/css/font-family.js';

const named = (list: string) => parseFamilyList(list).map(({ name, isQuoted }) => (isQuoted ? `"${name}"` : name));

t.test('splits a list at its commas, but not inside quotes', async (t) => {
  const rows: [string, string[]][] = [
    ['Inter', ['Inter']],
    ['Inter, Noto Sans Arabic, serif', ['Inter', 'Noto Sans Arabic', 'serif']],
    [' Open   Sans ,\tLora\n', ['Open Sans', 'Lora']],
    [`"Foo, Bar", 'It"s', "serif"`, ['"Foo, Bar"', '"It"s"', '"serif"']],
    ['a,,b,', ['a', 'b']],
    ['', []],
    [' , "" ,', []],
    ['"not closed, Inter', ['"not closed, Inter"']],
    ["O'Neill, Inter", ["O'Neill", 'Inter']],
    ['"a\\"b", c\\2c d, e\\26 f', ['"a"b"', 'c,d', 'e&f']],
    ['\\0, \\110000 x', ['\ufffd', '\ufffdx']],
  ];
  for (const [list, expected] of rows) t.same(named(list), expected, JSON.stringify(list));
});

t.test('takes any text, and any name in quotes', async () => {
  fc.assert(fc.property(fc.string(), (list) => parseFamilyList(list).every(({ name }) => name !== '')));
  const name = fc.string({ minLength: 1 }).filter((text) => !/[\n\\]/.test(text));
  fc.assert(
    fc.property(fc.array(name), (names) => {
      const list = names.map((each) => `"${each.replaceAll('"', '\\"')}"`).join(', ');
      return JSON.stringify(parseFamilyList(list).map((each) => each.name)) === JSON.stringify(names);
    }),
  );
});
