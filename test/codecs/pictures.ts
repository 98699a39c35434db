// Pictures for the codecs' tests: drawn by formula, so every run and machine has the same ones.
import { readFileSync } from 'node:fs';
import { Pixmap, packWord } from '../../lib/raster/pixmap.js';

/** A pixmap whose pixel (x, y) is `paint(x, y)`, straight RGBA of 0–255. */
export function drawn(
  width: number,
  height: number,
  paint: (x: number, y: number) => readonly [number, number, number, number],
): Pixmap {
  const pixmap = new Pixmap(width, height);
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const [r, g, b, a] = paint(x, y);
      const times = (c: number) => Math.round((c * a) / 255);
      pixmap.words[y * width + x] = packWord(times(r), times(g), times(b), a);
    }
  }
  return pixmap;
}

/** Whole numbers below `limit` from a seed, the same everywhere (Park–Miller). */
export function randomBelow(seed: number): (limit: number) => number {
  let state = (seed % 2147483646) + 1;
  return (limit) => {
    state = (state * 48271) % 2147483647;
    return Math.floor((state / 2147483647) * limit);
  };
}

export const RED = [255, 0, 0, 255] as const;
export const GREEN = [0, 255, 0, 255] as const;
export const BLUE = [0, 0, 255, 255] as const;
export const YELLOW = [255, 255, 0, 255] as const;

/** The picture of the fixtures: red, green, blue, yellow quadrants. */
export function quadrants(width = 48, height = 32): Pixmap {
  return drawn(width, height, (x, y) =>
    y < height / 2 ? (x < width / 2 ? RED : GREEN) : x < width / 2 ? BLUE : YELLOW,
  );
}

/** A smooth picture that lossy codecs keep well. */
export function smooth(width: number, height: number, alpha = 255): Pixmap {
  return drawn(width, height, (x, y) => [
    Math.round(128 + 100 * Math.sin(x / 40)),
    Math.round(128 + 100 * Math.cos(y / 30)),
    Math.round((255 * (x + y)) / (width + height)),
    alpha,
  ]);
}

/** The four corners' pixels, a little inside: top left, top right, bottom left, bottom right. */
export function corners({ width, height, data }: Pixmap): number[][] {
  const inset = 4;
  const places = [
    [inset, inset],
    [width - 1 - inset, inset],
    [inset, height - 1 - inset],
    [width - 1 - inset, height - 1 - inset],
  ];
  return places.map(([x, y]) => [...data.subarray((y * width + x) * 4, (y * width + x) * 4 + 4)]);
}

/** The largest difference of any byte, and the mean one. */
export function difference(a: ArrayLike<number>, b: ArrayLike<number>): { max: number; mean: number } {
  if (a.length !== b.length) return { max: Number.POSITIVE_INFINITY, mean: Number.POSITIVE_INFINITY };
  let max = 0;
  let sum = 0;
  for (let i = 0; i < a.length; i++) {
    const d = Math.abs(a[i] - b[i]);
    if (d > max) max = d;
    sum += d;
  }
  return { max, mean: sum / a.length };
}

/** Whether two sets of pixels are near, channel by channel. */
export function near(a: readonly (readonly number[])[], b: readonly (readonly number[])[], tolerance: number): boolean {
  return a.every((pixel, i) => difference(pixel, b[i]).max <= tolerance);
}

export function fixture(name: string): Uint8Array {
  return new Uint8Array(readFileSync(new URL(`fixtures/${name}`, import.meta.url)));
}
