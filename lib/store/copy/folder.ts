// A data folder as the source or target of a copy. No server may use it meanwhile; each table is written once, at the end.
import { createReadStream, promises } from 'node:fs';
import { makeFolder, openTables, type Tables } from '../embedded/folder.js';
import { parseEntry } from '../embedded/render-log/filter.js';
import { RenderLog } from '../embedded/render-log/log.js';
import { latestOf, type TemplateRow } from '../embedded/rows.js';
import { upgradeRow } from '../embedded/templates/upgrade.js';
import { readLines } from '../lines.js';
import { withExclusiveFolder } from '../open.js';
import type { RenderEntry } from '../types.js';
import { type CopyEndpoint, type CopyKind, type CopyRows, fingerprint, type OpenCopyEndpoint } from './index.js';

/** Rows per batch. */
const BATCH_SIZE = 1000;

/** `create`: creates a folder that does not exist. Opening throws StoreError, also when a server uses the folder. */
export function folderEndpoint(folder: string, create: boolean, warn: (message: string) => void): OpenCopyEndpoint {
  return async (work) => {
    if (create) await makeFolder(promises, folder);
    return await withExclusiveFolder(folder, 'so it can’t be copied: stop it first', async (path) => {
      const tables = await openTables(promises, path, { warn, now: () => new Date() });
      const endpoint = new FolderEndpoint(tables, await RenderLog.open(path, { warn }));
      const result = await work(endpoint);
      await endpoint.write();
      return result;
    });
  };
}

type TableKind = 'workspaces' | 'keys' | 'templates';

class FolderEndpoint implements CopyEndpoint {
  readonly kinds = ['workspaces', 'keys', 'templates', 'renders'] as const;
  readonly #tables: Tables;
  readonly #log: RenderLog;
  readonly #added = { workspaces: [], keys: [], templates: [] } as { [Kind in TableKind]: CopyRows[Kind][] };
  /** Ids of the entries in the render log; read on first use. */
  #loggedIds: Set<string> | undefined;

  constructor(tables: Tables, log: RenderLog) {
    this.#tables = tables;
    this.#log = log;
  }

  async count(kind: CopyKind): Promise<number> {
    if (isTable(kind)) return this.#tables[kind].rows.size;
    let count = 0;
    for await (const entries of this.#entries()) count += entries.length;
    return count;
  }

  async *read<Kind extends CopyKind>(kind: Kind): AsyncGenerator<readonly CopyRows[Kind][]> {
    if (!isTable(kind)) {
      yield* this.#entries() as AsyncGenerator<CopyRows[Kind][]>;
      return;
    }
    if (kind === 'templates') {
      for (const row of this.#tables.templates.rows.values()) yield [await this.#readTemplate(row)] as CopyRows[Kind][];
      return;
    }
    const rows = [...this.#tables[kind].rows.values()] as unknown as CopyRows[Kind][];
    for (let start = 0; start < rows.length; start += BATCH_SIZE) yield rows.slice(start, start + BATCH_SIZE);
  }

  async find(kind: CopyKind, ids: readonly string[]): Promise<ReadonlyMap<string, string>> {
    const found = new Map<string, string>();
    if (!isTable(kind)) this.#loggedIds ??= await this.#readLoggedIds();
    for (const id of ids) {
      const stored = isTable(kind) ? this.#tables[kind].rows.get(id) : this.#loggedIds?.has(id) && { id };
      const row = stored && kind === 'templates' ? await this.#readTemplate(stored as TemplateRow) : stored;
      if (row) found.set(id, fingerprint(kind, row as never));
    }
    return found;
  }

  async add<Kind extends CopyKind>(kind: Kind, rows: readonly CopyRows[Kind][]): Promise<void> {
    if (isTable(kind)) {
      for (const row of rows) this.#added[kind].push(row as never);
      return;
    }
    for (const entry of rows as readonly RenderEntry[]) this.#log.append(entry);
    await this.#log.settled();
  }

  /** Makes the added rows durable: the workspaces last, as in a new folder. */
  async write(): Promise<void> {
    const write = <Row extends { readonly id: string }>(
      table: { change(apply: (draft: { set(id: string, row: Row): void }) => void): Promise<void> },
      rows: readonly Row[],
    ) => (rows.length === 0 ? undefined : table.change((draft) => rows.forEach((row) => void draft.set(row.id, row))));
    const { templates, recordFiles } = this.#tables;
    const now = new Date().toISOString();
    await recordFiles.writeAll(this.#added.templates.map(({ record }) => JSON.stringify(record)));
    const rows = this.#added.templates.map((row, index) => upgradeRow(row, templates.rows.size + index + 1, now));
    await write(templates, rows);
    await write(this.#tables.keys, this.#added.keys);
    await write(this.#tables.workspaces, this.#added.workspaces);
  }

  async #readTemplate(row: TemplateRow): Promise<CopyRows['templates']> {
    const { name, width, height, sha256 } = latestOf(row);
    const record: unknown = JSON.parse((await this.#tables.recordFiles.read(sha256)).toString());
    return { id: row.id, workspaceId: row.workspaceId, name, width, height, record };
  }

  async #readLoggedIds(): Promise<Set<string>> {
    const ids = new Set<string>();
    for await (const entries of this.#entries()) for (const { id } of entries) ids.add(id);
    return ids;
  }

  /** The entries of the render log, oldest first, in batches. */
  async *#entries(): AsyncGenerator<RenderEntry[]> {
    let batch: RenderEntry[] = [];
    for (const path of await this.#log.files()) {
      for await (const line of readLines(createReadStream(path))) {
        const entry = parseEntry(line);
        if (entry) batch.push(entry);
        if (batch.length < BATCH_SIZE) continue;
        yield batch;
        batch = [];
      }
    }
    if (batch.length > 0) yield batch;
  }
}

function isTable(kind: CopyKind): kind is TableKind {
  return kind === 'workspaces' || kind === 'keys' || kind === 'templates';
}
