// Creates a folder and its missing parents. Node's recursive mkdir never returns on a file system that answers ENOENT
// although the parent exists, as /proc does.
import { mkdir, stat } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';

/**
 * Creates `path` and its missing parents. Returns the topmost folder that was created, undefined if all existed.
 * Throws an Error with a message for the user.
 */
export async function makeFolders(path: string, mode = 0o777): Promise<string | undefined> {
  const folder = resolve(path);
  const parent = dirname(folder);
  const first = await makeFolder(folder, mode);
  if (first !== 'no parent') return first === 'created' ? folder : undefined;
  const topmost = parent === folder ? undefined : await makeFolders(parent, mode);
  const second = await makeFolder(folder, mode);
  if (second === 'no parent') throw new Error(`no folder can be made in ${parent}`);
  return topmost ?? (second === 'created' ? folder : undefined);
}

async function makeFolder(folder: string, mode: number): Promise<'created' | 'existed' | 'no parent'> {
  try {
    await mkdir(folder, { mode });
    return 'created';
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException;
    if (code === 'ENOENT' || code === 'ENOTDIR') return 'no parent';
    const found = await stat(folder).catch(() => undefined);
    if (found?.isDirectory()) return 'existed';
    if (found) throw new Error(`${folder} is a file, not a folder`, { cause });
    throw cause;
  }
}
