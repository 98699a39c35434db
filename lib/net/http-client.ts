// Fetches a web URL with node:http. Each hop's host is resolved here, every address is checked against the address policy,
// and the connection uses only those addresses, so a second resolution can't return another one (DNS rebinding).
import { lookup } from 'node:dns/promises';
import { type IncomingMessage, request as requestHttp } from 'node:http';
import { request as requestHttps } from 'node:https';
import { isIP } from 'node:net';
import { pipeline } from 'node:stream';
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib';
import { CodedError, RenderError } from '../errors.js';
import type { Fetched, FetchPolicy } from '../host.js';
import { allowAllAddresses, isPublic } from './address-policy.js';
import { FetchError, fetchReason } from './fetch-reason.js';
import { freshnessLifetimeMs } from './freshness.js';

/** Identifies a render's fetch to the receiving server, which can then reject a loop of renders. */
export const USER_AGENT = 'Platen/1 (+image renderer)';

const MAX_REDIRECTS = 3;

/**
 * Fetches the body of the 200 response that `url` leads to within three redirects. Identifies itself by the User-Agent
 * header alone; no connection is reused. Throws RenderError `asset_failed`; unless `explain` is set, the message for a
 * blocked address is the same as for an unreachable one.
 */
export async function fetchBytes(url: URL, policy: FetchPolicy): Promise<Uint8Array> {
  return (await fetchAsset(url, policy)).bytes;
}

/** Like `fetchBytes`, and returns how long the response stays fresh: at most as long as every redirect that led to it. */
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
    if (ending.signal.aborted) throw failed(url, new PublicFetchError(`did not arrive within ${timeoutMs} ms`), policy);
    if (cause instanceof CodedError) throw cause;
    throw failed(url, cause, policy);
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener('abort', abort);
    // Closes the connection if the fetch failed.
    ending.abort();
  }
}

/** A failure whose message may be shown to clients: it comes from an allowed address. */
class PublicFetchError extends Error {}

function failed({ origin, pathname }: URL, cause: unknown, { explain = false }: FetchPolicy): RenderError {
  // The query may hold a secret and a redirect's target is private: neither is shown.
  const shownUrl = `${origin}${pathname}`;
  const reason = explain ? `: ${fetchReason(cause)}` : '';
  const problem = cause instanceof PublicFetchError ? cause.message : `could not be fetched${reason}`;
  return new RenderError(
    'asset_failed',
    `${shownUrl.length > 100 ? `${shownUrl.slice(0, 100)}…` : shownUrl} ${problem}`,
    {
      cause,
    },
  );
}

async function followRedirects(start: URL, policy: FetchPolicy, signal: AbortSignal): Promise<Fetched> {
  let url = start;
  let freshMs = Number.POSITIVE_INFINITY;
  for (let hop = 0; hop <= MAX_REDIRECTS; hop++) {
    const response = await open(url, policy, signal).catch((cause) => {
      if (hop === 0 || signal.aborted) throw cause;
      throw new FetchError(`redirected to ${url.origin}: ${fetchReason(cause)}`, { cause });
    });
    const status = response.statusCode ?? 0;
    freshMs = Math.min(freshMs, freshnessLifetimeMs(response.headers));
    if (status === 200) return { bytes: await readBody(response, policy), freshMs };
    response.destroy();
    const { location } = response.headers;
    if (![301, 302, 303, 307, 308].includes(status) || location === undefined)
      throw new PublicFetchError(`answered ${status}`);
    url = nextHop(url, location);
  }
  throw new PublicFetchError(`redirects more than ${MAX_REDIRECTS} times`);
}

/** The target of a redirect. Throws if it is not a web URL, downgrades to http:, or contains a user name or password. */
export function nextHop(from: URL, location: string): URL {
  if (!URL.canParse(location, from.href)) throw new FetchError('it redirects to an invalid URL');
  const to = new URL(location, from);
  const isSafe = to.protocol === 'https:' || (to.protocol === 'http:' && from.protocol === 'http:');
  if (!isSafe) throw new FetchError(`a redirect from ${from.protocol} to ${to.protocol} is not followed`);
  if (to.username !== '' || to.password !== '') {
    throw new FetchError('a redirect to a URL with a user name or password is not followed');
  }
  return to;
}

/** Resolves the URL's host. Throws unless every address is allowed. */
async function resolveAllowed(
  url: URL,
  { allowAddress = allowAllAddresses, resolve = resolveWithSystem }: FetchPolicy,
): Promise<readonly string[]> {
  const hostname = url.hostname.replace(/^\[|\]$/g, '');
  const port = url.port === '' ? (url.protocol === 'https:' ? 443 : 80) : Number(url.port);
  const addresses = isIP(hostname) ? [hostname] : await resolve(hostname);
  if (addresses.length === 0) throw new FetchError(`no such host: ${hostname}`);
  for (const address of addresses) {
    if (!allowAddress(address, hostname, port)) throw blockedAddress(address, hostname, port);
  }
  return addresses;
}

function blockedAddress(address: string, hostname: string, port: number): FetchError {
  const host = hostname === address ? '' : `${hostname} has the address ${address}: `;
  const problem = isPublic(address)
    ? `${address} port ${port} is this machine or not a web port`
    : `${address} is a private address`;
  return new FetchError(`${host}${problem}; allowHosts or the setting ASSET_ALLOW_HOSTS can allow ${hostname}`);
}

async function resolveWithSystem(hostname: string): Promise<readonly string[]> {
  return (await lookup(hostname, { all: true })).map(({ address }) => address);
}

/** Sends one request to one of the allowed addresses and resolves with the response once its headers have arrived. */
async function open(url: URL, policy: FetchPolicy, signal: AbortSignal): Promise<IncomingMessage> {
  const allowed = (await orAborted(resolveAllowed(url, policy), signal)).map((address) => ({
    address,
    family: isIP(address),
  }));
  const request = url.protocol === 'https:' ? requestHttps : requestHttp;
  return new Promise((resolve, reject) => {
    request(url, {
      // A new connection each time: hosts share nothing, and proxies of the environment are not used.
      agent: false,
      headers: { 'User-Agent': USER_AGENT, 'Accept-Encoding': 'identity' },
      // This is not called for IP literals, which `resolveAllowed` has checked. Node passes `all` if it tries addresses in
      // turn.
      lookup: (_hostname, options, callback) =>
        options.all ? callback(null, allowed) : callback(null, allowed[0].address, allowed[0].family),
      signal,
    })
      .on('response', resolve)
      .on('error', reject)
      .end();
  });
}

/** Rejects as soon as `signal` aborts: a pending name resolution can't be cancelled. */
async function orAborted<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  return Promise.race([
    promise,
    new Promise<never>((_resolve, reject) => {
      signal.addEventListener('abort', () => reject(new Error('aborted')), { once: true });
    }),
  ]);
}

async function readBody(response: IncomingMessage, { maxBytes, reserve }: FetchPolicy): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of limitBytes(decodeContent(response, maxBytes), maxBytes)) {
    reserve?.(chunk.length);
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

/** Decodes the body's content encoding. Requests ask for identity, but some servers compress anyway. */
function decodeContent(response: IncomingMessage, maxBytes: number): AsyncIterable<Uint8Array> {
  if (Number(response.headers['content-length'] ?? 0) > maxBytes) throw tooLarge(maxBytes);
  const encoding = (response.headers['content-encoding'] ?? 'identity').trim().toLowerCase();
  if (encoding === 'identity' || encoding === '') return response;
  const decoder = DECODERS.get(encoding)?.();
  if (!decoder) throw new PublicFetchError('came in a content encoding that is not supported');
  // Limited before and after decoding: compressed data may go on forever without producing a byte.
  return pipeline(
    response,
    (source: AsyncIterable<Uint8Array>) => limitBytes(source, maxBytes),
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

async function* limitBytes(source: AsyncIterable<Uint8Array>, maxBytes: number): AsyncGenerator<Uint8Array> {
  let length = 0;
  for await (const chunk of source) {
    length += chunk.length;
    if (length > maxBytes) throw tooLarge(maxBytes);
    yield chunk;
  }
}

function tooLarge(maxBytes: number): PublicFetchError {
  return new PublicFetchError(`is larger than ${maxBytes} bytes`);
}
