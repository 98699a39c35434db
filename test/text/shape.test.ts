// Shaping as the reference shaper does it: glyph ids, advances and offsets of a paragraph in each script.
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import t from 'tap';
import { loadManifest, readFace } from '../../lib/assets/fonts.js';
import { Face } from '../../lib/text/face.js';
import { shapeParagraph } from '../../lib/text/paragraph.js';
import { faceOf } from './setting.js';

const TEXTS = new Map([
  ['Inter', 'Sphinx of black quartz, judge my vow: “Wafer office, AVATAR, Tý” – 1,234.50 € fi ffl Ångström'],
  ['Noto Sans', 'Ξεσκεπάζω την ψυχοφθόρα βδελυγμία. Съешь же ещё этих мягких булок. Nghiêng nghiêng ế ữ ậ'],
  ['Noto Sans Arabic', 'نَصٌّ عَرَبِيٌّ مُشَكَّلٌ، الله لا إله (١٢٣٤) والأبجدية؛ پچژگ'],
  ['Noto Sans Hebrew', 'בְּרֵאשִׁית בָּרָא אֱלֹהִים, אֵת (הַשָּׁמַיִם) וְאֵת הָאָרֶץ'],
  ['Noto Sans Devanagari', 'क्षत्रिय ज्ञान श्री कर्म र्कि द्ध्र हिन्दी। संस्कृतम् १२३'],
  ['Noto Sans Thai', 'น้ำทั้งที่ปู่ญี่ปุ่น กิ๊ก เกี๊ยว ๑๒๓ ฿'],
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

t.test('every fallback family has its text', (t) => {
  t.same([...TEXTS.keys()], loadManifest().fallback);
  t.end();
});

t.test('hb-shape', { skip: missing }, async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'shape-'));
  t.teardown(() => rmSync(folder, { recursive: true }));
  for (const [family, text] of TEXTS) {
    const bytes = await readFace(faceOf(family));
    const file = join(folder, 'face.ttf');
    writeFileSync(file, bytes);
    const face = new Face(bytes, { trusted: true });
    const em = face.unitsPerEm;
    const { runs, missing } = shapeParagraph(
      text,
      { primary: face, fallbacks: { text: [], symbols: [], emoji: [] }, italic: false },
      true,
    );
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
