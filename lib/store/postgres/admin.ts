// The admin operations in SQL. Each is one statement, so each is atomic.
import { randomBytes } from 'node:crypto';
import { MAX_CREDITS } from '../credits.js';
import { type AdminStore, StoreError } from '../types.js';
import { isDuplicate } from './errors.js';
import type { Database } from './pool.js';
import { notFound, validId } from './requests.js';
import {
  type BigintText,
  escapeName,
  fromMillionths,
  KEY_COLUMNS,
  type KeyRow,
  keyOf,
  TEMPLATE_COLUMNS,
  type TemplateRow,
  templateOf,
  toMillionths,
  WORKSPACE_COLUMNS,
  type WorkspaceRow,
  workspaceOf,
} from './rows.js';

const newId = (kind: string) => `${kind}_${randomBytes(12).toString('hex')}`;
const qualifyColumns = (table: string, columns: string) => columns.replace(/\w+/g, `${table}.$&`);

/** All admin operations except `listRenders`, which uses the render log. */
export function createAdmin(database: Database): Omit<AdminStore, 'listRenders'> {
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

  /** The rows of a workspace, newest first. */
  async function rowsOf<Row extends { readonly id: string }>(table: string, columns: string, workspaceId: string) {
    // A LEFT JOIN: a workspace without rows returns one row of nulls, an unknown workspace returns none.
    const text = `SELECT ${qualifyColumns('t', columns)} FROM platen.workspaces w
      LEFT JOIN platen.${table} t ON t.workspace_id = w.id WHERE w.id = $1 ORDER BY t.ordinal DESC`;
    const rows = await query<Row | { id: null }>(`${table}_of`, text, [validId(workspaceId, 'workspace')]);
    if (rows.length === 0) throw notFound(workspaceId, 'workspace');
    return rows.filter((row): row is Row => row.id !== null);
  }

  return {
    async createWorkspace({ name, plan, credits }) {
      if (credits > MAX_CREDITS) throw balanceTooLarge();
      const text = `INSERT INTO platen.workspaces (id, name, plan, balance) VALUES ($1, $2, $3, $4)
        RETURNING ${WORKSPACE_COLUMNS}`;
      const values = [newId('ws'), escapeName(name), plan, toMillionths(credits)];
      const [row] = await query<WorkspaceRow>('create_workspace', text, values);
      return workspaceOf(row);
    },
    async listWorkspaces() {
      const text = `SELECT ${WORKSPACE_COLUMNS} FROM platen.workspaces ORDER BY ordinal DESC`;
      return (await query<WorkspaceRow>('list_workspaces', text, [])).map(workspaceOf);
    },
    async createKey({ workspaceId, name, scopes, hash }) {
      // Also creates the row for the key's rate limit.
      const text = `WITH made AS (
          INSERT INTO platen.keys (id, workspace_id, name, scopes, state, hash)
          SELECT $2, id, $3, $4, 'active', $5 FROM platen.workspaces WHERE id = $1 RETURNING ${KEY_COLUMNS}
        ), counted AS (INSERT INTO platen.rate_windows (key_id) SELECT id FROM made)
        SELECT ${KEY_COLUMNS} FROM made`;
      const values = [newId('key'), escapeName(name), scopes, hash];
      try {
        return keyOf(await queryOne<KeyRow>('create_key', text, workspaceId, 'workspace', ...values));
      } catch (error) {
        if (isDuplicate((error as Error).cause)) throw new StoreError('this key exists already');
        throw error;
      }
    },
    async listKeys(workspaceId) {
      return (await rowsOf<KeyRow>('keys', KEY_COLUMNS, workspaceId)).map(keyOf);
    },
    async revokeKey(id) {
      const text = `UPDATE platen.keys SET state = 'revoked' WHERE id = $1 RETURNING ${KEY_COLUMNS}`;
      return keyOf(await queryOne<KeyRow>('revoke_key', text, id, 'key'));
    },
    async balance(workspaceId) {
      const text = 'SELECT balance FROM platen.workspaces WHERE id = $1';
      const { balance } = await queryOne<{ balance: BigintText }>('balance', text, workspaceId, 'workspace');
      return { workspaceId, balance: fromMillionths(balance) };
    },
    async grant(workspaceId, amount) {
      const text = `WITH of AS (SELECT id FROM platen.workspaces WHERE id = $1), granted AS (
          UPDATE platen.workspaces SET balance = balance + $2
          WHERE id = $1 AND balance + $2 <= $3 RETURNING id, balance
        ) SELECT granted.balance FROM of LEFT JOIN granted USING (id)`;
      const values = [toMillionths(Math.min(amount, MAX_CREDITS + 1)), toMillionths(MAX_CREDITS)];
      type Row = { balance: BigintText | null };
      const { balance } = await queryOne<Row>('grant', text, workspaceId, 'workspace', ...values);
      if (balance === null) throw balanceTooLarge();
      return { workspaceId, balance: fromMillionths(balance) };
    },
    async importTemplate(workspaceId, record) {
      const text = `INSERT INTO platen.templates (id, workspace_id, name, width, height, record)
        SELECT $2, id, $3, $4, $5, $6 FROM platen.workspaces WHERE id = $1 RETURNING ${TEMPLATE_COLUMNS}`;
      const { name, width, height } = record;
      const values = [newId('tpl'), escapeName(name), width, height, JSON.stringify(record)];
      return templateOf(await queryOne<TemplateRow>('import_template', text, workspaceId, 'workspace', ...values));
    },
    async listTemplates(workspaceId) {
      if (workspaceId !== undefined) {
        return (await rowsOf<TemplateRow>('templates', TEMPLATE_COLUMNS, workspaceId)).map(templateOf);
      }
      const text = `SELECT ${TEMPLATE_COLUMNS} FROM platen.templates ORDER BY ordinal DESC`;
      return (await query<TemplateRow>('list_templates', text, [])).map(templateOf);
    },
    async showTemplate(id) {
      const text = `SELECT ${TEMPLATE_COLUMNS} FROM platen.templates WHERE id = $1`;
      return templateOf(await queryOne<TemplateRow>('show_template', text, id, 'template'));
    },
    async exportTemplate(id) {
      const text = 'SELECT record FROM platen.templates WHERE id = $1';
      return JSON.parse((await queryOne<{ record: string }>('export_template', text, id, 'template')).record);
    },
    async deleteTemplate(id) {
      const text = `DELETE FROM platen.templates WHERE id = $1 RETURNING ${TEMPLATE_COLUMNS}`;
      return templateOf(await queryOne<TemplateRow>('delete_template', text, id, 'template'));
    },
  };
}

function balanceTooLarge(): StoreError {
  return new StoreError(`a balance can't be above ${MAX_CREDITS} credits`);
}
