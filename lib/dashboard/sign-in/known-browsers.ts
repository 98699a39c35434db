// A browser that has signed in keeps a proof of it, which is no session: its next sign-in by the same name waits in a separate
// queue. So strangers who guess passwords can't keep people from signing in (OWASP calls it a device cookie).
import { createHmac, timingSafeEqual } from 'node:crypto';
import type { ApiRequest } from '../../service/request.js';
import { cookieName, readCookie, setCookie } from './cookies.js';

const LONGEST_S = 400 * 86_400;

export interface KnownBrowsers {
  /** Says whether the browser has signed in as the operator with this password hash. */
  isKnown(request: ApiRequest, passwordHash: string | undefined): boolean;
  /** Builds the value of Set-Cookie. */
  cookieFor(passwordHash: string): string;
}

export function createKnownBrowsers(isSecure: boolean): KnownBrowsers {
  const name = cookieName('platen-browser', isSecure);
  return {
    isKnown(request, passwordHash) {
      const proof = readCookie(request.header?.('cookie'), name);
      if (proof === undefined || passwordHash === undefined) return false;
      const [received, expected] = [proof, proofOf(passwordHash)].map((text) => Buffer.from(text));
      return received.length === expected.length && timingSafeEqual(received, expected);
    },
    cookieFor: (passwordHash) => setCookie(name, proofOf(passwordHash), LONGEST_S, isSecure),
  };
}

/** Signs the password hash: nothing has to be stored, and a new password ends all proofs because its hash has another salt. */
function proofOf(passwordHash: string): string {
  return createHmac('sha256', passwordHash).update('known browser').digest('base64url');
}
