// Text along a path: where its clusters are, how they are turned, and what is left out.
import t, { type Test } from 'tap';
import { MAX_TEXT_POINTS, PointBudget } from '../../../lib/layers/text/span-ink.js';
import { draw, inkOf, LIME, RED } from '../picture.js';

// every character is 12 px wide; a full block covers it from 5 px below the baseline up to 20 above
const text = { type: 'text', x: 10, y: 10, width: 80, height: 80, fontFamily: 'JetBrains Mono', fontSize: 20 };
const canvas = { width: 100, height: 100 };
const picture = (fields: object) => draw([{ ...text, color: '#ff0000', ...fields }], canvas);
const inkWith = async (fields: object) => {
  const ink = inkOf(await picture(fields));
  return ink && [ink.left, ink.top, ink.right, ink.bottom];
};
const close = (t: Test, found: number[] | undefined, expected: number[], message?: string) =>
  t.ok(found && expected.every((side, i) => Math.abs(side - found[i]) <= 1.5), `${message ?? ''} ${found}`);

t.test('text follows the path', async (t) => {
  const [, top, , bottom] = (await inkWith({ text: '█', textPath: 'M0 40 H80' }))!;
  t.ok(top < 50 && bottom > 50, 'its baseline is the path, from the corner of the box');
  const [above, below] = [50 - top, bottom - 50];
  close(t, await inkWith({ text: '██', textPath: 'M0 40 H80' }), [10, top, 34, bottom]);
  close(t, await inkWith({ text: '██', textPath: 'M40 0 V80' }), [50 - below, 10, 50 + above, 34], 'downwards');
  close(t, await inkWith({ text: '██', textPath: 'M80 40 H0' }), [66, 50 - below, 90, 50 + above], 'upside down');
});

t.test('textAlign says what part of the path has the text', async (t) => {
  const ends = async (fields: object) => {
    const [left, , right] = (await inkWith({ text: '██', textPath: 'M0 40 H80', ...fields }))!;
    return [left, right];
  };
  close(t, await ends({ textAlign: 'center' }), [38, 62]);
  close(t, await ends({ textAlign: 'right' }), [66, 90]);
  close(t, await ends({ textAlign: 'end' }), [66, 90]);
  close(t, await ends({ textAlign: 'start', direction: 'rtl' }), [66, 90]);
  close(t, await ends({ letterSpacing: 6 }), [10, 40], 'with letter spacing');
  close(
    t,
    await ends({ verticalAlign: 'bottom', maxLines: 1, padding: 20, wrap: true, text: '█\n█' }),
    [10, 46],
    'one line',
  );
});

t.test('what lies beyond the ends is left out, with a warning', async (t) => {
  const short = { text: '████', textPath: 'M0 40 H20' };
  close(t, (await inkWith(short))?.slice(0, 1), [10]);
  close(t, (await inkWith(short))?.slice(2, 3), [34], 'a cluster whose middle is on the path is drawn');
  t.match((await picture(short)).warnings, [{ message: 'what lies beyond the ends of textPath is not drawn' }]);
  close(t, (await inkWith({ ...short, textAlign: 'center' }))?.slice(0, 1), [8], 'on both sides when centred');
  t.same((await picture({ ...short, textPath: 'M0 40 H80' })).warnings, []);
  for (const textPath of ['M5 5', 'M5 5 z', 'M5 5 L5 5']) t.equal(await inkWith({ text: '█', textPath }), undefined);
});

t.test('spans keep their colours, strokes and heights', async (t) => {
  const spans = [
    { text: '█', color: '#ff0000' },
    { text: '█', color: '#00ff00', baselineShift: 10 },
  ];
  const drawn = await picture({ spans, textPath: 'M0 60 H80' });
  t.same([drawn.at(15, 65), drawn.at(28, 55)], [RED, LIME]);
  t.not(drawn.at(15, 72)[3], drawn.at(28, 72)[3], 'the second is raised');
  const stroked = await inkWith({ text: '█', textPath: 'M10 40 H80', stroke: { width: 6, color: '#00ff00' } });
  close(t, stroked?.slice(0, 1), [17]);
});

t.test('a background is that of the box, also beneath text along a path', async (t) => {
  const box = { text: 'a', textPath: 'M0 40 H80', backgroundColor: '#00ff00', backgroundFit: 'line' };
  t.same(await inkWith(box), [10, 10, 90, 90]);
});

t.test('the points of all glyphs are limited, however few each of them has', (t) => {
  const budget = new PointBudget();
  for (let i = 0; i < MAX_TEXT_POINTS / 1000; i++) budget.consume(1000);
  const message = `the outlines of the text have over ${MAX_TEXT_POINTS} points, expected less text`;
  t.throws(() => budget.consume(1), { code: 'render_failed', message });
  t.end();
});
