// Barcode layers, read back by a scanner; where their bars lie, and the text beneath them.
import t from 'tap';
import { BLACK, draw, type Picture, WHITE } from '../picture.js';
import { type Scanned, scan } from './scan.js';

function code(symbology: string, data: string, more: object = {}): object {
  return { type: 'barcode', symbology, data, x: 10, y: 10, width: 380, height: 140, ...more };
}

/** One of each symbology, with what a scanner reads. */
const CODES: readonly (readonly [symbology: string, data: string, text: string])[] = [
  ['code128', 'Ticket 4711/b', 'Ticket 4711/b'],
  ['code39', 'LOT-39 A', 'LOT-39 A'],
  ['ean13', '590123412345', '5901234123457'],
  ['ean8', '9638507', '96385074'],
  // scanners report a UPC-A as the EAN-13 that it is
  ['upca', '03600029145', '0036000291452'],
  ['itf14', '0540014128876', '05400141288766'],
  ['gs1-128', '(01)09521234543213(10)AB', '(01)09521234543213(10)AB'],
  ['pdf417', 'Boarding: Grüße, 東京 ^1', 'Boarding: Grüße, 東京 ^1'],
  ['datamatrix', 'Grüße, 東京 ^1', 'Grüße, 東京 ^1'],
  ['aztec', 'Grüße, 東京 ^1', 'Grüße, 東京 ^1'],
];

const CANVAS = { width: 400, height: 160, backgroundColor: '#ffffff' };

async function scanned(layer: object, canvas: object = CANVAS): Promise<Scanned[]> {
  return scan(await draw([layer], canvas));
}

t.test('every symbology is read back, with and without text', async (t) => {
  for (const [symbology, data, text] of CODES) {
    for (const showText of [false, true]) {
      const found = await scanned(code(symbology, data, { showText }));
      t.same(
        found.map((each) => each.text),
        [text],
        `${symbology}, text ${showText}`,
      );
    }
  }
});

t.test('a turned, coloured or translucent code is read back', async (t) => {
  const canvas = { width: 900, height: 900, backgroundColor: '#ffffff' };
  const large = { width: 840, height: 300, x: 30, y: 300 };
  for (const [symbology, data, text] of CODES) {
    // a scanner's lines must cross all bars
    const angle = ['datamatrix', 'aztec'].includes(symbology) ? 20 : 6;
    for (const rotation of [90, 180, angle]) {
      const found = await scanned(code(symbology, data, { ...large, rotation }), canvas);
      t.same(
        found.map((each) => each.text),
        [text],
        `${symbology}, ${rotation} degrees`,
      );
    }
    const colors = { colorDark: '#1e3a8a', colorLight: '#fef3c7', opacity: 0.9 };
    t.same(
      (await scanned(code(symbology, data, colors))).map((each) => each.text),
      [text],
      `${symbology}, coloured`,
    );
  }
});

/** Columns of a row as runs of equal pixels. */
function runs(picture: Picture, y: number): { start: number; length: number; isDark: boolean }[] {
  const found: { start: number; length: number; isDark: boolean }[] = [];
  for (let x = 0; x < picture.width; x++) {
    const pixel = picture.at(x, y);
    const isDark = pixel[0] < 128;
    const last = found[found.length - 1];
    if (last?.isDark === isDark) last.length++;
    else found.push({ start: x, length: 1, isDark });
  }
  return found;
}

t.test('bars are whole pixels wide, all modules alike, in the middle of the box', async (t) => {
  // 95 modules and a quiet zone of 11 and 7: 3 pixels each, and 41 pixels are left
  const picture = await draw([code('ean13', '5901234123457')], CANVAS);
  for (let x = 0; x < 400; x++) {
    const pixel = picture.at(x, 80);
    t.ok(pixel[0] === 0 || pixel[0] === 255, `no grey at ${x}`);
  }
  const found = runs(picture, 80);
  t.ok(found.slice(1, -1).every(({ length }) => length % 3 === 0));
  t.equal(found[1].start, 10 + 21 + 33);
  t.same(
    [picture.at(64, 10), picture.at(64, 149), picture.at(64, 9), picture.at(64, 150)],
    [BLACK, BLACK, WHITE, WHITE],
  );
});

t.test('a quarter turn and half pixels keep the bars whole', async (t) => {
  const canvas = { width: 400, height: 400, backgroundColor: '#ffffff' };
  for (const more of [
    { rotation: 90, y: 130 },
    { x: 10.5, y: 10.4, width: 379.7 },
  ]) {
    const { data } = await draw([code('code128', 'whole', more)], canvas);
    t.same(
      [...new Set(data)].sort((a, b) => a - b),
      [0, 255],
    );
  }
});

t.test('at any scale of the canvas, and mirrored, bars are whole pixels of it', async (t) => {
  for (const scale of [1.5, 2, 0.75, 1.1]) {
    for (const flip of [undefined, 'both']) {
      const { data } = await draw([code('ean13', '590123412345', { flip })], { ...CANVAS, scale });
      const grey = data.filter((value) => value > 0 && value < 255).length / data.length;
      t.ok(grey < 0.02, `${scale} ${flip}: only the box's edges may be between pixels`);
    }
  }
  const doubled = await draw([code('code128', 'narrow', { width: 150 })], { ...CANVAS, scale: 2 });
  t.same(doubled.warnings, [], 'two pixels for a module');
});

t.test('a module is never less than the box allows: without room for whole pixels, bars are blurred', async (t) => {
  const picture = await draw([code('code128', 'narrow', { width: 60 })], CANVAS);
  t.ok([...picture.data].some((value) => value > 0 && value < 255));
  t.match(picture.warnings, [{ path: 'layers[0].data', message: /^a module of the barcode is 0\.\d pixels wide/ }]);
});

t.test('the quiet zone is the standard’s, or what margin says', async (t) => {
  const first = async (more: object) =>
    runs(await draw([code('code128', 'A', { x: 0, width: 400, ...more })], CANVAS), 80)[1].start;
  // start, one character, check and stop: 46 modules
  t.equal(await first({}), Math.floor((400 - 66 * 6) / 2) + 60);
  t.equal(await first({ margin: 0 }), (400 - 46 * 8) / 2);
});

t.test('a PDF417 has the columns that fill its box', async (t) => {
  const data = 'x'.repeat(120);
  for (const [width, height] of [
    [390, 60],
    [200, 150],
    [390, 150],
  ]) {
    const picture = await draw([code('pdf417', data, { x: 0, y: 0, width, height, margin: 0 })], CANVAS);
    const inside = runs(picture, Math.round(height / 2));
    const dark = inside.filter(({ isDark }) => isDark);
    const extent = dark[dark.length - 1].start + dark[dark.length - 1].length - dark[0].start;
    t.ok(extent > 0.5 * width, `${width} × ${height}: ${extent} wide`);
    t.same(
      (await scan(picture)).map(({ text }) => text),
      [data],
    );
  }
});

t.test('digits of EAN and UPC stand beneath their bars, between longer guards', async (t) => {
  const picture = await draw([code('ean13', '5901234123457', { showText: true, fontSize: 20 })], CANVAS);
  const dark = (y: number) => runs(picture, y).filter(({ isDark }) => isDark);
  // 150 - 24: the bars end where the text begins, the guards 12 pixels lower
  t.equal(dark(125).length, 30);
  t.equal(dark(127).length, 6);
  t.ok(dark(142).length > 12, 'digits');
});

t.test('shrinks text that does not fit and warns about a fontSize of its own', async (t) => {
  const wide = await draw(
    [code('datamatrix', 'a long text beneath a small code', { width: 120, showText: true })],
    CANVAS,
  );
  t.same(wide.warnings, []);
  const tiny = await draw([code('datamatrix', 'x'.repeat(100), { width: 120, showText: true })], CANVAS);
  t.match(tiny.warnings, [
    { path: 'layers[0].showText', message: /^the text is drawn at \d\.\d px, expected at least 5/ },
  ]);
  const large = await draw([code('ean13', '5901234123457', { showText: true, fontSize: 60 })], CANVAS);
  t.match(large.warnings, [
    { path: 'layers[0].fontSize', message: /^the text does not fit at 60 px: it is drawn at \d+/ },
  ]);
});

t.test('warns about a font that is not there, low contrast and a narrow quiet zone', async (t) => {
  const doubtful = code('ean8', '96385074', { showText: true, fontFamily: 'Nowhere', colorDark: '#cccccc', margin: 2 });
  const { warnings } = await draw([doubtful], CANVAS);
  t.same(
    warnings.map(({ path }) => path),
    ['layers[0].fontFamily', 'layers[0].colorDark', 'layers[0].margin'],
  );
});

t.test('what only the encoder sees fails with the path of the data', async (t) => {
  for (const [symbology, data, expected] of [
    ['gs1-128', '(17)251332', /month/i],
    ['gs1-128', `(99)${'A'.repeat(91)}`, /AI 99: Too long/i],
    ['gs1-128', '(9)1', /application identifiers/],
    ['datamatrix', 'x'.repeat(3000), /too long/],
    ['pdf417', 'é'.repeat(1500), /too long/],
    ['aztec', '中'.repeat(1200), /too long/],
  ] as const) {
    await t.rejects(draw([code(symbology, data)], CANVAS), {
      code: 'render_failed',
      message: expected,
      details: [{ path: 'layers[0].data' }],
    });
  }
});

t.test('draws nothing in an empty box, and over an empty canvas only the box', async (t) => {
  const { data } = await draw([code('ean8', '96385074', { width: 0 })], { width: 40, height: 30 });
  t.notOk(data.some((value) => value > 0));
});
