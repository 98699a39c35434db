// `brand get` and `brand set`, on the store of a data folder.
import t from 'tap';
import { main } from '../../../lib/cli/main.js';
import { createTestContext } from '../context.js';

t.test('saves a brand, and prints it for the next change', async (t) => {
  const brand = { tokens: { ink: '#111111' }, logos: { main: 'asset:asset_1' } };
  const directory = t.testdir({
    'brand.json': JSON.stringify(brand),
    'bad.json': JSON.stringify({ tokens: { Ink: 1 }, logos: { main: 'logo.png' } }),
  });
  const run = async (words: string, setup: Partial<Parameters<typeof createTestContext>[0]> = {}) => {
    const cli = createTestContext({ directory, ...setup });
    const code = await main(words.split(' '), cli.context);
    return { code, output: cli.output().toString(), errors: cli.errors() };
  };
  const { id } = JSON.parse((await run('workspaces create --name W')).output);
  const none = { version: 0, updatedAt: null, tokens: {}, themes: {}, fonts: [], logos: {} };
  t.same(JSON.parse((await run(`brand get --workspace ${id}`)).output), none);
  t.match(await run(`brand set bad.json --workspace ${id}`), {
    code: 1,
    output: '',
    errors: /tokens\.Ink: received "Ink", expected a name[\s\S]*logos\.main: received "logo\.png"/,
  });
  const saved = await run(`brand set brand.json --workspace ${id}`);
  t.match(JSON.parse(saved.output), { ...none, ...brand, version: 1, updatedAt: String });
  const printed = await run(`brand get --workspace ${id}`, { isTTY: true });
  t.strictSame(JSON.parse(printed.output), JSON.parse(saved.output), 'the same on a terminal');
  const again = await run(`brand set - --workspace ${id}`, { input: printed.output });
  t.match(JSON.parse(again.output), { ...brand, version: 2 });
  t.match(JSON.parse((await run('audit')).output), [
    { action: 'brand.update', workspaceId: id, actor: { kind: 'command' } },
  ]);
  for (const words of ['brand get --workspace ws_none', 'brand set brand.json --workspace ws_none']) {
    t.match(await run(words), { code: 1, errors: /there is no workspace "ws_none"/ });
  }
});
