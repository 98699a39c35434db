// Backgrounds of tiles beside those of Chromium.
import { writeFileSync } from 'node:fs';
import { PNG } from 'pngjs';
import t from 'tap';
import { parseLayers } from '../../../lib/contract/layers/parse.js';
import type { RenderError } from '../../../lib/errors.js';
import { CHROMIUM, startChromium } from '../../chromium.js';
import { type BoxCase, compareBoxes } from './chromium-boxes.js';

const OPTIONS = { skip: CHROMIUM ? false : 'no Chromium' };
const LEAST = 0.995;
const STRIPES = 'linear-gradient(45deg, #0f766e 50%, #99f6e4 50%)';
const DOTS = 'radial-gradient(circle, #be123c 3px, transparent 4px)';
const SUNRISE = 'linear-gradient(#fde047, #f97316)';

/** A box with a background, by the fields of the layer. */
function boxOf(backgroundColor: string | readonly string[], fields: Readonly<Record<string, unknown>> = {}): BoxCase {
  const fills = [backgroundColor].flat();
  const color = fills.at(-1)!.includes('(') ? undefined : fills.at(-1);
  const images = fills.filter((fill) => fill !== color);
  const css = Object.entries(fields).map(([name, value]) => {
    const property = name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
    if (name === 'padding') return '';
    if (name !== 'border') return `${property}:${typeof value === 'number' ? `${value}px` : value}`;
    const { width, style = 'solid', color: lineColor } = value as Record<string, unknown>;
    return `border:${width}px ${style} ${lineColor};padding:14px`;
  });
  const origin = 'backgroundOrigin' in fields ? '' : 'background-origin:border-box;';
  return {
    css: `${color ? `background-color:${color};` : ''}background-image:${images.join(',')};${origin}${css.join(';')}`,
    layer: { backgroundColor, ...fields },
  };
}

const DASHED = { width: 12, style: 'dashed', color: '#1d4ed8' };
const CASES: readonly BoxCase[] = [
  boxOf(STRIPES, { backgroundSize: '20px 20px' }),
  boxOf([DOTS, '#fff1f2'], { backgroundSize: '16px 16px', borderRadius: 24 }),
  boxOf([DOTS, STRIPES], { backgroundSize: '30px 25px, 50px 40px', backgroundPosition: '10px 5px, center' }),
  boxOf([SUNRISE, '#1e293b'], {
    backgroundSize: '60px 40px',
    backgroundRepeat: 'no-repeat',
    backgroundPosition: 'right 10px bottom 6px',
  }),
  boxOf([SUNRISE, '#1e293b'], {
    backgroundSize: '100% 30%',
    backgroundRepeat: 'no-repeat',
    backgroundPosition: '0 50%',
  }),
  boxOf([STRIPES, '#ffffff'], {
    backgroundSize: '24px 24px',
    backgroundRepeat: 'repeat-x',
    backgroundPosition: '4px 30px',
  }),
  boxOf([STRIPES, '#ffffff'], { backgroundSize: '24px', backgroundRepeat: 'repeat-y' }),
  boxOf([SUNRISE, '#ffffff'], { backgroundSize: '40px 30px', backgroundRepeat: 'space' }),
  boxOf([SUNRISE, '#ffffff'], { backgroundSize: '30px 25px', backgroundRepeat: 'round', borderRadius: 20 }),
  boxOf(SUNRISE, { border: DASHED, padding: 26, backgroundClip: 'padding-box', backgroundOrigin: 'padding-box' }),
  boxOf(SUNRISE, { border: DASHED, padding: 26, backgroundClip: 'content-box', backgroundOrigin: 'content-box' }),
  boxOf(SUNRISE, {
    border: { ...DASHED, style: 'solid', color: 'rgba(29,78,216,.4)' },
    padding: 26,
    backgroundOrigin: 'padding-box',
  }),
  boxOf(
    [
      'linear-gradient(rgba(0,0,0,.2) 1px, transparent 1px)',
      'linear-gradient(90deg, rgba(0,0,0,.2) 1px, transparent 1px)',
      '#eeeeee',
    ],
    { backgroundSize: '10px 10px' },
  ),
];

t.test('paints tiles as Chromium does', OPTIONS, async (t) => {
  const page = await (await startChromium(t))('data:text/html,<!doctype html><body>');
  const found = await compareBoxes(page, CASES, (chromium, platen) => {
    if (!process.env.KEEP) return;
    writeFileSync(`${process.env.KEEP}-tiles-c.png`, PNG.sync.write(chromium));
    writeFileSync(`${process.env.KEEP}-tiles-p.png`, PNG.sync.write(platen));
  });
  for (const { css, ssim, svg } of found) {
    t.ok(ssim >= LEAST, `${ssim.toFixed(4)} ${css}`);
    // Chromium draws hard edges between colours of an SVG a little differently
    t.ok(svg >= 0.93, `SVG: ${svg.toFixed(4)} ${css}`);
  }
});

t.test('refuses what is no list of sizes, positions or boxes', (t) => {
  const issues = (fields: object): readonly string[] => {
    try {
      parseLayers([
        { type: 'group', x: 0, y: 0, width: 9, height: 9, layers: [], backgroundColor: STRIPES, ...fields },
      ]);
    } catch (error) {
      return (error as RenderError).details.map(({ path }) => path);
    }
    return [];
  };
  t.same(issues({ backgroundSize: 'auto 20px, cover, 10% 0', backgroundRepeat: 'space repeat' }), []);
  for (const fields of [
    { backgroundSize: '-1px' },
    { backgroundSize: '1px,' },
    { backgroundSize: Array(9).fill('1px').join() },
    { backgroundPosition: 'left right' },
    { backgroundRepeat: 'repeat-x repeat' },
    { backgroundOrigin: 'text' },
    { backgroundClip: '' },
  ]) {
    t.same(issues(fields), [`layers[0].${Object.keys(fields)[0]}`], JSON.stringify(fields));
  }
  t.end();
});
