// Opens the tables of a data folder. An error names every missing or corrupt file and its remedy; no such file is ever
// replaced silently. Creates the tables of a new folder, and those that an older program did not have.
import { dirname } from 'node:path';
import { makeFolders } from '../make-folders.js';
import { StoreError, type Workspace } from '../types.js';
import { type FileSystem, Mutex, syncFolder } from './durable-file.js';
import { type AnyRow, KEYS, type KeyRow, TEMPLATES, type TemplateRow, WORKSPACES } from './rows.js';
import { CorruptSnapshot, FORMAT_VERSION, readSnapshot, type TableDefinition } from './snapshot.js';
import { Table, type TableOptions } from './table.js';

export interface Tables {
  readonly workspaces: Table<Workspace>;
  readonly keys: Table<KeyRow>;
  readonly templates: Table<TemplateRow>;
}

/** The part of a table that opening uses, independent of the row type. */
interface AnyTable {
  readonly path: string;
  readonly definition: TableDefinition<AnyRow>;
  readonly rows: ReadonlyMap<string, AnyRow>;
  readonly header: Readonly<Record<string, unknown>>;
  readonly version: number;
  load(): Promise<boolean>;
  save(header?: Readonly<Record<string, unknown>>): Promise<void>;
}

/** The tables of folders in format 1, which do not list them. */
const FORMAT_1_TABLES: readonly string[] = ['templates', 'keys', 'workspaces'];

const FROM_BACKUP = 'take it from a backup of yours';

/** Reads the tables in `folder`, which exists. Throws a StoreError that names every missing or corrupt file. */
export async function openTables(
  files: FileSystem,
  folder: string,
  options: Omit<TableOptions, 'mutex'>,
): Promise<Tables> {
  const shared = { ...options, mutex: new Mutex() };
  const workspaces = new Table(files, folder, WORKSPACES, shared);
  const keys = new Table(files, folder, KEYS, shared);
  const templates = new Table(files, folder, TEMPLATES, shared);
  // Files are created and upgraded in this order. If workspaces.json lists a table, its file was written before.
  const tables: readonly AnyTable[] = [templates, keys, workspaces];
  const problems: string[] = [];
  const absent: AnyTable[] = [];
  for (const table of tables) {
    try {
      if (!(await table.load())) absent.push(table);
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      const remedy =
        error instanceof CorruptSnapshot && error.isNewerFormat ? '' : `; ${await remedyFor(files, table)}`;
      problems.push(`${table.path}: ${reason}${remedy}`);
    }
  }
  const isNewFolder = absent.includes(workspaces) && tables.every(({ rows }) => rows.size === 0);
  const listed = listedTables(workspaces.header);
  for (const table of absent) {
    const remedy = await remedyFor(files, table);
    const isCreated = isNewFolder || !listed.includes(table.definition.table);
    if (!isCreated || remedy !== FROM_BACKUP) problems.push(`${table.path}: it is missing; ${remedy}`);
  }
  if (problems.length > 0) throw new StoreError(problems.join('; '));
  // The tables of a later program stay in the list.
  const list = [...new Set([...listed, ...tables.map(({ definition }) => definition.table)])];
  const outdated = tables.filter((table) => absent.includes(table) || table.version < FORMAT_VERSION);
  const hasFullList = Array.isArray(workspaces.header.tables) && list.length === listed.length;
  if (!hasFullList && !outdated.includes(workspaces)) outdated.push(workspaces);
  for (const table of outdated) {
    await table.save(table === workspaces ? { tables: list } : {}).catch((cause: Error) => {
      throw new StoreError(cause.message, { cause });
    });
  }
  return { workspaces, keys, templates };
}

/** The names of the tables that the folder has. */
function listedTables({ tables }: Readonly<Record<string, unknown>>): readonly string[] {
  return Array.isArray(tables) && tables.every((name) => typeof name === 'string') ? tables : FORMAT_1_TABLES;
}

/** Creates the folder and its missing parents, accessible by their owner only. Throws StoreError. */
export async function makeFolder(files: FileSystem, folder: string): Promise<void> {
  try {
    const topmost = await makeFolders(folder, 0o700);
    if (topmost !== undefined) await syncFolder(files, dirname(topmost));
  } catch (cause) {
    throw new StoreError(`${folder}: it can't be made: ${(cause as Error).message}`, { cause });
  }
}

/** Tells the user what to do about a missing or corrupt file. */
async function remedyFor(files: FileSystem, { path, definition }: AnyTable): Promise<string> {
  try {
    readSnapshot(await files.readFile(`${path}.bak`), definition);
    return `"render store restore --data ${dirname(path)}" puts the previous generation in its place`;
  } catch {
    return FROM_BACKUP;
  }
}
