// Borders of sides and styles beside those of Chromium.
import { writeFileSync } from 'node:fs';
import { PNG } from 'pngjs';
import t from 'tap';
import { CHROMIUM, startChromium } from '../../chromium.js';
import { dice, pick, roll, rounds } from '../../exhaustive.js';
import { type BoxCase, compareBoxes } from './chromium-boxes.js';

const OPTIONS = { skip: CHROMIUM ? false : 'no Chromium' };
const SIDES = ['Top', 'Right', 'Bottom', 'Left'];
const LEAST = 0.995;
/** Chromium's SVG clips every piece by itself. */
const LEAST_SVG = 0.97;
/**
 * The share of random boxes that may be less alike: dashes and dots of thick lines on tight corners, and dots beside a double
 * line. Their phases differ in 6 % of the boxes.
 */
const MAX_DIFFERING = 0.1;
/** What even these reach. */
const LEAST_RANDOM = 0.9;
/** Rounds at least, so that chance hardly moves the share. */
const LEAST_ROUNDS = 4;

interface Line {
  readonly width: number;
  readonly style: string;
  readonly color: string;
}

/** A box with lines on its sides, of which some may be absent. */
function boxOf(lines: readonly (Line | undefined)[], radius = '0', background = '#f1f5f9'): BoxCase {
  const css = lines.map((line, i) =>
    line ? `border-${SIDES[i].toLowerCase()}:${line.width}px ${line.style} ${line.color}` : '',
  );
  const sides = lines.map((line, i) => [`border${SIDES[i]}`, line]);
  const isAlike = lines.every((line) => line && JSON.stringify(line) === JSON.stringify(lines[0]));
  const fields = isAlike ? { border: lines[0] } : Object.fromEntries(sides.filter(([, line]) => line));
  return {
    css: `background:${background};border-radius:${radius};${css.filter(Boolean).join(';')}`,
    layer: { backgroundColor: background, borderRadius: radius.replace(/\b0\b/g, '0px'), ...fields },
  };
}

const line = (width: number, style = 'solid', color = '#1d4ed8'): Line => ({ width, style, color });
const all = (one: Line): Line[] => [one, one, one, one];
const COLORS = ['#ef4444', '#3b82f6', '#22c55e', '#eab308'];

function keepAs(name: string) {
  return (chromium: PNG, platen: PNG) => {
    if (!process.env.KEEP) return;
    writeFileSync(`${process.env.KEEP}-${name}-c.png`, PNG.sync.write(chromium));
    writeFileSync(`${process.env.KEEP}-${name}-p.png`, PNG.sync.write(platen));
  };
}

const CASES: readonly BoxCase[] = [
  ...['dashed', 'dotted', 'double'].flatMap((style) =>
    [1, 2, 3, 5, 8, 9].flatMap((width) => [boxOf(all(line(width, style))), boxOf(all(line(width, style)), '24px')]),
  ),
  boxOf([10, 20, 10, 20].map((width, i) => line(width, 'solid', COLORS[i]))),
  boxOf(
    [10, 20, 10, 20].map((width, i) => line(width, 'solid', COLORS[i])),
    '30px',
  ),
  boxOf([undefined, undefined, line(6), line(1)]),
  boxOf([undefined, undefined, undefined, line(12, 'solid', '#0ea5e9')], '14px'),
  boxOf(
    [line(4, 'solid', '#111'), line(16, 'solid', '#999'), line(16, 'solid', '#999'), line(4, 'solid', '#111')],
    '24px',
  ),
  boxOf([line(18), line(3), line(3), line(3)], '40px 10px'),
  boxOf(
    [
      line(50, 'solid', 'transparent'),
      line(50, 'solid', 'transparent'),
      line(50, 'solid', '#f97316'),
      line(50, 'solid', 'transparent'),
    ],
    '0',
    'transparent',
  ),
  boxOf([line(6, 'dotted', '#16a34a'), undefined, line(3, 'dashed', '#16a34a'), undefined]),
  boxOf([line(6, 'dotted'), line(6, 'dashed'), line(9, 'double'), line(6)]),
  boxOf([line(6, 'dotted'), line(6, 'dashed'), line(9, 'double'), line(6)], '20px'),
  boxOf(all(line(12, 'solid', 'rgba(29,78,216,.4)'))),
  boxOf([10, 20, 10, 20].map((width) => line(width, 'dashed', 'rgba(29,78,216,.4)'))),
  boxOf([12, 12, 12, 12].map((width, i) => line(width, 'solid', ['rgba(29,78,216,.4)', 'rgba(229,78,16,.4)'][i % 2]))),
];

/** A box whose sides have any lines. */
function randomBox(random: () => number): BoxCase {
  const styles = ['solid', 'solid', 'dashed', 'dotted', 'double'];
  const [color, style] = [pick(random, COLORS), pick(random, styles)];
  const one = (): Line | undefined =>
    roll(random, 5) === 0
      ? undefined
      : {
          width: 1 + roll(random, 16),
          style: roll(random, 2) === 0 ? style : pick(random, styles),
          color: roll(random, 2) === 0 ? color : pick(random, COLORS),
        };
  const radius = pick(random, ['0', '0', '12px', '30px', '50px', '8px 24px 0px 40px']);
  return boxOf([one(), one(), one(), one()], radius);
}

t.test('paints random borders as Chromium does', OPTIONS, async (t) => {
  const page = await (await startChromium(t))('data:text/html,<!doctype html><body>');
  const wrong: string[] = [];
  let count = 0;
  for (const seed of rounds(1, LEAST_ROUNDS)) {
    const random = dice(seed);
    const cases = Array.from({ length: 60 }, () => randomBox(random));
    const found = await compareBoxes(page, cases, keepAs('random'));
    wrong.push(...found.filter(({ ssim }) => ssim < LEAST).map(({ css, ssim }) => `${ssim.toFixed(4)} ${css}`));
    count += cases.length;
    t.ok(Math.min(...found.map(({ ssim }) => ssim)) > LEAST_RANDOM, `none far off, seed ${seed}`);
  }
  t.same(wrong.slice(0, wrong.length > count * MAX_DIFFERING ? undefined : 0), [], `${wrong.length} of ${count}`);
});

t.test('paints lines of sides and styles as Chromium does', OPTIONS, async (t) => {
  const page = await (await startChromium(t))('data:text/html,<!doctype html><body>');
  const found = await compareBoxes(page, CASES, keepAs('cases'));
  for (const { css, ssim, svg } of found) {
    t.ok(ssim >= LEAST, `${ssim.toFixed(4)} ${css}`);
    t.ok(svg >= LEAST_SVG, `SVG: ${svg.toFixed(4)} ${css}`);
  }
});

t.test('paints elliptical corners as Chromium does', OPTIONS, async (t) => {
  const page = await (await startChromium(t))('data:text/html,<!doctype html><body>');
  const widths = [10, 20, 5, 14];
  const cases = [
    '60px / 20px',
    '50% / 30%',
    '80px 0 40px 0 / 40px 0 80px 0',
    '100px 100px 0 0 / 60px 60px 0 0',
    '50%',
  ].flatMap((radius) => [
    boxOf([undefined, undefined, undefined, undefined], radius),
    boxOf(all(line(10)), radius),
    boxOf(
      widths.map((width, i) => line(width, 'solid', COLORS[i])),
      radius,
    ),
  ]);
  const found = await compareBoxes(page, cases, keepAs('radii'));
  for (const { css, ssim } of found) t.ok(ssim >= LEAST, `${ssim.toFixed(4)} ${css}`);
});
