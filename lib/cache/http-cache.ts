// A shared HTTP cache of web assets, keyed by URL and bounded in bytes. An entry is kept as long as its origin allows.
// Concurrent requests for one URL are collapsed; if the response can't be shared, each waiting caller fetches its own.
import type { Fetched } from '../host.js';
import { createByteCache } from './lru.js';
import { SingleFlight } from './single-flight.js';

/** Callers share the bytes and must not modify them. */
export interface FetchCache {
  /** Returns the asset at `url` from the cache, else by `fetch`. A failure is shared with waiting callers, not cached. */
  get(url: URL, fetch: (signal: AbortSignal) => Promise<Fetched>, signal: AbortSignal): Promise<Uint8Array>;
  /** Bytes in use, URLs included. */
  readonly bytes: number;
  /** Assets found in the cache or in a fetch already under way, and assets that had to be fetched. */
  readonly hits: number;
  readonly misses: number;
}

/** Estimated bytes of an entry besides its body and URL, so the number of empty responses is bounded too. */
const ENTRY_OVERHEAD_BYTES = 512;

interface Entry {
  readonly bytes: Uint8Array;
  /** Milliseconds on the cache's clock. */
  readonly staleAt: number;
}

export interface FetchCacheOptions {
  /** A monotonic clock in milliseconds. */
  readonly now?: () => number;
  /**
   * Whether a stale asset is given once more while it is fetched again in the background (RFC 5861 section 3). It is forgotten
   * if that fails.
   */
  readonly staleWhileRevalidate?: boolean;
}

/** Creates an empty cache of up to `maxBytes`. */
export function createFetchCache(
  maxBytes: number,
  { now = () => performance.now(), staleWhileRevalidate = false }: FetchCacheOptions = {},
): FetchCache {
  const entries = createByteCache<Entry>(
    maxBytes,
    ({ bytes }, key) => bytes.length + 2 * key.length + ENTRY_OVERHEAD_BYTES,
  );
  const flights = new SingleFlight<Fetched>({ keepResults: false });
  let hits = 0;
  let misses = 0;

  function store(key: string, entry: Entry): void {
    entries.delete(key);
    if (entry.staleAt > now()) entries.set(key, entry);
  }

  return {
    get bytes() {
      return entries.bytes;
    },
    get hits() {
      return hits;
    },
    get misses() {
      return misses;
    },
    async get(url, fetch, signal) {
      const key = url.href.slice(0, url.href.length - url.hash.length);
      let isInitiator = false;
      const start = async (fetchSignal: AbortSignal) => {
        isInitiator = true;
        const sentAt = now();
        const fetched = await fetch(fetchSignal);
        store(key, { bytes: fetched.bytes, staleAt: sentAt + fetched.freshMs });
        return fetched;
      };
      const cached = entries.get(key);
      const isFresh = cached !== undefined && cached.staleAt > now();
      if (cached && (isFresh || staleWhileRevalidate)) {
        hits++;
        if (!isFresh) flights.run(key, start).catch(() => entries.delete(key));
        return cached.bytes;
      }
      entries.delete(key);
      const { bytes, freshMs } = await flights.run(key, start, signal);
      // Collapsed requests may share only a response that may be stored (RFC 9111 section 4).
      const isShared = !isInitiator && freshMs > 0;
      if (isShared) hits++;
      else misses++;
      return isInitiator || isShared ? bytes : (await fetch(signal)).bytes;
    },
  };
}
