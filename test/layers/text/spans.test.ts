// Spans: what each takes from its layer, and what they paint.
import t from 'tap';
import { textLayer } from '../../../lib/contract/layers/index.js';
import { withGeometry } from '../../../lib/contract/layers/layout/extents.js';
import { spansOf } from '../../../lib/layers/text/spans.js';
import { draw, RED } from '../picture.js';

const box = { type: 'text', x: 0, y: 0, width: 100, height: 40 } as const;
const spans = (fields: object) => spansOf(withGeometry(textLayer.parse({ ...box, ...fields })));

t.test('a plain text is one span with the fields of its layer', (t) => {
  t.match(spans({ text: 'abc', fontSize: 20, color: '#ff0000', textTransform: 'uppercase' }), [
    { text: 'ABC', fontSize: 20, color: { r: 255, g: 0, b: 0, a: 1 }, fontWeight: 400, baselineShift: 0 },
  ]);
  t.end();
});

t.test('a span takes from its layer what it does not have itself', (t) => {
  const [plain, own, bold] = spans({
    fontSize: 20,
    fontFamily: 'Lora',
    customFontUrl: 'https://example.com/a.ttf',
    textDecoration: 'underline',
    spans: [
      { text: 'a' },
      { text: 'b', fontFamily: 'Inter', fontSize: 0, letterSpacing: 2, baselineShift: 'super' },
      { text: 'c', fontWeight: 'bold', textDecoration: 'line-through' },
    ],
  });
  t.match(plain, { fontSize: 20, fontFamily: 'Lora', customFontUrl: 'https://example.com/a.ttf', letterSpacing: 0 });
  t.same(plain.decorations, [], "the layer's decoration is drawn for the layer, not again for the span");
  t.match(own, { fontSize: 0, fontFamily: 'Inter', letterSpacing: 2, baselineShift: 'super' });
  t.equal(own.customFontUrl, undefined, "a family replaces the layer's file");
  t.match(bold, { fontWeight: 700, customFontUrl: 'https://example.com/a.ttf' });
  t.match(bold.decorations, [{ textDecoration: 'line-through' }]);
  t.end();
});

t.test('capitalizes the words of the whole text', (t) => {
  const texts = spans({
    textTransform: 'capitalize',
    spans: [{ text: 'inter' }, { text: 'national s' }, { text: 'how', textTransform: 'none' }, { text: 'down ßx' }],
  }).map(({ text }) => text);
  t.same(texts, ['Inter', 'national S', 'how', 'down ßx']);
  t.end();
});

t.test('paints each span in its colour and size, on one baseline', async (t) => {
  const text = { type: 'text', x: 0, y: 0, width: 100, height: 40, fontSize: 10, spans: [] as object[] };
  const inkOf = async (given: object[], isRed: boolean) => {
    const { data, width } = await draw([{ ...text, spans: given }], { width: 100, height: 40 });
    const rows = new Set<number>();
    for (let i = 0; i < data.length; i += 4) {
      if (data[i + 3] > 128 && data[i] > 128 === isRed) rows.add(Math.floor(i / 4 / width));
    }
    return [Math.min(...rows), Math.max(...rows)];
  };
  const big = { text: 'H', fontSize: 30, color: '#ff0000' };
  const [, bottomOfSmall] = await inkOf([{ text: 'H' }, big], false);
  const [topOfBig, bottomOfBig] = await inkOf([{ text: 'H' }, big], true);
  t.equal(bottomOfSmall, bottomOfBig);
  t.ok(bottomOfBig - topOfBig >= 20, 'the cap height of 30 px');
  const [, raised] = await inkOf([{ ...big, baselineShift: 5 }, { text: 'H' }], true);
  const [, unraised] = await inkOf([{ text: 'H' }, { ...big, baselineShift: 5 }], false);
  t.equal(unraised - raised, 5);
  const { at } = await draw([{ ...text, spans: [{ text: '■', color: '#ff0000', fontSize: 40 }] }], { width: 100 });
  t.same(at(15, 25), RED);
});

t.test('reports what is wrong with spans by path', async (t) => {
  const failure = async (fields: object) => {
    try {
      await draw([{ ...box, ...fields }]);
    } catch (error) {
      return (error as Error).message;
    }
    return 'none';
  };
  t.match(await failure({}), /layers\[0\]\.text: received nothing, expected a string/);
  t.match(await failure({ spans: [] }), /layers\[0\]\.spans: .*an array of 1 span at least/);
  t.match(await failure({ spans: [{ text: 'a' }, { color: 'red' }] }), /layers\[0\]\.spans\[1\]\.text/);
  t.match(
    await failure({ spans: [{ text: 'a', baselineShift: 'up' }] }),
    /spans\[0\]\.baselineShift: .*"super", "sub"/,
  );
  t.match(
    await failure({ spans: [{ text: 'a', customFontUrl: 'ftp://x' }] }),
    /layers\[0\]\.spans\[0\]\.customFontUrl/,
  );
  const long = { text: 'a'.repeat(600_000) };
  t.match(await failure({ spans: [long, long] }), /spans: have 1200000 characters, expected at most 1000000/);
});
