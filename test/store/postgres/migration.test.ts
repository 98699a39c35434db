// Upgrades of a database with data, and charges of several days.
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { hashKey } from '../../../lib/store/api-keys.js';
import { openPostgresStore } from '../../../lib/store/postgres/store.js';
import { binaries, skipped, startCluster } from './server.js';

const cluster = skipped ? undefined! : await startCluster();
t.teardown(() => cluster?.remove());

const skip = { skip: skipped };
const quiet = { warn: () => undefined };

/** A database of schema version 6, the last before version 0.2.0, with something in each table (pg_dump --inserts). */
const VERSION_6 = readFileSync(new URL('schema-6.sql', import.meta.url), 'utf8');
const WORKSPACE = 'ws_d7b1e3de28c9805372698648';
const KEY = 'key_b1ff4becf95421eecce34e14';

/** The schema as pg_dump prints it, without what differs from run to run. */
const schemaOf = (database: string) =>
  execFileSync(join(binaries()!, 'pg_dump'), ['--schema-only', '--no-owner', cluster.url(database)])
    .toString()
    .replace(/^\\.*$/gm, '');

t.test('a database of version 6 is upgraded to the schema of an empty one, and keeps its data', skip, async (t) => {
  const [old, fresh] = [await cluster.create(true), await cluster.create(true)];
  await cluster.ask(old, VERSION_6);
  const store = await openPostgresStore(cluster.url(old), quiet);
  t.teardown(() => store.close());
  await (await openPostgresStore(cluster.url(fresh), quiet)).close();
  t.equal(schemaOf(old), schemaOf(fresh));

  const hash = hashKey(`svc_live_${'0123456789abcdef'.repeat(2)}`);
  t.match(await store.findKey(hash), {
    key: { id: KEY, name: 'server', rateLimit: 60 },
    workspace: { id: WORKSPACE, name: 'Acme', balance: 97 },
  });
  const [template] = (await store.listTemplates(WORKSPACE, { limit: 9 })).items;
  t.match(template, { name: 'Card 2', version: 2, publishedVersion: 1, hotspots: [{ key: 'k', label: 'L' }] });
  t.match(await store.findTemplate(WORKSPACE, template.id), { version: 1, record: { name: 'Card' } });
  const [asset] = (await store.listAssets(WORKSPACE, { limit: 9 })).items;
  t.equal(Buffer.from((await store.readAsset(WORKSPACE, asset.id))!).toString(), 'a picture');
  t.match(await store.listRenders(WORKSPACE, { metadata: { order: '42' } }, { limit: 9 }), {
    items: [{ id: 'render-1', keyId: KEY }],
  });
  t.match(await store.listLinkKeys(WORKSPACE), [{ name: 'site', state: 'active' }]);
  t.match(await store.listOperators(), [{ name: 'ann', role: 'owner' }]);
  t.match(await store.listAudit({}, { limit: 9 }), { items: [{ action: 'workspace.create', actor: { name: 'ann' } }] });
  t.match(await store.listLedger(WORKSPACE, { limit: 9 }), { items: { length: 2 } });

  // What is written afterwards goes on from there.
  const held = await store.hold(WORKSPACE, 1);
  if (!('hold' in held)) throw new Error('expected a hold');
  t.same(await store.settle(held.hold), { balance: 96 });
  t.match(await store.countRequest(KEY, 'render', 60), { allowed: true });
  t.match(await store.publishTemplate({ id: template.id }, 2), { publishedVersion: 2 });
});

t.test('a schema that no release had is refused in one line', skip, async (t) => {
  const database = await cluster.create(true);
  await cluster.ask(database, `${VERSION_6} DELETE FROM platen.migrations WHERE version > 4`);
  await t.rejects(openPostgresStore(cluster.url(database), quiet), {
    name: 'StoreError',
    message: /^the database has the schema of a version before 0\.2\.0 that no release had \(4\)[^\n]*$/,
  });
});

t.test('charges of earlier days, and those of a clock that was set back', skip, async (t) => {
  const database = await cluster.create();
  const store = await openPostgresStore(cluster.url(database), quiet);
  t.teardown(() => store.close());
  const { id } = await store.createWorkspace({ name: 'w', plan: 'paid', credits: 100 });
  const charge = (time: string) =>
    cluster.ask(database, 'SELECT platen.charge_workspace($1, 1000000, $2) AS rest', [id, time]);
  for (const time of [
    '2026-01-01T23:59:59.9Z',
    '2026-01-02T00:00:00Z',
    '2026-01-01T23:59:59.9Z',
    '2026-01-02T01:00Z',
  ]) {
    await charge(time);
  }
  await charge('2026-02-01T00:00:00Z');
  const lines = async () =>
    (await store.listLedger(id, { limit: 9 })).items.flatMap((line) =>
      line.kind === 'charge' ? [[line.time.slice(0, 10), line.amount, line.renders]] : [],
    );
  t.strictSame(await lines(), [
    ['2026-02-01', -1, 1],
    ['2026-01-02', -2, 2],
    ['2026-01-01', -2, 2],
  ]);
  t.match(await store.dailyUsage(id, '2026-01-01', '2026-01-03'), [{ credits: 2 }, { credits: 2 }, { credits: 0 }]);

  // A charge of an earlier day is undone.
  const held = await store.hold(id, 3);
  if (!('hold' in held)) throw new Error('expected a hold');
  await store.settle(held.hold);
  await cluster.ask(database, "UPDATE platen.charges SET charged_at = '2026-01-01T12:00:00Z'");
  await cluster.ask(database, 'SELECT platen.undo_settlement($1)', [held.hold.id]);
  const undone = await lines();
  t.strictSame(undone[undone.length - 1], ['2026-01-01', 1, 1]);
  t.equal((await store.balance(id)).balance, 95);
  await cluster.ask(database, 'UPDATE platen.workspaces SET balance = 0');
  t.strictSame(await charge('2026-03-01T00:00:00Z'), [{ rest: null }], 'too few credits change nothing');
});
