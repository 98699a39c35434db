// Checks the positions and sizes of a layer, which depend on its type and on whether its group lays it out.

import type * as z from 'zod';
import type { Detail } from '../../../errors.js';
import { EXPECTED_PICTURE_POSITION } from '../../css/position.js';
import { issue, joinPath } from '../../messages/issues.js';
import { renameHint } from '../../messages/synonyms.js';
import { type Hint, numberHint } from '../../messages/value-hints.js';
import { needsLayout, readLayout } from '../nested-layers.js';
import { MAX_COORDINATE } from '../output-size.js';
import { EXPECTED_NUMBER, EXPECTED_PERCENTAGE, type extent, MAX_PERCENT, parsePercentage } from './flex.js';

export type Extent = z.output<ReturnType<typeof extent>>;

/** Sizes that layout decides. */
export interface Extents {
  readonly width: Extent;
  readonly height: Extent;
}

/** A layer of a schema's output. Layout replaces `x`, `y`, `width` and `height`, which are 0 until then where `extents` is set. */
export type Placed<Parsed> = Omit<Parsed, 'x' | 'y' | 'width' | 'height'> & {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
  /** Absent when both sizes are numbers. */
  readonly extents?: Extents;
  /** Whether the layer takes no room in the layout of its group. */
  readonly isAbsolute?: boolean;
  /** Whether an absolute layer has an x, and whether it has a y. */
  readonly isPlaced?: readonly [x: boolean, y: boolean];
};

/** The fields of a schema's output that placing needs. */
export interface Geometry {
  readonly x?: number | undefined;
  readonly y?: number | undefined;
  readonly width: Extent;
  readonly height: Extent;
  readonly position?: unknown;
}

/** Completes `parsed`, which the schema has made, in place: a copy of so many fields takes longer than checking some of them. */
export function withGeometry<Parsed extends Geometry>(parsed: Parsed): Placed<Parsed> {
  const { x = 0, y = 0, width, height, position } = parsed;
  const isPlaced = [parsed.x !== undefined, parsed.y !== undefined] as const;
  const known = (size: Extent) => (typeof size === 'number' ? size : 0);
  const isKnown = typeof width === 'number' && typeof height === 'number';
  return Object.assign(parsed, {
    x,
    y,
    width: known(width),
    height: known(height),
    ...(!isKnown && { extents: { width, height } }),
    // an image's other positions are those of the picture in its box
    ...(position === 'absolute' && { isAbsolute: true, position: undefined }),
    ...(position === 'absolute' && isPlaced.includes(false) && { isPlaced }),
  });
}

export const GEOMETRY_FIELDS = ['x', 'y', 'width', 'height'] as const;

/**
 * The issues of these fields. The schemas accept what some layer in some place may have. `isLaidOut`: undefined if the layout
 * of its group is wrong; what depends on it is no mistake of the layer's own.
 */
export function geometryIssues(
  raw: Readonly<Record<string, unknown>>,
  isLaidOut: boolean | undefined,
  path: string,
): Detail[] {
  if (isLaidOut === undefined) {
    const outside = new Set(geometryIssues(raw, false, path).map((each) => each.path));
    return geometryIssues(raw, true, path).filter((each) => outside.has(each.path));
  }
  const isPlaced = isLaidOut && raw.position !== 'absolute';
  const isSet = (key: string) => raw[key] !== undefined && raw[key] !== null;
  const details: Detail[] = [];
  for (const key of ['x', 'y'] as const) {
    const value = raw[key];
    // null counts as absent
    if ((isPlaced || (isLaidOut && isSet('inset'))) && !isSet(key)) continue;
    if (isNumber(value, -MAX_COORDINATE)) continue;
    const expected = `a number from -${MAX_COORDINATE} to ${MAX_COORDINATE}`;
    details.push(issue(joinPath(path, key), value, expected, hintFor(raw, key)));
  }
  for (const key of ['width', 'height'] as const) {
    const value = raw[key];
    // rows decide how high a table is
    if (raw.type === 'table' && key === 'height' && !isSet(key)) continue;
    const expected = isNumber(value, 0) ? undefined : expectedExtent(value, raw, isLaidOut, isPlaced);
    if (expected !== undefined) details.push(issue(joinPath(path, key), value, expected, hintFor(raw, key)));
  }
  if (raw.type === 'image' && raw.position === 'absolute' && !isLaidOut) {
    details.push(
      issue(
        joinPath(path, 'position'),
        raw.position,
        `${EXPECTED_PICTURE_POSITION} ("absolute" needs a group with a layout)`,
      ),
    );
  }
  if (raw.type === 'group' && needsLayout(raw)) {
    details.push(
      issue(joinPath(path, 'layout'), undefined, '"row", "column" or "grid", or x and y in each of its layers'),
    );
  }
  return details;
}

/** Suggests a value or a new name. */
function hintFor(raw: Readonly<Record<string, unknown>>, key: string): Hint | undefined {
  const value = raw[key];
  return value === undefined || value === null ? renameHint(raw, key) : numberHint(value);
}

function isNumber(value: unknown, min: number): boolean {
  return typeof value === 'number' && value >= min && value <= MAX_COORDINATE;
}

/** Returns the extent that was expected instead of `given`; undefined if it is accepted. */
function expectedExtent(
  value: unknown,
  raw: Readonly<Record<string, unknown>>,
  isLaidOut: boolean,
  isPlaced: boolean,
): string | undefined {
  const isIcon = raw.type === 'icon';
  // the size of an icon is known before layout
  if (isIcon && isLaidOut && (value === undefined || value === null)) return undefined;
  const takesAuto = isLaidOut || raw.type === 'text' || raw.type === 'table' || readLayout(raw) !== false;
  const percentage = typeof value === 'string' ? parsePercentage(value) : undefined;
  const isPercentage = percentage !== undefined;
  const isAccepted =
    (value === 'auto' && takesAuto) ||
    (value === 'fill' && isPlaced && !isIcon) ||
    (isPercentage && isLaidOut && !isIcon && percentage.percent >= 0 && percentage.percent <= MAX_PERCENT);
  if (isAccepted) return undefined;
  const kinds = [
    EXPECTED_NUMBER,
    ...(takesAuto ? ['"auto"'] : []),
    ...(isPlaced && !isIcon ? ['"fill"'] : []),
    ...(isLaidOut && !isIcon ? [EXPECTED_PERCENTAGE] : []),
  ];
  const last = kinds.pop();
  const expected = kinds.length === 0 ? last : `${kinds.join(', ')} or ${last}`;
  if (value === 'auto' && raw.type === 'group') return `${expected} ("auto" needs a layout)`;
  if (isIcon && isLaidOut) return expected;
  if (value === 'fill' && isLaidOut) return `${expected} ("fill" needs a place in the layout)`;
  if (value === 'auto' || value === 'fill' || isPercentage) {
    return isLaidOut
      ? expected
      : `${expected} (${isPercentage ? 'a percentage' : `"${value}"`} needs a group with a layout)`;
  }
  return expected;
}
