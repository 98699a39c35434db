// The commands for operators and the audit log: options, output, secrets. stores.test.ts runs them on every store.
import { createHash } from 'node:crypto';
import t from 'tap';
import { main } from '../../../lib/cli/main.js';
import { hashKey } from '../../../lib/store/api-keys.js';
import { createTestContext } from '../context.js';

async function run(words: string | readonly string[], setup: Parameters<typeof createTestContext>[0]) {
  const cli = createTestContext(setup);
  const code = await main(typeof words === 'string' ? words.split(' ') : words, cli.context);
  return { code, output: cli.output().toString(), errors: cli.errors() };
}

/** Returns a function that runs a command in `directory`, expects success and parses its JSON output. */
const jsonRunner = (directory: string) => async (words: string | readonly string[]) => {
  const { code, output, errors } = await run(words, { directory });
  if (code !== 0 || errors !== '') throw new Error(`${words}: ${code} ${errors}`);
  return JSON.parse(output);
};

const hashOf = (link: string) => createHash('sha256').update(link.split('#')[1]).digest('hex');

t.test('rejects names and options that make no sense before it opens anything', async (t) => {
  const directory = t.testdir({});
  const rows: readonly [readonly string[], RegExp][] = [
    [['operators', 'create'], /expects the name of an operator/],
    [['operators', 'create', 'a\nb'], /expected a name of 1 to 100 characters on one line/],
    [['operators', 'create', 'x'.repeat(101)], /100 characters/],
    [
      ['operators', 'create', 'a', '--role', 'admin'],
      /--role: received "admin", expected one of owner, editor, viewer/,
    ],
    [['operators', 'create', 'a', '--role', 'owner', '--workspace', 'w'], /an owner sees all workspaces/],
    [['audit', '--limit', '0'], /--limit/],
  ];
  for (const [words, errors] of rows) t.match(await run(words, { directory }), { code: 2, errors }, words.join(' '));
  t.match(await run('operators list', { directory }), { code: 1, errors: /there is no such folder/ });
});

t.test('prints a link and tables for people', async (t) => {
  const directory = t.testdir({});
  const setup = { directory, isTTY: true, environment: { PORT: '9000' } };
  const { output } = await run('operators create ada', setup);
  t.match(output, /^name +ada$/m);
  t.match(output, /^workspaces +all$/m);
  t.match(output, /once, for 15 minutes:\n\nhttp:\/\/127\.0\.0\.1:9000\/dashboard\/link#[\w-]{43}\n$/);
  t.match((await run('operators list', setup)).output, /^name +role[^\n]*\nada +owner +all +false /);
});

t.test('audit lists what the commands changed, without secrets', async (t) => {
  const directory = t.testdir({});
  const ask = jsonRunner(directory);
  const { workspace, key, operator } = await ask('init --json');
  await ask(`credits grant --workspace ${workspace.id} --amount 7`);
  await ask(`keys revoke ${key.id}`);
  await ask('operators create bob');
  const entries = await ask('audit');
  t.strictSame(
    entries.map(({ action }: { action: string }) => action),
    [
      ...['operator.link', 'operator.create', 'key.revoke', 'credits.grant', 'operator.link', 'operator.create'],
      ...['template.create', 'key.create', 'workspace.create'],
    ],
  );
  t.match(entries[3], { actor: { kind: 'command' }, workspaceId: workspace.id, details: { amount: 7, balance: 1007 } });
  t.match(await ask(`audit --workspace ${workspace.id} --action key.create`), [{ subject: key.id }]);
  t.equal((await ask('audit --limit 2')).length, 2);
  for (const secret of [key.key, hashKey(key.key), operator.link.split('#')[1], hashOf(operator.link)]) {
    t.notOk(JSON.stringify(entries).includes(secret));
  }
  const { output } = await run('audit --action credits.grant', { directory, isTTY: true });
  t.match(output, /command line +credits\.grant +ws_\w+ +ws_\w+ +amount=7 balance=1007\n$/);
});

t.test('init makes no operator where there is no dashboard', async (t) => {
  const directory = t.testdir({});
  const { code, output } = await run('init', { directory, environment: { DASHBOARD: 'off' } });
  t.equal(code, 0);
  t.notMatch(output, /dashboard/);
  t.strictSame(await jsonRunner(directory)('operators list'), []);
});
