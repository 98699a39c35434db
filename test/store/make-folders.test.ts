// makeFolders creates folders or throws; it never hangs.
import { existsSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { makeFolders } from '../../lib/store/make-folders.js';

t.test('creates missing folders and returns the topmost one', async (t) => {
  const folder = t.testdir({});
  t.equal(await makeFolders(join(folder, 'a/b/c'), 0o700), join(folder, 'a'));
  t.equal(statSync(join(folder, 'a/b/c')).mode & 0o777, 0o700);
  t.equal(await makeFolders(join(folder, 'a/b/c')), undefined);
  t.equal(await makeFolders(join(folder, 'a/b/d')), join(folder, 'a/b/d'));
});

t.test('concurrent calls create the same folder', async (t) => {
  const folder = t.testdir({});
  const made = await Promise.all(Array.from({ length: 20 }, () => makeFolders(join(folder, 'x/y/z'))));
  t.ok(made.includes(join(folder, 'x')));
  t.same(readdirSync(join(folder, 'x/y')), ['z']);
});

t.test('names a file that is in the way', async (t) => {
  const folder = t.testdir({ file: '' });
  for (const path of ['file', 'file/a', 'file/a/b']) {
    await t.rejects(makeFolders(join(folder, path)), { message: `${join(folder, 'file')} is a file, not a folder` });
  }
});

t.test(
  'fails on a file system that allows no new folders',
  { skip: !existsSync('/proc/self') && 'no /proc' },
  async (t) => {
    await t.rejects(makeFolders('/proc/x'), { message: 'no folder can be made in /proc' });
    await t.rejects(makeFolders('/proc/x/y/z'), { message: 'no folder can be made in /proc' });
  },
);
