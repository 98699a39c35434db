// Backgrounds of texts: around the block of lines, of each line, and of spans.
import t from 'tap';
import { textLayer } from '../../../lib/contract/layers/index.js';
import { withGeometry } from '../../../lib/contract/layers/layout/extents.js';
import { CANVAS_SPACE, frameOf } from '../../../lib/layers/frame.js';
import { LayerText } from '../../../lib/layers/text/layer-text.js';
import { textContent } from '../../../lib/layers/text/text.js';
import { RasterTarget } from '../../../lib/paint/raster-target.js';
import { Surface } from '../../../lib/raster/surface.js';
import { stackOf } from '../../text/setting.js';
import { BLUE, CLEAR, draw, inkOf, LIME, RED } from '../picture.js';

// every character is 12 px wide, and a line 24 px high: 20 above its baseline and 6 below, of which 2 overlap the next
const text = {
  type: 'text',
  x: 0,
  y: 0,
  width: 100,
  height: 60,
  fontFamily: 'JetBrains Mono',
  fontSize: 20,
  color: 'transparent',
};
const canvas = { width: 100, height: 60 };
const inkWith = async (fields: object) => {
  const ink = inkOf(await draw([{ ...text, ...fields }], canvas));
  return ink && [ink.left, ink.top, ink.right, ink.bottom];
};

t.test('backgroundFit "text" paints the block of lines and its padding', async (t) => {
  const fit = { backgroundColor: '#ff0000', backgroundFit: 'text', padding: [1, 3, 2, 4], text: 'ab' };
  t.same(await inkWith(fit), [0, 0, 4 + 24 + 3, 1 + 24 + 2]);
  t.same(await inkWith({ ...fit, textAlign: 'right', verticalAlign: 'bottom' }), [69, 33, 100, 60]);
  t.same(await inkWith({ ...fit, padding: 0, textAlign: 'center', verticalAlign: 'middle' }), [38, 18, 62, 42]);
  t.same(await inkWith({ ...fit, text: 'ab\nabcd' }), [0, 0, 4 + 48 + 3, 1 + 48 + 2], 'as wide as the longest line');
  t.same(await inkWith({ ...fit, text: 'ab abcdefg' }), [0, 0, 100, 51], 'as wide as the layer once the text wraps');
  t.same(await inkWith({ ...fit, text: 'ab abcdefg', maxLines: 1 }), [0, 0, 100, 27], 'also when lines are cut');
  t.same(await inkWith({ ...fit, text: 'ab ' }), [0, 0, 4 + 36 + 3, 27], 'a blank at the end of a paragraph counts');
  t.same(await inkWith({ ...fit, text: 'abcdefg  ' }), [0, 0, 100, 27], 'blanks that hang are of a text that is wider');
  t.equal(await inkWith({ ...fit, text: '' }), undefined, 'no lines, no background');
});

t.test('backgroundFit "text" takes as many lines as a text may have', async (t) => {
  const fit = { backgroundColor: '#ff0000', backgroundFit: 'text', lineHeight: 0, padding: [0, 0, 9, 0] };
  t.same(await inkWith({ ...fit, text: 'a\n'.repeat(99_999), wrap: false }), [0, 0, 12, 9]);
});

t.test('backgroundFit "line" paints each line as high as the font, without the blank at its end', async (t) => {
  const fit = { backgroundColor: '#ff0000', backgroundFit: 'line', text: 'abc def gh', lineHeight: 1.5 };
  const picture = await draw([{ ...text, ...fit, width: 90, padding: [0, 4, 0, 2] }], canvas);
  // the line box is 30 px high: 2 px of leading above
  t.same(picture.at(50, 1), CLEAR);
  t.same(picture.at(0, 2), RED);
  t.same(picture.at(2 + 7 * 12 + 3, 27), RED, 'the padding at the end of the first line');
  t.same(picture.at(50, 29), CLEAR, 'nothing between the lines');
  t.same(picture.at(2 + 24 + 3, 40), RED);
  t.same(picture.at(2 + 24 + 4, 40), CLEAR, 'the second line ends after its padding');
  t.same(await inkWith({ ...fit, text: 'ab', padding: 5, y: 10 }), [0, 7, 34, 43], 'padding takes no room above');
  t.same(await inkWith({ ...fit, text: 'ab', textAlign: 'right', padding: [0, 6] }), [64, 2, 100, 28]);
});

t.test('the padding at the end of a line that wraps does not make it break earlier, as in Chromium', async (t) => {
  const line = { backgroundColor: '#ff0000', backgroundFit: 'line', padding: [0, 10, 0, 0], lineHeight: 1.5 };
  const height = async (width: number, given: string) => (await inkWith({ ...line, width, text: given }))?.[3];
  t.equal(await height(84, 'abc def gh'), 58, '"abc def" fits 84 px without the padding');
  t.equal(await height(94, 'abc def'), 28, 'at the end of the text it counts');
  t.equal(await height(93, 'abc def'), 58);
});

t.test('borders, radii and box shadows are those of the fitted boxes', async (t) => {
  const fit = { backgroundColor: '#ff0000', backgroundFit: 'text', text: 'ab', x: 20, y: 20 };
  const border = { width: 2, color: '#0000ff' };
  const picture = await draw([{ ...text, ...fit, border, borderRadius: 8 }], canvas);
  t.same(picture.at(20, 20), CLEAR, 'a rounded corner');
  t.same(picture.at(32, 21), BLUE);
  t.same(picture.at(32, 22), RED, 'the border takes no room');
  t.same(await inkWith({ ...fit, border, backgroundColor: undefined }), [20, 20, 44, 44], 'a border alone');
  const shadow = { color: '#00ff00', spread: 3 };
  t.same(await inkWith({ ...fit, shadow }), [17, 17, 47, 47]);
  const lines = await draw(
    [{ ...text, ...fit, backgroundFit: 'line', text: 'a\na', lineHeight: 2, shadow, y: 0 }],
    canvas,
  );
  for (const y of [4, 35, 44]) t.same(lines.at(25, y), LIME, 'each line casts it');
});

t.test('a gradient has the box of the block, and of the layer for lines', async (t) => {
  const backgroundColor = 'linear-gradient(90deg, #ff0000 50%, #0000ff 50%)';
  const block = await draw([{ ...text, text: 'ab', backgroundColor, backgroundFit: 'text' }], canvas);
  t.same([block.at(11, 10), block.at(12, 10)], [RED, BLUE]);
  const line = await draw([{ ...text, text: 'abcdef', backgroundColor, backgroundFit: 'line' }], canvas);
  t.same([line.at(49, 10), line.at(50, 10)], [RED, BLUE]);
});

t.test('the background of a span is as high as its font, without the blank at a wrap', async (t) => {
  const spans = [
    { text: 'ab ', backgroundColor: '#ff0000' },
    { text: 'cd efgh', backgroundColor: 'linear-gradient(90deg, #0000ff 50%, #00ff00 50%)', fontSize: 10 },
  ];
  const picture = await draw([{ ...text, spans, lineHeight: 1.5, width: 60 }], canvas);
  t.same([picture.at(0, 1), picture.at(0, 2), picture.at(0, 27), picture.at(0, 28)], [CLEAR, RED, RED, CLEAR]);
  t.same(picture.at(35, 10), RED, 'a blank inside of the line counts');
  // the baseline is at 22: 10 px above and 3 below
  t.same([picture.at(36, 11), picture.at(36, 12), picture.at(36, 24), picture.at(36, 25)], [CLEAR, LIME, LIME, CLEAR]);
  t.same(picture.at(47, 20), LIME);
  t.same(picture.at(48, 20), CLEAR, 'the blank where the line wraps');
  t.same(picture.at(0, 50), BLUE, "the gradient is in the layer's box");
});

t.test('backgrounds of spans lie under the text of all lines', async (t) => {
  const red = { ...text, color: '#ff0000', lineHeight: 0.5, text: undefined };
  const [plain, marked] = await Promise.all(
    [undefined, '#0000ff'].map((backgroundColor) =>
      draw([{ ...red, spans: [{ text: 'gg\n' }, { text: '  ', backgroundColor }] }], canvas),
    ),
  );
  let covered = 0;
  for (let y = 0; y < 60; y++) {
    for (let x = 0; x < 24; x++) if (plain.at(x, y)[3] === 255 && marked.at(x, y)[0] !== 255) covered++;
  }
  t.equal(covered, 0);
});

t.test('only the boxes of lines on the surface are painted', async (t) => {
  const parsed = textLayer.parse({ ...text, text: 'a\n'.repeat(200), backgroundFit: 'line', backgroundColor: 'red' });
  const layer = withGeometry(parsed);
  const stack = await stackOf('a');
  const { content } = textContent(
    layer,
    frameOf(layer, CANVAS_SPACE),
    new LayerText(layer, { block: stack, spans: [stack] }),
  );
  let paints = 0;
  class Counting extends Surface {
    override paintOf(...args: Parameters<Surface['paintOf']>) {
      paints++;
      return super.paintOf(...args);
    }
  }
  const paintsAt = (top: number) => {
    paints = 0;
    content.draw(new RasterTarget(new Counting({ left: 0, top, right: 100, bottom: top + 60 })), 1);
    return paints;
  };
  t.equal(paintsAt(0) - paintsAt(-500), 3, 'those of three lines, of 200');
});
