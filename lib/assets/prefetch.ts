// Loads all assets of a scene before a worker process renders it: workers get bytes, never URLs to fetch or files to read.

import { CodedError, type ErrorCode } from '../errors.js';
import { fetchReason } from '../net/fetch-reason.js';
import type { Assets, FetchedAsset } from './loader.js';

/** A failure to fetch a web asset: for the operator's log alone, never for a response. */
export interface AssetFailure {
  /** The origin of the asset's URL. The rest of the URL may hold a secret. */
  readonly origin: string;
  readonly reason: string;
}

/** Failures of one request that the log explains. */
const MAX_FAILURES = 10;

export interface PrefetchListener {
  /** Called with the size of each asset in bytes; rejects the asset by throwing. */
  readonly keep?: (bytes: number) => void;
  /** Called for the first web assets that fail. */
  readonly failed?: ((failure: AssetFailure) => void) | undefined;
}

/**
 * Fetches every asset that is not a `data:` URL, in parallel. The result is keyed by URL as the scene has it. Rejects with
 * the signal's reason, or with what `keep` throws.
 */
export async function prefetch(
  urls: readonly string[],
  assets: Assets,
  { keep, failed }: PrefetchListener,
  signal: AbortSignal,
): Promise<Map<string, FetchedAsset>> {
  const fetched = new Map<string, FetchedAsset>();
  let failures = 0;
  const get = async (url: string): Promise<void> => {
    const source = assets.source(url);
    if (source.kind === 'data') return;
    const asset = await getOne(url, assets, signal, (reason) => {
      if (source.kind === 'web' && failures++ < MAX_FAILURES) failed?.({ origin: source.url.origin, reason });
    });
    if ('file' in asset) keep?.(asset.file.bytes.length);
    fetched.set(url, asset);
  };
  await Promise.all(urls.map(get));
  signal.throwIfAborted();
  return fetched;
}

/** All assets of a render by URL: those that were fetched, and those of its `data:` URLs, which are decoded now. */
export async function withInlineAssets(
  urls: readonly string[],
  fetched: ReadonlyMap<string, FetchedAsset>,
  assets: Assets,
  signal: AbortSignal,
): Promise<ReadonlyMap<string, FetchedAsset>> {
  const inline = urls.filter((url) => assets.source(url).kind === 'data');
  const decoded = inline.map(async (url) => [url, await getOne(url, assets, signal)] as const);
  return new Map([...fetched, ...(await Promise.all(decoded))]);
}

/** Whether any of the assets is on the web, or in the service's store. */
export function hasRemoteAssets(urls: readonly string[], assets: Assets): boolean {
  return urls.some((url) => ['web', 'asset'].includes(assets.source(url).kind));
}

/** Failures of the server rather than of the asset. */
const UNRELATED_FAILURES: readonly ErrorCode[] = ['overloaded', 'storage_unavailable'];

async function getOne(
  url: string,
  assets: Assets,
  signal: AbortSignal,
  failed?: (reason: string) => void,
): Promise<FetchedAsset> {
  try {
    const file = await assets.file(url, signal);
    return { file, digest: await file.digest() };
  } catch (error) {
    if (signal.aborted) throw signal.reason;
    // the payload is not at fault, so no fallback colour stands in
    if (!(error instanceof CodedError) || UNRELATED_FAILURES.includes(error.code)) throw error;
    failed?.(fetchReason(error.cause ?? error));
    return { code: error.code === 'render_failed' ? 'render_failed' : 'asset_failed', message: error.message };
  }
}
