// Estimates a render's peak memory for admission, before it runs: reads the assets' headers, decodes nothing.
import type { AssetFile } from '../../assets/asset-file.js';
import { gridFor } from '../../codecs/avif/grid.js';
import type { OutputFormat } from '../../codecs/codec.js';
import { decodeBytesPerPixel } from '../../codecs/decode-memory.js';
import type { Layer } from '../../contract/layers/index.js';
import { childrenOf, walkLayers } from '../../contract/nested-layers.js';
import { outputSize } from '../../contract/output-size.js';
import { IDENTITY } from '../../geometry/affine.js';
import { MAX_CHORDS, MAX_PATH_CHORDS } from '../../geometry/flatten.js';
import type { PathData } from '../../geometry/path.js';
import { areaOf } from '../../geometry/rect.js';
import { MAX_DASHES } from '../../geometry/stroke/stroke.js';
import { isOpaqueFill } from '../../raster/fill.js';
import { MAX_FILTERED_PIXELS } from '../../raster/filters/apply.js';
import { filterSource, mapFilters } from '../../raster/filters/filter.js';
import type { Scene } from '../../templates/scene.js';

/** Bytes per pixel of an image's mipmaps. */
const MIPMAP_BYTES = 4 / 3;
/** Bytes per pixel of a rasterized SVG. */
const SVG_BYTES = 4;
/**
 * Bytes per pixel of the canvas: the canvas, as much again for scratch pixmaps, and the encoder's buffers. Measured as the
 * peak RSS of a fresh process over 4 to 67 million pixels: 7, 9, 14 and 32 (an AVIF grid: 7, and 32 for one tile); with any
 * number of shadows, up to 12 as a PNG.
 */
const CANVAS_BYTES = { png: 8, jpeg: 10, webp: 14, avif: 32 } as const satisfies Record<OutputFormat, number>;
const SHADOW_BYTES = 4;
/** Bytes per pixel of a mask or a clip path, beside the scratch pixmap that it is applied to. */
const MASK_BYTES = 4;
/** Bytes per pixel of a group that is drawn as one image while the groups around it are. */
const GROUP_BYTES = 4;
/** Bytes per pixel of a picture to filter: before, between and after the steps of a filter. */
const FILTER_BYTES = 12;
/** A WebP with transparency takes 18 bytes per pixel: its colour and its alpha are encoded apart. */
const WEBP_ALPHA_BYTES = 4;

/**
 * Bytes per corner of a path that is filled, or filled and stroked, and per dash: measured as the peak RSS of a fresh process
 * with 100 to 10,000 curves larger than the canvas, and with 20,000 dots.
 */
const FILL_CORNER_BYTES = 45;
const STROKE_CORNER_BYTES = 130;
const DASH_BYTES = 4000;

/** The fields that decide how many corners a layer's outline has. */
interface Outlined {
  readonly width?: number;
  readonly height?: number;
  readonly d?: PathData | undefined;
  readonly border?: { readonly dash?: readonly number[] | undefined } | undefined;
}

export interface EstimatedScene extends Pick<Scene, 'canvas' | 'format'> {
  readonly layers: readonly EstimatedLayer[];
}

type EstimatedLayer = Partial<Pick<Layer, 'type' | 'shadow' | 'filter' | 'backdropFilter' | 'maskImage' | 'clipPath'>> &
  Outlined;

/** Estimated bytes: the canvas by format and layers, and every asset both encoded and decoded. */
export function estimateBytes(scene: EstimatedScene, assets: Iterable<AssetFile>, maxPixels: number): number {
  const { width, height } = outputSize(scene.canvas);
  const canvas = width * height;
  let outlines = 0;
  for (const { layer } of walkLayers(scene.layers)) outlines = Math.max(outlines, outlineBytes(layer));
  let bytes = canvasBytes(scene) + outlines;
  for (const asset of assets) {
    const { pixels, bytesPerPixel } = decodedSize(asset, canvas);
    bytes += asset.bytes.length + Math.min(maxPixels, pixels) * (bytesPerPixel + MIPMAP_BYTES);
  }
  return bytes;
}

function canvasBytes({ canvas: { backgroundColor, ...sides }, format, layers: outer }: EstimatedScene): number {
  const placed = [...walkLayers(outer)];
  const layers = placed.map(({ layer }) => layer);
  const { width, height } = outputSize(sides);
  const canvas = width * height;
  const shadows = layers.some(({ shadow }) => shadow?.length) ? canvas * SHADOW_BYTES : 0;
  const masks = layers.some(({ maskImage, clipPath }) => maskImage || clipPath) ? canvas * MASK_BYTES : 0;
  // an upper bound: groups without effects need no pixmap
  const groups = placed.reduce(
    (most, { layer, depth }) => Math.max(most, childrenOf(layer).length > 0 ? depth + 1 : 0),
    0,
  );
  const effects =
    shadows + masks + groups * canvas * GROUP_BYTES + filterPixels(width, height, sides.scale, layers) * FILTER_BYTES;
  const grid = format === 'avif' ? gridFor(width, height) : undefined;
  if (grid) return canvas * CANVAS_BYTES.png + effects + grid.tileWidth * grid.tileHeight * CANVAS_BYTES.avif;
  const alpha = format === 'webp' && !isOpaqueFill(backgroundColor) ? WEBP_ALPHA_BYTES : 0;
  return canvas * (CANVAS_BYTES[format] + alpha) + effects;
}

/** Pixels of the largest picture that a filter is applied to: what of a layer can show on the canvas after it. */
function filterPixels(width: number, height: number, scale: number, layers: EstimatedScene['layers']): number {
  const canvas = { left: 0, top: 0, right: width, bottom: height };
  const toCanvas = { ...IDENTITY, a: scale, d: scale };
  let most = 0;
  for (const { filter, backdropFilter } of layers) {
    if (filter?.length) most = Math.max(most, areaOf(filterSource(mapFilters(filter, toCanvas, scale), canvas)));
    if (backdropFilter?.length) most = Math.max(most, width * height);
  }
  return Math.min(most, MAX_FILTERED_PIXELS);
}

/** The outline of a layer's path and of its dashes, at most. */
function outlineBytes({ width = 0, height = 0, d, border }: Outlined): number {
  const corners = Math.min(MAX_PATH_CHORDS, (d?.verbs.length ?? 0) * MAX_CHORDS);
  const path = corners * (border ? STROKE_CORNER_BYTES : FILL_CORNER_BYTES);
  const dash = border?.dash ?? [];
  const period = dash.reduce((sum, length) => sum + length, 0);
  if (!(period > 0)) return path;
  // a path's length is unknown
  const length = d ? Infinity : 2 * (width + height);
  return path + Math.min(MAX_DASHES, (length / period) * dash.length) * DASH_BYTES;
}

/**
 * The decoded size from the image's header; 0 for a font or a malformed file. An SVG counts as the canvas, since it is
 * rasterized at the size that is painted; its root element may be megabytes of attributes, so only the worker parses it.
 */
function decodedSize(asset: AssetFile, canvas: number): { pixels: number; bytesPerPixel: number } {
  if (asset.format === 'svg') return { pixels: canvas, bytesPerPixel: SVG_BYTES };
  try {
    const { bytes, header } = asset;
    return { pixels: header.width * header.height, bytesPerPixel: decodeBytesPerPixel(bytes, header) };
  } catch {
    return { pixels: 0, bytesPerPixel: 0 };
  }
}
