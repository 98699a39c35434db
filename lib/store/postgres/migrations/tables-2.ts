// Migration 2 in two parts, so that servers of version 1 go on while it runs. The first part creates new tables and copies
// into them; it blocks nothing but template imports. The second takes exclusive locks, and only does what takes no time.
import { listHotspots } from '../../../contract/template/record-strings.js';
import type { Query } from '../pool.js';

/** A creation time. */
const CREATED = "timestamptz NOT NULL DEFAULT date_trunc('milliseconds', clock_timestamp())";

/** A field of an entry of version 1, which are JSON without white space; metadata is the last field. Null if absent. */
export const textField = (field: string) =>
  `nullif(split_part(split_part(split_part(entry, ',"metadata":', 1), '"${field}":"', 2), '"', 1), '')`;

/** The columns of an entry of version 1. */
const RENDER_COLUMNS = `ordinal, id, workspace_id, entry,
  CASE WHEN ${textField('time')} ~ '^\\d{4}-\\d\\d-\\d\\dT[0-9:.]+Z$' THEN ${textField('time')}::timestamptz
    ELSE date_trunc('milliseconds', now()) END,
  ${textField('keyId')}, ${textField('templateId')}`;

/** Foreign keys to existing tables would lock these, so they follow in the second part. */
export const NEW_TABLES = `
LOCK TABLE platen.templates IN SHARE MODE;

-- A template; its name, size and hotspots are those of its latest version.
CREATE TABLE platen.template_heads (
  id text PRIMARY KEY,
  ordinal bigint GENERATED ALWAYS AS IDENTITY UNIQUE,
  workspace_id text NOT NULL,
  version integer NOT NULL,
  published_version integer,
  created_at ${CREATED},
  updated_at ${CREATED}
);
CREATE INDEX template_heads_of_workspace ON platen.template_heads (workspace_id, ordinal);

-- The hotspots are JSON text. The records are in a table of their own, so lists don't read them.
CREATE TABLE platen.template_versions (
  template_id text NOT NULL REFERENCES platen.template_heads ON DELETE CASCADE,
  version integer NOT NULL,
  name text NOT NULL,
  width double precision NOT NULL,
  height double precision NOT NULL,
  hotspots text NOT NULL,
  asset_ids text[] NOT NULL DEFAULT '{}',
  created_at ${CREATED},
  PRIMARY KEY (template_id, version)
);

CREATE VIEW platen.template_list AS
  SELECT h.id, h.ordinal, h.workspace_id, v.name, v.width, v.height, v.hotspots, h.version, h.published_version,
    h.created_at, h.updated_at
  FROM platen.template_heads h JOIN platen.template_versions v ON v.template_id = h.id AND v.version = h.version;

-- The first charged request of each idempotency key, or the lease of one that is running. id: SHA-256 of the API key's id
-- and the header's value. render_id is null while it is a lease. expires_at: of the lease, or 24 hours after the charge.
-- hold: the charge's. replayed: a repeat relied on the charge, so it is never undone.
CREATE TABLE platen.idempotency_keys (
  id bytea PRIMARY KEY,
  lease uuid NOT NULL,
  expires_at timestamptz NOT NULL,
  hold uuid,
  fingerprint bytea,
  render_id text,
  template_version integer,
  cost bigint,
  replayed boolean NOT NULL DEFAULT false
) WITH (fillfactor = 80, autovacuum_vacuum_scale_factor = 0.05);
CREATE INDEX idempotency_keys_by_expiry ON platen.idempotency_keys (expires_at);

-- The bytes of assets, shared by all workspaces. They are compressed already.
CREATE TABLE platen.asset_contents (
  sha256 bytea PRIMARY KEY,
  content bytea NOT NULL
);
ALTER TABLE platen.asset_contents ALTER COLUMN content SET STORAGE EXTERNAL;

CREATE TABLE platen.assets (
  id text PRIMARY KEY,
  ordinal bigint GENERATED ALWAYS AS IDENTITY UNIQUE,
  workspace_id text NOT NULL,
  kind text NOT NULL CHECK (kind IN ('image', 'font')),
  mime_type text NOT NULL,
  bytes bigint NOT NULL,
  sha256 bytea NOT NULL REFERENCES platen.asset_contents,
  width double precision,
  height double precision,
  family text,
  weight integer,
  style text CHECK (style IN ('normal', 'italic')),
  created_at ${CREATED},
  UNIQUE (workspace_id, sha256)
);
CREATE INDEX assets_of_workspace ON platen.assets (workspace_id, ordinal);
CREATE INDEX assets_of_content ON platen.assets (sha256);

-- Credits that operators granted, or took back (negative).
CREATE TABLE platen.grants (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  workspace_id text NOT NULL,
  amount bigint NOT NULL,
  granted_at ${CREATED}
);
CREATE INDEX grants_of_workspace ON platen.grants (workspace_id, granted_at);

-- Keys that sign image links: Ed25519, the public half only.
CREATE TABLE platen.links (
  id text PRIMARY KEY,
  ordinal bigint GENERATED ALWAYS AS IDENTITY UNIQUE,
  workspace_id text NOT NULL,
  name text NOT NULL,
  public_key bytea NOT NULL CHECK (length(public_key) = 32),
  state text NOT NULL CHECK (state IN ('active', 'revoked')),
  created_at ${CREATED}
);
CREATE INDEX links_of_workspace ON platen.links (workspace_id, ordinal);

-- People who may use the dashboard. password: null before the first sign-in. workspaces: null for all of them.
CREATE TABLE platen.operators (
  id text PRIMARY KEY,
  ordinal bigint GENERATED ALWAYS AS IDENTITY UNIQUE,
  name text NOT NULL UNIQUE,
  role text NOT NULL CHECK (role IN ('owner', 'editor', 'viewer')),
  password text,
  workspaces text[],
  created_at ${CREATED}
);

-- id: SHA-256 of the cookie, or of the token in a sign-in link.
CREATE TABLE platen.sessions (
  id bytea PRIMARY KEY,
  operator_id text NOT NULL REFERENCES platen.operators ON DELETE CASCADE,
  created_at ${CREATED},
  used_at ${CREATED},
  expires_at timestamptz NOT NULL
);
CREATE INDEX sessions_of_operator ON platen.sessions (operator_id);

CREATE TABLE platen.sign_in_tokens (
  id bytea PRIMARY KEY,
  operator_id text NOT NULL REFERENCES platen.operators ON DELETE CASCADE,
  expires_at timestamptz NOT NULL
);

-- Who did what. details is JSON text.
CREATE TABLE platen.audit_log (
  ordinal bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  time ${CREATED},
  operator text,
  workspace_id text,
  action text NOT NULL,
  subject text,
  details text
);
CREATE INDEX audit_log_of_workspace ON platen.audit_log (workspace_id, ordinal);

-- The render log with columns for filters. labels: hashes of metadata's fields and values; null: not known.
CREATE TABLE platen.logged_renders (
  ordinal bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  id text NOT NULL,
  workspace_id text NOT NULL,
  entry text NOT NULL,
  time timestamptz NOT NULL DEFAULT clock_timestamp(),
  status text NOT NULL DEFAULT 'ok',
  key_id text,
  template_id text,
  labels integer[]
);
INSERT INTO platen.logged_renders (ordinal, id, workspace_id, entry, time, key_id, template_id)
  OVERRIDING SYSTEM VALUE SELECT ${RENDER_COLUMNS} FROM platen.renders ORDER BY ordinal;
ALTER TABLE platen.logged_renders ADD CONSTRAINT logged_renders_id_key UNIQUE (id);
CREATE INDEX renders_by_time ON platen.logged_renders (workspace_id, time, ordinal);
CREATE INDEX renders_by_key ON platen.logged_renders (workspace_id, key_id, time, ordinal);
CREATE INDEX renders_by_template ON platen.logged_renders (workspace_id, template_id, time, ordinal)
  WHERE template_id IS NOT NULL;
CREATE INDEX renders_failed ON platen.logged_renders (workspace_id, time, ordinal) WHERE status = 'failed';
ANALYZE platen.logged_renders;
`;

/** Templates per statement: a record may have megabytes. */
const BATCH_SIZE = 20;

/** Makes each template of version 1 the first, published version of itself. */
export async function describeTemplates(query: Query): Promise<void> {
  type Row = { ordinal: string; id: string; workspace_id: string; name: string; width: number; height: number };
  let last = '0';
  for (;;) {
    const rows = await query<Row & { record: string }>(
      `SELECT ordinal, id, workspace_id, name, width, height, record FROM platen.templates
      WHERE ordinal > $1 ORDER BY ordinal LIMIT ${BATCH_SIZE}`,
      [last],
    );
    if (rows.length === 0) return;
    last = rows[rows.length - 1].ordinal;
    const described = rows.map(({ record, ...row }) => ({
      ...row,
      hotspots: JSON.stringify(listHotspots(JSON.parse(record))),
    }));
    await query(
      `WITH described AS (SELECT * FROM json_to_recordset($1) AS r (
          id text, workspace_id text, name text, width float8, height float8, hotspots text)
      ), heads AS (
        INSERT INTO platen.template_heads (id, workspace_id, version, published_version)
        SELECT id, workspace_id, 1, 1 FROM described
      ) INSERT INTO platen.template_versions (template_id, version, name, width, height, hotspots)
        SELECT id, 1, name, width, height, hotspots FROM described`,
      [JSON.stringify(described)],
    );
  }
}

/** The locks are taken in the order in which statements of version 1 take them. */
export const CHANGED_TABLES = `
LOCK TABLE platen.templates, platen.keys, platen.workspaces, platen.rate_windows, platen.rate_chunks, platen.renders
  IN ACCESS EXCLUSIVE MODE;

ALTER TABLE platen.keys ADD COLUMN rate_limit integer CHECK (rate_limit > 0);
ALTER TABLE platen.workspaces
  ADD COLUMN created_at timestamptz NOT NULL DEFAULT date_trunc('milliseconds', now()),
  ADD COLUMN deleted_at timestamptz;

-- The table of templates becomes the table of their records, so no record is copied.
ALTER TABLE platen.templates RENAME TO template_records;
ALTER TABLE platen.template_records RENAME COLUMN id TO template_id;
ALTER TABLE platen.template_records
  ADD COLUMN version integer NOT NULL DEFAULT 1,
  DROP CONSTRAINT templates_pkey,
  DROP COLUMN ordinal, DROP COLUMN workspace_id, DROP COLUMN name, DROP COLUMN width, DROP COLUMN height;
ALTER TABLE platen.template_records
  ALTER COLUMN version DROP DEFAULT,
  ADD PRIMARY KEY (template_id, version),
  ADD FOREIGN KEY (template_id, version) REFERENCES platen.template_versions ON DELETE CASCADE;
ALTER TABLE platen.template_heads ADD FOREIGN KEY (workspace_id) REFERENCES platen.workspaces;
ALTER TABLE platen.assets ADD FOREIGN KEY (workspace_id) REFERENCES platen.workspaces;
ALTER TABLE platen.links ADD FOREIGN KEY (workspace_id) REFERENCES platen.workspaces;

-- What servers of version 1 read.
CREATE VIEW platen.templates AS
  SELECT h.id, h.workspace_id, r.record FROM platen.template_heads h
  JOIN platen.template_records r ON r.template_id = h.id AND r.version = h.published_version;

-- A key has a window for each kind of request. The row of a window is created by its first request.
ALTER TABLE platen.rate_chunks
  ADD COLUMN kind text NOT NULL DEFAULT 'render',
  DROP CONSTRAINT rate_chunks_key_id_fkey,
  DROP CONSTRAINT rate_chunks_pkey,
  ADD PRIMARY KEY (key_id, kind, number);
ALTER TABLE platen.rate_windows
  ADD COLUMN kind text NOT NULL DEFAULT 'render',
  DROP CONSTRAINT rate_windows_pkey,
  ADD PRIMARY KEY (key_id, kind);
ALTER TABLE platen.rate_chunks
  ADD FOREIGN KEY (key_id, kind) REFERENCES platen.rate_windows ON DELETE CASCADE;

-- Entries that were added during the copy: numbers near its end may have been committed later than higher ones. With a
-- variable, the planner knows how few they are.
DO $$
DECLARE
  copied bigint := (SELECT coalesce(max(ordinal), 0) FROM platen.logged_renders);
BEGIN
  INSERT INTO platen.logged_renders (ordinal, id, workspace_id, entry, time, key_id, template_id)
    OVERRIDING SYSTEM VALUE SELECT ${RENDER_COLUMNS} FROM platen.renders r
    WHERE ordinal > copied - 20000
      AND NOT EXISTS (SELECT FROM platen.logged_renders l WHERE l.ordinal = r.ordinal AND l.ordinal > copied - 20000)
    ORDER BY ordinal;
END $$;
SELECT setval(pg_get_serial_sequence('platen.logged_renders', 'ordinal'),
  (SELECT coalesce(max(ordinal), 0) + 1 FROM platen.logged_renders), false);
DROP TABLE platen.renders;
ALTER TABLE platen.logged_renders RENAME TO renders;
ALTER INDEX platen.logged_renders_pkey RENAME TO renders_pkey;
ALTER INDEX platen.logged_renders_id_key RENAME TO renders_id_key;
`;
