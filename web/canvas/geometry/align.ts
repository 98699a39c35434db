// Computes the distances by which aligning and distributing move layers on the canvas.
import type { Rect } from '../../../lib/geometry/rect.js';
import type { Point } from './frames.js';

export const ALIGNMENTS = ['left', 'centre', 'right', 'top', 'middle', 'bottom'] as const;
export type Alignment = (typeof ALIGNMENTS)[number];
export type Axis = 'x' | 'y';

/** Returns the distance that aligns one rectangle with another. */
export function alignBy(rect: Rect, to: Rect, alignment: Alignment): Point {
  switch (alignment) {
    case 'left':
      return { x: to.left - rect.left, y: 0 };
    case 'centre':
      return { x: (to.left + to.right - rect.left - rect.right) / 2, y: 0 };
    case 'right':
      return { x: to.right - rect.right, y: 0 };
    case 'top':
      return { x: 0, y: to.top - rect.top };
    case 'middle':
      return { x: 0, y: (to.top + to.bottom - rect.top - rect.bottom) / 2 };
    case 'bottom':
      return { x: 0, y: to.bottom - rect.bottom };
  }
}

/** Returns the distances that make the gaps between at least three rectangles equal. The first and the last stay. */
export function distributeBy(rects: readonly Rect[], axis: Axis): readonly Point[] {
  const [start, end] = axis === 'x' ? (['left', 'right'] as const) : (['top', 'bottom'] as const);
  const order = rects
    .map((_, index) => index)
    .sort((i, j) => rects[i]![start] + rects[i]![end] - rects[j]![start] - rects[j]![end]);
  const distances: Point[] = rects.map(() => ({ x: 0, y: 0 }));
  if (order.length < 3) return distances;
  const inOrder = order.map((index) => rects[index]!);
  const total = inOrder.reduce((sum, rect) => sum + rect[end] - rect[start], 0);
  const gap = (inOrder.at(-1)![end] - inOrder[0]![start] - total) / (order.length - 1);
  let at = inOrder[0]![start];
  order.forEach((index, i) => {
    const rect = rects[index]!;
    const isOutermost = i === 0 || i === order.length - 1;
    distances[index] = { x: 0, y: 0, [axis]: isOutermost ? 0 : at - rect[start] };
    at += rect[end] - rect[start] + gap;
  });
  return distances;
}
