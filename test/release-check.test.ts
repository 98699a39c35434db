// All files name the same version, and scripts/release-check.mjs finds those that don't. The workflow of .github runs .ci/run.
import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { parse } from 'yaml';
import { ROOT } from './checkout.js';

const { version } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));
const FILES = [
  'package.json',
  'package-lock.json',
  'data/wasm/manifest.json',
  'docs/operations.md',
  'deploy',
  'CHANGELOG.md',
  'scripts/release-check.mjs',
];

function check(folder: string) {
  const words = [join(folder, 'scripts/release-check.mjs')];
  const { status, stdout, stderr } = spawnSync(process.execPath, words, { encoding: 'utf8' });
  return { status, stdout, stderr };
}

t.test('every file names the version of package.json', async (t) => {
  t.same(check(ROOT), { status: 0, stdout: `${version}: every file names this version\n`, stderr: '' });
});

t.test('finds every file that names another version', async (t) => {
  const folder = t.testdir({});
  for (const path of FILES) {
    mkdirSync(join(folder, path, '..'), { recursive: true });
    cpSync(join(ROOT, path), join(folder, path), { recursive: true });
  }
  const manifest = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ ...manifest, version: '9.8.7' }));
  const { status, stderr } = check(folder);
  t.equal(status, 1);
  for (const path of ['package-lock.json', 'data/wasm/manifest.json', 'docs/operations.md', 'CHANGELOG.md'])
    t.match(stderr, `${path}: `, path);
  for (const path of ['deploy/Dockerfile', 'deploy/compose.yaml', 'deploy/kubernetes.yaml'])
    t.match(stderr, `${path}: it names platen:${version}, expected 9.8.7`, path);
});

t.test('the workflow runs .ci/run with the oldest Node that Platen supports', async (t) => {
  const { jobs } = parse(readFileSync(join(ROOT, '.github/workflows/ci.yml'), 'utf8'));
  const { engines } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));
  const oldest = /\d+/.exec(engines.node)?.[0];
  for (const { container } of Object.values<{ container: string }>(jobs))
    t.match(container, new RegExp(`^node:${oldest}\\.`));
  const commands = jobs.checks.steps.flatMap(({ run }: { run?: string }) => run ?? []);
  t.ok(commands.includes('.ci/run'));
  for (const command of jobs.package.steps.flatMap(({ run }: { run?: string }) => run ?? [])) {
    const [, script] = /^node (\S+)/.exec(command) ?? [];
    if (script) t.ok(existsSync(join(ROOT, script)), script);
  }
});

t.test('the forms of issues have fields with ids and labels', async (t) => {
  for (const name of ['bug', 'feature']) {
    const { body } = parse(readFileSync(join(ROOT, `.github/ISSUE_TEMPLATE/${name}.yml`), 'utf8'));
    const fields = body.filter(({ type }: { type: string }) => type !== 'markdown');
    t.ok(fields.length >= 3, name);
    for (const { id, attributes } of fields) t.match([id, attributes.label], [/^[a-z]+$/, /^[A-Z]/], name);
  }
});
