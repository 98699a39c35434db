// Live text in SVG: it is the source text, in embedded subsets, and Chromium paints it as the outlines are.
import { PNG } from 'pngjs';
import t from 'tap';
import { createRenderer } from '../any-payload.js';
import { CHROMIUM, startChromium } from '../chromium.js';
import { brandFont } from '../fonts/brand-font.js';

const renderer = createRenderer();
t.teardown(() => renderer.close());

const SAMPLES = [
  'Office affine waffle, AVATAR To',
  'Здравствуй мир, Γειά σου Κόσμε',
  'שלום עולם (דוגמה) 42',
  'בְּרֵאשִׁית בָּרָא',
  'مرحبا بالعالم (مثال) 123 abc',
  'السَّلامُ عليكم',
  'नमस्ते दुनिया क्षत्रिय',
  'হ্যালো বিশ্ব ক্ষমা',
  'வணக்கம் உலகம் கொடு',
  'ಹಲೋ ಪ್ರಪಂಚ ಕ್ಷೇತ್ರ',
  'നമസ്കാരം ലോകം ക്ഷേമ',
  'สวัสดีชาวโลก น้ำ',
  'မင်္ဂလာပါ ကမ္ဘာ',
  'こんにちは世界、日本語です。',
  '한국어 텍스트 你好，世界',
  'Emoji 😀 and 👩‍👩‍👧 end',
];
const LINE = 50;
const SIZE = { width: 600, height: SAMPLES.length * LINE };
const text = <More extends object>(more: More) => ({
  type: 'text',
  x: 10,
  y: 10,
  width: 580,
  height: LINE,
  fontSize: 28,
  ...more,
});

async function svgOf(layers: readonly object[], mode: string, canvas: object = SIZE) {
  const payload = { canvas: { backgroundColor: '#fff', ...canvas }, layers, document: { text: mode, idPrefix: 'p' } };
  const { bytes, warnings } = await renderer.render(payload, { format: 'svg' });
  return { svg: new TextDecoder().decode(bytes), warnings };
}

/** The text of each `<text>`. */
function textsOf(svg: string): string[] {
  return Array.from(svg.matchAll(/<text [^>]*>(.*?)<\/text>/gs), ([, content]) => {
    return content.replace(/<[^>]+>/g, '').replace('&amp;', '&');
  });
}

t.test('is the source text, in every script, in one element for a paragraph', async (t) => {
  const layers = SAMPLES.map((sample, i) => text({ text: sample, y: i * LINE }));
  const { svg, warnings } = await svgOf(layers, 'live');
  t.same(warnings, []);
  t.same(textsOf(svg), SAMPLES);
  t.notMatch(svg, /role=|http:\/\/(?!www\.w3\.org\/2000\/svg)/, 'no image for assistive technology, no other file');
  const long = 'A longer text, which soft\u00adly wraps round its box after a few words';
  const wrapped = await svgOf([text({ text: long, width: 200, height: 300 })], 'live', { width: 300, height: 300 });
  t.same(textsOf(wrapped.svg), [long], 'without the hyphens and line ends of layout');
  const cut = await svgOf([text({ text: long, width: 200, maxLines: 1 })], 'live');
  t.ok(long.startsWith(textsOf(cut.svg)[0]), 'without the ellipsis');
  t.match(cut.svg, /<path d=/, 'which is an outline');
});

t.test('places words where layout did, and keeps letter spacing, features, turns and opacity', async (t) => {
  const live = async (more: object) => (await svgOf([text({ text: 'One two', ...more })], 'live')).svg;
  t.match(await live({}), /<tspan x="10" y="[\d.]+">One <\/tspan><tspan x="[\d.]+">two<\/tspan>/);
  t.match(await live({ letterSpacing: 3 }), /letter-spacing="3"/);
  t.match(await live({ fontFeatures: { tnum: 1 } }), /\.pc0\{font-feature-settings:"tnum" 1\}.*class="pc0"/);
  t.match(await live({ rotation: 30, width: 100, y: 90 }), /transform="rotate\(30\)"/);
  t.match(await live({ color: '#f008' }), /fill="#f00" opacity=".533"/);
  t.match(await live({ color: 'linear-gradient(red, blue)' }), /<text [^>]*fill="url\(#p/);
  const spans = [
    { text: 'Red ', color: '#f00' },
    { text: 'blue', color: '#00f' },
  ];
  const colored = await live({ text: undefined, spans });
  t.match(colored, /<text [^>]*fill="#f00"[^>]*><tspan [^>]*>Red <\/tspan><tspan [^>]*fill="#00f">blue/);
});

t.test('a picture of text has the text without ink', async (t) => {
  const { svg } = await svgOf([text({ text: 'Blurred', filter: 'invert(1) blur(2px)' })], 'live');
  t.match(svg, /<image .*<text [^>]*fill-opacity="0"[^>]*>Blurred/);
  const masked = await svgOf([text({ text: 'Seen', maskImage: 'linear-gradient(black, transparent)' })], 'live');
  t.same(textsOf(masked.svg), ['Seen']);
});

t.test('a font that forbids embedding or subsetting is outlines, with a warning', async (t) => {
  const font = brandFont();
  const fsType = font.readUInt32BE(font.indexOf('OS/2') + 8) + 8;
  for (const [bits, forbidden] of [
    [2, 'to be embedded'],
    [0x100, 'to be subset'],
  ] as const) {
    font.writeUInt16BE(bits, fsType);
    const customFontUrl = `data:font/ttf;base64,${font.toString('base64')}`;
    const { svg, warnings } = await svgOf([text({ text: 'A', customFontUrl })], 'live');
    t.match(warnings, [{ code: 'outlined_text', path: 'document.text', message: new RegExp(`forbids ${forbidden}`) }]);
    t.match(svg, /<path d="[^"]+"\/><text [^>]*fill-opacity="0"[^>]*>A</);
    t.notMatch(svg, /@font-face/);
  }
  t.same((await svgOf([text({ text: 'A' })], 'outlines')).warnings, []);
});

t.test('Chromium paints it as outlines, and copies the source', { skip: !CHROMIUM && 'no Chromium' }, async (t) => {
  const open = await startChromium(t);
  const turned = text({ text: 'Turned text', rotation: 5, x: 350 });
  const more = [
    turned,
    text({ text: 'Spaced office', letterSpacing: 4, x: 350, y: LINE }),
    text({ text: 'Along a path', textPath: 'M0 40 Q100 0 200 40', x: 350, y: 2 * LINE }),
    text({ text: 'Mirrored', flip: 'x', x: -30, y: 3 * LINE }),
  ];
  const layers = [...SAMPLES.map((sample, i) => text({ text: sample, y: i * LINE })), ...more];
  const pictures: Buffer[] = [];
  for (const mode of ['outlines', 'live']) {
    const { svg } = await svgOf(layers, mode);
    const html = `<!doctype html><meta charset="utf-8"><body style="margin:0;letter-spacing:3px">${svg}`;
    const page = await open(`data:text/html;base64,${Buffer.from(html).toString('base64')}`);
    await page.send('Emulation.setDeviceMetricsOverride', { ...SIZE, deviceScaleFactor: 2, mobile: false });
    await page.evaluate('document.fonts.ready.then(() => document.querySelector("svg").style.display = "block")');
    const { data } = await page.send('Page.captureScreenshot', { format: 'png' });
    pictures.push(PNG.sync.read(Buffer.from(data, 'base64')).data);
    if (mode === 'live') {
      const copied = await page.evaluate<string>(
        'getSelection().selectAllChildren(document.body), getSelection().toString()',
      );
      const lines = copied.split('\n').filter((line) => line.trim() !== '');
      t.same(
        lines,
        layers.map((layer) => layer.text),
      );
    }
  }
  const [outlines, live] = pictures;
  const far = live.reduce((count, value, i) => count + (Math.abs(value - outlines[i]) > 96 ? 1 : 0), 0);
  t.ok(far / live.length < 0.001, `${far} of ${live.length} levels differ much`);
});
