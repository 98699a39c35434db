// The admin operations in SQL. Each is one statement, so each is atomic.

import { COST_CAP, MAX_CREDITS } from '../credits.js';
import { balanceTooLarge, duplicateKey, newId, notFound, tooFewCredits } from '../refusals.js';
import type { AdminStore } from '../types.js';
import { isDuplicate } from './errors.js';
import type { Database } from './pool.js';
import {
  type BigintText,
  type EntityRow,
  escapeName,
  fromMillionths,
  isPossibleId,
  KEY_COLUMNS,
  keyOf,
  toMillionths,
  validId,
  WORKSPACE_COLUMNS,
  workspaceOf,
} from './rows.js';

export function createAdmin(database: Database): Omit<AdminStore, 'createLinkKey' | 'listLinkKeys' | 'revokeLinkKey'> {
  const query = <Row extends object>(name: string, text: string, values: readonly unknown[]): Promise<Row[]> =>
    database.query<Row>({ name, text }, values);

  /** The only row of the result. Throws StoreError when there is none: `id` is unknown. */
  async function queryOne<Row extends object>(
    name: string,
    text: string,
    id: string,
    noun: string,
    ...values: unknown[]
  ) {
    const [row] = await query<Row>(name, text, [validId(id, noun), ...values]);
    if (!row) throw notFound(id, noun);
    return row;
  }

  return {
    async createWorkspace({ name, plan, credits }) {
      if (credits > MAX_CREDITS) throw balanceTooLarge();
      const text = `WITH made AS (
          INSERT INTO platen.workspaces (id, name, plan, balance) VALUES ($1, $2, $3, $4) RETURNING ${WORKSPACE_COLUMNS}
        ), granted AS (INSERT INTO platen.grants (workspace_id, amount) SELECT id, balance FROM made WHERE balance > 0)
        SELECT ${WORKSPACE_COLUMNS} FROM made`;
      const values = [newId('ws'), escapeName(name), plan, toMillionths(credits)];
      const [row] = await query<object>('create_workspace', text, values);
      return workspaceOf(row);
    },
    async listWorkspaces() {
      const text = `SELECT ${WORKSPACE_COLUMNS} FROM platen.workspaces WHERE deleted_at IS NULL ORDER BY ordinal DESC`;
      return (await query<object>('list_workspaces', text, [])).map(workspaceOf);
    },
    async findWorkspace(id) {
      if (!isPossibleId(id)) return undefined;
      const text = `SELECT ${WORKSPACE_COLUMNS} FROM platen.workspaces WHERE id = $1 AND deleted_at IS NULL`;
      const [row] = await query<object>('find_workspace', text, [id]);
      return row && workspaceOf(row);
    },
    async updateWorkspace(id, { name, plan }) {
      const text = `UPDATE platen.workspaces SET name = coalesce($2, name), plan = coalesce($3, plan)
        WHERE id = $1 AND deleted_at IS NULL RETURNING ${WORKSPACE_COLUMNS}`;
      const values = [name === undefined ? null : escapeName(name), plan ?? null];
      return workspaceOf(await queryOne<object>('update_workspace', text, id, 'workspace', ...values));
    },
    async deleteWorkspace(id) {
      const text = `SELECT ${WORKSPACE_COLUMNS}, platen.delete_workspace(id) AS deleted FROM platen.workspaces
        WHERE id = $1 AND deleted_at IS NULL`;
      const row = await queryOne<{ deleted: boolean }>('delete_workspace', text, id, 'workspace');
      if (!row.deleted) throw notFound(id, 'workspace');
      return workspaceOf(row);
    },
    async createKey({ workspaceId, name, scopes, hash, prefix = null, rateLimit = null }) {
      // The lock waits for the end of a deletion of the workspace that is in progress.
      const text = `INSERT INTO platen.keys AS k (id, workspace_id, name, scopes, state, hash, rate_limit, prefix)
        SELECT $2, w.id, $3, $4, 'active', $5, $6::integer, $7 FROM platen.workspaces w
        WHERE w.id = $1 AND w.deleted_at IS NULL FOR SHARE RETURNING ${KEY_COLUMNS}`;
      const values = [newId('key'), escapeName(name), scopes, hash, rateLimit, prefix];
      try {
        return keyOf(await queryOne<EntityRow>('create_key', text, workspaceId, 'workspace', ...values));
      } catch (error) {
        if (isDuplicate((error as Error).cause)) throw duplicateKey();
        throw error;
      }
    },
    async listKeys(workspaceId) {
      // A LEFT JOIN: a workspace without keys returns one row of nulls, an unknown workspace returns none.
      const text = `SELECT ${KEY_COLUMNS} FROM platen.workspaces w LEFT JOIN platen.keys k ON k.workspace_id = w.id
        WHERE w.id = $1 AND w.deleted_at IS NULL ORDER BY k.ordinal DESC`;
      const rows = await query<EntityRow | { id: null }>('list_keys', text, [validId(workspaceId, 'workspace')]);
      if (rows.length === 0) throw notFound(workspaceId, 'workspace');
      return rows.flatMap((row) => (row.id === null ? [] : [keyOf(row)]));
    },
    async revokeKey(id) {
      const text = `UPDATE platen.keys AS k SET state = 'revoked' WHERE id = $1 RETURNING ${KEY_COLUMNS}`;
      return keyOf(await queryOne<EntityRow>('revoke_key', text, id, 'key'));
    },
    async balance(workspaceId) {
      const text = 'SELECT balance FROM platen.workspaces WHERE id = $1';
      const { balance } = await queryOne<{ balance: BigintText }>('balance', text, workspaceId, 'workspace');
      return { workspaceId, balance: fromMillionths(balance) };
    },
    async grant(workspaceId, amount) {
      // The lock waits for the end of a deletion of the workspace that is in progress.
      const text = `WITH of AS MATERIALIZED (
          SELECT id FROM platen.workspaces WHERE id = $1 AND deleted_at IS NULL FOR NO KEY UPDATE
        ), granted AS (
          UPDATE platen.workspaces w SET balance = w.balance + $2 FROM of
          WHERE w.id = of.id AND w.balance + $2 <= $3 RETURNING w.id, w.balance
        ), noted AS (INSERT INTO platen.grants (workspace_id, amount) SELECT id, $2 FROM granted)
        SELECT granted.balance FROM of LEFT JOIN granted USING (id)`;
      const values = [toMillionths(Math.min(amount, MAX_CREDITS + 1)), toMillionths(MAX_CREDITS)];
      type Row = { balance: BigintText | null };
      const { balance } = await queryOne<Row>('grant', text, workspaceId, 'workspace', ...values);
      if (balance === null) throw balanceTooLarge();
      return { workspaceId, balance: fromMillionths(balance) };
    },
    async revokeCredits(workspaceId, amount) {
      const text = 'SELECT available, after FROM platen.revoke_credits($1, $2)';
      type Row = { available: BigintText | null; after: BigintText | null };
      const id = validId(workspaceId, 'workspace');
      const [row] = await query<Row>('revoke_credits', text, [id, toMillionths(Math.min(amount, COST_CAP))]);
      if (row.available === null) throw notFound(id, 'workspace');
      if (row.after === null) throw tooFewCredits(id, fromMillionths(row.available));
      return { workspaceId, balance: fromMillionths(row.after) };
    },
  };
}
