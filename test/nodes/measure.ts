// Measures what a request costs the nodes and the database, and the capacity of one database: the tables of
// docs/scaling.md. The database runs with fsync, as in production. Clients, nodes and database share the machine, so the
// processor time per request says more than the requests per second.
import { randomUUID } from 'node:crypto';
import { cpus, loadavg } from 'node:os';
import { openPostgresStore } from '../../lib/store/postgres/store.js';
import { fixed, type Print, postmasterOf, rowsOf, table, thousand, verbsOf, walOf } from './figures.js';
import { type Caller, type Fleet, startFleet } from './fleet.js';
import { logPages } from './log-pages.js';
import { startNode } from './node.js';
import { processorSeconds } from './processes.js';
import { startWire } from './wire.js';

/** Settings of the database: like in production, with statistics. */
const SERVER = [
  'fsync=on',
  'shared_buffers=128MB',
  'shared_preload_libraries=pg_stat_statements',
  'pg_stat_statements.track=all',
  'track_wal_io_timing=on',
];
const REQUESTS = 300;
const SECONDS = 8;
/** Clients per node. */
const CLIENTS = 6;

/** Measures, and prints tables in Markdown: five to ten minutes. */
export async function measure(print: Print): Promise<void> {
  const load = loadavg().map((value) => value.toFixed(1));
  print(`${cpus().length} cores (${cpus()[0].model}), Node ${process.version}, load before ${load.join(' ')}\n`);
  const fleet = await startFleet({}, SERVER);
  try {
    await fleet.cluster.ask(fleet.database, 'CREATE EXTENSION pg_stat_statements');
    await oneRequest(fleet, print, false);
    await oneRequest(fleet, print, true);
    await manyNodes(fleet, print);
    await chargesAlone(fleet, print);
    await logPages(fleet, print);
  } finally {
    await fleet.stop();
  }
}

/** Sends sequential requests through a counting proxy, each with a new idempotency key or none. */
async function oneRequest(fleet: Fleet, print: Print, hasKey: boolean): Promise<void> {
  const wire = await startWire(fleet.cluster.folder);
  const node = await startNode(fleet.checkout, { STORE_URL: fleet.cluster.url(fleet.database, wire.folder) });
  const caller = await fleet.caller(1_000_000);
  const ask = async (times: number) => {
    for (let request = 0; request < times; request++) {
      await fleet.post(node, caller, undefined, hasKey ? randomUUID() : undefined);
    }
  };
  try {
    await fleet.ready(node);
    await ask(50);
    await fleet.cluster.ask(fleet.database, 'SELECT pg_stat_statements_reset()');
    const [rowsBefore, walBefore, before] = [await rowsOf(fleet), await walOf(fleet), wire.counted()];
    await ask(REQUESTS);
    const [rowsAfter, walAfter, after] = [await rowsOf(fleet), await walOf(fleet), wire.counted()];
    const statements = await verbsOf(fleet);
    const name = hasKey ? 'One request with an idempotency key' : 'One request';
    print(`${name}, of ${REQUESTS} asked one after the other:\n`);
    const each = (value: number) => value / REQUESTS;
    table(
      print,
      [
        'round trips',
        'bytes to the database',
        'bytes back',
        'bytes of write-ahead log',
        'syncs',
        'rows added, changed, removed',
      ],
      [
        [
          fixed(each(after.trips - before.trips)),
          thousand(each(after.asked - before.asked)),
          thousand(each(after.answered - before.answered)),
          thousand(each(walAfter.bytes - walBefore.bytes)),
          fixed(each(walAfter.syncs - walBefore.syncs)),
          rowsAfter.map((rows, index) => fixed(each(rows - rowsBefore[index]))).join(', '),
        ],
      ],
    );
    const rows = statements.map(({ verb, calls, milliseconds, wal, blocks }) => [
      `\`${verb}\``,
      fixed(each(calls), 2),
      fixed(milliseconds / calls, 2),
      thousand(wal / calls),
      fixed(blocks / calls, 0),
    ]);
    table(print, ['verb', 'a request', 'ms each, in the database', 'log bytes each', 'pages touched'], rows);
  } finally {
    await node.end('SIGKILL');
    await wire.close();
  }
}

/** Measures one, two and three nodes under load, with one workspace per client. */
async function manyNodes(fleet: Fleet, print: Print): Promise<void> {
  const rows: (string | number)[][] = [];
  for (const count of [1, 2, 3]) {
    const callers: Caller[] = [];
    for (let client = 0; client < CLIENTS * count; client++) callers.push(await fleet.caller(1_000_000));
    const asked = { ...fleet, nodes: fleet.nodes.slice(0, count) };
    const pids = asked.nodes.map(({ pid }) => pid);
    const database = postmasterOf(fleet);
    const warm = fleet.load(callers, callers.length, asked.nodes);
    await warm.goesOn(200);
    await warm.end();
    const processors = () => [
      processorSeconds(pids),
      processorSeconds([database]),
      process.cpuUsage().user / 1e6 + process.cpuUsage().system / 1e6,
    ];
    const [walBefore, before, began] = [await walOf(fleet), processors(), performance.now()];
    const load = fleet.load(callers, callers.length, asked.nodes);
    await new Promise((resolve) => setTimeout(resolve, SECONDS * 1000));
    await load.end();
    const seconds = (performance.now() - began) / 1000;
    const [onNodes, onDatabase, onClients] = processors().map((value, index) => value - before[index]);
    const wal = await walOf(fleet);
    const made = load.made();
    const syncs = wal.syncs - walBefore.syncs;
    rows.push([
      count,
      fixed(made / seconds, 0),
      fixed((onNodes / made) * 1000, 2),
      fixed((onDatabase / made) * 1000, 2),
      fixed((onClients / made) * 1000, 2),
      `${fixed((100 * onDatabase) / (onNodes + onDatabase), 0)} %`,
      thousand((wal.bytes - walBefore.bytes) / made),
      fixed(made / syncs),
      fixed((onNodes + onDatabase + onClients) / seconds, 2),
    ]);
  }
  print(`Cards of 8 × 8 pixels, drawn anew each time, ${CLIENTS} clients a node, ${SECONDS} s:\n`);
  const head = ['servers', 'requests per second', 'CPU ms per request: servers', 'database', 'clients'];
  table(
    print,
    [...head, 'share of the database', 'log bytes per request', 'charges per sync', 'cores used in all'],
    rows,
  );
}

/** Only the four database round trips of a request, by several workers, on one shared workspace and on one each. */
async function chargesAlone(fleet: Fleet, print: Print): Promise<void> {
  const rows: (string | number)[][] = [];
  const database = postmasterOf(fleet);
  for (const [workspaces, workers] of [
    [1, 1],
    [1, 16],
    [16, 16],
    [40, 40],
  ]) {
    const store = await openPostgresStore(fleet.cluster.url(fleet.database), { connections: workers });
    const found: { workspaceId: string; hash: string }[] = [];
    for (let made = 0; made < workspaces; made++) {
      const { workspaceId, hash } = await fleet.caller(10_000_000);
      found.push({ workspaceId, hash });
    }
    let charges = 0;
    let isOver = false;
    const work = Array.from({ length: workers }, async (_, worker) => {
      const { workspaceId, hash } = found[worker % found.length];
      while (!isOver) {
        const caller = await store.findKey(hash);
        await store.countRequest(caller!.key.id, 'render', 1_000_000);
        const held = await store.hold(workspaceId, 1);
        if ('hold' in held) await store.settle(held.hold);
        charges++;
      }
    });
    const [wal, before, began] = [await walOf(fleet), processorSeconds([database]), performance.now()];
    charges = 0;
    await new Promise((resolve) => setTimeout(resolve, SECONDS * 1000));
    const made = charges;
    const seconds = (performance.now() - began) / 1000;
    const [after, busy] = [await walOf(fleet), processorSeconds([database]) - before];
    isOver = true;
    await Promise.all(work);
    await store.close();
    const syncs = after.syncs - wal.syncs;
    rows.push([
      workspaces,
      workers,
      fixed(made / seconds, 0),
      fixed((busy / made) * 1000, 2),
      fixed(made / syncs),
      fixed((after.syncMs - wal.syncMs) / syncs, 2),
    ]);
  }
  const [sizes] = await fleet.cluster.ask<{ charge: number; entry: number }>(
    fleet.database,
    `SELECT pg_total_relation_size('platen.charges') / (SELECT count(*) FROM platen.charges)::float8 AS charge,
      pg_total_relation_size('platen.renders') / (SELECT count(*) FROM platen.renders)::float8 AS entry`,
  );
  print(
    `On disk, indexes included: ${thousand(sizes.charge)} bytes a charge, ${thousand(sizes.entry)} an entry of the log.\n`,
  );
  print(`The verbs of a request alone (find_key, count_request, hold, settle), ${SECONDS} s each:\n`);
  const head = ['workspaces', 'concurrent requests', 'requests per second', 'CPU ms of the database each'];
  table(print, [...head, 'charges per sync', 'ms per sync'], rows);
}
