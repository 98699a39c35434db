// The list of fonts: scripts from the characters that fonts have, samples, categories, and fonts beside the bundled ones.
import '../../lib/node-host.js';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { fontList } from '../../lib/contract/api/fonts.js';
import { loadManifest, readFace } from '../../lib/fonts/bundled.js';
import { listFontFamilies } from '../../lib/fonts/catalogue.js';
import { coverageOf, loadLanguages } from '../../lib/fonts/languages.js';
import { categoryOf, charactersOf, describeTypeface } from '../../lib/fonts/typeface.js';
import { loadUserFonts } from '../../lib/fonts/user-fonts.js';
import { ROOT } from '../checkout.js';
import { brandFont } from './brand-font.js';

const ALL = await listFontFamilies();
const byName = new Map(ALL.map((font) => [font.family, font]));

t.test('lists every bundled family with all its styles, as the contract has it', (t) => {
  t.same(fontList.parse({ items: ALL }), { items: ALL });
  const { faces } = loadManifest();
  t.same([...byName.keys()], [...new Set(faces.map(({ family }) => family))]);
  for (const { family, styles, source } of ALL) {
    const own = faces.filter((face) => face.family === family);
    t.same(new Set(styles), new Set(own.map(({ weight, style }) => ({ weight, style }))), family);
    t.equal(source, 'bundled');
  }
  t.same(byName.get('Poppins')?.styles.slice(3, 6), [
    { weight: 400, style: 'normal' },
    { weight: 400, style: 'italic' },
    { weight: 500, style: 'normal' },
  ]);
  t.end();
});

/** Names of scripts in the manifest, which come from separate lists of characters (scripts/fonts.mjs). */
const MANIFEST_SCRIPTS: Readonly<Record<string, string>> = {
  ...{
    Latin: 'Latn',
    Greek: 'Grek',
    Cyrillic: 'Cyrl',
    Arabic: 'Arab',
    Hebrew: 'Hebr',
    Devanagari: 'Deva',
    Thai: 'Thai',
  },
  ...{ Armenian: 'Armn', Georgian: 'Geor', Bengali: 'Beng', Gurmukhi: 'Guru', Gujarati: 'Gujr', Odia: 'Orya' },
  ...{ Tamil: 'Taml', Telugu: 'Telu', Kannada: 'Knda', Malayalam: 'Mlym', Sinhala: 'Sinh', Lao: 'Laoo', Khmer: 'Khmr' },
  ...{ Burmese: 'Mymr', Ethiopic: 'Ethi', 'Chinese (simplified)': 'Hans', Korean: 'Kore' },
};

t.test('scripts are those of which the font has the letters, the main one first', (t) => {
  for (const { family, scripts } of loadManifest().faces) {
    for (const name of scripts) {
      const code = MANIFEST_SCRIPTS[name];
      if (code) t.ok(byName.get(family)?.scripts.includes(code), `${family}: ${name}`);
    }
  }
  const scriptsOf = (family: string) => byName.get(family)?.scripts;
  t.same(scriptsOf('Lato'), ['Latn']);
  t.same(scriptsOf('Open Sans'), ['Latn', 'Cyrl', 'Grek', 'Hebr']);
  t.same(scriptsOf('Noto Sans Hebrew'), ['Hebr', 'Latn']);
  t.equal(scriptsOf('Noto Sans JP')?.[0], 'Jpan');
  t.equal(scriptsOf('Noto Sans SC')?.[0], 'Hans');
  t.equal(scriptsOf('Noto Sans KR')?.[0], 'Kore');
  t.equal(scriptsOf('Noto Sans Symbols')?.[0], 'Zsym');
  t.equal(scriptsOf('Noto Sans Symbols 2')?.[0], 'Zsym');
  t.equal(scriptsOf('Noto Sans Math')?.[0], 'Zmth');
  t.same(scriptsOf('Twemoji'), ['Zsye']);
  t.end();
});

t.test('the sample is in the main script, and the font has all of it', async (t) => {
  for (const { family, sample } of ALL) {
    const face = loadManifest().faces.find((each) => each.family === family)!;
    const has = charactersOf(await readFace(face));
    t.ok(sample.length > 0 && [...sample].every((c) => c === ' ' || has(c.codePointAt(0)!)), `${family}: ${sample}`);
  }
  t.match(byName.get('Noto Sans Thai')?.sample, /^[\u0e00-\u0e7f]+$/);
  t.match(byName.get('Noto Sans Tamil')?.sample, 'தமிழ்');
});

t.test('a font without any language shows characters that it has', async (t) => {
  const table = await loadLanguages();
  const has = (codePoint: number) => codePoint === 0x31 || codePoint === 0xe001;
  t.same(coverageOf(has, table), { languages: [], scripts: [] });
  t.same(
    coverageOf((codePoint) => codePoint !== 0x71, table).languages.find(({ code }) => code === 'en'),
    undefined,
  );
});

t.test('a category comes from the file; other where it says nothing', async (t) => {
  t.equal(byName.get('Lora')?.category, 'serif');
  t.equal(byName.get('JetBrains Mono')?.category, 'monospace');
  t.equal(byName.get('Pacifico')?.category, 'handwriting');
  t.equal(byName.get('Twemoji')?.category, 'symbol');
  const read = async (family: string) => {
    const sfnt = await readFace(loadManifest().faces.find((face) => face.family === family)!);
    return categoryOf(sfnt, ['Latn']);
  };
  t.equal(await read('Source Sans 3'), 'sans-serif');
  t.equal(await read('Source Serif 4'), 'serif');
  t.equal(await read('JetBrains Mono'), 'monospace');
  t.equal(categoryOf(new Uint8Array(12), ['Latn']), 'other');
});

t.test('user fonts take the place of bundled families, assets come last', async (t) => {
  const inter = readFileSync(join(ROOT, 'fonts/inter/inter-400.ttf'));
  const own = await loadUserFonts([{ data: inter, family: 'LATO', weight: 450 }, { data: brandFont() }]);
  const typeface = await describeTypeface('Brand', own[1].bytes);
  t.match(typeface, { category: /^(sans-serif|other)$/, isVariable: false });
  t.same(typeface.scripts, ['Latn', 'Cyrl', 'Grek']);
  const assets = [
    { family: 'Mine', weight: 700, style: 'italic', typeface: { ...typeface, isVariable: true } },
    { family: 'mine ', weight: 400, style: 'normal', typeface },
    { family: 'Older', weight: 400, style: 'normal' },
  ] as const;
  const listed = await listFontFamilies(own, assets);
  const families = listed.map(({ family }) => family);
  t.notOk(families.includes('Lato'));
  t.same(families.slice(-4), ['LATO', 'Brand', 'Mine', 'Older']);
  t.match(listed.at(-4), { styles: [{ weight: 450, style: 'normal' }], source: 'bundled' });
  t.match(listed.at(-2), { scripts: typeface.scripts, sample: typeface.sample, source: 'asset' });
  t.strictSame(listed.at(-2)?.styles, [
    { weight: 400, style: 'normal' },
    { weight: 700, style: 'italic', variable: true },
  ]);
  t.strictSame(listed.at(-1), {
    ...{ family: 'Older', styles: [{ weight: 400, style: 'normal' }], scripts: [], category: 'other' },
    ...{ sample: 'Older', source: 'asset' },
  });
});
