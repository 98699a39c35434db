// CSS transforms: lists of functions, resolved against a box.
import { type Affine, compose, IDENTITY, translation } from './affine.js';
import { type Position, resolveLength } from './length.js';
import type { Rect } from './rect.js';

/** A function of a transform list: a map, followed by a move that may be a share of the box. */
export interface TransformFunction {
  /** Its `e` and `f` are pixels. */
  readonly map: Affine;
  /** Per cent of the box's width and height that it moves by besides. */
  readonly share?: { readonly x: number; readonly y: number };
}

const CENTER: Position = { x: { px: 0, percent: 50 }, y: { px: 0, percent: 50 } };

/** The map of the whole list about `origin`, a point of the box. As in CSS, the last function applies first. */
export function resolveTransform(functions: readonly TransformFunction[], box: Rect, origin = CENTER): Affine {
  const [width, height] = [box.right - box.left, box.bottom - box.top];
  const x = box.left + resolveLength(origin.x, width);
  const y = box.top + resolveLength(origin.y, height);
  const whole = functions.reduceRight((map, fn) => compose(map, resolved(fn, width, height)), IDENTITY);
  return compose(compose(translation(-x, -y), whole), translation(x, y));
}

function resolved({ map, share }: TransformFunction, width: number, height: number): Affine {
  if (!share) return map;
  return { ...map, e: map.e + (share.x * width) / 100, f: map.f + (share.y * height) / 100 };
}

/** Whether the list does nothing but move. */
export function onlyMoves(functions: readonly TransformFunction[]): boolean {
  return functions.every(({ map: { a, b, c, d } }) => a === 1 && b === 0 && c === 0 && d === 1);
}
