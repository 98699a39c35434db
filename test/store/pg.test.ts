// The store in PostgreSQL: the suite of all stores, and what is the database's alone: several nodes, migrations, its URL.
import t from 'tap';
import { openPostgresStore } from '../../lib/store/pg/postgres.js';
import { skipped, startCluster } from './postgres.js';
import { storeSuite } from './suite.js';

const cluster = skipped ? undefined! : await startCluster();
t.teardown(() => cluster?.remove());

const quiet = { warn: () => undefined };

t.test('as every store', { skip: skipped }, (t) => {
  storeSuite(t, {
    runs: 15,
    open: async (t) => {
      const store = await openPostgresStore(cluster.url(await cluster.create()), quiet);
      t.teardown(() => store.close());
      return store;
    },
  });
  t.end();
});
