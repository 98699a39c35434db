// The assets of one payload: every URL → bytes or a picture, each fetched and decoded once however many layers name it.
// Pictures are shared between layers, and between payloads through the cache: painters read them and never write.

import { limitParallel, SingleFlight } from '../cache/single-flight.js';
import type { DrawnSize } from '../codecs/codec.js';
import { decodeImage } from '../codecs/decode.js';
import { readHeader } from '../codecs/header.js';
import { loadManifest, readFace } from '../fonts/bundled.js';
import { type AllowAddress, allowAllAddresses } from '../net/address-policy.js';
import { createFetchCache, type FetchCache } from '../net/http-cache.js';
import type { Resolve } from '../net/http-client.js';
import type { Pixmap } from '../raster/pixmap.js';
import { readDataUrl } from './data-url.js';
import type { ImageCache } from './image-cache.js';
import { readLocal } from './local-file.js';
import { parseAssetUrl } from './source.js';

/** Fetches that one payload may have open at a time. */
const PARALLEL = 8;

export interface AssetOptions {
  /** Milliseconds for one remote asset, redirects included. */
  readonly timeoutMs: number;
  /** Bytes of one asset, after content decoding. */
  readonly maxBytes: number;
  /** Pixels (width × height) of one decoded image. */
  readonly maxPixels: number;
  /** Where relative paths start from; without it local files are refused. */
  readonly baseDirectory?: string;
  /** Which addresses may be fetched from; every one unless given. */
  readonly allowAddress?: AllowAddress;
  readonly resolve?: Resolve;
  /** Whether messages say why a fetch failed: for the library and the command line, not where strangers read them. */
  readonly explain?: boolean;
  /** What counts the bytes of one fetch while they arrive: `release` is called when it has ended. */
  readonly arriving?: () => Arriving;
  /** Gets a web asset in place of the network: what a render process is given is what its parent fetched. */
  readonly fetch?: (url: string) => Promise<Uint8Array>;
  /** Web assets of earlier payloads, and of those that run now. */
  readonly fetched?: FetchCache;
  /** Decoded pictures of earlier payloads. */
  readonly cache?: ImageCache;
}

export interface Arriving {
  /** What it throws ends the fetch. */
  readonly reserve: (bytes: number) => void;
  readonly release: () => void;
}

export interface ImageOptions {
  /** The size in pixels at which all of the picture will be shown: an SVG is drawn at it, other formats ignore it. */
  readonly size?: DrawnSize;
  readonly signal?: AbortSignal;
}

export interface Assets {
  /** Throws RenderError `render_failed` when `url` can't be an asset's. Fetches nothing. */
  check(url: string): void;
  /** The asset as it came. Throws RenderError `asset_failed` or `render_failed`; callers share the array: read only. */
  bytes(url: string, signal?: AbortSignal): Promise<Uint8Array>;
  /** The asset as a picture, upright. Throws as `bytes` does, and `render_failed` when it is no readable image. Read only. */
  image(url: string, options?: ImageOptions): Promise<Pixmap>;
}

/** The assets of one payload; make another for the next, and hand both the same cache. */
export function createAssets(options: AssetOptions): Assets {
  const { timeoutMs, maxBytes, maxPixels, allowAddress = allowAllAddresses, resolve, cache } = options;
  const { fetched = createFetchCache(0), explain = false } = options;
  const policy = { timeoutMs, maxBytes, allowAddress, explain, ...(resolve && { resolve }) };
  const fetches = new SingleFlight<Uint8Array>();
  const decodes = new SingleFlight<Pixmap>();
  const digests = new WeakMap<Uint8Array, Promise<string>>();
  const inTurn = limitParallel(PARALLEL);

  // the network's modules are loaded when a payload names the web, the digests' when it has pictures
  const fetchOver = async (url: URL, ending: AbortSignal) => {
    const { fetchAsset } = await import('../net/http-client.js');
    const arriving = options.arriving?.();
    try {
      return await fetchAsset(url, { ...policy, ...(arriving && { keep: arriving.reserve }), signal: ending });
    } finally {
      arriving?.release();
    }
  };

  async function load(url: string, signal: AbortSignal): Promise<Uint8Array> {
    const address = parseAssetUrl(url, options);
    switch (address.kind) {
      case 'data':
        return readDataUrl(url, maxBytes);
      case 'file':
        return readLocal(address.path, maxBytes, signal);
      case 'web':
        if (options.fetch) return options.fetch(url);
        return inTurn(() => fetched.get(address.url, (ending) => fetchOver(address.url, ending), signal));
    }
  }

  async function decode(key: string, bytes: Uint8Array, size: ImageOptions['size']): Promise<Pixmap> {
    const known = cache?.get(key);
    if (known) return known;
    const fonts = hasSvgText(bytes) ? await svgFonts() : undefined;
    const pixmap = await decodeImage(bytes, { maxPixels, ...(size && { size }), ...(fonts && { fonts }) });
    cache?.set(key, pixmap);
    return pixmap;
  }

  /** What tells one picture from another: its content, and for an SVG the size that it is drawn at. */
  async function keyOf(bytes: Uint8Array, size: ImageOptions['size']): Promise<string> {
    let digest = digests.get(bytes);
    if (!digest) {
      digest = digestOf(bytes);
      digests.set(bytes, digest);
    }
    const sized = size !== undefined && readHeader(bytes).format === 'svg';
    return sized ? `${await digest} ${size.width}×${size.height}${size.exact ? ' exact' : ''}` : digest;
  }

  const assets: Assets = {
    check: (url) => {
      parseAssetUrl(url, options);
    },
    bytes: (url, signal) => fetches.run(url, (ending) => load(url, ending), signal),
    async image(url, { size, signal } = {}) {
      const bytes = await assets.bytes(url, signal);
      const key = await keyOf(bytes, size);
      return decodes.run(key, () => decode(key, bytes, size), signal);
    },
  };
  return assets;
}

async function digestOf(bytes: Uint8Array): Promise<string> {
  const { createHash } = await import('node:crypto');
  return createHash('sha256').update(bytes).digest('hex');
}

/** The faces that text within SVGs is set in. */
const SVG_FACES = [
  ['Inter', 400],
  ['Inter', 700],
  ['Noto Sans', 400],
] as const;

/** Whether the picture is an SVG with text in it. */
function hasSvgText(bytes: Uint8Array): boolean {
  return (
    readHeader(bytes).format === 'svg' && Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).includes('<text')
  );
}

let loadedSvgFonts: Promise<Uint8Array[]> | undefined;

/** Read when the first SVG with text comes, and kept. */
function svgFonts(): Promise<Uint8Array[]> {
  loadedSvgFonts ??= Promise.all(
    SVG_FACES.map(([family, weight]) => {
      const face = loadManifest().faces.find(
        (candidate) => candidate.family === family && candidate.weight === weight && candidate.style === 'normal',
      );
      if (!face) throw new Error(`the bundled fonts lack ${family} ${weight}`);
      return readFace(face);
    }),
  );
  return loadedSvgFonts;
}
