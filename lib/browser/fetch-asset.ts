// Fetches web assets with the Fetch API, within the limits of a render.
import { concatBytes } from '../bytes/bytes.js';
import { CodedError, RenderError } from '../errors.js';
import type { Fetched, FetchPolicy } from '../host.js';

export type Fetch = (url: string, init?: RequestInit) => Promise<Response>;

/** A failure whose message is the reason. */
class FetchError extends Error {}

/** Fetches the body of the response at `url`. The browser decides about redirects, cookies and its cache. */
export async function fetchAsset(fetch: Fetch, url: URL, policy: FetchPolicy): Promise<Fetched> {
  const { timeoutMs, signal } = policy;
  signal?.throwIfAborted();
  const ending = new AbortController();
  const abort = () => ending.abort();
  const timer = setTimeout(abort, timeoutMs);
  signal?.addEventListener('abort', abort);
  try {
    const response = await fetch(url.href, { signal: ending.signal }).catch((cause) => {
      // a fetch of the program's own may know the reason
      if (cause instanceof CodedError) throw cause;
      throw new FetchError("could not be fetched: it can't be reached, or its server does not allow it (CORS)", {
        cause,
      });
    });
    if (response.status !== 200) throw new FetchError(`answered ${response.status}`);
    return { bytes: await readBody(response, policy), freshMs: 0 };
  } catch (cause) {
    if (signal?.aborted) throw signal.reason;
    if (ending.signal.aborted) throw failed(url, `did not arrive within ${timeoutMs} ms`, cause);
    if (cause instanceof CodedError) throw cause;
    throw failed(url, cause instanceof FetchError ? cause.message : `could not be fetched: ${cause}`, cause);
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener('abort', abort);
    // ends a response that is not read to its end
    ending.abort();
  }
}

/** The query may hold a secret: it is not shown. */
function failed({ origin, pathname }: URL, problem: string, cause: unknown): RenderError {
  const shownUrl = `${origin}${pathname}`;
  const shortened = shownUrl.length > 100 ? `${shownUrl.slice(0, 100)}…` : shownUrl;
  return new RenderError('asset_failed', `${shortened} ${problem}`, { cause });
}

async function readBody(response: Response, { maxBytes, reserve }: FetchPolicy): Promise<Uint8Array> {
  if (Number(response.headers.get('content-length') ?? 0) > maxBytes) throw tooLarge(maxBytes);
  const chunks: Uint8Array[] = [];
  let length = 0;
  const reader = response.body?.getReader();
  for (let part = await reader?.read(); part?.value; part = await reader?.read()) {
    length += part.value.length;
    if (length > maxBytes) throw tooLarge(maxBytes);
    reserve?.(part.value.length);
    chunks.push(part.value);
  }
  return concatBytes(chunks);
}

function tooLarge(maxBytes: number): FetchError {
  return new FetchError(`is larger than ${maxBytes} bytes`);
}
