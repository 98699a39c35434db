// npx runs a checkout's linked command without installing anything; a packed package has both command names.
import { execFile, execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import t from 'tap';
import { makeCheckout, ownEnvironment, ROOT } from './checkout.js';

const run = promisify(execFile);
const folder = t.testdir({});
makeCheckout(folder);
// Offline, so that npx can't download anything.
const env = { ...ownEnvironment(folder), npm_config_offline: 'true' };
const { version } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));
const npxCache = join(folder, '.npm/_npx');

t.test('npx runs the checkout’s command and installs nothing into its cache', async (t) => {
  const { stdout } = await run('npx', ['render', '--version'], { cwd: folder, env });
  t.equal(stdout, `${version}\n`);
  t.notOk(existsSync(npxCache));
});

t.test('asks for a build if there is none, and works after the build', async (t) => {
  const built = join(folder, 'dist');
  renameSync(built, `${built}.away`);
  await t.rejects(run('npx', ['render', '--version'], { cwd: folder, env }), {
    code: 1,
    stdout: '',
    stderr: /^platen: this checkout is not built yet: run `npm run build`$/m,
  });
  renameSync(`${built}.away`, built);
  const { stdout } = await run('npx', ['render', '--version'], { cwd: folder, env });
  t.equal(stdout, `${version}\n`);
  t.notOk(existsSync(npxCache));
});

t.test('npm ci links the command that npx looks for', async (t) => {
  const { packages } = JSON.parse(readFileSync(join(ROOT, 'package-lock.json'), 'utf8'));
  t.match(packages['node_modules/checkout-command'], { resolved: 'scripts/npx', link: true });
  t.match(packages['scripts/npx'], { dev: true, bin: { render: 'render.js' } });
  t.same(packages[''].bin, { platen: 'dist/bin/render.js' }, 'a bin "render" would make npx install the folder');
});

t.test('packing makes package.json that of the package and undoes it afterwards', async (t) => {
  const scripts = { cwd: folder, env };
  const before = readFileSync(join(folder, 'package.json'), 'utf8');
  t.match(JSON.parse(before).scripts, {
    build: 'node scripts/pack.mjs prepare && node scripts/build.mjs',
    prepack: 'node scripts/build.mjs --if-changed && node scripts/supply.mjs --check && node scripts/pack.mjs add',
    postpack: 'node scripts/pack.mjs remove',
    prepare: 'node scripts/pack.mjs prepare && node scripts/build.mjs --prepare',
    prepublishOnly: 'node scripts/pack.mjs publish',
  });
  await t.rejects(run(process.execPath, ['scripts/pack.mjs', 'add'], scripts), {
    code: 1,
    stderr: /^dist\/browser is missing: /,
  });
  t.equal(
    readFileSync(join(folder, 'package.json'), 'utf8'),
    before,
    'nothing is packed without the bundle for browsers',
  );
  mkdirSync(join(folder, 'dist/browser'));
  writeFileSync(join(folder, 'dist/browser/index.js'), '');
  execFileSync(process.execPath, ['scripts/pack.mjs', 'add'], scripts);
  const packed = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  const { prepare: _, ...scriptsOfPackage } = JSON.parse(before).scripts;
  const bin = { platen: 'dist/bin/render.js', render: 'dist/bin/render.js' };
  const { sideEffects } = packed;
  t.ok(
    sideEffects.length > 0 && sideEffects.every((path: string) => path.startsWith('./dist/')),
    'the packed file has no sources',
  );
  t.same(
    packed,
    { ...JSON.parse(before), bin, sideEffects, scripts: scriptsOfPackage },
    'npm warns of a prepare in a packed file',
  );
  const prepare = (npm_command: string) =>
    execFileSync(process.execPath, ['scripts/pack.mjs', 'prepare'], { ...scripts, env: { ...env, npm_command } });
  for (const command of ['pack', 'publish']) prepare(command);
  t.same(JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')), packed, 'npm prepares between the two');
  prepare('install');
  t.equal(readFileSync(join(folder, 'package.json'), 'utf8'), before, 'after a pack that was interrupted');
  execFileSync(process.execPath, ['scripts/pack.mjs', 'add'], scripts);
  execFileSync(process.execPath, ['scripts/pack.mjs', 'remove'], scripts);
  t.equal(readFileSync(join(folder, 'package.json'), 'utf8'), before);
  await t.rejects(run(process.execPath, ['scripts/pack.mjs', 'publish'], scripts), {
    code: 1,
    stderr: `publish the packed file: npm pack && npm publish platen-${version}.tgz\n`,
  });
});
