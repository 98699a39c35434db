// The tracks of a grid: its template with what it repeats, and the tracks before and after that items need.
import type { TrackBreadth, TrackList, TrackSize } from '../../contract/css/grid.js';
import { MAX_TRACKS } from '../../contract/css/grid-limits.js';
import { LayoutError } from '../flex/budget.js';
import { truncate } from '../flex/layout-unit.js';
import type { GridAxis } from '../flex/node.js';
import type { TrackCounts, TrackSpan } from './placement.js';

/** The room of a group's content box along an axis; undefined sides are indefinite. */
export interface Room {
  readonly size: number | undefined;
  readonly min: number | undefined;
  readonly max: number | undefined;
  readonly gap: number;
}

export interface ExpandedTemplate {
  readonly sizes: readonly TrackSize[];
  /** The tracks that are left out without items. */
  readonly optional: TrackSpan;
}

const NONE: TrackSpan = { start: 0, end: 0 };

/** The template with its repeated tracks. Throws LayoutError if they are too many. */
export function expandTemplate({ template }: GridAxis, room: Room, name: string): ExpandedTemplate {
  if (!template) return { sizes: [], optional: NONE };
  const { tracks, fill } = template;
  if (!fill) return { sizes: tracks, optional: NONE };
  const count = repetitions(template, room);
  const added = count * fill.repeated.length;
  if (tracks.length + added > MAX_TRACKS) {
    throw new LayoutError(`the grid has ${tracks.length + added} ${name}, expected at most ${MAX_TRACKS}`);
  }
  const repeated = Array.from({ length: count }, () => fill.repeated).flat();
  return {
    sizes: [...tracks.slice(0, fill.at), ...repeated, ...tracks.slice(fill.at)],
    optional: fill.isFit ? { start: fill.at, end: fill.at + added } : NONE,
  };
}

/** How often auto-fill and auto-fit repeat: as often as fits; for a minimum alone, as often as it takes. */
function repetitions({ tracks, fill }: TrackList, { size, min, max, gap }: Room): number {
  const room = size ?? max ?? min;
  if (!fill || room === undefined) return 1;
  const { repeated } = fill;
  const sum = (sizes: readonly TrackSize[]) => sizes.reduce((total, each) => total + fixedSize(each, size), 0);
  const others = sum(tracks) + gap * (tracks.length - 1);
  // a track of no width would repeat for ever
  const each = Math.max(1, sum(repeated)) + gap * repeated.length;
  const fitting = (room - others) / each;
  const count = size === undefined && max === undefined ? Math.ceil(fitting) : Math.floor(fitting);
  return Math.max(1, count);
}

/** The maximum of a track, or its minimum: one of them is fixed. */
function fixedSize({ min, max }: TrackSize, basis: number | undefined): number {
  const least = resolveBreadth(min, basis);
  const most = typeof max === 'object' && 'fr' in max ? undefined : resolveBreadth(max, basis);
  return Math.max(most ?? 0, least ?? 0);
}

/** Pixels; undefined for what content or room decides. */
export function resolveBreadth(breadth: TrackBreadth | undefined, basis: number | undefined): number | undefined {
  if (typeof breadth === 'number') return truncate(breadth);
  if (typeof breadth !== 'object' || basis === undefined) return undefined;
  return truncate((basis * breadth.percent) / 100);
}

const AUTO: TrackSize = { min: 'auto', max: 'auto' };

/** The sizes of all tracks of an axis, of which the template's are some. */
export function allTracks(
  { sizes }: ExpandedTemplate,
  { auto }: GridAxis,
  { before, count }: TrackCounts,
): TrackSize[] {
  const after = before + sizes.length;
  return Array.from({ length: count }, (_, i) => {
    if (i >= before && i < after) return sizes[i - before];
    if (auto.length === 0) return AUTO;
    // the last of them comes right before the template
    return i < before ? auto[auto.length - 1 - ((before - 1 - i) % auto.length)] : auto[(i - after) % auto.length];
  });
}

/** Which of the tracks stay: auto-fit leaves out those without items. */
export function usedTracks(
  { optional }: ExpandedTemplate,
  { before, count }: TrackCounts,
  spans: readonly TrackSpan[],
): readonly number[] {
  const all = Array.from({ length: count }, (_, i) => i);
  if (optional.end === optional.start) return all;
  const isUsed = new Uint8Array(count);
  for (const { start, end } of spans) isUsed.fill(1, start, end);
  return all.filter((i) => isUsed[i] || i < before + optional.start || i >= before + optional.end);
}

/** The span among the tracks that stay. */
export function spanAmong(used: readonly number[], { start, end }: TrackSpan): TrackSpan {
  const first = used.indexOf(start);
  return { start: first, end: first + end - start };
}
