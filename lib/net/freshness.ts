// The headers of an answer → how long a shared cache may give it to others (RFC 9111 section 4.2), strictly: only where
// the origin says so in words; nothing is guessed, nothing is given out stale.
import type { IncomingHttpHeaders } from 'node:http';

/** No age is believed beyond this, in seconds (RFC 9111 section 1.2.2). */
const LONGEST = 2 ** 31;

/** Directives that forbid a shared cache to keep an answer, or to give it out without asking first. */
const FORBIDDING = ['no-store', 'no-cache', 'private'];

/**
 * Milliseconds, from when the request was sent, for which the answer to it may be used again; 0 when it must not be.
 * A request carries nothing of its user's, so whatever `Vary` names is the same in all of them, save `*`.
 */
export function freshnessLifetimeMs(headers: IncomingHttpHeaders): number {
  const directives = directivesOf(headers['cache-control'] ?? '');
  if (FORBIDDING.some((name) => directives.has(name))) return 0;
  if (headers.vary?.split(',').some((field) => field.trim() === '*')) return 0;
  const lifetime = lifetimeOf(directives, headers);
  const age = headers.age === undefined ? 0 : (secondsOf(headers.age) ?? LONGEST);
  return Math.max(0, lifetime - age) * 1000;
}

/** Seconds; `s-maxage` before `max-age` before `Expires` (section 4.2.1). What can't be read counts as expired. */
function lifetimeOf(directives: ReadonlyMap<string, string>, { expires, date }: IncomingHttpHeaders): number {
  const given = directives.get('s-maxage') ?? directives.get('max-age');
  if (given !== undefined) return secondsOf(given) ?? 0;
  const seconds = (Date.parse(expires ?? '') - Date.parse(date ?? '')) / 1000;
  return Number.isNaN(seconds) ? 0 : Math.min(LONGEST, seconds);
}

function secondsOf(text: string): number | undefined {
  return /^\d+$/.test(text) ? Math.min(LONGEST, Number(text)) : undefined;
}

/** Directive → argument, unquoted; of one that is given twice with different arguments, none that can be read. */
function directivesOf(header: string): Map<string, string> {
  const directives = new Map<string, string>();
  for (const [, name, quoted, plain] of header.matchAll(/([^\s,;="]+)(?:\s*=\s*(?:"([^"]*)"|([^\s,"]*)))?/g)) {
    const key = name.toLowerCase();
    const value = quoted ?? plain ?? '';
    directives.set(key, (directives.get(key) ?? value) === value ? value : '');
  }
  return directives;
}
