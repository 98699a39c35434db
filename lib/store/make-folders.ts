// A folder and those above it. Node's own recursive mkdir never returns where a file system answers ENOENT although the
// folder above is there, as /proc does.
import { mkdir, stat } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';

/** Makes `path` and the missing folders above it; gives the topmost one that it made. Throws with a message for the user. */
export async function makeFolders(path: string, mode = 0o777): Promise<string | undefined> {
  const folder = resolve(path);
  const parent = dirname(folder);
  const first = await makeOne(folder, mode);
  if (first !== 'no parent') return first === 'made' ? folder : undefined;
  const topmost = parent === folder ? undefined : await makeFolders(parent, mode);
  const second = await makeOne(folder, mode);
  if (second === 'no parent') throw new Error(`no folder can be made in ${parent}`);
  return topmost ?? (second === 'made' ? folder : undefined);
}

async function makeOne(folder: string, mode: number): Promise<'made' | 'existed' | 'no parent'> {
  try {
    await mkdir(folder, { mode });
    return 'made';
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException;
    if (code === 'ENOENT' || code === 'ENOTDIR') return 'no parent';
    const found = await stat(folder).catch(() => undefined);
    if (found?.isDirectory()) return 'existed';
    if (found) throw new Error(`${folder} is a file, not a folder`, { cause });
    throw cause;
  }
}
