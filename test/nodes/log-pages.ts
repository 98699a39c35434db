// Measures pages of the render log, and the migration of a large database: figures of docs/scaling.md.
import { MIGRATIONS, migrate } from '../../lib/store/postgres/migrate.js';
import { Database } from '../../lib/store/postgres/pool.js';
import { openPostgresStore } from '../../lib/store/postgres/store.js';
import type { RenderLogFilter } from '../../lib/store/types.js';
import { entryOf } from '../store/suite.js';
import { fixed, type Print, table, thousand } from './figures.js';
import type { Fleet } from './fleet.js';

const ENTRIES = 1_000_000;
const TEMPLATES = 10_000;
/** A page is read this often; the table has the median. */
const TIMES = 9;

/** A database of the first schema: nine tenths of the log belong to one workspace, with 50 keys and 200 templates. */
async function oldDatabase({ cluster }: Fleet): Promise<{ database: string; connection: Database }> {
  const database = await cluster.create(true);
  const connection = new Database(cluster.url(database), { connections: 1, warn: () => undefined });
  await migrate(connection, MIGRATIONS.slice(0, 1));
  const ask = (text: string, values: unknown[] = []) => cluster.ask(database, text, values);
  await ask(`INSERT INTO platen.workspaces (id, name, plan, balance) SELECT 'ws_' || n, 'w', 'paid', 0
    FROM generate_series(1, 2) n`);
  const hotspot = { type: 'text', x: 1, y: 2, width: 300, height: 40, text: 'Some text', color: '#123456' };
  const hotspots = Array.from({ length: 30 }, (_, n) => ({ key: `k${n}`, label: `Label ${n}`, ...hotspot }));
  await ask(
    `INSERT INTO platen.templates (id, workspace_id, name, width, height, record)
    SELECT 'tpl_' || n, 'ws_1', 'x', 1, 1, $1 FROM generate_series(1, ${TEMPLATES}) n`,
    [JSON.stringify({ name: 'x', width: 1, height: 1, hotspots })],
  );
  // JSON.stringify writes no white space.
  await ask(`INSERT INTO platen.renders (id, workspace_id, entry)
    SELECT 'render ' || n, 'ws_' || CASE WHEN n % 10 = 0 THEN 2 ELSE 1 END, '{"id":"render ' || n || '","time":"'
      || to_char(timestamp '2026-01-01' + n * interval '1 second', 'YYYY-MM-DD"T"HH24:MI:SS".000Z"')
      || '","workspaceId":"ws_1","keyId":"key_' || n % 50 || '","templateId":"tpl_' || n % 200
      || '","format":"png","width":1200,"height":630,"durationMs":12,"sizeBytes":12345,"creditsCost":1}'
    FROM generate_series(1, ${ENTRIES}) n`);
  await ask('VACUUM ANALYZE');
  return { database, connection };
}

export async function logPages(fleet: Fleet, print: Print): Promise<void> {
  const { database, connection } = await oldDatabase(fleet);
  const [first, second] = MIGRATIONS;
  let [began, locked] = [performance.now(), 0];
  const { steps } = second;
  const startOfLocks = async () => {
    locked = performance.now();
  };
  await migrate(connection, [first, { ...second, steps: [...steps.slice(0, -1), startOfLocks, ...steps.slice(-1)] }]);
  const ended = performance.now();
  await connection.close();
  print(
    `Migration 2 of ${thousand(ENTRIES)} entries and ${thousand(TEMPLATES)} templates: ${fixed((ended - began) / 1000)} s, ` +
      `the last ${fixed((ended - locked) / 1000)} s with exclusive locks.\n`,
  );
  const [{ bytes }] = await fleet.cluster.ask<{ bytes: number }>(
    database,
    `SELECT pg_total_relation_size('platen.renders') / ${ENTRIES}::float8 AS bytes`,
  );
  print(`On disk, indexes included: ${thousand(bytes)} bytes an entry.\n`);
  const store = await openPostgresStore(fleet.cluster.url(database));
  const ask = (text: string) => fleet.cluster.ask(database, text);
  await ask(
    "UPDATE platen.renders SET labels = '{1}', status = CASE WHEN ordinal % 1000 = 1 THEN 'failed' ELSE 'ok' END",
  );
  const metadata = { order: '42' };
  store.appendRender({
    ...entryOf({ id: 'ws_1', name: '', plan: 'paid', balance: 0 }, 'oldest', { metadata: { order: 42 } }),
    time: '2026-01-01T00:00:00.000Z',
  });
  await store.listRenders('ws_1', {}, { limit: 1 });
  await ask('VACUUM ANALYZE platen.renders');
  const hour = { from: '2026-01-05T00:00:00Z', to: '2026-01-05T01:00:00Z' };
  const filters: readonly [string, RenderLogFilter][] = [
    ['none', {}],
    ['`status=failed`: one in 1,000', { status: 'failed' }],
    ['`templateId`: one in 200', { templateId: 'tpl_77' }],
    ['`keyId`: one in 50', { keyId: 'key_7' }],
    ['`from` and `to`: an hour in the past', hour],
    ['`status=ok`', { status: 'ok' }],
    ['`templateId` and `keyId` that never meet', { templateId: 'tpl_77', keyId: 'key_8' }],
    ['`metadata.order`: only the oldest entry', { metadata }],
  ];
  const rows: (string | number)[][] = [];
  for (const [name, filter] of filters) {
    const times: number[] = [];
    let found = 0;
    for (let turn = 0; turn < TIMES; turn++) {
      began = performance.now();
      found = (await store.listRenders('ws_1', filter, { limit: 50 })).items.length;
      times.push(performance.now() - began);
    }
    times.sort((a, b) => a - b);
    rows.push([name, found, fixed(times[(TIMES - 1) / 2]), fixed(times[TIMES - 1])]);
  }
  print(`A page of 50 of ${thousand(ENTRIES)} entries, median and maximum of ${TIMES}:\n`);
  table(print, ['filter', 'entries found', 'ms', 'at most'], rows);
  began = performance.now();
  let pages = 0;
  let [found, cursor] = [0, undefined as string | null | undefined];
  while (cursor !== null) {
    const page = await store.listRenders('ws_1', { metadata }, { limit: 50, cursor: cursor ?? undefined });
    found += page.items.length;
    cursor = page.nextCursor;
    pages++;
  }
  print(`All pages of the last filter: ${pages} in ${fixed((performance.now() - began) / 1000)} s, ${found} found.\n`);
  await store.close();
}
