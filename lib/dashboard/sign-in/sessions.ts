// The sessions of operators: a cookie with a secret that the store knows by its hash.
import type { ApiRequest } from '../../service/request.js';
import type { Operator, OperatorStore } from '../../store/operator-store.js';
import { createSecret, hashSecret } from './secrets.js';

const IDLE_MS = 12 * 3_600_000;
const LONGEST_S = 7 * 86_400;

export interface Sessions {
  /** The operator whose session the request's cookie names. */
  find(request: ApiRequest): Promise<Operator | undefined>;
  /**
   * Starts a session in place of the request's own, which ends. Resolves with the value of Set-Cookie.
   * With `passwordHash`, rejects if the operator has another password by now.
   */
  start(operator: Operator, request: ApiRequest, passwordHash?: string): Promise<string>;
  /** Ends the request's session. Resolves with the value of Set-Cookie. */
  end(request: ApiRequest): Promise<string>;
}

export type SessionStore = Pick<OperatorStore, 'createSession' | 'useSession' | 'endSession'>;

/** `isSecure`: browsers reach the server by https only. */
export function createSessions(store: SessionStore, isSecure: boolean): Sessions {
  // with the prefix, no other host and no page without TLS can set the cookie
  const name = isSecure ? '__Host-platen' : 'platen';
  const attributes = `HttpOnly; SameSite=Strict; Path=/${isSecure ? '; Secure' : ''}`;
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
      return `${name}=${secret}; Max-Age=${LONGEST_S}; ${attributes}`;
    },
    async end(request) {
      await endOwn(request);
      return `${name}=; Max-Age=0; ${attributes}`;
    },
  };
}

/** The value of the cookie `name`. Of two with this name one may be another site's, so neither counts. */
function readCookie(header = '', name: string): string | undefined {
  const values = header.split(';').flatMap((pair) => {
    const [key, value] = pair.trim().split('=', 2);
    return key === name ? [value ?? ''] : [];
  });
  return values.length === 1 ? values[0] : undefined;
}
