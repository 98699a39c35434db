// Text decorations: colour, thickness and style of their lines, and their place beneath or on the glyphs.
import t from 'tap';
import { type TextLayer, textLayer } from '../../../lib/contract/layers/index.js';
import { detailsOf } from '../../../lib/contract/messages/issues.js';
import { decorationLines, lineDecorations, MAX_PERIODS, PeriodBudget } from '../../../lib/layers/text/decoration.js';
import type { LinePlace } from '../../../lib/layers/text/line-paint.js';
import type { TextFont } from '../../../lib/layout/measure.js';
import type { PositionedLine } from '../../../lib/layout/text-box.js';
import { CLEAR, draw, inkOf, RED } from '../picture.js';

// a line of 6 characters, each 12 px wide; the underline begins 3 px under the baseline, which is at 20, and is 1 px thick
const text = {
  type: 'text',
  x: 4,
  y: 4,
  width: 80,
  height: 30,
  text: 'abcdef',
  fontFamily: 'JetBrains Mono',
  fontSize: 20,
  color: 'transparent',
};
const canvas = { width: 90, height: 60 };
const decorated = (textDecoration: unknown, more: object = {}) => draw([{ ...text, textDecoration, ...more }], canvas);
const inkWith = async (textDecoration: object, more: object = {}) => {
  const ink = inkOf(await decorated({ color: '#ff0000', line: 'underline', ...textDecoration }, more));
  return ink && [ink.left, ink.top, ink.right, ink.bottom];
};

t.test('a decoration has its own colour and thickness', async (t) => {
  const [left, top, right, bottom] = (await inkWith({}))!;
  t.same([left, right, bottom - top], [4, 76, 1]);
  t.same(await inkWith({ thickness: 5 }), [4, top, 76, top + 5], 'it grows downwards');
  t.same(await inkWith({ thickness: 2.5 }), [4, top, 76, top + 3], 'in whole pixels');
  t.same(await inkWith({ thickness: 0 }), [4, top, 76, top + 1], 'at least one');
  t.same(await inkWith({ style: 'double', thickness: 2 }), [4, top, 76, top + 5], 'two lines, one pixel apart');
  t.equal(await inkWith({ line: 'none' }), undefined);
  t.equal(inkOf(await decorated({ line: 'underline' })), undefined, "the text's colour without its own");
});

t.test('dashes and dots have the periods of browsers', async (t) => {
  const row = async (style: string, thickness: number) => {
    const picture = await decorated({ line: 'underline', color: '#ff0000', style, thickness });
    const { top } = inkOf(picture)!;
    return Array.from({ length: 72 }, (_, x) => (picture.at(4 + x, top + (thickness >> 1))[3] > 127 ? '-' : ' ')).join(
      '',
    );
  };
  t.match(await row('dashed', 3), /^-{6} {3}-{6} {3}/, 'dashes of two thicknesses, gaps of one');
  t.match(await row('dashed', 3), /-{6}$/, 'the last one ends with the line');
  t.match(await row('dashed', 2), /^-{6} {3,4}-{6} /, 'thin ones are longer');
  t.match(await row('dotted', 2), /^-- {2}-- {2}/);
  t.match(await row('dotted', 6), /^ ?-{4,6} {5,7}-{4,6} /, 'thick dots are round');
  t.match(await row('dotted', 6), /-{4,6} ?$/);
  const short = await draw(
    [{ ...text, text: 'a', textDecoration: { line: 'underline', color: '#ff0000', style: 'dashed', thickness: 6 } }],
    canvas,
  );
  const { left, right } = inkOf(short)!;
  t.same([left, right], [4, 16], 'one that is too short for a gap is solid');
});

t.test('waves are cut off at the ends of the line', async (t) => {
  const [left, top, right, bottom] = (await inkWith({ style: 'wavy', thickness: 2 }))!;
  const [, solidTop] = (await inkWith({ thickness: 2 }))!;
  t.same([left, right], [4, 76]);
  t.same([top, bottom], [solidTop, solidTop + 7]);
  const turned = await inkWith({ style: 'wavy', thickness: 2 }, { rotation: 180, width: 80, height: 30 });
  t.same(turned, [88 - right, 38 - bottom, 88 - left, 38 - top], 'turned with the layer');
  const far = await draw([
    {
      ...text,
      x: -1e5,
      width: 2e5,
      letterSpacing: 1e4,
      textDecoration: { line: 'underline', style: 'wavy' },
      text: 'a'.repeat(30),
    },
  ]);
  t.ok(far, 'only visible waves are drawn');
});

t.test('underlines lie under the glyphs, lines through them over them', async (t) => {
  const at = async (line: string) => {
    const style = { line, color: '#ff0000', thickness: 12 };
    const picture = await decorated(style, { text: '████', color: '#0000ff' });
    return picture.at(30, line === 'underline' ? 26 : 18);
  };
  t.same(await at('underline'), [0, 0, 255, 255]);
  t.same(await at('line-through'), RED);
});

t.test('a span is decorated beside its layer', async (t) => {
  const spans = [{ text: 'ab' }, { text: 'cd', textDecoration: { line: 'underline', thickness: 4 }, color: '#ff0000' }];
  const layer = { ...text, text: undefined, spans, textDecoration: { line: 'line-through', color: '#0000ff' } };
  const picture = await draw([layer], canvas);
  const ink = inkOf(picture)!;
  t.same([ink.left, ink.right], [4, 52], 'the line of the layer goes along all spans');
  t.same(
    [picture.at(27, ink.bottom - 1), picture.at(28, ink.bottom - 1), picture.at(52, ink.bottom - 1)],
    [CLEAR, RED, CLEAR],
  );
});

t.test('waves, dots and dashes are limited: further lines are solid, with a warning', async (t) => {
  const line = { left: 0, right: 700 };
  const { color: layerColor } = textLayer.parse(text);
  const stack = { primary: { underline: { thickness: 0.05, position: -0.1 } } };
  const lines = (style: 'wavy' | 'dotted' | 'dashed' | 'solid', count: number) => {
    const budget = new PeriodBudget();
    const decorated = {
      textDecoration: { line: 'underline', style } as const,
      font: { stack, size: 10, letterSpacing: 0 } as unknown as TextFont,
      baseline: 0,
      stretches: [line],
      fill: layerColor,
      isUnder: false,
    };
    const styles = Array.from({ length: count }, () => decorationLines(decorated, budget)[0].style);
    return { patterned: styles.filter((drawn) => drawn === style).length, isExceeded: budget.isExceeded };
  };
  for (const style of ['wavy', 'dotted', 'dashed'] as const) {
    const { patterned, isExceeded } = lines(style, 2000);
    t.ok(isExceeded && patterned * 100 <= MAX_PERIODS && patterned > 200, `${style}: ${patterned}`);
  }
  t.same(lines('wavy', 200), { patterned: 200, isExceeded: false });
  t.same(lines('solid', 2000), { patterned: 2000, isExceeded: false });

  const style = { line: 'underline', style: 'wavy', color: '#ff0000' };
  const long = { text: 'a'.repeat(100), letterSpacing: 10_000, wrap: false };
  const picture = await decorated(style, long);
  const { top, bottom } = inkOf(picture)!;
  t.equal(bottom - top, 1, 'a solid line');
  const message = 'its decorations have over 100000 waves, dots and dashes: further lines are solid';
  t.match(picture.warnings.at(-1), { path: 'layers[0].text', message });
  t.notMatch((await decorated(style)).warnings, [{ message }]);
});

t.test('the spans that a line does not show cost it nothing', (t) => {
  let reads = 0;
  const styles = Array.from({ length: 1000 }, () => ({
    get decorations() {
      reads++;
      return [];
    },
  }));
  const layer = textLayer.parse({ ...text, spans: [{ text: 'a' }], text: undefined }) as TextLayer;
  const line = { x: 0, baseline: 9, fragments: [{ span: 5, x: 0, width: 9 }] } as unknown as PositionedLine;
  const place = { frame: { isUpright: true }, origin: { left: 0, top: 0 } } as unknown as LinePlace;
  t.same(lineDecorations(line, layer, styles, { stack: { primary: {} } } as TextFont, place, new PeriodBudget()), []);
  t.ok(reads <= 2, `${reads} reads`);
  t.end();
});

t.test('what is not a decoration is reported', (t) => {
  const messages = (textDecoration: unknown) =>
    detailsOf(textLayer.safeParse({ ...text, textDecoration }).error?.issues ?? [], {}).map(({ message }) => message);
  t.match(messages('underlined'), [
    /expected one of "none", "underline", .*did you mean "underline"\?\), or an object such as /,
  ]);
  t.match(messages(3), [/or an object/]);
  t.same(messages({ line: 'underline', style: 'wavy', thickness: 2, color: 'red' }), []);
  t.equal(messages({ line: 'underline', style: 'curly' }).length, 1);
  t.equal(messages({ line: 'underline', thickness: -1 }).length, 1);
  t.end();
});
