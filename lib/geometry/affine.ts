// Affine transforms, in the order of CSS matrix(a, b, c, d, e, f): x' = a·x + c·y + e, y' = b·x + d·y + f.
import { cos, sin } from './math.js';

export interface Affine {
  readonly a: number;
  readonly b: number;
  readonly c: number;
  readonly d: number;
  readonly e: number;
  readonly f: number;
}

export const IDENTITY: Affine = { a: 1, b: 0, c: 0, d: 1, e: 0, f: 0 };

export function translation(x: number, y: number): Affine {
  return { a: 1, b: 0, c: 0, d: 1, e: x, f: y };
}

/** Applies `first`, then `then`. */
export function compose(first: Affine, then: Affine): Affine {
  return {
    a: then.a * first.a + then.c * first.b,
    b: then.b * first.a + then.d * first.b,
    c: then.a * first.c + then.c * first.d,
    d: then.b * first.c + then.d * first.d,
    e: then.a * first.e + then.c * first.f + then.e,
    f: then.b * first.e + then.d * first.f + then.f,
  };
}

/** Rotates by `degrees` about (x, y), clockwise on a canvas whose y axis points down. Multiples of 90° are exact. */
export function rotationAbout(degrees: number, x: number, y: number): Affine {
  const turn = ((degrees % 360) + 360) % 360;
  const quarter = turn % 90 === 0 ? turn / 90 : -1;
  const c = quarter < 0 ? cos((turn * Math.PI) / 180) : [1, 0, -1, 0][quarter];
  const s = quarter < 0 ? sin((turn * Math.PI) / 180) : [0, 1, 0, -1][quarter];
  return { a: c, b: s, c: -s, d: c, e: x - c * x + s * y, f: y - s * x - c * y };
}

/** The inverse; undefined when the transform is singular. */
export function invert({ a, b, c, d, e, f }: Affine): Affine | undefined {
  const determinant = a * d - b * c;
  if (!(Math.abs(determinant) > 1e-12)) return undefined;
  return {
    a: d / determinant,
    b: -b / determinant,
    c: -c / determinant,
    d: a / determinant,
    e: (c * f - d * e) / determinant,
    f: (b * e - a * f) / determinant,
  };
}
