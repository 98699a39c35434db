// Resolves the script that each cluster is shaped in (UAX #24, ISO 15924). Characters shared by several scripts take the
// script of their neighbours, so that text of one script stays in one run, which kerning and ligatures need.
import { SCRIPTS } from '../unicode/data.js';
import { lookupOf } from '../unicode/table.js';

/** Any other script: its text is a separate run, whose script HarfBuzz detects. */
export const OTHER = 'Zzzz';

/** Paired brackets: a closing bracket takes the script of its opening one. */
const BRACKETS = '()[]{}⁅⁆⟦⟧⟨⟩⟪⟫〈〉《》「」『』【】〔〕〖〗（）［］｛｝｢｣';
const MAX_OPEN_BRACKETS = 32;

/** The scripts that use the character; empty when all do, as for spaces, digits and most punctuation. */
export const scriptsOf = lookupOf<readonly (readonly string[])[]>({
  values: SCRIPTS.values.split(',').map((tags) => tags.match(/\w+/g) ?? []),
  runs: SCRIPTS.runs,
});

/**
 * Returns the scripts of the cluster's first character with a definite script: for a digit or a dotted circle, its marks
 * decide.
 */
function scriptsOfCluster(cluster: string): readonly string[] {
  for (const character of cluster) {
    const scripts = scriptsOf(character.codePointAt(0)!);
    if (scripts.length > 0) return scripts;
  }
  return [];
}

/** Whether several scripts share the cluster, as the Indic scripts share the danda. */
export function isSharedByScripts(cluster: string): boolean {
  return scriptsOfCluster(cluster).length > 1;
}

/** Basic Latin: letters are Latin, other characters have no script. Takes a tenth of the time of a lookup, measured. */
const isBasic = (cluster: string) => cluster.length === 1 && cluster < '\u0080';
const isLetter = (cluster: string) => /[A-Za-z]/.test(cluster);

/** The script of each cluster of a text; undefined for all when no cluster has one. */
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

/** Returns for each cluster the script of the next cluster that belongs to a single script. */
function followingScripts(candidates: readonly (readonly string[])[]): (string | undefined)[] {
  const following: (string | undefined)[] = new Array(candidates.length);
  let next: string | undefined;
  for (let i = candidates.length - 1; i >= 0; i--) {
    following[i] = next;
    if (candidates[i].length === 1) next = candidates[i][0];
  }
  return following;
}

/** Cursive scripts: letter spacing would break the joins, so they get none (CSS Text 4 section 8.2.1). */
const CURSIVE = new Set(['Adlm', 'Arab', 'Mand', 'Mong', 'Nkoo', 'Phag', 'Rohg', 'Syrc']);

export function isCursive(script: string | undefined): boolean {
  return script !== undefined && CURSIVE.has(script);
}
