// The render pipeline: payload → resolve (templates/) → load → paint → encode → bytes.
// Only loading is asynchronous; painting is synchronous and deterministic on every machine.
import { straightPixels } from './codecs/alpha.js';
import { type FileFormat, isDocumentFormat, type OutputFormat } from './codecs/codec.js';
import { checkOutputFormat, encodeImage } from './codecs/index.js';
import type { LayerInspection, PageInspection } from './contract/api/inspection.js';
import type { Canvas } from './contract/layers/canvas.js';
import { outputSize } from './contract/layers/output-size.js';
import type { FindingOptions } from './contract/messages/findings.js';
import { limitWarnings } from './contract/messages/issues.js';
import { detailCodeOf, RenderError, type Warning } from './errors.js';
import type { MeasuredFinding } from './findings/rules.js';
import type { Rect } from './geometry/rect.js';
import { loadKernels } from './kernels/kernels.js';
import { compositeLayer, paintSteps } from './layers/composite.js';
import { canvasSpace } from './layers/frame.js';
import { RasterTarget } from './paint/raster-target.js';
import { TRANSPARENT } from './raster/color.js';
import { fillsOf, isGradient } from './raster/fill.js';
import { acquirePixmap, Pixmap, releasePixmap } from './raster/pixmap.js';
import { Surface } from './raster/surface.js';
import { describeLayers } from './render/inspection.js';
import { isEqual } from './render/is-equal.js';
import type { LoadedLayers } from './render/load.js';
import {
  canvasBox,
  type DrawWatermark,
  layoutStage,
  type PaintContext,
  reportedWarnings,
  withLayers,
} from './render/paint-scene.js';
import { readCodes } from './render/read-codes.js';
import type { CodeToVerify } from './render/report.js';
import type { Scene } from './templates/scene.js';

/** Inputs and options of one render. */
export interface RenderContext extends PaintContext {
  readonly format?: FileFormat | undefined;
  readonly quality?: number | undefined;
  /** Whether the result's bytes are RGBA pixels with straight alpha instead of an encoded file. */
  readonly pixels?: boolean | undefined;
  /** Whether those pixels are only the ones in `part`, which may differ from the last draw of `retained`. */
  readonly onlyChanged?: boolean | undefined;
  /**
   * Called with the image's RGBA pixels (straight alpha, row by row) before they are encoded; the render waits for it. They
   * must not be modified.
   */
  readonly onPixels?: ((pixels: Uint8ClampedArray) => void | Promise<void>) | undefined;
}

export type { Stage } from './render/paint-scene.js';

export interface Rendered {
  readonly bytes: Uint8Array;
  readonly format: FileFormat;
  readonly width: number;
  readonly height: number;
  /** Pages of a document; 1 if absent. */
  readonly pages?: number;
  readonly warnings: Warning[];
  /** The part of the image that `bytes` covers, if it isn't all of it; empty if nothing changed. */
  readonly part?: Rect;
}

/**
 * Renders a resolved scene. Throws RenderError `asset_failed` or `render_failed`, which lists every layer that can't be
 * loaded or drawn; throws the signal's reason when it aborts.
 */
export async function renderScene(scene: Scene, context: RenderContext): Promise<Rendered> {
  const format = context.format ?? scene.format;
  if (!isDocumentFormat(format)) return await renderPicture(scene, format, context);
  if (context.pixels) return await renderPicture(scene, 'png', context);
  const { renderDocument } = await import('./render/document.js');
  return { ...(await renderDocument(scene, format, context)), format };
}

async function renderPicture(scene: Scene, format: OutputFormat, context: RenderContext): Promise<Rendered> {
  const { signal, onStage } = context;
  await loadKernels();
  if (!context.pixels) await locateError('format', () => checkOutputFormat(format));
  const { pixmap, changed, canvas, warnings: collectWarnings, codes } = await draw(scene, context);
  if (codes.length > 0) await readCodes(pixmap, codes, context);
  const warnings = collectWarnings();
  signal?.throwIfAborted();
  const { width, height } = outputSize(canvas);
  const reported = reportedWarnings(scene, warnings, context);
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
    const { quality, dpi, lossless, alt: description } = scene;
    bytes = await encodeImage(pixmap, format, { quality: context.quality ?? quality, dpi, lossless, description });
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
export type InspectContext = Pick<
  RenderContext,
  'assets' | 'typefaces' | 'signal' | 'stages' | 'onStage' | 'onTrap'
> & {
  /** What findings are measured by; without it, there are none. */
  readonly findings?: FindingOptions | undefined;
};

/** A description, as plain data, of what a render of the scene would draw. */
export interface InspectedScene {
  readonly width: number;
  readonly height: number;
  /** What the picture shows, in words. */
  readonly alt: string;
  readonly warnings: Warning[];
  readonly layers: readonly LayerInspection[];
  /** What was found, if it was asked for; the worst first. */
  readonly findings?: readonly MeasuredFinding[];
  /** The pages that the scene fills in a PDF; absent in other formats. */
  readonly pages?: readonly PageInspection[];
}

/**
 * Loads and lays out a resolved scene as `renderScene` does, and stops before painting: nothing has the size of the canvas,
 * and codes are not read back. Throws as `renderScene` does.
 */
export async function inspectScene(scene: Scene, context: InspectContext): Promise<InspectedScene> {
  await loadKernels();
  const { format } = scene;
  if (!isDocumentFormat(format)) await locateError('format', () => checkOutputFormat(format));
  if (format !== 'pdf') return await inspectPage(scene, context);
  const { breakPages, pageWarnings } = await import('./render/paginate.js');
  const scenePages = await breakPages(scene, context);
  const pages: InspectedScene[] = [];
  for (const page of scenePages) pages.push(await inspectPage(page.scene, context));
  const found = pages.map((page) => page.warnings);
  const warnings = limitWarnings(pageWarnings(scenePages, found));
  const { sceneAlt } = await import('./render/page-numbers.js');
  const alt = sceneAlt(scene, pages.length);
  const findings =
    context.findings && (await import('./findings/sort.js')).joinFindings(pages.map((page) => page.findings ?? []));
  return {
    ...pages[0],
    alt,
    warnings,
    ...(findings && { findings }),
    pages: pages.map(({ width, height, layers }) => ({ width, height, layers })),
  };
}

async function inspectPage(scene: Scene, context: InspectContext): Promise<InspectedScene> {
  let layers: readonly LayerInspection[] = [];
  const onInspected: PaintContext['onInspected'] = (found) => {
    layers = describeLayers(found.layers, scene.canvas.scale);
  };
  const { findings: options, ...measuring } = context;
  const measures = options !== undefined;
  const { loaded } = await withLayers(scene, { ...measuring, measures, onInspected }, ({ painters }) => {
    const layout = layoutStage(context);
    for (const painter of painters) layout.prepare(painter);
    layout.end();
  });
  context.signal?.throwIfAborted();
  const warnings = limitWarnings(scene.warnings, loaded.warnings());
  const { sceneAlt } = await import('./render/page-numbers.js');
  const inspected = { ...outputSize(loaded.canvas), alt: sceneAlt(scene), warnings, layers };
  if (!options) return inspected;
  const { findFaults } = await import('./findings/index.js');
  const isDocument = isDocumentFormat(scene.format) || Object.keys(scene.document ?? {}).length > 0;
  const measured = { canvas: loaded.canvas, layers: loaded.measured(), isDocument };
  return { ...inspected, findings: await findFaults(measured, options, context.signal) };
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
  const box = canvasBox(canvas);
  const { toCanvas } = canvasSpace(canvas.scale);
  for (const fill of others) surface.fillRect(surface.bounds, surface.paintOf(fill, { box, toCanvas }));
  return pixmap;
}

function surfaceOf(pixmap: Pixmap): Surface {
  return new Surface({ left: 0, top: 0, right: pixmap.width, bottom: pixmap.height }, pixmap);
}
