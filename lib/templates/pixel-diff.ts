// Compares the pixels of two images.

/** RGBA with straight alpha, row by row from the top. */
interface Pixels {
  readonly width: number;
  readonly height: number;
  readonly data: Uint8ClampedArray;
}

export interface PixelDifference extends Pixels {
  /** Number of pixels that differ; those that only one of the images has are among them. */
  readonly differing: number;
}

/** Part of the second image's contrast that its faded copy keeps. */
const FADED = 0.25;
const RED = [255, 0, 0, 255];

/** An opaque picture of both images' extent: red where their pixels differ, else a faded copy on white. */
export function diffPixels(before: Pixels, after: Pixels): PixelDifference {
  const width = Math.max(before.width, after.width);
  const height = Math.max(before.height, after.height);
  const data = new Uint8ClampedArray(width * height * 4);
  let differing = 0;
  let to = 0;
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++, to += 4) {
      if (isSame(before, after, x, y)) {
        const from = (y * after.width + x) * 4;
        const fadedAlpha = x < after.width && y < after.height ? (FADED * after.data[from + 3]) / 255 : 0;
        for (let c = 0; c < 3; c++) data[to + c] = Math.round(255 - (255 - (after.data[from + c] ?? 255)) * fadedAlpha);
        data[to + 3] = 255;
      } else {
        differing++;
        data.set(RED, to);
      }
    }
  }
  return { width, height, data, differing };
}

function isSame(before: Pixels, after: Pixels, x: number, y: number): boolean {
  const isIn = ({ width, height }: Pixels) => x < width && y < height;
  if (!isIn(before) || !isIn(after)) return isIn(before) === isIn(after);
  const [i, j] = [(y * before.width + x) * 4, (y * after.width + x) * 4];
  const [a, b] = [before.data, after.data];
  if (a[i + 3] === 0 && b[j + 3] === 0) return true;
  return a[i] === b[j] && a[i + 1] === b[j + 1] && a[i + 2] === b[j + 2] && a[i + 3] === b[j + 3];
}
