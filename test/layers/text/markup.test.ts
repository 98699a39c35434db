// Markup of text layers: the spans that it makes, and what is painted.
import t from 'tap';
import { textLayer } from '../../../lib/contract/layers/index.js';
import { withGeometry } from '../../../lib/contract/layers/layout/extents.js';
import { spansOf } from '../../../lib/layers/text/spans.js';
import { draw } from '../picture.js';

const box = { type: 'text', x: 0, y: 0, width: 300, height: 40, fontSize: 20 } as const;
const layerOf = (fields: object) => withGeometry(textLayer.parse({ ...box, markup: true, ...fields }));
const spans = (fields: object) => spansOf(layerOf(fields));
const YELLOW = { r: 0xff, g: 0xf3, b: 0xa3, a: 1 };

t.test('each marker has a style of its own, and nested ones combine', (t) => {
  t.match(spans({ text: 'a **b** _c_ ~~d~~ ==e==' }), [
    { text: 'a ', fontWeight: 400, fontStyle: 'normal', decorations: [], backgroundColor: undefined },
    { text: 'b', fontWeight: 700, fontStyle: 'normal' },
    { text: ' ', fontWeight: 400 },
    { text: 'c', fontWeight: 400, fontStyle: 'italic' },
    { text: ' ' },
    { text: 'd', decorations: [{ textDecoration: 'line-through', color: { r: 0 } }] },
    { text: ' ' },
    { text: 'e', backgroundColor: YELLOW, fontWeight: 400 },
  ]);
  t.match(spans({ text: '_**b**_' }), [{ text: 'b', fontWeight: 700, fontStyle: 'italic' }]);
  const markupStyles = { em: { textDecoration: 'underline', color: '#ff0000' }, strong: { color: '#0000ff' } };
  const red = { r: 255, b: 0 };
  const decorations = [
    { textDecoration: 'underline', color: red },
    { textDecoration: 'line-through', color: red },
  ];
  t.match(spans({ text: '_~~a **b**~~_', markupStyles }), [
    { text: 'a ', decorations, color: red, fontStyle: 'normal' },
    { text: 'b', decorations, color: { r: 0, b: 255 }, fontWeight: 400 },
  ]);
  t.end();
});

t.test('what looks like markup is text where it was not asked for', (t) => {
  t.match(spans({ text: '**a**', markup: false }), [{ text: '**a**', fontWeight: 400 }]);
  t.match(spans({ text: '**a**', markup: undefined }), [{ text: '**a**' }]);
  t.same(
    spans({ text: '' }).map(({ text }) => text),
    [''],
  );
  t.end();
});

t.test('markup inside spans has the style of its span, and pairs with no marker of another one', (t) => {
  const given = [{ text: 'a **b', color: '#ff0000', fontWeight: '300' }, { text: 'c** _d_' }];
  t.match(spans({ spans: given }), [
    { text: 'a **b', fontWeight: 300 },
    { text: 'c** ', fontStyle: 'normal' },
    { text: 'd', fontStyle: 'italic' },
  ]);
  t.match(spans({ spans: [{ text: '**a**', color: '#ff0000', textDecoration: 'underline' }] }), [
    { text: 'a', fontWeight: 700, color: { r: 255 }, decorations: [{ textDecoration: 'underline' }] },
  ]);
  t.end();
});

t.test('is read before textTransform, whose words go on from span to span', (t) => {
  const texts = (fields: object) => spans(fields).map(({ text }) => text);
  t.same(texts({ text: 'inter**nat**ional _shop_', textTransform: 'capitalize' }), ['Inter', 'nat', 'ional ', 'Shop']);
  const markupStyles = { strong: { textTransform: 'uppercase' } };
  t.same(texts({ text: 'a **b** c', markupStyles }), ['a ', 'B', ' c']);
  t.end();
});

t.test('paints as the spans that it stands for, in a box that shrinks and cuts the text', async (t) => {
  const fields = { width: 120, fontSize: 22, minFontSize: 6, autoFit: true, maxLines: 2 };
  const markup = { ...box, ...fields, markup: true, text: 'Now **30 % off**, only _today_ \\*and tomorrow\\*' };
  const pieces = [
    { text: 'Now ' },
    { text: '30 % off', fontWeight: 'bold' },
    { text: ', only ' },
    { text: 'today', fontStyle: 'italic' },
    { text: ' *and tomorrow*' },
  ];
  const drawn = await draw([markup], { width: 300, height: 40 });
  const expected = await draw([{ ...box, ...fields, spans: pieces }], { width: 300, height: 40 });
  t.same(drawn.warnings, expected.warnings);
  t.ok(Buffer.from(drawn.data).equals(expected.data));
});

t.test('reports too many spans, and styles that are wrong, by path', async (t) => {
  const failure = async (fields: object) => {
    try {
      await draw([{ ...box, markup: true, text: '**a**', ...fields }]);
    } catch (error) {
      return (error as Error).message;
    }
    return 'none';
  };
  t.equal(await failure({ text: '**a** b '.repeat(500) }), 'none');
  t.equal(
    await failure({ text: '**a** b '.repeat(501) }),
    'layers[0].text: markup makes 1002 pieces of text in styles of their own, expected at most 1000',
  );
  t.match(await failure({ spans: [{ text: '**a** b '.repeat(501) }] }), /^layers\[0\]\.spans: markup makes 1002/);
  t.match(await failure({ markupStyles: { strong: 'bold' } }), /layers\[0\]\.markupStyles\.strong: .*an object/);
  t.match(await failure({ markupStyles: { em: { color: 'rde' } } }), /layers\[0\]\.markupStyles\.em\.color: /);
  t.match(
    await failure({ markupStyles: { strong: { customFontUrl: 'ftp://x' } } }),
    /layers\[0\]\.markupStyles\.strong\.customFontUrl/,
  );
  t.equal(
    await failure({ markupStyles: { em: null, mark: { color: null, stroke: { width: 1, color: null } } } }),
    'none',
  );
});

t.test('warns of a family that is not bundled once, where it is named', async (t) => {
  const warned = async (fields: object) => {
    const { warnings } = await draw([{ ...box, markup: true, text: '**a** _b_ **_c_**', ...fields }]);
    return warnings.map(({ path }) => path);
  };
  t.same(await warned({ fontFamily: 'Nowhere' }), ['layers[0].fontFamily']);
  t.same(await warned({ markupStyles: { strong: { fontFamily: 'Nowhere' } } }), [
    'layers[0].markupStyles.strong.fontFamily',
  ]);
  t.same(await warned({ markupStyles: { storng: {}, em: { colr: 'red' } } }), [
    'layers[0].markupStyles.storng',
    'layers[0].markupStyles.em.colr',
  ]);
});
