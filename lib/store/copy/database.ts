// A database as the source or target of a copy: read in one database snapshot, or written in one transaction.
import type { AuditEntry } from '../operator-store.js';
import { withReason } from '../postgres/errors.js';
import type { Query } from '../postgres/pool.js';
import { boundedText, labelsOf } from '../postgres/render-log.js';
import { escapeName, fromMillionths, toMillionths } from '../postgres/rows.js';
import { openDatabase } from '../postgres/store.js';
import type { LoggedRender } from '../types.js';
import type { CopyEndpoint, OpenCopyEndpoint } from './index.js';
import { type CopiedLedger, type CopyKind, type CopyRows, fingerprint } from './rows.js';

interface TableQueries {
  /** The columns to select, named like the fields of CopyRows. */
  readonly fields: string;
  readonly from: string;
  /** The order in which rows are read. */
  readonly order: string;
  /** The condition that finds the rows with the ids of $1. */
  readonly hasId: string;
  /** The statement that inserts rows, oldest first, from a JSON array of such fields. */
  readonly add: string;
  /** Rows per statement; template records and assets may have megabytes. */
  readonly batchSize: number;
}

/** A time with milliseconds in ISO 8601. */
const TIME_FORMAT = 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"';

const time = (column: string, name: string) => `to_char((${column}) AT TIME ZONE 'UTC', '${TIME_FORMAT}') AS "${name}"`;

const jsonTime = (column: string) => `'time', to_char(${column} AT TIME ZONE 'UTC', '${TIME_FORMAT}')`;

const day = "to_char(day, 'YYYY-MM-DD')";

const TABLES: Readonly<Record<CopyKind, TableQueries>> = {
  workspaces: {
    fields: `id, name, plan, balance, ${time('deleted_at', 'deletedAt')}`,
    from: 'platen.workspaces',
    order: 'ordinal',
    hasId: 'id = ANY($1::text[])',
    add: `INSERT INTO platen.workspaces (id, name, plan, balance, deleted_at)
      SELECT * FROM json_to_recordset($1) AS r (
        id text, name text, plan text, balance bigint, "deletedAt" timestamptz)`,
    batchSize: 1000,
  },
  keys: {
    fields: `id, workspace_id AS "workspaceId", name, scopes, state, ${time('created_at', 'createdAt')}, hash,
      rate_limit AS "rateLimit", prefix, (SELECT ${time('to_timestamp(max(last - shift) / 1e6)', 'lastUsedAt')}
        FROM platen.rate_windows w WHERE w.key_id = k.id AND last > 0)`,
    from: 'platen.keys k',
    order: 'ordinal',
    hasId: 'id = ANY($1::text[])',
    add: `WITH added AS (SELECT * FROM json_to_recordset($1) AS r (
        id text, "workspaceId" text, name text, scopes text[], state text, "createdAt" timestamptz, hash text,
        "rateLimit" integer, prefix text, "lastUsedAt" timestamptz)
      ), made AS (
        INSERT INTO platen.keys (id, workspace_id, name, scopes, state, created_at, hash, rate_limit, prefix)
        SELECT id, "workspaceId", name, scopes, state, "createdAt", hash, "rateLimit", prefix FROM added
      ) INSERT INTO platen.rate_windows (key_id, kind, last)
        SELECT id, 'render', (extract(epoch FROM "lastUsedAt") * 1000000)::bigint FROM added
        WHERE "lastUsedAt" IS NOT NULL`,
    batchSize: 1000,
  },
  'link keys': {
    fields: `id, workspace_id AS "workspaceId", name, encode(public_key, 'hex') AS "publicKey", state,
      ${time('created_at', 'createdAt')}, ${time('revoked_at', 'revokedAt')},
      (SELECT ${time('to_timestamp(max(last - shift) / 1e6)', 'lastUsedAt')}
        FROM platen.rate_windows w WHERE w.key_id = k.id AND last > 0)`,
    from: 'platen.links k',
    order: 'ordinal',
    hasId: 'id = ANY($1::text[])',
    // Each has its window from the start.
    add: `WITH added AS (SELECT * FROM json_to_recordset($1) AS r (
        id text, "workspaceId" text, name text, "publicKey" text, state text, "createdAt" timestamptz,
        "revokedAt" timestamptz, "lastUsedAt" timestamptz)
      ), made AS (
        INSERT INTO platen.links (id, workspace_id, name, public_key, state, created_at, revoked_at)
        SELECT id, "workspaceId", name, decode("publicKey", 'hex'), state, "createdAt", "revokedAt" FROM added
      ) INSERT INTO platen.rate_windows (key_id, kind, last)
        SELECT id, 'render', coalesce((extract(epoch FROM "lastUsedAt") * 1000000)::bigint, 0) FROM added`,
    batchSize: 1000,
  },
  templates: {
    fields: `id, workspace_id AS "workspaceId", version, published_version AS "publishedVersion",
      ${time('created_at', 'createdAt')}, ${time('updated_at', 'updatedAt')}`,
    from: 'platen.template_heads',
    order: 'ordinal',
    hasId: 'id = ANY($1::text[])',
    add: `INSERT INTO platen.template_heads (id, workspace_id, version, published_version, created_at, updated_at)
      SELECT * FROM json_to_recordset($1) AS r (id text, "workspaceId" text, version integer,
        "publishedVersion" integer, "createdAt" timestamptz, "updatedAt" timestamptz)`,
    batchSize: 1000,
  },
  versions: {
    fields: `template_id || ' ' || version AS id, template_id AS "templateId", version, name, width, height, hotspots,
      asset_ids AS "assetIds", ${time('created_at', 'createdAt')}, record`,
    from: 'platen.template_versions JOIN platen.template_records USING (template_id, version)',
    order: 'template_id, version',
    hasId: `template_id = ANY(SELECT split_part(id, ' ', 1) FROM unnest($1::text[]) AS id)
      AND template_id || ' ' || version = ANY($1::text[])`,
    add: `WITH added AS (SELECT * FROM json_to_recordset($1) AS r (
        "templateId" text, version integer, name text, width float8, height float8, hotspots text, "assetIds" text[],
        "createdAt" timestamptz, record text)
      ), versions AS (
        INSERT INTO platen.template_versions
          (template_id, version, name, width, height, hotspots, asset_ids, created_at)
        SELECT "templateId", version, name, width, height, hotspots, "assetIds", "createdAt" FROM added
      ) INSERT INTO platen.template_records (template_id, version, record)
        SELECT "templateId", version, record FROM added`,
    batchSize: 20,
  },
  assets: {
    fields: `a.id, a.workspace_id AS "workspaceId", a.kind, a.mime_type AS "mimeType", a.bytes::float8 AS bytes,
      encode(sha256(c.content), 'hex') AS sha256, a.width, a.height, a.family, a.weight, a.style, a.typeface::json AS typeface,
      ${time('a.created_at', 'createdAt')}, c.content`,
    from: 'platen.assets a JOIN platen.asset_contents c USING (sha256)',
    order: 'a.ordinal',
    hasId: 'a.id = ANY($1::text[])',
    add: `WITH added AS (SELECT * FROM json_to_recordset($1) AS r (
        id text, "workspaceId" text, kind text, "mimeType" text, bytes bigint, sha256 text, width float8, height float8,
        family text, weight integer, style text, typeface json, "createdAt" timestamptz, content text)
      ), contents AS (
        INSERT INTO platen.asset_contents (sha256, content)
        SELECT DISTINCT ON (sha256) decode(sha256, 'hex'), decode(content, 'base64') FROM added
        ON CONFLICT DO NOTHING
      ) INSERT INTO platen.assets
          (id, workspace_id, kind, mime_type, bytes, sha256, width, height, family, weight, style, typeface, created_at)
        SELECT id, "workspaceId", kind, "mimeType", bytes, decode(sha256, 'hex'), width, height, family, weight, style,
          typeface::text, "createdAt" FROM added`,
    batchSize: 1,
  },
  charges: {
    fields: `id, workspace_id AS "workspaceId", cost, to_char(charged_at AT TIME ZONE 'UTC',
      'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') AS "chargedAt"`,
    from: 'platen.charges',
    order: 'id',
    hasId: 'id = ANY($1::uuid[])',
    add: `INSERT INTO platen.charges (id, workspace_id, cost, charged_at)
      SELECT * FROM json_to_recordset($1) AS r (id uuid, "workspaceId" text, cost bigint, "chargedAt" timestamptz)`,
    batchSize: 1000,
  },
  ledgers: {
    fields: 'id, grants, charges',
    from: `(SELECT * FROM (
        SELECT id, ordinal,
          (SELECT json_agg(json_build_object('amount', amount::text, ${jsonTime('granted_at')}) ORDER BY ordinal)
            FROM platen.grants WHERE workspace_id = w.id) AS grants,
          (SELECT json_agg(json_build_object('day', ${day}, 'amount', (-charged)::text, 'renders', charges) ORDER BY day)
            FROM platen.charge_days WHERE workspace_id = w.id) AS charges
        FROM platen.workspaces w
      ) l WHERE grants IS NOT NULL OR charges IS NOT NULL) ledgers`,
    order: 'ordinal',
    hasId: 'id = ANY($1::text[])',
    add: `WITH added AS (SELECT * FROM json_to_recordset($1) AS r (id text, grants json, charges json)
      ), granted AS (
        INSERT INTO platen.grants (workspace_id, amount, granted_at)
        SELECT a.id, (g.line ->> 'amount')::bigint, (g.line ->> 'time')::timestamptz
        FROM added a, json_array_elements(a.grants) WITH ORDINALITY AS g (line, place) ORDER BY a.id, g.place
      ) INSERT INTO platen.charge_days_before (workspace_id, day, charged, charges)
        SELECT a.id, c.day, -c.amount, c.renders
        FROM added a, json_to_recordset(a.charges) AS c (day date, amount bigint, renders bigint)`,
    batchSize: 100,
  },
  'usage days': {
    fields: `workspace_id || ' ' || ${day} AS id, renders::float8 AS renders, failures::float8 AS failures,
      cpu_ms::float8 AS "cpuMs"`,
    from: 'platen.usage_days',
    order: 'day, workspace_id',
    hasId: `(workspace_id, day) IN (
      SELECT split_part(id, ' ', 1), split_part(id, ' ', 2)::date FROM unnest($1::text[]) AS id)`,
    add: `INSERT INTO platen.usage_days (workspace_id, day, renders, failures, cpu_ms)
      SELECT split_part(id, ' ', 1), split_part(id, ' ', 2)::date, renders, failures, "cpuMs"
      FROM json_to_recordset($1) AS r (id text, renders bigint, failures bigint, "cpuMs" bigint)`,
    batchSize: 1000,
  },
  operators: {
    fields: `name AS id, id AS "operatorId", role, workspaces, password AS "passwordHash", ${time('created_at', 'createdAt')}`,
    from: 'platen.operators',
    order: 'ordinal',
    hasId: 'name = ANY($1::text[])',
    add: `INSERT INTO platen.operators (name, id, role, workspaces, password, created_at)
      SELECT * FROM json_to_recordset($1) AS r (id text, "operatorId" text, role text, workspaces text[],
        "passwordHash" text, "createdAt" timestamptz)`,
    batchSize: 1000,
  },
  'audit entries': {
    fields: `id, ${time('time', 'time')}, actor_kind, actor_name, workspace_id AS "workspaceId", action, subject, details`,
    from: 'platen.audit_log',
    order: 'ordinal',
    hasId: 'id = ANY($1::text[])',
    add: `INSERT INTO platen.audit_log (id, time, actor_kind, actor_name, workspace_id, action, subject, details)
      SELECT id, time, actor_kind, actor_name, "workspaceId", action, subject, details FROM json_to_recordset($1) AS r (
        id text, time timestamptz, actor_kind text, actor_name text, "workspaceId" text, action text, subject text,
        details text)`,
    batchSize: 1000,
  },
  'idempotency keys': {
    fields: `encode(id, 'hex') AS id, encode(fingerprint, 'hex') AS fingerprint, render_id AS "renderId",
      template_version AS "templateVersion", cost AS "creditsCost", ${time("expires_at - interval '24 hours'", 'settledAt')}`,
    from: '(SELECT * FROM platen.idempotency_keys WHERE render_id IS NOT NULL AND expires_at > now()) k',
    order: 'id',
    hasId: `id = ANY(SELECT decode(id, 'hex') FROM unnest($1::text[]) AS id)`,
    // A repeat may have relied on the charge already.
    add: `INSERT INTO platen.idempotency_keys
        (id, lease, expires_at, fingerprint, render_id, template_version, cost, replayed)
      SELECT decode(id, 'hex'), gen_random_uuid(), "settledAt" + interval '24 hours', decode(fingerprint, 'hex'),
        "renderId", "templateVersion", "creditsCost", true
      FROM json_to_recordset($1) AS r (id text, fingerprint text, "renderId" text, "templateVersion" integer,
        "creditsCost" bigint, "settledAt" timestamptz)`,
    batchSize: 1000,
  },
  renders: {
    fields: 'id, entry',
    from: 'platen.renders',
    order: 'ordinal',
    hasId: 'id = ANY($1::text[])',
    add: `INSERT INTO platen.renders (id, workspace_id, entry, time, status, key_id, template_id, labels)
      SELECT * FROM json_to_recordset($1) AS r (id text, "workspaceId" text, entry text, time timestamptz, status text,
        "keyId" text, "templateId" text, labels integer[])`,
    batchSize: 1000,
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
  return {
    kinds: Object.keys(TABLES) as CopyKind[],
    async count(kind) {
      const [{ count }] = await query<{ count: string }>(`SELECT count(*) FROM ${TABLES[kind].from}`);
      return Number(count);
    },
    async *read<Kind extends CopyKind>(kind: Kind) {
      const { fields, from, order, batchSize } = TABLES[kind];
      await query(`DECLARE copied NO SCROLL CURSOR FOR SELECT ${fields} FROM ${from} ORDER BY ${order}`);
      for (;;) {
        const rows = await query<Fields>(`FETCH ${batchSize} FROM copied`);
        if (rows.length === 0) break;
        yield rows.map((row) => fromDatabase(kind, row));
      }
      await query('CLOSE copied');
    },
    async find(kind, ids) {
      const { fields, from, hasId } = TABLES[kind];
      const rows = await query<Fields>(`SELECT ${fields} FROM ${from} WHERE ${hasId}`, [ids]);
      return new Map(rows.map((row) => fromDatabase(kind, row)).map((row) => [row.id, fingerprint(kind, row)]));
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

function convertFields(kind: CopyKind, fields: Fields): Fields {
  switch (kind) {
    case 'workspaces':
      return withoutNulls({ ...fields, balance: fromMillionths(fields.balance as string) });
    case 'link keys':
      return withoutNulls({ ...fields, publicKey: recode(fields.publicKey, 'hex', 'base64url') });
    case 'versions':
      return { ...fields, hotspots: JSON.parse(fields.hotspots as string) };
    case 'charges':
      return { ...fields, cost: fromMillionths(fields.cost as string) };
    case 'ledgers':
      return {
        id: fields.id,
        grants: linesOf(fields.grants, fromMillionths),
        charges: linesOf(fields.charges, fromMillionths),
      };
    case 'audit entries': {
      const { actor_kind: kind, actor_name: name, details, ...others } = fields;
      const actor = kind === 'command' ? { kind } : { kind, name: name ?? '' };
      return { ...withoutNulls(others), actor, ...(details !== null && { details: JSON.parse(details as string) }) };
    }
    case 'operators':
      // An operator without a list of workspaces may see all of them.
      return { ...withoutNulls(fields), workspaces: fields.workspaces };
    case 'idempotency keys':
      return withoutNulls({ ...fields, creditsCost: fromMillionths(fields.creditsCost as string) });
    case 'renders':
      return JSON.parse(fields.entry as string);
    case 'templates':
      return fields;
    default:
      return withoutNulls(fields);
  }
}

const recode = (text: unknown, from: BufferEncoding, to: BufferEncoding) =>
  Buffer.from(text as string, from).toString(to);

/** Lines of a ledger with other amounts. */
function linesOf<From, To>(lines: unknown, convert: (amount: From) => To): object[] {
  const list = (lines ?? []) as readonly { readonly amount: From }[];
  return list.map((line) => ({ ...line, amount: convert(line.amount) }));
}

/** Optional columns are absent fields. */
function withoutNulls(fields: Fields): Fields {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== null));
}

/** Converts a row to the fields that the `add` statement reads. */
function toDatabase<Kind extends CopyKind>(kind: Kind, row: CopyRows[Kind]): Fields {
  const fields = { ...row } as Fields;
  const name = () => escapeName(fields.name as string);
  switch (kind) {
    case 'workspaces':
      return { ...fields, name: name(), balance: toMillionths(fields.balance as number) };
    case 'keys':
      return { ...fields, name: name() };
    case 'link keys':
      return { ...fields, name: name(), publicKey: recode(fields.publicKey, 'base64url', 'hex') };
    case 'versions':
      return { ...fields, name: name(), hotspots: JSON.stringify(fields.hotspots) };
    case 'assets':
      return { ...fields, content: Buffer.from(fields.content as Uint8Array).toString('base64') };
    case 'charges':
      return { ...fields, cost: toMillionths(fields.cost as number) };
    case 'ledgers': {
      const { id, grants, charges } = row as unknown as CopiedLedger;
      return { id, grants: linesOf(grants, toMillionths), charges: linesOf(charges, toMillionths) };
    }
    case 'audit entries': {
      const { actor, details, ...others } = row as unknown as AuditEntry;
      const columns = { actor_kind: actor.kind, actor_name: actor.name, details: details && JSON.stringify(details) };
      return { ...others, ...columns };
    }
    case 'idempotency keys':
      return { ...fields, creditsCost: toMillionths(fields.creditsCost as number) };
    case 'renders': {
      const entry = row as unknown as LoggedRender;
      const { id, workspaceId, time, status = 'ok', keyId, templateId } = entry;
      return {
        ...{ id, workspaceId, entry: JSON.stringify(entry), time, status, keyId: boundedText(keyId) },
        ...{ templateId: templateId && boundedText(templateId), labels: labelsOf(entry) },
      };
    }
    default:
      return fields;
  }
}
