// The admin verbs as statements: each is one, so each happens whole or not at all.
import { randomBytes } from 'node:crypto';
import { MAX_CREDITS } from '../credits.js';
import { type AdminStore, StoreError } from '../types.js';
import { isDuplicate } from './errors.js';
import type { Database } from './pool.js';
import { checked, unknown } from './requests.js';
import {
  type Amount,
  amountOf,
  creditsOf,
  KEY_COLUMNS,
  type KeyRow,
  keyOf,
  nameOf,
  TEMPLATE_COLUMNS,
  type TemplateRow,
  templateOf,
  WORKSPACE_COLUMNS,
  type WorkspaceRow,
  workspaceOf,
} from './rows.js';

const newId = (kind: string) => `${kind}_${randomBytes(12).toString('hex')}`;
const columnsOf = (table: string, columns: string) => columns.replace(/\w+/g, `${table}.$&`);

/** The verbs that have no use for the render log. */
export function createAdmin(database: Database): Omit<AdminStore, 'listRenders'> {
  const ask = <Row extends object>(name: string, text: string, values: readonly unknown[]): Promise<Row[]> =>
    database.query<Row>({ name, text }, values);

  /** The one row of a thing that is to be there. */
  async function one<Row extends object>(name: string, text: string, id: string, what: string, ...more: unknown[]) {
    const [row] = await ask<Row>(name, text, [checked(id, what), ...more]);
    if (!row) throw unknown(id, what);
    return row;
  }

  /** Rows of a workspace: a workspace without any still gives one, of nulls. */
  async function ofWorkspace<Row extends { readonly id: string }>(table: string, columns: string, workspaceId: string) {
    const text = `SELECT ${columnsOf('t', columns)} FROM platen.workspaces w
      LEFT JOIN platen.${table} t ON t.workspace_id = w.id WHERE w.id = $1 ORDER BY t.ordinal DESC`;
    const rows = await ask<Row | { id: null }>(`${table}_of`, text, [checked(workspaceId, 'workspace')]);
    if (rows.length === 0) throw unknown(workspaceId, 'workspace');
    return rows.filter((row): row is Row => row.id !== null);
  }

  return {
    async createWorkspace({ name, plan, credits }) {
      if (credits > MAX_CREDITS) throw tooMany();
      const text = `INSERT INTO platen.workspaces (id, name, plan, balance) VALUES ($1, $2, $3, $4)
        RETURNING ${WORKSPACE_COLUMNS}`;
      const values = [newId('ws'), nameOf(name), plan, amountOf(credits)];
      const [row] = await ask<WorkspaceRow>('create_workspace', text, values);
      return workspaceOf(row);
    },
    async listWorkspaces() {
      const text = `SELECT ${WORKSPACE_COLUMNS} FROM platen.workspaces ORDER BY ordinal DESC`;
      return (await ask<WorkspaceRow>('list_workspaces', text, [])).map(workspaceOf);
    },
    async createKey({ workspaceId, name, scopes, hash }) {
      // With the row that its requests are counted in.
      const text = `WITH made AS (
          INSERT INTO platen.keys (id, workspace_id, name, scopes, state, hash)
          SELECT $2, id, $3, $4, 'active', $5 FROM platen.workspaces WHERE id = $1 RETURNING ${KEY_COLUMNS}
        ), counted AS (INSERT INTO platen.rate_windows (key_id) SELECT id FROM made)
        SELECT ${KEY_COLUMNS} FROM made`;
      const more = [newId('key'), nameOf(name), scopes, hash];
      try {
        return keyOf(await one<KeyRow>('create_key', text, workspaceId, 'workspace', ...more));
      } catch (error) {
        if (isDuplicate((error as Error).cause)) throw new StoreError('this key exists already');
        throw error;
      }
    },
    async listKeys(workspaceId) {
      return (await ofWorkspace<KeyRow>('keys', KEY_COLUMNS, workspaceId)).map(keyOf);
    },
    async revokeKey(id) {
      const text = `UPDATE platen.keys SET state = 'revoked' WHERE id = $1 RETURNING ${KEY_COLUMNS}`;
      return keyOf(await one<KeyRow>('revoke_key', text, id, 'key'));
    },
    async balance(workspaceId) {
      const text = 'SELECT balance FROM platen.workspaces WHERE id = $1';
      const { balance } = await one<{ balance: Amount }>('balance', text, workspaceId, 'workspace');
      return { workspaceId, balance: creditsOf(balance) };
    },
    async grant(workspaceId, amount) {
      const text = `WITH of AS (SELECT id FROM platen.workspaces WHERE id = $1), granted AS (
          UPDATE platen.workspaces SET balance = balance + $2
          WHERE id = $1 AND balance + $2 <= $3 RETURNING id, balance
        ) SELECT granted.balance FROM of LEFT JOIN granted USING (id)`;
      const more = [amountOf(Math.min(amount, MAX_CREDITS + 1)), amountOf(MAX_CREDITS)];
      const { balance } = await one<{ balance: Amount | null }>('grant', text, workspaceId, 'workspace', ...more);
      if (balance === null) throw tooMany();
      return { workspaceId, balance: creditsOf(balance) };
    },
    async importTemplate(workspaceId, record) {
      const text = `INSERT INTO platen.templates (id, workspace_id, name, width, height, record)
        SELECT $2, id, $3, $4, $5, $6 FROM platen.workspaces WHERE id = $1 RETURNING ${TEMPLATE_COLUMNS}`;
      const { name, width, height } = record;
      const more = [newId('tpl'), nameOf(name), width, height, JSON.stringify(record)];
      return templateOf(await one<TemplateRow>('import_template', text, workspaceId, 'workspace', ...more));
    },
    async listTemplates(workspaceId) {
      if (workspaceId !== undefined) {
        return (await ofWorkspace<TemplateRow>('templates', TEMPLATE_COLUMNS, workspaceId)).map(templateOf);
      }
      const text = `SELECT ${TEMPLATE_COLUMNS} FROM platen.templates ORDER BY ordinal DESC`;
      return (await ask<TemplateRow>('list_templates', text, [])).map(templateOf);
    },
    async showTemplate(id) {
      const text = `SELECT ${TEMPLATE_COLUMNS} FROM platen.templates WHERE id = $1`;
      return templateOf(await one<TemplateRow>('show_template', text, id, 'template'));
    },
    async exportTemplate(id) {
      const text = 'SELECT record FROM platen.templates WHERE id = $1';
      return JSON.parse((await one<{ record: string }>('export_template', text, id, 'template')).record);
    },
    async deleteTemplate(id) {
      const text = `DELETE FROM platen.templates WHERE id = $1 RETURNING ${TEMPLATE_COLUMNS}`;
      return templateOf(await one<TemplateRow>('delete_template', text, id, 'template'));
    },
  };
}

function tooMany(): StoreError {
  return new StoreError(`a balance can't be above ${MAX_CREDITS} credits`);
}
