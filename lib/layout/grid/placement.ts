// Places the items of a grid in its columns and rows (CSS Grid 1 section 8): those with lines first, the others where there is
// room.
import type { GridPlace } from '../../contract/css/grid.js';
import { MAX_TRACKS } from '../../contract/css/grid-limits.js';
import { LayoutError } from '../flex/budget.js';

/** Tracks that follow each other: from `start`, counted from 0, up to `end`. */
export interface TrackSpan {
  readonly start: number;
  readonly end: number;
}

/** The places that an item asks for. */
export interface ItemPlaces {
  readonly column: GridPlace | undefined;
  readonly row: GridPlace | undefined;
}

export interface GridArea {
  readonly column: TrackSpan;
  readonly row: TrackSpan;
}

/** The tracks of an axis. */
export interface TrackCounts {
  readonly count: number;
  /** How many of them lie before the template's. */
  readonly before: number;
}

export interface GridPlacement {
  /** One for each item. */
  readonly areas: readonly GridArea[];
  readonly columns: TrackCounts;
  readonly rows: TrackCounts;
}

export interface PlacementOptions {
  /** Columns and rows of the template. */
  readonly explicit: { readonly columns: number; readonly rows: number };
  readonly isRowFlow: boolean;
  readonly isDense: boolean;
  /** Counts the steps of searches; may throw. */
  charge(steps: number): void;
}

/** Throws LayoutError for a grid of too many tracks. */
export function placeItems(items: readonly ItemPlaces[], options: PlacementOptions): GridPlacement {
  const { explicit, isRowFlow } = options;
  const columns = items.map(({ column }) => resolvePlace(column, explicit.columns));
  const rows = items.map(({ row }) => resolvePlace(row, explicit.rows));
  // items flow along the minor axis, and then along the major one
  const [minor, major] = isRowFlow ? [columns, rows] : [rows, columns];
  const [minorCount, majorCount] = isRowFlow ? [explicit.columns, explicit.rows] : [explicit.rows, explicit.columns];
  const flow = placeAlong(minor, minorCount, major, majorCount, options);
  const [columnCounts, rowCounts] = isRowFlow ? [flow.minor, flow.major] : [flow.major, flow.minor];
  for (const [name, { count }] of [
    ['columns', columnCounts],
    ['rows', rowCounts],
  ] as const) {
    if (count > MAX_TRACKS) throw new LayoutError(`the grid has ${count} ${name}, expected at most ${MAX_TRACKS}`);
  }
  return {
    areas: flow.places.map(([along, across]) =>
      isRowFlow ? { column: along, row: across } : { column: across, row: along },
    ),
    columns: columnCounts,
    rows: rowCounts,
  };
}

/** A place in one axis; `start` is undefined if the item goes where there is room. */
interface Resolved {
  readonly start: number | undefined;
  readonly span: number;
}

function resolvePlace({ start, end, span }: GridPlace = { span: 1 }, explicit: number): Resolved {
  const indexOf = (line: number) => (line > 0 ? line - 1 : explicit + 1 + line);
  if (start !== undefined && end !== undefined) {
    const [a, b] = [indexOf(start), indexOf(end)];
    return { start: Math.min(a, b), span: Math.abs(b - a) || 1 };
  }
  if (start !== undefined) return { start: indexOf(start), span };
  return { start: end === undefined ? undefined : indexOf(end) - span, span };
}

/** Tracks before the template's, and all of them that places with lines take. */
function countsOf(places: readonly Resolved[], explicit: number): TrackCounts {
  const spans = places.flatMap(({ start, span }) => (start === undefined ? [] : [spanAt(start, span)]));
  const first = Math.min(0, ...spans.map(({ start }) => start));
  // without a template there need not be tracks up to its line
  const last = Math.max(explicit > 0 ? explicit : first, ...spans.map(({ end }) => end));
  return { before: -first, count: last - first };
}

function placeAlong(
  minors: readonly Resolved[],
  minorExplicit: number,
  majors: readonly Resolved[],
  majorExplicit: number,
  { isDense, charge }: PlacementOptions,
) {
  const minorTracks = countsOf(minors, minorExplicit);
  const majorTracks = countsOf(majors, majorExplicit);
  const shifted = ({ start, span }: Resolved, before: number) => spanAt(start! + before, span);
  const places = new Map<number, readonly [minor: TrackSpan, major: TrackSpan]>();
  const cells = new Cells(charge);
  const put = (i: number, minor: TrackSpan, major: TrackSpan) => {
    places.set(i, [minor, major]);
    cells.take(minor, major);
  };
  const all = [...minors.keys()];
  for (const i of all) {
    if (minors[i].start === undefined || majors[i].start === undefined) continue;
    put(i, shifted(minors[i], minorTracks.before), shifted(majors[i], majorTracks.before));
  }
  // items whose line of the major axis is given
  const ends = new Map<number, number>();
  for (const i of all) {
    if (minors[i].start !== undefined || majors[i].start === undefined) continue;
    const major = shifted(majors[i], majorTracks.before);
    const at = cells.nextFree(isDense ? 0 : (ends.get(major.start) ?? 0), minors[i].span, major);
    put(i, spanAt(at, minors[i].span), major);
    ends.set(major.start, at + minors[i].span);
  }
  const extentOf = (axis: 0 | 1, { count }: TrackCounts) =>
    Math.max(count, ...Array.from(places.values(), (spans) => spans[axis].end));
  // items may flow up to the template's line, even if there need not be tracks up to it
  const width = Math.max(
    minorTracks.before + minorExplicit,
    extentOf(0, minorTracks),
    ...minors.map(({ start, span }) => (start === undefined ? span : 0)),
  );
  let cursor = { minor: 0, major: 0 };
  for (const i of all) {
    if (majors[i].start !== undefined) continue;
    if (isDense) cursor = { minor: 0, major: 0 };
    const { span } = minors[i];
    const lines = majors[i].span;
    let { minor, major } = cursor;
    if (minors[i].start !== undefined) {
      const fixed = shifted(minors[i], minorTracks.before);
      if (fixed.start < minor) major++;
      minor = fixed.start;
      while (cells.nextFree(minor, span, spanAt(major, lines), minor) > minor) major++;
    } else {
      for (;;) {
        minor = cells.nextFree(minor, span, spanAt(major, lines), width - span);
        if (minor + span <= width) break;
        minor = 0;
        major++;
      }
    }
    put(i, spanAt(minor, span), spanAt(major, lines));
    cursor = { minor, major };
  }
  return {
    places: all.map((i) => places.get(i)!),
    minor: { count: extentOf(0, minorTracks), before: minorTracks.before },
    major: { count: extentOf(1, majorTracks), before: majorTracks.before },
  };
}

function spanAt(start: number, span: number): TrackSpan {
  return { start, end: start + span };
}

/** Cells that are looked at in the time of one step. */
const CELLS_PER_STEP = 2048;

/** The cells that are taken, by lines along the minor axis. */
class Cells {
  private readonly lines: (Uint8Array | undefined)[] = [];
  private looked = 0;

  constructor(private readonly charge: (steps: number) => void) {}

  take(minor: TrackSpan, major: TrackSpan): void {
    for (let line = major.start; line < Math.min(major.end, MAX_TRACKS); line++) {
      this.lines[line] ??= new Uint8Array(MAX_TRACKS);
      this.lines[line]!.fill(1, minor.start, minor.end);
    }
    this.look(major.end - major.start);
  }

  /** The first place from `start` on where `span` tracks are free in all of these lines; more than `last` if that is none. */
  nextFree(start: number, span: number, major: TrackSpan, last = Infinity): number {
    let at = start;
    for (let isFree = false; !isFree && at <= last; ) {
      const next = this.pastTaken(at, span, major);
      isFree = next === at;
      at = next;
    }
    return at;
  }

  /** The next place for an area, `start` itself if it is free there: after its last cell that is taken. */
  private pastTaken(start: number, span: number, major: TrackSpan): number {
    let next = start;
    for (let line = major.start; line < major.end; line++) {
      const cells = this.lines[line];
      if (!cells) continue;
      let last = start + span - 1;
      while (last >= next && !cells[last]) last--;
      this.look(start + span - last);
      next = Math.max(next, last + 1);
    }
    this.look(1 + (major.end - major.start));
    return next;
  }

  private look(cells: number): void {
    this.looked += cells;
    if (this.looked < CELLS_PER_STEP) return;
    this.charge(Math.floor(this.looked / CELLS_PER_STEP));
    this.looked %= CELLS_PER_STEP;
  }
}
