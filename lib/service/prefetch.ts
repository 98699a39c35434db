// The assets of a scene → their bytes, or why they could not be had: all at once, before any render process is busy.
import { checkUrl } from '../assets/address.js';
import type { Assets } from '../assets/loader.js';
import type { Layer } from '../contract/layers.js';
import { RenderError } from '../errors.js';
import type { FetchedAsset } from './job.js';

export interface Prefetched {
  /** Every web asset by its URL. */
  readonly web: ReadonlyMap<string, FetchedAsset>;
  /** Every file that the render will hold: the web's, and those that came within the payload as `data:` URLs. */
  readonly files: readonly Uint8Array[];
}

/**
 * Gets every asset that the layers name. `keep` is told of the bytes of each that came over the web, and may refuse them.
 * Rejects with the signal's reason, or with what `keep` throws.
 */
export async function prefetch(
  layers: readonly Layer[],
  assets: Assets,
  keep: (bytes: number) => void,
  signal: AbortSignal,
): Promise<Prefetched> {
  const web = new Map<string, FetchedAsset>();
  const files: Uint8Array[] = [];
  const get = async (url: string): Promise<void> => {
    const address = checkUrl(url);
    const asset = await getOne(url, assets, signal);
    if (address.kind === 'web') {
      if ('bytes' in asset) keep(asset.bytes.length);
      web.set(address.url.href, asset);
    }
    if ('bytes' in asset) files.push(asset.bytes);
  };
  await Promise.all(Array.from(new Set(layers.flatMap(urlsOf)), get));
  signal.throwIfAborted();
  return { web, files };
}

function urlsOf(layer: Layer): string[] {
  const url = layer.type === 'image' ? layer.url : layer.type === 'text' ? layer.customFontUrl : undefined;
  return url === undefined ? [] : [url];
}

async function getOne(url: string, assets: Assets, signal: AbortSignal): Promise<FetchedAsset> {
  try {
    return { bytes: await assets.bytes(url, signal) };
  } catch (error) {
    if (signal.aborted) throw signal.reason;
    if (!(error instanceof RenderError)) throw error;
    return { code: error.code === 'render_failed' ? 'render_failed' : 'asset_failed', message: error.message };
  }
}
