// CSS Backgrounds 3: how the tiles of a background lie in their box.
import { type LengthPercentage, type Position, resolveLength } from './length.js';
import type { Rect } from './rect.js';

export type BackgroundBox = 'border-box' | 'padding-box' | 'content-box';
export type TileRepeat = 'repeat' | 'no-repeat' | 'space' | 'round';

export interface TileSize {
  readonly width: LengthPercentage | 'auto';
  readonly height: LengthPercentage | 'auto';
}

/** Lists with a value for each fill of a background, the first for the topmost. */
export interface BackgroundStyle {
  readonly size?: readonly TileSize[] | undefined;
  readonly position?: readonly Position[] | undefined;
  readonly repeat?: readonly (readonly [x: TileRepeat, y: TileRepeat])[] | undefined;
  readonly origin?: readonly BackgroundBox[] | undefined;
  readonly clip?: readonly BackgroundBox[] | undefined;
  /** Clockwise from the top. */
  readonly borderWidths: readonly [number, number, number, number];
  readonly padding: readonly number[];
}

/** Tiles along an axis: each begins `step` after the last. */
export interface TileAxis {
  readonly start: number;
  readonly size: number;
  readonly step: number;
  readonly repeats: boolean;
}

export interface BackgroundTiles {
  readonly x: TileAxis;
  readonly y: TileAxis;
}

/** The tiles in `box`; undefined when they have no area. */
export function backgroundTiles(
  box: Rect,
  size: TileSize,
  position: Position,
  [repeatX, repeatY]: readonly [TileRepeat, TileRepeat],
): BackgroundTiles | undefined {
  const x = axisOf(box.left, box.right - box.left, size.width, position.x, repeatX);
  const y = axisOf(box.top, box.bottom - box.top, size.height, position.y, repeatY);
  return x.size > 0 && y.size > 0 ? { x, y } : undefined;
}

function axisOf(
  start: number,
  room: number,
  length: LengthPercentage | 'auto',
  position: LengthPercentage,
  repeat: TileRepeat,
): TileAxis {
  let size = length === 'auto' ? room : resolveLength(length, room);
  if (repeat === 'round' && size > 0) size = room / Math.max(1, Math.round(room / size));
  const count = Math.floor(room / size);
  if (repeat === 'space' && count > 1) return { start, size, step: (room - size) / (count - 1), repeats: true };
  const repeats = repeat === 'repeat' || repeat === 'round';
  return { start: start + resolveLength(position, room - size), size, step: size, repeats };
}

/** The starts of the tiles that reach into the range. */
export function tileStarts({ start, size, step, repeats }: TileAxis, from: number, to: number): number[] {
  if (!repeats) return start < to && start + size > from ? [start] : [];
  const first = Math.floor((from - start - size) / step) + 1;
  const last = Math.ceil((to - start) / step) - 1;
  return Array.from({ length: Math.max(0, last - first + 1) }, (_, i) => start + (first + i) * step);
}
