// Renders layers through the whole pipeline and reads the PNG with another decoder: straight RGBA by pixel.
import { PNG } from 'pngjs';
import { render } from '../any-payload.js';

export type Pixel = [r: number, g: number, b: number, a: number];

export interface Picture {
  readonly width: number;
  readonly height: number;
  /** Straight RGBA, row by row. */
  readonly data: Uint8Array;
  readonly warnings: readonly { readonly path: string; readonly message: string }[];
  at(x: number, y: number): Pixel;
}

export const CLEAR: Pixel = [0, 0, 0, 0];
export const BLACK: Pixel = [0, 0, 0, 255];
export const WHITE: Pixel = [255, 255, 255, 255];
export const RED: Pixel = [255, 0, 0, 255];
export const BLUE: Pixel = [0, 0, 255, 255];
export const LIME: Pixel = [0, 255, 0, 255];

interface Canvas {
  readonly width?: number;
  readonly height?: number;
  readonly scale?: number;
  readonly backgroundColor?: string | readonly string[];
}

/** Draws on a transparent canvas of 40 × 30 by default. */
export async function draw(layers: readonly object[], canvas: Canvas = {}): Promise<Picture> {
  const { bytes, warnings } = await render({ canvas: { width: 40, height: 30, ...canvas }, layers });
  const { width, height, data } = PNG.sync.read(Buffer.from(bytes));
  const at = (x: number, y: number): Pixel => {
    if (x < 0 || y < 0 || x >= width || y >= height) throw new RangeError(`(${x}, ${y}) is outside the image`);
    const i = (y * width + x) * 4;
    return [data[i], data[i + 1], data[i + 2], data[i + 3]];
  };
  return { width, height, data, warnings, at };
}

/** A shape layer with only the required fields. */
export function shape(x: number, y: number, width: number, height: number, more: object = {}): object {
  return { type: 'shape', shapeType: 'rectangle', x, y, width, height, ...more };
}

/** The bounds of all pixels with alpha > 0; undefined for an empty image. */
export function inkOf(picture: Picture): { left: number; top: number; right: number; bottom: number } | undefined {
  let box: { left: number; top: number; right: number; bottom: number } | undefined;
  for (let y = 0; y < picture.height; y++) {
    for (let x = 0; x < picture.width; x++) {
      if (picture.at(x, y)[3] === 0) continue;
      box ??= { left: x, top: y, right: x + 1, bottom: y + 1 };
      box = { left: Math.min(box.left, x), top: box.top, right: Math.max(box.right, x + 1), bottom: y + 1 };
    }
  }
  return box;
}

/** The sum of all pixels' alpha, in opaque pixels. */
export function inkSum({ data }: Picture): number {
  let sum = 0;
  for (let i = 3; i < data.length; i += 4) sum += data[i] / 255;
  return sum;
}

/** A PNG of these pixels (rows of straight RGBA) as a data: URL. */
export function pngUrl(rows: readonly (readonly Pixel[])[]): string {
  const png = new PNG({ width: rows[0].length, height: rows.length });
  png.data.set(rows.flat(2));
  return `data:image/png;base64,${PNG.sync.write(png).toString('base64')}`;
}

/** Two pixels wide, one high: red, then blue. */
export const RED_BLUE = pngUrl([[RED, BLUE]]);
