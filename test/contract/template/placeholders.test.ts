// The grammar of placeholders, and their formats.
import t from 'tap';
import { formatValue, percentEncode, roundDecimal } from '../../../lib/contract/template/format-value.js';
import { parsePlaceholders } from '../../../lib/contract/template/placeholders.js';

/** Literals as they are, placeholders as `<name:format|default>`. */
function written(text: string): string {
  const { pieces, faults } = parsePlaceholders(text);
  t.same(faults, [], text);
  return pieces
    .map((piece) => {
      if (typeof piece === 'string') return piece;
      if ('expression' in piece) return `<=${piece.expression}>`;
      const formats = piece.formats.map((format) =>
        format.kind === 'number' ? `:number${format.digits}` : `:${format.kind}`,
      );
      return `<${piece.name}${formats.join('')}|${piece.fallback}>`;
    })
    .join('');
}

const faultOf = (text: string) => {
  const { faults } = parsePlaceholders(text);
  return faults.map(({ position, message }) => `${position}: ${message}`).join('\n');
};

t.test('splits a text at its placeholders', async (t) => {
  const rows: [string, string][] = [
    ['', ''],
    ['Hello', 'Hello'],
    ['{{= a }} b {{c}}', '<= a > b <c|>'],
    ['{{= {"a": "}}"}["a"] }}', '<= {"a": "}}"}["a"] >'],
    ['\\{{= a }}', '{{= a }}'],
    ['Row {{row}}, seat {{seat|–}}', 'Row <row|>, seat <seat|–>'],
    ['{{ Full name | no one }}', '<Full name|no one>'],
    ['{{price:number(2)|–}}', '<price:number2|–>'],
    ['{{ price : number( 0 ) : upper }}', '<price:number0:upper|>'],
    ['{{a:url}}{{b:lower}}', '<a:url|><b:lower|>'],
    ['{{a|b|c:d}}', '<a|b|c:d>'],
    ['{"id":{{id}}}', '{"id":<id|>}'],
    ['a } b }} c { d', 'a } b }} c { d'],
    ['{{__proto__}}', '<__proto__|>'],
  ];
  for (const [text, expected] of rows) t.equal(written(text), expected);
});

t.test('a backslash makes two braces literal, and a second one makes it a backslash', async (t) => {
  t.equal(written('\\{{name}}'), '{{name}}');
  t.equal(written('\\\\{{name}}'), '\\<name|>');
  t.equal(written('\\\\\\{{name}}'), '\\{{name}}');
  t.equal(written('C:\\temp\\n'), 'C:\\temp\\n');
  t.equal(written('\\{{{{a}}'), '{{<a|>');
});

t.test('says what is wrong with a placeholder, and where', async (t) => {
  const rows: [string, string][] = [
    ['Hello {{name', '7: a placeholder is not closed with }} (a literal {{ is \\{{)'],
    ['{{}}', '1: {{}} names no variable'],
    ['a{{ |b}}', '2: {{ |b}} names no variable'],
    ['{{{a}}}', '1: {{{a}} has a brace inside it; a literal {{ is \\{{'],
    ['{{a|{b}}', '1: {{a|{b}} has a brace inside it; a literal {{ is \\{{'],
    ['{{a\nb}}', '1: {{a\nb}} has a line break in its name'],
    [
      '{{a:uper}}',
      '1: {{a:uper}} has the format "uper", expected number(0) to number(20), upper, lower or url (did you mean upper?)',
    ],
    ['{{a:number}}', '1: {{a:number}} has the format "number", expected number(0) to number(20)'],
    ['{{a:number(21)}}', '1: {{a:number(21)}} has the format "number(21)", expected number(0) to number(20)'],
    ['{{a:}}', '1: {{a:}} has the format "", expected number(0) to number(20), upper, lower or url'],
    ['{{a:url:url:url:url:url}}', '1: {{a:url:url:url:url:url}} has more than 4 formats'],
    ['{{}} {{}}', '1: {{}} names no variable\n6: {{}} names no variable'],
  ];
  for (const [text, expected] of rows) t.equal(faultOf(text), expected);
  t.match(faultOf(`{{${'x'.repeat(201)}}}`), /…: ?.*a name of more than 200 characters|… has a name of more than 200/);
});

t.test('number rounds decimals, halves away from zero, and groups nothing', async (t) => {
  const rows: [string, number, string | undefined][] = [
    ['3', 2, '3.00'],
    ['1234567.891', 2, '1234567.89'],
    ['1.005', 2, '1.01'],
    ['2.5', 0, '3'],
    ['-2.5', 0, '-3'],
    ['0.5', 0, '1'],
    ['9.999', 2, '10.00'],
    ['-0.001', 2, '0.00'],
    ['.5', 1, '0.5'],
    ['5.', 1, '5.0'],
    [' 007 ', 0, '7'],
    ['+1', 0, '1'],
    ['1e3', 0, '1000'],
    ['1.25e1', 1, '12.5'],
    ['12.5E-2', 2, '0.13'],
    ['1e21', 0, '1000000000000000000000'],
    ['5e-324', 1, '0.0'],
    ['0.1', 20, '0.10000000000000000000'],
    ['', 0, undefined],
    ['.', 0, undefined],
    ['1,5', 1, undefined],
    ['12 €', 1, undefined],
    ['0x10', 0, undefined],
    ['Infinity', 0, undefined],
    ['1e9999', 0, undefined],
    ['1e', 0, undefined],
  ];
  for (const [text, digits, expected] of rows) t.equal(roundDecimal(text, digits), expected, `${text} to ${digits}`);
});

t.test('number agrees with exact arithmetic', async (t) => {
  for (let i = 0; i < 2000; i++) {
    const digits = i % 4;
    const thousandths = (i * 7919) % 1_000_003;
    const text = `${Math.floor(thousandths / 10000)}.${String(thousandths % 10000).padStart(4, '0')}`;
    const unit = 10 ** (4 - digits);
    const rounded = Math.floor((thousandths + unit / 2) / unit);
    const [whole, rest] = [Math.floor(rounded / 10 ** digits), rounded % 10 ** digits];
    const expected = digits === 0 ? `${whole}` : `${whole}.${String(rest).padStart(digits, '0')}`;
    t.equal(roundDecimal(text, digits), expected, `${text} to ${digits}`);
  }
});

t.test('a long number is rounded in linear time', async (t) => {
  const nines = '9'.repeat(1_000_000);
  t.equal(roundDecimal(`${nines}.5`, 0)?.length, 1_000_001);
  t.equal(roundDecimal(`${nines}8${nines}`, 0)?.length, 2_000_001);
});

t.test('upper and lower map as Unicode does, without a locale; url encodes', async (t) => {
  t.equal(formatValue('straße İi', { kind: 'upper' }), 'STRASSE İI');
  t.equal(formatValue('ÀÉ', { kind: 'lower' }), 'àé');
  t.equal(formatValue('a b&c/é', { kind: 'url' }), 'a%20b%26c%2F%C3%A9');
  t.equal(percentEncode('\ud800x'), '%EF%BF%BDx', 'a lone surrogate is no error');
});
