// The render pipeline: payload → resolve (templates/) → load → paint → encode → bytes.
// Only loading is asynchronous; painting is synchronous and deterministic on every machine.
import type { Assets } from './assets/loader.js';
import { straightPixels } from './codecs/alpha.js';
import type { OutputFormat } from './codecs/codec.js';
import { checkOutputFormat, encodeImage } from './codecs/index.js';
import { summary } from './contract/issues.js';
import type { ImageLayer, Layer, QrcodeLayer, TextLayer } from './contract/layers/index.js';
import { locateIssue } from './contract/origins.js';
import { limitWarnings } from './contract/warnings.js';
import { type Detail, isWasmTrap, RenderError, type Warning } from './errors.js';
import type { FontRegistry } from './fonts/registry.js';
import { replaceTextEngine, textEngineGeneration } from './fonts/text-engine.js';
import { loadKernels } from './kernels/kernels.js';
import { compositeLayer } from './layers/composite.js';
import type { Drawable } from './layers/drawable.js';
import { CANVAS_SPACE } from './layers/frame.js';
import { imageContent, type NaturalSize, paintedSize } from './layers/image.js';
import { qrcodeContent } from './layers/qrcode.js';
import { shapeContent } from './layers/shape.js';
import { textContent, textWarnings } from './layers/text.js';
import { drawWatermark } from './layers/watermark.js';
import { ELLIPSIS } from './layout/text-box.js';
import { acquirePixmap, type Pixmap, releasePixmap } from './raster/pixmap.js';
import { Surface } from './raster/surface.js';
import type { Scene } from './templates/scene.js';
import { transformText } from './text/transform.js';

/** Inputs and options of one render. */
export interface RenderContext {
  readonly assets: Assets;
  readonly typefaces: FontRegistry;
  readonly format?: OutputFormat | undefined;
  readonly quality?: number | undefined;
  /** Whether the result's bytes are RGBA pixels with straight alpha instead of an encoded file. */
  readonly pixels?: boolean | undefined;
  /** Whether any warning fails the render. */
  readonly strict?: boolean | undefined;
  /** Text drawn over the image's lower right corner. */
  readonly watermark?: string | undefined;
  readonly signal?: AbortSignal | undefined;
  /**
   * Called with the image's RGBA pixels (straight alpha, row by row) before they are encoded; the render waits for it. They
   * must not be modified.
   */
  readonly onPixels?: ((pixels: Uint8ClampedArray) => void | Promise<void>) | undefined;
  /** Called once per stage with its duration, for measurements. */
  readonly onStage?: ((stage: Stage, milliseconds: number) => void) | undefined;
  /** Called when WebAssembly trapped but a fallback colour hides the failure: the process may still be damaged. */
  readonly onTrap?: (() => void) | undefined;
}

/** Stages of the pipeline. Layout and paint alternate, layer by layer; their durations are sums. */
export type Stage = 'load' | 'layout' | 'paint' | 'encode';

export interface Rendered {
  readonly bytes: Uint8Array;
  readonly format: OutputFormat;
  readonly width: number;
  readonly height: number;
  readonly warnings: Warning[];
}

/**
 * Renders a resolved scene. Throws RenderError `asset_failed` or `render_failed`, which lists every layer that can't be
 * loaded or drawn; throws the signal's reason when it aborts.
 */
export async function renderScene(scene: Scene, context: RenderContext): Promise<Rendered> {
  const { signal, onStage } = context;
  await loadKernels();
  const format = context.format ?? scene.format;
  if (!context.pixels) await locateError('format', () => checkOutputFormat(format));
  const { pixmap, warnings } = await draw(scene, context);
  signal?.throwIfAborted();
  const { width, height } = scene.canvas;
  const reported = limitWarnings(scene.warnings, warnings);
  if (context.strict && reported.length > 0) throw strictError(reported);
  await context.onPixels?.(straightPixels(pixmap));
  const painted = performance.now();
  let bytes: Uint8Array;
  if (context.pixels) {
    const { buffer, byteOffset, length } = straightPixels(pixmap);
    bytes = new Uint8Array(buffer, byteOffset, length);
  } else {
    bytes = await encodeImage(pixmap, format, { quality: context.quality ?? scene.quality });
    releasePixmap(pixmap);
  }
  onStage?.('encode', performance.now() - painted);
  signal?.throwIfAborted();
  return { bytes, format, width, height, warnings: reported };
}

interface Drawn {
  readonly pixmap: Pixmap;
  readonly warnings: Warning[];
}

/** Loads and paints. A trap replaces the text engine; renders that have loaded faces of the old one load them again. */
async function draw(scene: Scene, context: RenderContext): Promise<Drawn> {
  const started = performance.now();
  for (;;) {
    const generation = textEngineGeneration();
    /** By layer, since assets arrive in any order. */
    const warnings: Warning[][] = scene.layers.map(() => []);
    try {
      const painters = await loadAll(scene, context, warnings);
      const watermark = await loadWatermark(context);
      if (generation !== textEngineGeneration()) continue;
      context.onStage?.('load', performance.now() - started);
      const pixmap = paint(scene, painters, watermark, context);
      return { pixmap, warnings: warnings.flat() };
    } catch (error) {
      if (generation !== textEngineGeneration()) continue;
      if (isWasmTrap(error)) replaceTextEngine();
      throw error;
    }
  }
}

/** Adds the path of a field that belongs to no layer to a RenderError. */
async function locateError(path: string, run: () => Promise<void>): Promise<void> {
  try {
    await run();
  } catch (error) {
    if (!(error instanceof RenderError)) throw error;
    const { code, message, cause } = error;
    throw new RenderError(code, `${path}: ${message}`, { details: [{ path, message }], cause });
  }
}

function strictError(details: readonly Warning[]): RenderError {
  const count = details.length === 1 ? '1 warning' : `${details.length} warnings`;
  return new RenderError('render_failed', `${count} in a strict render: ${summary(details, 1)}`, { details });
}

/** A layer whose assets are loaded. `prepare` lays it out and may add warnings. */
type Painter = { readonly layer: Layer; prepare(): Drawable };

/** Loads the layers' assets in parallel. Throws one error that lists every failed layer, in layer order. */
async function loadAll({ layers, origins }: Scene, context: RenderContext, warnings: Warning[][]): Promise<Painter[]> {
  const locate = (i: number, field: string, message: string): Detail => {
    const { id } = layers[i];
    return { ...locateIssue(origins[i], field, message), ...(id !== undefined && { layerId: id }) };
  };
  const loading = layers.map((layer, i) =>
    load(layer, (field, message) => warnings[i].push(locate(i, field, message)), context),
  );
  const results = await Promise.allSettled(loading);
  context.signal?.throwIfAborted();
  const failures: { code: RenderError['code']; detail: Detail; reason: RenderError }[] = [];
  const painters: Painter[] = [];
  results.forEach((result, i) => {
    if (result.status === 'fulfilled') {
      const { layer, prepare } = result.value;
      painters.push({ layer, prepare: () => withLocation(prepare, (message) => locate(i, 'text', message)) });
    } else if (result.reason instanceof RenderError) {
      const layer = layers[i];
      const field = layer.type !== 'text' ? 'url' : layer.customFontUrl ? 'customFontUrl' : 'fontFamily';
      const { reason } = result;
      failures.push({ code: reason.code, detail: locate(i, field, reason.message), reason });
    } else throw result.reason;
  });
  const [first] = failures;
  if (first) {
    const { code } = failures.find((failure) => failure.code === 'render_failed') ?? first;
    const details = failures.map(({ detail }) => detail);
    // a process in which WebAssembly has trapped is replaced: pass the trap on as the cause
    const trap = failures.map(({ reason }) => reason.cause).find((cause) => isWasmTrap(cause));
    throw new RenderError(code, `${first.detail.path}: ${first.detail.message}`, { details, cause: trap });
  }
  return painters;
}

/** Layout fails only in `prepare`: adds the layer's location to the error, as for loading errors. */
function withLocation(prepare: Painter['prepare'], locate: (message: string) => Detail): Drawable {
  try {
    return prepare();
  } catch (error) {
    if (!(error instanceof RenderError) || error.details.length > 0) throw error;
    const detail = locate(error.message);
    throw new RenderError(error.code, `${detail.path}: ${detail.message}`, { details: [detail], cause: error.cause });
  }
}

type Warn = (field: string, message: string) => void;

async function load(layer: Layer, warn: Warn, context: RenderContext): Promise<Painter> {
  switch (layer.type) {
    case 'text':
      return loadText(layer, warn, context);
    case 'image': {
      const image = await loadImage(layer, warn, context);
      return { layer, prepare: () => imageContent(layer, CANVAS_SPACE, image?.pixmap, image?.natural) };
    }
    case 'qrcode':
      return { layer, prepare: () => prepareQrcode(layer, warn) };
    case 'shape':
      return { layer, prepare: () => shapeContent(layer, CANVAS_SPACE) };
  }
}

function prepareQrcode(layer: QrcodeLayer, warn: Warn): Drawable {
  const { content, warnings } = qrcodeContent(layer, CANVAS_SPACE);
  for (const { field, message } of warnings) warn(field, message);
  return content;
}

async function loadText(layer: TextLayer, warn: Warn, { assets, typefaces, signal }: RenderContext): Promise<Painter> {
  const text = transformText(layer.text, layer.textTransform) + (layer.maxLines === undefined ? '' : ELLIPSIS);
  const { stack, warning } = await typefaces.resolveStack(layer, text, async (url) => {
    const { bytes } = await assets.file(url, signal);
    return bytes;
  });
  if (warning) warn('fontFamily', warning);
  const prepare = () => {
    const { content, layout } = textContent(layer, CANVAS_SPACE, stack);
    for (const message of textWarnings(layer, layout)) warn('text', message);
    return content;
  };
  return { layer, prepare };
}

/** Loads the layer's image. When that fails and the layer has a fallbackColor: warns and returns undefined. */
async function loadImage(
  layer: ImageLayer,
  warn: Warn,
  { assets, signal, onTrap }: RenderContext,
): Promise<{ readonly pixmap: Pixmap; readonly natural: NaturalSize } | undefined> {
  try {
    const { header: natural } = await assets.file(layer.url, signal);
    const size = paintedSize(layer, CANVAS_SPACE, natural);
    const isVisible = size.width > 0 && size.height > 0;
    const pixmap = await assets.image(layer.url, { ...(isVisible && { size }), ...(signal && { signal }) });
    return { pixmap, natural };
  } catch (error) {
    if (!layer.fallbackColor || !(error instanceof RenderError)) throw error;
    if (isWasmTrap(error.cause)) onTrap?.();
    warn('url', `fallbackColor is shown instead: ${error.message}`);
    return undefined;
  }
}

/** Loads the watermark's fonts; undefined without a watermark. */
async function loadWatermark({ watermark, typefaces }: RenderContext): Promise<DrawWatermark | undefined> {
  if (watermark === undefined || watermark === '') return undefined;
  const request = { fontFamily: 'Inter', fontWeight: 700, fontStyle: 'normal' } as const;
  const { stack } = await typefaces.resolveStack(request, watermark, () => Promise.reject(new Error('a bundled font')));
  return (surface) => drawWatermark(surface, watermark, stack);
}

type DrawWatermark = (surface: Surface) => void;

function paint(
  { canvas }: Scene,
  painters: readonly Painter[],
  drawMark: DrawWatermark | undefined,
  { signal, onStage }: RenderContext,
): Pixmap {
  const started = performance.now();
  let layout = 0;
  const pixmap = acquirePixmap(canvas.width, canvas.height, canvas.backgroundColor);
  const surface = new Surface({ left: 0, top: 0, right: canvas.width, bottom: canvas.height }, pixmap);
  for (const { layer, prepare } of painters) {
    signal?.throwIfAborted();
    const before = performance.now();
    const content = prepare();
    layout += performance.now() - before;
    compositeLayer(surface, content, layer);
  }
  drawMark?.(surface);
  onStage?.('layout', layout);
  onStage?.('paint', performance.now() - started - layout);
  return pixmap;
}
