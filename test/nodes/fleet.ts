// Three nodes on one database, with callers, load and the charges in the database.
import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { createRawKey, hashKey } from '../../lib/store/api-keys.js';
import { openPostgresStore } from '../../lib/store/postgres/store.js';
import { makeCheckout, ownEnvironment } from '../checkout.js';
import { eventually } from '../eventually.js';
import { LONG } from '../exhaustive.js';
import { type Cluster, startCluster } from '../store/postgres/server.js';
import { ask, connections, type Reply, Tally } from './client.js';
import { type Node, startNode } from './node.js';

/** For tests that kill no node: a node with one process starts in a third of the processor time of one with three. */
export const WORKERS = { RENDER_WORKERS: LONG ? '1' : '0' };

export interface Caller {
  readonly workspaceId: string;
  readonly keyId: string;
  readonly key: string;
  /** SHA-256 of the key, as the store knows it. */
  readonly hash: string;
  readonly granted: number;
}

/** The credits of a workspace in the database. */
export interface Ledger {
  readonly balance: number;
  /** Sum of its charges. */
  readonly charged: number;
  /** Number of its charges. */
  readonly charges: number;
  readonly holds: number;
}

export interface Fleet {
  readonly cluster: Cluster;
  readonly database: string;
  /** The folder of the built program that the nodes run. */
  readonly checkout: string;
  readonly nodes: Node[];
  caller(credits: number): Promise<Caller>;
  post(node: Node, caller: Caller, body?: unknown, idempotencyKey?: string): Promise<Reply>;
  get(node: Node, path: string): Promise<Reply>;
  /** Resolves when /readyz of the node returns 200. */
  ready(node: Node): Promise<void>;
  /** Runs an admin command and returns its JSON output. */
  admin(...words: string[]): Promise<unknown>;
  ledger(caller: Caller): Promise<Ledger>;
  /** Number of idempotency keys that charges of the caller have settled. */
  settledKeys(caller: Caller): Promise<number>;
  /** Makes all holds and leases expire now. */
  expireHolds(): Promise<void>;
  /** Starts clients that send one request after the other to the nodes (default: all) in turn, until `end`. */
  load(callers: readonly Caller[], clients: number, asked?: readonly Node[]): Load;
  /** Stops the nodes and the database and removes their files. */
  stop(): Promise<void>;
}

export interface Load {
  readonly tallies: ReadonlyMap<Caller, Tally>;
  /** Number of 200 responses so far. */
  made(): number;
  /** Waits for `more` further 200 responses. */
  goesOn(more?: number): Promise<void>;
  end(): Promise<void>;
}

/** Starts three nodes on a new database; `stop` them. `server`: settings of the database, `name=value`. */
export async function startFleet(
  settings: Readonly<Record<string, string>> = {},
  server: readonly string[] = [],
): Promise<Fleet> {
  const checkout = mkdtempSync(join(tmpdir(), 'platen-nodes-'));
  const cluster = await startCluster(server);
  makeCheckout(checkout);
  const database = await cluster.create();
  const url = cluster.url(database);
  const store = await openPostgresStore(url, { connections: 2, warn: () => undefined });
  const agent = connections();
  const own = { STORE_URL: url, ...settings };
  const nodes = await Promise.all(Array.from({ length: 3 }, () => startNode(checkout, own)));
  const fleet: Fleet = {
    cluster,
    database,
    checkout,
    nodes,
    async stop() {
      for (const node of nodes) {
        node.freeze(false);
        await node.end('SIGKILL');
      }
      agent.destroy();
      await store.close();
      await cluster.remove();
      rmSync(checkout, { recursive: true, force: true, maxRetries: 10, retryDelay: 50 });
    },
    ready: (node) => eventually(async () => (await fleet.get(node, '/readyz')).status === 200, 'the node is ready'),
    async caller(credits) {
      const { id: workspaceId } = await store.createWorkspace({ name: 'Test', plan: 'paid', credits });
      const key = createRawKey();
      const hash = hashKey(key);
      const { id: keyId } = await store.createKey({ workspaceId, name: 'test', scopes: ['render:write'], hash });
      return { workspaceId, keyId, key, hash, granted: credits };
    },
    post: ({ url: at }, { key }, body, idempotencyKey) =>
      ask(agent, at, { key, idempotencyKey, ...(body !== undefined && { body }) }),
    get: ({ url: at }, path) => ask(agent, at, { path }),
    async admin(...words) {
      const command = [join(checkout, 'dist/bin/render.js'), ...words, '--json'];
      const environment = { ...ownEnvironment(checkout), STORE_URL: url };
      return JSON.parse((await promisify(execFile)(process.execPath, command, { env: environment })).stdout);
    },
    async ledger({ workspaceId }) {
      const text = `SELECT w.balance / 1e6::float8 AS balance, c.charged, c.charges, h.holds FROM platen.workspaces w,
        LATERAL (SELECT coalesce(sum(cost), 0) / 1e6::float8 AS charged, count(*)::int AS charges
          FROM platen.charges WHERE workspace_id = w.id) c,
        LATERAL (SELECT count(*)::int AS holds FROM platen.holds WHERE workspace_id = w.id) h WHERE w.id = $1`;
      const [row] = await cluster.ask<Ledger>(database, text, [workspaceId]);
      return { ...row };
    },
    async settledKeys({ workspaceId }) {
      const text = `SELECT count(*)::int AS settled FROM platen.idempotency_keys k JOIN platen.charges c ON c.id = k.hold
        WHERE c.workspace_id = $1 AND k.render_id IS NOT NULL`;
      return (await cluster.ask<{ settled: number }>(database, text, [workspaceId]))[0].settled;
    },
    async expireHolds() {
      for (const table of ['holds', 'idempotency_keys']) {
        const condition = table === 'holds' ? '' : 'WHERE render_id IS NULL';
        const text = `UPDATE platen.${table} SET expires_at = clock_timestamp() - interval '1 second' ${condition}`;
        await cluster.ask(database, text);
      }
    },
    load(callers, clients, asked = nodes) {
      const tallies = new Map(callers.map((caller) => [caller, new Tally()]));
      const made = () => [...tallies.values()].reduce((sum, tally) => sum + tally.made, 0);
      let isOver = false;
      const running = Array.from({ length: clients }, async (_, client) => {
        const caller = callers[client % callers.length];
        for (let turn = client; !isOver; turn++) {
          const status = await tallies.get(caller)!.count(fleet.post(asked[turn % asked.length], caller));
          // Without a pause, requests that fail fast would be sent a thousand times per second.
          if (status !== 200) await sleep(20);
        }
      });
      return {
        tallies,
        made,
        async goesOn(more = 20) {
          const wanted = made() + more;
          await eventually(() => made() >= wanted, 'renders succeed');
        },
        async end() {
          isOver = true;
          await Promise.all(running);
        },
      };
    },
  };
  await Promise.all(nodes.map(fleet.ready));
  return fleet;
}
