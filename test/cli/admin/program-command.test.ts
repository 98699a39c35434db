// `platen init` prints commands that work where it was run: in a checkout, in a project, and installed globally.
import { execFile } from 'node:child_process';
import { mkdirSync, symlinkSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { promisify } from 'node:util';
import t from 'tap';
import { programCommand } from '../../../lib/cli/admin/init.js';
import { makeCheckout, ownEnvironment } from '../../checkout.js';

const run = promisify(execFile);
const folder = t.testdir({ project: { node_modules: { '.bin': {} } }, elsewhere: {}, bin: {} });
const checkout = join(folder, 'checkout');
mkdirSync(checkout);
makeCheckout(checkout);
const project = join(folder, 'project');
const program = join(checkout, 'dist/bin/render.js');
symlinkSync(checkout, join(project, 'node_modules/platen'));
for (const name of ['platen', 'render']) symlinkSync(program, join(project, 'node_modules/.bin', name));
symlinkSync(program, join(folder, 'bin/platen'));
const own = ownEnvironment(folder);
const env = {
  ...own,
  // offline, so that npx can't download anything
  npm_config_offline: 'true',
  PATH: `${join(folder, 'bin')}${delimiter}${own.PATH}`,
};

const WAYS: readonly (readonly [start: string, directory: string, command: string])[] = [
  ['npx render', checkout, 'npx render'],
  ['node dist/bin/render.js', checkout, 'node dist/bin/render.js'],
  [`node ${program}`, join(folder, 'elsewhere'), `node ${program}`],
  ['npx platen', project, 'npx platen'],
  ['npx render', project, 'npx render'],
  ['platen', join(folder, 'elsewhere'), 'platen'],
];

for (const [n, [start, directory, command]] of WAYS.entries()) {
  t.test(`started as ${start} in ${directory.slice(folder.length)}`, async (t) => {
    const { stdout } = await run('sh', ['-c', `${start} init --data 'data ${n}'`], { cwd: directory, env });
    t.match(stdout, `\n${command} serve --data 'data ${n}'\n`);
    const [, printed] = /^"(.* operators link admin.*)" prints a new one/m.exec(stdout) ?? [];
    t.equal(printed, `${command} operators link admin --data 'data ${n}'`);
    const again = await run('sh', ['-c', printed], { cwd: directory, env });
    t.match(again.stdout, /\/dashboard\//, 'the printed command works');
  });
}

t.test('launchers that call the file of the package', async (t) => {
  const rows: [string, string, string][] = [
    ['/home/me/shop/node_modules/platen/dist/bin/render.js', '/home/me/shop', 'npx platen'],
    ['/home/me/shop/node_modules/platen/dist/bin/render.js', '/home/me/shop/web', 'npx platen'],
    ['/usr/lib/node_modules/platen/dist/bin/render.js', '/home/me/shop', 'platen'],
    ['/home/me/my app/dist/bin/render.js', '/', "node 'home/me/my app/dist/bin/render.js'"],
    ['/usr/local/bin/render', '/home/me', 'render'],
  ];
  for (const [file, directory, command] of rows) t.equal(programCommand(file, directory), command, file);
  t.equal(programCommand(undefined, '/'), 'npx platen');
});
