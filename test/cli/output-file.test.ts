// Output files are replaced atomically.
import { chmodSync, existsSync, lstatSync, mkdirSync, readdirSync, readFileSync, statSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { OutputFileError } from '../../lib/cli/errors.js';
import { checkOutputPath, replaceFile, replaceProblem } from '../../lib/cli/output-file.js';

const bytes = new TextEncoder().encode('new');

t.test('creates a new file, and replaces an existing one with its permissions kept', async (t) => {
  const folder = t.testdir({ 'old.png': 'old' });
  chmodSync(join(folder, 'old.png'), 0o640);
  await replaceFile(join(folder, 'new.png'), bytes);
  await replaceFile(join(folder, 'old.png'), bytes);
  t.equal(readFileSync(join(folder, 'new.png'), 'utf8'), 'new');
  t.equal(readFileSync(join(folder, 'old.png'), 'utf8'), 'new');
  t.equal(statSync(join(folder, 'old.png')).mode & 0o777, 0o640);
  t.same(readdirSync(folder).sort(), ['new.png', 'old.png']);
});

t.test('replaces the target of a symbolic link and keeps the link', async (t) => {
  const folder = t.testdir({ 'real.png': 'old' });
  symlinkSync('real.png', join(folder, 'link.png'));
  await replaceFile(join(folder, 'link.png'), bytes);
  t.ok(lstatSync(join(folder, 'link.png')).isSymbolicLink());
  t.equal(readFileSync(join(folder, 'real.png'), 'utf8'), 'new');
});

t.test(
  'writes to a device instead of replacing it',
  { skip: !existsSync('/dev/null') && 'no /dev/null' },
  async (t) => {
    await replaceFile('/dev/null', bytes);
    t.ok(statSync('/dev/null').isCharacterDevice());
  },
);

t.test('a failed write leaves no temporary file behind', async (t) => {
  const folder = t.testdir({});
  mkdirSync(join(folder, 'card.png'));
  await t.rejects(replaceFile(join(folder, 'card.png'), bytes), OutputFileError);
  await t.rejects(replaceFile(join(folder, 'none', 'card.png'), bytes), { message: /: there is no folder .*none$/ });
  t.same(readdirSync(folder), ['card.png']);
});

t.test('rejects an unwritable path before rendering', async (t) => {
  const folder = t.testdir({ 'a.png': '' });
  await t.resolves(checkOutputPath(join(folder, 'a.png')));
  await t.resolves(checkOutputPath(join(folder, 'b.png')));
  await t.rejects(checkOutputPath(folder), { message: /: is a folder$/ });
  await t.rejects(checkOutputPath(join(folder, 'none', 'b.png')), { message: /there is no folder/ });
  await t.rejects(checkOutputPath(join(folder, 'a.png', 'b.png')), { message: /a\.png is a file, not a folder$/ });
});

t.test('says that a folder can’t be written to', { skip: process.platform !== 'linux' }, async (t) => {
  await t.resolves(checkOutputPath('/proc/x.png'));
  await t.rejects(replaceFile('/proc/x.png', bytes), {
    name: 'OutputFileError',
    message: "/proc/x.png: the folder /proc can't be written to",
  });
  const folder = t.testdir({ 'a.png': '' });
  const problem = (code: string, place = folder) =>
    replaceProblem(Object.assign(new Error(code), { code }), place).replace(folder, 'FOLDER');
  t.equal(problem('EACCES'), "the folder FOLDER can't be written to: permission denied");
  t.equal(problem('EPERM'), "the folder FOLDER can't be written to: permission denied");
  t.equal(problem('EROFS'), "the folder FOLDER can't be written to: the file system is read-only");
  t.equal(problem('ENOENT'), "the folder FOLDER can't be written to");
  t.equal(problem('ENOENT', join(folder, 'none')), 'there is no folder FOLDER/none');
  t.equal(problem('ENOTDIR', join(folder, 'a.png')), 'FOLDER/a.png is a file, not a folder');
  t.equal(
    problem('ENOTDIR', join(folder, 'a.png/b')),
    "the folder FOLDER/a.png/b can't be opened: part of the path is not a folder",
  );
  t.equal(problem('EISDIR'), 'is a folder');
  t.equal(problem('ENOSPC'), 'no space left on the disk');
  t.equal(problem('ENAMETOOLONG'), 'the name is too long');
});
