// The check of commit subjects that `.ci/run` runs, on a history of its own.
import { execFileSync, spawnSync } from 'node:child_process';
import { join } from 'node:path';
import t from 'tap';
import { ROOT } from './checkout.js';

const folder = t.testdir({ history: {}, archive: {} });
const cwd = join(folder, 'history');
const identity = ['-c', 'user.name=A', '-c', 'user.email=a@example.com', '-c', 'commit.gpgsign=false'];
// GIT_DIR would name the checkout's own history
const env = { ...process.env, GIT_DIR: undefined, GIT_CEILING_DIRECTORIES: folder };
const git = (...words: string[]) => execFileSync('git', [...identity, ...words], { cwd, env, encoding: 'utf8' }).trim();
const commit = (subject: string) => git('commit', '-q', '--allow-empty', '-m', subject);
const check = (base: string, directory = cwd) => {
  const words = [join(ROOT, 'scripts/commit-subjects.mjs'), base];
  const { status, stdout, stderr } = spawnSync(process.execPath, words, { cwd: directory, env, encoding: 'utf8' });
  return { status, stdout, stderr };
};

git('init', '-q', '-b', 'main');
commit('Anything goes before the rule');
const base = git('rev-parse', 'HEAD');

t.test('accepts areas, lists of areas and merges', async (t) => {
  for (const subject of ['cli: a', 'web/pages, web/ui: b', 'render log: c', `store: ${'x'.repeat(65)}`])
    commit(subject);
  git('checkout', '-q', '-b', 'side', base);
  commit('docs: d');
  git('checkout', '-q', 'main');
  git('merge', '-q', '--no-ff', '-m', 'Merge of a branch', 'side');
  t.same(check(base), { status: 0, stdout: '5 subjects\n', stderr: '' });
});

t.test('names each commit whose subject is without an area, or too long', async (t) => {
  const start = git('rev-parse', 'HEAD');
  for (const subject of ['Fix it', 'fix it', 'Store: x', 'store:x', `store: ${'x'.repeat(66)}`, 'store: y'])
    commit(subject);
  const { status, stderr } = check(start);
  t.equal(status, 1);
  const lines = stderr.trim().split('\n');
  t.equal(lines.length, 5);
  t.match(lines[0], /^[0-9a-f]+ store: x{66}: expected at most 72 characters, received 73$/);
  for (const line of lines.slice(1)) t.match(line, /: expected "area: what", such as /);
});

t.test('checks nothing where the history is missing', async (t) => {
  for (const [name, directory] of [
    ['0'.repeat(40), cwd],
    [base, join(folder, 'archive')],
  ]) {
    t.match(check(name, directory), { status: 0, stdout: /^skipped: /, stderr: '' });
  }
});
