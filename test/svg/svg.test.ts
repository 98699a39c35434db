// SVG of payloads: its elements, and that it looks as the picture does. The project's own decoder of SVG draws it.
import t from 'tap';
import { straightPixels } from '../../lib/codecs/alpha.js';
import { decodeImage } from '../../lib/codecs/index.js';
import { createRenderer } from '../any-payload.js';

const renderer = createRenderer();
t.teardown(() => renderer.close());

const CANVAS = { width: 200, height: 100 };
const box = { x: 10, y: 10, width: 100, height: 60 };
const shape = (more: object) => ({ type: 'shape', shapeType: 'rectangle', fillColor: '#f00', ...box, ...more });
const text = (more: object) => ({ type: 'text', text: 'noon', fontSize: 20, ...box, ...more });

async function svgOf(layers: readonly object[], more: object = {}): Promise<string> {
  const { bytes, mimeType, format } = await renderer.render({ canvas: CANVAS, layers, ...more }, { format: 'svg' });
  t.same([mimeType, format], ['image/svg+xml', 'svg']);
  return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
}

/** The mean difference between the SVG and the picture of a payload, in levels of 255. */
async function differenceOf(layers: readonly object[]): Promise<number> {
  const payload = { canvas: { ...CANVAS, backgroundColor: '#fff' }, layers };
  const { bytes } = await renderer.render(payload, { format: 'svg' });
  const drawn = straightPixels(await decodeImage(bytes));
  const { data } = await renderer.renderToPixels(payload);
  t.equal(drawn.length, data.length);
  return data.reduce((sum, value, i) => sum + Math.abs(value - drawn[i]), 0) / data.length;
}

t.test('has the size of the image, the canvas as its view box, and short numbers', async (t) => {
  const svg = await svgOf([shape({ rotation: 33.333 }), text({ textStroke: { width: 1, color: '#00f' } })], {
    canvas: { ...CANVAS, scale: 1.5 },
  });
  t.match(svg, /^<svg xmlns="[^"]+" width="300" height="150" viewBox="0 0 200 100" role="img">/);
  t.notMatch(svg, /\d\.\d{4}/, 'at most three decimals');
  t.notMatch(svg, /<style|style=|<script|http:\/\/(?!www\.w3\.org\/2000\/svg)/);
});

t.test('defines a glyph that is used twice once, and writes others where they are', async (t) => {
  const svg = await svgOf([text({})]);
  t.equal(svg.match(/<use /g)?.length, 4);
  t.equal(svg.match(/<path id=/g)?.length, 2, 'n and o');
  const once = await svgOf([text({ text: 'one' })]);
  t.notMatch(once, /<use|<defs/);
  t.equal(once.match(/<path /g)?.length, 1, 'one path for all three');
  t.match(await svgOf([text({ color: 'linear-gradient(red, blue)' })]), /<path fill="url\(#[\w-]+\)" d=/);
});

t.test('writes gradients as such, and a conic one as a picture in a clip', async (t) => {
  const linear = await svgOf([shape({ fillColor: 'linear-gradient(90deg, red 25%, blue)' })]);
  t.match(linear, /<linearGradient[^>]* x1="35" y1="0" x2="110" y2="0">/);
  t.match(linear, /<stop offset="0" stop-color="#f00"\/><stop offset="1" stop-color="#00f"\/>/);
  t.match(await svgOf([shape({ fillColor: 'radial-gradient(circle, red, #00f8)' })]), /<radialGradient.*stop-opacity=/);
  t.match(
    await svgOf([shape({ fillColor: 'repeating-linear-gradient(45deg, red, blue 10px)' })]),
    /spreadMethod="repeat"/,
  );
  const conic = await svgOf([shape({ shapeType: 'circle', fillColor: 'conic-gradient(red, blue, red)' })]);
  t.match(conic, /<clipPath.*<g clip-path=.*<image [^>]*href="data:image\/png;base64,/s);
});

t.test('writes groups with opacity, blend modes, clips and masks', async (t) => {
  const group = (more: object) => ({ type: 'group', ...box, layers: [shape({}), shape({ x: 30 })], ...more });
  t.match(await svgOf([group({ opacity: 0.5 })]), /<g opacity="\.5"><path/);
  const blended = await svgOf([shape({}), group({ blendMode: 'multiply' })]);
  t.match(blended, /^<svg[^>]* style="isolation:isolate">/);
  t.match(blended, /<g style="mix-blend-mode:multiply">/);
  t.match(await svgOf([group({ clip: true, borderRadius: 20 })]), /<g clip-path="url/);
  t.match(await svgOf([shape({ maskImage: 'linear-gradient(black, transparent)' })]), /<mask [^>]*mask-type="alpha"/);
});

t.test('blurs shadows and layers by filters', async (t) => {
  const shadow = { color: '#00f8', blur: 8, offsetX: 3 };
  const cast = await svgOf([shape({ shadow })]);
  t.match(
    cast,
    /<filter id="[^"]+" filterUnits="userSpaceOnUse"[^>]*><feGaussianBlur in="SourceAlpha" stdDeviation="4"/,
  );
  t.match(cast, /<g filter="url\(#[\w-]+\)"><path [^>]+><\/g><path /);
  t.match(await svgOf([shape({ shadow: { ...shadow, spread: 4 } })]), /<g filter="[^"]+" clip-path="/);
  t.match(await svgOf([shape({ filter: 'blur(3px)' })]), /<feGaussianBlur stdDeviation="3"\/>/);
  t.notMatch(await svgOf([shape({ shadow }), shape({ filter: 'blur(3px)' })]), /<image/);
  t.match(await svgOf([shape({ shadow: { ...shadow, blur: 1000 } })]), /<image/, 'a blur that browsers cut off');
  for (const more of [{ shadow }, { shadow: { ...shadow, spread: 4 } }, { shadow: { ...shadow, inset: true } }]) {
    t.ok((await differenceOf([shape({ ...more, rotation: 20, borderRadius: 8 })])) < 1, JSON.stringify(more));
  }
});

t.test('paints other filters as pictures, also with what lies beneath', async (t) => {
  t.match(await svgOf([shape({ filter: 'invert(1) blur(3px)' })]), /<image /);
  const glass = [
    shape({ x: 0, y: 0, width: 200, height: 100 }),
    shape({ fillColor: '#0000', backdropFilter: 'invert(1)' }),
  ];
  t.match(await svgOf(glass), /<path .*<image /);
  t.ok((await differenceOf(glass)) < 1, 'the picture has the inverted colours');
});

t.test('ids differ from payload to payload, and begin as asked', async (t) => {
  const prefix = (svg: string) => /<path id="([\w-]+?-)?\w+"/.exec(svg)?.[1];
  const first = prefix(await svgOf([text({})]));
  t.not(first, prefix(await svgOf([text({ color: '#00f' })])));
  t.equal(first, prefix(await svgOf([text({})])));
  t.equal(prefix(await svgOf([text({})], { document: { idPrefix: 'card-' } })), 'card-');
  for (const [field, value] of Object.entries({
    idPrefix: '1',
    rasterScale: 5,
    title: 1,
    bleed: 201,
    date: '2026-13-01',
  })) {
    const error = await svgOf([], { document: { [field]: value } }).catch((thrown) => thrown);
    t.match(error.details, [{ path: `document.${field}` }]);
  }
});

t.test('has a title: that of the document, or the name of a template', async (t) => {
  t.match(
    await svgOf([], { document: { title: 'A < B & "C"\u0001' } }),
    '<title>A &lt; B &amp; &quot;C&quot;\uFFFD</title>',
  );
  const template = { name: 'Card', ...CANVAS, hotspots: [{ key: 'a', label: 'A', ...text({}) }] };
  const { bytes } = await renderer.render(template, { format: 'svg' });
  t.match(new TextDecoder().decode(bytes), '<title>Card</title>');
});

t.test('pictures have as many pixels as rasterScale says', async (t) => {
  const sides = async (rasterScale: number) => {
    const layers = [shape({ shapeType: 'circle', fillColor: 'conic-gradient(red, blue)' })];
    const svg = await svgOf(layers, { document: { rasterScale } });
    const [, png] = /base64,([^"]+)"/.exec(svg)!;
    const { width, height } = await decodeImage(Buffer.from(png, 'base64'));
    return [width, height];
  };
  t.same(await sides(1), [100, 60]);
  t.same(await sides(4), [400, 240]);
});

t.test('looks as the picture does', async (t) => {
  const cases: Record<string, object[]> = {
    text: [text({ text: 'Hello World', fontSize: 24 })],
    turned: [text({ rotation: 30 }), shape({ x: 120, width: 40, rotation: 45, flip: 'x' })],
    spans: [
      text({
        text: undefined,
        spans: [
          { text: 'Red ', color: '#f00' },
          { text: 'blue', color: '#00f8' },
        ],
      }),
    ],
    emoji: [text({ text: '😀 🎉', fontSize: 40 })],
    'radial gradient': [shape({ fillColor: 'radial-gradient(at 20% 30%, #ff0, #0f08 40%, #00f)' })],
    'colours of oklch': [shape({ fillColor: 'linear-gradient(in oklch, red, 30%, blue)' })],
    circle: [shape({ shapeType: 'circle', border: { width: 4, color: '#00f' } })],
    dashes: [shape({ border: { width: 3, color: '#00f', dash: [6, 4] } })],
    'clip path': [shape({ clipPath: 'circle(30%)' })],
    qrcode: [{ type: 'qrcode', data: 'platen', ...box, width: 60 }],
    barcode: [{ type: 'barcode', symbology: 'code128', data: 'platen', ...box }],
  };
  for (const [name, layers] of Object.entries(cases)) {
    const difference = await differenceOf(layers);
    t.ok(difference < 2, `${name}: ${difference.toFixed(2)} levels`);
  }
});
