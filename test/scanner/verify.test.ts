// The field verify: codes are read back from the finished picture, and what can't be read is reported with its cause.
import t from 'tap';
import { IDENTITY } from '../../lib/geometry/affine.js';
import { RenderError } from '../../lib/index.js';
import type { PaintedCode } from '../../lib/layers/codes/painted-code.js';
import { Pixmap } from '../../lib/raster/pixmap.js';
import { type Readings, verifyCodes } from '../../lib/scanner/verify.js';
import { render } from '../any-payload.js';

const ADDRESS = 'https://example.com/tickets/4711?seat=12';

const qrcode = (more: object = {}) => ({
  type: 'qrcode',
  data: ADDRESS,
  x: 40,
  y: 40,
  width: 160,
  height: 160,
  verify: 'warn',
  ...more,
});

const shape = (x: number, y: number, width: number, height: number, fillColor = '#000000') => ({
  type: 'shape',
  shapeType: 'rectangle',
  x,
  y,
  width,
  height,
  fillColor,
});

const card = (layers: readonly object[], canvas: object = {}) => ({
  canvas: { width: 240, height: 240, backgroundColor: '#ffffff', ...canvas },
  layers,
});

/** The messages of the verification. */
async function problems(layers: readonly object[], canvas: object = {}): Promise<string[]> {
  const { warnings } = await render(card(layers, canvas));
  return warnings.flatMap(({ path, message }) => {
    const found = /^the painted code can't be read: (.*)$/.exec(message);
    return found ? [`${path} ${found[1]}`] : [];
  });
}

t.test('a code that scanners read has no warning', async (t) => {
  t.same(await problems([qrcode()]), []);
  t.same(await problems([qrcode({ data: 'Grüße aus 東京 🎉' })]), [], 'UTF-8');
  t.same(await problems([qrcode({ rotation: 30 })]), [], 'turned');
  t.same(await problems([qrcode({ rotation: 180 })]), [], 'upside down');
  t.same(await problems([qrcode({ colorDark: '#1e3a8a', colorLight: '#fef3c7' })]), [], 'coloured');
  t.same(await problems([qrcode()], { backgroundColor: 'transparent' }), [], 'on a transparent canvas');
  t.same(await problems([qrcode({ colorLight: 'transparent' })], { backgroundColor: 'transparent' }), [], 'on white');
  t.same(await problems([qrcode({ width: 80, height: 80 })], { scale: 2 }), [], 'scaled');
  t.same(await problems([qrcode({ width: 24, height: 24 })], { scale: 8 }), [], 'scaled from tiny');
});

t.test('large codes are read at a smaller scale', async (t) => {
  const size = { width: 4000, height: 4000 };
  t.same(await problems([qrcode({ x: 0, y: 0, ...size })], size), []);
});

t.test('each cause is named', async (t) => {
  const cause = async (layers: readonly object[], pattern: RegExp, name: string) => {
    const found = await problems(layers);
    t.equal(found.length, 1, name);
    t.match(found[0], pattern, name);
  };
  await cause(
    [qrcode({ width: 50, height: 50 })],
    /^layers\[0\]\.data a module is 1\.\d pixels wide, expected at least 2$/,
    'small',
  );
  await cause(
    [qrcode({ width: 90, height: 90, rotation: 20 })],
    /a module is 2\.\d pixels wide, expected at least 2\.5 where its edges are not on whole pixels$/,
    'small and turned',
  );
  await cause(
    [qrcode({ colorDark: '#dddddd' })],
    /its dark and light modules differ by 13 % in brightness, expected at least 15 %$/,
    'pale',
  );
  await cause([qrcode({ opacity: 0.1 })], /differ by \d+ % in brightness/, 'translucent');
  await cause([qrcode({ colorDark: '#ffffff', colorLight: '#000000' })], /its dark modules are lighter/, 'inverted');
  await cause(
    [qrcode({ colorDark: '#202020', colorLight: '#707070' })],
    /its surroundings are much lighter than its light modules$/,
    'a dark code on white',
  );
  await cause([qrcode(), shape(90, 90, 70, 70)], /^layers\[0\]\.data \d+ % of its modules are covered/, 'covered');
  await cause(
    [qrcode({ margin: 0 }), shape(30, 30, 10, 180)],
    /its quiet zone is 0 modules wide, expected at least 4/,
    'no quiet zone',
  );
  await cause([qrcode({ x: 120 })], /\d+ % of it lies off the canvas$/, 'partly off the canvas');
  await cause([qrcode({ x: 500 })], /it lies off the canvas$/, 'off the canvas');
  await cause([qrcode({ width: 0 })], /its box is empty$/, 'empty');
  await cause([qrcode({ flip: 'x' })], /it is mirrored$/, 'mirrored');
});

t.test('barcodes of every symbology are read back', async (t) => {
  const barcode = (symbology: string, data: string, more: object = {}) => ({
    type: 'barcode',
    symbology,
    data,
    x: 20,
    y: 20,
    width: 560,
    height: 200,
    verify: 'warn',
    ...more,
  });
  const codes: readonly [symbology: string, data: string][] = [
    ['code128', 'ABC-abc-123'],
    ['code39', 'PLATE 39'],
    ['ean13', '590123412345'],
    ['ean13', '0012345678905'],
    ['ean8', '1234567'],
    ['upca', '01234567890'],
    ['itf14', '1540014128876'],
    ['gs1-128', '(01)09521234543213(10)ABC123'],
    ['pdf417', 'Boarding pass: Grüße 東京'],
    ['datamatrix', 'Grüße 4711'],
    ['aztec', 'RAIL 1234567890 東京'],
  ];
  const size = { width: 600, height: 240 };
  for (const [symbology, data] of codes) {
    t.same(await problems([barcode(symbology, data)], size), [], symbology);
    t.same(await problems([barcode(symbology, data, { showText: true })], size), [], `${symbology} with text`);
    const found = await problems([barcode(symbology, data, { colorDark: '#dddddd' })], size);
    t.match(found[0], /differ by 13 % in brightness/, `pale ${symbology}`);
  }
  const turned = { width: 300, height: 300 };
  const box = { x: 20, y: 100, width: 260, height: 100 };
  t.same(await problems([barcode('code128', 'A-1', { ...box, rotation: 90 })], turned), [], 'turned');
  t.same(
    await problems([barcode('code128', 'A-1', { ...box, flip: 'x' })], turned),
    [],
    'bars are read from both ends',
  );
  t.match((await problems([barcode('code128', 'A-1', box), shape(60, 90, 20, 130)], turned))[0], /covered|quiet zone/);
});

t.test('a logo that hides too much is named', async (t) => {
  const url =
    "data:image/svg+xml,<svg xmlns='http://www.w3.org/2000/svg' width='8' height='8'><rect width='8' height='8' fill='red'/></svg>";
  const code = (size: number, padding = 0) =>
    qrcode({ errorCorrectionLevel: 'Q', logo: { url, size, padding, backgroundColor: '#ffffff' } });
  t.same(await problems([code(0.2)]), []);
  t.match((await problems([code(0.3, 24)]))[0], /its logo changes \d+ % of the modules/);
});

t.test('a code is judged by its own picture, not by another code beside it', async (t) => {
  const [first, second] = [qrcode({ x: 20, width: 160 }), qrcode({ x: 200 })];
  const found = await problems([first, second, shape(220, 60, 120, 120)], { width: 400 });
  t.equal(found.length, 1);
  t.match(found[0], /^layers\[1\]\.data /);
});

t.test('verify: error fails the render and lists every code that can’t be read', async (t) => {
  const bad = { verify: 'error', colorDark: '#eeeeee' };
  const layers = [qrcode({ ...bad, id: 'first' }), qrcode({ verify: 'error' }), qrcode({ ...bad, x: 30 })];
  const error = await render(card([layers[0], shape(0, 0, 0, 0), layers[2]])).catch((cause: unknown) => cause);
  t.ok(error instanceof RenderError);
  const { code, message, details } = error as RenderError;
  t.equal(code, 'render_failed');
  t.match(message, /^layers\[0\]\.data: the painted code can't be read: /);
  t.same(
    details.map(({ path, layerId }) => [path, layerId]),
    [
      ['layers[0].data', 'first'],
      ['layers[2].data', undefined],
    ],
  );
  await t.resolves(render(card([layers[1]])));
});

t.test('off, the default, reads nothing', async (t) => {
  t.same(await problems([qrcode({ verify: undefined, colorDark: '#eeeeee' })]), []);
  t.same(await problems([qrcode({ verify: 'off', colorDark: '#eeeeee' })]), []);
});

t.test('a hidden code is not read', async (t) => {
  t.same(await problems([qrcode({ verify: 'error', visible: false, colorDark: '#eeeeee' })]), []);
});

t.test('other values are refused', async (t) => {
  await t.rejects(render(card([qrcode({ verify: 'always' })])), {
    code: 'render_failed',
    message: /layers\[0\]\.verify: received "always", expected/,
  });
});

t.test('workers read codes, too', async (t) => {
  const { createRenderer } = await import('../any-payload.js');
  const renderer = createRenderer({ workers: 1 });
  t.teardown(() => renderer.close());
  const { warnings } = await renderer.render(card([qrcode({ colorDark: '#dddddd' })]));
  t.ok(warnings.some(({ message }) => message.startsWith("the painted code can't be read")));
  await t.rejects(renderer.render(card([qrcode({ verify: 'error', colorDark: '#dddddd' })])), {
    code: 'render_failed',
  });
});

t.test('a code is not read again while the pixels around it are the same', async (t) => {
  const pixmap = new Pixmap(200, 200);
  const code: PaintedCode = {
    symbology: 'qrcode',
    data: 'a',
    symbol: { left: 8, top: 8, right: 71, bottom: 71 },
    columns: 21,
    rows: 21,
    dark: new Uint8Array(21 * 21).fill(1),
    toCanvas: IDENTITY,
    quietZone: 4,
    isSnapped: true,
  };
  const readings: Readings = new WeakMap();
  const [found] = await verifyCodes(pixmap, [code], { readings });
  t.match(found, { message: String });
  const known = readings.get(code);
  const earlier = { cause: 'too small', message: 'found earlier' } as const;
  readings.set(code, { pixels: known?.pixels ?? new Uint32Array(), problem: earlier });
  t.same(await verifyCodes(pixmap, [code], { readings }), [earlier]);
  pixmap.words[199 * 200 + 199] = 1;
  t.same(await verifyCodes(pixmap, [code], { readings }), [earlier], 'a pixel far away');
  pixmap.words[40 * 200 + 40] = 1;
  t.same(await verifyCodes(pixmap, [code], { readings }), [found]);
});
