// The operations on link keys in SQL.
import { linkKeyLimit, newId, notFound } from '../refusals.js';
import { type AdminStore, MAX_LINK_KEYS, type Plan, type RequestStore } from '../types.js';
import { type Database, statements } from './pool.js';
import {
  type BigintText,
  type EntityRow,
  escapeName,
  isPossibleId,
  LINK_COLUMNS,
  linkKeyOf,
  validId,
  workspaceOf,
} from './rows.js';

/**
 * Lets one transaction at a time add a link key to the workspace, so that the count below is right. It waits for the end of a
 * deletion of the workspace that is in progress.
 */
const LOCK_WORKSPACE = 'SELECT id FROM platen.workspaces WHERE id = $1 AND deleted_at IS NULL FOR NO KEY UPDATE';
const COUNT_ACTIVE =
  "SELECT count(*)::integer AS active FROM platen.links WHERE workspace_id = $1 AND state = 'active'";
/** Creates the window that counts the key's requests, too: the function that counts creates windows of API keys alone. */
const CREATE = `WITH made AS (
    INSERT INTO platen.links AS k (id, workspace_id, name, public_key, state)
    VALUES ($2, $1, $3, $4, 'active') RETURNING ${LINK_COLUMNS}
  ), counted AS (INSERT INTO platen.rate_windows (key_id, kind) SELECT id, 'render' FROM made)
  SELECT * FROM made`;
const SQL = statements({
  /** A workspace without link keys returns one row of nulls, an unknown workspace returns none. */
  list_link_keys: `SELECT ${LINK_COLUMNS} FROM platen.workspaces w LEFT JOIN platen.links k ON k.workspace_id = w.id
    WHERE w.id = $1 AND w.deleted_at IS NULL ORDER BY k.ordinal DESC`,
  revoke_link_key: `UPDATE platen.links AS k SET state = 'revoked',
      revoked_at = coalesce(revoked_at, date_trunc('milliseconds', clock_timestamp()))
    WHERE id = $1 RETURNING ${LINK_COLUMNS}`,
  find_link_key: `SELECT ${LINK_COLUMNS}, w.name AS workspace_name, w.plan, w.balance
    FROM platen.links k JOIN platen.workspaces w ON w.id = k.workspace_id
    WHERE k.id = $1 AND w.deleted_at IS NULL`,
});

type Links = Pick<AdminStore, 'createLinkKey' | 'listLinkKeys' | 'revokeLinkKey'> & Pick<RequestStore, 'findLinkKey'>;

export function createLinks(database: Database): Links {
  return {
    async createLinkKey({ workspaceId, name, publicKey }) {
      const key = Buffer.from(publicKey, 'base64url');
      const values = [validId(workspaceId, 'workspace'), newId('link'), escapeName(name), key];
      return await database.transaction(async (query) => {
        const [owner] = await query(LOCK_WORKSPACE, [workspaceId]);
        if (!owner) throw notFound(workspaceId, 'workspace');
        const [{ active }] = await query<{ active: number }>(COUNT_ACTIVE, [workspaceId]);
        if (active >= MAX_LINK_KEYS) throw linkKeyLimit();
        const [row] = await query<EntityRow>(CREATE, values);
        return linkKeyOf(row);
      });
    },
    async listLinkKeys(workspaceId) {
      const rows = await database.query<EntityRow | { id: null }>(SQL.list_link_keys, [
        validId(workspaceId, 'workspace'),
      ]);
      if (rows.length === 0) throw notFound(workspaceId, 'workspace');
      return rows.flatMap((row) => (row.id === null ? [] : [linkKeyOf(row)]));
    },
    async revokeLinkKey(id) {
      const [row] = await database.query<EntityRow>(SQL.revoke_link_key, [validId(id, 'link key')]);
      if (!row) throw notFound(id, 'link key');
      return linkKeyOf(row);
    },
    async findLinkKey(id) {
      if (!isPossibleId(id)) return undefined;
      type Row = EntityRow & { workspace_name: string; plan: Plan; balance: BigintText };
      const [row] = await database.query<Row>(SQL.find_link_key, [id], 'once');
      if (!row) return undefined;
      const { workspace_id, workspace_name: name, plan, balance } = row;
      return { key: linkKeyOf(row), workspace: workspaceOf({ id: workspace_id, name, plan, balance }) };
    },
  };
}
