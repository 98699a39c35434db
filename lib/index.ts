// The public library: renders payloads, which are canvases with layers or templates with variables, and checks them.
import './node-host.js';
import { createImageCache, type ImageCache } from './assets/image-cache.js';
import { createAssets } from './assets/loader.js';
import { parseAssetUrl } from './assets/source.js';
import type { OutputFormat } from './codecs/codec.js';
import { formatReceived } from './contract/issues.js';
import type { Payload, Variables } from './contract/payload.js';
import { type ErrorCode, RenderError, type Warning } from './errors.js';
import { createFontRegistry, type FontRegistry } from './fonts/registry.js';
import { type FontSource, loadUserFonts } from './fonts/user-fonts.js';
import type { AllowAddress } from './host.js';
import { allowAllAddresses, allowPublic } from './net/address-policy.js';
import { type RenderContext, renderScene } from './render.js';
import type { CheckUrl } from './templates/check-layers.js';
import { resolve } from './templates/resolve.js';
import { type Validation, validatePayloadAndLayers } from './templates/validate.js';
import { createWorkers, type SceneRenderer } from './workers/scene-renderer.js';

export type { OutputFormat } from './codecs/codec.js';
export type {
  CanvasPayload,
  Hotspot,
  ImageHotspot,
  ImageLayer,
  InPlaceHotspot,
  Layer,
  LayerOverrides,
  Payload,
  QrcodeHotspot,
  QrcodeLayer,
  ShapeHotspot,
  ShapeLayer,
  Template,
  TextHotspot,
  TextLayer,
  Variables,
  VariableValue,
} from './contract/payload.js';
export { type Detail, type ErrorCode, RenderError, type Warning } from './errors.js';
export { type FontFamily, listFonts } from './fonts/bundled.js';
export type { FontSource } from './fonts/user-fonts.js';
export type { Validation } from './templates/validate.js';

/** Limits and surroundings of renders; every field has the default of the setting of the same name. */
export interface RendererOptions {
  /** Milliseconds for one remote image or font, redirects included; 10,000 by default. */
  readonly assetTimeoutMs?: number;
  /** Bytes of one image or font, after content decoding; 25 MiB by default. */
  readonly assetMaxBytes?: number;
  /** Pixels of one decoded image; 67,108,864 by default. */
  readonly assetMaxPixels?: number;
  /** Milliseconds for one render; 30,000 by default. */
  readonly timeoutMs?: number;
  /** Layers of one payload; 500 by default. */
  readonly maxLayers?: number;
  /** The folder from which local paths in `url` and `customFontUrl` start. Without it, local files are refused. */
  readonly baseDirectory?: string;
  /**
   * Given, even if empty: images and fonts come from public addresses on the web's usual ports alone, and from these hosts
   * (`host` or `host:port`), whatever their address. Without it they come from anywhere.
   */
  readonly allowHosts?: readonly string[];
  /** Bytes of decoded images that a renderer keeps for its next payloads; 128 MiB by default, 0 keeps none. */
  readonly imageCacheBytes?: number;
  /** Images by name, as encoded files: `{ 'logo.png': bytes }` is `memory:logo.png` in the `url` of an image. */
  readonly images?: Readonly<Record<string, Uint8Array>>;
}

export interface CreateRendererOptions extends RendererOptions {
  /** Fonts whose families are used like the bundled ones, and before a bundled family of the same name. */
  readonly fonts?: readonly FontSource[];
  /**
   * Worker processes to render in, off the event loop; 0 by default: renders run in this process. They start when renders
   * need them. `timeoutMs` then interrupts painting too, and a crash fails one render alone.
   */
  readonly workers?: number;
}

/** What one render may override. */
export interface RenderOptions {
  /** Instead of the payload's `format`. */
  readonly format?: OutputFormat | 'jpg';
  /** Instead of the payload's `quality`: 1–100; PNG ignores it. */
  readonly quality?: number;
  /**
   * What fills the hotspots of a template, by key or by label: a string, number or boolean is the text, URL or data; an
   * object overrides fields of the layer; `null` hides it; what is absent leaves the default.
   */
  readonly variables?: Variables | Readonly<Record<string, unknown>>;
  /** Whether any warning fails the render: a RenderError `render_failed` whose `details` are the warnings. */
  readonly strict?: boolean;
  /** Ends the render early: the promise is then rejected with the signal's reason. */
  readonly signal?: AbortSignal;
}

/** A finished picture. */
export interface RenderResult {
  /** The encoded file. */
  readonly bytes: Uint8Array;
  readonly format: OutputFormat;
  /** `image/png`, `image/jpeg`, `image/webp` or `image/avif`. */
  readonly mimeType: string;
  /** Pixels. */
  readonly width: number;
  readonly height: number;
  /** Milliseconds from call to result. */
  readonly durationMs: number;
  /** What is doubtful but did not stop the render, each with its path in the payload. */
  readonly warnings: readonly Warning[];
}

/** Pixels have no format and no quality. */
export type PixelOptions = Omit<RenderOptions, 'format' | 'quality'>;

/** The pixels of a render. */
export interface PixelResult {
  /** RGBA with straight alpha, 4 bytes a pixel, row by row from the top, as `ImageData` has them. The caller's own. */
  readonly data: Uint8ClampedArray;
  /** Pixels. */
  readonly width: number;
  readonly height: number;
  /** As in RenderResult. */
  readonly warnings: readonly Warning[];
}

/** Renders payloads one after the other or at once, and keeps fonts and decoded images warm between them. */
export interface Renderer {
  /**
   * Renders one payload: a canvas with layers, or a template with `options.variables`.
   * @throws RenderError with a stable `code` and, for a bad payload, every fault in `details`.
   */
  render(payload: Payload, options?: RenderOptions): Promise<RenderResult>;
  /** Takes any value, JSON from elsewhere for one, and checks it first. */
  render(payload: unknown, options?: RenderOptions): Promise<RenderResult>;
  /** Renders one payload to pixels instead of an encoded file. Throws as `render` does. */
  renderToPixels(payload: Payload, options?: PixelOptions): Promise<PixelResult>;
  renderToPixels(payload: unknown, options?: PixelOptions): Promise<PixelResult>;
  /** Lets the renders under way finish and ends the worker processes, if there are any. Their later renders are rejected. */
  close(): Promise<void>;
  /** `close`, for `await using`. */
  [Symbol.asyncDispose](): Promise<void>;
}

const DEFAULTS = {
  assetTimeoutMs: 10_000,
  assetMaxBytes: 26_214_400,
  assetMaxPixels: 67_108_864,
  timeoutMs: 30_000,
  maxLayers: 500,
  imageCacheBytes: 128 * 1024 * 1024,
} as const satisfies RendererOptions;

/** A renderer with its own fonts and image cache. */
export function createRenderer(options: CreateRendererOptions = {}): Renderer {
  const { workers = 0, imageCacheBytes = DEFAULTS.imageCacheBytes } = options;
  const userFonts = options.fonts && loadUserFonts(options.fonts);
  const processes = createWorkers(workers, imageCacheBytes, userFonts);
  const shared: Shared = {
    typefaces: userFonts ? userFonts.then(createFontRegistry) : createFontRegistry(),
    ...(processes ? { processes } : { cache: createImageCache(imageCacheBytes) }),
  };
  // every render awaits it, and reports its error
  if (shared.typefaces instanceof Promise) shared.typefaces.catch(() => {});
  const close = async () => processes?.close();
  return {
    render: (payload: unknown, perRender?: RenderOptions) => renderFile(payload, { ...options, ...perRender }, shared),
    renderToPixels: (payload: unknown, perRender?: PixelOptions) =>
      renderPixels(payload, { ...options, ...perRender }, shared),
    close,
    [ASYNC_DISPOSE]: close,
  };
}

/** What the renders of a renderer share. */
interface Shared {
  readonly typefaces: FontRegistry | Promise<FontRegistry>;
  readonly cache?: ImageCache;
  readonly processes?: SceneRenderer;
}

/** Node before 20.5 lacks the symbol; this is the one that compilers of `await using` then look for. */
const ASYNC_DISPOSE: typeof Symbol.asyncDispose = Symbol.asyncDispose ?? Symbol.for('Symbol.asyncDispose');

// fonts are kept for the whole process; decoded images only by a renderer
const processWide: Shared = { typefaces: createFontRegistry() };

/**
 * Renders one payload: a canvas with layers, or a template with `options.variables`.
 * @throws RenderError with a stable `code` and, for a bad payload, every fault in `details`.
 */
export function render(payload: Payload, options?: RendererOptions & RenderOptions): Promise<RenderResult>;
/** Takes any value, JSON from elsewhere for one, and checks it first. */
export function render(payload: unknown, options?: RendererOptions & RenderOptions): Promise<RenderResult>;
export function render(payload: unknown, options: RendererOptions & RenderOptions = {}): Promise<RenderResult> {
  return renderFile(payload, options, processWide);
}

/** Renders one payload to pixels instead of an encoded file. Throws as `render` does. */
export function renderToPixels(payload: Payload, options?: RendererOptions & PixelOptions): Promise<PixelResult>;
export function renderToPixels(payload: unknown, options?: RendererOptions & PixelOptions): Promise<PixelResult>;
export function renderToPixels(payload: unknown, options: RendererOptions & PixelOptions = {}): Promise<PixelResult> {
  return renderPixels(payload, options, processWide);
}

/** Options of `validate`, with the same defaults as a render's. */
export type ValidateOptions = Pick<
  RendererOptions & RenderOptions,
  'maxLayers' | 'baseDirectory' | 'images' | 'variables'
>;

/**
 * Checks a payload without rendering it, without network and without files. Never throws on a bad payload: everything that
 * is wrong is in `details`. With `variables`, a template is checked as they fill it.
 */
export function validate(payload: unknown, options: ValidateOptions = {}): Validation {
  const { maxLayers = DEFAULTS.maxLayers, variables } = options;
  return validatePayloadAndLayers(payload, { maxLayers, variables, checkUrl: urlCheckOf(options) });
}

async function renderFile(
  payload: unknown,
  options: RendererOptions & RenderOptions,
  shared: Shared,
): Promise<RenderResult> {
  const began = performance.now();
  const rendered = await renderOnce(payload, options, shared, checkOutput(options));
  return { ...rendered, mimeType: `image/${rendered.format}`, durationMs: performance.now() - began };
}

async function renderPixels(
  payload: unknown,
  options: RendererOptions & PixelOptions,
  shared: Shared,
): Promise<PixelResult> {
  const { bytes, width, height, warnings } = await renderOnce(payload, options, shared, { pixels: true });
  return { data: new Uint8ClampedArray(bytes.buffer, bytes.byteOffset, bytes.length), width, height, warnings };
}

async function renderOnce(
  payload: unknown,
  options: RendererOptions & PixelOptions,
  { typefaces: fontRegistry, cache, processes }: Shared,
  output: Pick<RenderContext, 'format' | 'quality' | 'pixels'>,
): Promise<Pick<RenderResult, 'bytes' | 'format' | 'width' | 'height' | 'warnings'>> {
  const limits = { ...DEFAULTS, ...options };
  const timeout = AbortSignal.timeout(limits.timeoutMs);
  const signal = options.signal ? AbortSignal.any([options.signal, timeout]) : timeout;
  const assets = createAssets({
    timeoutMs: limits.assetTimeoutMs,
    maxBytes: limits.assetMaxBytes,
    maxPixels: limits.assetMaxPixels,
    allowAddress: guardOf(options.allowHosts),
    explain: true,
    images: imagesOf(options),
    ...(options.baseDirectory !== undefined && { baseDirectory: options.baseDirectory }),
    ...(cache && { cache }),
  });
  try {
    const { maxLayers, variables, strict } = limits;
    const resolved = resolve(payload, { maxLayers, variables, checkUrl: assets.source });
    const scene = {
      ...resolved,
      format: output.format ?? resolved.format,
      quality: output.quality ?? resolved.quality,
    };
    const { pixels } = output;
    const typefaces = await fontRegistry;
    if (!processes) return await renderScene(scene, { assets, typefaces, strict, pixels, signal });
    const { timeoutMs, assetMaxPixels: maxPixels } = limits;
    const bounds = { assets, strict, pixels, timeoutMs, maxPixels, signal: options.signal };
    const { bytes, width, height, warnings } = await processes.render(scene, bounds);
    // what comes from another process is part of a larger buffer
    return { bytes: new Uint8Array(bytes), format: scene.format, width, height, warnings };
  } catch (error) {
    if (timeout.aborted && !options.signal?.aborted && !(error instanceof RenderError)) {
      throw new RenderError('render_timeout', `the render took longer than ${limits.timeoutMs} ms`, { cause: error });
    }
    throw error;
  }
}

/** Checks URLs before anything is loaded. Fonts don't come from `images`. */
function urlCheckOf(options: RendererOptions): CheckUrl {
  const { baseDirectory } = options;
  const files = baseDirectory === undefined ? {} : { baseDirectory };
  const images = imagesOf(options);
  return (url, field) => void parseAssetUrl(url, field === 'url' ? { ...files, images } : files);
}

/** The option `images` as a map. Throws RenderError for a value that is not bytes. */
function imagesOf({ images }: RendererOptions): ReadonlyMap<string, Uint8Array> | undefined {
  if (images === undefined) return undefined;
  for (const [name, bytes] of Object.entries(images)) {
    if (bytes instanceof Uint8Array) continue;
    const message = `images[${JSON.stringify(name)}]: received ${formatReceived(bytes)}, expected a Uint8Array`;
    throw new RenderError('invalid_request', message);
  }
  return new Map(Object.entries(images));
}

/** Which addresses may be fetched from. A host that is none is the caller's fault. */
function guardOf(allowHosts: readonly string[] | undefined): AllowAddress {
  if (!allowHosts) return allowAllAddresses;
  try {
    return allowPublic(allowHosts);
  } catch (cause) {
    if (!(cause instanceof RangeError)) throw cause;
    throw new RenderError('invalid_request', `allowHosts: ${cause.message}`, { cause });
  }
}

const FORMATS: readonly OutputFormat[] = ['png', 'jpeg', 'webp', 'avif'];

/** Options that come from callers without types are checked like the payload's own fields. */
function checkOutput({ format, quality }: RenderOptions): Pick<RenderOptions, 'quality'> & { format?: OutputFormat } {
  const named = format === 'jpg' ? 'jpeg' : format;
  const refuse = (path: string, received: unknown, expected: string) =>
    new RenderError(
      'invalid_request' satisfies ErrorCode,
      `${path}: received ${String(received)}, expected ${expected}`,
    );
  if (named !== undefined && !FORMATS.includes(named)) throw refuse('format', format, `one of ${FORMATS.join(', ')}`);
  if (quality !== undefined && !(quality >= 1 && quality <= 100)) {
    throw refuse('quality', quality, 'a number from 1 to 100');
  }
  return { ...(named && { format: named }), ...(quality !== undefined && { quality }) };
}
