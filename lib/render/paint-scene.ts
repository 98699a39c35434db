// Loads a scene and lays it out, for pixels and for other targets, and paints it on the others.
import type { Canvas } from '../contract/layers/canvas.js';
import { limitWarnings, summary } from '../contract/messages/issues.js';
import { failingWarnings, type Strictness } from '../contract/messages/strictness.js';
import { isWasmTrap, RenderError, type Warning } from '../errors.js';
import { replaceTextEngine, textEngineGeneration } from '../fonts/text-engine.js';
import type { Rect } from '../geometry/rect.js';
import { loadKernels } from '../kernels/kernels.js';
import { compositeLayer, type PreparedLayer } from '../layers/composite.js';
import { canvasSpace } from '../layers/frame.js';
import { drawWatermark } from '../layers/watermark.js';
import type { PaintTarget } from '../paint/target.js';
import { fillsOf, isGradient } from '../raster/fill.js';
import type { Scene } from '../templates/scene.js';
import type { LoadContext } from './context.js';
import { type LoadedLayers, loadLayers, type Painter } from './load.js';

/** Inputs and options of one drawing, on pixels or on another target. */
export interface PaintContext extends LoadContext {
  /** The warnings that fail the render; none by default. */
  readonly strict?: Strictness | undefined;
  /** Text drawn over the image's lower right corner. */
  readonly watermark?: string | undefined;
  /** Canvas pixels per pixel of the image; default 1. */
  readonly enlargement?: number | undefined;
  /** Called once per stage with its duration, for measurements. */
  readonly onStage?: ((stage: Stage, milliseconds: number) => void) | undefined;
}

/** Stages of the pipeline. Layout and paint alternate, layer by layer; their durations are sums. */
export type Stage = 'load' | 'layout' | 'paint' | 'encode';

/**
 * Loads and lays out a resolved scene, and paints its background and layers on the target that `createTarget` makes for the
 * canvas; its bounds are the pixels of the canvas.
 */
export async function paintScene(
  scene: Scene,
  context: PaintContext,
  createTarget: (canvas: Canvas) => PaintTarget,
): Promise<Warning[]> {
  await loadKernels();
  const { loaded } = await withLayers(scene, context, ({ canvas, painters }, drawMark) => {
    const target = createTarget(canvas);
    const area = { box: canvasBox(canvas), toCanvas: canvasSpace(canvas.scale).toCanvas };
    for (const fill of fillsOf(canvas.backgroundColor)) {
      if (isGradient(fill) || fill.a > 0) target.fillRects([target.bounds], { fill, area, opacity: 1 });
    }
    const layout = layoutStage(context);
    for (const painter of painters) compositeLayer(target, layout.prepare(painter));
    drawMark?.(target);
    layout.end();
  });
  context.signal?.throwIfAborted();
  return reportedWarnings(scene, loaded.warnings(), context);
}

/** Does `work` and reports how long it took. */
export async function timed<Result>(
  stage: Stage,
  { onStage }: Pick<PaintContext, 'onStage'>,
  work: () => Promise<Result>,
): Promise<Result> {
  const started = performance.now();
  const result = await work();
  onStage?.(stage, performance.now() - started);
  return result;
}

/** The warnings of a render. Throws RenderError `render_failed` if one of them fails it. */
export function reportedWarnings(
  scene: Scene,
  warnings: Warning[],
  { strict = false }: Pick<PaintContext, 'strict'>,
): Warning[] {
  const failing = failingWarnings([...scene.warnings, ...warnings], strict);
  if (failing.length > 0) throw strictError(limitWarnings(failing));
  return limitWarnings(scene.warnings, warnings);
}

/** The canvas in its own coordinates. */
export function canvasBox({ width, height }: Canvas): Rect {
  return { left: 0, top: 0, right: width, bottom: height };
}

/**
 * Loads the layers, then calls `use`. A trap replaces the text engine; renders that have loaded faces of the old one load them
 * again.
 */
export async function withLayers<Result>(
  scene: Scene,
  context: Omit<PaintContext, 'strict'>,
  use: (loaded: LoadedLayers, watermark: DrawWatermark | undefined) => Result,
): Promise<{ readonly result: Result; readonly loaded: LoadedLayers }> {
  const started = performance.now();
  for (;;) {
    const generation = textEngineGeneration();
    try {
      const loaded = await loadLayers(scene, canvasSpace(scene.canvas.scale, context.enlargement), context);
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

function strictError(details: readonly Warning[]): RenderError {
  const count = details.length === 1 ? '1 warning' : `${details.length} warnings`;
  return new RenderError('render_failed', `${count} in a strict render: ${summary(details, 1)}`, { details });
}

/** Loads the watermark's fonts; undefined without a watermark. */
async function loadWatermark({
  watermark,
  typefaces,
}: Pick<PaintContext, 'watermark' | 'typefaces'>): Promise<DrawWatermark | undefined> {
  if (watermark === undefined || watermark === '') return undefined;
  const request = { fontFamily: 'Inter', fontWeight: 700, fontStyle: 'normal' } as const;
  const { stack } = await typefaces.resolveStack(request, watermark, () => Promise.reject(new Error('a bundled font')));
  return (target) => drawWatermark(target, watermark, stack);
}

export type DrawWatermark = (target: PaintTarget) => void;

/** Lays out painters one by one, and sums up how long that takes. */
export function layoutStage({ signal, onStage }: Pick<PaintContext, 'signal' | 'onStage'>) {
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
