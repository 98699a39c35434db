// Parses the values of CSS grids: lists of track sizes (grid-template-columns, grid-auto-rows), and the places of layers
// (grid-column, grid-row). Lines and areas have no names.
import * as z from 'zod';
import { number } from '../schema/fields.js';
import { MAX_TRACKS } from './grid-limits.js';
import { Scanner } from './scanner.js';

/** Maximum pixels, percent and parts of a track. */
const MAX_SIZE = 1e6;

export interface TrackPercentage {
  /** Percentage of the group's content box. */
  readonly percent: number;
}

export interface Fraction {
  /** Part of the spare room, in proportion to those of other tracks. */
  readonly fr: number;
}

/** The smallest or largest size of a track; a number is in pixels. */
export type TrackBreadth = number | TrackPercentage | 'auto' | 'min-content' | 'max-content';

/** The size of a column or row. */
export interface TrackSize {
  readonly min: TrackBreadth;
  readonly max: TrackBreadth | Fraction;
  /** The argument of fit-content(), whose minimum and maximum are `auto` and `max-content`. */
  readonly limit?: number | TrackPercentage;
}

/** The columns or rows of a grid from its first line on. */
export interface TrackList {
  readonly tracks: readonly TrackSize[];
  /** The tracks that are repeated as often as there is room for them. */
  readonly fill?: {
    readonly repeated: readonly TrackSize[];
    /** How many of the other tracks come before. */
    readonly at: number;
    /** Whether repeated tracks without layers are left out (auto-fit). */
    readonly isFit: boolean;
  };
}

/** The columns or rows of a layer. Lines count from 1, from the other end from -1. Without lines it goes where there is room. */
export interface GridPlace {
  readonly start?: number | undefined;
  readonly end?: number | undefined;
  /** Tracks, where a line is not given. */
  readonly span: number;
}

const EXPECTED_SIZES =
  'px, %, fr, auto, min-content, max-content, minmax() and fit-content() with blanks between them, such as "120px auto 1fr"';
const EXPECTED_LIST = `${EXPECTED_SIZES} or "repeat(3, 1fr)"`;
const EXPECTED_NUMBER = `a number from 0 to ${MAX_SIZE}`;
const EXPECTED_COUNT = `at most ${MAX_TRACKS} tracks`;
const EXPECTED_FIXED = 'sizes with a minimum or maximum in px or % beside and inside of auto-fill and auto-fit';

/** Thrown while a value is read, with what was expected. */
class Mistake {
  constructor(readonly expected: string) {}
}

function expectedHere(what: string, scanner: Scanner): Mistake {
  const { source, position } = scanner;
  const left = source.slice(position).trimStart().length;
  return new Mistake(`${what} at character ${source.length - left + 1}`);
}

const KEYWORDS = ['auto', 'min-content', 'max-content'] as const;

/** A size that is no function. */
function readBreadth(scanner: Scanner): TrackBreadth | Fraction | undefined {
  const word = scanner.keyword(KEYWORDS);
  return (
    word ??
    scanner.attempt(() => {
      const { value, unit } = scanner.dimension() ?? { value: -1, unit: '' };
      if (value < 0 || value > MAX_SIZE) return undefined;
      if (unit === '%') return { percent: value };
      if (unit === 'fr') return { fr: value };
      return unit === 'px' || unit === '' ? value : undefined;
    })
  );
}

const isFraction = (size: TrackBreadth | Fraction): size is Fraction => typeof size === 'object' && 'fr' in size;
const isFixed = (size: TrackBreadth | Fraction | undefined): size is number | TrackPercentage =>
  typeof size === 'number' || (typeof size === 'object' && 'percent' in size);

function readTrack(scanner: Scanner): TrackSize | undefined {
  const { position } = scanner;
  const name = scanner.functionName();
  if (name === undefined) {
    const size = readBreadth(scanner);
    return size === undefined ? undefined : { min: isFraction(size) ? 'auto' : size, max: size };
  }
  if (name === 'minmax') {
    const min = readBreadth(scanner);
    const max = scanner.mark(',') ? readBreadth(scanner) : undefined;
    if (min !== undefined && !isFraction(min) && max !== undefined && scanner.mark(')')) return { min, max };
    throw expectedHere('minmax() of a minimum other than fr and a maximum, such as minmax(80px, 1fr),', scanner);
  }
  if (name === 'fit-content') {
    const limit = readBreadth(scanner);
    if (isFixed(limit) && scanner.mark(')')) return { min: 'auto', max: 'max-content', limit };
    throw expectedHere('fit-content() of a size in px or %', scanner);
  }
  scanner.position = position;
  return undefined;
}

/** One size or more. */
function readTracks(scanner: Scanner): TrackSize[] {
  const tracks: TrackSize[] = [];
  for (let track = readTrack(scanner); track; track = readTrack(scanner)) {
    if (tracks.push(track) > MAX_TRACKS) throw new Mistake(EXPECTED_COUNT);
  }
  return tracks;
}

function readList(scanner: Scanner): TrackList {
  const tracks: TrackSize[] = [];
  let fill: TrackList['fill'];
  for (;;) {
    tracks.push(...readTracks(scanner));
    if (scanner.functionName() !== 'repeat') break;
    const word = scanner.keyword(['auto-fill', 'auto-fit']);
    const count = word ? 1 : scanner.number();
    if (count === undefined || !Number.isInteger(count) || count < 1 || (word && fill) || !scanner.mark(',')) {
      throw expectedHere('repeat() of a whole number from 1 and sizes, or once of auto-fill or auto-fit,', scanner);
    }
    const repeated = readTracks(scanner);
    if (repeated.length === 0 || !scanner.mark(')')) throw expectedHere(`${EXPECTED_SIZES} in repeat()`, scanner);
    if (tracks.length + count * repeated.length > MAX_TRACKS) throw new Mistake(EXPECTED_COUNT);
    if (word) fill = { repeated, at: tracks.length, isFit: word === 'auto-fit' };
    else for (let i = 0; i < count; i++) tracks.push(...repeated);
  }
  if (tracks.length > MAX_TRACKS) throw new Mistake(EXPECTED_COUNT);
  if (!fill) return { tracks };
  const isKnown = ({ min, max, limit }: TrackSize) => limit === undefined && (isFixed(min) || isFixed(max));
  if (![...tracks, ...fill.repeated].every(isKnown)) throw new Mistake(EXPECTED_FIXED);
  return { tracks, fill };
}

/** Converts `read` to a schema's transform of whole values. */
function whole<Value>(read: (scanner: Scanner) => Value, isEmpty: (value: Value) => boolean, expected: string) {
  return (given: string | number, context: z.core.$RefinementCtx): Value => {
    const scanner = new Scanner(String(given));
    try {
      const value = read(scanner);
      if (scanner.isDone && !isEmpty(value)) return value;
      throw expectedHere(expected, scanner);
    } catch (error) {
      if (!(error instanceof Mistake)) throw error;
      context.addIssue({ code: 'custom', message: error.expected });
      return z.NEVER;
    }
  };
}

const sizeOrText = (expected: string) =>
  z.union([number({ min: 0, max: MAX_SIZE }), z.string()], {
    error: ({ input }) => (typeof input === 'number' ? EXPECTED_NUMBER : `${EXPECTED_NUMBER}, or ${expected}`),
  });

/** The schema of grid-template-columns and grid-template-rows; a number is one track in pixels. */
export const trackList = () =>
  sizeOrText(EXPECTED_LIST)
    .transform(whole(readList, ({ tracks, fill }) => tracks.length === 0 && !fill, EXPECTED_LIST))
    .optional();

/** The schema of grid-auto-columns and grid-auto-rows: sizes in turn. */
export const autoTracks = () =>
  sizeOrText(EXPECTED_SIZES)
    .transform(
      whole(
        (scanner) => readTracks(scanner),
        (tracks) => tracks.length === 0,
        EXPECTED_SIZES,
      ),
    )
    .optional();

const MAX_LINE = MAX_TRACKS + 1;
const EXPECTED_PLACE = `a line from 1 to ${MAX_LINE} or from -1 to -${MAX_LINE}, "span 2", or two of them with a slash, such as "2 / span 3" or "1 / -1"`;

type Line = { readonly line?: number; readonly span?: number };

function readLine(scanner: Scanner): Line | undefined {
  if (scanner.keyword(['auto'])) return {};
  const isSpan = scanner.keyword(['span']) !== undefined;
  const value = scanner.number();
  if (value === undefined || !Number.isInteger(value) || value === 0) return undefined;
  if (isSpan) return value > 0 && value <= MAX_TRACKS ? { span: value } : undefined;
  return Math.abs(value) <= MAX_LINE ? { line: value } : undefined;
}

function readPlace(scanner: Scanner): GridPlace | undefined {
  const first = readLine(scanner);
  const last = first && scanner.mark('/') ? readLine(scanner) : {};
  if (!first || !last) return undefined;
  return { start: first.line, end: last.line, span: first.span ?? last.span ?? 1 };
}

/** The schema of grid-column and grid-row. */
export const gridPlace = () =>
  z
    .union([number({ min: -MAX_LINE, max: MAX_LINE, whole: true }), z.string()], { error: EXPECTED_PLACE })
    .transform((given, context): GridPlace => {
      const scanner = new Scanner(String(given));
      const place = readPlace(scanner);
      if (place && scanner.isDone) return place;
      context.addIssue({ code: 'custom', message: EXPECTED_PLACE });
      return z.NEVER;
    })
    .optional();
