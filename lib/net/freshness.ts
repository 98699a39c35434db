// Computes the freshness lifetime of a response for a shared cache (RFC 9111 section 4.2). Only explicit lifetimes count:
// there is no heuristic freshness, and nothing is served stale.
import type { IncomingHttpHeaders } from 'node:http';

/** Cap on ages and lifetimes, in seconds (RFC 9111 section 1.2.2). */
const MAX_SECONDS = 2 ** 31;

/** Directives that forbid a shared cache to store a response, or to reuse it without revalidation. */
const UNCACHEABLE = ['no-store', 'no-cache', 'private'];

/**
 * Milliseconds, from when the request was sent, for which its response may be reused; 0 if it must not be. Our requests
 * carry no user-specific headers, so every `Vary` field has the same value in all of them, except `*`.
 */
export function freshnessLifetimeMs(headers: IncomingHttpHeaders): number {
  const directives = parseDirectives(headers['cache-control'] ?? '');
  if (UNCACHEABLE.some((name) => directives.has(name))) return 0;
  if (headers.vary?.split(',').some((field) => field.trim() === '*')) return 0;
  const lifetime = explicitLifetime(directives, headers);
  const age = headers.age === undefined ? 0 : (parseSeconds(headers.age) ?? MAX_SECONDS);
  return Math.max(0, lifetime - age) * 1000;
}

/** Seconds: `s-maxage`, else `max-age`, else `Expires` (section 4.2.1). A value that can't be parsed counts as expired. */
function explicitLifetime(directives: ReadonlyMap<string, string>, { expires, date }: IncomingHttpHeaders): number {
  const maxAge = directives.get('s-maxage') ?? directives.get('max-age');
  if (maxAge !== undefined) return parseSeconds(maxAge) ?? 0;
  const seconds = (Date.parse(expires ?? '') - Date.parse(date ?? '')) / 1000;
  return Number.isNaN(seconds) ? 0 : Math.min(MAX_SECONDS, seconds);
}

function parseSeconds(text: string): number | undefined {
  return /^\d+$/.test(text) ? Math.min(MAX_SECONDS, Number(text)) : undefined;
}

/** Directive → unquoted argument. A directive repeated with different arguments gets an empty one, which can't be parsed. */
function parseDirectives(header: string): Map<string, string> {
  const directives = new Map<string, string>();
  for (const [, name, quoted, plain] of header.matchAll(/([^\s,;="]+)(?:\s*=\s*(?:"([^"]*)"|([^\s,"]*)))?/g)) {
    const key = name.toLowerCase();
    const value = quoted ?? plain ?? '';
    directives.set(key, (directives.get(key) ?? value) === value ? value : '');
  }
  return directives;
}
