// Replaces missing or corrupt table files by their backups (the previous snapshots). Readable files are left alone;
// replaced files are kept under another name.
import { join } from 'node:path';
import { StoreError } from '../types.js';
import { type FileSystem, replaceFile } from './durable-file.js';
import { type AnyRow, ASSETS, BRANDS, KEYS, LEDGER, LINKS, OPERATORS, TEMPLATES, USAGE, WORKSPACES } from './rows.js';
import { CorruptSnapshot, readSnapshot, type TableDefinition } from './snapshot.js';

/** A restored file. */
export interface Restored {
  readonly file: string;
  readonly from: string;
  /** The new path of the corrupt file; absent when the file was missing. */
  readonly kept?: string;
}

const DEFINITIONS: readonly TableDefinition<AnyRow>[] = [
  TEMPLATES,
  KEYS,
  LINKS,
  BRANDS,
  ASSETS,
  OPERATORS,
  LEDGER,
  USAGE,
  WORKSPACES,
];

/**
 * Restores each missing or corrupt table of `folder`. The caller holds the folder's lock. `now` becomes part of the names
 * under which corrupt files are kept. Throws StoreError when a table can't be restored.
 */
export async function restoreTables(files: FileSystem, folder: string, now: Date): Promise<Restored[]> {
  const restored: Restored[] = [];
  for (const definition of DEFINITIONS) {
    const file = join(folder, `${definition.table}.json`);
    const state = await stateOf(files, file, definition);
    if (state === 'valid') continue;
    const from = `${file}.bak`;
    if ((await stateOf(files, from, definition)) !== 'valid') {
      if (state === 'absent') continue;
      throw new StoreError(`${file}: its previous generation can't be read either; take it from a backup of yours`);
    }
    const backup = `${file}.broken-${now.toISOString().replaceAll(':', '')}`;
    try {
      const text = (await files.readFile(from)).toString();
      if (state === 'corrupt') await files.rename(file, backup);
      await replaceFile(files, file, text);
    } catch (cause) {
      throw new StoreError(`${file}: it can't be restored: ${(cause as Error).message}`, { cause });
    }
    restored.push({ file, from, ...(state === 'corrupt' && { kept: backup }) });
  }
  return restored;
}

async function stateOf(
  files: FileSystem,
  path: string,
  definition: TableDefinition<AnyRow>,
): Promise<'valid' | 'corrupt' | 'absent'> {
  try {
    readSnapshot(await files.readFile(path), definition);
    return 'valid';
  } catch (error) {
    // A file of a newer format is valid, although this version can't read it.
    if (error instanceof CorruptSnapshot) return error.isNewerFormat ? 'valid' : 'corrupt';
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return 'absent';
    throw new StoreError(`${path}: ${(error as Error).message}`, { cause: error });
  }
}
