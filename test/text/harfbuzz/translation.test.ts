// HarfBuzz translated to JavaScript, with the plain kernels, against its WebAssembly: the same glyphs, clusters, positions, outlines,
// metrics and tables from every bundled family, in every script.
import t from 'tap';
import { loadManifest, readFace } from '../../../lib/fonts/bundled.js';
import { outlineKernels } from '../../../lib/kernels/kernels.js';
import { createPlainKernels } from '../../../lib/kernels/plain/index.js';
import { loadModule } from '../../../lib/kernels/wasm-module.js';
import { nodeHost } from '../../../lib/node-host.js';
import { createHarfBuzzEngine } from '../../../lib/text/harfbuzz/font.js';
import { instantiate } from '../../../lib/text/harfbuzz/instance.js';
import type { EngineFont, FontSettings, MetricTag } from '../../../lib/text/text-engine.js';
import { FORM, sample } from '../../exhaustive.js';
import { variableFont } from '../../fonts/font-maker.js';
import { faceOf } from '../setting.js';

/** Glyphs whose outlines are compared in each face, spread over all it has. */
const GLYPHS = 200;

type Text = readonly [script: string | undefined, text: string, rightToLeft: boolean];

const TEXTS: readonly Text[] = [
  ['Latn', 'Sphinx of black quartz: “Wafer office, AVATAR, Tý” – 1,234.50 € fi ffl Ångström 1⁄2 e\u0302\u0323', false],
  ['Grek', 'Ξεσκεπάζω την ψυχοφθόρα βδελυγμία. ΐ ᾳ α\u0301', false],
  ['Cyrl', 'Съешь же ещё этих мягких булок, да выпей чаю. и\u0306', false],
  ['Hebr', 'בְּרֵאשִׁית בָּרָא אֱלֹהִים, (הַשָּׁמַיִם) 123', true],
  ['Arab', 'نَصٌّ عَرَبِيٌّ مُشَكَّلٌ، الله لا إله (١٢٣٤) پچژگ ـ ﷲ ه\u200d', true],
  ['Syrc', 'ܫܠܡܐ ܥܠܡܐ', true],
  ['Thai', 'น้ำทั้งที่ปู่ญี่ปุ่น กิ๊ก เกี๊ยว ๑๒๓ ฿ กำ', false],
  ['Laoo', 'ລາວ ນໍ້າ ຫຼາຍ ປັ່ນ ໜ້າ ຄຳ ໑໒໓', false],
  ['Deva', 'हिन्दी क्षत्रिय र्क ज्ञान श्री द्ध्य़ १२३', false],
  ['Beng', 'বাংলা ক্ষত্রিয় র্ক কো শ্রী', false],
  ['Guru', 'ਪੰਜਾਬੀ ਸ੍ਰੀ ਕਿ', false],
  ['Gujr', 'ગુજરાતી ક્ષત્રિય શ્રી', false],
  ['Orya', 'ଓଡ଼ିଆ କ୍ଷ ଶ୍ରୀ', false],
  ['Taml', 'தமிழ் கொ ஸ்ரீ க்ஷ', false],
  ['Telu', 'తెలుగు క్ష శ్రీ', false],
  ['Knda', 'ಕನ್ನಡ ಕ್ಷ ಶ್ರೀ ರ್ಕ', false],
  ['Mlym', 'മലയാളം ക്ഷ ശ്രീ ൻ', false],
  ['Sinh', 'සිංහල ශ්‍රී ක්‍ෂ', false],
  ['Khmr', 'ភាសាខ្មែរ ស្រ្តី ក្រោម ង៉ាំ', false],
  ['Mymr', 'မြန်မာဘာသာ င်္က ကြွ ၁၂၃', false],
  ['Tibt', 'བོད་སྐད་ རྒྱ', false],
  ['Hani', '中文排版“测试”,标点。葛\u{e0100}城', false],
  ['Hang', '한국어 조판 \u1112\u1161\u11ab', false],
  [undefined, '∀∈ℝ ∑√→ 👍🏽👩‍👩‍👧🇳🇱 1️⃣ 🏴󠁧󠁢󠁥󠁮󠁧󠁿', false],
];
const METRICS: readonly MetricTag[] = ['undo', 'unds', 'stro', 'strs'];
const FEATURES: readonly (FontSettings | undefined)[] = [
  undefined,
  { tnum: 1, frac: 1 },
  { liga: 1, dlig: 1 },
  { aalt: 3, kern: 0, mark: 0 },
];

const compiled = createHarfBuzzEngine(instantiate(await loadModule('harfbuzz'), outlineKernels()));
const translated = createHarfBuzzEngine(instantiate(await nodeHost.loadTranslation('harfbuzz'), createPlainKernels()));

function factsOf(font: EngineFont) {
  const shaped = TEXTS.map(([script, text, rightToLeft]) =>
    FEATURES.map((features) => {
      const options = { script, rightToLeft, features };
      return [true, false].map((ligatures) => font.shape(text, 0, text.length, { ...options, ligatures }));
    }),
  );
  return {
    unitsPerEm: font.unitsPerEm,
    axes: [...font.axes],
    extents: font.extents(),
    metrics: METRICS.map((tag) => font.metric(tag)),
    hasCharacters: font.hasCharacters(),
    features: [font.featureTags('GSUB'), font.featureTags('GPOS')],
    tables: ['OS/2', 'COLR'].map((tag) => font.table(tag)?.join()),
    shaped,
  };
}

function outlinesOf(font: EngineFont) {
  const glyphs = new DataView(font.table('maxp')!.buffer).getUint16(4);
  const step = Math.max(1, Math.floor(glyphs / GLYPHS));
  return Array.from({ length: Math.floor(glyphs / step) }, (_, i) => {
    const { verbs, coords } = font.outline(i * step);
    return { verbs, coords };
  });
}

t.test('reads every bundled family as WebAssembly does', async (t) => {
  const { faces } = loadManifest();
  const families = [...new Map(faces.map((face) => [face.family, face])).values()];
  for (const described of FORM === 'normal' ? families : sample(faces, faces.length)) {
    const bytes = await readFace(described);
    const [expected, found] = [compiled, translated].map((engine) => engine.open(bytes));
    t.strictSame(factsOf(found), factsOf(expected), described.file);
    t.strictSame(outlinesOf(found), outlinesOf(expected), `${described.file}: outlines`);
  }
});

t.test('reorders syllables', async (t) => {
  const text = 'कि';
  const font = translated.open(await readFace(faceOf('Noto Sans Devanagari')));
  const options = { script: 'Deva', rightToLeft: false, ligatures: true };
  const [sign] = font.shape(text, 0, text.length, options);
  t.not(sign.id, font.glyph(0x915), 'the vowel sign comes first');
  t.end();
});

t.test('sets the axes of a variable font', (t) => {
  const [expected, found] = [compiled, translated].map((engine) => {
    const font = engine.open(variableFont());
    font.setVariations(new Map([['wght', 725]]));
    return [factsOf(font), outlinesOf(font)];
  });
  t.strictSame(found, expected);
  t.end();
});

t.test('says when memory is out', async (t) => {
  const { exports } = instantiate(await nodeHost.loadTranslation('harfbuzz'), createPlainKernels());
  t.equal(exports.malloc(2 ** 31 - 2 ** 16), 0, 'no address');
  const before = exports.memory.buffer.byteLength;
  t.throws(() => exports.memory.grow(40_000), RangeError);
  t.equal(exports.memory.buffer.byteLength, before);
  t.equal(exports.memory.grow(1), before / 65_536);
});
