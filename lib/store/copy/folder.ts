// A data folder as the source or target of a copy. No server may use it meanwhile; each table is written once, at the end.
import { createReadStream, promises } from 'node:fs';
import { digestOf } from '../embedded/content-folder.js';
import { nextOrdinal } from '../embedded/context.js';
import { makeFolder, openTables, type Tables } from '../embedded/folder.js';
import { IdempotencyKeys } from '../embedded/idempotency/keys.js';
import { settledOf } from '../embedded/idempotency/log.js';
import { encodeRecord, type IdempotencyRecord } from '../embedded/idempotency/record.js';
import { parseEntry } from '../embedded/render-log/filter.js';
import { RenderLog } from '../embedded/render-log/log.js';
import { latestOf, type TemplateRow, type VersionRow } from '../embedded/rows.js';
import type { Draft } from '../embedded/table.js';
import { readLines } from '../lines.js';
import { withExclusiveFolder } from '../open.js';
import type { LoggedRender } from '../types.js';
import {
  type CopyEndpoint,
  type CopyKind,
  type CopyRows,
  fingerprint,
  type OpenCopyEndpoint,
  type RecordedVersion,
  type SettledKey,
  type TemplateHead,
} from './index.js';

/** Rows per batch. */
const BATCH_SIZE = 1000;

/** `create`: creates a folder that does not exist. Opening throws StoreError, also when a server uses the folder. */
export function folderEndpoint(folder: string, create: boolean, warn: (message: string) => void): OpenCopyEndpoint {
  return async (work) => {
    if (create) await makeFolder(promises, folder);
    return await withExclusiveFolder(folder, 'so it can’t be copied: stop it first', async (path) => {
      const now = () => new Date();
      const tables = await openTables(promises, path, { warn, now });
      const options = { files: promises, folder: path, now, warn, clock: () => performance.now(), leaseMs: 0 };
      const idempotency = await IdempotencyKeys.open(tables.workspaces.header, options);
      tables.workspaces.prepareWrite = (draft) => idempotency.prepareWrite(draft);
      try {
        const endpoint = new FolderEndpoint(tables, idempotency, await RenderLog.open(path, { warn }));
        const result = await work(endpoint);
        await endpoint.write();
        return result;
      } finally {
        await idempotency.close();
      }
    });
  };
}

type FolderKind = Exclude<CopyKind, 'charges' | 'grants'>;

/** How the rows of one kind are read and found. */
interface Source<Kind extends CopyKind> {
  count(): Promise<number>;
  read(): AsyncIterable<CopyRows[Kind]>;
  find(id: string): Promise<CopyRows[Kind] | undefined>;
  /** Rows per batch. */
  readonly batchSize: number;
}

class FolderEndpoint implements CopyEndpoint {
  readonly kinds = [
    ...(['workspaces', 'keys', 'templates', 'versions', 'assets'] as const),
    ...(['idempotency keys', 'renders'] as const),
  ];
  readonly #tables: Tables;
  readonly #idempotency: IdempotencyKeys;
  readonly #log: RenderLog;
  readonly #sources: { readonly [Kind in FolderKind]: Source<Kind> };
  readonly #workspaces: CopyRows['workspaces'][] = [];
  readonly #keys: CopyRows['keys'][] = [];
  readonly #heads: TemplateHead[] = [];
  /** By template. */
  readonly #versions = new Map<string, VersionRow[]>();
  readonly #assets: Omit<CopyRows['assets'], 'content'>[] = [];
  readonly #settled: SettledKey[] = [];
  /** Ids of the entries in the render log; read on first use. */
  #loggedIds: Set<string> | undefined;

  constructor(tables: Tables, idempotency: IdempotencyKeys, log: RenderLog) {
    this.#tables = tables;
    this.#idempotency = idempotency;
    this.#log = log;
    const { workspaces, keys, templates, assets, assetFiles } = tables;
    const withContent = async (row: Omit<CopyRows['assets'], 'content'>) => ({
      ...row,
      content: await assetFiles.read(row.sha256),
    });
    const settledKeys = async function* () {
      for await (const record of idempotency.log.records()) yield settledKeyOf(record);
    };
    const entries = () => this.#entries();
    this.#sources = {
      workspaces: rowsIn(workspaces.rows, async (row) => row, BATCH_SIZE),
      keys: rowsIn(keys.rows, async (row) => row, BATCH_SIZE),
      templates: rowsIn(templates.rows, async (row) => headOf(row), BATCH_SIZE),
      assets: rowsIn(assets.rows, withContent, 1),
      versions: {
        batchSize: 20,
        count: async () => Array.from(templates.rows.values()).reduce((sum, { versions }) => sum + versions.length, 0),
        read: () => this.#readVersions(),
        find: (id) => this.#findVersion(id),
      },
      'idempotency keys': {
        batchSize: BATCH_SIZE,
        count: async () => await countOf(settledKeys()),
        read: settledKeys,
        async find(id) {
          const record = await idempotency.log.findRecord(Buffer.from(id, 'hex'));
          return record && settledKeyOf(record);
        },
      },
      renders: {
        batchSize: BATCH_SIZE,
        count: async () => await countOf(entries()),
        read: entries,
        find: async (id) => {
          this.#loggedIds ??= await this.#readLoggedIds();
          return this.#loggedIds.has(id) ? ({ id } as LoggedRender) : undefined;
        },
      },
    };
  }

  async count(kind: CopyKind): Promise<number> {
    return await this.#sources[kind as FolderKind].count();
  }

  async *read<Kind extends CopyKind>(kind: Kind): AsyncGenerator<readonly CopyRows[Kind][]> {
    const { batchSize, read } = this.#sources[kind as FolderKind] as unknown as Source<Kind>;
    let batch: CopyRows[Kind][] = [];
    for await (const row of read()) {
      batch.push(row);
      if (batch.length < batchSize) continue;
      yield batch;
      batch = [];
    }
    if (batch.length > 0) yield batch;
  }

  async find(kind: CopyKind, ids: readonly string[]): Promise<ReadonlyMap<string, string>> {
    const found = new Map<string, string>();
    for (const id of ids) {
      const row = await this.#sources[kind as FolderKind].find(id);
      if (row) found.set(id, fingerprint(kind, row as never));
    }
    return found;
  }

  async add<Kind extends CopyKind>(kind: Kind, rows: readonly CopyRows[Kind][]): Promise<void> {
    const added = rows as readonly unknown[];
    switch (kind as FolderKind) {
      case 'workspaces':
        this.#workspaces.push(...(added as CopyRows['workspaces'][]));
        break;
      case 'keys':
        this.#keys.push(...(added as CopyRows['keys'][]));
        break;
      case 'templates':
        this.#heads.push(...(added as TemplateHead[]));
        break;
      case 'versions':
        await this.#tables.recordFiles.writeAll((added as RecordedVersion[]).map(({ record }) => record));
        for (const version of added as RecordedVersion[]) this.#addVersion(version);
        break;
      case 'assets':
        await this.#tables.assetFiles.writeAll((added as CopyRows['assets'][]).map(({ content }) => content));
        for (const { content: _content, ...asset } of added as CopyRows['assets'][]) this.#assets.push(asset);
        break;
      case 'idempotency keys':
        this.#settled.push(...(added as SettledKey[]));
        break;
      case 'renders':
        for (const entry of added as LoggedRender[]) this.#log.append(entry);
        await this.#log.settled();
    }
  }

  /** Makes the added rows durable: the workspaces last, as in a new folder. */
  async write(): Promise<void> {
    const { workspaces, keys, templates, assets } = this.#tables;
    if (this.#heads.length > 0) {
      await templates.change((draft) => {
        const ordinal = nextOrdinal(draft.rows);
        for (const [index, head] of this.#heads.entries()) draft.set(head.id, this.#templateOf(head, ordinal + index));
      });
    }
    if (this.#keys.length > 0) await keys.change((draft) => this.#keys.forEach((row) => void draft.set(row.id, row)));
    if (this.#assets.length > 0) {
      await assets.change((draft) => {
        const ordinal = nextOrdinal(draft.rows);
        for (const [index, asset] of this.#assets.entries())
          draft.set(asset.id, { ...asset, ordinal: ordinal + index });
      });
    }
    if (this.#workspaces.length === 0 && this.#settled.length === 0) return;
    await workspaces.change((draft) => {
      for (const row of this.#workspaces) draft.set(row.id, row);
      this.#stageKeys(draft);
    });
  }

  /** Adds the settled keys to the change of workspaces that commits them. */
  #stageKeys(draft: Draft<CopyRows['workspaces']>): void {
    const [first] = draft.rows.values();
    if (first && !draft.isChanged) draft.set(first.id, first);
    for (const { id, settledAt, ...settled } of this.#settled) {
      const time = new Date(settledAt).getTime();
      this.#idempotency.stage(draft, encodeRecord({ ...settled, digest: Buffer.from(id, 'hex'), time }));
    }
  }

  #addVersion({ templateId, id: _id, record, ...version }: RecordedVersion): void {
    const row = { ...version, sha256: digestOf(record), bytes: Buffer.byteLength(record) };
    const versions = this.#versions.get(templateId);
    if (versions) versions.push(row);
    else this.#versions.set(templateId, [row]);
  }

  #templateOf({ id, workspaceId, createdAt, updatedAt, publishedVersion }: TemplateHead, ordinal: number): TemplateRow {
    const versions = this.#versions.get(id) ?? [];
    versions.sort((a, b) => a.version - b.version);
    return { id, workspaceId, ordinal, createdAt, updatedAt, publishedVersion, versions };
  }

  async *#readVersions(): AsyncGenerator<RecordedVersion> {
    for (const { id, versions } of this.#tables.templates.rows.values()) {
      for (const version of versions) yield await this.#readVersion(id, version);
    }
  }

  async #findVersion(id: string): Promise<RecordedVersion | undefined> {
    const [templateId, number] = id.split(' ');
    const found = this.#tables.templates.rows
      .get(templateId)
      ?.versions.find(({ version }) => version === Number(number));
    return found && (await this.#readVersion(templateId, found));
  }

  async #readVersion(templateId: string, row: VersionRow): Promise<RecordedVersion> {
    const { sha256, bytes: _bytes, ...version } = row;
    const record = (await this.#tables.recordFiles.read(sha256)).toString();
    return { ...version, id: `${templateId} ${version.version}`, templateId, record };
  }

  async #readLoggedIds(): Promise<Set<string>> {
    const ids = new Set<string>();
    for await (const { id } of this.#entries()) ids.add(id);
    return ids;
  }

  /** The entries of the render log, oldest first. */
  async *#entries(): AsyncGenerator<LoggedRender> {
    for (const path of await this.#log.files()) {
      for await (const line of readLines(createReadStream(path))) {
        const entry = parseEntry(line);
        if (entry) yield entry as LoggedRender;
      }
    }
  }
}

function rowsIn<Row, Kind extends CopyKind>(
  rows: ReadonlyMap<string, Row>,
  convert: (row: Row) => Promise<CopyRows[Kind]>,
  batchSize: number,
): Source<Kind> {
  return {
    batchSize,
    count: async () => rows.size,
    async *read() {
      for (const row of rows.values()) yield await convert(row);
    },
    async find(id) {
      const row = rows.get(id);
      return row && (await convert(row));
    },
  };
}

async function countOf(rows: AsyncIterable<unknown>): Promise<number> {
  let count = 0;
  for await (const _ of rows) count++;
  return count;
}

function headOf(row: TemplateRow): TemplateHead {
  const { id, workspaceId, publishedVersion, createdAt, updatedAt } = row;
  return { id, workspaceId, version: latestOf(row).version, publishedVersion, createdAt, updatedAt };
}

function settledKeyOf(record: IdempotencyRecord): SettledKey {
  return {
    ...settledOf(record),
    id: record.digest.toString('hex'),
    settledAt: new Date(record.time).toISOString(),
  };
}
