// Numbers, paths and attributes as short text.

import { escapeText } from '../bytes/xml.js';
import type { Affine } from '../geometry/affine.js';
import { atan2 } from '../geometry/math.js';
import { CLOSE, COORDINATES, CUBIC, LINE, MOVE, type PathData, QUAD } from '../geometry/path.js';
import type { Color } from '../raster/color.js';

/** Steps of a path's coordinates in a pixel. */
const STEPS = 100;
/** Steps of other numbers. */
const FINE_STEPS = 1000;

/** The number with at most 3 decimals. */
export function numberText(value: number): string {
  return stepText(Math.round(value * FINE_STEPS), FINE_STEPS);
}

/** `count / steps` without a leading zero. */
function stepText(count: number, steps: number): string {
  // -0 has no sign
  return String((count || 0) / steps).replace(/^(-?)0\./, '$1.');
}

/** Attributes by name; those that are undefined are left out. */
export type Attributes = Readonly<Record<string, string | number | undefined>>;

export function element(tag: string, values: Attributes, content = ''): string {
  const start = `<${tag}${attributesText(values)}`;
  return content === '' ? `${start}/>` : `${start}>${content}</${tag}>`;
}

function attributesText(values: Attributes): string {
  let text = '';
  for (const [name, value] of Object.entries(values)) {
    if (value === undefined) continue;
    text += ` ${name}="${typeof value === 'number' ? numberText(value) : escapeText(value)}"`;
  }
  return text;
}

/** The colour without its alpha. */
export function colorText({ r, g, b }: Color): string {
  const hex = [r, g, b].map((channel) => Math.round(channel).toString(16).padStart(2, '0')).join('');
  const isShort = hex[0] === hex[1] && hex[2] === hex[3] && hex[4] === hex[5];
  return isShort ? `#${hex[0]}${hex[2]}${hex[4]}` : `#${hex}`;
}

/** The `transform` of a similarity: a move, a turn and a mirroring. Lengths are scaled by the caller. */
export function transformText({ a, b, c, d, e, f }: Affine): string | undefined {
  const degrees = (atan2(b, a) * 180) / Math.PI;
  const moved = e === 0 && f === 0 ? [] : [`translate(${pair(e, f)})`];
  const turned = numberText(degrees) === '0' ? [] : [`rotate(${numberText(degrees)})`];
  const mirrored = a * d - b * c < 0 ? ['scale(1 -1)'] : [];
  const list = [...moved, ...turned, ...mirrored];
  return list.length > 0 ? list.join('') : undefined;
}

const pair = (x: number, y: number) => `${numberText(x)} ${numberText(y)}`;

/** A path whose first command is a relative move. */
export interface SvgPath {
  /** The point where it begins, in hundredths of a pixel. */
  readonly x: number;
  readonly y: number;
  /** All commands after the first move, relative. */
  readonly rest: string;
}

/** The greatest distance of a control point from its place, in steps, where a shorter command implies another place. */
const SLACK = 1;

/** The commands of `path`, mapped. Rounded points don't drift: each is relative to the last rounded one. */
export function pathText({ verbs, coords }: PathData, { a, b, c, d, e, f }: Affine): SvgPath {
  const out = new CommandWriter();
  let start: readonly [number, number] = [0, 0];
  let [x, y] = start;
  let origin: readonly [number, number] | undefined;
  /** The verb of the last curve, and its last control point as a viewer knows it. */
  let curve = -1;
  let [controlX, controlY] = start;
  for (let i = 0, at = 0; i < verbs.length; i++) {
    const verb = verbs[i];
    const count = COORDINATES[verb];
    const points: number[] = [];
    for (let k = 0; k < count; k += 2) {
      const [px, py] = [coords[at + k], coords[at + k + 1]];
      points.push(Math.round((a * px + c * py + e) * STEPS), Math.round((b * px + d * py + f) * STEPS));
    }
    at += count;
    if (verb === CLOSE) {
      out.command('z');
      [x, y] = start;
      curve = -1;
      continue;
    }
    const [nextX, nextY] = points.slice(-2);
    if (verb === MOVE) {
      // a contour that is not closed is filled as if it were
      start = [nextX, nextY];
      if (origin) out.command('m', nextX - x, nextY - y);
      else origin = start;
    } else if (verb === LINE) {
      if (nextX !== x || nextY !== y) {
        if (nextY === y) out.command('h', nextX - x);
        else if (nextX === x) out.command('v', nextY - y);
        else out.command('l', nextX - x, nextY - y);
      }
    } else {
      const relative = points.map((value, k) => value - (k % 2 === 0 ? x : y));
      // a smooth curve begins with the reflection of the control point before it
      const [smoothX, smoothY] = [2 * x - controlX, 2 * y - controlY];
      const isSmooth =
        curve === verb && Math.abs(points[0] - smoothX) <= SLACK && Math.abs(points[1] - smoothY) <= SLACK;
      if (isSmooth) out.command(verb === QUAD ? 't' : 's', ...relative.slice(2));
      else out.command(verb === QUAD ? 'q' : 'c', ...relative);
      if (verb === CUBIC) [controlX, controlY] = points.slice(2);
      else [controlX, controlY] = isSmooth ? [smoothX, smoothY] : points;
    }
    curve = verb === QUAD || verb === CUBIC ? verb : -1;
    [x, y] = [nextX, nextY];
  }
  const [originX, originY] = origin ?? [0, 0];
  return { x: originX, y: originY, rest: out.text };
}

/** The whole path, moved by hundredths of a pixel. */
export function wholePath({ x, y, rest }: SvgPath, dx = 0, dy = 0): string {
  const move = new CommandWriter();
  move.command('M', x + dx, y + dy);
  return move.text + rest;
}

/** Writes commands with as few separators as the syntax allows. */
class CommandWriter {
  text = '';
  private last = '';
  private number = '';

  command(letter: string, ...counts: readonly number[]): void {
    if (letter !== this.last || letter === 'z') this.text += letter;
    let previous = letter === this.last ? this.number : undefined;
    for (const count of counts) {
      const number = stepText(count, STEPS);
      // a sign ends a number, and so does a second point
      const isApart =
        previous === undefined || number.startsWith('-') || (number.startsWith('.') && previous.includes('.'));
      this.text += isApart ? number : ` ${number}`;
      previous = number;
      this.number = number;
    }
    this.last = letter;
  }
}

/** Hundredths of a pixel. */
export function steps(value: number): number {
  return Math.round(value * STEPS);
}

/** A number of hundredths of a pixel. */
export function fromSteps(count: number): number {
  return count / STEPS;
}
