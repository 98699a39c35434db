// Opens the tables of a data folder. An error names every missing or corrupt file and its remedy; no such file is ever
// replaced silently. Creates the tables of a new folder, and those that an older program did not have.
import { dirname } from 'node:path';
import { makeFolders } from '../make-folders.js';
import { StoreError } from '../types.js';
import { ContentFolder } from './content-folder.js';
import { type FileSystem, Mutex, syncFolder, WriteError } from './durable-file.js';
import {
  type AnyRow,
  ASSETS,
  type AssetRow,
  BRANDS,
  type BrandRow,
  KEYS,
  type KeyRow,
  LEDGER,
  type LedgerRow,
  LINKS,
  type LinkRow,
  OPERATORS,
  type OperatorRow,
  TEMPLATES,
  type TemplateRow,
  USAGE,
  type UsageRow,
  WORKSPACES,
  type WorkspaceRow,
} from './rows.js';
import { CorruptSnapshot, FORMAT_VERSION, readSnapshot, type TableDefinition } from './snapshot.js';
import { Table, type TableOptions } from './table.js';
import { upgradeTemplates } from './templates/upgrade.js';

export interface Tables {
  readonly workspaces: Table<WorkspaceRow>;
  readonly keys: Table<KeyRow>;
  readonly links: Table<LinkRow>;
  readonly templates: Table<TemplateRow>;
  readonly brands: Table<BrandRow>;
  readonly assets: Table<AssetRow>;
  readonly operators: Table<OperatorRow>;
  readonly ledger: Table<LedgerRow>;
  readonly usage: Table<UsageRow>;
  /** Serializes the writes to entries of the folder itself. */
  readonly mutex: Mutex;
  /** The records of the templates' versions. */
  readonly recordFiles: ContentFolder;
  /** The records of the brands' versions. */
  readonly brandFiles: ContentFolder;
  readonly assetFiles: ContentFolder;
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
  { now, ...options }: Omit<TableOptions, 'mutex'> & { readonly now: () => Date },
): Promise<Tables> {
  const mutex = new Mutex();
  const shared = { ...options, mutex };
  const workspaces = new Table(files, folder, WORKSPACES, shared);
  const keys = new Table(files, folder, KEYS, shared);
  const links = new Table(files, folder, LINKS, shared);
  const templates = new Table(files, folder, TEMPLATES, shared);
  const brands = new Table(files, folder, BRANDS, shared);
  const assets = new Table(files, folder, ASSETS, shared);
  const operators = new Table(files, folder, OPERATORS, shared);
  const ledger = new Table(files, folder, LEDGER, shared);
  const usage = new Table(files, folder, USAGE, shared);
  const content = { files, folder, mutex, assertLocked: options.assertLocked };
  const records = { ...content, extension: '.json' };
  const recordFiles = new ContentFolder({ ...records, name: 'records', generation: () => templates.generation });
  const brandFiles = new ContentFolder({ ...records, name: 'brands', generation: () => brands.generation });
  const assetFiles = new ContentFolder({ ...content, name: 'assets', generation: () => assets.generation });
  // Files are created and upgraded in this order. If workspaces.json lists a table, its file was written before.
  const tables: readonly AnyTable[] = [templates, keys, links, brands, assets, operators, ledger, usage, workspaces];
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
  try {
    if (templates.version === 1) await upgradeTemplates(templates, recordFiles, now().toISOString());
    for (const table of outdated) {
      await table.save(
        table === workspaces ? { tables: list } : table === ledger ? { since: now().toISOString() } : {},
      );
    }
  } catch (cause) {
    if (!(cause instanceof WriteError)) throw cause;
    throw new StoreError(cause.message, { cause });
  }
  const recordsIn = (rows: ReadonlyMap<string, TemplateRow | BrandRow>) =>
    Array.from(rows.values(), ({ versions }) => versions.map(({ sha256 }) => sha256)).flat();
  const contentsIn = (rows: ReadonlyMap<string, AssetRow>) => Array.from(rows.values(), ({ sha256 }) => sha256);
  recordFiles.addReferences(recordsIn(templates.rows));
  brandFiles.addReferences(recordsIn(brands.rows));
  assetFiles.addReferences(contentsIn(assets.rows));
  for (const [each, backup] of [
    [recordFiles, async () => recordsIn(await backupRows(files, templates))],
    [brandFiles, async () => recordsIn(await backupRows(files, brands))],
    [assetFiles, async () => contentsIn(await backupRows(files, assets))],
  ] as const) {
    // Leftover files take room and do no other harm.
    await each.sweep(backup).catch((error: Error) => options.warn(`${folder}: ${error.message}`));
  }
  const contents = { recordFiles, brandFiles, assetFiles };
  return { workspaces, keys, links, templates, brands, assets, operators, ledger, usage, mutex, ...contents };
}

/** The rows of a table's previous generation; none when it can't be read. */
async function backupRows<Row extends AnyRow>(
  files: FileSystem,
  { path, definition }: Pick<Table<Row>, 'path' | 'definition'>,
): Promise<ReadonlyMap<string, Row>> {
  try {
    const { rows, version } = readSnapshot(await files.readFile(`${path}.bak`), definition);
    return version === FORMAT_VERSION ? rows : new Map();
  } catch {
    return new Map();
  }
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
    return `"platen store restore --data ${dirname(path)}" puts the previous generation in its place`;
  } catch {
    return FROM_BACKUP;
  }
}
