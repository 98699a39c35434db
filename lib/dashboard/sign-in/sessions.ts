// Manages operators' sessions: a cookie holds a secret, and the store knows its hash.
import type { ApiRequest } from '../../service/request.js';
import type { Operator, OperatorStore } from '../../store/operator-store.js';
import { cookieName, readCookie, setCookie } from './cookies.js';
import { createSecret, hashSecret } from './secrets.js';

const IDLE_MS = 12 * 3_600_000;
const LONGEST_S = 7 * 86_400;

export interface Sessions {
  /** Finds the operator whose session the request's cookie names. */
  find(request: ApiRequest): Promise<Operator | undefined>;
  /**
   * Starts a session and ends the one of the request. Resolves with the value of Set-Cookie.
   * Rejects if the operator's password has changed since `passwordHash` was read.
   */
  start(operator: Operator, request: ApiRequest, passwordHash: string): Promise<string>;
  /** Ends the request's session. Resolves with the value of Set-Cookie. */
  end(request: ApiRequest): Promise<string>;
}

export type SessionStore = Pick<OperatorStore, 'createSession' | 'useSession' | 'endSession'>;

/** `isSecure` says that browsers reach the server by https only. */
export function createSessions(store: SessionStore, isSecure: boolean): Sessions {
  const name = cookieName('platen', isSecure);
  const hashOf = (request: ApiRequest) => {
    const secret = readCookie(request.header?.('cookie'), name);
    return secret === undefined ? undefined : hashSecret(secret);
  };
  const endOwn = async (request: ApiRequest) => {
    const hash = hashOf(request);
    if (hash !== undefined) await store.endSession(hash);
  };
  return {
    async find(request) {
      const hash = hashOf(request);
      return hash === undefined ? undefined : await store.useSession(hash, IDLE_MS);
    },
    async start({ id }, request, passwordHash) {
      await endOwn(request);
      const secret = createSecret();
      const expiresAt = new Date(Date.now() + LONGEST_S * 1000).toISOString();
      await store.createSession(id, { hash: hashSecret(secret)!, expiresAt }, passwordHash);
      return setCookie(name, secret, LONGEST_S, isSecure);
    },
    async end(request) {
      await endOwn(request);
      return setCookie(name, '', 0, isSecure);
    },
  };
}
