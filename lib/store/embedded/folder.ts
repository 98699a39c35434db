// A data folder → its three tables, read whole or refused: a file that can't be trusted is named, with what can be done,
// and is never replaced in silence. A new folder gets its empty tables at once.
import { dirname } from 'node:path';
import { makeFolders } from '../make-folders.js';
import { StoreError, type Workspace } from '../types.js';
import { type FileSystem, Mutex, syncFolder } from './durable-file.js';
import { type AnyRow, KEYS, type KeyRow, TEMPLATES, type TemplateRow, WORKSPACES } from './rows.js';
import { BrokenSnapshot, type RowKind, readSnapshot } from './snapshot.js';
import { Table, type TableOptions } from './table.js';

export interface Tables {
  readonly workspaces: Table<Workspace>;
  readonly keys: Table<KeyRow>;
  readonly templates: Table<TemplateRow>;
}

/** What opening needs of a table, whatever its rows. */
interface TableFile {
  readonly path: string;
  readonly kind: RowKind<AnyRow>;
  readonly rows: ReadonlyMap<string, AnyRow>;
  load(): Promise<boolean>;
  save(): Promise<void>;
}

const FROM_BACKUP = 'take it from a backup of yours';

/** Reads the tables in `folder`, which exists. Throws StoreError that names every file that is missing or broken. */
export async function openTables(
  files: FileSystem,
  folder: string,
  options: Omit<TableOptions, 'turns'>,
): Promise<Tables> {
  const shared = { ...options, turns: new Mutex() };
  const workspaces = new Table(files, folder, WORKSPACES, shared);
  const keys = new Table(files, folder, KEYS, shared);
  const templates = new Table(files, folder, TEMPLATES, shared);
  // A new folder's tables are written in this order: where there are workspaces, the others are, or somebody removed them.
  const tables: readonly TableFile[] = [templates, keys, workspaces];
  const faults: string[] = [];
  const absent: TableFile[] = [];
  for (const table of tables) {
    try {
      if (!(await table.load())) absent.push(table);
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      const remedy = error instanceof BrokenSnapshot && error.newer ? '' : `; ${await remedyFor(files, table)}`;
      faults.push(`${table.path}: ${reason}${remedy}`);
    }
  }
  const isNew = absent.includes(workspaces) && tables.every(({ rows }) => rows.size === 0);
  for (const table of absent) {
    const remedy = await remedyFor(files, table);
    if (!isNew || remedy !== FROM_BACKUP) faults.push(`${table.path}: it is missing; ${remedy}`);
  }
  if (faults.length > 0) throw new StoreError(faults.join('; '));
  for (const table of absent) {
    await table.save().catch((cause: Error) => {
      throw new StoreError(cause.message, { cause });
    });
  }
  return { workspaces, keys, templates };
}

/** Makes the folder, for its owner alone. Throws StoreError. */
export async function makeFolder(files: FileSystem, folder: string): Promise<void> {
  try {
    const made = await makeFolders(folder, 0o700);
    if (made !== undefined) await syncFolder(files, dirname(made));
  } catch (cause) {
    throw new StoreError(`${folder}: it can't be made: ${(cause as Error).message}`, { cause });
  }
}

/** What can be done about a file that is missing or broken. */
async function remedyFor(files: FileSystem, { path, kind }: TableFile): Promise<string> {
  try {
    readSnapshot(await files.readFile(`${path}.bak`), kind);
    return `"render store restore --data ${dirname(path)}" puts the previous generation in its place`;
  } catch {
    return FROM_BACKUP;
  }
}
