// A pooler between the node and the database that gives each transaction whichever session is free: a statement that was
// prepared is not there, or is there already. The store sees it once, says so, and does without.
import t from 'tap';
import { openPostgresStore } from '../../lib/store/postgres/store.js';
import { skipped, startCluster } from '../store/postgres/server.js';
import { holdOf } from '../store/suite.js';

t.test('prepared statements get lost: nothing fails, nothing is charged twice', { skip: skipped }, async (t) => {
  const cluster = await startCluster();
  t.teardown(() => cluster.remove());
  for (const what of ['DEALLOCATE ALL', 'PREPARE settle_hold AS SELECT 1']) {
    const database = await cluster.create();
    const warnings: string[] = [];
    const warn = (message: string) => void warnings.push(message);
    const store = await openPostgresStore(cluster.url(database), { connections: 1, warn });
    const workspace = await store.createWorkspace({ name: 'w', plan: 'paid', credits: 10 });
    // Each hold does to its session what another transaction's would.
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
