// A data folder as the source or target of a copy. No server may use it meanwhile; each table is written once, at the end.
import { promises } from 'node:fs';
import { digestOf } from '../embedded/content-folder.js';
import { nextOrdinal } from '../embedded/context.js';
import { makeFolder, openTables, type Tables } from '../embedded/folder.js';
import { IdempotencyKeys } from '../embedded/idempotency/keys.js';
import { encodeRecord } from '../embedded/idempotency/record.js';
import type { LogFiles } from '../embedded/json-lines/log-files.js';
import { openAuditFiles, parseAuditEntry } from '../embedded/operators/audit-log.js';
import { parseEntry } from '../embedded/render-log/filter.js';
import { RenderLog } from '../embedded/render-log/log.js';
import type { TemplateRow, VersionRow } from '../embedded/rows.js';
import type { RowChanges } from '../embedded/table.js';
import { withExclusiveFolder } from '../open.js';
import type { AuditEntry } from '../operator-store.js';
import type { LoggedRender } from '../types.js';
import {
  addUsage,
  copiedOperatorOf,
  headOf,
  ledgerOf,
  operatorOf,
  settledKeyOf,
  usageDaysOf,
  withLedger,
  withoutLedger,
} from './folder-rows.js';
import { BATCH_SIZE, countOf, entriesOf, type FolderSource, listOf, rowsIn } from './folder-source.js';
import type { CopyEndpoint, OpenCopyEndpoint } from './index.js';
import {
  type CopiedLedger,
  type CopiedOperator,
  type CopyKind,
  type CopyRows,
  fingerprint,
  type RecordedVersion,
  type SettledKey,
  type TemplateHead,
  type UsageDay,
} from './rows.js';

/**
 * Opens a data folder for copying. `create` creates a folder that does not exist. Opening throws StoreError, also when a server
 * uses the folder.
 */
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
        const logs = {
          renders: await RenderLog.open(path, { warn }),
          audit: await openAuditFiles(path, { mutex: tables.mutex }),
        };
        const endpoint = new FolderEndpoint(tables, idempotency, logs);
        const result = await work(endpoint);
        await endpoint.write();
        return result;
      } finally {
        await idempotency.close();
      }
    });
  };
}

type FolderKind = Exclude<CopyKind, 'charges'>;

interface Logs {
  readonly renders: RenderLog;
  readonly audit: LogFiles<AuditEntry>;
}

class FolderEndpoint implements CopyEndpoint {
  readonly kinds = [
    ...(['workspaces', 'keys', 'link keys', 'templates', 'versions', 'assets'] as const),
    ...(['ledgers', 'usage days', 'idempotency keys', 'operators', 'audit entries', 'renders'] as const),
  ];
  readonly #tables: Tables;
  readonly #idempotency: IdempotencyKeys;
  readonly #logs: Logs;
  readonly #sources: { readonly [Kind in FolderKind]: FolderSource<Kind> };
  readonly #workspaces: CopyRows['workspaces'][] = [];
  readonly #keys: CopyRows['keys'][] = [];
  readonly #links: CopyRows['link keys'][] = [];
  readonly #heads: TemplateHead[] = [];
  /** Versions by template. */
  readonly #versions = new Map<string, VersionRow[]>();
  readonly #assets: Omit<CopyRows['assets'], 'content'>[] = [];
  readonly #settled: SettledKey[] = [];
  readonly #ledgers: CopiedLedger[] = [];
  readonly #usage: UsageDay[] = [];
  readonly #operators: CopiedOperator[] = [];

  constructor(tables: Tables, idempotency: IdempotencyKeys, logs: Logs) {
    this.#tables = tables;
    this.#idempotency = idempotency;
    this.#logs = logs;
    const { workspaces, keys, links, templates, assets, assetFiles, operators, ledger, usage } = tables;
    const withContent = async (row: Omit<CopyRows['assets'], 'content'>) => ({
      ...row,
      content: await assetFiles.read(row.sha256),
    });
    const settledKeys = async function* () {
      for await (const record of idempotency.log.records()) yield settledKeyOf(record, idempotency.clock);
    };
    this.#sources = {
      workspaces: rowsIn(workspaces.rows, async (row) => withoutLedger(row), BATCH_SIZE),
      keys: rowsIn(keys.rows, async (row) => row, BATCH_SIZE),
      'link keys': rowsIn(links.rows, async (row) => row, BATCH_SIZE),
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
          return record && settledKeyOf(record, idempotency.clock);
        },
      },
      ledgers: listOf(() => Array.from(workspaces.rows.values()).flatMap((row) => ledgerOf(row, ledger.rows) ?? [])),
      'usage days': listOf(() => Array.from(usage.rows.values()).flatMap(usageDaysOf)),
      operators: listOf(() => Array.from(operators.rows.values(), copiedOperatorOf)),
      'audit entries': entriesOf(logs.audit, parseAuditEntry),
      renders: entriesOf(logs.renders, parseEntry),
    };
  }

  async count(kind: CopyKind): Promise<number> {
    return await this.#sources[kind as FolderKind].count();
  }

  async *read<Kind extends CopyKind>(kind: Kind): AsyncGenerator<readonly CopyRows[Kind][]> {
    const { batchSize, read } = this.#sources[kind as FolderKind] as unknown as FolderSource<Kind>;
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
      case 'link keys':
        this.#links.push(...(added as CopyRows['link keys'][]));
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
      case 'ledgers':
        this.#ledgers.push(...(added as CopiedLedger[]));
        break;
      case 'usage days':
        this.#usage.push(...(added as UsageDay[]));
        break;
      case 'operators':
        this.#operators.push(...(added as CopiedOperator[]));
        break;
      case 'audit entries':
        await this.#logs.audit.append(added as AuditEntry[]);
        break;
      case 'renders':
        for (const entry of added as LoggedRender[]) this.#logs.renders.append(entry);
        await this.#logs.renders.settled();
    }
  }

  /** Makes the added rows durable: the workspaces last, as in a new folder. */
  async write(): Promise<void> {
    const { workspaces, keys, links, templates, assets, operators, usage } = this.#tables;
    if (this.#heads.length > 0) {
      await templates.change((draft) => {
        const ordinal = nextOrdinal(draft.rows);
        for (const [index, head] of this.#heads.entries()) draft.set(head.id, this.#templateOf(head, ordinal + index));
      });
    }
    if (this.#keys.length > 0) await keys.change((draft) => this.#keys.forEach((row) => void draft.set(row.id, row)));
    if (this.#links.length > 0)
      await links.change((draft) => this.#links.forEach((row) => void draft.set(row.id, row)));
    if (this.#assets.length > 0) {
      await assets.change((draft) => {
        const ordinal = nextOrdinal(draft.rows);
        for (const [index, asset] of this.#assets.entries())
          draft.set(asset.id, { ...asset, ordinal: ordinal + index });
      });
    }
    if (this.#usage.length > 0)
      await usage.change((draft) => this.#usage.forEach((each) => void addUsage(draft, each)));
    if (this.#operators.length > 0) {
      await operators.change((draft) =>
        this.#operators.forEach((each) => void draft.set(each.operatorId, operatorOf(each))),
      );
    }
    if (this.#workspaces.length + this.#settled.length + this.#ledgers.length === 0) return;
    await workspaces.change((draft) => {
      for (const row of this.#workspaces) draft.set(row.id, withoutLedger(row));
      for (const ledger of this.#ledgers) {
        const row = draft.rows.get(ledger.id);
        if (row) draft.set(ledger.id, withLedger(row, ledger));
      }
      this.#stageKeys(draft);
    });
  }

  /** Adds the settled keys to the change of workspaces that commits them. */
  #stageKeys(draft: RowChanges<CopyRows['workspaces']>): void {
    const [first] = draft.rows.values();
    if (first && !draft.isChanged) draft.set(first.id, first);
    for (const { id, settledAt, ...settled } of this.#settled) {
      const time = this.#idempotency.clock.fromWall(Date.parse(settledAt));
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
}
