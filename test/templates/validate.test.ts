// `validate` of the library: all errors and warnings in one result, without rendering.

import t from 'tap';
import { SYMBOLOGY_INFO } from '../../lib/barcodes/symbologies.js';
import { validate } from '../../lib/index.js';
import { render } from '../any-payload.js';

const box = { x: 0, y: 0, width: 40, height: 40 };
const canvas = { width: 100, height: 50 };
const drawn = (...layers: object[]) => ({ canvas, layers });

t.test('accepts a valid payload', async (t) => {
  const payload = drawn({ type: 'text', text: 'a', ...box }, { type: 'image', url: 'https://example.com/a', ...box });
  t.same(validate(payload), { valid: true, details: [], warnings: [] });
});

t.test('reports every fault with its path, without throwing', async (t) => {
  const payload = {
    canvas: { width: 0, height: 50 },
    layers: [
      { type: 'text', ...box, text: 'a', opacity: 7 },
      { type: 'image', id: 'logo', ...box, url: 'ftp://example.com/a.png' },
      { type: 'qrcode', ...box, data: 'x'.repeat(5000) },
    ],
  };
  const { valid, details } = validate(payload);
  t.equal(valid, false);
  t.same(
    details.map(({ path }) => path),
    ['canvas.width', 'layers[0].opacity', 'layers[1].url', 'layers[2].data'],
  );
  t.match(details[2], { layerId: 'logo', message: /the scheme ftp: is not supported/ });
});

t.test('checks the data of barcodes, the level of a code with a logo, and what scanners need', async (t) => {
  const barcode = { type: 'barcode', symbology: 'ean13', ...box, data: '590123412345' };
  const wrong = validate({
    canvas: { width: 10, height: 10 },
    layers: [
      { ...barcode, data: '5901234123450' },
      { type: 'qrcode', ...box, data: 'a', logo: { url: 'https://example.com/a.png' } },
      { type: 'qrcode', ...box, data: 'a', errorCorrectionLevel: 'H', logo: { url: 'ftp://example.com/a.png' } },
    ],
  });
  t.match(wrong.details, [
    { path: 'layers[0].data', message: /its check digit is 7$/ },
    { path: 'layers[1].errorCorrectionLevel', message: /^received "M", expected "Q" or "H"/ },
    { path: 'layers[2].logo.url', message: /the scheme ftp: is not supported/ },
  ]);
  const doubtful = validate({
    canvas: { width: 10, height: 10 },
    layers: [{ ...barcode, margin: 3, colorDark: '#eee', fontSize: 12 }],
  });
  t.equal(doubtful.valid, true);
  t.same(doubtful.warnings.map(({ path }) => path).sort(), [
    'layers[0].colorDark',
    'layers[0].fontSize',
    'layers[0].margin',
  ]);
});

t.test('warns about unknown fields and font families', async (t) => {
  const { valid, warnings } = validate(drawn({ type: 'text', text: 'a', ...box, fontFamily: 'Intre', colour: 'red' }));
  t.equal(valid, true);
  t.same(
    warnings.map(({ path }) => path),
    ['layers[0].colour', 'layers[0].fontFamily'],
  );
  t.match(warnings[1].message, 'did you mean "Inter"?');
});

t.test('rejects local paths without a base directory, and opens no file', async (t) => {
  const payload = drawn({ type: 'image', url: 'nowhere.png', ...box });
  t.match(validate(payload).details, [{ path: 'layers[0].url', message: /received "nowhere.png"/ }]);
  t.equal(validate(payload, { baseDirectory: '/' }).valid, true);
});

t.test('checks a template alone and with variables', async (t) => {
  const hotspot = { key: 'title', label: 'Title', type: 'text', ...box };
  const template = { name: 'card', ...canvas, hotspots: [hotspot] };
  t.same(validate(template), { valid: true, details: [], warnings: [] });
  t.same(validate(template, { variables: { title: 'a' } }), { valid: true, details: [], warnings: [] });
  t.match(validate(template, { variables: { title: { fontSize: -1, text: 'a' } } }), {
    valid: false,
    details: [{ path: 'variables.title', message: /fontSize/ }],
  });
  t.match(validate(template, { variables: { titel: 'a' } }), { valid: true, warnings: [{ path: 'variables.titel' }] });
  t.match(validate(template, { variables: [] as never }), { valid: false, details: [{ path: 'variables' }] });
});

t.test('rejects any other value with a reason', async (t) => {
  for (const value of [undefined, null, 1, 'a', [], {}, new Date(), () => 1]) {
    const { valid, details } = validate(value);
    t.equal(valid, false);
    t.equal(details.length, 1, String(value));
  }
  t.match(validate(drawn(...Array.from({ length: 3 }, () => ({}))), { maxLayers: 2 }).details[0], { path: 'layers' });
});

t.test('does not check the data that a hotspot leaves to its variable', async (t) => {
  for (const symbology of Object.keys(SYMBOLOGY_INFO)) {
    const hotspot = { key: 'code', label: 'Code', type: 'barcode', symbology, x: 0, y: 0, width: 300, height: 100 };
    const { valid, details } = validate({ name: 'Label', width: 300, height: 100, hotspots: [hotspot] });
    t.ok(valid, `${symbology}: ${JSON.stringify(details)}`);
  }
});

t.test('rejects groups whose effects need too much memory at once', async (t) => {
  const wide = { x: 0, y: 0, width: 8192, height: 8192 };
  const nested = (levels: number, side: number) => {
    let layer: object = { type: 'shape', shapeType: 'circle', ...wide };
    for (let i = 0; i < levels; i++) {
      layer = { type: 'group', id: 'deep', ...wide, opacity: 0.5, clipPath: 'circle(50%)', layers: [layer] };
    }
    return { canvas: { width: side, height: side }, layers: [{ type: 'shape', shapeType: 'circle', ...box }, layer] };
  };
  t.match(validate(nested(16, 8192)).details, [
    {
      code: 'limit_exceeded',
      path: 'layers[1]',
      message:
        'received groups whose effects may need 8.2 GiB at once, expected at most 4 GiB: fewer levels with effects or a smaller canvas',
    },
  ]);
  await t.rejects(render(nested(16, 8192)), { code: 'render_failed', message: /layers\[1\]: received groups whose/ });
  t.ok(validate(nested(16, 4096)).valid);
  t.ok(validate(nested(4, 8192)).valid);
  const everything = {
    ...{ type: 'text', ...wide, text: 'a', opacity: 0.5, blendMode: 'multiply', shadow: { offsetX: 9000 } },
    ...{ filter: 'blur(9px) drop-shadow(9999px 9px 9px)', backdropFilter: 'blur(9px) drop-shadow(9px 9px 9px)' },
    ...{ maskImage: 'linear-gradient(red, blue)', clipPath: 'circle(50%)' },
  };
  t.ok(validate({ canvas: { width: 8192, height: 8192 }, layers: [everything] }).valid, 'a single layer may have all');
});
