// PDF documents: their structure, what is painted as what, and their bytes.
import { readFileSync } from 'node:fs';
import t from 'tap';
import { fixture } from '../codecs/pictures.js';
import { pdfOf, readable, shape, text, withTool } from './document.js';

const url = (bytes: Uint8Array, type: string) => `data:image/${type};base64,${Buffer.from(bytes).toString('base64')}`;
const image = (more: object) => ({ type: 'image', x: 20, y: 20, width: 96, height: 64, ...more });

const CANVAS = { width: 400, height: 200, backgroundColor: '#fff' };

const EVERYTHING = [
  shape({ fillColor: 'linear-gradient(90deg, #f00, rgb(0 0 255 / 0.2) 60%, #0f0)' }),
  shape({ x: 150, shapeType: 'circle', fillColor: 'radial-gradient(circle, #ff0 20%, #f0f)', opacity: 0.5 }),
  shape({ x: 270, fillColor: 'conic-gradient(red, blue)', border: { width: 3, color: '#000', dash: [8, 4] } }),
  shape({ y: 120, blendMode: 'multiply', shadow: { blur: 8, offsetX: 2, offsetY: 2, color: '#0008' } }),
  shape({ x: 150, y: 120, clipPath: 'circle(40%)', filter: 'blur(2px)' }),
  image({ x: 270, y: 120, url: url(fixture('quadrants-rgb.jpg'), 'jpeg'), mask: 'circle' }),
  {
    type: 'group',
    x: 10,
    y: 220,
    width: 300,
    height: 60,
    opacity: 0.7,
    layers: [text({ x: 0, y: 0, text: 'In 😀 group' })],
  },
];

t.test('the same document makes the same bytes, whose structure is sound', async (t) => {
  const pdf = await pdfOf([EVERYTHING, [text({ text: 'Second page' })]]);
  t.ok(pdf.equals(await pdfOf([EVERYTHING, [text({ text: 'Second page' })]])));
  t.match(pdf.subarray(0, 9).toString('latin1'), '%PDF-1.7\n');
  t.match(readable(pdf), /\/Count 2>>/);
  t.notMatch(readable(pdf), /CreationDate|NaN|Infinity|undefined/);
  const checked = withTool(pdf, 'qpdf', (path) => ['--check', path]);
  t.match(checked ?? 'No syntax or stream encoding errors', 'No syntax or stream encoding errors');
  const fonts = withTool(pdf, 'pdffonts', (path) => [path]);
  const lines = (fonts ?? '')
    .split('\n')
    .slice(2)
    .filter((line) => line !== '');
  for (const line of lines) t.match(line, /yes yes yes/, 'embedded, a subset, with the text of its glyphs');
});

t.test('a pixel is 0.75 points, times the scale of the canvas', async (t) => {
  t.match(readable(await pdfOf([[]], {}, CANVAS)), '/MediaBox[0 0 300 150]');
  t.match(readable(await pdfOf([[]], {}, { ...CANVAS, scale: 2 })), '/MediaBox[0 0 600 300]');
});

t.test('bleed and crop marks lie around the trimmed page', async (t) => {
  const pdf = readable(await pdfOf([[shape({ x: -20 })]], { bleed: 8, cropMarks: true }, CANVAS));
  t.match(pdf, '/MediaBox[0 0 348 198]/TrimBox[24 24 324 174]/BleedBox[18 18 330 180]');
  t.match(pdf, '-16 -16 m\n816 -16 l\n816 416 l', 'the background goes into the bleed');
});

t.test('information is in the document if it is given', async (t) => {
  const date = '2026-11-28T10:20:30+01:00';
  const pdf = readable(await pdfOf([[]], { title: 'Žlutý (kůň)', author: 'A (b)', date, language: 'cs' }));
  t.match(pdf, "/Author(A \\(b\\))/CreationDate(D:20261128102030+01'00')");
  t.match(pdf, '/Title<feff017d006c0075');
  t.match(pdf, '/Lang(cs)');
});

t.test('gradients are shadings, and their alpha a mask', async (t) => {
  const opaque = readable(await pdfOf([[shape({ fillColor: 'linear-gradient(red, blue)' })]]));
  t.match(opaque, /\/ShadingType 2\/ColorSpace\/DeviceRGB/);
  t.notMatch(opaque, /Luminosity|\/Image/);
  const faded = readable(await pdfOf([[shape({ fillColor: 'radial-gradient(red, transparent)' })]]));
  t.match(faded, /\/ShadingType 3\/ColorSpace\/DeviceGray/);
  t.match(faded, '/S/Luminosity');
});

t.test('clip paths are clips, masks are masks, and blurs are pictures', async (t) => {
  const clipped = readable(await pdfOf([[shape({ clipPath: 'circle(40%)' })]]));
  t.match(clipped, /h\nW n/);
  t.notMatch(clipped, '/SMask<<');
  t.match(readable(await pdfOf([[shape({ maskImage: 'linear-gradient(#000, transparent)' })]])), '/S/Alpha');
  t.match(readable(await pdfOf([[shape({ filter: 'blur(3px)' })]])), '/Subtype/Image');
  t.match(readable(await pdfOf([[shape({ blendMode: 'color-dodge' })]])), '/BM/ColorDodge');
  const lighter = [shape({}), shape({ fillColor: '#040', blendMode: 'plus-lighter' })];
  t.match(readable(await pdfOf([lighter])), '/Subtype/Image', 'PDF has no such mode');
});

t.test('a group begins in no colour of what lies before it', async (t) => {
  const black = shape({ x: 0, y: 0, fillColor: '#000' });
  const group = { type: 'group', x: 150, y: 20, width: 60, height: 60, clip: true, borderRadius: 9, layers: [black] };
  for (const more of [{}, { opacity: 0.5 }]) {
    const pdf = readable(await pdfOf([[shape({ opacity: 0.5 }), { ...group, ...more }]]));
    t.match(pdf, /(?:stream|q|gs|>>)\n0 g\n/);
  }
});

t.test('a filtered backdrop is a picture of what it changes', async (t) => {
  const glass = shape({ x: 60, fillColor: 'rgba(255, 255, 255, 0.2)', backdropFilter: 'blur(4px)' });
  const pdf = readable(await pdfOf([[shape({}), glass]]));
  t.match(pdf, '/Subtype/Image');
  t.match(pdf, '.8 0 0 rg', 'on shapes that stay shapes');
});

t.test('a JPEG passes through once, without its metadata', async (t) => {
  const jpeg = Buffer.from(fixture('quadrants-rgb.jpg'));
  const exif = Buffer.from([0xff, 0xe1, 0, 24, ...Buffer.from('Exif\0\0GPS 50.08 N 14.4'.slice(0, 22), 'latin1')]);
  const tagged = Buffer.concat([jpeg.subarray(0, 2), exif, jpeg.subarray(2)]);
  const layer = (x: number) => image({ x, url: url(tagged, 'jpeg'), fit: 'cover', width: 50 });
  const pdf = await pdfOf([[layer(20), layer(100)]]);
  const file = pdf.toString('latin1');
  t.equal(file.split('/DCTDecode').length, 2);
  t.notMatch(file, 'GPS');
  const scan = jpeg.indexOf(Buffer.from([0xff, 0xda]));
  t.ok(pdf.includes(jpeg.subarray(scan)), 'the coded picture is the same');
});

t.test('the target is the only thing that knows of PDF', async (t) => {
  const code = readFileSync(new URL('../../lib/render.ts', import.meta.url), 'utf8');
  t.notMatch(code, /^import .*\/pdf\//m, 'the engine does not load it');
});
