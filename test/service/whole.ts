// Starts the whole server on a free port, with its own store, and creates callers for it.
import { join } from 'node:path';
import type { Test } from 'tap';
import { createDashboard } from '../../lib/dashboard/index.js';
import { type RunningServer, serve } from '../../lib/service/serve.js';
import { readSettings } from '../../lib/settings.js';
import { createRawKey, hashKey } from '../../lib/store/api-keys.js';
import type { Plan, Scope, Store } from '../../lib/store/types.js';
import { openTestStore } from './stores.js';

const WRITE: readonly Scope[] = ['render:write'];

export interface Whole {
  readonly url: string;
  /** Address of the metrics; defined with METRICS_PORT. */
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
 * Starts the server. With `RENDER_WORKERS` above 0, `checkout` is the folder of a built copy (checkout.ts), whose command
 * the render processes run: it starts in a third of the time of the sources.
 */
export async function startWhole(
  t: Test,
  settings: Record<string, string>,
  checkout?: string,
  ownStore?: Store,
): Promise<Whole> {
  const store = ownStore ?? (await openTestStore(t));
  t.teardown(() => stop());
  const log: Record<string, unknown>[] = [];
  // No render and no download is late because the machine is slow, unless a test wants it to be.
  const unhurried = { RENDER_TIMEOUT_MS: '600000', ASSET_TIMEOUT_MS: '600000' };
  const all = { PORT: '0', API_KEY_RATE_LIMIT_PER_MIN: '100000', RENDER_WORKERS: '0', ...unhurried, ...settings };
  let running: RunningServer | undefined;
  let stopped: Promise<void> | undefined;
  const stop = (graceMs = 0) => {
    stopped ??= running?.stop(graceMs);
    return stopped ?? Promise.resolve();
  };
  running = await serve({
    settings: readSettings(all),
    store,
    ...(checkout && { renderer: { entry: join(checkout, 'dist/lib/worker.js') } }),
    log: { write: (line) => void log.push(JSON.parse(line)) },
    dashboard: (parts) => createDashboard({ ...parts, store, version: '1.2.3' }),
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
