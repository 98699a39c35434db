// The text engine for hosts without WebAssembly against HarfBuzz: the same glyphs, clusters, positions, outlines, metrics and
// tables from every bundled face. A break that HarfBuzz finds unsafe is unsafe here too.
import t from 'tap';
import { loadManifest, readFace } from '../../../lib/fonts/bundled.js';
import { outlineKernels } from '../../../lib/kernels/kernels.js';
import { nodeHost } from '../../../lib/node-host.js';
import { createHarfBuzzEngine } from '../../../lib/text/harfbuzz/font.js';
import { instantiate } from '../../../lib/text/harfbuzz/instance.js';
import { readColorGlyphs } from '../../../lib/text/opentype/colr.js';
import { plainTextEngine } from '../../../lib/text/opentype/font.js';
import type { Font, FontSettings, MetricTag } from '../../../lib/text/text-engine.js';
import { FORM, sample } from '../../exhaustive.js';
import { CHARACTERS, colorFontFile } from '../../fonts/color-font.js';
import { variableFont } from '../../fonts/font-maker.js';

/** Glyphs whose outlines are compared in each face, spread over all it has. */
const GLYPHS = 400;

type Text = readonly [script: string | undefined, text: string, rightToLeft: boolean];

const TEXTS: readonly Text[] = [
  ['Latn', 'Sphinx of black quartz, judge my vow: “Wafer office, AVATAR, Tý” – 1,234.50 € fi ffl Ångström', false],
  ['Latn', '3/4 1⁄2 -> => (x) 10:30 --> a×b 5x6 Te To W. f) o’clock AT&T #1 C++ @home', false],
  [
    'Latn',
    'Nghiêng nghiêng ế ữ ậ a\u0301 e\u0302\u0323 i\u0307\u0301 o\u0308\u0304 ą\u0301 x\u0301\u0302 ṩ s\u0323\u0307',
    false,
  ],
  ['Latn', 'ﬁ ﬂ\u2009thin\u2003em\u00adsoft\u200bzw\u2011 no\u00a0break f\u200ci f\u200di \u034f\ud800', false],
  ['Grek', 'Ξεσκεπάζω την ψυχοφθόρα βδελυγμία. ΐ Ά ᾳ ἄ α\u0301 ΑΥΤΟ', false],
  ['Cyrl', 'Съешь же ещё этих мягких булок, да выпей чаю. Й й и\u0306 Ґґ Її ЎўЂ', false],
  ['Hebr', 'בְּרֵאשִׁית בָּרָא אֱלֹהִים, אֵת (הַשָּׁמַיִם) וְאֵת הָאָרֶץ 123', true],
  ['Hebr', 'שלום עולם: "טקסט" [בעברית] 50% — ב־2024 שׁ', true],
  ['Hebr', '1,234.5', false],
  ['Arab', 'نَصٌّ عَرَبِيٌّ مُشَكَّلٌ، الله لا إله (١٢٣٤) والأبجدية؛ پچژگ ـ ﷲ ه\u200d', true],
  ['Thai', 'น้ำทั้งที่ปู่ญี่ปุ่น กิ๊ก เกี๊ยว ๑๒๓ ฿ กำ', false],
  ['Laoo', 'ລາວ ນໍ້າ ຫຼາຍ ປັ່ນ ມະນຸດທຸກໆຄົນ ເກີດ ໜ້າ ຄຳ ໑໒໓ ₭', false],
  ['Armn', 'Հայերեն։ Բոլոր մարդիկ ծնվում են ազատ ու հավասար, մեւ և ոչ՞ ﬓ', false],
  ['Geor', 'ქართული. ყველა ადამიანი იბადება თავისუფალი; ᲥᲐᲠᲗᲣᲚᲘ, Ⴀⴀ ჻', false],
  ['Ethi', 'አማርኛ፡ የሰው ልጅ ሁሉ፣ ነጻ ነው። ትግርኛ ፩፪፫ ኧ', false],
  ['Hani', '中文排版“测试”,标点。日本語の「組版」、葛\u{e0100}城 辻\u{e0101} 漢字(かな)', false],
  ['Hira', 'カタカナとー・ひらがな。がぎぐ か\u3099 ﾊﾞﾝｶｸ', false],
  ['Hang', '한국어 조판 시험, 각 글자. 가나다 \u1112\u1161\u11ab 하\u11ab', false],
  [undefined, '∀∈ℝ: ∑∫√→⇒ 𝒜𝔹 ◆■●🖉 ☯⚓ 1+2=3', false],
  [undefined, '👍🏽👩‍👩‍👧🇳🇱 ☃️ 1️⃣ 🏴󠁧󠁢󠁥󠁮󠁧󠁿 👨🏿‍🚀 ❤️‍🔥 😀', false],
  [undefined, '(12)', true],
];
const METRICS: readonly MetricTag[] = ['undo', 'unds', 'stro', 'strs'];

const harfbuzz = createHarfBuzzEngine(instantiate(await nodeHost.loadWasm('harfbuzz'), outlineKernels()));

function factsOf(font: Font) {
  return {
    unitsPerEm: font.unitsPerEm,
    extents: font.extents(),
    metrics: METRICS.map((tag) => font.metric(tag)),
    hasCharacters: font.hasCharacters(),
    features: [font.featureTags('GSUB'), font.featureTags('GPOS')],
    tables: ['OS/2', 'COLR', 'CPAL'].map((tag) => font.table(tag)?.join()),
  };
}

function shaped(font: Font, [script, text, rightToLeft]: Text, ligatures: boolean, features?: FontSettings) {
  const units = (ems: number) => Math.round(ems * font.unitsPerEm);
  const glyphs = font.shape(text, 0, text.length, { script, rightToLeft, ligatures, features });
  return {
    glyphs: glyphs.map(({ id, cluster, advance, kerning, offsetX, offsetY }) => [
      id,
      cluster,
      ...[advance + kerning, offsetX, offsetY].map(units),
    ]),
    unsafe: glyphs.map(({ unsafeToBreak }) => unsafeToBreak),
  };
}

t.test('shapes as HarfBuzz does with every bundled face', async (t) => {
  const { faces } = loadManifest();
  // at least one face of each family: each has other features
  const families = [...new Map(faces.map((face) => [face.family, face])).values()];
  for (const described of FORM === 'normal' ? families : sample(faces, faces.length)) {
    const bytes = await readFace(described);
    const [theirs, ours] = [harfbuzz.open(bytes), plainTextEngine.open(bytes)];
    t.strictSame(factsOf(ours), factsOf(theirs), described.file);
    for (const text of TEXTS) {
      for (const ligatures of [true, false]) {
        const [expected, found] = [shaped(theirs, text, ligatures), shaped(ours, text, ligatures)];
        const title = `${described.file}: ${text[1]}`;
        t.strictSame(found.glyphs, expected.glyphs, title);
        t.ok(
          expected.unsafe.every((isUnsafe, i) => !isUnsafe || found.unsafe[i]),
          `${title}: unsafe breaks`,
        );
      }
    }
  }
});

const FEATURES: readonly FontSettings[] = [
  { tnum: 1, zero: 1, case: 1 },
  { frac: 1 },
  { liga: 0, kern: 0, calt: 0 },
  { liga: 1, dlig: 1 },
  { smcp: 1, c2sc: 1, onum: 1, salt: 2, ss01: 1, cv11: 1 },
  { aalt: 1 },
  { aalt: 3 },
  { ccmp: 0, mark: 0, rlig: 0 },
  { init: 0, locl: 0, 'x y ': 1 },
];

t.test('turns features on and off as HarfBuzz does', async (t) => {
  const { faces } = loadManifest();
  for (const described of new Map(faces.map((face) => [face.family, face])).values()) {
    const bytes = await readFace(described);
    const [theirs, ours] = [harfbuzz.open(bytes), plainTextEngine.open(bytes)];
    for (const text of TEXTS.slice(0, 3).concat(TEXTS.slice(9, 11))) {
      for (const features of FEATURES) {
        for (const ligatures of [true, false]) {
          const [expected, found] = [theirs, ours].map((font) => shaped(font, text, ligatures, features).glyphs);
          t.strictSame(found, expected, `${described.file}: ${JSON.stringify(features)} ${text[1]}`);
        }
      }
    }
  }
});

t.test('draws the same outlines, number by number', async (t) => {
  for (const described of sample(loadManifest().faces, 25)) {
    const bytes = await readFace(described);
    const [theirs, ours] = [harfbuzz.open(bytes), plainTextEngine.open(bytes)];
    const maxp = theirs.table('maxp')!;
    const count = maxp[4] * 256 + maxp[5];
    const other: number[] = [];
    let inked = 0;
    for (let i = 0; i < GLYPHS; i++) {
      const glyph = Math.floor((i * count) / GLYPHS);
      const [expected, found] = [theirs, ours].map((font) => {
        const { verbs, coords } = font.outline(glyph);
        return JSON.stringify([verbs, coords]);
      });
      if (expected.length > 12) inked++;
      if (expected !== found) other.push(glyph);
    }
    t.same(other, [], `${described.file}: ${inked} outlines`);
    t.ok(inked > GLYPHS / 4, `${described.file} has ink`);
  }
});

t.test('sets the axes of a variable font as HarfBuzz does', (t) => {
  for (const weight of [100, 250, 400, 500, 650, 900]) {
    const fonts = [harfbuzz, plainTextEngine].map((engine) => engine.open(variableFont()));
    const [expected, found] = fonts.map((font) => {
      font.setVariations(new Map([['wght', weight]]));
      return {
        axes: [...font.axes],
        outlines: [0, 1, 2].map((glyph) => font.outline(glyph)),
        shaped: shaped(font, ['Latn', 'abab', false], true).glyphs,
      };
    });
    t.strictSame(found, expected, `weight ${weight}`);
  }
  t.end();
});

t.test('reads the same paints of a variable colour font', (t) => {
  for (const weight of [400, 650, 900]) {
    const settings = new Map([['wght', weight]]);
    const [expected, found] = [harfbuzz, plainTextEngine].map((engine) => {
      const font = engine.open(colorFontFile());
      font.setVariations(settings);
      const glyphs = readColorGlyphs((tag) => font.table(tag), settings);
      return CHARACTERS.map((character) => glyphs?.paint(font.glyph(character.codePointAt(0)!)));
    });
    t.strictSame(found, expected, `weight ${weight}`);
    t.ok(found.every((paint) => paint !== undefined));
  }
  t.end();
});
