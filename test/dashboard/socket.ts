// The dashboard's admin API over a real socket: what a browser sends and receives.
import type { Test } from 'tap';
import { createSecret, hashSecret } from '../../lib/dashboard/sign-in/secrets.js';
import type { Operator, Role } from '../../lib/store/operator-store.js';
import { startWhole, type Whole } from '../service/whole.js';

export interface SocketAsk {
  readonly method?: string;
  /** Below `/dashboard/api/`, with its query. */
  readonly path: string;
  /** Bytes as they are, anything else as JSON. */
  readonly body?: unknown;
  /** By lower-case name; null leaves out what the browser would send. */
  readonly headers?: Readonly<Record<string, string | null>>;
}

export interface SocketReply {
  readonly status: number;
  readonly headers: Headers;
  readonly bytes: Buffer;
  /** The body as JSON; undefined when it is none. */
  // biome-ignore lint/suspicious/noExplicitAny: tests look into it
  readonly json: any;
}

export interface SocketBrowser {
  ask(request: SocketAsk): Promise<SocketReply>;
}

export interface DashboardServer extends Whole {
  /** A browser of somebody who is not signed in yet. */
  browser(cookie?: string): SocketBrowser;
  /** The browser of a new operator, who is signed in. */
  signedIn(role: Role, workspaces?: readonly string[] | null): Promise<SocketBrowser & { readonly who: Operator }>;
  /** A new operator's sign-in token. */
  link(name: string, role: Role): Promise<string>;
}

const HOUR_MS = 3_600_000;

export async function startDashboard(
  t: Test,
  settings: Readonly<Record<string, string>> = {},
): Promise<DashboardServer> {
  const whole = await startWhole(t, settings);
  const { store, url } = whole;
  const later = () => new Date(Date.now() + HOUR_MS).toISOString();

  const browser = (given?: string): SocketBrowser => {
    let cookie = given;
    return {
      async ask({ method = 'GET', path, body, headers }) {
        const isFile = body instanceof Uint8Array;
        const all = {
          'sec-fetch-site': 'same-origin',
          ...(method !== 'GET' && { 'x-platen-csrf': '1', origin: url }),
          ...(body !== undefined && { 'content-type': isFile ? 'application/octet-stream' : 'application/json' }),
          ...(cookie !== undefined && { cookie }),
          ...headers,
        };
        const sent = Object.entries(all).filter((header): header is [string, string] => header[1] !== null);
        const answer = await fetch(`${url}/dashboard/api/${path}`, {
          method,
          headers: sent,
          redirect: 'manual',
          ...(body !== undefined && { body: isFile ? new Uint8Array(body) : JSON.stringify(body) }),
        });
        const bytes = Buffer.from(await answer.arrayBuffer());
        const [set] = answer.headers.getSetCookie();
        if (set !== undefined) cookie = /Max-Age=0/.test(set) ? undefined : set.split(';', 1)[0];
        const isJson = answer.headers.get('content-type')?.startsWith('application/json');
        return {
          status: answer.status,
          headers: answer.headers,
          bytes,
          json: isJson ? JSON.parse(bytes.toString()) : undefined,
        };
      },
    };
  };

  let count = 0;
  return {
    ...whole,
    browser,
    async signedIn(role, workspaces = null) {
      const who = await store.createOperator({ name: `${role} ${++count}`, role, workspaces });
      const secret = createSecret();
      await store.createSession(who.id, { hash: hashSecret(secret)!, expiresAt: later() });
      return { who, ask: browser(`platen=${secret}`).ask };
    },
    async link(name, role) {
      const { id } = await store.createOperator({ name, role, workspaces: null });
      const token = createSecret();
      await store.createSignInToken(id, { hash: hashSecret(token)!, expiresAt: later() });
      return token;
    },
  };
}
