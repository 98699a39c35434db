// Boxes as Chromium paints them and as layers do, side by side.
import { PNG } from 'pngjs';
import { render } from '../../any-payload.js';
import type { Page } from '../../chromium.js';
import { draw } from '../picture.js';

/** A box: its declarations in CSS, and the layer of the same place without them. */
export interface BoxCase {
  readonly css: string;
  readonly layer: object;
  readonly width?: number;
  readonly height?: number;
}

export interface Compared {
  readonly css: string;
  readonly ssim: number;
  /** The same for the SVG, which Chromium paints. */
  readonly svg: number;
}

const CELL = { width: 200, height: 150 };
const COLUMNS = 6;

/** How alike the boxes are, each on a white cell of its own. `keep` receives both pictures. */
export async function compareBoxes(
  page: Page,
  cases: readonly BoxCase[],
  keep?: (chromium: PNG, platen: PNG) => void,
): Promise<Compared[]> {
  const size = { width: COLUMNS * CELL.width, height: Math.ceil(cases.length / COLUMNS) * CELL.height };
  const places = cases.map(({ width = 150, height = 100 }, i) => ({
    x: (i % COLUMNS) * CELL.width + 24,
    y: Math.floor(i / COLUMNS) * CELL.height + 24,
    width,
    height,
  }));
  const html = cases.map(
    ({ css }, i) =>
      `<div style="position:absolute;box-sizing:border-box;left:${places[i].x}px;top:${places[i].y}px;` +
      `width:${places[i].width}px;height:${places[i].height}px;${css}"></div>`,
  );
  await page.send('Emulation.setDeviceMetricsOverride', { ...size, deviceScaleFactor: 1, mobile: false });
  await page.evaluate(
    `document.body.style = 'margin:0;background:#fff'; document.body.innerHTML = ${JSON.stringify(html.join(''))}`,
  );
  const expected = await screenshot(page);
  const layers = cases.map(({ layer }, i) => ({ type: 'group', layers: [], ...places[i], ...layer }));
  const actual = await draw(layers, { ...size, backgroundColor: '#ffffff' });
  const payload = { canvas: { ...size, backgroundColor: '#ffffff' }, layers };
  const { bytes } = await render(payload, { format: 'svg' });
  await page.evaluate(
    `document.body.innerHTML = ${JSON.stringify(`<div style="overflow:hidden;height:${size.height}px">${Buffer.from(bytes)}</div>`)}`,
  );
  const vector = await screenshot(page);
  keep?.(expected, Object.assign(new PNG(size), { data: Buffer.from(actual.data) }));
  return cases.map(({ css }, i) => {
    const cell = { x: (i % COLUMNS) * CELL.width, y: Math.floor(i / COLUMNS) * CELL.height, ...CELL };
    const wanted = lumaOf(expected.data, size.width, cell);
    const likeness = ({ data }: { data: Uint8Array }) => meanSsim(wanted, lumaOf(data, size.width, cell), CELL);
    return { css, ssim: likeness(actual), svg: likeness(vector) };
  });
}

async function screenshot(page: Page): Promise<PNG> {
  await page.evaluate('new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))');
  const { data } = await page.send('Page.captureScreenshot', { format: 'png' });
  return PNG.sync.read(Buffer.from(data, 'base64'));
}

interface Cell {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

function lumaOf(data: Uint8Array, stride: number, { x, y, width, height }: Cell): Float64Array {
  return Float64Array.from({ length: width * height }, (_, i) => {
    const at = 4 * ((y + Math.floor(i / width)) * stride + x + (i % width));
    return 0.299 * data[at] + 0.587 * data[at + 1] + 0.114 * data[at + 2];
  });
}

const RADIUS = 5;
const GAUSSIAN = Array.from({ length: 2 * RADIUS + 1 }, (_, i) => Math.exp(-((i - RADIUS) ** 2) / 4.5));
const WEIGHTS = GAUSSIAN.map((weight) => weight / GAUSSIAN.reduce((sum, each) => sum + each, 0));
const C1 = (0.01 * 255) ** 2;
const C2 = (0.03 * 255) ** 2;

/** The mean structural similarity (Wang et al. 2004) of two grey pictures. */
export function meanSsim(one: Float64Array, other: Float64Array, { width, height }: Omit<Cell, 'x' | 'y'>): number {
  const smooth = (valueAt: (i: number) => number) => {
    const values = Float64Array.from(one, (_, i) => valueAt(i));
    const columns = width - 2 * RADIUS;
    const rows = new Float64Array(columns * height);
    for (let i = 0; i < rows.length; i++) {
      const from = Math.floor(i / columns) * width + (i % columns);
      for (let k = 0; k < WEIGHTS.length; k++) rows[i] += WEIGHTS[k] * values[from + k];
    }
    const smoothed = new Float64Array(columns * (height - 2 * RADIUS));
    for (let i = 0; i < smoothed.length; i++) {
      for (let k = 0; k < WEIGHTS.length; k++) smoothed[i] += WEIGHTS[k] * rows[i + k * columns];
    }
    return smoothed;
  };
  const a = smooth((i) => one[i]);
  const b = smooth((i) => other[i]);
  const aa = smooth((i) => one[i] * one[i]);
  const bb = smooth((i) => other[i] * other[i]);
  const ab = smooth((i) => one[i] * other[i]);
  const sum = a.reduce((total, p, i) => {
    const q = b[i];
    const [va, vb, both] = [aa[i] - p * p, bb[i] - q * q, ab[i] - p * q];
    return total + ((2 * p * q + C1) * (2 * both + C2)) / ((p * p + q * q + C1) * (va + vb + C2));
  }, 0);
  return sum / a.length;
}
