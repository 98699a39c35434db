// The line, in one page: payload → resolve (templates/) → load → paint → encode → bytes.
// Only loading waits for anything; painting is synchronous, and the same on every machine.
import type { Assets } from './assets/loader.js';
import type { OutputFormat } from './codecs/codec.js';
import { readHeader } from './codecs/header.js';
import { encodeImage } from './codecs/index.js';
import { summary } from './contract/issues.js';
import type { ImageLayer, Layer, QrcodeLayer, TextLayer } from './contract/layers.js';
import { locateIssue } from './contract/origins.js';
import { limitWarnings } from './contract/warnings.js';
import { type Detail, isWasmTrap, RenderError, type Warning } from './errors.js';
import type { FontRegistry } from './fonts/registry.js';
import { compositeLayer } from './layers/composite.js';
import type { Drawable } from './layers/drawable.js';
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

/** What one render needs from outside. */
export interface RenderContext {
  readonly assets: Assets;
  readonly typefaces: FontRegistry;
  readonly format?: OutputFormat | undefined;
  readonly quality?: number | undefined;
  /** Whether any warning fails the render. */
  readonly strict?: boolean | undefined;
  /** Drawn over the picture's lower right corner, when given. */
  readonly watermark?: string | undefined;
  readonly signal?: AbortSignal | undefined;
  /** Told how many milliseconds each stage took, once per render, as the stage ends: for measurements. */
  readonly onStage?: ((stage: Stage, milliseconds: number) => void) | undefined;
  /** Told when WebAssembly has trapped and a fallback colour hides it: the process may be damaged all the same. */
  readonly onTrap?: (() => void) | undefined;
}

/** The line's stages. Layout and paint take turns, layer by layer; their times are sums. */
export type Stage = 'load' | 'layout' | 'paint' | 'encode';

export interface Rendered {
  readonly bytes: Uint8Array;
  readonly format: OutputFormat;
  readonly width: number;
  readonly height: number;
  readonly warnings: Warning[];
}

/**
 * Renders what a payload was resolved to. Throws RenderError: `asset_failed` or `render_failed` with every layer that can't
 * be loaded or drawn; and the signal's reason when that aborts.
 */
export async function renderScene(scene: Scene, context: RenderContext): Promise<Rendered> {
  const { signal, onStage } = context;
  const warnings: Warning[] = [...scene.warnings];
  const started = performance.now();
  const painters = await loadAll(scene, context, warnings);
  onStage?.('load', performance.now() - started);
  const { width, height } = scene.canvas;
  const mark = await loadWatermark(context);
  const pixmap = paint(scene, painters, mark, context);
  signal?.throwIfAborted();
  const doubts = limitWarnings(warnings);
  if (context.strict && doubts.length > 0) throw strictError(doubts);
  const painted = performance.now();
  const format = context.format ?? scene.format;
  const bytes = await encodeImage(pixmap, format, { quality: context.quality ?? scene.quality });
  releasePixmap(pixmap);
  onStage?.('encode', performance.now() - painted);
  signal?.throwIfAborted();
  return { bytes, format, width, height, warnings: doubts };
}

function strictError(details: readonly Warning[]): RenderError {
  const count = details.length === 1 ? '1 warning' : `${details.length} warnings`;
  return new RenderError('render_failed', `${count} in a strict render: ${summary(details, 1)}`, { details });
}

/** A layer with all that it needs: gives its content, and adds to the warnings. */
type Painter = { readonly layer: Layer; prepare(): Drawable };

/** Loads what the layers need, in parallel. Every layer that fails is named in one error, in layer order. */
async function loadAll({ layers, origins }: Scene, context: RenderContext, warnings: Warning[]): Promise<Painter[]> {
  const finding = (i: number, field: string, message: string): Detail => {
    const { id } = layers[i];
    return { ...locateIssue(origins[i], field, message), ...(id !== undefined && { layerId: id }) };
  };
  const loading = layers.map((layer, i) =>
    load(layer, (field, message) => warnings.push(finding(i, field, message)), context),
  );
  const results = await Promise.allSettled(loading);
  context.signal?.throwIfAborted();
  const failures: { code: RenderError['code']; detail: Detail; reason: RenderError }[] = [];
  const painters: Painter[] = [];
  results.forEach((result, i) => {
    if (result.status === 'fulfilled') {
      const { layer, prepare } = result.value;
      painters.push({ layer, prepare: () => named(prepare, (message) => finding(i, 'text', message)) });
    } else if (result.reason instanceof RenderError) {
      const field = layers[i].type === 'text' ? 'customFontUrl' : 'url';
      const { reason } = result;
      failures.push({ code: reason.code, detail: finding(i, field, reason.message), reason });
    } else throw result.reason;
  });
  const [first] = failures;
  if (first) {
    const { code } = failures.find((failure) => failure.code === 'render_failed') ?? first;
    const details = failures.map(({ detail }) => detail);
    // a process in which WebAssembly has trapped is replaced: whoever runs it must be able to tell
    const trapped = failures.map(({ reason }) => reason.cause).find((cause) => isWasmTrap(cause));
    throw new RenderError(code, `${first.detail.path}: ${first.detail.message}`, { details, cause: trapped });
  }
  return painters;
}

/** A text that can't be set is only found out when it is: its failure is named as the others are. */
function named(prepare: Painter['prepare'], finding: (message: string) => Detail): Drawable {
  try {
    return prepare();
  } catch (error) {
    if (!(error instanceof RenderError) || error.details.length > 0) throw error;
    const detail = finding(error.message);
    throw new RenderError(error.code, `${detail.path}: ${detail.message}`, { details: [detail], cause: error.cause });
  }
}

type Warn = (field: string, message: string) => void;

async function load(layer: Layer, warn: Warn, context: RenderContext): Promise<Painter> {
  switch (layer.type) {
    case 'text':
      return loadText(layer, warn, context);
    case 'image': {
      const picture = await loadPicture(layer, warn, context);
      return { layer, prepare: () => imageContent(layer, picture?.pixmap, picture?.natural) };
    }
    case 'qrcode':
      return { layer, prepare: () => drawQrcode(layer, warn) };
    case 'shape':
      return { layer, prepare: () => shapeContent(layer) };
  }
}

function drawQrcode(layer: QrcodeLayer, warn: Warn): Drawable {
  const { content, warnings } = qrcodeContent(layer);
  for (const { field, message } of warnings) warn(field, message);
  return content;
}

async function loadText(layer: TextLayer, warn: Warn, { assets, typefaces, signal }: RenderContext): Promise<Painter> {
  const text = transformText(layer.text, layer.textTransform) + (layer.maxLines === undefined ? '' : ELLIPSIS);
  const { stack, warning } = await typefaces.resolveStack(layer, text, (url) => assets.bytes(url, signal));
  if (warning) warn('fontFamily', warning);
  const prepare = () => {
    const { content, layout } = textContent(layer, stack);
    for (const message of textWarnings(layer, layout)) warn('text', message);
    return content;
  };
  return { layer, prepare };
}

/** The layer's picture; undefined, with a warning, when it can't be had and there is a colour to stand in for it. */
async function loadPicture(
  layer: ImageLayer,
  warn: Warn,
  { assets, signal, onTrap }: RenderContext,
): Promise<{ readonly pixmap: Pixmap; readonly natural: NaturalSize } | undefined> {
  try {
    const natural = readHeader(await assets.bytes(layer.url, signal));
    const size = paintedSize(layer, natural);
    const drawable = size.width > 0 && size.height > 0;
    const pixmap = await assets.image(layer.url, { ...(drawable && { size }), ...(signal && { signal }) });
    return { pixmap, natural };
  } catch (error) {
    if (!layer.fallbackColor || !(error instanceof RenderError)) throw error;
    if (isWasmTrap(error.cause)) onTrap?.();
    warn('url', `fallbackColor is shown instead: ${error.message}`);
    return undefined;
  }
}

/** The watermark, ready to be drawn; undefined without one. */
async function loadWatermark({ watermark, typefaces }: RenderContext): Promise<Mark | undefined> {
  if (watermark === undefined || watermark === '') return undefined;
  const request = { fontFamily: 'Inter', fontWeight: 700, fontStyle: 'normal' } as const;
  const { stack } = await typefaces.resolveStack(request, watermark, () => Promise.reject(new Error('a bundled font')));
  return (surface) => drawWatermark(surface, watermark, stack);
}

type Mark = (surface: Surface) => void;

function paint(
  { canvas }: Scene,
  painters: readonly Painter[],
  mark: Mark | undefined,
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
  mark?.(surface);
  onStage?.('layout', layout);
  onStage?.('paint', performance.now() - started - layout);
  return pixmap;
}
