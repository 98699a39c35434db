// The size of the image that a scaled canvas makes. Without zod, so that the command line can start without it.

/** Maximum width and height of a canvas and of the image made from it, in pixels (docs/payload.md#the-payload). */
export const MAX_CANVAS = 8192;
export const MIN_SCALE = 0.1;
export const MAX_SCALE = 8;
/** Maximum coordinate and size, in pixels: a layer beyond it is malformed (docs/payload.md#every-layer). */
export const MAX_COORDINATE = 1e6;
/** Pixels per pixel of the image, of pictures in vector documents (docs/documents.md). */
export const DEFAULT_RASTER_SCALE = 2;
/** Maximum pixels around a page that its layers are painted in, too. */
export const MAX_BLEED = 200;
/** Most pages of a document. */
export const MAX_PAGES = 500;
/** Pixels per inch that a file may note. */
export const MIN_DPI = 1;
export const MAX_DPI = 2400;

export interface ScaledSize {
  readonly width: number;
  readonly height: number;
  readonly scale: number;
}

interface AutoSize {
  readonly autoWidth?: boolean | undefined;
  readonly autoHeight?: boolean | undefined;
}

/** The size of the image in pixels. */
export function outputSize({ width, height, scale }: ScaledSize): { readonly width: number; readonly height: number } {
  const scaled = (length: number) => Math.max(1, Math.floor(length * scale + 0.5));
  return { width: scaled(width), height: scaled(height) };
}

/** Pixels of pictures per pixel of the image. No side of a page has more of them than an image may have. */
export function rasterScaleFor({ width, height, scale }: ScaledSize, rasterScale = DEFAULT_RASTER_SCALE): number {
  return Math.min(rasterScale, MAX_CANVAS / (scale * Math.max(width, height)));
}

/** Whether the size of the picture depends on its layers: width and height are then the most that it may have. */
export function isFitted({ autoWidth = false, autoHeight = false }: AutoSize): boolean {
  return autoWidth || autoHeight;
}

/** Returns the scales that were expected instead of one that makes the image too large; undefined for other scales. */
export function scaleIssue(canvas: ScaledSize): string | undefined {
  // other checks report sides and scales out of bounds
  if (Math.max(canvas.width, canvas.height) > MAX_CANVAS || canvas.scale > MAX_SCALE) return undefined;
  const { width, height } = outputSize(canvas);
  if (width <= MAX_CANVAS && height <= MAX_CANVAS) return undefined;
  return `a scale at which no side is longer than ${MAX_CANVAS} pixels (here ${width} × ${height})`;
}
