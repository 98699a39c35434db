// A database as the source or target of a copy: read in one database snapshot, or written in one transaction.
import { randomUUID } from 'node:crypto';
import { auditEntryOf } from '../postgres/audit.js';
import { withReason } from '../postgres/errors.js';
import type { Query } from '../postgres/pool.js';
import { boundedText, labelsOf } from '../postgres/render-log.js';
import { CODECS, camelCase, fieldsOf, fromMillionths, KEY_COLUMNS, LINK_COLUMNS } from '../postgres/rows.js';
import { openDatabase } from '../postgres/store.js';
import type { CopyEndpoint, OpenCopyEndpoint } from './index.js';
import { BATCH_SIZE, type CopyKind, type CopyRows, fingerprint } from './rows.js';

/** Columns by their names in a result, or fields of CopyRows. */
type Fields = Readonly<Record<string, unknown>>;

/** A table that rows are inserted into, its columns, and the fields that they get (those of the row by default). */
type Insert<Row> = readonly [table: string, columns: string, fieldsOf?: (row: Row) => Fields | readonly Fields[]];

interface TableCopy<Row> {
  /** The tables in their order. The first one is also the one that is read. */
  readonly into: readonly [Insert<Row>, ...Insert<Row>[]];
  /** What is selected; the columns of the first table by default. */
  readonly columns?: string;
  readonly from?: string;
  /** The order in which rows are read; `ordinal` by default. */
  readonly order?: string;
  /** The condition that finds the rows with the ids of $1. */
  readonly hasId?: string;
  /** Converts a selected row whose columns have no codec. */
  readonly decode?: (selected: Fields) => Row;
  /** Rows per statement; template records and assets may have megabytes. */
  readonly batchSize?: number;
}

const DAY = "to_char(day, 'YYYY-MM-DD')";
const HOURS_24 = 24 * 3_600_000;

/** The rate window of a copied key says when the key was used last. */
const windowOf = ({ id, lastUsedAt }: { readonly id: string; readonly lastUsedAt?: string }): Fields => ({
  keyId: id,
  kind: 'render',
  last: lastUsedAt === undefined ? 0 : Date.parse(lastUsedAt) * 1000,
});

const WINDOWS = ['rate_windows', 'key_id kind last', windowOf] as const;

const TABLES: { readonly [Kind in CopyKind]: TableCopy<CopyRows[Kind]> } = {
  workspaces: { into: [['workspaces', 'id name plan balance deleted_at']] },
  keys: {
    into: [['keys', 'id workspace_id name scopes state created_at hash rate_limit prefix'], WINDOWS],
    columns: `${KEY_COLUMNS}, k.hash`,
    from: 'platen.keys k',
  },
  'link keys': {
    into: [['links', 'id workspace_id name public_key state created_at revoked_at'], WINDOWS],
    columns: LINK_COLUMNS,
    from: 'platen.links k',
  },
  templates: { into: [['template_heads', 'id workspace_id version published_version created_at updated_at']] },
  versions: {
    into: [
      ['template_versions', 'template_id version name width height hotspots asset_ids created_at'],
      ['template_records', 'template_id version record'],
    ],
    columns: `template_id || ' ' || version AS id, template_id, version, name, width, height, hotspots, asset_ids,
      created_at, record`,
    from: 'platen.template_versions JOIN platen.template_records USING (template_id, version)',
    order: 'template_id, version',
    hasId: `template_id = ANY(SELECT split_part(id, ' ', 1) FROM unnest($1::text[]) AS id)
      AND template_id || ' ' || version = ANY($1::text[])`,
    batchSize: 20,
  },
  'brand versions': {
    into: [['brands', 'workspace_id version record created_at']],
    columns: "workspace_id || ' ' || version AS id, workspace_id, version, record, created_at",
    order: 'workspace_id, version',
    hasId: `workspace_id = ANY(SELECT split_part(id, ' ', 1) FROM unnest($1::text[]) AS id)
      AND workspace_id || ' ' || version = ANY($1::text[])`,
    batchSize: 20,
  },
  assets: {
    into: [
      ['asset_contents', 'sha256 content'],
      [
        'assets',
        'id workspace_id kind mime_type bytes sha256 width height family weight style typeface created_at',
        ({ content: _, ...asset }) => asset,
      ],
    ],
    columns: `a.id, a.workspace_id, a.kind, a.mime_type, a.bytes, sha256(c.content), a.width, a.height, a.family, a.weight,
      a.style, a.typeface, a.created_at, c.content`,
    from: 'platen.assets a JOIN platen.asset_contents c USING (sha256)',
    order: 'a.ordinal',
    hasId: 'a.id = ANY($1::text[])',
    batchSize: 1,
  },
  charges: {
    into: [['charges', 'id workspace_id cost charged_at']],
    columns: `id, workspace_id, cost, to_char(charged_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') AS charged_at`,
    order: 'id',
    hasId: 'id = ANY($1::uuid[])',
  },
  ledgers: {
    into: [
      [
        'grants',
        'workspace_id amount granted_at',
        ({ id, grants }) => grants.map(({ time, amount }) => ({ workspaceId: id, amount, grantedAt: time })),
      ],
      [
        'charge_days_before',
        'workspace_id day charged charges',
        ({ id, charges }) =>
          charges.map(({ day, amount, renders }) => ({ workspaceId: id, day, charged: -amount, charges: renders })),
      ],
    ],
    columns: 'id, grants, charges',
    from: `(SELECT * FROM (
        SELECT id, ordinal,
          (SELECT json_agg(json_build_object('time', to_char(granted_at AT TIME ZONE 'UTC',
              'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'), 'amount', amount::text) ORDER BY ordinal)
            FROM platen.grants WHERE workspace_id = w.id) AS grants,
          (SELECT json_agg(json_build_object('day', ${DAY}, 'amount', (-charged)::text, 'renders', charges) ORDER BY day)
            FROM platen.charge_days WHERE workspace_id = w.id) AS charges
        FROM platen.workspaces w
      ) l WHERE grants IS NOT NULL OR charges IS NOT NULL) ledgers`,
    decode: ({ id, grants, charges }) => ({ id: id as string, grants: linesOf(grants), charges: linesOf(charges) }),
    batchSize: 100,
  },
  'usage days': {
    into: [
      [
        'usage_days',
        'workspace_id day renders failures cpu_ms',
        ({ id, ...counts }) => ({ workspaceId: id.split(' ')[0], day: id.split(' ')[1], ...counts }),
      ],
    ],
    columns: `workspace_id || ' ' || ${DAY} AS id, renders::float8, failures::float8, cpu_ms::float8`,
    order: 'day, workspace_id',
    hasId: `(workspace_id, day) IN (
      SELECT split_part(id, ' ', 1), split_part(id, ' ', 2)::date FROM unnest($1::text[]) AS id)`,
  },
  operators: {
    into: [
      [
        'operators',
        'id name role workspaces password created_at',
        ({ id: name, operatorId: id, passwordHash: password, ...fields }) => ({ id, name, password, ...fields }),
      ],
    ],
    columns: 'name AS id, id AS operator_id, role, workspaces, password AS password_hash, created_at',
    hasId: 'name = ANY($1::text[])',
  },
  'audit entries': {
    into: [
      [
        'audit_log',
        'id time actor_kind actor_name workspace_id action subject details',
        ({ actor, ...fields }) => ({ ...fields, actorKind: actor.kind, actorName: actor.name }),
      ],
    ],
    decode: (row) => auditEntryOf(row as never),
  },
  'idempotency keys': {
    into: [
      [
        'idempotency_keys',
        'id lease expires_at fingerprint render_id template_version brand_version cost replayed',
        ({ id, settledAt, creditsCost: cost, ...fields }) => ({
          ...fields,
          id: `\\x${id}`,
          lease: randomUUID(),
          expiresAt: new Date(Date.parse(settledAt) + HOURS_24).toISOString(),
          cost,
          // A repeat may have relied on the charge already.
          replayed: true,
        }),
      ],
    ],
    columns: `id, fingerprint, render_id, template_version, brand_version, cost AS credits_cost,
      expires_at - interval '24 hours' AS settled_at`,
    from: '(SELECT * FROM platen.idempotency_keys WHERE render_id IS NOT NULL AND expires_at > now()) k',
    order: 'id',
    hasId: `id = ANY(SELECT decode(id, 'hex') FROM unnest($1::text[]) AS id)`,
  },
  renders: {
    into: [
      [
        'renders',
        'id workspace_id entry time status key_id template_id labels',
        (entry) => ({
          status: 'ok',
          ...entry,
          entry: JSON.stringify(entry),
          keyId: boundedText(entry.keyId),
          templateId: entry.templateId && boundedText(entry.templateId),
          labels: labelsOf(entry),
        }),
      ],
    ],
    columns: 'id, entry',
    decode: ({ entry }) => JSON.parse(entry as string),
  },
};

/** Opens a database for copying. `isSource` says that it is only read. Opening throws StoreError. */
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
  const tableOf = <Kind extends CopyKind>(kind: Kind): TableCopy<CopyRows[Kind]> => TABLES[kind];
  const fromOf = (kind: CopyKind) => TABLES[kind].from ?? `platen.${TABLES[kind].into[0][0]}`;
  const selectOf = (kind: CopyKind) =>
    `SELECT ${TABLES[kind].columns ?? TABLES[kind].into[0][1].replaceAll(' ', ', ')} FROM ${fromOf(kind)}`;
  const rowOf = <Kind extends CopyKind>(kind: Kind, selected: Fields): CopyRows[Kind] =>
    tableOf(kind).decode?.(selected) ?? (fieldsOf(selected) as unknown as CopyRows[Kind]);
  return {
    kinds: Object.keys(TABLES) as CopyKind[],
    async count(kind) {
      const [{ count }] = await query<{ count: string }>(`SELECT count(*) FROM ${fromOf(kind)}`);
      return Number(count);
    },
    async *read(kind) {
      const { order = 'ordinal', batchSize = BATCH_SIZE } = TABLES[kind];
      await query(`DECLARE copied NO SCROLL CURSOR FOR ${selectOf(kind)} ORDER BY ${order}`);
      for (;;) {
        const rows = await query<Fields>(`FETCH ${batchSize} FROM copied`);
        if (rows.length === 0) break;
        yield rows.map((row) => rowOf(kind, row));
      }
      await query('CLOSE copied');
    },
    async find(kind, ids) {
      const { hasId = 'id = ANY($1::text[])' } = TABLES[kind];
      const rows = await query<Fields>(`${selectOf(kind)} WHERE ${hasId}`, [ids]);
      return new Map(rows.map((row) => rowOf(kind, row)).map((row) => [row.id, fingerprint(kind, row)]));
    },
    async add(kind, rows) {
      const { into, batchSize = BATCH_SIZE } = tableOf(kind);
      for (let start = 0; start < rows.length; start += batchSize) {
        const batch = rows.slice(start, start + batchSize);
        for (const insert of into) await query(...insertStatement(insert, batch));
      }
    },
  };
}

/** Inserts what belongs to one table. Assets may share a content. */
function insertStatement<Row>([table, names, convert]: Insert<Row>, rows: readonly Row[]): [string, [string]] {
  const columns = names.replaceAll(' ', ', ');
  const values = rows
    .flatMap((row) => convert?.(row) ?? (row as Fields))
    .map((fields) =>
      Object.fromEntries(
        names.split(' ').map((column) => {
          const field = fields[camelCase(column)];
          return [column, field == null ? null : (CODECS[column]?.[1](field as never) ?? field)];
        }),
      ),
    );
  const text = `INSERT INTO platen.${table} (${columns})
    SELECT ${columns} FROM json_populate_recordset(NULL::platen.${table}, $1)
    ${table === 'asset_contents' ? 'ON CONFLICT DO NOTHING' : ''}`;
  return [text, [JSON.stringify(values)]];
}

/** Lines of a ledger with their amounts in credits. */
function linesOf<Line>(lines: unknown): Line[] {
  const list = (lines ?? []) as readonly { readonly amount: string }[];
  return list.map((line) => ({ ...line, amount: fromMillionths(line.amount) }) as Line);
}
