// The bundled fonts: the families and weights, the stored bytes, licences, and a coverage that matches each font.
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import * as harfbuzz from 'harfbuzzjs';
import opentype from 'opentype.js';
import t from 'tap';
import { covers, type FontFace, loadManifest, readFace } from '../../lib/fonts/bundled.js';
import { sample } from '../exhaustive.js';

const folder = new URL('../../fonts/', import.meta.url);
const manifest = loadManifest();
const allWeights = '100 200 300 400 400i 500 600 700 700i 800 900';
const regularAndBold = '400 400i 700 700i';

/** Family → weights, `i` for italic, in the order of the manifest. */
const EXPECTED = new Map([
  ['Inter', allWeights],
  ['Roboto', allWeights],
  ['Open Sans', regularAndBold],
  ['Lato', regularAndBold],
  ['Montserrat', allWeights],
  ['Poppins', allWeights],
  ['Nunito', regularAndBold],
  ['DM Sans', regularAndBold],
  ['Work Sans', regularAndBold],
  ['Raleway', regularAndBold],
  ['Oswald', '400 700'],
  ['Source Sans 3', regularAndBold],
  ['Source Serif 4', regularAndBold],
  ['Merriweather', regularAndBold],
  ['Lora', regularAndBold],
  ['Playfair Display', regularAndBold],
  ['JetBrains Mono', regularAndBold],
  ['Bebas Neue', '400'],
  ['Anton', '400'],
  ['Pacifico', '400'],
  ['Lobster', '400'],
  ['Dancing Script', '400 700'],
  ['Noto Sans', '400 700'],
  ['Noto Sans Arabic', '400 700'],
  ['Noto Sans Hebrew', '400 700'],
  ['Noto Sans Devanagari', '400 700'],
  ['Noto Sans Thai', '400 700'],
  ['Noto Sans Armenian', '400 700'],
  ['Noto Sans Georgian', '400 700'],
  ['Noto Sans Bengali', '400 700'],
  ['Noto Sans Gurmukhi', '400 700'],
  ['Noto Sans Gujarati', '400 700'],
  ['Noto Sans Oriya', '400 700'],
  ['Noto Sans Tamil', '400 700'],
  ['Noto Sans Telugu', '400 700'],
  ['Noto Sans Kannada', '400 700'],
  ['Noto Sans Malayalam', '400 700'],
  ['Noto Sans Sinhala', '400 700'],
  ['Noto Sans Lao', '400 700'],
  ['Noto Sans Khmer', '400 700'],
  ['Noto Sans Myanmar', '400 700'],
  ['Noto Sans Ethiopic', '400 700'],
  ['Noto Sans JP', '400 700'],
  ['Noto Sans SC', '400 700'],
  ['Noto Sans KR', '400 700'],
  ['Noto Sans Symbols', '400 700'],
  ['Noto Sans Symbols 2', '400'],
  ['Noto Sans Math', '400'],
  ['Twemoji', '400'],
]);

const nameOf = (face: FontFace) => `${face.weight}${face.style === 'italic' ? 'i' : ''}`;
const findFace = (family: string, weight = 400) =>
  manifest.faces.find((face) => face.family === family && face.weight === weight && face.style === 'normal')!;

t.test('bundles exactly the expected faces, lightest first', async (t) => {
  const found = new Map<string, string>();
  for (const face of manifest.faces) {
    found.set(face.family, [found.get(face.family), nameOf(face)].filter(Boolean).join(' '));
  }
  t.same([...found], [...EXPECTED]);
  for (const family of [...manifest.fallback, manifest.emoji!]) t.ok(EXPECTED.has(family), family);
  t.equal(manifest.fallback[0], 'Inter');
});

t.test('stores every face as listed in the manifest, with its licence', async (t) => {
  let total = 0;
  for (const face of manifest.faces) {
    const bytes = readFileSync(new URL(face.file, folder));
    t.equal(bytes.length, face.bytes, face.file);
    t.equal(createHash('sha256').update(bytes).digest('hex'), face.sha256, face.file);
    t.match(readFileSync(new URL(`${dirname(face.file)}/LICENSE.txt`, folder), 'utf8'), /open font license/i);
    total += bytes.length;
  }
  t.ok(total < 30e6, `${total} bytes`);
  const listed = new Set(manifest.faces.map((face) => face.file));
  for (const name of readdirSync(folder, { recursive: true }).map(String)) {
    if (!/\.(md|json|txt)$|^dictionaries\b/.test(name) && statSync(new URL(name, folder)).isFile()) {
      t.ok(listed.has(name.replaceAll('\\', '/')), `${name} is listed`);
    }
  }
});

t.test('lists exactly the characters that each face has', async (t) => {
  for (const face of sample(manifest.faces, 15)) {
    const bytes = await readFace(face);
    const characters = new harfbuzz.Face(new harfbuzz.Blob(bytes)).collectUnicodes().slice();
    t.ok(characters.length > 100, face.file);
    t.ok(
      characters.every((codePoint) => covers(face, codePoint)),
      `${face.file} covers all its characters`,
    );
    let claimed = 0;
    for (let codePoint = 0; codePoint < 0x110000; codePoint += codePoint === 0x33fff ? 0xac001 : 1) {
      if (covers(face, codePoint)) claimed++;
    }
    t.equal(claimed, characters.length, `${face.file} covers no other characters`);
  }
});

t.test('has a face of every family that opentype.js can parse', async (t) => {
  const families = new Set(manifest.faces.map((face) => face.family));
  for (const family of sample([...families], 12)) {
    const bytes = await readFace(findFace(family));
    const font = opentype.parse(Uint8Array.from(bytes).buffer);
    t.ok(font.unitsPerEm >= 512 && font.glyphs.length > 100, family);
  }
});

t.test('finds a family for each script', async (t) => {
  t.same(findFace('Inter').scripts, ['Latin', 'Vietnamese', 'Greek', 'Cyrillic']);
  t.same(findFace('Poppins').scripts, ['Latin', 'Devanagari']);
  const coveringFamilies = (text: string) =>
    [...text].map((c) => manifest.fallback.find((family) => covers(findFace(family), c.codePointAt(0)!)));
  t.same(coveringFamilies('Aж'), ['Inter', 'Inter']);
  t.same(coveringFamilies('עب'), ['Noto Sans Hebrew', 'Noto Sans Arabic']);
  t.same(coveringFamilies('ก日가这'), ['Noto Sans Thai', 'Noto Sans JP', 'Noto Sans KR', 'Noto Sans SC']);
  t.same(coveringFamilies('∮♃☙𝑚'), ['Noto Sans JP', 'Noto Sans Symbols', 'Noto Sans Symbols 2', 'Noto Sans Math']);
  for (const [script, letter] of Object.entries({
    Armenian: 'հ',
    Georgian: 'ქ',
    Bengali: 'ব',
    Gurmukhi: 'ਪ',
    Gujarati: 'ગ',
    Oriya: 'ଓ',
    Tamil: 'த',
    Telugu: 'త',
    Kannada: 'ಕ',
    Malayalam: 'മ',
    Sinhala: 'ස',
    Lao: 'ລ',
    Khmer: 'ខ',
    Myanmar: 'မ',
    Ethiopic: 'አ',
  })) {
    t.same(coveringFamilies(letter), [`Noto Sans ${script}`]);
    const { scripts } = findFace(`Noto Sans ${script}`);
    t.equal(scripts.length, 2, `${script} and Latin: ${scripts}`);
  }
  const emoji = findFace(manifest.emoji!);
  for (const c of '😀🦄👨') t.ok(covers(emoji, c.codePointAt(0)!), c);
  t.notOk(covers(findFace('Inter'), 0x65e5));
  t.notOk(covers(findFace('Inter'), 0x10ffff));
});

t.test('credits every family in the README', async (t) => {
  const readme = readFileSync(new URL('README.md', folder), 'utf8');
  for (const family of EXPECTED.keys()) t.match(readme, `| [${family}](`);
  t.match(readme, 'CC BY 4.0');
});

// The fidelity references name the fonts that they were painted with: those must be the bundled ones.
const references = new URL('../../../shared/fidelity/fonts/', import.meta.url);
t.test(
  'bundles the fonts of the fidelity references',
  { skip: !existsSync(references) && 'not available' },
  async (t) => {
    const { bundled } = JSON.parse(readFileSync(new URL('fonts.json', references), 'utf8'));
    for (const { family, weight, style, file, package: source } of bundled) {
      const face = manifest.faces.find((f) => f.family === family && f.weight === weight && f.style === style);
      t.equal(`${face?.source.package}@${face?.source.version}`, source, file);
      t.equal(face?.source.file.split('/').at(-1), file);
    }
    t.equal(
      new Set(bundled.map((f: FontFace) => f.family)).size,
      manifest.fallback.slice(0, 7).length + 3,
      'has every family',
    );
  },
);
