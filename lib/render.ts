// The render pipeline: payload → resolve (templates/) → load → paint → encode → bytes.
// Only loading is asynchronous; painting is synchronous and deterministic on every machine.
import { straightPixels } from './codecs/alpha.js';
import type { OutputFormat } from './codecs/codec.js';
import { checkOutputFormat, encodeImage } from './codecs/index.js';
import type { LayerInspection } from './contract/api/inspection.js';
import type { Canvas } from './contract/layers/canvas.js';
import { outputSize } from './contract/layers/output-size.js';
import { limitWarnings, summary } from './contract/messages/issues.js';
import { failingWarnings, type Strictness } from './contract/messages/strictness.js';
import { detailCodeOf, isWasmTrap, RenderError, type Warning } from './errors.js';
import { replaceTextEngine, textEngineGeneration } from './fonts/text-engine.js';
import type { Rect } from './geometry/rect.js';
import { loadKernels } from './kernels/kernels.js';
import { compositeLayer, type PreparedLayer, paintSteps } from './layers/composite.js';
import { canvasSpace } from './layers/frame.js';
import { drawWatermark } from './layers/watermark.js';
import { RasterTarget } from './paint/raster-target.js';
import type { PaintTarget } from './paint/target.js';
import { TRANSPARENT } from './raster/color.js';
import { fillsOf, isGradient } from './raster/fill.js';
import { acquirePixmap, Pixmap, releasePixmap } from './raster/pixmap.js';
import { Surface } from './raster/surface.js';
import type { LoadContext } from './render/context.js';
import { describeLayers } from './render/inspection.js';
import { isEqual } from './render/is-equal.js';
import { type LoadedLayers, loadLayers, type Painter } from './render/load.js';
import { readCodes } from './render/read-codes.js';
import type { CodeToVerify } from './render/report.js';
import type { Scene } from './templates/scene.js';

/** Inputs and options of one render. */
export interface RenderContext extends LoadContext {
  readonly format?: OutputFormat | undefined;
  readonly quality?: number | undefined;
  /** Whether the result's bytes are RGBA pixels with straight alpha instead of an encoded file. */
  readonly pixels?: boolean | undefined;
  /** Whether those pixels are only the ones in `part`, which may differ from the last draw of `retained`. */
  readonly onlyChanged?: boolean | undefined;
  /** Pixels of a vector document's target for each pixel of the picture. */
  readonly rasterScale?: number | undefined;
  /** The warnings that fail the render; none by default. */
  readonly strict?: Strictness | undefined;
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
  /** The part of the image that `bytes` covers, if it isn't all of it; empty if nothing changed. */
  readonly part?: Rect;
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
  const { pixmap, changed, canvas, warnings: collectWarnings, codes } = await draw(scene, context);
  if (codes.length > 0) await readCodes(pixmap, codes, context);
  const warnings = collectWarnings();
  signal?.throwIfAborted();
  const { width, height } = outputSize(canvas);
  const failing = failingWarnings([...scene.warnings, ...warnings], context.strict ?? false);
  if (failing.length > 0) throw strictError(limitWarnings(failing));
  const reported = limitWarnings(scene.warnings, warnings);
  await context.onPixels?.(straightPixels(pixmap));
  const painted = performance.now();
  let bytes: Uint8Array;
  let part: Rect | undefined;
  if (context.pixels) {
    const { bounds } = surfaceOf(pixmap);
    if (context.onlyChanged && changed && !isEqual(changed, bounds)) part = changed;
    // the retained pixmap stays with its scene
    const visiblePixmap = context.retained ? partOf(pixmap, part ?? bounds) : pixmap;
    const { buffer, byteOffset, length } = visiblePixmap ? straightPixels(visiblePixmap) : new Uint8Array();
    bytes = new Uint8Array(buffer, byteOffset, length);
  } else {
    const { quality, dpi, lossless } = scene;
    bytes = await encodeImage(pixmap, format, { quality: context.quality ?? quality, dpi, lossless });
    releasePixmap(pixmap);
  }
  onStage?.('encode', performance.now() - painted);
  signal?.throwIfAborted();
  return { bytes, format, width, height, warnings: reported, ...(part && { part }) };
}

/** Copies a part of the image; undefined if it is empty. */
function partOf({ width, words }: Pixmap, { left, top, right, bottom }: Rect): Pixmap | undefined {
  if (right <= left || bottom <= top) return undefined;
  const part = new Pixmap(right - left, bottom - top);
  for (let y = top; y < bottom; y++) {
    part.words.set(words.subarray(y * width + left, y * width + right), (y - top) * part.width);
  }
  return part;
}

/** The inputs of an inspection. */
export type InspectContext = Pick<RenderContext, 'assets' | 'typefaces' | 'signal' | 'stages' | 'onStage' | 'onTrap'>;

/** A description, as plain data, of what a render of the scene would draw. */
export interface InspectedScene {
  readonly width: number;
  readonly height: number;
  readonly warnings: Warning[];
  readonly layers: readonly LayerInspection[];
}

/**
 * Loads and lays out a resolved scene as `renderScene` does, and stops before painting: nothing has the size of the canvas,
 * and codes are not read back. Throws as `renderScene` does.
 */
export async function inspectScene(scene: Scene, context: InspectContext): Promise<InspectedScene> {
  await loadKernels();
  await locateError('format', () => checkOutputFormat(scene.format));
  let layers: readonly LayerInspection[] = [];
  const onInspected: LoadContext['onInspected'] = (found) => {
    layers = describeLayers(found.layers, scene.canvas.scale);
  };
  const { loaded } = await withLayers(scene, { ...context, onInspected }, ({ painters }) => {
    const layout = layoutStage(context);
    for (const painter of painters) layout.prepare(painter);
    layout.end();
  });
  context.signal?.throwIfAborted();
  return { ...outputSize(loaded.canvas), warnings: limitWarnings(scene.warnings, loaded.warnings()), layers };
}

/**
 * Loads and lays out a resolved scene, and paints its layers on a target that has the canvas's pixels as its bounds: on the one
 * that `targetFor` makes once the size of the canvas is known. `rasterScale`: pixels of the target for each pixel of the picture.
 */
export async function paintScene(
  { canvas: { scale, ...canvas }, ...scene }: Scene,
  context: InspectContext & Pick<RenderContext, 'rasterScale'>,
  targetFor: (canvas: Canvas) => PaintTarget,
): Promise<Warning[]> {
  await loadKernels();
  const { rasterScale = 1 } = context;
  const scaled = { ...scene, canvas: { ...canvas, scale: scale * rasterScale } };
  const { loaded } = await withLayers(scaled, context, ({ canvas, painters }) => {
    const target = targetFor(canvas);
    for (const painter of painters) compositeLayer(target, painter.prepare());
  });
  context.signal?.throwIfAborted();
  return limitWarnings(scene.warnings, loaded.warnings());
}

interface Drawn {
  readonly pixmap: Pixmap;
  readonly canvas: Canvas;
  /** Area of a retained scene that may differ from its last picture. */
  readonly changed?: Rect | undefined;
  /** The warnings so far, in drawing order. */
  readonly warnings: () => Warning[];
  readonly codes: CodeToVerify[];
}

async function draw(scene: Scene, context: RenderContext): Promise<Drawn> {
  const { result: painted, loaded } = await withLayers(scene, context, (layers, watermark) =>
    paint(layers, watermark, context),
  );
  return { ...painted, canvas: loaded.canvas, warnings: loaded.warnings, codes: loaded.codes() };
}

/**
 * Loads the layers, then calls `use`. A trap replaces the text engine; renders that have loaded faces of the old one load them
 * again.
 */
async function withLayers<Result>(
  scene: Scene,
  context: LoadContext & Pick<RenderContext, 'watermark' | 'onStage' | 'rasterScale'>,
  use: (loaded: LoadedLayers, watermark: DrawWatermark | undefined) => Result,
): Promise<{ readonly result: Result; readonly loaded: LoadedLayers }> {
  const started = performance.now();
  for (;;) {
    const generation = textEngineGeneration();
    try {
      const loaded = await loadLayers(scene, canvasSpace(scene.canvas.scale, context.rasterScale), context);
      const watermark = await loadWatermark(context);
      if (generation !== textEngineGeneration()) continue;
      context.onStage?.('load', performance.now() - started);
      const result = use(loaded, watermark);
      context.onInspected?.(loaded.inspected());
      return { result, loaded };
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
    throw new RenderError(code, `${path}: ${message}`, {
      details: [{ code: detailCodeOf(error), path, message }],
      cause,
    });
  }
}

function strictError(details: readonly Warning[]): RenderError {
  const count = details.length === 1 ? '1 warning' : `${details.length} warnings`;
  return new RenderError('render_failed', `${count} in a strict render: ${summary(details, 1)}`, { details });
}

/** Loads the watermark's fonts; undefined without a watermark. */
async function loadWatermark({
  watermark,
  typefaces,
}: Pick<RenderContext, 'watermark' | 'typefaces'>): Promise<DrawWatermark | undefined> {
  if (watermark === undefined || watermark === '') return undefined;
  const request = { fontFamily: 'Inter', fontWeight: 700, fontStyle: 'normal' } as const;
  const { stack } = await typefaces.resolveStack(request, watermark, () => Promise.reject(new Error('a bundled font')));
  return (target) => drawWatermark(target, watermark, stack);
}

type DrawWatermark = (target: PaintTarget) => void;

/** Lays out painters one by one, and sums up how long that takes. */
function layoutStage({ signal, onStage }: Pick<RenderContext, 'signal' | 'onStage'>) {
  let milliseconds = 0;
  return {
    prepare({ prepare }: Painter): PreparedLayer {
      signal?.throwIfAborted();
      const before = performance.now();
      const prepared = prepare();
      milliseconds += performance.now() - before;
      return prepared;
    },
    /** Reports the time that layout took, and returns it. */
    end(): number {
      onStage?.('layout', milliseconds);
      return milliseconds;
    },
  };
}

function paint(
  { canvas, painters, slot }: LoadedLayers,
  drawMark: DrawWatermark | undefined,
  context: RenderContext,
): Pick<Drawn, 'pixmap' | 'changed'> {
  const { signal, onStage, retained, watermark } = context;
  const started = performance.now();
  const layout = layoutStage(context);
  let painted: Pick<Drawn, 'pixmap' | 'changed'>;
  if (retained && slot) {
    const steps = [...painters.map(layout.prepare).flatMap(paintSteps)];
    if (drawMark) {
      const { width, height } = outputSize(canvas);
      const bounds = { left: 0, top: 0, right: width, bottom: height };
      steps.push({ source: WATERMARK, bounds: () => bounds, draw: drawMark });
    }
    retained.commit(slot);
    painted = retained.paint(
      { canvas, watermark },
      steps,
      () => createCanvas(canvas),
      () => signal?.throwIfAborted(),
    );
  } else {
    painted = { pixmap: createCanvas(canvas) };
    const target = new RasterTarget(surfaceOf(painted.pixmap));
    for (const painter of painters) compositeLayer(target, layout.prepare(painter));
    drawMark?.(target);
  }
  const layoutMs = layout.end();
  onStage?.('paint', performance.now() - started - layoutMs);
  return painted;
}

/** The source of the watermark's paint step. */
const WATERMARK = {};

/** Creates a pixmap with the background of the canvas. */
function createCanvas(canvas: Canvas): Pixmap {
  const { width, height } = outputSize(canvas);
  const fills = fillsOf(canvas.backgroundColor);
  const [lowest] = fills;
  const pixmap = acquirePixmap(width, height, isGradient(lowest) ? TRANSPARENT : lowest);
  const others = isGradient(lowest) ? fills : fills.slice(1);
  if (others.length === 0) return pixmap;
  const surface = surfaceOf(pixmap);
  const box = { left: 0, top: 0, right: canvas.width, bottom: canvas.height };
  const { toCanvas } = canvasSpace(canvas.scale);
  for (const fill of others) surface.fillRect(surface.bounds, surface.paintOf(fill, { box, toCanvas }));
  return pixmap;
}

function surfaceOf(pixmap: Pixmap): Surface {
  return new Surface({ left: 0, top: 0, right: pixmap.width, bottom: pixmap.height }, pixmap);
}
