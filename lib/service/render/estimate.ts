// How much memory a render will hold, before it runs: for admission. Headers are read, nothing is decoded.
import { gridFor } from '../../codecs/avif/grid.js';
import type { OutputFormat } from '../../codecs/codec.js';
import { estimateDecodeMemory } from '../../codecs/decode-memory.js';
import { sniff } from '../../codecs/sniff.js';
import type { Layer } from '../../contract/layers.js';
import type { Scene } from '../../templates/scene.js';

/** Bytes for each pixel of a picture's halved copies. */
const COPIES = 4 / 3;
/** Bytes for each pixel of a drawn SVG. */
const SVG = 4;
/**
 * Bytes for each pixel of the canvas: the canvas, as much again for scratch surfaces, and what the encoder needs.
 * Measured as the highest resident size of a fresh process over 4 to 67 million pixels: 7, 9, 14 and 32 (of an AVIF that is
 * a grid: 7, and 32 of one tile); under shadows, however many, up to 12 as a PNG.
 */
const CANVAS_BYTES = { png: 8, jpeg: 10, webp: 14, avif: 32 } as const satisfies Record<OutputFormat, number>;
const SHADOW_BYTES = 4;
/** The colours apart from transparency, and the transparency: 18 in all. */
const WEBP_ALPHA_BYTES = 4;

export interface Estimated extends Pick<Scene, 'canvas' | 'format'> {
  readonly layers: readonly Pick<Layer, 'shadow'>[];
}

/** Bytes, roughly: the canvas as its format and its layers need it, every file packed and unpacked. */
export function estimateBytes(picture: Estimated, files: Iterable<Uint8Array>, maxPixels: number): number {
  const { width, height } = picture.canvas;
  const canvas = width * height;
  let bytes = canvasBytes(picture);
  for (const file of files) {
    const { pixels, bytesPerPixel } = weightOf(file, canvas);
    bytes += file.length + Math.min(maxPixels, pixels) * (bytesPerPixel + COPIES);
  }
  return bytes;
}

function canvasBytes({ canvas: { width, height, backgroundColor }, format, layers }: Estimated): number {
  const canvas = width * height;
  const shadows = layers.some(({ shadow }) => shadow) ? canvas * SHADOW_BYTES : 0;
  const grid = format === 'avif' ? gridFor(width, height) : undefined;
  if (grid) return canvas * CANVAS_BYTES.png + shadows + grid.tileWidth * grid.tileHeight * CANVAS_BYTES.avif;
  const alpha = format === 'webp' && backgroundColor.a < 255 ? WEBP_ALPHA_BYTES : 0;
  return canvas * (CANVAS_BYTES[format] + alpha) + shadows;
}

/**
 * By the picture's header; nothing for a font or a broken file. An SVG is drawn at the size that is painted: its root, which
 * may be megabytes of attributes, is left to the render process.
 */
function weightOf(bytes: Uint8Array, canvas: number): { pixels: number; bytesPerPixel: number } {
  if (sniff(bytes) === 'svg') return { pixels: canvas, bytesPerPixel: SVG };
  try {
    const { width, height, bytesPerPixel } = estimateDecodeMemory(bytes);
    return { pixels: width * height, bytesPerPixel };
  } catch {
    return { pixels: 0, bytesPerPixel: 0 };
  }
}
