// The runner of `npm test` reports every kind of failure.
import { join, relative } from 'node:path';
import t from 'tap';
import { ROOT } from '../checkout.js';
import { choose, type FileResult, remarksOf, resultsOf, runFiles, totalOf } from './run.mjs';

t.test('reports files that fail, end early or throw, and what was skipped', async (t) => {
  const folder = t.testdir({
    'good.mjs': "import t from 'tap';\nt.pass('one');\nt.test('two', { skip: 'no database' }, async () => {});\n",
    'bad.mjs': "import t from 'tap';\nt.pass('one');\nt.test('two', async (t) => t.equal(1, 2, 'three'));\n",
    'early.mjs': "import t from 'tap';\nt.pass('one');\nprocess.kill(process.pid, 'SIGKILL');\n",
    // the files find tap here
    node_modules: t.fixture('symlink', join(ROOT, 'test/node_modules')),
    'silent.mjs': 'process.exit(0);\n',
    'thrown.mjs': "import t from 'tap';\nt.pass('one');\nthrow new Error('thrown');\n",
  });
  const results = new Map<string, FileResult>();
  const names = ['good', 'bad', 'early', 'silent', 'thrown'];
  const paths = names.map((name) => relative(ROOT, join(folder, `${name}.mjs`)));
  await runFiles(
    paths.map((path) => [path]),
    (result) => void results.set(names[paths.indexOf(result.path)], result),
  );
  const remarks = (name: string) => remarksOf(results.get(name)?.lines ?? []).join('\n');
  t.same(
    names.filter((name) => results.get(name)?.ok),
    ['good'],
  );
  t.match(remarks('good'), /^ok 2 - two # SKIP no database$/);
  t.match(remarks('bad'), /not ok 1 - three\n[\s\S]*bad\.mjs/);
  t.match(remarks('early'), /^not ok - the process ended \(SIGKILL\) before its tests did$/);
  t.match(remarks('silent'), /^not ok - the process ended \(0\) before its tests did$/);
  t.match(remarks('thrown'), /^not ok [\s\S]*thrown/);
  t.match(totalOf([...results.values()]), /^# \{ total: \d+, pass: \d+, .*fail: 4/);
});

t.test('runs the files in the folders and files that are named', async (t) => {
  const files = ['test/a/b.test.ts', 'test/ab.test.ts', 'test/c.test.ts'];
  t.same(choose(files, []), files);
  t.same(choose(files, ['./test/a/', 'test/c.test.ts']), ['test/a/b.test.ts', 'test/c.test.ts']);
  t.throws(() => choose(files, ['test/d']), /test\/d has no such tests/);
});

t.test('reports each file of a process, also those that did not run because it ended', async (t) => {
  const first = ['# Subtest: a.test.ts', '    ok 1 - one', '    1..1', 'ok 1 - a.test.ts # time=12.4ms'];
  const second = ['# Subtest: b.test.ts', '    not ok 1 - two', '    1..1', 'not ok 2 - b.test.ts # time=3ms'];
  const paths = ['a.test.ts', 'b.test.ts'];
  const found = (lines: string[], end: number | string) =>
    resultsOf(paths, lines, end, 20).map(({ ok, ms, lines: own, counts }) => [ok, ms, own.at(-1), counts.fail ?? 0]);
  t.same(found([...first, ...second, '1..2', '# { total: 2, pass: 1, fail: 1 }'], 1), [
    [true, 12, first.at(-1), 1],
    [false, 3, second.at(-1), 0],
  ]);
  const ended = 'not ok - the process ended (SIGKILL) before its tests did';
  t.same(found([...first, ...second.slice(0, 2)], 'SIGKILL'), [
    [true, 12, first.at(-1), 0],
    [false, 0, ended, 1],
  ]);
  t.same(found([], 'SIGKILL'), [
    [false, 0, ended, 1],
    [false, 0, ended, 1],
  ]);
  const good = [...first, '# Subtest: b.test.ts', 'ok 2 - b.test.ts # time=3ms', '1..2', '# { total: 2, pass: 2 }'];
  t.same(found(good, 1).at(-1), [false, 3, 'not ok - the process ended (1)', 1]);
});
