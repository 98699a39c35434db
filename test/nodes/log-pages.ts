// Measures pages of the render log of a large database: figures of docs/scaling.md.
import { openPostgresStore } from '../../lib/store/postgres/store.js';
import type { RenderLogFilter } from '../../lib/store/types.js';
import { entryOf } from '../store/suite.js';
import { fixed, type Print, table, thousand } from './figures.js';
import type { Fleet } from './fleet.js';

const ENTRIES = 1_000_000;
/** A page is read this often; the table has the median. */
const TIMES = 9;

/** A large render log: nine tenths of it belong to one workspace, with 50 keys and 200 templates. */
async function largeDatabase({ cluster }: Fleet): Promise<string> {
  const database = await cluster.create();
  const ask = (text: string) => cluster.ask(database, text);
  await ask(`INSERT INTO platen.workspaces (id, name, plan, balance) SELECT 'ws_' || n, 'w', 'paid', 0
    FROM generate_series(1, 2) n`);
  await ask(`INSERT INTO platen.renders (id, workspace_id, entry, time, key_id, template_id)
    SELECT 'render ' || n, workspace_id, '{"id":"render ' || n || '","time":"'
      || to_char(time, 'YYYY-MM-DD"T"HH24:MI:SS".000Z"') || '","workspaceId":"' || workspace_id || '","keyId":"' || key_id
      || '","templateId":"' || template_id
      || '","format":"png","width":1200,"height":630,"durationMs":12,"sizeBytes":12345,"creditsCost":1}',
      time AT TIME ZONE 'UTC', key_id, template_id
    FROM (SELECT n, 'ws_' || CASE WHEN n % 10 = 0 THEN 2 ELSE 1 END AS workspace_id, 'key_' || n % 50 AS key_id,
      'tpl_' || n % 200 AS template_id, timestamp '2026-01-01' + n * interval '1 second' AS time
      FROM generate_series(1, ${ENTRIES}) n) numbered`);
  await ask('VACUUM ANALYZE');
  return database;
}

export async function logPages(fleet: Fleet, print: Print): Promise<void> {
  const database = await largeDatabase(fleet);
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
      const began = performance.now();
      found = (await store.listRenders('ws_1', filter, { limit: 50 })).items.length;
      times.push(performance.now() - began);
    }
    times.sort((a, b) => a - b);
    rows.push([name, found, fixed(times[(TIMES - 1) / 2]), fixed(times[TIMES - 1])]);
  }
  print(`A page of 50 of ${thousand(ENTRIES)} entries, median and maximum of ${TIMES}:\n`);
  table(print, ['filter', 'entries found', 'ms', 'at most'], rows);
  const began = performance.now();
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
