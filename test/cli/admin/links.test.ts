// `platen links …`: the private key is printed once and never stored.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import t, { type Test } from 'tap';
import { main } from '../../../lib/cli/main.js';
import { isSignedBy, signImageUrl } from '../../../lib/links/sign.js';
import { openPostgresStore } from '../../../lib/store/postgres/store.js';
import { skipped, startCluster } from '../../store/postgres/server.js';
import { createTestContext } from '../context.js';

async function run(words: string | readonly string[], setup: Parameters<typeof createTestContext>[0]) {
  const cli = createTestContext(setup);
  const code = await main(typeof words === 'string' ? words.split(' ') : words, cli.context);
  return { code, output: cli.output().toString(), errors: cli.errors() };
}

const asker = (setup: Parameters<typeof createTestContext>[0]) => async (words: string) => {
  const { code, output, errors } = await run(words, setup);
  if (code !== 0 || errors !== '') throw new Error(`${words}: ${code} ${errors}`);
  return JSON.parse(output);
};

/** Creates, lists and revokes a link key, and returns its private half. */
async function useLinkKeys(t: Test, ask: ReturnType<typeof asker>) {
  const { id: workspace } = await ask('workspaces create --name w');
  t.strictSame(await ask(`links list --workspace ${workspace}`), []);
  const made = await ask(`links create --workspace ${workspace} --name blog --json`);
  t.strictSame(Object.keys(made), ['id', 'workspaceId', 'name', 'privateKey']);
  t.match(made, { id: /^link_/, workspaceId: workspace, name: 'blog', privateKey: /^lnk_live_[\w-]{43}$/ });
  const [listed] = await ask(`links list --workspace ${workspace}`);
  t.match(listed, { id: made.id, workspaceId: workspace, name: 'blog', state: 'active' });
  const signed = await signImageUrl('/v1/images/tpl_1.png?v.a=1', made.privateKey);
  const [target, signature] = signed.split('&signature=');
  t.ok(await isSignedBy(listed.publicKey, target, signature), 'the public half that is stored verifies');
  const revoked = await ask(`links revoke ${made.id}`);
  t.match(revoked, { ...listed, state: 'revoked', revokedAt: String });
  t.strictSame(await ask(`links list --workspace ${workspace}`), [revoked]);
  const actions = (await ask('audit')).map(({ action }: { action: string }) => action);
  t.strictSame(actions.slice(0, 2), ['link.revoke', 'link.create']);
  return made.privateKey as string;
}

t.test('creates, lists and revokes link keys in a folder, which never gets the private key', async (t) => {
  const directory = t.testdir({});
  await run('init', { directory });
  const privateKey = await useLinkKeys(t, asker({ directory }));
  const folder = join(directory, 'data');
  for (const name of readdirSync(folder, { recursive: true, encoding: 'utf8' })) {
    if (!name.includes('json')) continue;
    t.notOk(readFileSync(join(folder, name), 'utf8').includes(privateKey.slice(9)), name);
  }
});

t.test('creates, lists and revokes link keys in a database', { skip: skipped }, async (t) => {
  const cluster = await startCluster();
  t.teardown(() => cluster.remove());
  const STORE_URL = cluster.url(await cluster.create());
  const store = await openPostgresStore(STORE_URL, { warn: () => undefined });
  t.teardown(() => store.close());
  await useLinkKeys(t, asker({ directory: t.testdir({}), environment: { STORE_URL } }));
});

t.test('prints tables for people, and one line for what can’t be done', async (t) => {
  const directory = t.testdir({});
  const ask = asker({ directory });
  const { workspace } = await ask('init --json');
  const people = { directory, isTTY: true };
  const { output } = await run(`links create --workspace ${workspace.id} --name blog`, people);
  t.match(
    output,
    /^privateKey +lnk_live_[\w-]{43}\nThe private key is not shown again: only its public half is stored\.\n$/m,
  );
  t.match(
    (await run(`links list --workspace ${workspace.id}`, people)).output,
    /^id +name +state .*\nlink_\w+ +blog +active /,
  );
  const rows: readonly [string, number, RegExp][] = [
    ['links', 2, /expected "links" and one of create, list, revoke/],
    ['links create --name x', 2, /needs --workspace/],
    ['links create --workspace ws_none --name x', 1, /there is no workspace "ws_none"/],
    ['links revoke', 2, /expects the id of a link key/],
    ['links revoke link_none', 1, /there is no link key "link_none"/],
  ];
  for (const [words, code, errors] of rows) {
    const result = await run(words, { directory });
    t.match(result, { code, output: '', errors }, words);
    t.match(result.errors, /^error: [^\n]+\n$/, words);
  }
});
