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

t.test('says what it shows: the texts and alternative texts of its layers, without decoration', async (t) => {
  const layers = [
    text({ text: 'A & B' }),
    shape({ alt: 'A red box' }),
    shape({ alt: '' }),
    text({ visible: false }),
    { type: 'group', ...box, alt: 'Two', layers: [text({})] },
    text({ text: '**strong**', markup: true }),
  ];
  t.match(await svgOf(layers), '<desc>A &amp; B\nA red box\nTwo\nstrong</desc>');
  t.notMatch(await svgOf([shape({})]), '<desc>');
});

t.test('links are elements around what layers and spans paint, whose boxes react as a whole', async (t) => {
  const link = await svgOf([shape({ href: 'https://example.com/?a=1&b=2', alt: 'Shop' })]);
  t.notMatch(link, 'role="img"', 'what is in it must be reachable');
  t.match(
    link,
    '<a href="https://example.com/?a=1&amp;b=2" aria-label="Shop"><path fill="none" pointer-events="all" d="M10 10h100v60h-100z"/>',
  );
  const spans = [{ text: 'Read ' }, { text: 'all of it', href: 'mailto:a@b.example' }];
  const inText = await svgOf([text({ text: undefined, width: 80, spans })]);
  t.match(inText, /<a href="mailto:a@b.example" aria-label="all of it"><path fill="none"[^>]* d="M[^"z]*zm[^"z]*z"\/>/);
  t.equal(inText.match(/<a /g)?.length, 1, 'one link, with a rectangle on each of its two lines');
  t.match(await svgOf([shape({ href: 'tel:+1', filter: 'blur(1px)' })]), /<a [^>]*><path [^>]*><g filter=/);
  const blurred = { type: 'group', ...box, filter: 'blur(1px)', layers: [text({ href: 'tel:+1' })] };
  t.match(await svgOf([blurred]), /<g filter=[^>]*><a href="tel:\+1" aria-label="noon"><path fill="none"/);
});

t.test('links lead to layers by their ids, which begin with the prefix', async (t) => {
  const document = { idPrefix: 'p-' };
  const svg = await svgOf([shape({ href: '#a b' }), text({ id: 'a b' }), shape({ id: 'a b' }), text({ id: '0' })], {
    document,
  });
  t.match(svg, '<a href="#p-a.20.b">');
  t.equal(svg.match(/id="p-a\.20\.b"/g)?.length, 1, 'the first layer with the id');
  t.match(
    await svgOf([shape({ href: '#0' }), shape({ id: '0' }), text({})], { document }),
    /<path id="p-1".*<g id="p-0">/,
  );
  const payload = { canvas: CANVAS, layers: [{ type: 'group', ...box, layers: [text({ href: '#none' })] }] };
  const { bytes, warnings } = await renderer.render(payload, { format: 'svg' });
  t.notMatch(new TextDecoder().decode(bytes), '<a ');
  t.match(warnings, [{ code: 'dangling_link', path: 'layers[0].layers[0].href' }]);
  t.same((await renderer.render(payload)).warnings, [], 'other formats have no links');
});

t.test('links may lead to pages, addresses, numbers and layers alone', async (t) => {
  const refused = [
    'javascript:alert(1)',
    ' https://a.example',
    'java\nscript:1',
    'data:,a',
    '/a',
    'a',
    '',
    '#',
    'https:',
    'https://a b',
    'ftp://a',
    'https://a\u202e',
    'mailto:',
    '//a.example',
  ];
  for (const href of refused) {
    const error = await svgOf([shape({ href })]).catch((thrown) => thrown);
    t.match(error, { code: 'render_failed', details: [{ code: 'invalid_url', path: 'layers[0].href' }] }, href);
  }
  const span = await svgOf([text({ text: undefined, spans: [{ text: 'a', href: 'vbscript:1' }] })]).catch(
    (thrown) => thrown,
  );
  t.match(span.details, [{ path: 'layers[0].spans[0].href', message: /expected http:, https:, mailto: or tel: / }]);
  for (const href of ['HTTPS://a.example', 'http://a', 'tel:+1-2', 'mailto:a@b?subject=c%20d']) {
    t.match(await svgOf([shape({ href })]), `<a href="${href}">`);
  }
});

t.test('variables may stand in links and alternative texts of templates', async (t) => {
  const layers = [
    shape({ href: 'https://example.com/{{id}}', alt: 'Order {{id}}', bookmark: '{{id}}' }),
    text({ href: '{{url}}' }),
  ];
  const template = { name: 'Card', ...CANVAS, placeholders: true, layers };
  const render = async (variables: Readonly<Record<string, string>>) => {
    const { bytes } = await renderer.render(template, { format: 'svg', variables });
    return new TextDecoder().decode(bytes);
  };
  t.match(
    await render({ id: 'a b', url: 'tel:1' }),
    /<a href="https:\/\/example.com\/a%20b" aria-label="Order a b">.*<a href="tel:1"/,
  );
  t.equal((await render({ id: '1' })).match(/<a /g)?.length, 1, 'an empty link is none');
  const error = await render({ id: '1', url: 'javascript:1' }).catch((thrown) => thrown);
  t.match(error.details, [{ path: 'variables.url', message: /layers\[1\].href: received "javascript:1"/ }]);
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
