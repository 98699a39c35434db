// Clusters → the script that each is shaped in (UAX #24, ISO 15924): signs and marks that several scripts share take
// their neighbours'. Text of one script stays in one piece, which kerning and ligatures need.

const SCRIPTS = (
  [
    ['Latn', 'Latin'],
    ['Grek', 'Greek'],
    ['Cyrl', 'Cyrillic'],
    ['Arab', 'Arabic'],
    ['Hebr', 'Hebrew'],
    ['Deva', 'Devanagari'],
    ['Thai', 'Thai'],
    ['Hani', 'Han'],
    ['Hira', 'Hiragana'],
    // one script for both kana, as in browsers: words of both are kerned across
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
  ] as const
).map(([code, name]) => ({ code, extensions: new RegExp(`\\p{Script_Extensions=${name}}`, 'u') }));

const SHARED = /[\p{Script=Common}\p{Script=Inherited}]/u;

/** All other scripts: text in one of them is a run of its own, in which HarfBuzz looks for the script itself. */
export const OTHER = 'Zzzz';

/** Brackets in pairs: one that closes has the script of the one that opened. */
const BRACKETS = '()[]{}⁅⁆⟦⟧⟨⟩⟪⟫〈〉《》「」『』【】〔〕〖〗（）［］｛｝｢｣';
const MAX_OPEN_BRACKETS = 32;

const known = new Map<number, readonly string[]>();

/** The scripts that use the character; none when all do: blanks, digits, most punctuation. */
function scriptsOf(character: string): readonly string[] {
  const codePoint = character.codePointAt(0)!;
  let scripts = known.get(codePoint);
  if (!scripts) {
    const found = SCRIPTS.filter(({ extensions }) => extensions.test(character)).map(({ code }) => code);
    scripts = found.length > 0 || SHARED.test(character) ? [...new Set(found)] : [OTHER];
    known.set(codePoint, scripts);
  }
  return scripts;
}

/** Those of the cluster's first character that tells: a digit or a dotted circle leaves it to its marks. */
function scriptsOfCluster(cluster: string): readonly string[] {
  for (const character of cluster) {
    const scripts = scriptsOf(character);
    if (scripts.length > 0) return scripts;
  }
  return [];
}

/** Whether a few scripts share the cluster, as the Indic ones share the danda, and none of them owns it. */
export function isSharedByScripts(cluster: string): boolean {
  return scriptsOfCluster(cluster).length > 1;
}

/** Basic Latin: its letters are Latin, and its other characters of no script. Measured: a tenth of the time of looking. */
const isBasic = (cluster: string) => cluster.length === 1 && cluster < '\u0080';
const isLetter = (cluster: string) => /[A-Za-z]/.test(cluster);

/** The script of each cluster of a text; undefined throughout when no cluster tells. */
export function resolveScripts(clusters: readonly string[]): (string | undefined)[] {
  if (clusters.every(isBasic)) return new Array(clusters.length).fill(clusters.some(isLetter) ? 'Latn' : undefined);
  const candidates = clusters.map(scriptsOfCluster);
  const resolved: (string | undefined)[] = new Array(clusters.length);
  const following = followingScripts(candidates);
  const open: { bracket: number; script: string | undefined }[] = [];
  let last: string | undefined;
  clusters.forEach((cluster, i) => {
    const own = candidates[i];
    let script = last;
    if (own.length === 1) script = own[0];
    else if (own.length > 1 && (last === undefined || !own.includes(last))) {
      const next = following[i];
      script = next !== undefined && own.includes(next) ? next : own[0];
    }
    const bracket = BRACKETS.indexOf(cluster);
    if (bracket >= 0 && bracket % 2 === 0) {
      if (open.length < MAX_OPEN_BRACKETS) open.push({ bracket, script });
    } else if (bracket >= 0) {
      const match = open.findLastIndex((opened) => opened.bracket === bracket - 1);
      if (match >= 0) script = open.splice(match)[0].script ?? script;
    }
    resolved[i] = script;
    last = script;
  });
  const first = resolved.find((script) => script !== undefined);
  for (let i = 0; i < resolved.length && resolved[i] === undefined; i++) resolved[i] = first;
  return resolved;
}

/** Of each cluster: the script of the next one that belongs to one script alone. */
function followingScripts(candidates: readonly (readonly string[])[]): (string | undefined)[] {
  const following: (string | undefined)[] = new Array(candidates.length);
  let next: string | undefined;
  for (let i = candidates.length - 1; i >= 0; i--) {
    following[i] = next;
    if (candidates[i].length === 1) next = candidates[i][0];
  }
  return following;
}

/** Scripts whose letters join: letter spacing would tear them apart, so they get none (CSS Text 4 section 8.2.1). */
const CURSIVE = new Set(['Adlm', 'Arab', 'Mand', 'Mong', 'Nkoo', 'Phag', 'Rohg', 'Syrc']);

export function isCursive(script: string | undefined): boolean {
  return script !== undefined && CURSIVE.has(script);
}
