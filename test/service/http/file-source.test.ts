// The files of a folder, from the disk and from its archive: the same names and bytes, and a version that changes with them.
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { type FileSource, openFolder } from '../../../lib/service/http/file-source.js';

const { archiveFolder } = await import('../../../scripts/archive.mjs' as string);

const FILES = { 'a.txt': 'first\nfile', 'b/c.bin': '\0\xff\n{', 'empty.js': '' };

async function contents(source: FileSource): Promise<Record<string, string>> {
  const entries = await Promise.all(
    source.names.map(async (name) => [name, Buffer.from(await source.read(name)).toString()] as const),
  );
  return Object.fromEntries(entries.sort());
}

t.test('an archive has the files of its folder, also without it', async (t) => {
  const folder = join(t.testdir(), 'files');
  mkdirSync(join(folder, 'b'), { recursive: true });
  for (const [name, text] of Object.entries(FILES)) writeFileSync(join(folder, name), text);
  t.same(await contents(openFolder(folder)), FILES);
  archiveFolder(folder);
  const before = openFolder(folder);
  rmSync(folder, { recursive: true });
  t.same(await contents(openFolder(folder)), FILES);

  const versions = before.names.map((name) => before.version(name));
  t.equal(new Set(versions).size, versions.length, 'no two files share a version');
  mkdirSync(join(folder, 'b'), { recursive: true });
  for (const [name, text] of Object.entries(FILES)) writeFileSync(join(folder, name), text.replace('first', 'FIRST'));
  archiveFolder(folder);
  t.not(openFolder(folder).version('a.txt'), before.version('a.txt'), 'another content of the same length');
});

t.test('a folder that does not exist has no files', async (t) => {
  t.same(openFolder(join(t.testdir(), 'none')).names, []);
});
