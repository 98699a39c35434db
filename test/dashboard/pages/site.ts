// A whole server with the dashboard, for tests in browsers: its own data folder, operators of each role, and some history.
import { existsSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { createServer, type Server } from 'node:net';
import { join } from 'node:path';
import type { Test } from 'tap';
import { createDashboard } from '../../../lib/dashboard/index.js';
import { createPasswords } from '../../../lib/dashboard/sign-in/passwords.js';
import { createSecret, createSignInLink, hashSecret } from '../../../lib/dashboard/sign-in/secrets.js';
import { serve } from '../../../lib/service/serve.js';
import { readSettings } from '../../../lib/settings.js';
import { createRawKey, hashKey } from '../../../lib/store/api-keys.js';
import type { Operator, Role } from '../../../lib/store/operator-store.js';
import type { Store, Workspace } from '../../../lib/store/types.js';
import { ROOT } from '../../checkout.js';
import { openTestStore, saveTemplate } from '../../service/stores.js';
import type { Visitor } from './visitor.js';

/** Why tests of the pages are skipped; false if `npm run build` has made them. */
export const unbuilt =
  !existsSync(join(ROOT, 'dist/dashboard/manifest.json')) && 'the pages are not built: npm run build';

export const PASSWORD = 'correct horse battery staple';

export interface Site {
  readonly origin: string;
  readonly store: Store;
  /** Lines of the server's log: every request, of workers too. */
  readonly log: Record<string, unknown>[];
  /** Its operators have `PASSWORD`. */
  operator(name: string, role: Role, workspaces?: readonly string[] | null): Promise<Operator>;
  /** A sign-in link of an operator. */
  link(operator: Operator): Promise<string>;
  /** Signs a visitor in without the page. */
  signIn(visitor: Visitor, operator: Operator): Promise<void>;
  /** A raw key of a workspace. */
  key(workspace: Workspace, name: string): Promise<string>;
  render(key: string, body: object): Promise<Response>;
  /** Stops the server, as a crash would; `resume` starts it again on the same port and data. */
  pause(): Promise<void>;
  resume(): Promise<void>;
}

export async function startSite(t: Test, settings: Readonly<Record<string, string>> = {}): Promise<Site> {
  const store: Store = await openTestStore(t);
  const log: Record<string, unknown>[] = [];
  const port = await freePort();
  const start = () =>
    serve({
      settings: readSettings({
        PORT: String(port),
        RENDER_WORKERS: '0',
        RENDER_TIMEOUT_MS: '600000',
        API_KEY_RATE_LIMIT_PER_MIN: '100000',
        LOG_LEVEL: 'debug',
        LOG_VARIABLES: 'on',
        ...settings,
      }),
      store,
      log: { write: (line) => void log.push(JSON.parse(line)) },
      dashboard: (parts) => createDashboard({ ...parts, store, version: '0.0.0-test' }),
    });
  let running: Awaited<ReturnType<typeof start>> | undefined = await start();
  const pause = async () => {
    await running?.stop(0);
    running = undefined;
  };
  t.teardown(pause);
  const origin = `http://127.0.0.1:${port}`;
  let passwordHash: Promise<string> | undefined;
  return {
    origin,
    store,
    log,
    async operator(name, role, workspaces = null) {
      const operator = await store.createOperator({ name, role, workspaces });
      const hash = hashSecret(createSecret())!;
      await store.createSignInToken(operator.id, { hash, expiresAt: inAnHour() });
      passwordHash ??= createPasswords().hash(PASSWORD);
      return (await store.setPassword(hash, await passwordHash))!;
    },
    link: ({ id }) => createSignInLink(store, id, origin),
    async signIn({ context }, { id }) {
      const secret = createSecret();
      await store.createSession(id, { hash: hashSecret(secret)!, expiresAt: inAnHour() });
      await context.setCookie({ name: 'platen', value: secret, domain: '127.0.0.1', path: '/', httpOnly: true });
    },
    async key({ id: workspaceId }, name) {
      const key = createRawKey();
      await store.createKey({ workspaceId, name, scopes: ['render:write'], hash: hashKey(key) });
      return key;
    },
    render: (key, body) =>
      fetch(`${origin}/v1/render`, {
        method: 'POST',
        headers: { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' },
        body: JSON.stringify(body),
      }),
    pause,
    async resume() {
      running = await start();
    },
  };
}

const inAnHour = () => new Date(Date.now() + 3_600_000).toISOString();

/** A port that is free now: a server that starts again needs the one that it had. */
async function freePort(): Promise<number> {
  const server: Server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}

/** The template of the workspaces that `fill` makes. */
export const CARD = {
  name: 'Social card',
  width: 120,
  height: 63,
  backgroundColor: '#14213d',
  hotspots: [
    {
      key: 'title',
      label: 'Title',
      type: 'text',
      text: 'Hello',
      x: 4,
      y: 4,
      width: 112,
      height: 55,
      fontSize: 14,
      color: 'white',
    },
  ],
};

/** A workspace with credits, a template, a key, and renders that succeeded and failed. */
export async function fill(site: Site, name: string, credits = 1000) {
  const workspace = await site.store.createWorkspace({ name, plan: 'paid', credits });
  const templateId = await saveTemplate(site.store, workspace.id, CARD);
  const key = await site.key(workspace, 'Web shop');
  const renders: Response[] = [];
  for (const body of [
    { templateId, variables: { title: 'First' }, metadata: { order: 41, customer: 'Ada <b>Lovelace</b>' } },
    { templateId, variables: { title: 'Second' }, metadata: { order: 42 }, format: 'webp' },
    { canvas: { width: 8, height: 8 }, layers: [], colour: 'a field that is unknown', metadata: { order: 43 } },
    { templateId: 'tpl_gone', metadata: { order: 44 } },
  ]) {
    const answer = await site.render(key, body);
    await answer.arrayBuffer();
    renders.push(answer);
  }
  return { workspace, templateId, key, renders };
}
