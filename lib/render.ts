// The render pipeline: payload → resolve (templates/) → load → paint → encode → bytes.
// Only loading is asynchronous; painting is synchronous and deterministic on every machine.
import { straightPixels } from './codecs/alpha.js';
import type { OutputFormat } from './codecs/codec.js';
import { checkOutputFormat, encodeImage } from './codecs/index.js';
import { summary } from './contract/issues.js';
import { outputSize } from './contract/output-size.js';
import { limitWarnings } from './contract/warnings.js';
import { type Detail, isWasmTrap, RenderError, type Warning } from './errors.js';
import { replaceTextEngine, textEngineGeneration } from './fonts/text-engine.js';
import { loadKernels } from './kernels/kernels.js';
import { compositeLayer } from './layers/composite.js';
import { canvasSpace } from './layers/frame.js';
import { drawWatermark } from './layers/watermark.js';
import { TRANSPARENT } from './raster/color.js';
import { isGradient } from './raster/fill.js';
import { acquirePixmap, type Pixmap, releasePixmap } from './raster/pixmap.js';
import { Surface } from './raster/surface.js';
import { type CodeToVerify, type LoadContext, loadLayers, type Painter } from './render/load.js';
import type { Scene } from './templates/scene.js';

/** Inputs and options of one render. */
export interface RenderContext extends LoadContext {
  readonly format?: OutputFormat | undefined;
  readonly quality?: number | undefined;
  /** Whether the result's bytes are RGBA pixels with straight alpha instead of an encoded file. */
  readonly pixels?: boolean | undefined;
  /** Whether any warning fails the render. */
  readonly strict?: boolean | undefined;
  /** Text drawn over the image's lower right corner. */
  readonly watermark?: string | undefined;
  /**
   * Called with the image's RGBA pixels (straight alpha, row by row) before they are encoded; the render waits for it. They
   * must not be modified.
   */
  readonly onPixels?: ((pixels: Uint8ClampedArray) => void | Promise<void>) | undefined;
  /** Called once per stage with its duration, for measurements. */
  readonly onStage?: ((stage: Stage, milliseconds: number) => void) | undefined;
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
  const { pixmap, warnings: collectWarnings, codes } = await draw(scene, context);
  if (codes.length > 0) await verify(pixmap, codes, signal);
  const warnings = collectWarnings();
  signal?.throwIfAborted();
  const { width, height } = outputSize(scene.canvas);
  const reported = limitWarnings(scene.warnings, warnings);
  if (context.strict && reported.length > 0) throw strictError(reported);
  await context.onPixels?.(straightPixels(pixmap));
  const painted = performance.now();
  let bytes: Uint8Array;
  if (context.pixels) {
    const { buffer, byteOffset, length } = straightPixels(pixmap);
    bytes = new Uint8Array(buffer, byteOffset, length);
  } else {
    const { quality, dpi, lossless } = scene;
    bytes = await encodeImage(pixmap, format, { quality: context.quality ?? quality, dpi, lossless });
    releasePixmap(pixmap);
  }
  onStage?.('encode', performance.now() - painted);
  signal?.throwIfAborted();
  return { bytes, format, width, height, warnings: reported };
}

interface Drawn {
  readonly pixmap: Pixmap;
  /** Those so far, in drawing order. */
  readonly warnings: () => Warning[];
  readonly codes: CodeToVerify[];
}

/** Loads and paints. A trap replaces the text engine; renders that have loaded faces of the old one load them again. */
async function draw(scene: Scene, context: RenderContext): Promise<Drawn> {
  const started = performance.now();
  for (;;) {
    const generation = textEngineGeneration();
    const codes: CodeToVerify[] = [];
    try {
      const { painters, warnings } = await loadLayers(scene, canvasSpace(scene.canvas.scale), context, codes);
      const watermark = await loadWatermark(context);
      if (generation !== textEngineGeneration()) continue;
      context.onStage?.('load', performance.now() - started);
      const pixmap = paint(scene, painters, watermark, context);
      return { pixmap, warnings, codes };
    } catch (error) {
      if (generation !== textEngineGeneration()) continue;
      if (isWasmTrap(error)) replaceTextEngine();
      throw error;
    }
  }
}

/** How messages about codes that were not read back begin. */
export const PAINTED_CODE = 'the painted code ';

/**
 * Adds a warning for each code that can't be read back. Throws one error that lists those that must be readable. The reader is
 * large, and imported for pictures that need it.
 */
async function verify(pixmap: Pixmap, codes: readonly CodeToVerify[], signal: AbortSignal | undefined): Promise<void> {
  const { verifyCodes } = await import('./scanner/verify.js');
  const painted = codes.map(({ code }) => code);
  const problems = await verifyCodes(pixmap, painted, { signal });
  const details: Detail[] = [];
  codes.forEach(({ isRequired, warnings, locate }, i) => {
    const problem = problems[i];
    if (!problem) return;
    const verdict = problem.cause === 'unknown' ? 'could not be checked' : "can't be read";
    const detail = locate(`${PAINTED_CODE}${verdict}: ${problem.message}`);
    (isRequired ? details : warnings).push(detail);
  });
  const [first] = details;
  if (first) throw new RenderError('render_failed', `${first.path}: ${first.message}`, { details });
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
  const { width, height } = outputSize(canvas);
  const { backgroundColor } = canvas;
  const isPlain = !isGradient(backgroundColor);
  const pixmap = acquirePixmap(width, height, isPlain ? backgroundColor : TRANSPARENT);
  const bounds = { left: 0, top: 0, right: width, bottom: height };
  const surface = new Surface(bounds, pixmap);
  if (!isPlain) {
    const box = { left: 0, top: 0, right: canvas.width, bottom: canvas.height };
    const { toCanvas } = canvasSpace(canvas.scale);
    surface.fillRect(bounds, surface.paintOf(backgroundColor, { box, toCanvas }));
  }
  for (const { prepare } of painters) {
    signal?.throwIfAborted();
    const before = performance.now();
    const prepared = prepare();
    layout += performance.now() - before;
    compositeLayer(surface, prepared);
  }
  drawMark?.(surface);
  onStage?.('layout', layout);
  onStage?.('paint', performance.now() - started - layout);
  return pixmap;
}
