// How much memory a render will hold, before it runs: for admission. Headers are read, nothing is decoded.
import type { OutputFormat } from '../codecs/codec.js';
import { sniff } from '../codecs/sniff.js';
import { weigh } from '../codecs/weight.js';
import type { Resolved } from '../templates/scene.js';

/** Bytes for each pixel of a picture's halved copies. */
const COPIES = 4 / 3;
/** Bytes for each pixel of a drawn SVG. */
const SVG = 4;
/**
 * Bytes for each pixel of the canvas: the canvas, as much again for scratch surfaces, and what the encoder needs.
 * Measured as the highest resident size of a fresh process over 4 to 16 million pixels: 7, 9, 13 and 32.
 */
const CANVAS_BYTES = { png: 8, jpeg: 10, webp: 14, avif: 32 } as const satisfies Record<OutputFormat, number>;

/** Bytes, roughly: the canvas as its format needs it, every file packed and unpacked. */
export function estimateBytes(
  { canvas: { width, height }, format }: Pick<Resolved, 'canvas' | 'format'>,
  files: Iterable<Uint8Array>,
  maxPixels: number,
): number {
  const canvas = width * height;
  let bytes = canvas * CANVAS_BYTES[format];
  for (const file of files) {
    const { pixels, bytesPerPixel } = weightOf(file, canvas);
    bytes += file.length + Math.min(maxPixels, pixels) * (bytesPerPixel + COPIES);
  }
  return bytes;
}

/**
 * By the picture's header; nothing for a font or a broken file. An SVG is drawn at the size that is painted: its root, which
 * may be megabytes of attributes, is left to the render process.
 */
function weightOf(bytes: Uint8Array, canvas: number): { pixels: number; bytesPerPixel: number } {
  if (sniff(bytes) === 'svg') return { pixels: canvas, bytesPerPixel: SVG };
  try {
    const { width, height, bytesPerPixel } = weigh(bytes);
    return { pixels: width * height, bytesPerPixel };
  } catch {
    return { pixels: 0, bytesPerPixel: 0 };
  }
}
