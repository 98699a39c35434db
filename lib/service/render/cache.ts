// Finished renders, kept for the next request that is the same: rendering is deterministic, so the same payload over the
// same files gives the same bytes. Bounded in bytes, least recently used out first; whoever asks for what another is
// having drawn waits for it. Failures are never kept.
import { createHash } from 'node:crypto';
import { serialize } from 'node:v8';
import type { FetchedAsset } from '../../assets/loader.js';
import { createByteCache } from '../../cache/lru.js';
import { SingleFlight } from '../../cache/single-flight.js';
import type { RenderRequest } from '../../contract/request.js';
import { deadline } from '../../workers/deadline.js';
import type { JobResult } from '../../workers/job.js';

/** All that a render's bytes depend on, beside the version of the program and the limits it was started with. */
export interface RenderInputs {
  /** Workspaces share nothing: else the time of an answer would tell one what another had drawn. */
  readonly workspaceId: string;
  readonly request: RenderRequest;
  /** The template's record. A stored record is never changed, only replaced. */
  readonly record: unknown;
  readonly watermark: string | undefined;
  /** Every web asset by its URL, as it was fetched or found fresh for this very request. */
  readonly assets: ReadonlyMap<string, FetchedAsset>;
}

export interface RenderCache {
  /** What names the render that these inputs lead to; undefined when it must not be kept, or nothing is. */
  keyOf(inputs: RenderInputs): string | undefined;
  /**
   * The render of that name: kept, under way, or `draw`n now; its bytes are shared: read only. Rejects with the reason of
   * `signal` when that aborts first. The signal that `draw` gets aborts when nobody waits any more, and after the time
   * limit in any case: those who keep coming for a render that never ends must not keep it alive.
   */
  get(
    key: string | undefined,
    draw: (signal: AbortSignal) => Promise<JobResult>,
    signal: AbortSignal,
  ): Promise<JobResult>;
  /** Bytes held now. */
  readonly bytes: number;
  /** Renders found, or found under way, and those that had to be drawn; what must not be kept is in neither. */
  readonly hits: number;
  readonly misses: number;
}

/** Bytes that an entry takes beside its picture, its key included, roughly. */
const OVERHEAD = 1024;
/** Bytes of a warning, roughly. */
const WARNING = 512;

/** An empty cache of up to `maxBytes`; with 0 it keeps nothing, and every request has its render drawn for itself. */
export function createRenderCache(maxBytes: number, timeoutMs: number): RenderCache {
  const entries = createByteCache<JobResult>(maxBytes, sizeOf);
  const flights = new SingleFlight<JobResult>({ keepResults: false });
  const digestOf = createDigests();
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
    keyOf({ workspaceId, request, record, watermark, assets }) {
      if (maxBytes === 0) return undefined;
      const files: string[] = [];
      for (const [url, asset] of assets) {
        // its picture shows a stand-in, and the next request may find the file again
        if (!('bytes' in asset)) return undefined;
        files.push(url, digestOf(asset.bytes));
      }
      const saved = record === undefined ? '' : digestOf(record as object);
      return sha256(serialize([workspaceId, drawn(request), saved, watermark, files]));
    },
    async get(key, draw, signal) {
      if (key === undefined) return draw(signal);
      const known = entries.get(key);
      hits++;
      if (known) return known;
      const start = async (abandoned: AbortSignal) => {
        hits--;
        misses++;
        const ending = deadline(timeoutMs, abandoned);
        try {
          const result = await draw(ending.signal);
          // what came from a render process is a window on its whole message, or on one with others' messages in it
          entries.set(key, { ...result, bytes: new Uint8Array(result.bytes) });
          return result;
        } finally {
          ending.clear();
        }
      };
      return flights.run(key, start, signal);
    },
  };
}

/** What of a request its picture depends on. V8's own serialization is exact where JSON is not: -0, 1e999, lone surrogates. */
function drawn(request: RenderRequest): unknown[] {
  const { kind, format, quality } = request;
  const rest = kind === 'canvas' ? [request.canvas, request.layers] : [request.templateId, request.variables];
  return [kind, format, quality, ...rest];
}

function sizeOf({ bytes, warnings }: JobResult): number {
  return bytes.length + warnings.length * WARNING + OVERHEAD;
}

/** SHA-256 of objects that never change, each made once: files that stay fresh, records that stay stored. */
function createDigests(): (value: object) => string {
  const known = new WeakMap<object, string>();
  return (value) => {
    let digest = known.get(value);
    if (digest === undefined) {
      digest = sha256(value instanceof Uint8Array ? value : serialize(value));
      known.set(value, digest);
    }
    return digest;
  };
}

function sha256(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('base64');
}
