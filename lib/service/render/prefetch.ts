// The assets of a scene → their bytes, or why they could not be had: those of the web all at once, before any render
// process is busy; those within the payload when a render is weighed.

import type { Assets } from '../../assets/loader.js';
import { parseAssetUrl } from '../../assets/source.js';
import { RenderError } from '../../errors.js';
import { fetchReason } from '../../net/fetch-reason.js';
import type { FetchedAsset } from '../../workers/job.js';

/** Why an asset could not be fetched: for the operator's log alone, no answer may say it. */
export interface AssetFailure {
  /** Of its URL. The rest may hold a secret. */
  readonly origin: string;
  readonly reason: string;
}

/** Failures of one request that the log explains. */
const MAX_FAILURES = 10;

export interface PrefetchListener {
  /** Told of the bytes of each asset; may throw to refuse them. */
  readonly keep: (bytes: number) => void;
  /** Told which assets failed, the first of them. */
  readonly failed?: ((failure: AssetFailure) => void) | undefined;
}

/**
 * Gets every asset on the web, by its URL. Rejects with the signal's reason, or with what `keep` throws.
 */
export async function prefetch(
  urls: readonly string[],
  assets: Assets,
  { keep, failed }: PrefetchListener,
  signal: AbortSignal,
): Promise<Map<string, FetchedAsset>> {
  const web = new Map<string, FetchedAsset>();
  let failures = 0;
  const get = async (url: string): Promise<void> => {
    const address = parseAssetUrl(url);
    if (address.kind !== 'web') return;
    const { origin } = address.url;
    const asset = await getOne(url, assets, signal, (reason) => {
      if (failures++ < MAX_FAILURES) failed?.({ origin, reason });
    });
    if ('bytes' in asset) keep(asset.bytes.length);
    web.set(url, asset);
  };
  await Promise.all(urls.map(get));
  signal.throwIfAborted();
  return web;
}

/** Every file that a render will hold: those that were fetched, and those that came within the payload as `data:` URLs. */
export async function assetBytes(
  urls: readonly string[],
  web: ReadonlyMap<string, FetchedAsset>,
  assets: Assets,
  signal: AbortSignal,
): Promise<Uint8Array[]> {
  const inline = urls.filter((url) => parseAssetUrl(url).kind === 'data');
  const found = [...web.values(), ...(await Promise.all(inline.map((url) => getOne(url, assets, signal))))];
  return found.flatMap((asset) => ('bytes' in asset ? [asset.bytes] : []));
}

/** Whether any of the assets is on the web. */
export function hasRemoteAssets(urls: readonly string[]): boolean {
  return urls.some((url) => parseAssetUrl(url).kind === 'web');
}

async function getOne(
  url: string,
  assets: Assets,
  signal: AbortSignal,
  failed?: (reason: string) => void,
): Promise<FetchedAsset> {
  try {
    return { bytes: await assets.bytes(url, signal) };
  } catch (error) {
    if (signal.aborted) throw signal.reason;
    // no fault of the payload's, so no stand-in is drawn for it
    if (!(error instanceof RenderError) || error.code === 'overloaded') throw error;
    failed?.(fetchReason(error.cause ?? error));
    return { code: error.code === 'render_failed' ? 'render_failed' : 'asset_failed', message: error.message };
  }
}
