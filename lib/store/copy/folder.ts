// A data folder as the source or target of a copy. No server may use it meanwhile; each table is written once, at the end.
import { createReadStream, promises } from 'node:fs';
import { type ContentFolder, digestOf } from '../embedded/content-folder.js';
import { nextOrdinal } from '../embedded/context.js';
import { makeFolder, openTables, type Tables } from '../embedded/folder.js';
import { IdempotencyKeys } from '../embedded/idempotency/keys.js';
import { encodeRecord } from '../embedded/idempotency/record.js';
import type { LogFiles } from '../embedded/json-lines/log-files.js';
import { openAuditFiles, parseAuditEntry } from '../embedded/operators/audit-log.js';
import { parseEntry } from '../embedded/render-log/filter.js';
import { RenderLog } from '../embedded/render-log/log.js';
import {
  type AnyRow,
  type AssetRow,
  type BrandRow,
  type BrandVersionRow,
  type LedgerLine,
  type LedgerRow,
  latestOf,
  type UsageRow,
  type VersionRow,
  type WorkspaceRow,
} from '../embedded/rows.js';
import type { RowChanges, Table } from '../embedded/table.js';
import { monthOf } from '../embedded/usage/days.js';
import { chargesByDay, linesOf } from '../embedded/usage/ledger.js';
import { readLines } from '../lines.js';
import { withExclusiveFolder } from '../open.js';
import type { AuditEntry } from '../operator-store.js';
import type { LoggedRender } from '../types.js';
import type { CopyEndpoint, OpenCopyEndpoint } from './index.js';
import {
  BATCH_SIZE,
  COPY_KINDS,
  type CopiedLedger,
  type CopyKind,
  type CopyRows,
  fingerprint,
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
        const renders = await RenderLog.open(path, { warn });
        const audit = await openAuditFiles(path, { mutex: tables.mutex });
        const { endpoint, write } = createEndpoint({ tables, idempotency, renders, audit });
        const result = await work(endpoint);
        await write();
        return result;
      } finally {
        await idempotency.close();
      }
    });
  };
}

interface Folder {
  readonly tables: Tables;
  readonly idempotency: IdempotencyKeys;
  readonly renders: RenderLog;
  readonly audit: LogFiles<AuditEntry>;
}

/** Rows of one kind, oldest first: each is loaded when it is read. */
interface Source<Row> {
  list(): Iterable<() => Row | Promise<Row>> | AsyncIterable<() => Row>;
  /** Rows per batch. */
  readonly batchSize?: number;
}

/** A data folder has no single charges. */
type FolderKind = Exclude<CopyKind, 'charges'>;

/** The rows that are added when the copy ends: those with files lack the contents, which are written already. */
interface Added extends Omit<CopyRows, 'versions' | 'brand versions' | 'assets'> {
  readonly versions: VersionRow & { readonly templateId: string };
  readonly 'brand versions': BrandVersionRow & { readonly workspaceId: string };
  readonly assets: Omit<AssetRow, 'ordinal'>;
}
type AddedRows = { readonly [Kind in CopyKind]: Added[Kind][] };

function createEndpoint(folder: Folder): { readonly endpoint: CopyEndpoint; readonly write: () => Promise<void> } {
  const sources = sourcesOf(folder);
  const sourceOf = <Kind extends CopyKind>(kind: Kind) =>
    sources[kind as FolderKind] as unknown as Source<CopyRows[Kind]>;
  const indexes = new Map<CopyKind, ReadonlyMap<string, string>>();
  const added = Object.fromEntries(COPY_KINDS.map((kind) => [kind, []])) as unknown as AddedRows;
  const endpoint: CopyEndpoint = {
    kinds: Object.keys(sources) as FolderKind[],
    async count(kind) {
      let count = 0;
      for await (const _ of sourceOf(kind).list()) count++;
      return count;
    },
    async *read<Kind extends CopyKind>(kind: Kind) {
      const { list, batchSize = BATCH_SIZE } = sourceOf(kind);
      let batch: CopyRows[Kind][] = [];
      for await (const load of list()) {
        batch.push(await load());
        if (batch.length < batchSize) continue;
        yield batch;
        batch = [];
      }
      if (batch.length > 0) yield batch;
    },
    async find(kind) {
      const known = indexes.get(kind);
      if (known) return known;
      const index = new Map<string, string>();
      for await (const load of sourceOf(kind).list()) {
        const row = await load();
        index.set(row.id, fingerprint(kind, row));
      }
      indexes.set(kind, index);
      return index;
    },
    async add(kind, rows) {
      (added[kind] as unknown[]).push(...(await writeContents(folder, kind, rows)));
    },
  };
  return { endpoint, write: () => writeTables(folder, added) };
}

/** Writes log entries and the contents of rows; returns what is added later. */
async function writeContents(
  { tables, renders, audit }: Folder,
  kind: CopyKind,
  rows: readonly unknown[],
): Promise<readonly unknown[]> {
  switch (kind) {
    case 'versions': {
      return await writeRecords(tables.recordFiles, rows as readonly CopyRows['versions'][]);
    }
    case 'brand versions': {
      return await writeRecords(tables.brandFiles, rows as readonly CopyRows['brand versions'][]);
    }
    case 'assets': {
      const assets = rows as readonly CopyRows['assets'][];
      await tables.assetFiles.writeAll(assets.map(({ content }) => content));
      return assets.map(({ content: _, ...asset }) => asset);
    }
    case 'audit entries':
      await audit.append(rows as readonly AuditEntry[]);
      return [];
    case 'renders':
      for (const entry of rows as readonly LoggedRender[]) renders.append(entry);
      await renders.settled();
      return [];
    default:
      return rows;
  }
}

/** Writes the records of versions; returns the versions with the names of their files. */
async function writeRecords<Version extends { readonly id: string; readonly record: string }>(
  files: ContentFolder,
  versions: readonly Version[],
) {
  await files.writeAll(versions.map(({ record }) => record));
  return versions.map(({ id: _, record, ...version }) => ({
    ...version,
    sha256: digestOf(record),
    bytes: Buffer.byteLength(record),
  }));
}

function sourcesOf({ tables, idempotency, renders, audit }: Folder): {
  readonly [Kind in FolderKind]: Source<CopyRows[Kind]>;
} {
  const { workspaces, keys, links, templates, brands, assets, operators, ledger, usage } = tables;
  return {
    workspaces: listOf(workspaces, withoutLedger),
    keys: listOf(keys, (row) => row),
    'link keys': listOf(links, (row) => row),
    templates: listOf(templates, (row) => {
      const { id, workspaceId, publishedVersion, createdAt, updatedAt } = row;
      return { id, workspaceId, version: latestOf(row).version, publishedVersion, createdAt, updatedAt };
    }),
    versions: {
      *list() {
        for (const { id: templateId, versions } of templates.rows.values()) {
          for (const { sha256, bytes: _, ...version } of versions) {
            const id = `${templateId} ${version.version}`;
            yield async () => {
              const record = (await tables.recordFiles.read(sha256)).toString();
              return { ...version, id, templateId, record };
            };
          }
        }
      },
      batchSize: 20,
    },
    'brand versions': {
      *list() {
        for (const { workspaceId, versions } of brands.rows.values()) {
          for (const { sha256, version, createdAt } of versions) {
            yield async () => {
              const record = (await tables.brandFiles.read(sha256)).toString();
              return { id: `${workspaceId} ${version}`, workspaceId, version, createdAt, record };
            };
          }
        }
      },
      batchSize: 20,
    },
    assets: {
      ...listOf(assets, async (row) => ({ ...row, content: await tables.assetFiles.read(row.sha256) })),
      batchSize: 1,
    },
    ledgers: {
      list: () =>
        Array.from(workspaces.rows.values()).flatMap((row) => {
          const lines = ledgerOf(row, ledger.rows);
          return lines ? [() => lines] : [];
        }),
    },
    'usage days': {
      *list() {
        for (const { workspaceId, days } of usage.rows.values()) {
          for (const [day, [renders, failures, cpuMs = 0]] of Object.entries(days)) {
            yield () => ({ id: `${workspaceId} ${day}`, renders, failures, cpuMs });
          }
        }
      },
    },
    'idempotency keys': {
      async *list() {
        for await (const { digest, time, ...settled } of idempotency.log.records()) {
          const settledAt = new Date(idempotency.clock.toWall(time)).toISOString();
          yield () => ({ ...settled, id: digest.toString('hex'), settledAt });
        }
      },
    },
    operators: listOf(operators, ({ id, name, role, workspaces, passwordHash, createdAt }) => {
      const operator = { id: name, operatorId: id, role, workspaces, createdAt };
      return { ...operator, ...(passwordHash !== undefined && { passwordHash }) };
    }),
    'audit entries': entriesOf(audit, parseAuditEntry),
    renders: entriesOf(renders, parseEntry),
  };
}

function listOf<Row extends AnyRow, Copied>(
  table: Table<Row>,
  convert: (row: Row) => Copied | Promise<Copied>,
): Source<Copied> {
  return { list: () => Array.from(table.rows.values(), (row) => () => convert(row)) };
}

/** The entries of a log. */
function entriesOf<Entry>(
  log: { paths(): Promise<string[]> },
  parse: (line: string) => Entry | undefined,
): Source<Entry> {
  return {
    async *list() {
      for (const path of await log.paths()) {
        for await (const line of readLines(createReadStream(path))) {
          const entry = parse(line);
          if (entry) yield () => entry;
        }
      }
    },
  };
}

/** Makes the added rows durable: the workspaces last, as in a new folder. */
async function writeTables({ tables, idempotency }: Folder, added: AddedRows): Promise<void> {
  const { workspaces, keys, links, templates, brands, assets, operators, usage } = tables;
  const versions = new Map(added.templates.map(({ id }) => [id, [] as VersionRow[]]));
  for (const { templateId, ...version } of added.versions) versions.get(templateId)?.push(version);
  for (const list of versions.values()) list.sort((a, b) => a.version - b.version);
  const heads = added.templates.map(({ version: _, ...head }) => ({ ...head, versions: versions.get(head.id) ?? [] }));
  await addRows(templates, withOrdinals(templates, heads));
  await addRows(keys, added.keys);
  await addRows(links, added['link keys']);
  await brands.change((draft) => added['brand versions'].forEach((each) => void addBrand(draft, each)));
  await addRows(assets, withOrdinals(assets, added.assets));
  await usage.change((draft) => added['usage days'].forEach((each) => void addUsage(draft, each)));
  await addRows(
    operators,
    added.operators.map(({ id: name, operatorId: id, ...fields }) => ({ id, name, ...fields, sessions: [] })),
  );
  const { 'idempotency keys': settled, ledgers } = added;
  await workspaces.change((draft) => {
    for (const row of added.workspaces) draft.set(row.id, withoutLedger(row));
    for (const ledger of ledgers) {
      const row = draft.rows.get(ledger.id);
      if (row) draft.set(ledger.id, withLedger(row, ledger));
    }
    for (const { id, settledAt, ...record } of settled) {
      // The change of workspaces commits the keys.
      draft.touch();
      const time = idempotency.clock.fromWall(Date.parse(settledAt));
      idempotency.stage(draft, encodeRecord({ ...record, digest: Buffer.from(id, 'hex'), time }));
    }
  });
}

async function addRows<Row extends AnyRow>(table: Table<Row>, rows: readonly Row[]): Promise<void> {
  await table.change((draft) => rows.forEach((row) => void draft.set(row.id, row)));
}

function withOrdinals<Row extends AnyRow & { readonly ordinal: number }, Added>(
  table: Table<Row>,
  rows: readonly Added[],
): (Added & { readonly ordinal: number })[] {
  const first = nextOrdinal(table.rows);
  return rows.map((row, index) => ({ ...row, ordinal: first + index }));
}

/** The row without its part of the ledger, which is copied by itself. */
function withoutLedger({ id, name, plan, balance, deletedAt }: WorkspaceRow): WorkspaceRow {
  return { id, name, plan, balance, ...(deletedAt !== undefined && { deletedAt }) };
}

/** The lines of a workspace; undefined if it has none. */
function ledgerOf(row: WorkspaceRow, ledger: ReadonlyMap<string, LedgerRow>): CopiedLedger | undefined {
  const lines = [...linesOf(row, ledger)].sort((a, b) => a.number - b.number);
  if (lines.length === 0) return undefined;
  const grants = lines.flatMap(({ kind, time, amount }) => (kind === 'grant' ? [{ time, amount }] : []));
  const charges = Array.from(chargesByDay(lines), ([day, sums]) => ({ day, ...sums }));
  return { id: row.id, grants, charges: charges.sort((a, b) => a.day.localeCompare(b.day)) };
}

/** The row with these lines. The server moves them to their table. */
function withLedger(row: WorkspaceRow, { grants, charges }: CopiedLedger): WorkspaceRow {
  const lines: Omit<LedgerLine, 'number'>[] = [
    ...grants.map((grant) => ({ kind: 'grant' as const, ...grant })),
    ...charges.map(({ day, ...sums }) => ({ kind: 'charge' as const, time: `${day}T00:00:00.000Z`, ...sums })),
  ];
  const unposted = lines.map((line, index) => ({ number: index + 1, ...line }));
  return { ...withoutLedger(row), lines: lines.length, unposted };
}

function addBrand(draft: RowChanges<BrandRow>, { workspaceId, ...version }: Added['brand versions']): void {
  const others = draft.rows.get(workspaceId)?.versions ?? [];
  const versions = [...others, version].sort((a, b) => a.version - b.version);
  draft.set(workspaceId, { id: workspaceId, workspaceId, versions });
}

function addUsage(draft: RowChanges<UsageRow>, { id, renders, failures, cpuMs }: UsageDay): void {
  const [workspaceId, day] = id.split(' ');
  const month = monthOf(day);
  const row = draft.rows.get(`${workspaceId} ${month}`) ?? {
    id: `${workspaceId} ${month}`,
    workspaceId,
    month,
    days: {},
  };
  draft.set(row.id, { ...row, days: { ...row.days, [day]: [renders, failures, cpuMs] } });
}
