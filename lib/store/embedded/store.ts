// The embedded store: three tables and a render log in a data folder, used by one process. Reads are served from memory,
// which contains durable data only; holds and rate limits are in memory only.
import { randomBytes } from 'node:crypto';
import { promises } from 'node:fs';
import { formatReceived } from '../../contract/issues.js';
import { RenderError } from '../../errors.js';
import { addCredits, MAX_CREDITS } from '../credits.js';
import { type RenderEntry, type Store, StoreError, type Workspace } from '../types.js';
import type { FileSystem } from './durable-file.js';
import { makeFolder, openTables, type Tables } from './folder.js';
import { Holds } from './holds.js';
import { RenderLog } from './render-log.js';
import { type KeyRow, keyOf, templateOf, workspaceOf } from './rows.js';
import { SlidingWindowLimiter } from './sliding-window.js';
import type { Draft } from './table.js';

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

/**
 * Opens the store in `folder`, and creates both if necessary. The caller holds the folder's lock (lock.ts).
 * Throws a StoreError that names the files that can't be read and the remedy.
 */
export async function openEmbeddedStore(folder: string, options: EmbeddedOptions = {}): Promise<Store> {
  const { clock = () => performance.now(), now = () => new Date(), files = promises } = options;
  const warn = options.warn ?? ((message: string) => process.emitWarning(message));
  await makeFolder(files, folder);
  const { assertLocked } = options;
  const tables = await openTables(files, folder, { warn, ...(assertLocked && { assertLocked }) });
  return createStore(tables, new RenderLog(folder, { warn }), new SlidingWindowLimiter(clock), now);
}

const newId = (kind: string) => `${kind}_${randomBytes(12).toString('hex')}`;

const newestFirst = <Row>(rows: ReadonlyMap<string, Row>): Row[] => [...rows.values()].reverse();

function find<Row>(rows: ReadonlyMap<string, Row>, id: string, noun: string): Row {
  const row = rows.get(id);
  if (!row) throw new StoreError(`there is no ${noun} ${formatReceived(id)}`);
  return row;
}

function changeBalance(draft: Draft<Workspace>, id: string, amount: number): number {
  const row = find(draft.rows, id, 'workspace');
  const balance = addCredits(row.balance, amount);
  if (balance < 0) throw new StoreError(`workspace ${formatReceived(id)} has ${row.balance} credits`);
  if (amount > 0 && balance > MAX_CREDITS) throw new StoreError(`a balance can't be above ${MAX_CREDITS} credits`);
  draft.set(id, { ...row, balance });
  return balance;
}

function createStore(
  { workspaces, keys, templates }: Tables,
  log: RenderLog,
  limiter: SlidingWindowLimiter,
  now: () => Date,
): Store {
  const holds = new Holds();
  let closed = false;
  const keyIdByHash = new Map<string, string>(Array.from(keys.rows.values(), ({ hash, id }) => [hash, id]));
  const assertOpen = () => {
    if (closed) throw new RenderError('storage_unavailable', 'storage is unavailable: it has been closed');
  };
  const workspace = (id: string) => find(workspaces.rows, id, 'workspace');

  return {
    async findKey(hash) {
      assertOpen();
      const key = keys.rows.get(keyIdByHash.get(hash) ?? '');
      const owner = key && workspaces.rows.get(key.workspaceId);
      return owner && { key: keyOf(key), workspace: workspaceOf(owner) };
    },
    async countRequest(keyId, limit) {
      assertOpen();
      find(keys.rows, keyId, 'key');
      return limiter.count(keyId, limit);
    },
    async findTemplate(workspaceId, templateId) {
      assertOpen();
      const row = templates.rows.get(templateId);
      return row?.workspaceId === workspaceId ? row.record : undefined;
    },
    async hold(workspaceId, cost) {
      assertOpen();
      const available = addCredits(workspace(workspaceId).balance, -holds.heldCredits(workspaceId));
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

    async createWorkspace({ name, plan, credits }) {
      assertOpen();
      if (credits > MAX_CREDITS) throw new StoreError(`a balance can't be above ${MAX_CREDITS} credits`);
      const row: Workspace = { id: newId('ws'), name, plan, balance: credits };
      return workspaces.change((draft) => {
        draft.set(row.id, row);
        return workspaceOf(row);
      });
    },
    async listWorkspaces() {
      return newestFirst(workspaces.rows).map(workspaceOf);
    },
    async createKey({ workspaceId, name, scopes, hash }) {
      assertOpen();
      workspace(workspaceId);
      const row: KeyRow = {
        id: newId('key'),
        workspaceId,
        name,
        scopes,
        state: 'active',
        createdAt: now().toISOString(),
        hash,
      };
      return keys.change(
        (draft) => {
          for (const other of draft.rows.values())
            if (other.hash === hash) throw new StoreError('this key exists already');
          draft.set(row.id, row);
          return keyOf(row);
        },
        () => keyIdByHash.set(hash, row.id),
      );
    },
    async listKeys(workspaceId) {
      workspace(workspaceId);
      return newestFirst(keys.rows)
        .filter((row) => row.workspaceId === workspaceId)
        .map(keyOf);
    },
    async revokeKey(id) {
      assertOpen();
      return keys.change((draft) => {
        const row = find(draft.rows, id, 'key');
        const revoked: KeyRow = { ...row, state: 'revoked' };
        if (row.state !== 'revoked') draft.set(id, revoked);
        return keyOf(revoked);
      });
    },
    async balance(workspaceId) {
      return { workspaceId, balance: workspace(workspaceId).balance };
    },
    async grant(workspaceId, amount) {
      assertOpen();
      const balance = await workspaces.change((draft) => changeBalance(draft, workspaceId, amount));
      return { workspaceId, balance };
    },
    async importTemplate(workspaceId, record) {
      assertOpen();
      workspace(workspaceId);
      const { name, width, height } = record;
      const row = { id: newId('tpl'), workspaceId, name, width, height, record };
      return templates.change((draft) => {
        draft.set(row.id, row);
        return templateOf(row);
      });
    },
    async listTemplates(workspaceId) {
      if (workspaceId !== undefined) workspace(workspaceId);
      return newestFirst(templates.rows)
        .filter((row) => workspaceId === undefined || row.workspaceId === workspaceId)
        .map(templateOf);
    },
    async showTemplate(id) {
      return templateOf(find(templates.rows, id, 'template'));
    },
    async exportTemplate(id) {
      return find(templates.rows, id, 'template').record;
    },
    async deleteTemplate(id) {
      assertOpen();
      return templates.change((draft) => {
        const row = find(draft.rows, id, 'template');
        draft.delete(id);
        return templateOf(row);
      });
    },
    async listRenders(workspaceId, limit) {
      workspace(workspaceId);
      return log.list(workspaceId, limit);
    },
    async close() {
      closed = true;
      await Promise.all([workspaces.close(), keys.close(), templates.close(), log.settled()]);
    },
  };
}
