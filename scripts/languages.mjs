// Makes fonts/languages.txt, the characters that each language is written with, from pinned packages of Unicode's CLDR.
//   node scripts/languages.mjs     needs npm and tar; takes some seconds
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { packRanges } from './pack-ranges.mjs';

const CHARACTERS = {
  package: 'cldr-misc-full@48.2.0',
  integrity: 'sha512-dSc2Tr53dQcUGwsTinamEeoP2YXOhQrIZ+SyeuUrv4MzJOSjT/Q0qkSmX11ZwfcTbYSkIqbrgALQLhAm1yf5fA==',
};
const NAMES = {
  package: 'cldr-localenames-full@48.2.0',
  integrity: 'sha512-4o0paYDz0UXhfhChAVFkmVl2CP0YTSEqE6WrC0fNafaSC5u5DAXphxH3SZ1Ujczarikr8DToKZfiok6EqWLdNQ==',
};

const workFolder = mkdtempSync(join(tmpdir(), 'languages-'));

/** Downloads and unpacks a package and returns its folder of locales. Throws if the tarball is not the pinned one. */
function fetchLocales({ package: spec, integrity }) {
  const packed = execFileSync('npm', ['pack', '--json', '--silent', '--pack-destination', workFolder, spec], {
    encoding: 'utf8',
  });
  const [tarball] = JSON.parse(packed);
  if (integrity !== tarball.integrity) throw new Error(`${spec}: expected ${integrity}, received ${tarball.integrity}`);
  const folder = join(workFolder, tarball.name);
  mkdirSync(folder);
  execFileSync('tar', ['xzf', join(workFolder, tarball.filename), '-C', folder, '--strip-components=1']);
  return join(folder, 'main');
}

const read = (...path) => JSON.parse(readFileSync(join(...path), 'utf8'));

/** The code points of a UnicodeSet (UTS #35): characters, ranges and strings in braces, no nested sets. */
function codePointsOf(set) {
  const found = new Set();
  const pattern = /\\u([0-9A-F]{4})|\\U([0-9A-F]{8})|\\(.)|([{}\s-])|(.)/gsu;
  let last;
  let isRange = false;
  for (const [, short, long, escaped, sign, plain] of set.replace(/^\[|\]$/g, '').matchAll(pattern)) {
    if (sign !== undefined) {
      if (sign === '-') isRange = true;
      continue;
    }
    const hex = short ?? long;
    const codePoint = hex === undefined ? (escaped ?? plain).codePointAt(0) : Number.parseInt(hex, 16);
    for (let each = isRange ? last : codePoint; each <= codePoint; each++) found.add(each);
    isRange = false;
    last = codePoint;
  }
  return found;
}

/** Capitals that are one character. Few fonts have those of Georgian, which no text needs. */
function addCapitals(codePoints, locale) {
  for (const codePoint of [...codePoints]) {
    const capital = String.fromCodePoint(codePoint).toLocaleUpperCase(locale);
    if ([...capital].length === 1 && !/\p{Script=Georgian}/u.test(capital)) codePoints.add(capital.codePointAt(0));
  }
}

/** ISO 15924 codes of combined scripts, by a script that only their languages have. */
const COMBINED = [
  [/\p{Script=Hiragana}/u, 'Jpan'],
  [/\p{Script=Hangul}/u, 'Kore'],
];

/** The script of most of the letters. */
function scriptOf(locale, codePoints, scripts) {
  const text = String.fromCodePoint(...codePoints);
  for (const [pattern, script] of COMBINED) if (pattern.test(text)) return script;
  const [counted] = scripts
    .flatMap(([code, pattern]) => {
      const count = text.match(pattern)?.length ?? 0;
      return count > 0 ? [{ code, count }] : [];
    })
    .sort((a, b) => b.count - a.count);
  if (counted === undefined) throw new Error(`${locale}: its characters have no script`);
  if (counted.code === 'Hani') return /Hant|^yue$/.test(locale) ? 'Hant' : 'Hans';
  return counted.code;
}

/** A pattern of each script that Unicode has, by its ISO 15924 code. */
function patternsOf(codes) {
  return codes.flatMap((code) => {
    try {
      return [[code, new RegExp(`\\p{Script=${code}}`, 'gu')]];
    } catch {
      return [];
    }
  });
}

const characters = fetchLocales(CHARACTERS);
const names = fetchLocales(NAMES);
const languageNames = read(names, 'en/languages.json').main.en.localeDisplayNames.languages;
const scriptNames = read(names, 'en/scripts.json').main.en.localeDisplayNames.scripts;
// characters that scripts share don't tell them apart
const patterns = patternsOf(Object.keys(scriptNames).filter((code) => !['Zyyy', 'Zinh', 'Zzzz'].includes(code)));

/** The language's name in itself, without the script's; empty where CLDR has none. */
function ownName(locale) {
  if (!existsSync(join(names, locale, 'languages.json'))) return '';
  const { languages } = read(names, locale, 'languages.json').main[locale].localeDisplayNames;
  return languages[locale] ?? languages[locale.split('-')[0]] ?? '';
}

const LANGUAGE = /^([a-z]{2,3})(?:-([A-Z][a-z]{3}))?$/;
const languages = [];
for (const locale of readdirSync(characters).sort()) {
  const [, language, variant] = LANGUAGE.exec(locale) ?? [];
  const name = languageNames[language];
  if (name === undefined) continue;
  const { exemplarCharacters } = read(characters, locale, 'characters.json').main[locale].characters;
  const codePoints = codePointsOf(exemplarCharacters ?? '[]');
  if (codePoints.size === 0) continue;
  addCapitals(codePoints, locale);
  const sorted = [...codePoints].sort((a, b) => a - b);
  const ranges = packRanges(sorted);
  const script = scriptOf(locale, sorted, patterns);
  // the language in its usual script has been added
  if (languages.some((each) => each[0] === language && each[3] === ranges)) continue;
  languages.push([locale, variant ? `${name} (${scriptNames[variant]})` : name, script, ranges, ownName(locale)]);
}
const scripts = [...new Set(languages.map(([, , script]) => script))].sort();
const lines = languages.map((language) => `    ${JSON.stringify(language)}`).join(',\n');
const named = JSON.stringify(Object.fromEntries(scripts.map((script) => [script, scriptNames[script]])));
writeFileSync(
  fileURLToPath(new URL('../fonts/languages.txt', import.meta.url)),
  `{\n  "scripts": ${named},\n  "languages": [\n${lines}\n  ]\n}\n`,
);
rmSync(workFolder, { recursive: true });
console.log(`${languages.length} languages in ${scripts.length} scripts`);
