// Strokes paths as SVG does: joins, caps and dashes. The result is filled as one shape with the non-zero rule.
import type { Affine } from '../affine.js';
import type { PathData } from '../path.js';
import type { Polygon } from '../polygon.js';
import { expand, type Rect } from '../rect.js';
import { type CentreLine, centreLines, maxTurn } from './centre-line.js';
import { type DashPattern, dashes, dashPattern } from './dashes.js';
import { type LineCap, type LineJoin, outlineStroke, type Pen } from './outline.js';

export type { LineCap, LineJoin };

/** SVG's initial value of stroke-miterlimit. */
const MITER_LIMIT = 4;
/** Maximum dashes of a stroke; one with more of them inside the visible part is drawn solid. */
export const MAX_DASHES = 20_000;

/** A stroke's style. Lengths are in units of the path. */
export interface Stroke {
  readonly width: number;
  readonly join?: LineJoin | undefined;
  readonly cap?: LineCap | undefined;
  readonly dash?: readonly number[] | undefined;
  readonly dashOffset?: number | undefined;
  /** Whether the path's curves are those of a box: ellipses and rounded corners. Browsers measure dashes along them otherwise. */
  readonly isBox?: boolean | undefined;
}

/**
 * Appends the stroke of `path`, mapped by `map`, to `out`. `map` must keep shapes: it may move, turn, mirror and scale
 * evenly. Parts of it outside of `visible`, in pixels, may be left out.
 */
export function strokePath(path: PathData, map: Affine, stroke: Stroke, out: Polygon, visible?: Rect): void {
  const scale = Math.sqrt(Math.abs(map.a * map.d - map.b * map.c));
  const radius = (stroke.width * scale) / 2;
  if (!(radius > 0)) return;
  const { join = 'miter', cap = 'butt', dash = [], dashOffset = 0 } = stroke;
  const lines = centreLines(path, map, radius, stroke.isBox ?? false);
  const pattern = dashPattern(
    dash.map((length) => length * scale),
    dashOffset * scale,
  );
  const seen = visible && expand(visible, inkReach(stroke) * scale + 1);
  const pieces = (pattern && dashed(lines, pattern, seen)) ?? lines;
  const arcs = pieces.reduce((sum, { count }) => sum + count, 0);
  const turn = maxTurn(radius, arcs);
  const pen: Pen = { radius, join, cap, miterLimit: MITER_LIMIT, turn, ux: map.a / scale, uy: map.b / scale };
  for (const piece of pieces) outlineStroke(piece, pen, out);
}

/** The dashes of all lines; undefined when there are more than MAX_DASHES. */
function dashed(lines: readonly CentreLine[], pattern: DashPattern, visible?: Rect): CentreLine[] | undefined {
  const pieces: CentreLine[] = [];
  for (const line of lines) {
    const found = dashes(line, pattern, MAX_DASHES - pieces.length, visible);
    if (!found) return undefined;
    for (const piece of found) pieces.push(piece);
  }
  return pieces;
}

/**
 * Returns the largest distance by which a stroke reaches beyond the path, in units of the path. The corners of square caps
 * reach √2 half widths.
 */
export function inkReach({ width, join = 'miter', cap }: Stroke): number {
  return (width / 2) * (join === 'miter' ? MITER_LIMIT : cap === 'square' ? 1.5 : 1);
}
