// A QR code that scanners may fail on is drawn, with a warning that names the field.
import t from 'tap';
import { render } from '../../any-payload.js';

const code = { type: 'qrcode', x: 0, y: 0, width: 200, height: 200, data: 'https://example.com' };
const warned = async (layer: object) => {
  const { warnings } = await render({ canvas: { width: 200, height: 200 }, layers: [{ ...code, ...layer }] });
  return warnings.map(({ path, message }) => `${path} ${message}`);
};

t.test('a code with default settings has no warnings', async (t) => {
  t.same(await warned({}), []);
  t.same(await warned({ colorDark: '#14213d', colorLight: '#fff8e7', rotation: 10, borderRadius: 8 }), []);
  t.same(await warned({ width: 0 }), [], 'nor is there a doubt where nothing is drawn');
});

t.test('warns about modules under 2 pixels', async (t) => {
  // 25 modules and 4 on each side
  t.same(await warned({ width: 66 }), []);
  t.same(await warned({ width: 65.9 }), [
    'layers[0].data a module of the QR code is 1.9 pixels wide, expected at least 2: make the box larger or the data shorter',
  ]);
  t.match(await warned({ data: 'x'.repeat(1000) }), [/ is 1\.5 pixels wide/]);
});

t.test('warns about a quiet zone under 4 modules', async (t) => {
  t.same(await warned({ margin: 3 }), [
    'layers[0].margin the quiet zone is 3 modules wide, expected at least 4: scanners may not find the code',
  ]);
});

t.test('warns about low contrast', async (t) => {
  // #949494 on white is 3.03:1, #959595 2.99:1
  t.same(await warned({ colorDark: '#949494' }), []);
  t.same(await warned({ colorDark: '#959595' }), [
    'layers[0].colorDark the contrast of colorDark and colorLight is 2.9:1, expected at least 3:1',
  ]);
  t.match(await warned({ colorDark: 'red', colorLight: 'red' }), [/ is 1\.0:1/]);
});

t.test('warns about inverted codes', async (t) => {
  const inverted = [
    'layers[0].colorDark colorDark is lighter than colorLight: many scanners only read dark modules on a light background',
  ];
  t.same(await warned({ colorDark: 'white', colorLight: 'black' }), inverted);
  t.same(await warned({ colorDark: 'white', colorLight: 'transparent' }), inverted);
});

t.test('with translucent colours the best backdrop counts', async (t) => {
  t.same(await warned({ colorLight: 'transparent' }), [], 'black on what may be white');
  t.same(await warned({ colorDark: 'rgba(0, 0, 0, 0.5)' }), []);
  t.match(await warned({ colorDark: 'rgba(0, 0, 0, 0.3)' }), [/the contrast/]);
  t.match(await warned({ opacity: 0.3 }), [/the contrast/]);
  t.match(await warned({ colorDark: 'transparent' }), [/ is 1\.0:1/]);
});
