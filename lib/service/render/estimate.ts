// Estimates a render's peak memory for admission, before it runs: reads the assets' headers, decodes nothing.
import type { AssetFile } from '../../assets/asset-file.js';
import { gridFor } from '../../codecs/avif/grid.js';
import { type FileFormat, isDocumentFormat } from '../../codecs/codec.js';
import { decodeBytesPerPixel, profileMemory } from '../../codecs/decode-memory.js';
import { clipSegments, type OutlinedLayer, pathSegments, textPathSegments } from '../../contract/layers/limits.js';
import { walkLayers } from '../../contract/layers/nested-layers.js';
import { DEFAULT_RASTER_SCALE, outputSize } from '../../contract/layers/output-size.js';
import { MAX_CHORDS, MAX_PATH_CHORDS } from '../../geometry/flatten.js';
import { MAX_RULER_CHORDS } from '../../geometry/path-ruler.js';
import { MAX_DASHES } from '../../geometry/stroke/stroke.js';
import { type EffectLayer, sceneEffectBytes } from '../../layers/effects/memory.js';
import { isOpaqueBackground } from '../../raster/fill.js';
import type { Scene } from '../../templates/scene.js';

/** Bytes per pixel of an image's mipmaps. */
const MIPMAP_BYTES = 4 / 3;
/** Bytes per pixel of a rasterized SVG. */
const SVG_BYTES = 4;
/**
 * Bytes per pixel of the canvas: the canvas, as much again for scratch pixmaps, and the encoder's buffers. Measured as the
 * peak RSS of a fresh process over 4 to 67 million pixels: 7, 9, 14 and 32 (an AVIF grid: 7, and 32 for one tile). Effects
 * are counted apart.
 */
const CANVAS_BYTES = { png: 8, jpeg: 10, webp: 14, avif: 32, svg: 12, pdf: 12 } as const satisfies Record<
  FileFormat,
  number
>;
/** A WebP with transparency takes 18 bytes per pixel: its colour and its alpha are encoded apart. */
const WEBP_ALPHA_BYTES = 4;
/**
 * Bytes per pixel of the lossless encoders, beside those of the lossy ones. Measured on noise: 28 in all for a WebP of 5000 ×
 * 5000, 32 with transparency; 96 for an AVIF, from the difference between 1000 × 1000 and 1500 × 1500.
 */
const LOSSLESS_BYTES: Partial<Record<FileFormat, number>> = { webp: 14, avif: 64 };

/**
 * Bytes per corner of a path that is filled, or filled and stroked, and per dash: measured as the peak RSS of a fresh process
 * with 100 to 10,000 curves larger than the canvas, and with 20,000 dots.
 */
const FILL_CORNER_BYTES = 45;
const STROKE_CORNER_BYTES = 130;
const DASH_BYTES = 4000;
/** Bytes per chord of a path that text goes along: its fields and the points that they are made from. */
const RULER_CHORD_BYTES = 200;

/** Bytes per segment of a parsed path: received, and in the layer's place. */
const SEGMENT_BYTES = 150;

/**
 * Bytes per UTF-16 unit of text that is shaped and laid out, and per line end. Measured as the growth of a fresh process's peak
 * RSS per unit, with texts of 100,000 to 1,000,000: Latin 480 to 730, Arabic, Devanagari and Chinese 530 to 950, and 2,330 with
 * a line end, a background and an underline at every second one.
 */
const TEXT_UNIT_BYTES = 1000;
const LINE_END_BYTES = 2000;
/**
 * Bytes per unit for outlines, which rotated, stroked and large text and emoji have; those of one layer at a time. With the
 * layout, 1,460 for Latin, 2,680 for Chinese, 5,680 for emoji, and 5,890 for Latin with a stroke.
 */
const GLYPH_OUTLINE_BYTES = 2000;
const EMOJI_UNIT_BYTES = 5000;
const STROKED_UNIT_BYTES = 6000;
/** Most bytes for outlines of texts without a stroke, when they reach the limit of points: 570 MB, measured. */
const MAX_OUTLINE_BYTES = 600e6;

/** The fields that decide how many corners a layer's outline has, and how long its text is. */
interface Outlined extends OutlinedLayer {
  readonly width?: number;
  readonly height?: number;
  readonly extents?: unknown;
  readonly border?: { readonly dash?: readonly number[] | undefined } | undefined;
  readonly text?: string;
  readonly spans?: readonly { readonly text: string; readonly stroke?: unknown }[] | undefined;
  readonly stroke?: unknown;
}

export interface EstimatedScene extends Pick<Scene, 'canvas' | 'format' | 'document'> {
  readonly lossless?: boolean;
  readonly layers: readonly EstimatedLayer[];
}

type EstimatedLayer = EffectLayer & Outlined;

/** Estimated bytes: the canvas by format and layers, and what `estimateLoadBytes` counts. */
export function estimateBytes(scene: EstimatedScene, assets: Iterable<AssetFile>, maxPixels: number): number {
  return estimateLoadBytes(scene, assets, maxPixels) + canvasBytes(scene) + sceneEffectBytes(scene);
}

/** Estimated bytes of a scene that is loaded and laid out but not painted: texts, outlines, and every asset encoded and decoded. */
export function estimateLoadBytes(scene: EstimatedScene, assets: Iterable<AssetFile>, maxPixels: number): number {
  const { width, height } = outputSize(scene.canvas);
  let outlines = 0;
  let segments = 0;
  let texts = 0;
  for (const { layer } of walkLayers(scene.layers)) {
    const text = textBytes(layer);
    texts += text.laidOut;
    outlines = Math.max(outlines, outlineBytes(layer) + text.outlines);
    segments += pathSegments(layer) + textPathSegments(layer) + clipSegments(layer);
  }
  let bytes = outlines + segments * SEGMENT_BYTES + texts;
  for (const asset of assets) {
    const { pixels, bytesPerPixel, fixedBytes } = decodedSize(asset, width * height);
    bytes += asset.bytes.length + fixedBytes + Math.min(maxPixels, pixels) * (bytesPerPixel + MIPMAP_BYTES);
  }
  return bytes;
}

function canvasBytes({
  canvas: { backgroundColor, ...sides },
  format,
  lossless = false,
  document,
}: EstimatedScene): number {
  const { width, height } = outputSize(sides);
  const rasterScale = isDocumentFormat(format) ? (document?.rasterScale ?? DEFAULT_RASTER_SCALE) : 1;
  const canvas = width * height * rasterScale * rasterScale;
  const grid = format === 'avif' ? gridFor(width, height) : undefined;
  const encoder = CANVAS_BYTES[format] + (lossless ? (LOSSLESS_BYTES[format] ?? 0) : 0);
  if (grid) return canvas * CANVAS_BYTES.png + grid.tileWidth * grid.tileHeight * encoder;
  const alpha = format === 'webp' && !isOpaqueBackground(backgroundColor) ? WEBP_ALPHA_BYTES : 0;
  return canvas * (encoder + alpha);
}

/** The outlines of a layer's path and clip path and of its dashes, at most. */
function outlineBytes(layer: Outlined): number {
  const { width = 0, height = 0, extents, d, border } = layer;
  const corners = (segments: number) => Math.min(MAX_PATH_CHORDS, segments * MAX_CHORDS);
  const clip = corners(clipSegments(layer)) * FILL_CORNER_BYTES;
  const ruler = Math.min(MAX_RULER_CHORDS, textPathSegments(layer) * MAX_CHORDS) * RULER_CHORD_BYTES;
  const path = clip + ruler + corners(pathSegments(layer)) * (border ? STROKE_CORNER_BYTES : FILL_CORNER_BYTES);
  const dash = border?.dash ?? [];
  const period = dash.reduce((sum, length) => sum + length, 0);
  if (!(period > 0)) return path;
  // a path's length is unknown, and so is a size that layout decides
  const length = d || extents ? Infinity : 2 * (width + height);
  return path + Math.min(MAX_DASHES, (length / period) * dash.length) * DASH_BYTES;
}

/** A layer's text as laid out, which is kept, and its outlines at most. */
function textBytes(layer: EstimatedLayer): { laidOut: number; outlines: number } {
  const { type, text = '', spans = [{ text, stroke: undefined }], stroke: layerStroke } = layer;
  if (type !== 'text') return { laidOut: 0, outlines: 0 };
  let laidOut = 0;
  let filled = 0;
  let stroked = 0;
  for (const { text: content, stroke = layerStroke } of spans) {
    const { length } = content;
    let lineEnds = 0;
    let surrogates = 0;
    for (let i = 0; i < length; i++) {
      const unit = content.charCodeAt(i);
      if (unit === LINE_FEED) lineEnds++;
      else if (unit >= 0xd800 && unit < 0xe000) surrogates++;
    }
    laidOut += length * TEXT_UNIT_BYTES + lineEnds * LINE_END_BYTES;
    if (stroke) stroked += length * STROKED_UNIT_BYTES;
    else filled += (length - surrogates) * GLYPH_OUTLINE_BYTES + surrogates * EMOJI_UNIT_BYTES;
  }
  return { laidOut, outlines: stroked + Math.min(MAX_OUTLINE_BYTES, filled) };
}

const LINE_FEED = 0x0a;

interface DecodedSize {
  readonly pixels: number;
  readonly bytesPerPixel: number;
  /** Bytes whatever the size. */
  readonly fixedBytes: number;
}

/**
 * The decoded size from the image's header; 0 for a font or a malformed file. An SVG counts as the canvas, since it is
 * rasterized at the size that is painted; its root element may be megabytes of attributes, so only the worker parses it.
 */
function decodedSize(asset: AssetFile, canvas: number): DecodedSize {
  if (asset.format === 'svg') return { pixels: canvas, bytesPerPixel: SVG_BYTES, fixedBytes: 0 };
  try {
    const { bytes, header } = asset;
    const bytesPerPixel = decodeBytesPerPixel(bytes, header);
    return { pixels: header.width * header.height, bytesPerPixel, fixedBytes: profileMemory(header) };
  } catch {
    return { pixels: 0, bytesPerPixel: 0, fixedBytes: 0 };
  }
}
