// Operators, their sign-in links and sessions in SQL. Nothing is cached, so on every node a session ends with its operator.

import type { Operator, OperatorStore, Role, StoredSecret } from '../operator-store.js';
import { duplicateOperator, lastOwner, newId, notFound } from '../refusals.js';
import { type Database, type Statement, statements } from './pool.js';
import { escapeName, validId } from './rows.js';

interface OperatorRow {
  readonly id: string;
  readonly name: string;
  readonly role: Role;
  /** Hash of the password. */
  readonly password: string | null;
  readonly workspaces: string[] | null;
  readonly created_at: Date;
}

/** Sessions of one operator. A sign-in beyond them ends the one that was used least recently. */
const MAX_SESSIONS = 50;

const COLUMNS = 'o.id, o.name, o.role, o.password, o.workspaces, o.created_at';

const SQL = statements({
  has_operators: 'SELECT EXISTS (SELECT FROM platen.operators) AS found',
  create_operator: `INSERT INTO platen.operators AS o (id, name, role, workspaces) VALUES ($1, $2, $3, $4)
    ON CONFLICT (name) DO NOTHING RETURNING ${COLUMNS}`,
  unknown_workspace: `SELECT id FROM unnest($1::text[]) AS id
    WHERE NOT EXISTS (SELECT FROM platen.workspaces w WHERE w.id = id.id AND w.deleted_at IS NULL) LIMIT 1`,
  list_operators: `SELECT ${COLUMNS} FROM platen.operators o ORDER BY o.ordinal DESC`,
  find_operator: `SELECT ${COLUMNS} FROM platen.operators o WHERE o.name = $1`,
  remove_operator: 'SELECT r.is_last, (r.operator).* FROM platen.remove_operator($1) r',
  create_sign_in_token: 'SELECT platen.create_sign_in_token($1, $2, $3) AS created',
  find_sign_in_token: `SELECT ${COLUMNS} FROM platen.sign_in_tokens t JOIN platen.operators o ON o.id = t.operator_id
    WHERE t.id = $1 AND t.expires_at > clock_timestamp()`,
  set_password: `SELECT ${COLUMNS} FROM platen.set_password($1, $2) o`,
  create_session: 'SELECT platen.create_session($1, $2, $3, $4, $5) AS created',
  use_session: `SELECT ${COLUMNS} FROM platen.use_session($1, $2) o`,
  end_session: 'DELETE FROM platen.sessions WHERE id = $1',
});

export function createOperators(database: Database): OperatorStore {
  /** The operator of the first row, if any. */
  async function findOne(statement: Statement, values: readonly unknown[], policy: 'never' | 'once') {
    const [row] = await database.query<OperatorRow>(statement, values, policy);
    return row && operatorOf(row);
  }

  async function assertWorkspaces(ids: readonly string[]): Promise<void> {
    for (const id of ids) validId(id, 'workspace');
    const [unknown] = await database.query<{ id: string }>(SQL.unknown_workspace, [ids], 'once');
    if (unknown) throw notFound(unknown.id, 'workspace');
  }

  return {
    async hasOperators() {
      const [{ found }] = await database.query<{ found: boolean }>(SQL.has_operators, [], 'once');
      return found;
    },
    async createOperator({ name, role, workspaces }) {
      if (workspaces !== null) await assertWorkspaces(workspaces);
      const operator = await findOne(SQL.create_operator, [newId('op'), escapeName(name), role, workspaces], 'never');
      if (operator) return operator;
      throw duplicateOperator(name);
    },
    async listOperators() {
      return (await database.query<OperatorRow>(SQL.list_operators, [], 'once')).map(operatorOf);
    },
    async findOperator(name) {
      const [row] = await database.query<OperatorRow>(SQL.find_operator, [escapeName(name)], 'once');
      return row && { operator: operatorOf(row), passwordHash: row.password ?? undefined };
    },
    async removeOperator(id) {
      type Row = OperatorRow & { readonly is_last: boolean | null };
      const [row] = await database.query<Row>(SQL.remove_operator, [validId(id, 'operator')]);
      if (row.is_last === null) throw notFound(id, 'operator');
      if (row.is_last) throw lastOwner(row.name);
      return operatorOf(row);
    },
    async createSignInToken(operatorId, token) {
      const values = [validId(operatorId, 'operator'), ...secretOf(token)];
      const [{ created }] = await database.query<{ created: boolean }>(SQL.create_sign_in_token, values, 'once');
      if (!created) throw notFound(operatorId, 'operator');
    },
    findSignInToken: (hash) => findOne(SQL.find_sign_in_token, [bytesOf(hash)], 'once'),
    setPassword: (tokenHash, passwordHash) => findOne(SQL.set_password, [bytesOf(tokenHash), passwordHash], 'never'),
    async createSession(operatorId, session, passwordHash) {
      const values = [validId(operatorId, 'operator'), ...secretOf(session), MAX_SESSIONS, passwordHash ?? null];
      const [{ created }] = await database.query<{ created: boolean }>(SQL.create_session, values);
      if (!created) throw notFound(operatorId, 'operator');
    },
    useSession: (hash, idleMs) => findOne(SQL.use_session, [bytesOf(hash), idleMs], 'once'),
    async endSession(hash) {
      await database.query(SQL.end_session, [bytesOf(hash)], 'backoff');
    },
  };
}

function operatorOf({ id, name, role, password, workspaces, created_at }: OperatorRow): Operator {
  return { id, name, role, workspaces, hasPassword: password !== null, createdAt: created_at.toISOString() };
}

const bytesOf = (hash: string) => Buffer.from(hash, 'hex');

const secretOf = ({ hash, expiresAt }: StoredSecret) => [bytesOf(hash), expiresAt];
