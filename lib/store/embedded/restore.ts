// Tables that are missing or can't be read → their previous generations. What can be read is left alone, and what is
// replaced is kept under another name.
import { join } from 'node:path';
import { StoreError } from '../types.js';
import { type FileSystem, replaceFile } from './durable-file.js';
import { type AnyRow, KEYS, TEMPLATES, WORKSPACES } from './rows.js';
import { BrokenSnapshot, type RowKind, readSnapshot } from './snapshot.js';

/** One file that was put back. */
export interface Restored {
  readonly file: string;
  readonly from: string;
  /** Where the broken file lies now; absent when there was none. */
  readonly kept?: string;
}

const KINDS: readonly RowKind<AnyRow>[] = [TEMPLATES, KEYS, WORKSPACES];

/**
 * Restores each table of `folder` that needs it; none when all is well. To be called under the folder's lock.
 * `now` goes into the names under which broken files are kept. Throws StoreError when one can't be put back.
 */
export async function restoreTables(files: FileSystem, folder: string, now: Date): Promise<Restored[]> {
  const restored: Restored[] = [];
  for (const kind of KINDS) {
    const file = join(folder, `${kind.table}.json`);
    const state = await stateOf(files, file, kind);
    if (state === 'good') continue;
    const from = `${file}.bak`;
    if ((await stateOf(files, from, kind)) !== 'good') {
      if (state === 'absent') continue;
      throw new StoreError(`${file}: there is no previous generation to be read; take it from a backup of yours`);
    }
    const kept = `${file}.broken-${now.toISOString().replaceAll(':', '')}`;
    try {
      const text = (await files.readFile(from)).toString();
      if (state === 'broken') await files.rename(file, kept);
      await replaceFile(files, file, text, false);
    } catch (cause) {
      throw new StoreError(`${file}: it can't be restored: ${(cause as Error).message}`, { cause });
    }
    restored.push({ file, from, ...(state === 'broken' && { kept }) });
  }
  return restored;
}

async function stateOf(files: FileSystem, path: string, kind: RowKind<AnyRow>): Promise<'good' | 'broken' | 'absent'> {
  try {
    readSnapshot(await files.readFile(path), kind);
    return 'good';
  } catch (error) {
    // Whole, only not for this version of the program.
    if (error instanceof BrokenSnapshot) return error.newer ? 'good' : 'broken';
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return 'absent';
    throw new StoreError(`${path}: ${(error as Error).message}`, { cause: error });
  }
}
