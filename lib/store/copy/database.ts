// A database as the source or target of a copy: read in one database snapshot, or written in one transaction.
import { withReason } from '../postgres/errors.js';
import type { Query } from '../postgres/pool.js';
import { escapeName, fromMillionths, toMillionths } from '../postgres/rows.js';
import { openDatabase } from '../postgres/store.js';
import { type CopyEndpoint, type CopyKind, type CopyRows, fingerprint, type OpenCopyEndpoint } from './index.js';

interface TableQueries {
  /** Where rows are selected. */
  readonly from: string;
  /** The columns to select, named like the fields of CopyRows. */
  readonly fields: string;
  /** The statement that inserts rows, oldest first, from a JSON array of such fields. */
  readonly add: string;
  /** Rows per statement; template records may have megabytes. */
  readonly batchSize: number;
  /** The column by which rows are ordered and paged. */
  readonly order: string;
}

const TABLES: Readonly<Record<CopyKind, TableQueries>> = {
  workspaces: {
    from: 'platen.workspaces',
    fields: 'id, name, plan, balance',
    add: `INSERT INTO platen.workspaces (id, name, plan, balance)
      SELECT * FROM json_to_recordset($1) AS r (id text, name text, plan text, balance bigint)`,
    batchSize: 1000,
    order: 'ordinal',
  },
  keys: {
    from: 'platen.keys',
    fields: 'id, workspace_id AS "workspaceId", name, scopes, state, created_at AS "createdAt", hash',
    add: `INSERT INTO platen.keys (id, workspace_id, name, scopes, state, created_at, hash)
      SELECT * FROM json_to_recordset($1) AS r (
        id text, "workspaceId" text, name text, scopes text[], state text, "createdAt" timestamptz, hash text)`,
    batchSize: 1000,
    order: 'ordinal',
  },
  templates: {
    from: '(SELECT t.*, r.record FROM platen.template_list t JOIN platen.template_records r ON r.template_id = t.id AND r.version = t.version) t',
    fields: 'id, workspace_id AS "workspaceId", name, width, height, record',
    add: `WITH added AS (SELECT * FROM json_to_recordset($1) AS r (
        id text, "workspaceId" text, name text, width float8, height float8, record text)
      ), heads AS (
        INSERT INTO platen.template_heads (id, workspace_id, version, published_version)
        SELECT id, "workspaceId", 1, 1 FROM added
      ), versions AS (
        INSERT INTO platen.template_versions (template_id, version, name, width, height, hotspots)
        SELECT id, 1, name, width, height, '[]' FROM added
      ) INSERT INTO platen.template_records (template_id, version, record) SELECT id, 1, record FROM added`,
    batchSize: 20,
    order: 'ordinal',
  },
  charges: {
    from: 'platen.charges',
    fields: `id, workspace_id AS "workspaceId", cost, to_char(charged_at AT TIME ZONE 'UTC',
      'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') AS "chargedAt"`,
    add: `INSERT INTO platen.charges (id, workspace_id, cost, charged_at)
      SELECT * FROM json_to_recordset($1) AS r (id uuid, "workspaceId" text, cost bigint, "chargedAt" timestamptz)`,
    batchSize: 1000,
    order: 'id',
  },
  renders: {
    from: 'platen.renders',
    fields: 'id, entry',
    add: `INSERT INTO platen.renders (id, workspace_id, entry, time, status, key_id, template_id)
      SELECT * FROM json_to_recordset($1) AS r (
        id text, "workspaceId" text, entry text, time timestamptz, status text, "keyId" text, "templateId" text)`,
    batchSize: 1000,
    order: 'ordinal',
  },
};

/** `isSource`: the database is only read. Opening throws StoreError. */
export function databaseEndpoint(url: string, isSource: boolean, warn: (message: string) => void): OpenCopyEndpoint {
  return async (work) => {
    const database = await openDatabase(url, { connections: 1, warn });
    try {
      const begin = isSource ? 'BEGIN ISOLATION LEVEL REPEATABLE READ, READ ONLY' : 'BEGIN';
      return await database.transaction(async (query) => {
        // The transaction is idle while the other endpoint works.
        await query('SET LOCAL idle_in_transaction_session_timeout = 0');
        if (isSource) await warnAboutHolds(query, warn);
        return await work(createEndpoint(query));
      }, begin);
    } catch (error) {
      throw withReason(error);
    } finally {
      await database.close();
    }
  };
}

async function warnAboutHolds(query: Query, warn: (message: string) => void): Promise<void> {
  const [{ count }] = await query<{ count: string }>('SELECT count(*) FROM platen.holds WHERE expires_at > now()');
  if (count !== '0') warn(`${count} renders are in progress or were cut off: charges for them are not copied`);
}

function createEndpoint(query: Query): CopyEndpoint {
  return {
    kinds: ['workspaces', 'keys', 'templates', 'charges', 'renders'],
    async count(kind) {
      const [{ count }] = await query<{ count: string }>(`SELECT count(*) FROM ${TABLES[kind].from}`);
      return Number(count);
    },
    async *read<Kind extends CopyKind>(kind: Kind) {
      const { from, fields, order, batchSize } = TABLES[kind];
      let cursor: string | undefined;
      for (;;) {
        const condition = cursor === undefined ? '' : `WHERE ${order} > $1`;
        const text = `SELECT ${fields}, ${order} AS cursor FROM ${from} ${condition} ORDER BY ${order} LIMIT ${batchSize}`;
        const rows = await query<Fields>(text, cursor === undefined ? [] : [cursor]);
        if (rows.length === 0) return;
        yield rows.map((row) => fromDatabase(kind, row));
        cursor = String(rows[rows.length - 1].cursor);
      }
    },
    async find(kind, ids) {
      const type = kind === 'charges' ? 'uuid' : 'text';
      const text = `SELECT ${TABLES[kind].fields} FROM ${TABLES[kind].from} WHERE id = ANY($1::${type}[])`;
      const rows = (await query<Fields>(text, [ids])).map((row) => fromDatabase(kind, row));
      return new Map(rows.map((row) => [row.id, fingerprint(kind, row)]));
    },
    async add(kind, rows) {
      const { add, batchSize } = TABLES[kind];
      for (let start = 0; start < rows.length; start += batchSize) {
        const batch = rows.slice(start, start + batchSize).map((row) => toDatabase(kind, row));
        await query(add, [JSON.stringify(batch)]);
      }
    },
  };
}

type Fields = Readonly<Record<string, unknown>>;

/** Converts a selected row. */
function fromDatabase<Kind extends CopyKind>(kind: Kind, selected: Fields): CopyRows[Kind] {
  return convertFields(kind, selected) as unknown as CopyRows[Kind];
}

function convertFields(kind: CopyKind, { cursor, ...fields }: Fields): Fields {
  switch (kind) {
    case 'workspaces':
      return { ...fields, balance: fromMillionths(fields.balance as string) };
    case 'keys':
      return { ...fields, createdAt: (fields.createdAt as Date).toISOString() };
    case 'templates':
      return { ...fields, record: JSON.parse(fields.record as string) };
    case 'charges':
      return { ...fields, cost: fromMillionths(fields.cost as string) };
    case 'renders':
      return JSON.parse(fields.entry as string);
  }
}

/** Converts a row to the fields that the `add` statement reads. */
function toDatabase<Kind extends CopyKind>(kind: Kind, row: CopyRows[Kind]): Fields {
  const fields = { ...row } as Fields;
  switch (kind) {
    case 'workspaces':
      return { ...fields, name: escapeName(fields.name as string), balance: toMillionths(fields.balance as number) };
    case 'keys':
      return { ...fields, name: escapeName(fields.name as string) };
    case 'templates':
      return { ...fields, name: escapeName(fields.name as string), record: JSON.stringify(fields.record) };
    case 'charges':
      return { ...fields, cost: toMillionths(fields.cost as number) };
    case 'renders':
      return {
        ...{ id: fields.id, workspaceId: fields.workspaceId, entry: JSON.stringify(row), time: fields.time },
        ...{ status: fields.status ?? 'ok', keyId: fields.keyId, templateId: fields.templateId },
      };
  }
}
