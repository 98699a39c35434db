// Markup in plain text: which signs are markers, how they nest, and that it takes linear time.
import fc from 'fast-check';
import t from 'tap';
import { type MarkedText, parseMarkup } from '../../lib/text/markup.js';

const TAGS = { strong: 'B', em: 'I', del: 'S', mark: 'M' } as const;

/** `B(text)` for strong, `BI(text)` for em in strong. */
const shown = (source: string) =>
  parseMarkup(source)
    .map(({ text, markers }: MarkedText) => {
      return markers.length === 0 ? text : `${markers.map((each) => TAGS[each]).join('')}(${text})`;
    })
    .join('');

const cases: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  'each marker': {
    'a **b** c': 'a B(b) c',
    'a _b_ c': 'a I(b) c',
    'a ~~b~~ c': 'a S(b) c',
    'a ==b== c': 'a M(b) c',
    '**a**b': 'B(a)b',
    '': '',
  },
  'markers nest': {
    '**a _b_ c**': 'B(a )BI(b)B( c)',
    '_a **b**_': 'I(a )IB(b)',
    '~~**==_x_==**~~': 'SBMI(x)',
    '**a **b** c**': 'B(a b c)',
    '**_a_**_b_': 'BI(a)I(b)',
    __x__: 'I(x)',
  },
  'a marker without a partner is text': {
    '**a': '**a',
    'a**': 'a**',
    'a == b': 'a == b',
    '**a _b** c_': 'B(a _b) c_',
    '_a **b_ c**': 'I(a **b) c**',
    '~a~ *b* =c=': '~a~ *b* =c=',
    '**a** b**': 'B(a) b**',
  },
  'a marker with a blank on its inner side is text': {
    '2 ** 3 ** 4': '2 ** 3 ** 4',
    '** a **': '** a **',
    '**a **': '**a **',
    '**a\u00a0** b**': 'B(a\u00a0** b)',
    '_ a_ b_': '_ a_ b_',
  },
  'nothing between two markers: they are text': {
    '****': '****',
    __: '__',
    '====== x': '====== x',
    'Name: ____': 'Name: ____',
    '**~~**': 'B(~~)',
  },
  '_ inside a word is text': {
    snake_case_names: 'snake_case_names',
    'a_b_ c': 'a_b_ c',
    '_a_b c_': 'I(a_b c)',
    '1_000_000': '1_000_000',
    'e\u0301_a_': 'e\u0301_a_',
    '\u{10400}_a_': '\u{10400}_a_',
    '\u2764\ufe0f_a_': '\u2764\ufe0fI(a)',
    日本_語_: '日本_語_',
    '(_a_)': '(I(a))',
    'un**believ**able': 'unB(believ)able',
  },
  'a backslash makes a sign text, and is text before any other character': {
    '\\*\\*a\\*\\*': '**a**',
    '\\_a_ \\~~b~~ \\==c\\==': '_a_ ~~b~~ ==c==',
    '\\\\ \\**a**': '\\ **a**',
    '**a\\** b**': 'B(a** b)',
    'C:\\new\\': 'C:\\new\\',
    '\\\\_a_': '\\I(a)',
  },
  'further signs stay outside': {
    '***a***': '*B(a)*',
    '~~~a~~~': '~S(a)~',
    '****a****': 'B(a)',
    '****a** b': '**B(a) b',
  },
  'a marker that opens where it closed has one stretch': {
    '**a****b**': 'B(ab)',
    '~~a~~~~b~~ c': 'S(ab) c',
    '**_a_****_b_**': 'BI(ab)',
  },
  'pairs span line ends': {
    '**a\nb** c': 'B(a\nb) c',
    '**a\n\nb**': 'B(a\n\nb)',
    '**\na**': '**\na**',
  },
};

for (const [title, texts] of Object.entries(cases)) {
  t.test(title, (t) => {
    for (const [source, expected] of Object.entries(texts)) t.equal(shown(source), expected, JSON.stringify(source));
    t.end();
  });
}

t.test(
  'keeps every character but those of markers and backslashes, in stretches that differ from their neighbours',
  (t) => {
    const characters = fc.constantFrom('a', 'b', ' ', '\n', '*', '_', '~', '=', '\\', '**', '~~', '==', 'é');
    fc.assert(
      fc.property(fc.array(characters, { maxLength: 40 }), (parts) => {
        const source = parts.join('');
        const stretches = parseMarkup(source);
        const kept = (text: string) => text.replace(/[*_~=\\]/g, '');
        t.equal(stretches.map(({ text }) => kept(text)).join(''), kept(source));
        stretches.forEach(({ text, markers }, i) => {
          if (stretches.length > 1) t.not(text, '');
          if (i > 0) t.not(markers.join(), stretches[i - 1].markers.join());
          t.equal(new Set(markers).size, markers.length);
        });
        const escaped = source.replace(/[*_~=\\]/g, '\\$&');
        t.same(parseMarkup(escaped), [{ text: source, markers: [] }]);
      }),
    );
    t.end();
  },
);

t.test('reads texts of a million signs', (t) => {
  const size = 2 ** 20;
  for (const part of ['**__', '**a', '**a _b** ', '_', ' _a', 'a\u0301_', '**a ', '~~a==b', '\\*']) {
    const source = part.repeat(size / part.length);
    const length = parseMarkup(source).reduce((sum, { text }) => sum + text.length, 0);
    t.ok(length <= source.length, part);
  }
  t.end();
});
