// A connection pooler that runs each transaction in any free session, where a prepared statement may be missing or exist
// already. The store warns once and continues without prepared statements.
import t from 'tap';
import { openPostgresStore } from '../../lib/store/postgres/store.js';
import { skipped, startCluster } from '../store/postgres/server.js';
import { holdOf } from '../store/suite.js';

t.test('survives missing and duplicate prepared statements, and charges once', { skip: skipped }, async (t) => {
  const cluster = await startCluster();
  t.teardown(() => cluster.remove());
  for (const what of ['DEALLOCATE ALL', 'PREPARE settle_hold AS SELECT 1']) {
    const database = await cluster.create();
    const warnings: string[] = [];
    const warn = (message: string) => void warnings.push(message);
    const store = await openPostgresStore(cluster.url(database), { connections: 1, warn });
    const workspace = await store.createWorkspace({ name: 'w', plan: 'paid', credits: 10 });
    // A trigger changes the session's prepared statements at each hold, like transactions of other clients would.
    await cluster.ask(
      database,
      `CREATE FUNCTION mix() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
        IF NOT EXISTS (SELECT FROM pg_prepared_statements WHERE name = 'settle_hold') OR '${what}' LIKE 'D%' THEN
          EXECUTE '${what}';
        END IF;
        RETURN new;
      END $$`,
    );
    await cluster.ask(database, 'CREATE TRIGGER mix BEFORE INSERT ON platen.holds FOR EACH ROW EXECUTE FUNCTION mix()');
    for (const balance of [9, 8, 7])
      t.strictSame(await store.settle(await holdOf(store, workspace)), { balance }, what);
    t.equal(warnings.length, 1, warnings.join());
    t.match(warnings[0], /pooler/);
    await store.close();
    const [{ charges }] = await cluster.ask<{ charges: string }>(
      database,
      'SELECT count(*) AS charges FROM platen.charges',
    );
    t.equal(charges, '3');
  }
});
