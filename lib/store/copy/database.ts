// A database as one end of a copy: read in one snapshot, or filled in one transaction that holds whole or not at all.

import { withReason } from '../postgres/errors.js';
import type { Query } from '../postgres/pool.js';
import { amountOf, creditsOf, nameOf } from '../postgres/rows.js';
import { openDatabase } from '../postgres/store.js';
import { type CopyEndpoint, type CopyKind, type CopyRows, type OpenCopyEndpoint, textOf } from './copy.js';

interface Table {
  /** Its rows as JSON, with the fields that everybody else knows them by. */
  readonly fields: string;
  /** How rows of such JSON are added, oldest first. */
  readonly add: string;
  /** Rows that are handed on together: records may have megabytes. */
  readonly batch: number;
  readonly order: string;
}

const TABLES: Readonly<Record<CopyKind, Table>> = {
  workspaces: {
    fields: 'id, name, plan, balance',
    add: `INSERT INTO platen.workspaces (id, name, plan, balance)
      SELECT * FROM json_to_recordset($1) AS r (id text, name text, plan text, balance bigint)`,
    batch: 1000,
    order: 'ordinal',
  },
  keys: {
    fields: 'id, workspace_id AS "workspaceId", name, scopes, state, created_at AS "createdAt", hash',
    add: `WITH made AS (
        INSERT INTO platen.keys (id, workspace_id, name, scopes, state, created_at, hash)
        SELECT * FROM json_to_recordset($1) AS r (
          id text, "workspaceId" text, name text, scopes text[], state text, "createdAt" timestamptz, hash text)
        RETURNING id
      ) INSERT INTO platen.rate_windows (key_id) SELECT id FROM made`,
    batch: 1000,
    order: 'ordinal',
  },
  templates: {
    fields: 'id, workspace_id AS "workspaceId", name, width, height, record',
    add: `INSERT INTO platen.templates (id, workspace_id, name, width, height, record)
      SELECT * FROM json_to_recordset($1) AS r (
        id text, "workspaceId" text, name text, width float8, height float8, record text)`,
    batch: 20,
    order: 'ordinal',
  },
  charges: {
    fields: `id, workspace_id AS "workspaceId", cost, to_char(charged_at AT TIME ZONE 'UTC',
      'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') AS "chargedAt"`,
    add: `INSERT INTO platen.charges (id, workspace_id, cost, charged_at)
      SELECT * FROM json_to_recordset($1) AS r (id uuid, "workspaceId" text, cost bigint, "chargedAt" timestamptz)`,
    batch: 1000,
    order: 'id',
  },
  renders: {
    fields: 'id, entry',
    add: `INSERT INTO platen.renders (id, workspace_id, entry)
      SELECT * FROM json_to_recordset($1) AS r (id text, "workspaceId" text, entry text)`,
    batch: 1000,
    order: 'ordinal',
  },
};

/** `source`: it is only read. Opening throws StoreError. */
export function databaseEnd(url: string, source: boolean, warn: (message: string) => void): OpenCopyEndpoint {
  return async (work) => {
    const database = await openDatabase(url, { connections: 1, warn });
    try {
      const begin = source ? 'BEGIN ISOLATION LEVEL REPEATABLE READ, READ ONLY' : 'BEGIN';
      return await database.transaction(async (ask) => {
        // The other end may take its time.
        await ask('SET LOCAL idle_in_transaction_session_timeout = 0');
        if (source) await warnOfRenders(ask, warn);
        return await work(endOf(ask));
      }, begin);
    } catch (error) {
      throw withReason(error);
    } finally {
      await database.close();
    }
  };
}

async function warnOfRenders(ask: Query, warn: (message: string) => void): Promise<void> {
  const [{ count }] = await ask<{ count: string }>('SELECT count(*) FROM platen.holds WHERE expires_at > now()');
  if (count !== '0') warn(`${count} renders run or ended without a word: what they are charged now is not copied`);
}

function endOf(ask: Query): CopyEndpoint {
  return {
    kinds: ['workspaces', 'keys', 'templates', 'charges', 'renders'],
    async count(kind) {
      const [{ count }] = await ask<{ count: string }>(`SELECT count(*) FROM platen.${kind}`);
      return Number(count);
    },
    async *read<Kind extends CopyKind>(kind: Kind) {
      const { fields, order, batch } = TABLES[kind];
      let after: string | undefined;
      for (;;) {
        const condition = after === undefined ? '' : `WHERE ${order} > $1`;
        const text = `SELECT ${fields}, ${order} AS place FROM platen.${kind} ${condition} ORDER BY ${order} LIMIT ${batch}`;
        const rows = await ask<Fields>(text, after === undefined ? [] : [after]);
        if (rows.length === 0) return;
        yield rows.map((row) => rowOf(kind, row));
        after = String(rows[rows.length - 1].place);
      }
    },
    async find(kind, ids) {
      const type = kind === 'charges' ? 'uuid' : 'text';
      const text = `SELECT ${TABLES[kind].fields} FROM platen.${kind} WHERE id = ANY($1::${type}[])`;
      const rows = (await ask<Fields>(text, [ids])).map((row) => rowOf(kind, row));
      return new Map(rows.map((row) => [row.id, textOf(kind, row)]));
    },
    async add(kind, rows) {
      for (let start = 0; start < rows.length; start += TABLES[kind].batch) {
        const batch = rows.slice(start, start + TABLES[kind].batch).map((row) => fieldsOf(kind, row));
        await ask(TABLES[kind].add, [JSON.stringify(batch)]);
      }
    },
  };
}

type Fields = Readonly<Record<string, unknown>>;

/** A row as it is selected → as everybody else knows it. */
function rowOf<Kind extends CopyKind>(kind: Kind, selected: Fields): CopyRows[Kind] {
  return shapeOf(kind, selected) as unknown as CopyRows[Kind];
}

function shapeOf(kind: CopyKind, { place, ...fields }: Fields): Fields {
  switch (kind) {
    case 'workspaces':
      return { ...fields, balance: creditsOf(fields.balance as string) };
    case 'keys':
      return { ...fields, createdAt: (fields.createdAt as Date).toISOString() };
    case 'templates':
      return { ...fields, record: JSON.parse(fields.record as string) };
    case 'charges':
      return { ...fields, cost: creditsOf(fields.cost as string) };
    case 'renders':
      return JSON.parse(fields.entry as string);
  }
}

/** A row → the fields that `add` reads. */
function fieldsOf<Kind extends CopyKind>(kind: Kind, row: CopyRows[Kind]): Fields {
  const fields = { ...row } as Fields;
  switch (kind) {
    case 'workspaces':
      return { ...fields, name: nameOf(fields.name as string), balance: amountOf(fields.balance as number) };
    case 'keys':
      return { ...fields, name: nameOf(fields.name as string) };
    case 'templates':
      return { ...fields, name: nameOf(fields.name as string), record: JSON.stringify(fields.record) };
    case 'charges':
      return { ...fields, cost: amountOf(fields.cost as number) };
    case 'renders':
      return { id: fields.id, workspaceId: fields.workspaceId, entry: JSON.stringify(row) };
  }
}
