// scripts/build.mjs makes what a command needs, and no more: `npm ci` in a checkout only the command.
import { execFile } from 'node:child_process';
import { appendFileSync, cpSync, existsSync, readdirSync, readFileSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import t from 'tap';
import { readHeader } from '../lib/codecs/header.js';
import { ownEnvironment, ROOT } from './checkout.js';

const run = promisify(execFile);
const folder = t.testdir({});
for (const name of ['bin', 'lib', 'scripts', 'data/wasm', 'examples', 'package.json', 'package-lock.json'])
  cpSync(join(ROOT, name), join(folder, name), { recursive: true });
for (const name of ['fonts', 'node_modules']) symlinkSync(join(ROOT, name), join(folder, name));

const build = (...words: string[]) =>
  run(process.execPath, ['scripts/build.mjs', ...words], {
    cwd: folder,
    env: { ...ownEnvironment(folder), npm_config_local_prefix: folder },
  });
const stamps = () =>
  Object.fromEntries(
    readdirSync(join(folder, 'dist/stamps')).map((name) => [
      name,
      readFileSync(join(folder, 'dist/stamps', name), 'utf8'),
    ]),
  );

t.test('npm ci in a checkout builds the command, which renders, and nothing else', async (t) => {
  await build('--prepare');
  t.same(Object.keys(stamps()), ['command']);
  t.same(
    readdirSync(join(folder, 'dist')).filter((name) => !name.includes('metafile')),
    ['api-page.html', 'bin', 'hyphenation.bin', 'lib', 'stamps', 'wasm'],
  );
  t.notOk(existsSync(join(folder, 'schema.json')));
  const options = { cwd: folder, encoding: 'buffer' } as const;
  const { stdout } = await run(process.execPath, ['dist/bin/render.js', 'examples/social-card.json'], options);
  t.match(readHeader(stdout), { format: 'png', width: 1200, height: 630 });
});

t.test('parts that are there stay up to date', async (t) => {
  await build('--if-missing', 'schema');
  const before = stamps();
  t.same(Object.keys(before), ['command', 'schema']);
  await build('--prepare');
  t.same(stamps(), before, 'the sources are the same');
  appendFileSync(join(folder, 'lib/index.ts'), '// changed\n');
  await build('--if-missing', 'schema');
  t.same(stamps(), before, 'neither is missing');
  await build('--prepare');
  const after = stamps();
  t.same(Object.keys(after), ['command', 'schema']);
  for (const name of ['command', 'schema']) t.not(after[name], before[name], name);
});

t.test('rejects the name of a part that does not exist', async (t) => {
  await t.rejects(build('nonsense'), {
    code: 2,
    stderr: 'error: received nonsense, expected one of command, schema, modules, browser, dashboard, guide, sbom\n',
  });
});
