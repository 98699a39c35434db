// The areas of CSS Shapes 1, section 3, which are given relative to a box: what clip-path takes.
import type { Corners } from './corners.js';
import { type LengthPercentage, type Position, resolveLength } from './length.js';
import { Path, type PathData } from './path.js';
import { isEmpty, type Rect } from './rect.js';
import { ellipse, roundedRectangle } from './shapes.js';

/** A length, or a distance from the centre to the box's sides. */
export type ShapeRadius = LengthPercentage | 'closest-side' | 'farthest-side';

type Quadruple<Value> = readonly [Value, Value, Value, Value];

type Rule = 'nonzero' | 'evenodd';

export type BasicShape =
  | {
      readonly kind: 'inset';
      /** Distances from the top, right, bottom and left side. */
      readonly insets: Quadruple<LengthPercentage>;
      /** Corner radii from the top left, clockwise. */
      readonly corners: Quadruple<Position>;
    }
  | { readonly kind: 'circle'; readonly radius: ShapeRadius; readonly center: Position }
  | { readonly kind: 'ellipse'; readonly radii: readonly [ShapeRadius, ShapeRadius]; readonly center: Position }
  | { readonly kind: 'polygon'; readonly rule: Rule; readonly points: readonly Position[] }
  /** A path in pixels from the box's top left corner. */
  | { readonly kind: 'path'; readonly rule: Rule; readonly data: PathData };

/** The shape's outline relative to the top left corner of a box of that size; empty if it has no area. */
export function basicShapePath(shape: BasicShape, width: number, height: number): PathData {
  const at = ({ x, y }: Position) => ({ x: resolveLength(x, width), y: resolveLength(y, height) });
  switch (shape.kind) {
    case 'inset': {
      const [top, right, bottom, left] = shape.insets;
      const rect = {
        left: resolveLength(left, width),
        top: resolveLength(top, height),
        right: width - resolveLength(right, width),
        bottom: height - resolveLength(bottom, height),
      };
      const [topLeft, topRight, bottomRight, bottomLeft] = shape.corners;
      const corners: Corners = [at(topLeft), at(topRight), at(bottomRight), at(bottomLeft)];
      return isEmpty(rect) ? new Path() : roundedRectangle(rect, corners);
    }
    case 'circle': {
      const center = at(shape.center);
      const { radius } = shape;
      // CSS Shapes 1, section 3.1: per cent of the root of the mean square of the sides
      const r =
        typeof radius === 'string'
          ? sideDistance(radius, [center.x, width - center.x, center.y, height - center.y])
          : resolveLength(radius, Math.sqrt((width * width + height * height) / 2));
      return ellipseAbout(center, r, r);
    }
    case 'ellipse': {
      const center = at(shape.center);
      const [x, y] = shape.radii;
      const rx = typeof x === 'string' ? sideDistance(x, [center.x, width - center.x]) : resolveLength(x, width);
      const ry = typeof y === 'string' ? sideDistance(y, [center.y, height - center.y]) : resolveLength(y, height);
      return ellipseAbout(center, rx, ry);
    }
    case 'polygon': {
      const path = new Path();
      shape.points.map(at).forEach(({ x, y }, index) => {
        if (index === 0) path.moveTo(x, y);
        else path.lineTo(x, y);
      });
      path.close();
      return path;
    }
    case 'path':
      return shape.data;
  }
}

function sideDistance(radius: 'closest-side' | 'farthest-side', distances: readonly number[]): number {
  const all = distances.map(Math.abs);
  return radius === 'closest-side' ? Math.min(...all) : Math.max(...all);
}

function ellipseAbout({ x, y }: { readonly x: number; readonly y: number }, rx: number, ry: number): Path {
  const rect: Rect = { left: x - rx, top: y - ry, right: x + rx, bottom: y + ry };
  return isEmpty(rect) ? new Path() : ellipse(rect);
}
