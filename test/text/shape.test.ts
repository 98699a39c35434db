// Shaping against hb-shape: glyph ids, advances and offsets of a paragraph in each script.
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import t from 'tap';
import { loadManifest, readFace } from '../../lib/fonts/bundled.js';
import { loadDictionaries } from '../../lib/fonts/dictionaries.js';
import { loadTextEngine } from '../../lib/fonts/text-engine.js';
import { openFace } from '../../lib/text/face.js';
import { shape } from './setting.js';

const TEXTS = new Map([
  ['Inter', 'Sphinx of black quartz, judge my vow: “Wafer office, AVATAR, Tý” – 1,234.50 € fi ffl Ångström'],
  ['Noto Sans', 'Ξεσκεπάζω την ψυχοφθόρα βδελυγμία. Съешь же ещё этих мягких булок. Nghiêng nghiêng ế ữ ậ'],
  ['Noto Sans Arabic', 'نَصٌّ عَرَبِيٌّ مُشَكَّلٌ، الله لا إله (١٢٣٤) والأبجدية؛ پچژگ'],
  ['Noto Sans Hebrew', 'בְּרֵאשִׁית בָּרָא אֱלֹהִים, אֵת (הַשָּׁמַיִם) וְאֵת הָאָרֶץ'],
  ['Noto Sans Devanagari', 'क्षत्रिय ज्ञान श्री कर्म र्कि द्ध्र हिन्दी। संस्कृतम् १२३'],
  ['Noto Sans Thai', 'น้ำทั้งที่ปู่ญี่ปุ่น กิ๊ก เกี๊ยว ๑๒๓ ฿'],
  ['Noto Sans Armenian', 'Հայերեն։ Բոլոր մարդիկ ծնվում են ազատ ու հավասար, մեւ և ոչ՞ ﬓ'],
  ['Noto Sans Georgian', 'ქართული. ყველა ადამიანი იბადება თავისუფალი; ᲥᲐᲠᲗᲣᲚᲘ, Ⴀⴀ ჻'],
  ['Noto Sans Bengali', 'বাংলা। ক্ষত্রিয় সন্তান জ্ঞান স্ত্রী র‍্যাব কর্ম কৌ কো ক্‌ষ হৃদয় রু গু ১২৩ ৳'],
  ['Noto Sans Gurmukhi', 'ਪੰਜਾਬੀ। ਸਾਰਾ ਮਨੁੱਖੀ ਪਰਿਵਾਰ ਪ੍ਰੇਮ ਸ੍ਵੈ ਪੜ੍ਹ ਸ਼ਾਨ ੧੨੩ ੴ'],
  ['Noto Sans Gujarati', 'ગુજરાતી ક્ષત્રિય જ્ઞાન સ્ત્રી કર્મ દૃષ્ટિ જી રૂ ૧૨૩'],
  ['Noto Sans Oriya', 'ଓଡ଼ିଆ। ସ୍ତ୍ରୀ କ୍ଷେତ୍ର ଜ୍ଞାନ ମର୍ଯ୍ୟାଦା ସ୍ୱାଧୀନ କୌ ୧୨୩'],
  ['Noto Sans Tamil', 'தமிழ் ஸ்ரீ க்ஷேமம் கொ கோ கௌ டு நூ மனிதப் பிறவியினர் ௧௨௩'],
  ['Noto Sans Telugu', 'తెలుగు స్త్రీ క్షేమం ప్రతిపత్తిస్వత్వముల జన్మతః ర్క కై ౧౨౩'],
  ['Noto Sans Kannada', 'ಕನ್ನಡ ಕ್ಷೇತ್ರ ಸ್ತ್ರೀ ರ್ಕ ಸ್ವತಂತ್ರರಾಗಿಯೇ ಕೊ ಕೋ ಕೈ ೧೨೩'],
  ['Noto Sans Malayalam', 'മലയാളം സ്ത്രീ ക്ഷ ന്റെ തുല്യാവകാശങ്ങളോടും സ്വാതന്ത്ര്യത്തോടും കൊ കോ ൻ ർ ന്‍ ൧൨൩'],
  ['Noto Sans Sinhala', 'සිංහල ශ්‍රී ලංකාව ක්‍ෂ මනුෂ්‍යයෝ ගරුත්වයෙන් කො කෝ ක්ය ඥ'],
  ['Noto Sans Lao', 'ລາວ ນໍ້າ ຫຼາຍ ປັ່ນ ມະນຸດທຸກໆຄົນ ເກີດ ໜ້າ ໑໒໓ ₭'],
  ['Noto Sans Khmer', 'ខ្មែរ ខ្ញុំ ស្ត្រី ស្រឡាញ់ សេចក្ដីថ្លៃថ្នូរ កើត គ្រឿង ញ្ញ ប៉ា ស៊ី ១២៣។ ៛'],
  ['Noto Sans Myanmar', 'မြန်မာ သင်္ဘော ဗုဒ္ဓ ကျွန်ုပ် လွတ်လပ်သော ဂုဏ်သိက္ခာ ငြိမ်း ကြွ ၁၂၃။ ရှမ်းၵ ကရင်ၡ'],
  ['Noto Sans Ethiopic', 'አማርኛ፡ የሰው ልጅ ሁሉ፣ ነጻ ነው። ትግርኛ ፩፪፫ ኧ'],
  ['Noto Sans JP', '日本語の「組版」、カタカナとー・ひらがな。がぎぐ ﾊﾝｶｸ'],
  ['Noto Sans SC', '中文排版“测试”,标点。'],
  ['Noto Sans KR', '한국어 조판 시험, 각 글자. 가나다'],
  ['Noto Sans Symbols', '☯⚓'],
  ['Noto Sans Symbols 2', '◆■●🖉'],
  ['Noto Sans Math', '∀x∈ℝ: ∑∫√→⇒ 𝒜𝔹'],
]);

const missing = spawnSync('hb-shape', ['--version']).error ? 'needs hb-shape (Debian: libharfbuzz-bin)' : false;

interface ReferenceGlyph {
  g: number;
  ax: number;
  dx: number;
  dy: number;
}

t.test('every fallback family covers its sample text', (t) => {
  t.same([...TEXTS.keys()], loadManifest().fallback);
  t.end();
});

t.test('hb-shape', { skip: missing }, async (t) => {
  await loadTextEngine();
  const folder = mkdtempSync(join(tmpdir(), 'shape-'));
  t.teardown(() => rmSync(folder, { recursive: true }));
  const faces = loadManifest().faces.filter(({ family, style }) => TEXTS.has(family) && style === 'normal');
  for (const described of faces.filter(({ weight }) => weight === 400 || weight === 700)) {
    const text = TEXTS.get(described.family)!;
    await loadDictionaries(text);
    const family = `${described.family} ${described.weight}`;
    const bytes = await readFace(described);
    const file = join(folder, 'face.ttf');
    writeFileSync(file, bytes);
    const face = openFace(bytes, { trusted: true });
    const em = face.unitsPerEm;
    const { runs, missing } = shape(text, {
      primary: face,
      fallbacks: { text: [], symbols: [], emoji: [] },
      italic: false,
    });
    t.same(missing, [], `${family} has every character`);
    for (const run of runs) {
      const options = [
        '--no-glyph-names',
        '--no-clusters',
        '--output-format=json',
        `--direction=${run.level & 1 ? 'rtl' : 'ltr'}`,
        ...(run.script ? [`--script=${run.script}`] : []),
        `--text-before=${text.slice(0, run.start)}`,
        `--text-after=${text.slice(run.end)}`,
      ];
      const part = text.slice(run.start, run.end);
      const output = execFileSync('hb-shape', [...options, file, `--text=${part}`], { encoding: 'utf8' });
      const expected = (JSON.parse(output) as ReferenceGlyph[]).map(({ g, ax, dx, dy }) => [g, ax, dx, dy]);
      const found = run.glyphs.map((glyph) =>
        [glyph.id, (glyph.advance + glyph.kerning) * em, glyph.offsetX * em, glyph.offsetY * em].map(Math.round),
      );
      t.same(found, expected, `${family}: ${part}`);
    }
  }
});
