// The sizes of the columns or rows of a grid (CSS Grid 1 section 11).
import type { TrackSize } from '../../contract/css/grid.js';
import { clamp, truncate } from '../flex/layout-unit.js';
import type { TrackSpan } from './placement.js';
import { type Room, resolveBreadth } from './template.js';

/** What an item adds to the tracks that it spans, margins included. */
export interface Contributions {
  readonly span: TrackSpan;
  /** The smallest size that it may have. */
  minimum(): number;
  minContent(): number;
  maxContent(): number;
}

/** `min` and `max` ask for the smallest size, and for the size without breaks, in place of a room. */
export type Constraint = 'none' | 'min' | 'max';

export interface SizingOptions {
  readonly constraint: Constraint;
  /** The size that percentages refer to; undefined if they are auto. */
  readonly basis: number | undefined;
  readonly room: Room;
  /** Whether tracks of size auto share the room that is left. */
  readonly isStretched: boolean;
  /** Counts steps; may throw. */
  charge(steps: number): void;
}

type Intrinsic = 'auto' | 'min-content' | 'max-content';

export interface Track {
  /** A fixed size is a number. */
  readonly min: number | Intrinsic;
  readonly max: number | Intrinsic | 'flexible';
  readonly factor: number;
  /** What fit-content() is limited to, else Infinity. */
  readonly fitLimit: number;
  base: number;
  /** How far the track grows. */
  limit: number;
  /** Whether the limit was infinite before the step. */
  isGrowable: boolean;
  /** The growth by the item that is looked at, and by the one that needs most. */
  share: number;
  planned: number;
}

export function createTrack({ min, max, limit }: TrackSize, basis: number | undefined): Track {
  const intrinsic = (size: TrackSize['min']): Intrinsic => (typeof size === 'string' ? size : 'auto');
  const own = resolveBreadth(min, basis) ?? intrinsic(min);
  const isFlexible = typeof max === 'object' && 'fr' in max;
  const most = isFlexible ? 'flexible' : (resolveBreadth(max, basis) ?? intrinsic(max));
  const base = typeof own === 'number' ? own : 0;
  return {
    min: own,
    max: most,
    factor: isFlexible ? max.fr : 0,
    fitLimit: resolveBreadth(limit, basis) ?? Infinity,
    base,
    limit: typeof most === 'number' ? Math.max(most, base) : Infinity,
    isGrowable: false,
    share: 0,
    planned: 0,
  };
}

const isFlexible = ({ max }: Track) => max === 'flexible';
const hasIntrinsicMin = ({ min }: Track) => typeof min === 'string';
const hasContentMin = ({ min }: Track) => min === 'min-content' || min === 'max-content';
const hasIntrinsicMax = ({ max }: Track) => typeof max === 'string' && max !== 'flexible';
const hasMaxContentMax = ({ max }: Track) => max === 'max-content' || max === 'auto';

/** The room between the tracks. */
function gapsOf(tracks: readonly Track[], gap: number): number {
  return gap * Math.max(0, tracks.length - 1);
}

export function totalOf(sizes: readonly number[], gap: number): number {
  return sizes.reduce((sum, size) => sum + size, gap * Math.max(0, sizes.length - 1));
}

function baseSum(tracks: readonly Track[], gap: number): number {
  return tracks.reduce((sum, { base }) => sum + base, gapsOf(tracks, gap));
}

/** Returns the size of each track. */
export function sizeTracks(
  sizes: readonly TrackSize[],
  items: readonly Contributions[],
  options: SizingOptions,
): number[] {
  const { basis, constraint, room } = options;
  const tracks = sizes.map((size) => createTrack(size, basis));
  resolveIntrinsicSizes(tracks, items, options);
  const size = constraint === 'none' ? room.size : undefined;
  if (constraint !== 'min') {
    growToLimits(tracks, size, room.gap);
    expandFlexible(tracks, items, size, options);
  }
  if (options.isStretched && constraint === 'none') stretchAuto(tracks, size ?? room.min, room.gap);
  return tracks.map(({ base }) => base);
}

/** Distributes what items need to the tracks that they span, as the flags say. */
interface Step {
  readonly isAffected: (track: Track) => boolean;
  readonly needs: (item: Contributions) => number;
  /** Whether the limits of the tracks grow, rather than their sizes. */
  readonly growsLimits?: boolean;
  /** Tracks that grow beyond their limits before others do. */
  readonly takesMore?: (track: Track) => boolean;
}

function resolveIntrinsicSizes(tracks: Track[], items: readonly Contributions[], options: SizingOptions): void {
  // as in Chromium, whether the grid is to be as small or as large as its content makes no difference here
  const steps: readonly Step[] = [
    { isAffected: hasIntrinsicMin, needs: (item) => item.minimum(), takesMore: hasIntrinsicMax },
    { isAffected: hasContentMin, needs: (item) => item.minContent(), takesMore: hasIntrinsicMax },
    { isAffected: ({ min }) => min === 'max-content', needs: (item) => item.maxContent(), takesMore: hasMaxContentMax },
  ];
  const limitSteps: readonly Step[] = [
    { isAffected: hasIntrinsicMax, needs: (item) => item.minContent(), growsLimits: true },
    { isAffected: hasMaxContentMax, needs: (item) => item.maxContent(), growsLimits: true },
  ];
  const raiseLimits = () => {
    for (const track of tracks) track.limit = Math.max(track.limit, track.base);
  };
  const bySpan = new Map<number, Contributions[]>();
  const acrossFlexible: Contributions[] = [];
  const spannedBy = ({ span: { start, end } }: Contributions) => tracks.slice(start, end);
  for (const item of items) {
    const length = item.span.end - item.span.start;
    if (length > 1) options.charge(Math.floor(length / 32));
    if (spannedBy(item).some(isFlexible)) acrossFlexible.push(item);
    else if (!bySpan.get(length)?.push(item)) bySpan.set(length, [item]);
  }
  for (const [, group] of [...bySpan].sort(([a], [b]) => a - b)) {
    for (const step of steps) accommodate(tracks, group, step, options);
    raiseLimits();
    for (const step of limitSteps) accommodate(tracks, group, step, options);
    for (const track of tracks) track.isGrowable = false;
  }
  for (const step of steps) {
    const isAffected = (track: Track) => isFlexible(track) && step.isAffected(track);
    accommodate(tracks, acrossFlexible, { ...step, isAffected }, options);
  }
  raiseLimits();
  for (const track of tracks) if (track.limit === Infinity) track.limit = track.base;
}

/** Grows the tracks so that each item of the group has the room that it needs. */
function accommodate(
  tracks: readonly Track[],
  group: readonly Contributions[],
  { isAffected, needs, growsLimits = false, takesMore = () => true }: Step,
  { room: { gap }, charge }: SizingOptions,
): void {
  const sizeOf = ({ base, limit }: Track) => (growsLimits && limit !== Infinity ? limit : base);
  const touched = new Set<Track>();
  for (const item of group) {
    const spanned = tracks.slice(item.span.start, item.span.end);
    const affected = spanned.filter(isAffected);
    if (affected.length === 0) continue;
    if (spanned.length > 1) charge(Math.floor(spanned.length / 32));
    for (const track of affected) touched.add(track);
    const space = needs(item) - spanned.reduce((sum, track) => sum + sizeOf(track), gapsOf(spanned, gap));
    if (space <= 0) continue;
    for (const track of affected) track.share = 0;
    const roomOf = (track: Track) => {
      if (growsLimits) return track.limit === Infinity || track.isGrowable ? fitRoom(track, sizeOf(track)) : 0;
      return Math.min(track.limit, track.fitLimit) - track.base;
    };
    const left = share(space, affected, (track) => Math.max(0, roomOf(track)));
    if (left > 0) {
      const first = affected.filter(takesMore);
      const rest = share(left, first, (track) => fitRoom(track, sizeOf(track) + track.share));
      // limits never exceed those of fit-content()
      if (!growsLimits) share(rest, first.length > 0 && rest < left ? first : affected, () => Infinity);
    }
    for (const track of affected) track.planned = Math.max(track.planned, track.share);
  }
  for (const track of touched) {
    if (!growsLimits) track.base += track.planned;
    else {
      if (track.limit === Infinity) track.isGrowable = true;
      track.limit = sizeOf(track) + track.planned;
    }
    track.planned = 0;
  }
}

function fitRoom({ fitLimit }: Track, size: number): number {
  return Math.max(0, fitLimit - size);
}

/**
 * Gives the tracks equal shares of `space`, or in proportion to their factors; none more than it has room for. Returns what is
 * left.
 */
function share(space: number, tracks: readonly Track[], roomOf: (track: Track) => number): number {
  let left = space;
  const factors = tracks.reduce((sum, { factor }) => sum + factor, 0);
  const weigh = ({ factor }: Track) => (factors > 0 ? factor : 1);
  let weights = factors > 0 ? factors : tracks.length;
  const ordered = tracks
    .map((track) => ({ track, room: roomOf(track) }))
    .sort((a, b) => a.room / weigh(a.track) - b.room / weigh(b.track) || 0);
  for (const { track, room } of ordered) {
    const weight = weigh(track);
    const part = weights > 0 ? Math.min(room, weight === weights ? left : truncate((left * weight) / weights)) : 0;
    track.share += part;
    left -= part;
    weights -= weight;
  }
  return left;
}

/** As in Chromium, an automatic size grows to the limits of its tracks even where it has a maximum. */
function growToLimits(tracks: readonly Track[], size: number | undefined, gap: number): void {
  if (size === undefined) {
    for (const track of tracks) track.base = Math.max(track.base, track.limit);
    return;
  }
  const free = size - baseSum(tracks, gap);
  if (free <= 0) return;
  for (const track of tracks) track.share = 0;
  const inflexible = tracks.filter((track) => !isFlexible(track));
  share(free, inflexible, ({ limit, base }) => limit - base);
  for (const track of inflexible) track.base += track.share;
}

function expandFlexible(
  tracks: readonly Track[],
  items: readonly Contributions[],
  size: number | undefined,
  { room: { min, max, gap }, charge }: SizingOptions,
): void {
  const flexible = tracks.filter(isFlexible);
  if (flexible.length === 0) return;
  const sizeAt = (fraction: number) =>
    tracks.reduce((sum, { base, factor }) => sum + Math.max(base, fraction * factor), gapsOf(tracks, gap));
  let fraction: number;
  if (size !== undefined) fraction = fractionIn(tracks, size - gapsOf(tracks, gap), charge);
  else {
    fraction = Math.max(
      ...flexible.map(({ base, factor }) => base / Math.max(1, factor)),
      ...items.map((item) => {
        const spanned = tracks.slice(item.span.start, item.span.end);
        return spanned.some(isFlexible) ? fractionIn(spanned, item.maxContent() - gapsOf(spanned, gap), charge) : 0;
      }),
    );
    const bounded = clamp(sizeAt(fraction), min ?? 0, max ?? Infinity);
    if (bounded !== sizeAt(fraction) && (bounded === min || bounded === max)) {
      fraction = fractionIn(tracks, bounded - gapsOf(tracks, gap), charge);
    }
  }
  // what is cut off of one track goes to the next
  let carried = 0;
  for (const track of flexible) {
    const exact = fraction * track.factor + carried;
    const cut = truncate(exact);
    if (cut <= track.base) continue;
    track.base = cut;
    carried = exact - cut;
  }
}

/** The size of 1fr with which the tracks fill `space`. */
function fractionIn(tracks: readonly Track[], space: number, charge: (steps: number) => void): number {
  const flexible = tracks
    .filter(isFlexible)
    // a track that its content makes larger than its part comes first
    .sort((a, b) => perFraction(b) - perFraction(a));
  charge(Math.floor(tracks.length / 32));
  let left = space - tracks.reduce((sum, track) => sum + (isFlexible(track) ? 0 : track.base), 0);
  let factors = flexible.reduce((sum, { factor }) => sum + factor, 0);
  for (const track of flexible) {
    const fraction = left / Math.max(1, factors);
    if (fraction * track.factor >= track.base) return Math.max(0, fraction);
    left -= track.base;
    factors = Math.max(0, factors - track.factor);
  }
  return 0;
}

function perFraction({ base, factor }: Track): number {
  return factor === 0 ? (base > 0 ? Infinity : 0) : base / factor;
}

function stretchAuto(tracks: readonly Track[], size: number | undefined, gap: number): void {
  const free = size === undefined ? 0 : size - baseSum(tracks, gap);
  const auto = tracks.filter(({ max }) => max === 'auto');
  if (free <= 0 || auto.length === 0) return;
  for (const track of auto) track.share = 0;
  share(free, auto, () => Infinity);
  for (const track of auto) track.base += track.share;
}
