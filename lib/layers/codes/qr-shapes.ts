// The modules and finder patterns ("eyes") of QR codes as paths, in the shapes that a layer may ask for.
import { uniformCorners } from '../../geometry/corners.js';
import { Path } from '../../geometry/path.js';
import type { Rect } from '../../geometry/rect.js';
import { ellipse, rectangle, roundedRectangle } from '../../geometry/shapes.js';

/** `size` × `size` modules, row by row; 1 is dark. */
export interface Modules {
  readonly size: number;
  readonly dark: Uint8Array;
}

/** Positions of the modules' edges: of column or row `index`, or at `size` of the code's end. */
export interface ModuleGrid {
  x(index: number): number;
  y(index: number): number;
}

/** Modules on each side of a finder pattern, of its light ring and of its centre (ISO/IEC 18004 section 5.3.2). */
const EYE = 7;
const EYE_PARTS = [
  { inset: 0, radius: 2 },
  { inset: 1, radius: 1.25 },
  { inset: 2, radius: 0.75 },
] as const;

/** The columns and rows where the three finder patterns begin. */
export function eyeOrigins(size: number): readonly (readonly [column: number, row: number])[] {
  return [
    [0, 0],
    [size - EYE, 0],
    [0, size - EYE],
  ];
}

/** The code without its finder patterns. */
export function withoutEyes({ size, dark }: Modules): Modules {
  const rest = dark.slice();
  for (const [column, row] of eyeOrigins(size)) {
    for (let j = row; j < row + EYE; j++) rest.fill(0, j * size + column, j * size + column + EYE);
  }
  return { size, dark: rest };
}

/** The finder patterns, to be filled by the even-odd rule: each a ring and its centre. */
export function eyesPath(size: number, grid: ModuleGrid, shape: 'square' | 'rounded' | 'circle'): Path {
  const path = new Path();
  for (const [column, row] of eyeOrigins(size)) {
    for (const { inset, radius } of EYE_PARTS) {
      const box = cells(grid, column + inset, row + inset, EYE - 2 * inset);
      if (shape === 'square') rectangle(box, path);
      else if (shape === 'circle') ellipse(box, path);
      else {
        const side = EYE - 2 * inset;
        const [unitX, unitY] = [(box.right - box.left) / side, (box.bottom - box.top) / side];
        roundedRectangle(box, uniformCorners(radius * unitX, radius * unitY), path);
      }
    }
  }
  return path;
}

/** The dark modules as dots, or with the corners rounded where they have no neighbours. */
export function shapedModules(modules: Modules, grid: ModuleGrid, shape: 'dot' | 'rounded'): Path {
  const path = new Path();
  const { size, dark } = modules;
  const isDark = (i: number, j: number) => i >= 0 && j >= 0 && i < size && j < size && dark[j * size + i] === 1;
  for (let j = 0; j < size; j++) {
    for (let i = 0; i < size; i++) {
      if (!isDark(i, j)) continue;
      const box = cells(grid, i, j, 1);
      if (shape === 'dot') {
        joinedModule(path, box, ALL_CORNERS);
        continue;
      }
      const [above, right, below, left] = [isDark(i, j - 1), isDark(i + 1, j), isDark(i, j + 1), isDark(i - 1, j)];
      joinedModule(path, box, [!above && !left, !above && !right, !below && !right, !below && !left]);
    }
  }
  return path;
}

function cells(grid: ModuleGrid, column: number, row: number, count: number): Rect {
  return { left: grid.x(column), top: grid.y(row), right: grid.x(column + count), bottom: grid.y(row + count) };
}

const ALL_CORNERS = [true, true, true, true];
/** The control arms of a cubic for a quarter of a circle, as a part of the radius; the error is under 3e-4 of it. */
const QUARTER = 0.5523;

/** A box whose corners (top left, top right, bottom right, bottom left) are rounded by half its side where `isRound`. */
function joinedModule(path: Path, { left, top, right, bottom }: Rect, isRound: readonly boolean[]): void {
  const x = (right - left) / 2;
  const y = (bottom - top) / 2;
  const armX = x * (1 - QUARTER);
  const armY = y * (1 - QUARTER);
  const [topLeft, topRight, bottomRight, bottomLeft] = isRound;
  path.moveTo(left + x, top);
  if (topRight) path.cubicTo(right - armX, top, right, top + armY, right, top + y);
  else path.lineTo(right, top);
  path.lineTo(right, bottom - y);
  if (bottomRight) path.cubicTo(right, bottom - armY, right - armX, bottom, left + x, bottom);
  else path.lineTo(right, bottom);
  path.lineTo(left + x, bottom);
  if (bottomLeft) path.cubicTo(left + armX, bottom, left, bottom - armY, left, top + y);
  else path.lineTo(left, bottom);
  path.lineTo(left, top + y);
  if (topLeft) path.cubicTo(left, top + armY, left + armX, top, left + x, top);
  else path.lineTo(left, top);
  path.close();
}
