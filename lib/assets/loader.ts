// Loads the assets of one payload. Each URL is fetched and decoded once, however many layers use it. Decoded images are
// shared between layers, and between payloads through the cache, so callers must not modify them.

import { includesText } from '../bytes/bytes.js';
import { createConcurrencyLimiter } from '../cache/concurrency-limiter.js';
import { createFetchCache, type FetchCache } from '../cache/http-cache.js';
import { SingleFlight } from '../cache/single-flight.js';
import type { DrawnSize } from '../codecs/codec.js';
import { decodeImage } from '../codecs/index.js';
import type { AssetKind } from '../contract/layers/asset-references.js';
import { RenderError } from '../errors.js';
import { loadManifest, readFace } from '../fonts/bundled.js';
import { type AllowAddress, type Host, host, type Resolve } from '../host.js';
import type { Pixmap } from '../raster/pixmap.js';
import type { CheckTime, RunDecode } from '../stage-budget.js';
import { AssetFile } from './asset-file.js';
import { decodeDataUrl } from './data-url.js';
import type { ImageCache } from './image-cache.js';
import { type AssetSource, parseAssetUrl } from './source.js';

/** Concurrent fetches per payload. */
const MAX_CONCURRENT_FETCHES = 8;

export interface AssetOptions {
  /** Milliseconds for one remote asset, redirects included. */
  readonly timeoutMs: number;
  /** Bytes of one asset, after content decoding. */
  readonly maxBytes: number;
  /** Pixels (width × height) of one decoded image. */
  readonly maxPixels: number;
  /** The folder that relative paths are resolved against; without it local files are rejected. */
  readonly baseDirectory?: string;
  /** Images that `memory:NAME` refers to; without it `memory:` URLs are rejected. */
  readonly images?: ReadonlyMap<string, Uint8Array> | undefined;
  /** Reads the asset that `asset:ID` names; without it `asset:` URLs are rejected. */
  readonly readAsset?: (id: string, signal: AbortSignal) => Promise<AssetFile>;
  /** Policy for addresses that may be fetched from; all by default. */
  readonly allowAddress?: AllowAddress | undefined;
  readonly resolve?: Resolve;
  /** Overrides the host's. */
  readonly fetchAsset?: Host['fetchAsset'];
  /** Whether error messages say why a fetch failed: for the library and the command line, not for untrusted clients. */
  readonly explain?: boolean;
  /** Creates the memory reservation of one response body; it is released when the fetch ends. */
  readonly reserveBody?: () => BodyReservation;
  /** All assets of a worker process, as the parent loaded them. Nothing else is loaded. */
  readonly prefetched?: ReadonlyMap<string, FetchedAsset>;
  /** Responses of earlier payloads, and fetches in progress, shared between payloads. */
  readonly fetchCache?: FetchCache;
  /** Decoded images of earlier payloads. */
  readonly cache?: ImageCache;
}

/** An asset with its digest, or why it is missing. */
export type FetchedAsset = { readonly file: AssetFile; readonly digest: string } | AssetError;

/** A RenderError of an asset, as plain data. */
export interface AssetError {
  readonly code: 'asset_failed' | 'render_failed';
  readonly message: string;
}

export interface BodyReservation {
  /** Reserves `bytes` more. An exception aborts the fetch. */
  readonly reserve: (bytes: number) => void;
  readonly release: () => void;
}

export interface ImageOptions {
  /** The size in pixels at which the whole image is shown: an SVG is rasterized at it, other formats ignore it. */
  readonly size?: DrawnSize;
  readonly signal?: AbortSignal;
  /** Runs the decoding within its limit of processor time. Without it, there is none. */
  readonly runDecode?: RunDecode | undefined;
}

export interface Assets {
  /**
   * Returns the source of the asset's bytes. Throws RenderError `render_failed` if `url` can't be the URL of an asset of this
   * kind, by default an image. Fetches nothing.
   */
  source(url: string, kind?: AssetKind): AssetSource;
  /** The asset's file, shared: read only. Throws RenderError `asset_failed` or `render_failed`. */
  file(url: string, signal?: AbortSignal): Promise<AssetFile>;
  /** The asset as an upright image, shared: read only. Throws as `file` does, `render_failed` if it can't be decoded, and `render_timeout`. */
  image(url: string, options?: ImageOptions): Promise<Pixmap>;
}

/** The files of bytes from the web, which the HTTP cache shares between payloads and nobody modifies. */
const webFiles = new WeakMap<Uint8Array, AssetFile>();

function webFile(bytes: Uint8Array): AssetFile {
  let file = webFiles.get(bytes);
  if (!file) {
    file = new AssetFile(bytes);
    webFiles.set(bytes, file);
  }
  return file;
}

/** Creates the loader of one payload. Payloads share `cache` and `fetchCache`. */
export function createAssets(options: AssetOptions): Assets {
  const { timeoutMs, maxBytes, maxPixels, allowAddress, resolve, cache } = options;
  const {
    fetchAsset = host().fetchAsset,
    fetchCache = createFetchCache(0),
    explain = false,
    prefetched,
    readAsset,
  } = options;
  const sourceOptions = { ...options, hasAssets: readAsset !== undefined };
  const policy = { timeoutMs, maxBytes, allowAddress, explain, ...(resolve && { resolve }) };
  const fetches = new SingleFlight<AssetFile>();
  const decodes = new SingleFlight<Pixmap>();
  const sources = new Map<string, AssetSource>();
  const limitFetches = createConcurrencyLimiter(MAX_CONCURRENT_FETCHES);

  const fetchFromWeb = async (url: URL, signal: AbortSignal) => {
    const reservation = options.reserveBody?.();
    try {
      return await fetchAsset(url, { ...policy, ...(reservation && { reserve: reservation.reserve }), signal });
    } finally {
      reservation?.release();
    }
  };

  async function load(url: string, signal: AbortSignal): Promise<AssetFile> {
    if (prefetched) {
      const asset = prefetched.get(url) ?? { code: 'asset_failed', message: 'was not fetched' };
      if ('file' in asset) return asset.file;
      throw new RenderError(asset.code, asset.message);
    }
    const source = assets.source(url);
    switch (source.kind) {
      case 'data':
        return new AssetFile(decodeDataUrl(url, maxBytes));
      case 'file':
        // only where there are local files does a URL name one
        return new AssetFile(await host().files!.read(source.path, maxBytes, signal));
      case 'memory':
        // copied: the program may modify them before the render ends
        return new AssetFile(new Uint8Array(source.bytes));
      case 'asset':
        // there is a reader, or the URL would have been rejected
        return readAsset!(source.id, signal);
      case 'web': {
        const fetch = (fetchSignal: AbortSignal) => fetchFromWeb(source.url, fetchSignal);
        return webFile(await limitFetches(() => fetchCache.get(source.url, fetch, signal)));
      }
    }
  }

  async function decode(key: string, file: AssetFile, { size, runDecode }: ImageOptions): Promise<Pixmap> {
    const cached = cache?.get(key);
    if (cached) return cached;
    const { bytes, header } = file;
    const fonts = hasSvgText(file) ? await svgFonts() : undefined;
    const limits = { maxPixels, ...(size && { size }), ...(fonts && { fonts }) };
    const run = (check?: CheckTime) => decodeImage(bytes, { ...limits, ...(check && { check }) }, header);
    const pixmap = runDecode ? await runDecode(file.format === 'svg' ? 'svg' : 'picture', run) : await run();
    cache?.set(key, pixmap);
    return pixmap;
  }

  /** The cache key of a decoded image: the hash of its content, and for an SVG the size that it is rasterized at. */
  async function imageKey(file: AssetFile, size: ImageOptions['size']): Promise<string> {
    const digest = await file.digest();
    if (size === undefined || file.format !== 'svg') return digest;
    const { width, height, exact, part } = size;
    const cut = part ? ` of ${part.left},${part.top},${part.right},${part.bottom}` : '';
    return `${digest} ${width}×${height}${exact ? ' exact' : ''}${cut}`;
  }

  const assets: Assets = {
    source(url, kind = 'image') {
      const isImage = kind === 'image';
      const known = sources.get(url);
      if (known && (isImage || known.kind !== 'memory')) return known;
      // fonts don't come from memory
      const source = parseAssetUrl(url, isImage ? sourceOptions : { ...sourceOptions, images: undefined });
      sources.set(url, source);
      return source;
    },
    file: (url, signal) => fetches.run(url, (loadSignal) => load(url, loadSignal), signal),
    async image(url, imageOptions = {}) {
      const { size, signal } = imageOptions;
      const file = await assets.file(url, signal);
      const key = await imageKey(file, size);
      return decodes.run(key, () => decode(key, file, imageOptions), signal);
    },
  };
  return assets;
}

/** The bundled faces for text inside SVG images. */
const SVG_FACES = [
  ['Inter', 400],
  ['Inter', 700],
  ['Noto Sans', 400],
] as const;

/** Whether the file is an SVG that contains text. */
function hasSvgText({ format, bytes }: AssetFile): boolean {
  return format === 'svg' && includesText(bytes, '<text');
}

let loadedSvgFonts: Promise<Uint8Array[]> | undefined;

/** Reads the faces on first use and keeps them. */
function svgFonts(): Promise<Uint8Array[]> {
  if (!loadedSvgFonts) {
    loadedSvgFonts = readSvgFonts();
    // a failed read is not kept: the files may be readable next time
    loadedSvgFonts.catch(() => {
      loadedSvgFonts = undefined;
    });
  }
  return loadedSvgFonts;
}

async function readSvgFonts(): Promise<Uint8Array[]> {
  const { faces } = loadManifest();
  const described = SVG_FACES.map(([family, weight]) => {
    const face = faces.find((one) => one.family === family && one.weight === weight && one.style === 'normal');
    if (!face) throw new Error(`the bundled fonts lack ${family} ${weight}`);
    return face;
  });
  return Promise.all(described.map(readFace));
}
