// The dashboard without a socket: a real store with operators in memory, and a browser that sends what browsers send.

import { pino } from 'pino';
import type { Test } from 'tap';
import { createDashboard, type DashboardOptions } from '../../lib/dashboard/index.js';
import { createSecret, hashSecret } from '../../lib/dashboard/sign-in/secrets.js';
import { ServiceError } from '../../lib/errors.js';
import { MemoryBudget } from '../../lib/service/admission/memory-budget.js';
import type { DashboardParts } from '../../lib/service/compose.js';
import type { ApiRequest, RequestOutcome, Service } from '../../lib/service/request.js';
import { readSettings } from '../../lib/settings.js';
import type { Operator, Role } from '../../lib/store/operator-store.js';
import type { Store } from '../../lib/store/types.js';
import { openTestStore } from '../service/stores.js';
import { standIn } from '../service/world.js';

export const PASSWORD = 'correct horse battery';

export interface Ask {
  readonly method?: string;
  /** Below `/dashboard/api/` unless it starts with a slash. */
  readonly path: string;
  readonly query?: string;
  /** By lower-case name; null leaves out what the browser would send. */
  readonly headers?: Readonly<Record<string, string | null>>;
  /** The host that the request names; null for none. */
  readonly authority?: string | null;
  /** Text and bytes as they are, anything else as JSON. */
  readonly body?: unknown;
}

export interface Reply {
  readonly status: number;
  /** By lower-case name. */
  readonly headers: ReadonlyMap<string, string>;
  readonly text: string;
  /** The body as JSON; undefined when it is none. */
  // biome-ignore lint/suspicious/noExplicitAny: tests look into it
  readonly json: any;
  readonly outcome: RequestOutcome;
}

/** A browser with the dashboard's cookie. */
export interface Browser {
  readonly cookie: string | undefined;
  ask(request: Ask): Promise<Reply>;
}

export interface DashboardWorld {
  readonly store: Store;
  readonly dashboard: Service;
  /** The options that the dashboard was created with. */
  readonly parts: DashboardOptions;
  /** A browser of somebody who is not signed in. */
  stranger(cookie?: string): Browser;
  /** The browser of a new operator, who is signed in. */
  operator(role: Role, workspaces?: readonly string[] | null): Promise<Browser & { readonly who: Operator }>;
  /** A new operator's sign-in token. */
  link(role?: Role, name?: string): Promise<{ readonly who: Operator; readonly token: string }>;
}

export interface DashboardWorldOptions {
  readonly settings?: Readonly<Record<string, string>>;
  readonly parts?: Partial<DashboardParts>;
  /** Clock, in milliseconds, of the limit on verified renders. */
  readonly clock?: () => number;
}

const HOST = '127.0.0.1:8080';

export async function createDashboardWorld(t: Test, options: DashboardWorldOptions = {}): Promise<DashboardWorld> {
  const settings = readSettings(options.settings ?? {});
  const store = await openTestStore(t);
  const parts = {
    engine: standIn(),
    settings,
    phase: () => 'serving',
    logger: pino({ level: 'silent' }),
    memoryBudget: new MemoryBudget(Number.POSITIVE_INFINITY),
    resolve: async () => [],
    allowAddress: () => true,
    workspaceAssets: { read: async () => Promise.reject(new Error('no assets')), findFonts: async () => new Map() },
    userFonts: [],
    port: () => settings.PORT,
    ...options.parts,
    store,
    version: '1.2.3',
    ...(options.clock && { clock: options.clock }),
  } as DashboardOptions;
  const dashboard = createDashboard(parts);

  const stranger = (given?: string): Browser => {
    /** By name; `given` is sent as it is until the server sets one. */
    const cookies = new Map<string, string>();
    const sent = () => (cookies.size === 0 ? given : Array.from(cookies.values()).join('; '));
    return {
      /** Cookie of the session. */
      get cookie() {
        return cookies.size === 0 ? given : (cookies.get('platen') ?? cookies.get('__Host-platen'));
      },
      async ask(request) {
        const outcome = await dashboard(toApiRequest(request, sent()));
        const reply = checked(t, toReply(outcome));
        for (const set of outcome.answer.cookies ?? []) {
          const [pair] = set.split(';', 1);
          const [name] = pair.split('=', 1);
          if (/Max-Age=0/.test(set)) cookies.delete(name);
          else cookies.set(name, pair);
        }
        return reply;
      },
    };
  };

  let count = 0;
  const link = async (
    role: Role = 'owner',
    name = `Operator ${++count}`,
    workspaces: readonly string[] | null = null,
  ) => {
    const who = await store.createOperator({ name, role, workspaces });
    const token = createSecret();
    await store.createSignInToken(who.id, { hash: hashSecret(token)!, expiresAt: inAMinute() });
    return { who, token };
  };
  return {
    store,
    parts,
    dashboard,
    stranger,
    link,
    async operator(role, workspaces = null) {
      const { who } = await link(role, undefined, workspaces);
      const secret = createSecret();
      await store.createSession(who.id, { hash: hashSecret(secret)!, expiresAt: inAMinute() });
      const browser = stranger(`platen=${secret}`);
      return { who, ask: browser.ask, cookie: browser.cookie };
    },
  };
}

const inAMinute = () => new Date(Date.now() + 60_000).toISOString();

function toApiRequest(
  { method = 'GET', path, query, authority = HOST, body, ...rest }: Ask,
  cookie?: string,
): ApiRequest {
  const bytes =
    body instanceof Uint8Array ? body : Buffer.from(typeof body === 'string' ? body : JSON.stringify(body ?? ''));
  const isRead = method === 'GET' || method === 'HEAD';
  const headers: Readonly<Record<string, string | null | undefined>> = {
    'sec-fetch-site': 'same-origin',
    'x-platen-csrf': '1',
    ...(!isRead && { origin: `http://${authority}`, 'content-type': 'application/json' }),
    cookie,
    ...rest.headers,
  };
  return {
    method,
    path: path.startsWith('/') ? path : `/dashboard/api/${path}`,
    query,
    authority: authority ?? undefined,
    header: (name) => headers[name] ?? undefined,
    authorization: headers.authorization ?? undefined,
    ifNoneMatch: headers['if-none-match'] ?? undefined,
    ifMatch: headers['if-match'] ?? undefined,
    declaredBytes: bytes.length,
    async body(maxBytes) {
      if (bytes.length > maxBytes) throw new ServiceError('payload_too_large', 'too large');
      return bytes;
    },
    signal: new AbortController().signal,
  };
}

function toReply(outcome: RequestOutcome): Reply {
  const { status, headers, body } = outcome.answer;
  const bytes = body instanceof Uint8Array ? Buffer.from(body) : Buffer.from([...(body as Iterable<string>)].join(''));
  const isJson = headers.get('Content-Type')?.startsWith('application/json');
  return {
    status,
    headers: new Map(Array.from(headers, ([name, value]) => [name.toLowerCase(), value])),
    text: bytes.toString(),
    json: isJson ? JSON.parse(bytes.toString()) : undefined,
    outcome,
  };
}

/** Checks the rules for every answer below `/dashboard`. */
function checked(t: Test, reply: Reply): Reply {
  const { status, headers, json, text, outcome } = reply;
  for (const name of headers.keys()) t.notMatch(name, /^access-control-/, 'no other origin may read it');
  t.equal(headers.get('x-content-type-options'), 'nosniff');
  t.equal(headers.get('referrer-policy'), 'no-referrer');
  t.equal(headers.get('cross-origin-opener-policy'), 'same-origin');
  t.match(headers.get('content-security-policy'), /default-src 'none'.*frame-ancestors 'none'/);
  t.notMatch(headers.get('content-security-policy'), /unsafe-inline|'unsafe-eval'|https?:|\*/);
  if (outcome.route?.startsWith('/dashboard/api/')) t.equal(headers.get('cache-control'), 'no-store');
  t.equal(headers.has('allow'), status === 405, 'Allow on 405 alone');
  t.equal(headers.has('retry-after'), status === 429 || status === 503, 'Retry-After on what passes alone');
  if (status >= 400) {
    t.equal(json.success, false);
    t.ok(typeof json.error === 'string' && json.error !== '', 'a message');
    t.equal(json.code, outcome.code);
    t.notMatch(text, /\n\s+at |\.ts:|svc_live_/, 'neither a stack nor a key');
  }
  return reply;
}
