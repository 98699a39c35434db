// Measures a painted code in the finished picture: how its modules contrast with each other and with the surroundings, which of
// them look wrong, and how wide the light zone around them is.
import { type Affine, compose } from '../geometry/affine.js';
import type { Rect } from '../geometry/rect.js';
import type { PaintedCode } from '../layers/codes/painted-code.js';
import type { GreyImage } from './grey-image.js';

/** Lumas are 0–255, shares 0–1. */
export interface Measurement {
  /** Luma that three quarters of the dark modules don't exceed, and that three quarters of the light ones reach. */
  readonly dark: number;
  readonly light: number;
  /** The difference of the medians, which damage changes least. */
  readonly contrast: number;
  /** The share of modules that look wrong, the logo's included, and the share that does so beneath the logo. */
  readonly wrong: number;
  readonly wrongInLogo: number;
  /** The share of modules that lie off the canvas. */
  readonly outside: number;
  /** Modules: the width of the light zone beside the symbol, at its narrowest side. */
  readonly quietZone: number;
  /** Luma of the darkest and the lightest surroundings. */
  readonly darkest: number;
  readonly lightest: number;
}

/** The lines across a linear code that are measured. */
const SCAN_LINES = 9;
/** Modules around the symbol that are measured. */
export const REACH = 12;
/** The share of a line beside the symbol that may be dark. */
const MAX_DARK_SHARE = 0.1;
/** Share of the modules' contrast by which the ends of a linear code may be darker than its light modules. */
const MAX_EDGE = 0.05;
/** The luma of what lies off the canvas. */
const OUTSIDE = -1;

/** The luma at a point; modules are the unit, and the symbol's top left corner is the origin. */
type LumaAt = (u: number, v: number) => number;

/** Maps modules to canvas pixels. */
export function moduleMap({ symbol, columns, rows, toCanvas }: PaintedCode): Affine {
  const a = (symbol.right - symbol.left) / columns;
  const d = (symbol.bottom - symbol.top) / rows;
  return compose({ a, b: 0, c: 0, d, e: symbol.left, f: symbol.top }, toCanvas);
}

/** `fromCanvas` maps canvas pixels to pixels of the image. */
export function measure(image: GreyImage, code: PaintedCode, fromCanvas: Affine): Measurement {
  const { a, b, c, d, e, f } = compose(moduleMap(code), fromCanvas);
  const lumaAt: LumaAt = (u, v) => {
    const x = Math.floor(a * u + c * v + e);
    const y = Math.floor(b * u + d * v + f);
    return x < 0 || y < 0 || x >= image.width || y >= image.height ? OUTSIDE : image.data[y * image.width + x];
  };
  const modules = sample(code, lumaAt);
  const [darks, lights] = [new Histogram(), new Histogram()];
  for (const { luma, isDark } of modules) (isDark ? darks : lights).add(luma);
  const [middleDark, middleLight] = [darks.quantile(0.5), lights.quantile(0.5)];
  const threshold = (middleDark + middleLight) / 2;
  const logo = code.logo && toModules(code, code.logo);
  const counts = { wrong: 0, wrongInLogo: 0, outside: 0 };
  for (const { luma, isDark, u, v } of modules) {
    if (luma === OUTSIDE) counts.outside++;
    else if (luma <= threshold !== isDark) {
      counts.wrong++;
      if (logo && u > logo.left && u < logo.right && v > logo.top && v < logo.bottom) counts.wrongInLogo++;
    }
  }
  return {
    dark: darks.quantile(0.75),
    light: lights.quantile(0.25),
    contrast: middleLight - middleDark,
    wrong: counts.wrong / modules.length,
    wrongInLogo: counts.wrongInLogo / modules.length,
    outside: counts.outside / modules.length,
    // an edge beside the first bar passes for a bar
    ...measureSurroundings(
      code,
      lumaAt,
      code.rows === 1 ? middleLight - MAX_EDGE * (middleLight - middleDark) : threshold,
    ),
  };
}

interface Module {
  readonly u: number;
  readonly v: number;
  readonly isDark: boolean;
  readonly luma: number;
}

/** Every module in its middle; those of a linear code in several lines. */
function sample({ columns, rows, dark }: PaintedCode, lumaAt: LumaAt): Module[] {
  const lines = rows === 1 ? SCAN_LINES : rows;
  const modules: Module[] = [];
  for (let line = 0; line < lines; line++) {
    const v = ((line + 0.5) * rows) / lines;
    for (let column = 0; column < columns; column++) {
      const isDark = dark[Math.floor(v) * columns + column] === 1;
      modules.push({ u: column + 0.5, v, isDark, luma: lumaAt(column + 0.5, v) });
    }
  }
  return modules;
}

/** A rectangle of the frame in modules. */
function toModules({ symbol, columns, rows }: PaintedCode, { left, top, right, bottom }: Rect): Rect {
  const across = (x: number) => ((x - symbol.left) * columns) / (symbol.right - symbol.left);
  const down = (y: number) => ((y - symbol.top) * rows) / (symbol.bottom - symbol.top);
  return { left: across(left), top: down(top), right: across(right), bottom: down(bottom) };
}

/** Off the canvas nothing counts as dark. Linear codes have a quiet zone at their ends alone. */
function measureSurroundings(
  { symbol, columns, rows }: PaintedCode,
  lumaAt: LumaAt,
  threshold: number,
): Pick<Measurement, 'quietZone' | 'darkest' | 'lightest'> {
  const isLinear = rows === 1;
  const lines = isLinear ? SCAN_LINES : rows;
  // the modules of a linear code are as high as the code
  const squareHeight = isLinear ? (symbol.right - symbol.left) / columns / (symbol.bottom - symbol.top) : 1;
  const around = new Histogram();
  const sides: readonly [count: number, needsQuietZone: boolean, at: (along: number, distance: number) => number][] = [
    [lines, true, (along, distance) => lumaAt(-distance, (along * rows) / lines)],
    [lines, true, (along, distance) => lumaAt(columns + distance, (along * rows) / lines)],
    [columns, !isLinear, (along, distance) => lumaAt(along, -distance * squareHeight)],
    [columns, !isLinear, (along, distance) => lumaAt(along, rows + distance * squareHeight)],
  ];
  let quietZone = REACH;
  for (const [count, needsQuietZone, at] of sides) {
    for (let step = 0; step < REACH; step++) {
      let dark = 0;
      for (let i = 0; i < count; i++) {
        const luma = at(i + 0.5, step + 0.5);
        around.add(luma);
        if (luma !== OUTSIDE && luma <= threshold) dark++;
      }
      if (needsQuietZone && dark > MAX_DARK_SHARE * count) quietZone = Math.min(quietZone, step);
    }
  }
  return { quietZone, darkest: around.quantile(0.05), lightest: around.quantile(0.95) };
}

/** Counts lumas. */
class Histogram {
  private readonly counts = new Uint32Array(256);
  private total = 0;

  add(luma: number): void {
    if (luma === OUTSIDE) return;
    this.counts[luma]++;
    this.total++;
  }

  /** The luma that `share` of those added don't exceed; 0 without any. */
  quantile(share: number): number {
    let left = share * this.total;
    let luma = 0;
    for (; luma < 255; luma++) {
      left -= this.counts[luma];
      if (left <= 0) break;
    }
    return luma;
  }
}
