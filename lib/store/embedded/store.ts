// The embedded store: tables, files of records and assets, and a render log in a data folder, used by one process. Tables are
// read from memory, which contains durable data only; holds and rate limits are in memory only.
import { promises } from 'node:fs';
import { RenderError } from '../../errors.js';
import { addCredits } from '../credits.js';
import type {
  AssetStore,
  RateDecision,
  RateWindow,
  RenderEntry,
  RequestStore,
  Store,
  TemplateStore,
} from '../types.js';
import { type Admin, changeBalance, createAdmin, removeDeleted } from './admin.js';
import { createAssets } from './assets.js';
import { ContentReader } from './content-reader.js';
import { find, findWorkspace, type StoreContext } from './context.js';
import type { FileSystem } from './durable-file.js';
import { makeFolder, openTables } from './folder.js';
import { Holds } from './holds.js';
import { KeyUse } from './key-use.js';
import { oldTemplateVerbs } from './old-verbs.js';
import { RenderLog } from './render-log.js';
import { keyOf, workspaceOf } from './rows.js';
import { SlidingWindowLimiter } from './sliding-window.js';
import { createTemplates } from './templates/store.js';

export interface EmbeddedOptions {
  /** Monotonic milliseconds for the rate limits; default performance.now. */
  readonly clock?: () => number;
  /** The current date, for creation times. */
  readonly now?: () => Date;
  /** Called with a one-line message for each problem that fails no operation; default process.emitWarning. */
  readonly warn?: (message: string) => void;
  readonly files?: FileSystem;
  /** Called before each write; throws when another process may own the folder. */
  readonly assertLocked?: () => Promise<void>;
}

/** The verbs of the API. `Store` still has some of their predecessors. */
export interface EmbeddedStore
  extends Omit<RequestStore, 'countRequest' | 'findTemplate'>,
    Admin,
    TemplateStore,
    AssetStore,
    Pick<Store, 'listRenders' | 'close'> {
  countRequest(keyId: string, window: RateWindow, limit: number): Promise<RateDecision>;
}

/**
 * Opens the store in `folder`, and creates both if necessary. The caller holds the folder's lock (lock.ts).
 * Throws a StoreError that names the files that can't be read and the remedy.
 */
export async function openEmbeddedStore(folder: string, options: EmbeddedOptions = {}): Promise<Store> {
  const store = await openNewEmbeddedStore(folder, options);
  return {
    ...store,
    ...oldTemplateVerbs(store),
    countRequest: (keyId, limit) => store.countRequest(keyId, 'render', limit),
  };
}

export async function openNewEmbeddedStore(folder: string, options: EmbeddedOptions = {}): Promise<EmbeddedStore> {
  const { clock = () => performance.now(), now = () => new Date(), files = promises } = options;
  const warn = options.warn ?? ((message: string) => process.emitWarning(message));
  await makeFolder(files, folder);
  const { assertLocked } = options;
  const tables = await openTables(files, folder, { warn, now, ...(assertLocked && { assertLocked }) });
  return await createStore(folder, tables, { clock, now, warn });
}

async function createStore(
  folder: string,
  tables: StoreContext['tables'],
  { clock, now, warn }: Required<Pick<EmbeddedOptions, 'clock' | 'now' | 'warn'>>,
): Promise<EmbeddedStore> {
  const { workspaces, keys, templates, assets } = tables;
  const log = new RenderLog(folder, { warn });
  const limiters = { render: new SlidingWindowLimiter(clock), read: new SlidingWindowLimiter(clock) };
  const holds = new Holds();
  const keyUse = new KeyUse(keys, now);
  const keyIdByHash = new Map<string, string>(Array.from(keys.rows.values(), ({ hash, id }) => [hash, id]));
  let closed = false;
  const assertOpen = () => {
    if (closed) throw new RenderError('storage_unavailable', 'storage is unavailable: it has been closed');
  };
  const decode = (content: Buffer): unknown => JSON.parse(content.toString());
  const records = new ContentReader(tables.recordFiles, { noun: 'template', decode, warn });
  const assetFiles = new ContentReader<Uint8Array>(tables.assetFiles, {
    noun: 'asset',
    decode: (content) => content,
    warn,
  });
  const context: StoreContext = { tables, records, assetFiles, now, warn, assertOpen };
  await removeDeleted(context);

  return {
    ...createAdmin(context, { keyUse, holds, keyIdByHash }),
    ...createTemplates(context),
    ...createAssets(context),
    async findKey(hash) {
      assertOpen();
      const key = keys.rows.get(keyIdByHash.get(hash) ?? '');
      const owner = key && workspaces.rows.get(key.workspaceId);
      if (!owner || owner.deletedAt !== undefined) return undefined;
      return { key: keyOf(keyUse.addTo(key)), workspace: workspaceOf(owner) };
    },
    async countRequest(keyId, window, limit) {
      assertOpen();
      find(keys.rows, keyId, 'key');
      const decision = limiters[window].count(keyId, limit);
      if (decision.allowed) keyUse.note(keyId);
      return decision;
    },
    async hold(workspaceId, cost) {
      assertOpen();
      const available = addCredits(
        findWorkspace(workspaces.rows, workspaceId).balance,
        -holds.heldCredits(workspaceId),
      );
      return available < cost ? { balance: available } : { hold: holds.create(workspaceId, cost) };
    },
    async settle(hold) {
      assertOpen();
      holds.startSettling(hold);
      let charged = false;
      try {
        const balance = await workspaces.change(
          (draft) => changeBalance(draft, hold.workspaceId, -hold.cost),
          () => {
            // In the same step as the balance change; otherwise the credits would be subtracted twice for a moment.
            charged = true;
            holds.end(hold);
          },
        );
        return { balance };
      } finally {
        if (!charged) holds.end(hold);
      }
    },
    async release(hold) {
      if (holds.isOpen(hold)) holds.end(hold);
    },
    appendRender(entry: RenderEntry) {
      log.append(entry);
    },
    async listRenders(workspaceId, limit) {
      findWorkspace(workspaces.rows, workspaceId);
      return log.list(workspaceId, limit);
    },
    async close() {
      closed = true;
      await keyUse.write();
      await Promise.all([workspaces.close(), keys.close(), templates.close(), assets.close(), log.settled()]);
      await Promise.all([tables.recordFiles.settled(), tables.assetFiles.settled()]);
    },
  };
}
