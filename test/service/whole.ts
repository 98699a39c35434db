// Starts the whole server on a free port, from sources or from a build, with its own store, and creates callers for it.
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Test } from 'tap';
import * as serveModule from '../../lib/service/serve.js';
import { readSettings } from '../../lib/settings.js';
import { createRawKey, hashKey } from '../../lib/store/api-keys.js';
import * as embeddedModule from '../../lib/store/embedded/store.js';
import * as postgresModule from '../../lib/store/postgres/store.js';
import type { Plan, Scope, Store } from '../../lib/store/types.js';
import { openTestStore } from './stores.js';

const WRITE: readonly Scope[] = ['render:write'];

export interface Whole {
  readonly url: string;
  /** Where the figures are, with METRICS_PORT. */
  readonly metricsUrl: string | undefined;
  readonly store: Store;
  readonly log: Record<string, unknown>[];
  stop(graceMs?: number): Promise<void>;
  caller(options?: {
    credits?: number;
    plan?: Plan;
    scopes?: readonly Scope[];
  }): Promise<{ workspaceId: string; key: string }>;
  post(key: string, body: unknown, signal?: AbortSignal): Promise<Response>;
}

/**
 * Starts the server. Render processes need JavaScript: with `RENDER_WORKERS` above 0, `checkout` is the folder of a built
 * copy (checkout.ts).
 */
export async function startWhole(t: Test, settings: Record<string, string>, checkout?: string): Promise<Whole> {
  const from = <Module>(path: string, source: Module): Promise<Module> | Module =>
    checkout === undefined ? source : import(pathToFileURL(join(checkout, 'dist', path)).href);
  const { serve } = await from('lib/service/serve.js', serveModule);
  const { openEmbeddedStore } = await from('lib/store/embedded/store.js', embeddedModule);
  const { openPostgresStore } = await from('lib/store/postgres/store.js', postgresModule);
  const store = await openTestStore(t, undefined, { openEmbeddedStore, openPostgresStore });
  t.teardown(() => stop());
  const log: Record<string, unknown>[] = [];
  // No render and no download is late because the machine is slow, unless a test wants it to be.
  const unhurried = { RENDER_TIMEOUT_MS: '600000', ASSET_TIMEOUT_MS: '600000' };
  const all = { PORT: '0', API_KEY_RATE_LIMIT_PER_MIN: '100000', RENDER_WORKERS: '0', ...unhurried, ...settings };
  let running: serveModule.RunningServer | undefined;
  let stopped: Promise<void> | undefined;
  const stop = (graceMs = 0) => {
    stopped ??= running?.stop(graceMs);
    return stopped ?? Promise.resolve();
  };
  running = await serve({
    settings: readSettings(all),
    store,
    log: { write: (line) => void log.push(JSON.parse(line)) },
  });
  const { url, metricsUrl } = running;
  return {
    url,
    metricsUrl,
    store,
    log,
    stop,
    async caller({ credits = 1000, plan = 'paid', scopes = WRITE } = {}) {
      const { id: workspaceId } = await store.createWorkspace({ name: 'Test', plan, credits });
      const key = createRawKey();
      await store.createKey({ workspaceId, name: 'test', scopes, hash: hashKey(key) });
      return { workspaceId, key };
    },
    post: (key, body, signal) =>
      fetch(`${url}/v1/render`, {
        method: 'POST',
        headers: { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' },
        body: JSON.stringify(body),
        ...(signal && { signal }),
      }),
  };
}
