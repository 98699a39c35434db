// The pattern of a date for a skeleton, such as `yMMMd`: the nearest pattern that the locale has, with the widths that the
// skeleton asks for, as Unicode's Technical Standard 35 describes and ICU does it.
import { patternParts } from './date-format.js';
import type { LocaleData } from './locale-data.js';

/** The fields of a date and a time, from the largest to the smallest, by their letters; an hour's are all letters of hours. */
const FIELDS = ['G', 'y', 'Qq', 'ML', 'Ec', 'd', 'abB', 'HhKk', 'm', 's', 'S', 'Oz'] as const;
/** CLDR's names of the fields, where one may be appended to a pattern. */
const APPENDED = [
  'Era',
  'Year',
  'Quarter',
  'Month',
  'Day-Of-Week',
  'Day',
  '',
  'Hour',
  'Minute',
  'Second',
  '',
  'Timezone',
];
const [MONTH, WEEKDAY, PERIOD, HOUR, SECOND, FRACTION] = ['ML', 'Ec', 'abB', 'HhKk', 's', 'S'].map((letters) =>
  FIELDS.indexOf(letters as (typeof FIELDS)[number]),
);
/** The letters of a skeleton: those of the fields, and `j`, the hour as the locale has it. */
export const SKELETON_LETTERS = `${FIELDS.join('').replace('z', '')}j`;
/** Maximum letters of a field. */
const MAX_LENGTH = 6;

/** A field of a skeleton: its letter and how many of them. */
interface SkeletonField {
  readonly letter: string;
  readonly length: number;
}

/** The fields of a skeleton, in the order of FIELDS. */
type Skeleton = readonly (SkeletonField | undefined)[];

interface AvailablePattern {
  readonly skeleton: Skeleton;
  readonly pattern: string;
  /** Whether the skeleton is CLDR's; otherwise it is read from the pattern. */
  readonly isNamed: boolean;
}

const fieldOf = (letter: string) => FIELDS.findIndex((letters) => letters.includes(letter));

/** Whether a text is a skeleton. */
export function isSkeleton(text: string): boolean {
  const runs = [...text.matchAll(/([A-Za-z])\1*/g)];
  const fields = runs.map(([, letter]) => fieldOf(letter === 'j' ? 'h' : letter));
  const isKnown = runs.every(([run, letter]) => SKELETON_LETTERS.includes(letter) && run.length <= MAX_LENGTH);
  return text !== '' && runs.map(([run]) => run).join('') === text && isKnown && new Set(fields).size === fields.length;
}

function skeletonOf(runs: Iterable<SkeletonField>): Skeleton {
  const skeleton: (SkeletonField | undefined)[] = FIELDS.map(() => undefined);
  for (const run of runs) {
    const index = fieldOf(run.letter);
    if (index >= 0) skeleton[index] = run;
  }
  const hour = skeleton[HOUR]?.letter ?? '';
  // hours up to 12 go with a half of the day, hours up to 24 with none, but with its parts
  if ('hK'.includes(hour) && hour !== '') skeleton[PERIOD] ??= { letter: 'a', length: 1 };
  if ('Hk'.includes(hour) && skeleton[PERIOD]?.letter === 'a') skeleton[PERIOD] = undefined;
  return skeleton;
}

const parsed = (text: string): Skeleton =>
  skeletonOf(patternParts(text).flatMap((part) => (part.letter === undefined ? [] : [part])));

/** The pattern for a skeleton that `isSkeleton` takes. */
export function patternFor(text: string, data: LocaleData): string {
  const skeleton = parsed(text.replace(/j/g, data.hour));
  const available = availablePatterns(data);
  const best = nearest(skeleton, available);
  if (best.missing.length === 0 && best.extra === 0) return adjusted(best.found, skeleton);
  const date = composed(
    skeleton.map((field, i) => (i < PERIOD ? field : undefined)),
    available,
    data,
  );
  const time = composed(
    skeleton.map((field, i) => (i < PERIOD ? undefined : field)),
    available,
    data,
  );
  if (date === '' || time === '') return date + time;
  const months = skeleton[MONTH]?.length ?? 1;
  const style = months === 4 ? (skeleton[WEEKDAY] ? 0 : 1) : months === 3 ? 2 : 3;
  return substituted(data.atTime[style], [time, date]);
}

const substituted = (pattern: string, values: readonly string[]) =>
  pattern.replace(/\{(\d)\}/g, (_, index: string) => values[Number(index)]);

/** Patterns for single fields, those of the styles, and those that the locale names; a later one hides an earlier. */
function availablePatterns(data: LocaleData): AvailablePattern[] {
  const found = new Map<string, AvailablePattern>();
  const bases = new Set<string>();
  const add = (skeleton: Skeleton, pattern: string, isNamed: boolean) => {
    const base = keyOf(
      skeleton,
      ({ letter, length }) => FIELDS[fieldOf(letter)][0] + (typeOf({ letter, length }) > 0 ? 1 : length),
    );
    if (!isNamed && bases.has(base)) return;
    bases.add(base);
    found.set(
      keyOf(skeleton, ({ letter, length }) => letter + length),
      { skeleton, pattern, isNamed },
    );
  };
  for (const letter of 'GyQMEdHmsSO') add(parsed(letter), letter, false);
  for (const i of [0, 1, 2, 3]) {
    add(parsed(data.date[i]), data.date[i], false);
    add(parsed(data.time[i]), data.time[i], false);
  }
  for (const [name, pattern] of Object.entries(data.formats)) add(parsed(name), pattern, true);
  const first = ({ skeleton }: AvailablePattern) => FIELDS[skeleton.findIndex((field) => field !== undefined)][0];
  const patterns = [...found.values()];
  return patterns.sort((a, b) => (first(a) < first(b) ? -1 : first(a) > first(b) ? 1 : 0));
}

const keyOf = (skeleton: Skeleton, describe: (field: SkeletonField) => string) =>
  skeleton.map((field) => (field ? describe(field) : '')).join('');

/** Texts by the number of their letters, below 0; numbers are above. */
const TEXT_TYPES: Readonly<Record<number, number>> = { 4: -0x104, 5: -0x101, 6: -0x102 };
const NUMBER_TYPE = 0x100;
/** Distance of two letters of one field, by their place among FIELDS' letters. */
const LETTER_DISTANCES: Readonly<Record<string, number>> = { q: 1, L: 1, c: 2, b: 1, B: 3, K: 1, H: 10, k: 11 };
const LETTER_STEP = 0x10;
const EXTRA = 0x10000;
const MISSING = 0x1000;

/** A number that is the nearer to another field's the more alike the two are written. */
function typeOf({ letter, length }: SkeletonField): number {
  const distance = (LETTER_DISTANCES[letter] ?? 0) * LETTER_STEP;
  const isText = 'GEcabB'.includes(letter) || ('QqMLO'.includes(letter) && length > 2);
  return isText ? (TEXT_TYPES[length] ?? -0x103) - distance : NUMBER_TYPE + distance + length;
}

interface Match {
  readonly found: AvailablePattern;
  readonly missing: readonly number[];
  readonly extra: number;
}

/** The available pattern that is nearest to a skeleton. */
function nearest(skeleton: Skeleton, available: readonly AvailablePattern[]): Match {
  let best: Match | undefined;
  let bestDistance = Infinity;
  let bestMask = -1;
  for (const found of available) {
    const missing: number[] = [];
    let distance = 0;
    let extra = 0;
    for (let i = 0; i < FIELDS.length; i++) {
      const [wanted, other] = [skeleton[i], found.skeleton[i]];
      if (wanted && other) distance += Math.abs(typeOf(wanted) - typeOf(other));
      else if (wanted) {
        distance += MISSING;
        missing.push(i);
      } else if (other) {
        distance += EXTRA;
        extra++;
      }
    }
    const mask = missing.reduce((sum, i) => sum | (1 << i), 0);
    if (distance < bestDistance || (distance === bestDistance && bestMask < mask)) {
      best = { found, missing, extra };
      [bestDistance, bestMask] = [distance, mask];
    }
    if (distance === 0) break;
  }
  if (best === undefined) throw new Error('a locale has no patterns');
  return best;
}

/** The pattern of a date or a time alone: the nearest, with the fields appended that it lacks. */
function composed(skeleton: Skeleton, available: readonly AvailablePattern[], data: LocaleData): string {
  if (skeleton.every((field) => field === undefined)) return '';
  let { found, missing } = nearest(skeleton, available);
  let pattern = adjusted(found, skeleton);
  while (missing.length > 0) {
    if (missing.length === 1 && missing[0] === FRACTION && skeleton[SECOND]) {
      const seconds = { ...found, pattern };
      return withFraction(seconds.pattern, skeleton[FRACTION]?.length ?? 1, data.numbers.decimal);
    }
    const rest = skeleton.map((field, i) => (missing.includes(i) ? field : undefined));
    const next = nearest(rest, available);
    if (next.missing.length === missing.length) return pattern;
    const appended = missing.filter((i) => !next.missing.includes(i));
    const name = APPENDED[appended[appended.length - 1]];
    const text = adjusted(next.found, skeleton);
    pattern = substituted(data.append[name] ?? '{0} {1}', [pattern, text, `'${data.names[name] ?? ''}'`]);
    [found, missing] = [next.found, next.missing];
  }
  return pattern;
}

const withFraction = (pattern: string, length: number, point: string) =>
  mapFields(pattern, ({ letter, length: own }) =>
    letter === 's' ? `${letter.repeat(own)}'${point}'${'S'.repeat(length)}` : letter.repeat(own),
  );

/** Replaces the fields of a pattern. */
function mapFields(pattern: string, replace: (field: SkeletonField) => string): string {
  const parts = patternParts(pattern);
  return parts.map((part) => (part.letter === undefined ? quoted(part.text) : replace(part))).join('');
}

const quoted = (text: string) => (/[A-Za-z']/.test(text) ? `'${text.replace(/'/g, "''")}'` : text);

/** The pattern with fields as wide as the skeleton asks for. */
function adjusted({ pattern, skeleton, isNamed }: AvailablePattern, wanted: Skeleton): string {
  return mapFields(pattern, ({ letter, length }) => {
    const index = fieldOf(letter);
    const field = wanted[index];
    if (field === undefined) return letter.repeat(length);
    const asked = field.letter === 'E' && field.length < 3 ? 3 : field.length;
    const own = skeleton[index];
    const isOther = typeOf({ letter, length }) > 0 !== typeOf(field) > 0;
    // minutes and seconds have the length that goes with the hour's; what matches the skeleton is as the locale writes it
    const isFixed = 'ms'.includes(letter) || (isNamed && field.letter !== 'c' && (own?.length === asked || isOther));
    const isOwnLetter = [MONTH, WEEKDAY].includes(index) || letter === 'y';
    return (isOwnLetter ? letter : field.letter).repeat(isFixed ? length : asked);
  });
}
