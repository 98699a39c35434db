// The store under test: the embedded one, or with TEST_STORE=postgres a database. All stores of a test file share one
// PostgreSQL server, which the tests start.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import t, { type Test } from 'tap';
import { openEmbeddedStore } from '../../lib/store/embedded/store.js';
import { openPostgresStore } from '../../lib/store/postgres/store.js';
import type { Store } from '../../lib/store/types.js';
import { type Cluster, skipped, startCluster, stopClock } from '../store/postgres/server.js';
import { saveTemplate as saveStored } from '../store/suite.js';

export { loggedRenders } from '../store/suite.js';

const onPostgres = process.env.TEST_STORE === 'postgres';
if (onPostgres && skipped) throw new Error(`TEST_STORE=postgres: ${skipped}`);

let starting: Promise<Cluster> | undefined;

function cluster(): Promise<Cluster> {
  if (!starting) {
    starting = startCluster();
    t.teardown(async () => (await starting)?.remove());
  }
  return starting;
}

/** An empty store, closed when the test ends. `clock`: what the rate windows go by, in milliseconds; else real time. */
export async function openTestStore(t: Test, clock?: () => number): Promise<Store> {
  if (!onPostgres) {
    const folder = await mkdtemp(join(tmpdir(), 'platen-'));
    const store = await openEmbeddedStore(folder, clock ? { clock } : {});
    t.teardown(async () => {
      await store.close();
      await rm(folder, { recursive: true });
    });
    return store;
  }
  const server = await cluster();
  const database = await server.create();
  const store = await openPostgresStore(server.url(database));
  t.teardown(() => store.close());
  if (!clock) return store;
  const setClock = await stopClock(server, database);
  return {
    ...store,
    async countRequest(keyId, window, limit) {
      await setClock(clock());
      return await store.countRequest(keyId, window, limit);
    },
  };
}

/** Saves and publishes a template without checking it; returns its id. */
export async function saveTemplate(...fields: Parameters<typeof saveStored>): Promise<string> {
  return (await saveStored(...fields)).id;
}
