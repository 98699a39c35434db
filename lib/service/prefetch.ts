// The web assets of a scene → their bytes, or why they could not be had: all at once, before any render process is busy.
import { checkUrl } from '../assets/address.js';
import type { Assets } from '../assets/loader.js';
import type { Layer } from '../contract/layers.js';
import { RenderError } from '../errors.js';
import type { FetchedAsset } from './job.js';

/** Fetches every web asset that the layers name. Rejects only with the signal's reason. */
export async function prefetch(
  layers: readonly Layer[],
  assets: Assets,
  signal: AbortSignal,
): Promise<Map<string, FetchedAsset>> {
  const fetched = new Map<string, FetchedAsset>();
  const urls = new Set(layers.flatMap(webUrls));
  await Promise.all(
    Array.from(urls, async (url) => {
      fetched.set(url, await fetchOne(url, assets, signal));
    }),
  );
  signal.throwIfAborted();
  return fetched;
}

function webUrls(layer: Layer): string[] {
  const url = layer.type === 'image' ? layer.url : layer.type === 'text' ? layer.customFontUrl : undefined;
  if (url === undefined) return [];
  const address = checkUrl(url);
  return address.kind === 'web' ? [address.url.href] : [];
}

async function fetchOne(url: string, assets: Assets, signal: AbortSignal): Promise<FetchedAsset> {
  try {
    return { bytes: await assets.bytes(url, signal) };
  } catch (error) {
    if (!(error instanceof RenderError)) throw error;
    return { code: error.code === 'render_failed' ? 'render_failed' : 'asset_failed', message: error.message };
  }
}
