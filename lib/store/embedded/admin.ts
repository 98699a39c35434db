// The operations on workspaces, keys and credits.

import { formatReceived } from '../../contract/json/describe.js';
import { addCredits, MAX_CREDITS } from '../credits.js';
import { balanceTooLarge, duplicateKey, newId, notFound, tooFewCredits } from '../refusals.js';
import { type AdminStore, StoreError } from '../types.js';
import { find, findWorkspace, isDeleted, newestFirst, type StoreContext } from './context.js';
import type { Holds } from './holds.js';
import type { LinkAdmin } from './links.js';
import { type BrandRow, type KeyRow, keyOf, type TemplateRow, type WorkspaceRow, workspaceOf } from './rows.js';
import type { RowChanges, Table } from './table.js';
import type { KeyUse } from './usage/key-use.js';
import { type Ledger, withGrant } from './usage/ledger.js';

export function createAdmin(
  context: StoreContext,
  {
    keyUse,
    holds,
    keyIdByHash,
    ledger,
  }: {
    readonly keyUse: KeyUse<KeyRow>;
    readonly holds: Holds;
    readonly keyIdByHash: Map<string, string>;
    readonly ledger: Ledger;
  },
): Omit<AdminStore, keyof LinkAdmin> {
  const { tables, now } = context;
  const { workspaces, keys } = tables;
  const assertWorkspace = (id: string) => void findWorkspace(workspaces.rows, id);

  return {
    async createWorkspace({ name, plan, credits }) {
      if (credits > MAX_CREDITS) throw balanceTooLarge();
      const row = withGrant({ id: newId('ws'), name, plan, balance: credits }, credits, now());
      return workspaces.change(
        (draft) => {
          draft.set(row.id, row);
          return workspaceOf(row);
        },
        () => ledger.schedule(row.id),
      );
    },
    async listWorkspaces() {
      return newestFirst(workspaces.rows)
        .filter(({ deletedAt }) => deletedAt === undefined)
        .map(workspaceOf);
    },
    async findWorkspace(id) {
      const row = workspaces.rows.get(id);
      return row && row.deletedAt === undefined ? workspaceOf(row) : undefined;
    },
    async updateWorkspace(id, { name, plan }) {
      return workspaces.change((draft) => {
        const row = findWorkspace(draft.rows, id);
        const updated = { ...row, name: name ?? row.name, plan: plan ?? row.plan };
        draft.set(id, updated);
        return workspaceOf(updated);
      });
    },
    async deleteWorkspace(id) {
      const deletedAt = now().toISOString();
      const deleted = await workspaces.change((draft) => {
        const row = findWorkspace(draft.rows, id);
        draft.set(id, { ...row, deletedAt });
        return workspaceOf(row);
      });
      await removeDeleted(context);
      return deleted;
    },
    async createKey({ workspaceId, name, scopes, hash, prefix, rateLimit }) {
      assertWorkspace(workspaceId);
      const row: KeyRow = {
        id: newId('key'),
        workspaceId,
        name,
        scopes,
        state: 'active',
        createdAt: now().toISOString(),
        hash,
        ...(prefix !== undefined && { prefix }),
        ...(rateLimit !== undefined && { rateLimit }),
      };
      return keys.change(
        (draft) => {
          assertWorkspace(workspaceId);
          for (const other of draft.rows.values()) if (other.hash === hash) throw duplicateKey();
          draft.set(row.id, row);
          return keyOf(row);
        },
        () => keyIdByHash.set(hash, row.id),
      );
    },
    async listKeys(workspaceId) {
      assertWorkspace(workspaceId);
      return newestFirst(keys.rows)
        .filter((row) => row.workspaceId === workspaceId)
        .map((row) => keyOf(keyUse.addTo(row)));
    },
    async revokeKey(id) {
      return keys.change((draft) => {
        const row = find(draft.rows, id, 'key');
        if (isDeleted(tables, row)) throw notFound(id, 'key');
        const revoked: KeyRow = { ...row, state: 'revoked' };
        if (row.state !== 'revoked') draft.set(id, revoked);
        return keyOf(keyUse.addTo(revoked));
      });
    },
    async balance(workspaceId) {
      return { workspaceId, balance: find(workspaces.rows, workspaceId, 'workspace').balance };
    },
    async grant(workspaceId, amount) {
      const balance = await workspaces.change(
        (draft) => {
          findWorkspace(draft.rows, workspaceId);
          return changeBalance(draft, workspaceId, amount, (row) => withGrant(row, amount, now()));
        },
        () => ledger.schedule(workspaceId),
      );
      return { workspaceId, balance };
    },
    async revokeCredits(workspaceId, amount) {
      const balance = await workspaces.change(
        (draft) => {
          const row = findWorkspace(draft.rows, workspaceId);
          const available = addCredits(row.balance, -holds.heldCredits(workspaceId));
          if (available < amount) throw tooFewCredits(workspaceId, available);
          return changeBalance(draft, workspaceId, -amount, (each) => withGrant(each, -amount, now()));
        },
        () => ledger.schedule(workspaceId),
      );
      return { workspaceId, balance };
    },
  };
}

/**
 * Adds `amount`, which may be negative, to the balance of a workspace, which may be deleted, and the line that explains it.
 * Throws StoreError.
 */
export function changeBalance(
  draft: RowChanges<WorkspaceRow>,
  id: string,
  amount: number,
  explain: (row: WorkspaceRow) => WorkspaceRow,
): number {
  const row = find(draft.rows, id, 'workspace');
  const balance = addCredits(row.balance, amount);
  if (balance < 0) throw new StoreError(`workspace ${formatReceived(id)} has ${row.balance} credits`);
  if (amount > 0 && balance > MAX_CREDITS) throw balanceTooLarge();
  draft.set(id, { ...explain(row), balance });
  return balance;
}

/**
 * Removes the keys, link keys, templates and assets of deleted workspaces. Never rejects: what can't be removed is not found anyway,
 * and is removed when the store is opened again.
 */
export async function removeDeleted({ tables, records, brandRecords, assetFiles }: StoreContext): Promise<void> {
  const { keys, links, templates, brands, assets } = tables;
  const remove = async <Row extends { readonly id: string; readonly workspaceId: string }>(
    table: Pick<Table<Row>, 'rows' | 'change'>,
    onRemoved: (rows: readonly Row[]) => void = () => undefined,
  ) => {
    const isRemoved = (row: Row) => isDeleted(tables, row);
    if (![...table.rows.values()].some(isRemoved)) return;
    let removed: readonly Row[] = [];
    await table
      .change(
        (draft) => {
          removed = [...draft.rows.values()].filter(isRemoved);
          for (const { id } of removed) draft.delete(id);
        },
        () => onRemoved(removed),
      )
      .catch(() => undefined);
  };
  await remove(keys);
  await remove(links);
  const recordsIn = (rows: readonly Pick<TemplateRow | BrandRow, 'versions'>[]) =>
    rows.flatMap(({ versions }) => versions.map(({ sha256 }) => sha256));
  await remove(templates, (rows) => records.folder.removeReferences(recordsIn(rows)));
  await remove(brands, (rows) => brandRecords.folder.removeReferences(recordsIn(rows)));
  await remove(assets, (rows) => assetFiles.folder.removeReferences(rows.map(({ sha256 }) => sha256)));
}
