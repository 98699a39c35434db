// QR code layers, read back by the zbar scanner.
import jsqrNs from 'jsqr';
import t from 'tap';
import { BLACK, CLEAR, draw, inkOf, type Picture, RED, WHITE } from '../picture.js';

const jsQR = jsqrNs as unknown as typeof jsqrNs.default;

function code(data: string, side: number, more: object = {}): object {
  return { type: 'qrcode', data, x: 10, y: 10, width: side, height: side, ...more };
}

function scan({ data, width, height }: Picture): string | undefined {
  return jsQR(new Uint8ClampedArray(data), width, height)?.data;
}

const ADDRESS = 'https://example.com/tickets/4711?seat=12';

async function scanned(layer: object, size = 220, backgroundColor = '#ffffff'): Promise<string | undefined> {
  return scan(await draw([layer], { width: size, height: size, backgroundColor }));
}

// fault: 68
t.test('codes of every level scan', async (t) => {
  for (const errorCorrectionLevel of ['L', 'M', 'Q', 'H']) {
    t.equal(await scanned(code(ADDRESS, 180, { errorCorrectionLevel })), ADDRESS, errorCorrectionLevel);
  }
});

t.test('a higher level has more modules, M is the default', async (t) => {
  const of = (more: object) => draw([code(ADDRESS, 180, more)], { width: 200, height: 200 });
  const plain = await of({});
  t.same((await of({ errorCorrectionLevel: 'M' })).data, plain.data);
  t.notSame((await of({ errorCorrectionLevel: 'H' })).data, plain.data);
});

t.test('rotated codes scan', async (t) => {
  for (const rotation of [7, 45, 90, 133, 180, -20]) {
    const layer = code(ADDRESS, 150, { rotation, x: 35, y: 35 });
    t.equal(await scanned(layer), ADDRESS, `${rotation} degrees`);
  }
});

t.test('codes with modules of 3 px and fractional module sizes scan', async (t) => {
  // version 3 has 29 modules, 37 with its quiet zone
  t.equal(await scanned(code(ADDRESS, 37 * 3), 140), ADDRESS);
  for (const side of [115, 121, 133]) t.equal(await scanned(code(ADDRESS, side), 160), ADDRESS, `${side} px`);
});

t.test('coloured, rounded and translucent codes scan', async (t) => {
  t.equal(await scanned(code(ADDRESS, 180, { colorDark: '#1e3a8a', colorLight: '#fef3c7' })), ADDRESS);
  t.equal(await scanned(code(ADDRESS, 180, { borderRadius: 24 })), ADDRESS);
  t.equal(await scanned(code(ADDRESS, 180, { opacity: 0.8 })), ADDRESS);
  t.equal(await scanned(code(ADDRESS, 180, { colorLight: 'transparent' })), ADDRESS);
});

// fault: 68
t.test('any script is encoded as UTF-8', async (t) => {
  for (const data of [
    'Grüße aus Köln',
    'Привет, мир',
    '東京都港区',
    'مرحبا',
    '🎉 party 🎉',
    '0123456789',
    ' ',
    'A'.repeat(300),
  ]) {
    t.equal(await scanned(code(data, 300), 320), data, data.slice(0, 20));
  }
});

t.test('the quiet zone is 4 modules by default and configurable', async (t) => {
  // "x" at level M fits version 1: 21 modules
  const darkLeft = async (more: object, side: number) => {
    const picture = await draw([code('x', side, more)], { width: 120, height: 120 });
    for (let x = 10; x < 120; x++)
      if (picture.at(x, 10 + (x - 10))[0] === 0 && picture.at(x, x)[3] === 255) return x - 10;
    return -1;
  };
  t.equal(await darkLeft({}, 29 * 3), 12);
  t.equal(await darkLeft({ margin: 0 }, 21 * 3), 0);
  t.equal(await darkLeft({ margin: 2 }, 25 * 3), 6);
});

t.test('module edges are whole pixels: an upright code has exactly two colours', async (t) => {
  const picture = await draw([code(ADDRESS, 101.5, { x: 3.3, y: 4.7, colorDark: '#ff0000' })], {
    width: 120,
    height: 120,
  });
  const seen = new Set<string>();
  for (let y = 0; y < 120; y++) for (let x = 0; x < 120; x++) seen.add(picture.at(x, y).join());
  t.same(seen, new Set([CLEAR.join(), WHITE.join(), RED.join()]));
});

t.test('in an oblong box the code is centred and colorLight fills the box', async (t) => {
  const layer = { ...code('x', 0, { margin: 0, colorLight: '#ff0000' }), width: 103, height: 63 };
  const picture = await draw([layer], { width: 120, height: 90 });
  t.same(inkOf(picture), { left: 10, top: 10, right: 113, bottom: 73 });
  t.same(picture.at(11, 40), RED);
  t.same(picture.at(29, 11), RED);
  t.same(picture.at(30, 11), BLACK, 'the finder begins in the middle 63 px');
  t.same(picture.at(112, 40), RED);
});

t.test('borderRadius rounds the whole box', async (t) => {
  const picture = await draw([code('x', 87, { borderRadius: 20 })], { width: 110, height: 110 });
  t.same(picture.at(10, 10), CLEAR);
  t.same(picture.at(96, 96), CLEAR);
  t.same(picture.at(53, 11), WHITE);
});

// fault: 68
t.test('rejects too much data; a zero-size code draws nothing', async (t) => {
  const draws = (data: string, errorCorrectionLevel: string) => draw([code(data, 20, { errorCorrectionLevel })]);
  await t.rejects(draws('x'.repeat(1274), 'H'), {
    code: 'render_failed',
    details: [{ path: 'layers[0].data', message: /1274 bytes/ }],
  });
  await t.resolves(draws('x'.repeat(1273), 'H'));
  await t.rejects(draws('é'.repeat(1477), 'L'), { code: 'render_failed' }, 'bytes count, not characters');
  t.equal(inkOf(await draw([code('x', 0)])), undefined);
});
