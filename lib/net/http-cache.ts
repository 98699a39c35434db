// Web assets as they were fetched, kept from payload to payload: by URL, for as long as their origin allows, within a
// bounded number of bytes. Whoever wants what another is fetching waits for it, and fetches by itself what can't be shared.
import { createByteCache } from '../cache/lru.js';
import { SingleFlight } from '../cache/single-flight.js';

/** An answer's body, and for how many milliseconds it may be used again from when its request was sent. */
export interface Fetched {
  readonly bytes: Uint8Array;
  readonly freshMs: number;
}

/** Fetches by URL; what it gives is shared: read only. */
export interface FetchCache {
  /** The asset at `url`, from the cache or by `fetch`, whose failures are shared with who waits and then forgotten. */
  get(url: URL, fetch: (signal: AbortSignal) => Promise<Fetched>, signal: AbortSignal): Promise<Uint8Array>;
  /** Bytes held now, URLs included. */
  readonly bytes: number;
  /** Assets found, or found on their way, and those that had to be fetched. */
  readonly hits: number;
  readonly misses: number;
}

/** Bytes that an entry takes beside its body and its URL, roughly: so empty answers are bounded in number too. */
const OVERHEAD = 512;

interface Entry {
  readonly bytes: Uint8Array;
  /** By the cache's clock. */
  readonly staleAt: number;
}

/** An empty cache of up to `maxBytes`; `now` is a clock in milliseconds that never goes back. */
export function createFetchCache(maxBytes: number, now: () => number = () => performance.now()): FetchCache {
  const entries = createByteCache<Entry>(maxBytes, ({ bytes }, key) => bytes.length + 2 * key.length + OVERHEAD);
  const flights = new SingleFlight<Fetched>({ keep: false });
  let hits = 0;
  let misses = 0;

  /** The bytes, when they are fresh. */
  function find(key: string): Uint8Array | undefined {
    const entry = entries.get(key);
    if (entry && entry.staleAt > now()) return entry.bytes;
    entries.delete(key);
    return undefined;
  }

  function keep(key: string, entry: Entry): void {
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
      const known = find(key);
      if (known) {
        hits++;
        return known;
      }
      let mine = false;
      const start = async (ending: AbortSignal) => {
        mine = true;
        const sent = now();
        const fetched = await fetch(ending);
        keep(key, { bytes: fetched.bytes, staleAt: sent + fetched.freshMs });
        return fetched;
      };
      const { bytes, freshMs } = await flights.run(key, start, signal);
      // collapsed requests may share only what may be stored (RFC 9111 section 4)
      const isShared = !mine && freshMs > 0;
      if (isShared) hits++;
      else misses++;
      return mine || isShared ? bytes : (await fetch(signal)).bytes;
    },
  };
}
