// Radii of a box's corners and how CSS Backgrounds 3 changes them: reduced where they overlap, less inside a border, more
// around a spread shadow.
import type { Rect } from './rect.js';

/** The radii of an elliptical corner. A corner with a radius of 0 is square. */
export interface CornerRadius {
  readonly x: number;
  readonly y: number;
}

/** Clockwise, as in CSS: top left, top right, bottom right, bottom left. */
export type Corners = readonly [CornerRadius, CornerRadius, CornerRadius, CornerRadius];

export const SQUARE_CORNERS = uniformCorners(0);

/** Four equal corners. */
export function uniformCorners(x: number, y = x): Corners {
  const corner = { x, y };
  return [corner, corner, corner, corner];
}

/** A radius in pixels, or in percent of the width or height of the box. */
export type RadiusLength = number | { readonly percent: number };

/** One to four radii of circular corners in pixels, or one to four for each axis. */
export type CornerLengths =
  | readonly number[]
  | { readonly across: readonly RadiusLength[]; readonly down: readonly RadiusLength[] };

/** The corners of `rect` with these radii, which may overlap. */
export function cornersOf(radii: CornerLengths, rect: Rect): Corners {
  if (!('across' in radii)) return mapCorners(completeFour(radii), (radius) => ({ x: radius, y: radius }));
  const pixels = (length: RadiusLength, whole: number) =>
    typeof length === 'number' ? length : (length.percent * whole) / 100;
  const across = completeFour(radii.across).map((length) => pixels(length, rect.right - rect.left));
  const down = completeFour(radii.down).map((length) => pixels(length, rect.bottom - rect.top));
  return mapCorners([0, 1, 2, 3], (i) => ({ x: across[i], y: down[i] }));
}

/** Whether a radius is above 0. */
export function isRounded(radii: CornerLengths): boolean {
  const all = 'across' in radii ? [...radii.across, ...radii.down] : radii;
  return all.some((length) => (typeof length === 'number' ? length : length.percent) > 0);
}

/** Four values, clockwise, from one to four as in CSS: missing ones equal those opposite, or the first. */
export function completeFour<Value>(values: readonly Value[]): [Value, Value, Value, Value] {
  const [first, second = first, third = first, fourth = second] = values;
  return [first, second, third, fourth];
}

function mapCorners<From>(
  [topLeft, topRight, bottomRight, bottomLeft]: readonly [From, From, From, From],
  map: (from: From) => CornerRadius,
): Corners {
  return [map(topLeft), map(topRight), map(bottomRight), map(bottomLeft)];
}

export function areSquare(corners: Corners): boolean {
  return corners.every(({ x, y }) => x === 0 || y === 0);
}

/** Scales all radii down together until those that share an edge of `rect` fit it (section 5.5). */
export function reduceCorners(corners: Corners, rect: Rect): Corners {
  const [topLeft, topRight, bottomRight, bottomLeft] = corners;
  const width = rect.right - rect.left;
  const height = rect.bottom - rect.top;
  const scale = Math.min(
    1,
    width / (topLeft.x + topRight.x),
    width / (bottomLeft.x + bottomRight.x),
    height / (topLeft.y + bottomLeft.y),
    height / (topRight.y + bottomRight.y),
  );
  // 0 / 0 in an empty rectangle, which has no corners
  if (!(scale > 0)) return SQUARE_CORNERS;
  return mapCorners(corners, ({ x, y }) => (x > 0 && y > 0 ? { x: x * scale, y: y * scale } : { x: 0, y: 0 }));
}

/** The corners of the box inside of one with these corners, which must fit it. `by`: on all sides, or clockwise from the top. */
export function insetCorners(corners: Corners, by: number | readonly [number, number, number, number]): Corners {
  const [top, right, bottom, left] = typeof by === 'number' ? [by, by, by, by] : by;
  const inset = ({ x, y }: CornerRadius, across: number, down: number) =>
    x > across && y > down ? { x: x - across, y: y - down } : { x: 0, y: 0 };
  const [topLeft, topRight, bottomRight, bottomLeft] = corners;
  return [
    inset(topLeft, left, top),
    inset(topRight, right, top),
    inset(bottomRight, right, bottom),
    inset(bottomLeft, left, bottom),
  ];
}

/**
 * The corners of the box `by` outside of `rect`, whose own corners fit it. Square corners stay square, and radii smaller
 * than `by` grow by less, so that slightly rounded boxes don't get round shadows (CSS Borders 4, "outset-adjusted border
 * radius"; Chromium 156 agrees).
 */
export function outsetCorners(corners: Corners, rect: Rect, by: number): Corners {
  const width = rect.right - rect.left;
  const height = rect.bottom - rect.top;
  return mapCorners(corners, ({ x, y }) => {
    const coverage = 2 * Math.min(x / width, y / height);
    const uncovered = 1 - coverage * coverage * coverage;
    const outset = (radius: number) => {
      if (radius === 0 || radius >= by || coverage >= 1) return radius === 0 ? 0 : radius + by;
      const missing = 1 - radius / by;
      return radius + by * (1 - missing * missing * missing * uncovered);
    };
    return { x: outset(x), y: outset(y) };
  });
}
