// Colour glyphs of COLR version 1 against Chromium's picture of the same font: every format of paint, at two weights.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { PNG } from 'pngjs';
import t from 'tap';
import { render } from '../../any-payload.js';
import { CHROMIUM, startChromium } from '../../chromium.js';
import { CHARACTERS, colorFontFile, TITLES } from '../../fonts/color-font.js';

const SIZE = 80;
const COLUMNS = 10;
const [width, height] = [COLUMNS * SIZE, Math.ceil(CHARACTERS.length / COLUMNS) * SIZE];
const COLOR = '#663399';
const URL = `data:font/ttf;base64,${Buffer.from(colorFontFile()).toString('base64')}`;
const LINES = CHARACTERS.map((character, i) => (i % COLUMNS === COLUMNS - 1 ? `${character}\n` : character)).join('');

/** A channel that is this far off counts: edges and the seams of repeated gradients differ by rounding. */
const MAX_DIFFERENCE = 24;
/** Pixels of a glyph that may be farther off. */
const MAX_PIXELS = SIZE * 1.5;

async function drawOurs(fontWeight: number): Promise<PNG> {
  const text = { type: 'text', text: LINES, x: 0, y: 0, width, height, fontSize: SIZE, lineHeight: 1, color: COLOR };
  const layers = [{ ...text, fontWeight, customFontUrl: URL }];
  const { bytes, warnings } = await render({ canvas: { width, height, backgroundColor: '#fff' }, layers });
  t.same(warnings, []);
  return PNG.sync.read(Buffer.from(bytes));
}

t.test('paints every format as Chromium does', { skip: !CHROMIUM && 'Chromium is not installed' }, async (t) => {
  const open = await startChromium(t);
  const folder = mkdtempSync(join(tmpdir(), 'platen-color-'));
  t.teardown(() => rmSync(folder, { recursive: true }));
  for (const weight of [400, 900]) {
    const file = join(folder, `${weight}.html`);
    writeFileSync(
      file,
      `<!doctype html><meta charset="utf-8"><style>
      @font-face { font-family: Paints; src: url(${URL}); font-weight: 100 900 }
      body { margin: 0; overflow: hidden; background: #fff }
      div { position: absolute; left: 0; top: 0; font: ${weight} ${SIZE}px/1 Paints; color: ${COLOR}; white-space: pre }
      </style><div>${LINES}</div>`,
    );
    const page = await open(pathToFileURL(file).href);
    const metrics = { width, height, deviceScaleFactor: 1, mobile: false };
    await page.send('Emulation.setDeviceMetricsOverride', metrics);
    t.equal(await page.evaluate('document.fonts.ready.then((fonts) => [...fonts][0].status)'), 'loaded');
    const { data } = await page.send('Page.captureScreenshot', { format: 'png' });
    const [expected, found] = [PNG.sync.read(Buffer.from(data, 'base64')), await drawOurs(weight)];
    t.same([expected.width, expected.height], [width, height]);
    const wrong = new Array<number>(CHARACTERS.length).fill(0);
    for (let i = 0; i < found.data.length; i += 4) {
      const [x, y] = [(i / 4) % width, Math.floor(i / 4 / width)];
      const isWrong = [0, 1, 2].some((c) => Math.abs(found.data[i + c] - expected.data[i + c]) > MAX_DIFFERENCE);
      if (isWrong) wrong[Math.floor(y / SIZE) * COLUMNS + Math.floor(x / SIZE)]++;
    }
    const different = wrong.flatMap((count, i) => (count > MAX_PIXELS ? [`${TITLES[i]}: ${count} pixels`] : []));
    t.same(different, [], `weight ${weight}`);
  }
});
