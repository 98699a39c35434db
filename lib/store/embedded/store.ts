// The embedded store: tables, files of records and assets, and a render log in a data folder, used by one process. Tables are
// read from memory, which contains durable data only; holds and rate limits are in memory only.
import { promises } from 'node:fs';
import { ServiceError } from '../../errors.js';
import { addCredits } from '../credits.js';
import { SlidingWindowLimiter } from '../sliding-window.js';
import type { Store } from '../types.js';
import { changeBalance, createAdmin, removeDeleted } from './admin.js';
import { createAssets } from './assets.js';
import { createBrands } from './brands.js';
import { ContentReader } from './content-reader.js';
import { find, findWorkspace, type StoreContext } from './context.js';
import type { FileSystem } from './durable-file.js';
import { makeFolder, openTables } from './folder.js';
import { Holds } from './holds.js';
import { IdempotencyKeys } from './idempotency/keys.js';
import { createLinks } from './links.js';
import { openAuditLog } from './operators/audit-log.js';
import { createOperators } from './operators/store.js';
import { RenderLog } from './render-log/log.js';
import { keyOf, workspaceOf } from './rows.js';
import { createTemplates } from './templates/store.js';
import { DailyUsage } from './usage/daily-usage.js';
import { KeyUse } from './usage/key-use.js';
import { Ledger, withCharge } from './usage/ledger.js';
import { createUsage } from './usage/store.js';

export interface EmbeddedOptions {
  /** Monotonic milliseconds for the rate limits and leases; default performance.now. */
  readonly clock?: () => number;
  /** The current date, for creation times and the age of idempotency keys. */
  readonly now?: () => Date;
  /** The longest time that a render takes, in milliseconds; default 30 s. A lease expires one minute later. */
  readonly renderMs?: number;
  /** Called with a one-line message for each problem that fails no operation; default process.emitWarning. */
  readonly warn?: (message: string) => void;
  readonly files?: FileSystem;
  /** Called before each write; throws when another process may own the folder. */
  readonly assertLocked?: () => Promise<void>;
}

/** Extra lifetime of a lease beyond the longest render, for reading the request, waiting and settling. */
const LEASE_MARGIN_MS = 60_000;

/**
 * Opens the store in `folder`, and creates both if necessary. The caller holds the folder's lock (lock.ts).
 * Throws a StoreError that names the files that can't be read and the remedy.
 */
export async function openEmbeddedStore(folder: string, options: EmbeddedOptions = {}): Promise<Store> {
  const { clock = () => performance.now(), now = () => new Date(), files = promises } = options;
  const warn = options.warn ?? ((message: string) => process.emitWarning(message));
  await makeFolder(files, folder);
  const { assertLocked } = options;
  const tables = await openTables(files, folder, { warn, now, ...(assertLocked && { assertLocked }) });
  const leaseMs = (options.renderMs ?? 30_000) + LEASE_MARGIN_MS;
  const { header } = tables.workspaces;
  const idempotency = await IdempotencyKeys.open(header, { files, folder, now, warn, clock, leaseMs });
  tables.workspaces.prepareWrite = (draft) => idempotency.prepareWrite(draft);
  return await createStore(folder, tables, idempotency, { clock, now, warn, assertLocked });
}

async function createStore(
  folder: string,
  tables: StoreContext['tables'],
  idempotency: IdempotencyKeys,
  {
    clock,
    now,
    warn,
    assertLocked,
  }: Required<Pick<EmbeddedOptions, 'clock' | 'now' | 'warn'>> & {
    readonly assertLocked: EmbeddedOptions['assertLocked'] | undefined;
  },
): Promise<Store> {
  const { workspaces, keys, links, templates, brands, assets, mutex } = tables;
  const log = await RenderLog.open(folder, { warn });
  const limiters = { render: new SlidingWindowLimiter(clock), read: new SlidingWindowLimiter(clock) };
  const holds = new Holds();
  const keyUse = new KeyUse(keys, now);
  const linkUse = new KeyUse(links, now);
  const dailyUsage = new DailyUsage(tables.usage);
  const ledger = new Ledger(workspaces, tables.ledger, now);
  const keyIdByHash = new Map<string, string>(Array.from(keys.rows.values(), ({ hash, id }) => [hash, id]));
  let isClosed = false;
  const decode = (content: Buffer): unknown => JSON.parse(content.toString());
  const records = new ContentReader(tables.recordFiles, { noun: 'template', decode, warn });
  const brandRecords = new ContentReader(tables.brandFiles, { noun: 'brand', decode, warn });
  const assetFiles = new ContentReader<Uint8Array>(tables.assetFiles, {
    noun: 'asset',
    decode: (content) => content,
    warn,
  });
  const context: StoreContext = { tables, records, brandRecords, assetFiles, now, warn };
  await removeDeleted(context);
  const { writeUses, ...operators } = createOperators(context);
  const audit = await openAuditLog(folder, { now, warn, assertLocked, mutex });

  const store: Store = {
    ...createAdmin(context, { keyUse, holds, keyIdByHash, ledger }),
    ...createLinks(context, linkUse),
    ...createTemplates(context),
    ...createBrands(context),
    ...createAssets(context),
    ...createUsage(context, { ledger, dailyUsage, keyUse, linkUse }),
    ...operators,
    appendAudit: audit.appendAudit,
    listAudit: audit.listAudit,
    async findKey(hash) {
      const key = keys.rows.get(keyIdByHash.get(hash) ?? '');
      const owner = key && workspaces.rows.get(key.workspaceId);
      if (!owner || owner.deletedAt !== undefined) return undefined;
      return { key: keyOf(keyUse.addTo(key)), workspace: workspaceOf(owner) };
    },
    async countRequest(keyId, window, limit) {
      const use = links.rows.has(keyId) ? linkUse : keyUse;
      if (use === keyUse) find(keys.rows, keyId, 'key');
      const decision = limiters[window].count(keyId, limit);
      use.note(keyId, decision.allowed);
      return decision;
    },
    async hold(workspaceId, cost) {
      const available = addCredits(
        findWorkspace(workspaces.rows, workspaceId).balance,
        -holds.heldCredits(workspaceId),
      );
      return available < cost ? { balance: available } : { hold: holds.create(workspaceId, cost) };
    },
    async claimIdempotencyKey(key, fingerprint) {
      return await idempotency.claim(key, fingerprint);
    },
    async settledFingerprints(requested) {
      const found: (string | undefined)[] = [];
      // one after the other: each may open a file
      for (const key of requested) found.push(await idempotency.settledFingerprint(key));
      return found;
    },
    async releaseIdempotencyLease(lease) {
      idempotency.release(lease);
    },
    async settle(hold, settlement) {
      let record: Buffer | undefined;
      let charged = false;
      const end = () => {
        holds.end(hold);
        if (settlement && record) idempotency.end(settlement.lease);
      };
      try {
        holds.startSettling(hold);
      } catch (error) {
        if (settlement) idempotency.release(settlement.lease);
        throw error;
      }
      try {
        record = settlement && idempotency.startSettling(settlement, hold.cost);
        const balance = await workspaces.change(
          (draft) => {
            const changed = changeBalance(draft, hold.workspaceId, -hold.cost, (row) =>
              withCharge(row, hold.cost, now()),
            );
            if (record) idempotency.stage(draft, record);
            return changed;
          },
          () => {
            // The hold ends in the same step as the balance changes; otherwise the credits would be subtracted twice for a
            // moment. The record is visible already, so the key is never free in between.
            charged = true;
            end();
            ledger.schedule(hold.workspaceId);
          },
        );
        return { balance };
      } finally {
        if (!charged) end();
      }
    },
    async release(hold) {
      if (holds.isOpen(hold)) holds.end(hold);
    },
    async assertWritable() {
      // a separate write: a disk may have room for a small file and none for the table
      await workspaces.change((draft) => draft.touch());
    },
    appendRender(entry) {
      dailyUsage.note(entry);
      log.append(entry);
    },
    async listRenders(workspaceId, filter, page) {
      find(workspaces.rows, workspaceId, 'workspace');
      return await log.list(workspaceId, filter, page);
    },
    async findRender(workspaceId, id) {
      const owner = workspaces.rows.get(workspaceId);
      return owner && owner.deletedAt === undefined ? await log.find(workspaceId, id) : undefined;
    },
    async close() {
      isClosed = true;
      await Promise.all([keyUse.write(), linkUse.write(), dailyUsage.write(), writeUses(), ledger.close()]);
      await Promise.all(
        [workspaces, keys, links, templates, brands, assets, tables.operators, tables.ledger, tables.usage].map(
          (table) => table.close(),
        ),
      );
      await Promise.all([log.settled(), audit.settled()]);
      const contents = [tables.recordFiles, tables.brandFiles, tables.assetFiles].map((folder) => folder.settled());
      await Promise.all([...contents, idempotency.close()]);
    },
  };
  return whileOpen(store, () => isClosed);
}

/** What a render may still do when the store is closed, without an error: it ends, or is noted. */
const ALWAYS: readonly string[] = [
  ...(['appendRender', 'countCpu', 'release', 'releaseIdempotencyLease', 'close'] satisfies (keyof Store)[]),
];

/** The store, whose other operations reject with `storage_unavailable` once it is closed. */
function whileOpen(store: Store, isClosed: () => boolean): Store {
  const operations = Object.entries<(...values: never[]) => unknown>({ ...store });
  const guarded = operations.map(([name, operation]) => {
    if (ALWAYS.includes(name)) return [name, operation];
    const run = async (...values: never[]) => {
      if (isClosed()) throw new ServiceError('storage_unavailable', 'storage is unavailable: it has been closed');
      return await operation(...values);
    };
    return [name, run];
  });
  return Object.fromEntries(guarded) as Store;
}
