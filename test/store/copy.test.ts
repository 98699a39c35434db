// `platen store copy` between a data folder and a database, and the admin commands on a database.
import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { main } from '../../lib/cli/main.js';
import { databaseEndpoint } from '../../lib/store/copy/database.js';
import { openEmbeddedStore } from '../../lib/store/embedded/store.js';
import { serveStore } from '../../lib/store/open.js';
import { openPostgresStore } from '../../lib/store/postgres/store.js';
import type { Store } from '../../lib/store/types.js';
import { createTestContext } from '../cli/context.js';
import { skipped, startCluster } from './postgres/server.js';
import { addKey, addWorkspace, entryOf, holdOf, loggedRenders, record, saveTemplate } from './suite.js';

const cluster = skipped ? undefined! : await startCluster();
t.teardown(() => cluster?.remove());

const skip = { skip: skipped };
const quiet = { warn: () => undefined };

async function run(words: readonly string[], setup: Parameters<typeof createTestContext>[0]) {
  const cli = createTestContext(setup);
  const code = await main(words, cli.context);
  return { code, output: cli.output().toString(), errors: cli.errors() };
}

/** The contents of a store that both implementations have. */
async function contents(store: Store, hashes: readonly string[]) {
  const workspaces = await store.listWorkspaces();
  const templates = (await store.listTemplates(undefined, { limit: 200 })).items;
  return {
    workspaces,
    keys: await Promise.all(workspaces.map(({ id }) => store.listKeys(id))),
    found: await Promise.all(hashes.map((hash) => store.findKey(hash))),
    templates,
    records: (await Promise.all(templates.map(({ id }) => store.getTemplateRecord({ id })))).map(({ record: each }) =>
      JSON.stringify(each),
    ),
    renders: await Promise.all(workspaces.map(({ id }) => loggedRenders(store, id, 5000))),
  };
}

/** Adds rows of every kind, more templates and log entries than one batch. */
async function fill(store: Store) {
  const hashes: string[] = [];
  for (let i = 0; i < 3; i++) {
    const workspace = await addWorkspace(store, 10.000001 * (i + 1), `"odd" \u2028 {} ${i}`);
    const { key, hash } = await addKey(store, workspace, 'ключ');
    hashes.push(hash);
    if (i === 0) await store.revokeKey(key.id);
    await store.settle(await holdOf(store, workspace, 0.5));
    for (let n = 0; n < 15; n++) {
      const template = { ...record(`t ${n}`), n, a: { z: [null] } };
      await saveTemplate(store, workspace.id, template);
    }
    for (let n = 0; n < 400; n++)
      store.appendRender(entryOf(workspace, `render ${i} ${n}`, { metadata: { n, '\0': '\0' } }));
    await loggedRenders(store, workspace.id, 1);
  }
  return hashes;
}

t.test('copies a folder to a database and back without a difference', skip, async (t) => {
  const directory = t.testdir({});
  const folder = join(directory, 'data');
  const first = await openEmbeddedStore(folder, quiet);
  const hashes = await fill(first);
  const wanted = await contents(first, hashes);
  await first.close();
  const url = cluster.url(await cluster.create(true));
  const words = ['store', 'copy', '--from', 'data', '--to', url];

  const copied = await run(words, { directory });
  t.equal(copied.errors, '');
  const rows = (added: number[]) => [
    { what: 'workspaces', source: 3, added: added[0], verified: 3 },
    { what: 'credits', source: 58.500006, added: 0, verified: 58.500006 },
    { what: 'keys', source: 3, added: added[1], verified: 3 },
    { what: 'link keys', source: 0, added: 0, verified: 0 },
    { what: 'templates', source: 45, added: added[2], verified: 45 },
    { what: 'versions', source: 45, added: added[2], verified: 45 },
    { what: 'brand versions', source: 0, added: 0, verified: 0 },
    { what: 'assets', source: 0, added: 0, verified: 0 },
    { what: 'ledgers', source: 3, added: added[0], verified: 3 },
    { what: 'usage days', source: 3, added: added[0], verified: 3 },
    { what: 'idempotency keys', source: 0, added: 0, verified: 0 },
    { what: 'operators', source: 0, added: 0, verified: 0 },
    { what: 'audit entries', source: 0, added: 0, verified: 0 },
    { what: 'renders', source: 1200, added: added[3], verified: 1200 },
  ];
  t.strictSame(JSON.parse(copied.output), rows([3, 3, 45, 1200]));
  const again = await run(words, { directory });
  t.strictSame(JSON.parse(again.output), rows([0, 0, 0, 0]), 'a second copy changes nothing');
  const store = await openPostgresStore(url, quiet);
  t.strictSame(await contents(store, hashes), wanted);

  const back = await run(['store', 'copy', '--from', url, '--to', 'back'], { directory });
  t.strictSame(JSON.parse(back.output), rows([3, 3, 45, 1200]));
  const second = await openEmbeddedStore(join(directory, 'back'), quiet);
  t.strictSame(await contents(second, hashes), wanted);
  await second.close();

  const [workspace] = wanted.workspaces;
  t.match(await store.countRequest(wanted.keys[0][0].id, 'render', 5), { remaining: 4 }, 'copied keys can be counted');
  await store.settle(await holdOf(store, workspace));
  const other = cluster.url(await cluster.create());
  const moved = await run(['store', 'copy', '--from', url, '--to', other], { directory });
  t.match(JSON.parse(moved.output), { 8: { what: 'charges', source: 1, added: 1, verified: 1 } }, 'between databases');

  const differs = await run(words, { directory });
  t.equal(differs.code, 1);
  t.equal(differs.errors, `error: workspace ${workspace.id} exists already, and differs: copy to an empty store\n`);
  await store.close();
});

t.test('a copy that fails changes nothing', skip, async (t) => {
  const directory = t.testdir({});
  const database = await cluster.create(true);
  const url = cluster.url(database);
  const store = await serveStore(join(directory, 'data'), quiet);
  const workspace = await addWorkspace(store, 1);
  for (let n = 0; n < 30; n++) await saveTemplate(store, workspace.id, record(`t ${n}`));
  const words = ['store', 'copy', '--from', 'data', '--to', url];
  t.match(await run(words, { directory }), { code: 1, errors: /^error: .*in use by a server.*stop it first\n$/ });
  await store.close();

  // The second template violates a foreign key after other rows have been added.
  const to = databaseEndpoint(url, false, quiet.warn);
  const now = new Date().toISOString();
  const template = { version: 1, publishedVersion: 1, createdAt: now, updatedAt: now };
  const attempt = to(async (endpoint) => {
    await endpoint.add('workspaces', [workspace]);
    await endpoint.add('templates', [
      { ...template, id: 'a', workspaceId: workspace.id },
      { ...template, id: 'b', workspaceId: 'nobody' },
    ]);
  });
  await t.rejects(attempt, { name: 'StoreError', message: /^the database can't be used: .*SQLSTATE 23503\)$/ });
  t.same(await cluster.ask(database, 'SELECT FROM platen.workspaces'), []);

  for (const [from, code] of [
    ['none', 1],
    ['data', 2],
    ['postgres://u:secret@127.0.0.1:1/x', 1],
  ] as const) {
    const refused = await run(['store', 'copy', '--from', from, '--to', 'data'], { directory });
    t.equal(refused.code, code, from);
    t.match(refused.errors, /^(?!.*secret)error: [^\n]+\n/);
  }
});

t.test('admin commands work on a database that a node uses', skip, async (t) => {
  const directory = t.testdir({});
  const STORE_URL = cluster.url(await cluster.create(true));
  const environment = { STORE_URL };
  const ask = async (...words: string[]) => {
    const { code, output, errors } = await run(words, { directory, environment });
    if (code !== 0 || errors !== '') throw new Error(`${words}: ${code} ${errors}`);
    return JSON.parse(output);
  };
  t.match(await ask('migrate'), [{ version: 7, now: true }]);
  t.match(await ask('migrate'), [{ version: 7, now: false }]);
  t.match(await run(['migrate'], { directory, environment, isTTY: true }), {
    output: /^version +name .*\n7 +version 0\.2\.0/,
  });
  const made = JSON.parse((await run(['init', '--json'], { directory, environment })).output);
  t.match(made, { workspace: { balance: 1000 }, key: { state: 'active' } });
  const node = await openPostgresStore(STORE_URL, quiet);
  t.teardown(() => node.close());
  const id = made.workspace.id;
  t.strictSame(await ask('credits', 'grant', '--workspace', id, '--amount', '5'), { workspaceId: id, balance: 1005 });
  t.strictSame(await node.balance(id), { workspaceId: id, balance: 1005 });
  await ask('keys', 'revoke', made.key.id);
  t.match(await node.listKeys(id), [{ state: 'revoked' }]);
  writeFileSync(join(directory, 'card.json'), JSON.stringify({ name: 'Card', width: 1, height: 1, hotspots: [] }));
  const { id: template } = await ask('templates', 'import', 'card.json', '--workspace', id);
  t.match(await node.findTemplate(id, template), { record: { name: 'Card' } });
  mkdirSync(join(directory, 'data'));
  t.same(await ask('log', '--workspace', id, '--data', 'data'), []);
  t.same(readdirSync(join(directory, 'data')), [], 'the data folder is not used');
});
