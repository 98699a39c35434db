// A path's data → the box that its control points lie in, how many segments it has and how long they are. Exact for lines;
// curves lie within their control points, arcs within a reach of their ends.
import type { SvgElement } from './svgscan.js';

export interface PathExtent {
  readonly x0: number;
  readonly y0: number;
  readonly x1: number;
  readonly y1: number;
  readonly segments: number;
  /** Across and along, added up, from control point to control point. */
  readonly length: number;
}

/** Numbers that one segment of each command takes. */
const TAKES = new Map(Object.entries({ m: 2, l: 2, t: 2, h: 1, v: 1, q: 4, s: 4, c: 6, a: 7 }));

/** Undefined where the numbers don't come out even: what is drawn then is not known. */
export function extentOf(data: string): PathExtent | undefined {
  const walk = new Walk();
  let [x, y] = [0, 0];
  let [startX, startY] = [0, 0];
  /** The last control point, which smooth curves mirror: those after anything but a curve begin at their own point. */
  let [controlX, controlY] = [0, 0];
  for (const [, command, list] of data.matchAll(/([a-z])([^a-df-z]*)/gi)) {
    const kind = command.toLowerCase();
    const isRelative = kind === command;
    if (kind === 'z') {
      [x, y] = [startX, startY];
      walk.to(x, y);
    }
    const takes = TAKES.get(kind);
    if (takes === undefined) continue;
    const numbers = kind === 'a' ? arcNumbers(list) : numbersOf(list);
    if (numbers.length % takes !== 0) return undefined;
    for (let i = 0; i < numbers.length; i += takes) {
      const [fromX, fromY] = isRelative ? [x, y] : [0, 0];
      if (kind === 's' || kind === 't') walk.to(2 * x - controlX, 2 * y - controlY);
      [controlX, controlY] = kind === 't' ? [2 * x - controlX, 2 * y - controlY] : [x, y];
      if (kind === 'h') x = fromX + numbers[i];
      else if (kind === 'v') y = fromY + numbers[i];
      else {
        const [toX, toY] = [fromX + numbers[i + takes - 2], fromY + numbers[i + takes - 1]];
        const reach = kind === 'a' ? arcReach(numbers.slice(i, i + 5), Math.hypot(toX - x, toY - y)) : 0;
        if (kind === 'a') walk.around(x, y, reach);
        else for (let j = i; j < i + takes - 2; j += 2) walk.to(fromX + numbers[j], fromY + numbers[j + 1]);
        if (takes > 2 && kind !== 'a') {
          [controlX, controlY] = [fromX + numbers[i + takes - 4], fromY + numbers[i + takes - 3]];
        }
        [x, y] = [toX, toY];
        if (kind === 'a') walk.around(x, y, reach);
      }
      if (kind === 'm' && i === 0) {
        [startX, startY] = [x, y];
        walk.from(x, y);
      } else walk.to(x, y);
      walk.segments++;
      if (kind !== 's' && kind !== 'c' && kind !== 'q' && kind !== 't') [controlX, controlY] = [x, y];
    }
  }
  return walk;
}

/**
 * How far an arc whose ends lie `chord` apart is from them at most. The smaller of the two that there are bulges by half of
 * that, times the ratio of its radii; the larger one is all of an ellipse at most, which grows where it would not reach.
 */
function arcReach([rx, ry, , isLarge]: readonly number[], chord: number): number {
  const [least, most] = [Math.min(Math.abs(rx), Math.abs(ry)), Math.max(Math.abs(rx), Math.abs(ry))];
  if (least === 0) return 0;
  const bulge = ((most / least) * chord) / 2;
  return isLarge ? 2 * Math.max(most, bulge) : bulge;
}

class Walk {
  x0 = Infinity;
  y0 = Infinity;
  x1 = -Infinity;
  y1 = -Infinity;
  segments = 0;
  length = 0;
  private x = 0;
  private y = 0;

  from(x: number, y: number): void {
    [this.x, this.y] = [x, y];
    this.around(x, y, 0);
  }

  to(x: number, y: number): void {
    this.length += Math.abs(x - this.x) + Math.abs(y - this.y);
    this.from(x, y);
  }

  around(x: number, y: number, by: number): void {
    this.x0 = Math.min(this.x0, x - by);
    this.y0 = Math.min(this.y0, y - by);
    this.x1 = Math.max(this.x1, x + by);
    this.y1 = Math.max(this.y1, y + by);
    this.length += 4 * by;
  }
}

const NUMBER = /[-+]?(?:\d+\.?\d*|\.\d+)(?:e[-+]?\d+)?/gi;

/** Numbers as SVG packs them: `1-2.5.5e3` are three. */
export function numbersOf(text: string): number[] {
  return (text.match(NUMBER) ?? []).map(Number);
}

/** The same for arcs, whose two flags may be written without anything around them: `a5 5 0 019 9` are seven. */
function arcNumbers(text: string): number[] {
  const numbers: number[] = [];
  const flag = /[01]/g;
  const number = new RegExp(NUMBER);
  for (let at = 0; ; ) {
    const place = numbers.length % 7;
    const pattern = place === 3 || place === 4 ? flag : number;
    pattern.lastIndex = at;
    const match = pattern.exec(text);
    if (!match) return numbers;
    numbers.push(Number(match[0]));
    at = pattern.lastIndex;
  }
}

/** Markers stand at the ends of segments: a command of a path, a pair of numbers of a polygon. */
export function verticesOf({ name, attributes }: SvgElement): number {
  if (name === 'path') return (attributes.get('d')?.match(/[\d.]+/g)?.length ?? 0) + 1;
  if (name === 'polyline' || name === 'polygon') return (attributes.get('points')?.match(/[\d.]+/g)?.length ?? 0) / 2;
  return name === 'line' ? 2 : 0;
}
