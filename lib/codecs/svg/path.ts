// Measures path data: the bounding box of its control points, the number of segments and their length. Exact for lines;
// curves are inside the box of their control points, arcs within a computed distance of their ends.
import { hypot } from '../../geometry/math.js';
import { asciiLowercase } from '../../unicode/ascii.js';
import type { SvgElement } from './scan.js';

export interface PathExtent {
  readonly x0: number;
  readonly y0: number;
  readonly x1: number;
  readonly y1: number;
  readonly segments: number;
  /** Sum of horizontal and vertical distances between consecutive control points. */
  readonly length: number;
}

/** Number of arguments of a segment, by command. */
const ARGUMENT_COUNTS = new Map(Object.entries({ m: 2, l: 2, t: 2, h: 1, v: 1, q: 4, s: 4, c: 6, a: 7 }));

/** Returns the extent; undefined if the count of numbers doesn't match the commands, because the drawing is unknown then. */
export function extentOf(data: string): PathExtent | undefined {
  const extent = new ExtentBuilder();
  let [x, y] = [0, 0];
  let [startX, startY] = [0, 0];
  /** The last control point, which smooth curves mirror; after anything but a curve, it is the current point. */
  let [controlX, controlY] = [0, 0];
  for (const [, command, list] of data.matchAll(/([a-z])([^a-df-z]*)/gi)) {
    const kind = asciiLowercase(command);
    const isRelative = kind === command;
    if (kind === 'z') {
      [x, y] = [startX, startY];
      extent.lineTo(x, y);
    }
    const argumentCount = ARGUMENT_COUNTS.get(kind);
    if (argumentCount === undefined) continue;
    const numbers = kind === 'a' ? arcNumbers(list) : numbersOf(list);
    if (numbers.length % argumentCount !== 0) return undefined;
    for (let i = 0; i < numbers.length; i += argumentCount) {
      const [fromX, fromY] = isRelative ? [x, y] : [0, 0];
      if (kind === 's' || kind === 't') extent.lineTo(2 * x - controlX, 2 * y - controlY);
      [controlX, controlY] = kind === 't' ? [2 * x - controlX, 2 * y - controlY] : [x, y];
      if (kind === 'h') x = fromX + numbers[i];
      else if (kind === 'v') y = fromY + numbers[i];
      else {
        const [toX, toY] = [fromX + numbers[i + argumentCount - 2], fromY + numbers[i + argumentCount - 1]];
        const arcDistance = kind === 'a' ? maxArcDistance(numbers.slice(i, i + 5), hypot(toX - x, toY - y)) : 0;
        if (kind === 'a') extent.includeAround(x, y, arcDistance);
        else
          for (let j = i; j < i + argumentCount - 2; j += 2) extent.lineTo(fromX + numbers[j], fromY + numbers[j + 1]);
        if (argumentCount > 2 && kind !== 'a') {
          [controlX, controlY] = [fromX + numbers[i + argumentCount - 4], fromY + numbers[i + argumentCount - 3]];
        }
        [x, y] = [toX, toY];
        if (kind === 'a') extent.includeAround(x, y, arcDistance);
      }
      if (kind === 'm' && i === 0) {
        [startX, startY] = [x, y];
        extent.moveTo(x, y);
      } else extent.lineTo(x, y);
      extent.segments++;
      if (kind !== 's' && kind !== 'c' && kind !== 'q' && kind !== 't') [controlX, controlY] = [x, y];
    }
  }
  return extent;
}

/**
 * Maximum distance of an arc from its ends, which are `chord` apart. The smaller arc bulges by at most half the chord
 * times the ratio of the radii. The larger one covers at most the entire ellipse, which is scaled up if it is too small
 * to reach both ends.
 */
function maxArcDistance([rx, ry, , isLarge]: readonly number[], chord: number): number {
  const [minRadius, maxRadius] = [Math.min(Math.abs(rx), Math.abs(ry)), Math.max(Math.abs(rx), Math.abs(ry))];
  if (minRadius === 0) return 0;
  const bulge = ((maxRadius / minRadius) * chord) / 2;
  return isLarge ? 2 * Math.max(maxRadius, bulge) : bulge;
}

class ExtentBuilder {
  x0 = Infinity;
  y0 = Infinity;
  x1 = -Infinity;
  y1 = -Infinity;
  segments = 0;
  length = 0;
  private x = 0;
  private y = 0;

  moveTo(x: number, y: number): void {
    [this.x, this.y] = [x, y];
    this.includeAround(x, y, 0);
  }

  lineTo(x: number, y: number): void {
    this.length += Math.abs(x - this.x) + Math.abs(y - this.y);
    this.moveTo(x, y);
  }

  includeAround(x: number, y: number, distance: number): void {
    this.x0 = Math.min(this.x0, x - distance);
    this.y0 = Math.min(this.y0, y - distance);
    this.x1 = Math.max(this.x1, x + distance);
    this.y1 = Math.max(this.y1, y + distance);
    this.length += 4 * distance;
  }
}

const NUMBER = /[-+]?(?:\d+\.?\d*|\.\d+)(?:e[-+]?\d+)?/gi;

/** Numbers as SVG packs them: `1-2.5.5e3` has three. */
export function numbersOf(text: string): number[] {
  return (text.match(NUMBER) ?? []).map(Number);
}

/** The same for arcs, whose two flags need no separators: `a5 5 0 019 9` has seven. */
function arcNumbers(text: string): number[] {
  const numbers: number[] = [];
  const flag = /[01]/g;
  const number = new RegExp(NUMBER);
  for (let at = 0; ; ) {
    const argument = numbers.length % 7;
    const pattern = argument === 3 || argument === 4 ? flag : number;
    pattern.lastIndex = at;
    const match = pattern.exec(text);
    if (!match) return numbers;
    numbers.push(Number(match[0]));
    at = pattern.lastIndex;
  }
}

/** Number of vertices that may get a marker: an upper bound for paths, the points of a polygon. */
export function countVertices({ name, attributes }: SvgElement): number {
  if (name === 'path') return (attributes.get('d')?.match(/[\d.]+/g)?.length ?? 0) + 1;
  if (name === 'polyline' || name === 'polygon') return (attributes.get('points')?.match(/[\d.]+/g)?.length ?? 0) / 2;
  return name === 'line' ? 2 : 0;
}
