// A web URL → its bytes, by node:http alone. Every hop's host is resolved here, every address is vetted, and the
// connection goes to those addresses only: no second resolution can slip another one in.
import { lookup } from 'node:dns/promises';
import { type IncomingMessage, request as requestHttp } from 'node:http';
import { request as requestHttps } from 'node:https';
import { isIP } from 'node:net';
import { pipeline } from 'node:stream';
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib';
import { RenderError } from '../errors.js';
import { type AllowAddress, isPublic } from './address-policy.js';
import { FetchFault, fetchReason } from './fetch-reason.js';
import { freshnessLifetimeMs } from './freshness.js';
import type { Fetched } from './http-cache.js';

/** All that a fetch says about itself. A service that receives it knows that a render is asking, and can refuse a loop. */
export const USER_AGENT = 'Platen/1 (+image renderer)';

const MAX_REDIRECTS = 3;

/** Addresses of a host name, best first. */
export type Resolve = (hostname: string) => Promise<readonly string[]>;

export interface FetchPolicy {
  /** Milliseconds for the whole fetch: resolving, redirects and the last byte. */
  readonly timeoutMs: number;
  /** Bytes that may arrive, and that may come out of their content encoding. */
  readonly maxBytes: number;
  /** Asked for every address before it is connected to; one refusal among a host's addresses refuses the host. */
  readonly allowAddress: AllowAddress;
  readonly resolve?: Resolve;
  /** Told of the bytes as they arrive, unpacked; what it throws ends the fetch. */
  readonly keep?: (bytes: number) => void;
  /** Ends the fetch, which then rejects with the signal's reason. */
  readonly signal?: AbortSignal;
  /** Whether messages say why a fetch failed. Never where strangers read them: see `failureReason`. */
  readonly explain?: boolean;
}

/**
 * The body of the 200 that `url` leads to within three redirects. Sends a User-Agent and nothing else of its own; keeps
 * no connection. Throws RenderError `asset_failed`; unless `explain` is set, a blocked address and an unreachable one
 * read the same.
 */
export async function fetchBytes(url: URL, policy: FetchPolicy): Promise<Uint8Array> {
  return (await fetchAsset(url, policy)).bytes;
}

/** As `fetchBytes`, with how long the answer may be used again: no longer than every redirect on the way to it. */
export async function fetchAsset(url: URL, policy: FetchPolicy): Promise<Fetched> {
  const { timeoutMs, signal } = policy;
  signal?.throwIfAborted();
  const ending = new AbortController();
  const abort = () => ending.abort();
  const timer = setTimeout(abort, timeoutMs);
  signal?.addEventListener('abort', abort);
  try {
    return await followRedirects(url, policy, ending.signal);
  } catch (cause) {
    if (signal?.aborted) throw signal.reason;
    if (ending.signal.aborted) throw failed(url, new Refusal(`did not arrive within ${timeoutMs} ms`), policy);
    if (cause instanceof RenderError) throw cause;
    throw failed(url, cause, policy);
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener('abort', abort);
    // Whatever is still open of a fetch that failed is closed.
    ending.abort();
  }
}

/** A failure whose words may be told: it comes from an address that may be fetched from. */
class Refusal extends Error {}

function failed({ origin, pathname }: URL, cause: unknown, { explain = false }: FetchPolicy): RenderError {
  // Without the query, which may hold a secret; and never a redirect's target.
  const place = `${origin}${pathname}`;
  const reason = explain ? `: ${fetchReason(cause)}` : '';
  const what = cause instanceof Refusal ? cause.message : `could not be fetched${reason}`;
  return new RenderError('asset_failed', `${place.length > 100 ? `${place.slice(0, 100)}…` : place} ${what}`, {
    cause,
  });
}

async function followRedirects(start: URL, policy: FetchPolicy, signal: AbortSignal): Promise<Fetched> {
  let url = start;
  let freshMs = Number.POSITIVE_INFINITY;
  for (let hop = 0; hop <= MAX_REDIRECTS; hop++) {
    const response = await open(url, policy, signal).catch((cause) => {
      if (hop === 0 || signal.aborted) throw cause;
      throw new FetchFault(`redirected to ${url.origin}: ${fetchReason(cause)}`, { cause });
    });
    const status = response.statusCode ?? 0;
    freshMs = Math.min(freshMs, freshnessLifetimeMs(response.headers));
    if (status === 200) return { bytes: await readBody(response, policy), freshMs };
    response.destroy();
    const { location } = response.headers;
    if (![301, 302, 303, 307, 308].includes(status) || location === undefined) throw new Refusal(`answered ${status}`);
    url = nextHop(url, location);
  }
  throw new Refusal(`redirects more than ${MAX_REDIRECTS} times`);
}

/** Where a redirect leads. Throws when that is no web URL, gives up encryption, or carries a user name or password. */
export function nextHop(from: URL, location: string): URL {
  if (!URL.canParse(location, from.href)) throw new FetchFault('it redirects to what is no URL');
  const to = new URL(location, from);
  const safe = to.protocol === 'https:' || (to.protocol === 'http:' && from.protocol === 'http:');
  if (!safe) throw new FetchFault(`a redirect from ${from.protocol} to ${to.protocol} is not followed`);
  if (to.username !== '' || to.password !== '') {
    throw new FetchFault('a redirect to a URL with a user name or password is not followed');
  }
  return to;
}

/** The addresses of the URL's host, all of them vetted. */
async function vet(url: URL, { allowAddress, resolve = resolveBySystem }: FetchPolicy): Promise<readonly string[]> {
  const hostname = url.hostname.replace(/^\[|\]$/g, '');
  const port = url.port === '' ? (url.protocol === 'https:' ? 443 : 80) : Number(url.port);
  const addresses = isIP(hostname) ? [hostname] : await resolve(hostname);
  if (addresses.length === 0) throw new FetchFault(`no such host: ${hostname}`);
  for (const address of addresses) {
    if (!allowAddress(address, hostname, port)) throw blocked(address, hostname, port);
  }
  return addresses;
}

function blocked(address: string, hostname: string, port: number): FetchFault {
  const host = hostname === address ? '' : `${hostname} has the address ${address}: `;
  const what = isPublic(address)
    ? `${address} port ${port} is this machine or no port of the web`
    : `${address} is a private address`;
  return new FetchFault(`${host}${what}; allowHosts or the setting ASSET_ALLOW_HOSTS can allow ${hostname}`);
}

async function resolveBySystem(hostname: string): Promise<readonly string[]> {
  return (await lookup(hostname, { all: true })).map(({ address }) => address);
}

/** One request to one of the vetted addresses, as far as its answer's headers. */
async function open(url: URL, policy: FetchPolicy, signal: AbortSignal): Promise<IncomingMessage> {
  const vetted = (await orAborted(vet(url, policy), signal)).map((address) => ({ address, family: isIP(address) }));
  const request = url.protocol === 'https:' ? requestHttps : requestHttp;
  return new Promise((resolve, reject) => {
    request(url, {
      // A connection of its own: nothing is shared between hosts, and no proxy of the environment is asked.
      agent: false,
      headers: { 'User-Agent': USER_AGENT, 'Accept-Encoding': 'identity' },
      // Not called for literals, which `vet` has checked; with `all` where Node tries several addresses in turn.
      lookup: (_hostname, options, callback) =>
        options.all ? callback(null, vetted) : callback(null, vetted[0].address, vetted[0].family),
      signal,
    })
      .on('response', resolve)
      .on('error', reject)
      .end();
  });
}

/** Rejects as soon as `signal` aborts: a resolver that never answers can't be called back. */
async function orAborted<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  return Promise.race([
    promise,
    new Promise<never>((_resolve, reject) => {
      signal.addEventListener('abort', () => reject(new Error('aborted')), { once: true });
    }),
  ]);
}

async function readBody(response: IncomingMessage, { maxBytes, keep }: FetchPolicy): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of bound(decode(response, maxBytes), maxBytes)) {
    keep?.(chunk.length);
    chunks.push(chunk);
  }
  const bytes = new Uint8Array(chunks.reduce((sum, chunk) => sum + chunk.length, 0));
  let offset = 0;
  for (const chunk of chunks) {
    bytes.set(chunk, offset);
    offset += chunk.length;
  }
  return bytes;
}

/** The body out of its content encoding. Identity was asked for; some servers compress all the same. */
function decode(response: IncomingMessage, maxBytes: number): AsyncIterable<Uint8Array> {
  if (Number(response.headers['content-length'] ?? 0) > maxBytes) throw tooLarge(maxBytes);
  const encoding = (response.headers['content-encoding'] ?? 'identity').trim().toLowerCase();
  if (encoding === 'identity' || encoding === '') return response;
  const decoder = DECODERS.get(encoding)?.();
  if (!decoder) throw new Refusal('came in a content encoding that is not supported');
  // Bounded on both sides: a stream may also go on for ever without giving a byte.
  return pipeline(
    response,
    (source: AsyncIterable<Uint8Array>) => bound(source, maxBytes),
    decoder,
    () => {},
  );
}

const DECODERS = new Map([
  ['gzip', () => createGunzip()],
  ['x-gzip', () => createGunzip()],
  ['deflate', () => createInflate()],
  ['br', () => createBrotliDecompress()],
]);

async function* bound(source: AsyncIterable<Uint8Array>, maxBytes: number): AsyncGenerator<Uint8Array> {
  let length = 0;
  for await (const chunk of source) {
    length += chunk.length;
    if (length > maxBytes) throw tooLarge(maxBytes);
    yield chunk;
  }
}

function tooLarge(maxBytes: number): Refusal {
  return new Refusal(`is larger than ${maxBytes} bytes`);
}
