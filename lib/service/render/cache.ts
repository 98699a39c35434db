// LRU cache of finished renders, bounded in bytes. Rendering is deterministic: the same payload and assets give the same
// bytes. Concurrent requests for the same render share one. Failures are not cached.
import { createHash } from 'node:crypto';
import { serialize } from 'node:v8';
import type { FetchedAsset } from '../../assets/loader.js';
import { createByteCache } from '../../cache/lru.js';
import { SingleFlight } from '../../cache/single-flight.js';
import type { RenderRequest } from '../../contract/api/request.js';
import { type Deadline, deadline } from '../../workers/deadline.js';
import type { JobResult } from '../../workers/job.js';

/** Everything that a render's bytes depend on, apart from the program's version and settings. */
export interface RenderInputs {
  /** Workspaces share no entries: response times would reveal what another workspace has rendered. */
  readonly workspaceId: string;
  readonly request: RenderRequest;
  /** The template's record. Records are immutable: an update replaces them. */
  readonly record: unknown;
  /** The version of the workspace's brand; undefined for none. */
  readonly brandVersion: number | undefined;
  readonly watermark: string | undefined;
  /** Every web asset by URL, as this request fetched it or found it fresh in the HTTP cache. */
  readonly assets: ReadonlyMap<string, FetchedAsset>;
}

/** Single renders, which are answered as soon as possible, or the rows of batches, which wait for them. */
export type RenderLane = 'single' | 'batch';

export interface RenderCache {
  /** The cache key; undefined when the render must not be cached, or caching is off. */
  keyOf(inputs: RenderInputs): string | undefined;
  /**
   * The render for `key`: cached, in flight, or started now with `render`. Its bytes are shared, so treat them as read-only.
   * Rejects with the reason of `limit` when that aborts first. The deadline passed to `render` aborts when no request waits
   * any more, and after the time limit in any case: new requests must not keep a render alive that never ends.
   * Requests of one `lane` share renders in flight: one that must not wait never joins one that may.
   */
  get(
    key: string | undefined,
    render: (limit: Deadline) => Promise<JobResult>,
    limit: Deadline,
    lane?: RenderLane,
  ): Promise<JobResult>;
  /** Whether there is a render for `key`, cached or in flight. */
  has(key: string | undefined, lane?: RenderLane): boolean;
  /** Current size in bytes. */
  readonly bytes: number;
  /** Hits include renders in flight. Renders that must not be cached count as neither. */
  readonly hits: number;
  readonly misses: number;
}

/** Approximate size of an entry apart from its image, key included. */
const ENTRY_BYTES = 1024;
/** Approximate size of a warning. */
const WARNING_BYTES = 512;

/** Creates a cache of up to `maxBytes`; with 0 every request renders on its own. */
export function createRenderCache(maxBytes: number, timeoutMs: number): RenderCache {
  const entries = createByteCache<JobResult>(maxBytes, sizeOf);
  const flights = new SingleFlight<JobResult>({ keepResults: false });
  const digestOf = createRecordDigests();
  let hits = 0;
  let misses = 0;

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
    keyOf({ workspaceId, request, record, brandVersion, watermark, assets }) {
      if (maxBytes === 0) return undefined;
      const files: string[] = [];
      for (const [url, asset] of assets) {
        // the image shows a placeholder, and the next request may get the asset
        if (!('file' in asset)) return undefined;
        files.push(url, asset.digest);
      }
      const template = record === undefined ? '' : digestOf(record as object);
      return sha256(serialize([workspaceId, renderFields(request), template, brandVersion, watermark, files]));
    },
    has: (key, lane = 'single') =>
      key !== undefined && (entries.get(key) !== undefined || flights.has(`${lane} ${key}`)),
    async get(key, render, limit, lane = 'single') {
      if (key === undefined) return render(limit);
      const cached = entries.get(key);
      hits++;
      if (cached) return cached;
      const start = async (abandoned: AbortSignal) => {
        hits--;
        misses++;
        const timeLimit = deadline(timeoutMs, abandoned);
        try {
          const result = await render(timeLimit);
          // copied: bytes from a worker are a view into the buffer of a whole message, which may hold other messages too
          entries.set(key, { ...result, bytes: new Uint8Array(result.bytes) });
          return result;
        } finally {
          timeLimit.clear();
        }
      };
      return flights.run(`${lane} ${key}`, start, limit.signal);
    },
  };
}

/** The fields that the image depends on. V8's serialization is exact where JSON is not: -0, 1e999, lone surrogates. */
function renderFields(request: RenderRequest): unknown[] {
  const { kind, format, quality, dpi, lossless, document, tokens, theme, locale, alt } = request;
  const rest =
    kind === 'canvas'
      ? [request.canvas, request.layers, request.background, request.data, request.components, request.themes]
      : [request.templateId, request.variables, request.size, request.scale];
  return [kind, format, quality, dpi, lossless, document, tokens, theme, locale, alt, ...rest];
}

function sizeOf({ bytes, warnings }: JobResult): number {
  return bytes.length + warnings.length * WARNING_BYTES + ENTRY_BYTES;
}

/** SHA-256 of template records, which are immutable, computed once per record. */
function createRecordDigests(): (record: object) => string {
  const known = new WeakMap<object, string>();
  return (record) => {
    let digest = known.get(record);
    if (digest === undefined) {
      digest = sha256(serialize(record));
      known.set(record, digest);
    }
    return digest;
  };
}

function sha256(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('base64');
}
