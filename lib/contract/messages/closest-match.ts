// Finds the known word that a mistyped word probably meant, for suggestions in messages.
import { asciiLowercase } from '../../unicode/ascii.js';

/** Characters. Longer words are not typos, and the edit distance takes quadratic time. */
const MAX_LENGTH = 40;

/** The word of `known` closest to `word`, ignoring case; undefined if more than about a third of it differs. */
export function closestMatch(word: string, known: Iterable<string>): string | undefined {
  if (word.length > MAX_LENGTH) return undefined;
  const typed = asciiLowercase(word);
  let best: string | undefined;
  // a word that shares no letter is none that was meant
  let least = Math.min(word.length, Math.max(1, Math.floor(word.length / 3)) + 1);
  for (const candidate of known) {
    // each letter more or less is one difference
    if (Math.abs(candidate.length - word.length) >= least) continue;
    const distance = editDistance(typed, asciiLowercase(candidate));
    if (distance < least) {
      least = distance;
      best = candidate;
    }
  }
  return best;
}

/** Up to `count` names, those with the fewest differences to `name` first. */
export function nearestNames(name: string, known: readonly string[], count = 3): string[] {
  const typed = asciiLowercase(name.slice(0, MAX_LENGTH));
  const ranked = known.map((each) => ({
    each,
    distance: editDistance(typed, asciiLowercase(each.slice(0, MAX_LENGTH))),
  }));
  return ranked
    .sort((a, b) => a.distance - b.distance)
    .slice(0, count)
    .map(({ each }) => each);
}

/** The end of a message that suggests a name: `; did you mean width?`. */
export function didYouMean(name: string | undefined): string {
  return name === undefined ? '' : `; did you mean ${name}?`;
}

/** The message about an option that is not among `names`. */
export function unknownOption(name: string, names: readonly string[]): string {
  return `${name} is no known option${didYouMean(closestMatch(name, names))}`;
}

/** Optimal string alignment distance: insertions, deletions, replacements and swaps of neighbours that turn `from` into `to`. */
function editDistance(from: string, to: string): number {
  let beforeLast: number[] = [];
  let last = Array.from({ length: to.length + 1 }, (_, i) => i);
  for (let i = 1; i <= from.length; i++) {
    const row = [i];
    for (let j = 1; j <= to.length; j++) {
      const same = from[i - 1] === to[j - 1];
      row[j] = Math.min(last[j] + 1, row[j - 1] + 1, last[j - 1] + (same ? 0 : 1));
      if (i > 1 && j > 1 && from[i - 1] === to[j - 2] && from[i - 2] === to[j - 1]) {
        row[j] = Math.min(row[j], beforeLast[j - 2] + 1);
      }
    }
    beforeLast = last;
    last = row;
  }
  return last[to.length];
}
