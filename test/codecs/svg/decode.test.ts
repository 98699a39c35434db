// SVG sizing, sharpness at the display size, and protection against external or malicious content.
import { readdirSync, readFileSync } from 'node:fs';
import t from 'tap';
import { readHeader } from '../../../lib/codecs/header.js';
import { decodeImage } from '../../../lib/codecs/index.js';
import { xmlText } from '../../../lib/codecs/svg/prolog.js';
import { ihdr, SIGNATURE } from '../png/maker.js';

const encode = (text: string) => new TextEncoder().encode(text);
const NAMESPACE = 'xmlns="http://www.w3.org/2000/svg"';
const svg = (attributes: string, body = '<rect width="100%" height="100%" fill="red"/>') =>
  encode(`<svg ${NAMESPACE} ${attributes}>${body}</svg>`);
const size = (bytes: Uint8Array) => {
  const { width, height } = readHeader(bytes);
  return [width, height].map((length) => Math.round(length * 1000) / 1000);
};

t.test('sizes an SVG by the rules of CSS', (t) => {
  for (const [attributes, expected] of [
    ['', [300, 150]],
    ['width="40" height="20"', [40, 20]],
    ['width="40px" height="0.5in"', [40, 48]],
    ['width="25.4mm" height="2.54cm"', [96, 96]],
    ['width="72pt" height="6pc"', [96, 96]],
    ['width="2em" height="1e1"', [32, 10]],
    ['width="40"', [40, 150]],
    ['width="40" viewBox="0 0 200 50"', [40, 10]],
    ['height="40" viewBox="0,0,200,50"', [160, 40]],
    ['viewBox="0 0 200 50"', [300, 75]],
    ['viewBox="0 0 50 50"', [150, 150]],
    ['width="100%" height="100%" viewBox="-5 -5 200 50"', [300, 75]],
    ['width="100%" height="40" viewBox="0 0 200 50"', [160, 40]],
    ['width="-4" height="auto" viewBox="0 0 0 50"', [300, 150]],
    ['style="width: 80px; height: 10px" width="1" height="1"', [80, 10]],
  ] as const) {
    t.same(size(svg(attributes)), expected, attributes);
  }
  t.throws(() => size(svg('width="0" height="10"')), { code: 'render_failed', message: /its size is 0 × 10/ });
  t.end();
});

t.test('rasterizes at the display size, up to the edges', async (t) => {
  for (const [attributes, shown, expected] of [
    ['width="40" height="20"', undefined, [40, 20]],
    ['width="40" height="20"', { width: 200, height: 100 }, [200, 100]],
    ['viewBox="0 0 333 177"', { width: 100, height: 53.15 }, [100, 53]],
    ['viewBox="0 0 333 177"', { width: 100, height: 54 }, [100, 54]],
    ['width="33.3" height="17.7" viewBox="0 0 333 177"', undefined, [33, 18]],
    ['width="4000" height="2000"', { width: 20, height: 10 }, [20, 10]],
  ] as const) {
    const pixmap = await decodeImage(
      svg(attributes, '<rect width="4000" height="4000" fill="red"/>'),
      shown ? { size: shown } : {},
    );
    t.same([pixmap.width, pixmap.height], expected, attributes);
    t.ok(pixmap.isOpaque(), 'covered to the edges');
  }
});

t.test('uses an exact size as the viewport, as for object-fit: fill', async (t) => {
  // A square of 10 × 10 rasterized at 40 × 20: how many pixels of the middle row and of the middle column it covers.
  const taken = async (attributes: string, square = 10) => {
    const bytes = svg(attributes, `<rect width="${square}" height="${square}" fill="red"/>`);
    const { data } = await decodeImage(bytes, { size: { width: 40, height: 20, exact: true } });
    const opaque = (x: number, y: number) => data[(y * 40 + x) * 4 + 3] === 255;
    return [
      Array.from({ length: 40 }, (_, x) => x).filter((x) => opaque(x, 10)).length,
      Array.from({ length: 20 }, (_, y) => y).filter((y) => opaque(20, y)).length,
    ];
  };
  const square = 'viewBox="0 0 10 10"';
  t.same(await taken(square), [20, 20], 'letterboxed by its own preserveAspectRatio');
  t.same(await taken(`${square} width="10" height="10"`), [20, 20], 'with or without a size');
  t.same(await taken(`${square} preserveAspectRatio="none"`), [40, 20]);
  t.same(await taken(`${square} preserveAspectRatio="xMidYMid slice"`), [40, 20]);
  t.same(await taken('width="10" height="10"'), [40, 20], 'stretched without a viewBox');
  t.same(await taken('', 15), [15, 0], 'neither size nor viewBox: not scaled at all');
  t.same(await taken('width="20"', 15), [30, 15], 'scaled along the one length that it has');
});

t.test('detects SVGs without an aspect ratio, as Chromium does', (t) => {
  for (const [attributes, ratioless] of [
    ['', true],
    ['width="40"', true],
    ['width="100%" height="40"', true],
    ['viewBox="0 0 40 20" preserveAspectRatio="none"', true],
    ['viewBox="0 0 40 20"', undefined],
    ['width="40" height="20"', undefined],
    ['width="40" height="20" viewBox="0 0 1 1" preserveAspectRatio="none"', undefined],
    ['width="40" viewBox="0 0 40 20"', undefined],
  ] as const) {
    t.equal(readHeader(svg(attributes)).noAspectRatio, ratioless, attributes);
  }
  t.end();
});

t.test('keeps preserveAspectRatio if the viewBox has another ratio', async (t) => {
  const box = 'width="40" height="20" viewBox="0 0 10 10"';
  const alpha = async (attributes: string) => {
    const { data } = await decodeImage(svg(attributes, '<rect width="10" height="10" fill="red"/>'));
    return [0, 20, 39].map((x) => data[(10 * 40 + x) * 4 + 3]);
  };
  t.same(await alpha(box), [0, 255, 0], 'centred');
  t.same(await alpha(`${box} preserveAspectRatio="xMinYMin meet"`), [255, 0, 0]);
  t.same(await alpha(`${box} preserveAspectRatio="none"`), [255, 255, 255]);
  t.same(await alpha(`${box} preserveAspectRatio="xMidYMid slice"`), [255, 255, 255]);
});

t.test('rasterizes an image above the limit at a smaller size', async (t) => {
  const pixmap = await decodeImage(svg('width="100000" height="50000"'), { maxPixels: 5000 });
  t.same([pixmap.width, pixmap.height], [100, 50]);
  const thin = await decodeImage(svg('width="1000000" height="1"'), { maxPixels: 5000 });
  t.ok(thin.width * thin.height <= 5000);
});

t.test('returns premultiplied pixels', async (t) => {
  const { data } = await decodeImage(
    svg('width="4" height="4"', '<rect width="4" height="4" fill="#f80" fill-opacity=".5"/>'),
  );
  t.same([...data.subarray(0, 4)], [128, 68, 0, 128]);
});

t.test('reads a BOM, declaration, comments, DOCTYPE and other encodings', async (t) => {
  const root = `<svg ${NAMESPACE} width="8" height="4"><title>é</title><rect width="8" height="4" fill="red"/></svg>`;
  const subset = '<!DOCTYPE svg [ <!-- ] > --> <!ENTITY a "]>"> ]>';
  for (const text of [
    root,
    `\ufeff\n\t<?xml version="1.0" encoding="UTF-8"?>\n<!-- a <svg> -->\n<!DOCTYPE svg PUBLIC "-//W3C//DTD SVG 1.1//EN" "x">${root}`,
    `${subset}${root}`,
    `<?xml version="1.0"?><?xml-stylesheet href="http://127.0.0.1:9/a.css"?>${root}`,
  ]) {
    const pixmap = await decodeImage(encode(text));
    t.same([pixmap.width, pixmap.height, ...pixmap.data.subarray(0, 4)], [8, 4, 255, 0, 0, 255], text.slice(0, 40));
  }
  const wide = Buffer.from(`\ufeff<?xml version="1.0" encoding="utf-16"?>${root}`, 'utf16le');
  t.equal((await decodeImage(wide)).width, 8, 'UTF-16');
  const latin = Buffer.from(`<?xml version="1.0" encoding="ISO-8859-1"?>${root}`, 'latin1');
  t.equal((await decodeImage(latin)).width, 8, 'Latin-1');
  for (const encoding of ['ISO-8859-1', 'us-ascii', 'windows-1252']) {
    const bytes = Buffer.from(
      `<?xml version="1.0" encoding="${encoding}"?><text>\x805 \x93\xe9\x94\x81</text>`,
      'latin1',
    );
    t.match(xmlText(bytes), '<text>€5 “é”\u0081</text>', encoding);
  }
  const prefixed = '<s:svg xmlns:s="http://www.w3.org/2000/svg" width="8" height="4"/>';
  t.equal((await decodeImage(encode(prefixed))).width, 8, 'a prefix');
});

// fault: 53
t.test('draws nothing for links; rejects entities instead of expanding them', async (t) => {
  const links = `<image href="http://127.0.0.1:9/a.png" width="9" height="9"/><image href="file:///etc/hostname" width="9" height="9"/>
    <use href="http://127.0.0.1:9/a.svg#b"/><style>@import url(http://127.0.0.1:9/a.css);</style>`;
  const { words } = await decodeImage(svg('width="9" height="9"', links));
  t.notOk(words.some(Boolean), 'draws nothing');
  const lol = '<!ENTITY a "lol"><!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;">';
  const bomb = encode(`<!DOCTYPE svg [${lol}]><svg ${NAMESPACE} width="9" height="9"><text>&b;</text></svg>`);
  await t.rejects(decodeImage(bomb), { code: 'render_failed', message: /entities that its DOCTYPE does not declare/ });
});

t.test('limits embedded images like any other', async (t) => {
  const falseHeader = Buffer.concat([SIGNATURE, ihdr(30000, 30000, 8, 6)]).toString('base64');
  const body = `<image href="data:image/png;base64,${falseHeader}" width="9" height="9"/>`;
  await t.rejects(decodeImage(svg('width="9" height="9"', body)), { message: /embedded images are larger/ });
});

// fault: 53
t.test('rejects malformed and malicious SVGs with a reason, and renders the next one', async (t) => {
  const nested = (depth: number) => `${'<g>'.repeat(depth)}${'</g>'.repeat(depth)}`;
  const uses = Array.from({ length: 7 }, (_, i) => `<g id="a${i + 1}">${`<use href="#a${i}"/>`.repeat(8)}</g>`).join(
    '',
  );
  const cases: [string, Uint8Array][] = [
    ['truncated', encode(`<svg ${NAMESPACE} width="9" height="9"><rect`)],
    ['an attribute without quotes', encode(`<svg ${NAMESPACE} width=9><rect/></svg>`)],
    ['nested', svg('', nested(20000))],
    ['exponential references', svg('', `<g id="a0"><rect width="1" height="1"/></g>${uses}<use href="#a7"/>`)],
    ['no namespace', encode('<svg width="9" height="9"/>')],
  ];
  for (const [name, bytes] of cases) {
    await t.rejects(decodeImage(bytes), { name: 'RenderError', code: 'render_failed', message: /^the SVG is/ }, name);
    t.ok((await decodeImage(svg('width="9" height="9"'))).isOpaque(), `after ${name}`);
  }
});

// fault: 53
t.test('expands plain-text entities, as drawing programs write them', async (t) => {
  const doctype = (list: string) =>
    `<!DOCTYPE svg PUBLIC "-//W3C//DTD SVG 1.1//EN" "http://www.w3.org/Graphics/SVG/1.1/DTD/svg11.dtd" [${list}]>`;
  const NS = '<!ENTITY ns_svg "http://www.w3.org/2000/svg"><!ENTITY ns_link \'http://www.w3.org/1999/xlink\'>';
  const st = '<!ENTITY st0 "fill:red;"> <!ENTITY side "40"> <!ENTITY st0 "fill:blue">';
  const text = `${doctype(NS + st)}<svg xmlns="&ns_svg;" xmlns:xlink="&ns_link;" width="&side;" height="20"><rect id="a" width="&side;" height="20" style="&st0;opacity:1"/></svg>`;
  t.same(size(encode(text)), [40, 20]);
  const pixmap = await decodeImage(encode(text));
  t.same([...pixmap.data.subarray(0, 4)], [255, 0, 0, 255]);
  const withDoctype = (list: string, body: string) =>
    encode(`${doctype(list)}<svg ${NAMESPACE} width="9" height="9">${body}</svg>`);
  const declared = /entities that its DOCTYPE does not declare/;
  for (const [name, bytes, message] of [
    ['containing entities', withDoctype('<!ENTITY a "x"><!ENTITY b "&a;&a;">', '<text>&b;</text>'), declared],
    ['external', withDoctype('<!ENTITY a SYSTEM "file:///etc/hostname">', '<text>&a;</text>'), declared],
    ['containing markup', withDoctype('<!ENTITY a "<rect/>">', '<g>&a;</g>'), declared],
    [
      'too long',
      withDoctype(`<!ENTITY a "${'x'.repeat(2000)}">`, `<desc>${'&a;'.repeat(2000)}</desc>`),
      /too much text/,
    ],
  ] as const) {
    await t.rejects(decodeImage(bytes), { code: 'render_failed', message }, name);
  }
  const ended = withDoctype(`<!ENTITY a '" fill="blue'>`, '<rect id="&a;" width="9" height="9" fill="red"/>');
  t.same([...(await decodeImage(ended)).data.subarray(0, 4)], [255, 0, 0, 255], 'no entity ends an attribute');
  const plain = `<!DOCTYPE svg PUBLIC "-//W3C//DTD SVG 1.1//EN" "svg11.dtd">${Buffer.from(svg('width="9" height="9"')).toString()}`;
  const inner = `data:image/svg+xml;base64,${Buffer.from(plain).toString('base64')}`;
  const outer = svg('width="9" height="9"', `<image width="9" height="9" href="${inner}"/>`);
  t.ok((await decodeImage(outer)).isOpaque(), 'an embedded SVG whose DOCTYPE declares nothing');
});

t.test('reports a renderer crash to the caller', async (t) => {
  const far = svg(
    'width="40" height="40"',
    '<g opacity=".5"><rect x="-75" width="9" height="9"/><rect x="30" width="9" height="9" opacity=".5"/></g>',
  );
  const expected = { name: 'RenderError', message: /the renderer crashed on it/, cause: { name: 'RuntimeError' } };
  await t.rejects(decodeImage(far), expected);
  const { renderScene } = await import('../../../lib/render.js');
  const { resolve } = await import('../../../lib/templates/resolve.js');
  const { createAssets } = await import('../../../lib/assets/loader.js');
  const { createFontRegistry } = await import('../../../lib/fonts/registry.js');
  const url = `data:image/svg+xml;base64,${Buffer.from(far).toString('base64')}`;
  const assets = createAssets({ timeoutMs: 600_000, maxBytes: 1e6, maxPixels: 1e6 });
  const layers = [{ type: 'image', x: 0, y: 0, width: 560, height: 360, url }];
  const context = { assets, typefaces: createFontRegistry() };
  const sceneOf = (shown: unknown[]) =>
    resolve({ canvas: { width: 560, height: 360 }, layers: shown }, { maxLayers: 1, checkUrl: assets.source });
  await t.rejects(renderScene(sceneOf(layers), context), expected);
  let traps = 0;
  const hidden = [{ ...layers[0], fallbackColor: '#fff' }];
  const watched = { ...context, onTrap: () => traps++ };
  const { warnings } = await renderScene(sceneOf(hidden), watched);
  t.match(warnings, [{ message: /^fallbackColor is shown instead/ }]);
  t.equal(traps, 1, 'the operator is notified of a trap that a fallback colour hides');
});

const fonts = new URL('../../../fonts/', import.meta.url);
const face = listFaces()[0];

function listFaces(): string[] {
  try {
    return readdirSync(fonts, { recursive: true, encoding: 'utf8' }).filter((name) => /\.[ot]tf$/.test(name));
  } catch {
    return [];
  }
}

t.test('draws text with the given fonts', { skip: face ? false : 'no TTF available' }, async (t) => {
  const bytes = svg('width="60" height="30"', '<text x="2" y="24" font-size="24">Ag</text>');
  t.notOk((await decodeImage(bytes)).words.some(Boolean), 'nothing without');
  const drawn = await decodeImage(bytes, { fonts: [readFileSync(new URL(face, fonts))] });
  t.ok(drawn.words.some(Boolean), 'something with');
});

t.test("keeps the root's style if it contains quotes and colons", async (t) => {
  const root = (style: string, doctype = '') =>
    `${doctype}<svg xmlns="http://www.w3.org/2000/svg" width="2" height="2" style="${style}"><path d="M0 0h2v2H0z"/></svg>`;
  for (const [name, text] of Object.entries({
    quotes: root('font-family:&quot;A&quot;;fill:red;x:&#34;b&#x22;'),
    colons: root('background:url(http://127.0.0.1:9/a);fill:red'),
    entities: root('&st0;', `<!DOCTYPE svg [<!ENTITY st0 "font-family:'A';fill:red">]>`),
  })) {
    t.same([...(await decodeImage(Buffer.from(text))).data.subarray(0, 4)], [255, 0, 0, 255], name);
  }
});
