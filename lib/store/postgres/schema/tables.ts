// The tables, their indexes and views. Credits are integer millionths (credits.ts). Template records and log entries are JSON
// text: jsonb would reorder their keys and reject \u0000. `ordinal` is the order of creation.

/** The type of a creation time. */
const CREATED = "timestamptz NOT NULL DEFAULT date_trunc('milliseconds', clock_timestamp())";

/** The type of an ordinal. */
const ORDINAL = 'bigint GENERATED ALWAYS AS IDENTITY';

/** Workspaces, their keys, credits and charges. */
const WORKSPACES = `
-- The last three columns count the charges of the latest day in UTC that has one, because a charge writes this row anyway.
-- Earlier days are in charge_days_before. The view charge_days has both.
CREATE TABLE platen.workspaces (
  id text PRIMARY KEY,
  ordinal ${ORDINAL} UNIQUE,
  name text NOT NULL,
  plan text NOT NULL CHECK (plan IN ('free', 'paid')),
  balance bigint NOT NULL CHECK (balance BETWEEN 0 AND 9000000000000000),
  created_at timestamptz NOT NULL DEFAULT date_trunc('milliseconds', now()),
  deleted_at timestamptz,
  charged_on date,
  charged bigint NOT NULL DEFAULT 0,
  charges bigint NOT NULL DEFAULT 0
) WITH (fillfactor = 50);

CREATE TABLE platen.charge_days_before (
  workspace_id text NOT NULL,
  day date NOT NULL,
  charged bigint NOT NULL,
  charges bigint NOT NULL,
  PRIMARY KEY (workspace_id, day)
);
CREATE VIEW platen.charge_days AS
  SELECT workspace_id, day, sum(charged)::bigint AS charged, sum(charges)::bigint AS charges FROM (
    SELECT workspace_id, day, charged, charges FROM platen.charge_days_before
    UNION ALL SELECT id, charged_on, charged, charges FROM platen.workspaces WHERE charged_on IS NOT NULL
  ) parts GROUP BY workspace_id, day HAVING sum(charged) <> 0 OR sum(charges) <> 0;

-- prefix: svc_live_ and the next 8 characters of the raw key; null for keys that are older than the column.
CREATE TABLE platen.keys (
  id text PRIMARY KEY,
  ordinal ${ORDINAL} UNIQUE,
  workspace_id text NOT NULL REFERENCES platen.workspaces,
  name text NOT NULL,
  scopes text[] NOT NULL,
  state text NOT NULL CHECK (state IN ('active', 'revoked')),
  created_at ${CREATED},
  hash text NOT NULL UNIQUE CHECK (hash ~ '^[0-9a-f]{64}$'),
  rate_limit integer CHECK (rate_limit > 0),
  prefix text
);
CREATE INDEX keys_of_workspace ON platen.keys (workspace_id, ordinal);

-- Keys that sign image links: Ed25519, the public half only.
CREATE TABLE platen.links (
  id text PRIMARY KEY,
  ordinal ${ORDINAL} UNIQUE,
  workspace_id text NOT NULL REFERENCES platen.workspaces,
  name text NOT NULL,
  public_key bytea NOT NULL CHECK (length(public_key) = 32),
  state text NOT NULL CHECK (state IN ('active', 'revoked')),
  created_at ${CREATED},
  revoked_at timestamptz
);
CREATE INDEX links_of_workspace ON platen.links (workspace_id, ordinal);

-- Reserved credits. The holds of a node that crashed expire, by the database's clock.
CREATE TABLE platen.holds (
  id uuid PRIMARY KEY,
  workspace_id text NOT NULL,
  cost bigint NOT NULL CHECK (cost >= 0),
  expires_at timestamptz NOT NULL
);
CREATE INDEX holds_of_workspace ON platen.holds (workspace_id, expires_at);

-- One row per charge, with the id of its hold: a UUID of version 7, which starts with the time. So the table can be
-- partitioned by ranges of its key, and new rows are adjacent in the index.
CREATE TABLE platen.charges (
  id uuid PRIMARY KEY,
  workspace_id text NOT NULL,
  cost bigint NOT NULL CHECK (cost >= 0),
  charged_at timestamptz NOT NULL DEFAULT clock_timestamp()
);

-- Credits that operators granted, or took back (negative).
CREATE TABLE platen.grants (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  workspace_id text NOT NULL,
  amount bigint NOT NULL,
  granted_at ${CREATED},
  ordinal ${ORDINAL} UNIQUE
);
CREATE INDEX grants_of_workspace ON platen.grants (workspace_id, granted_at);

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
`;

/** Rate windows, the render log and usage. */
const COUNTED = `
-- A key has a window for each kind of request. The row of a window is created by its first request. The ids of API keys and
-- link keys differ, so both have their windows and hours in the same tables.
-- A key's counted requests are numbered. The time at which request n leaves the window (in microseconds) is element
-- n % 64 + 1 of chunk n / 64. The newest, partly filled chunk is stored in the key's row (recent). head: number of the
-- oldest request in the window; next: number of the next request.
CREATE TABLE platen.rate_windows (
  key_id text NOT NULL,
  head bigint NOT NULL DEFAULT 0,
  next bigint NOT NULL DEFAULT 0,
  last bigint NOT NULL DEFAULT 0,
  shift bigint NOT NULL DEFAULT 0,
  recent bigint[] NOT NULL DEFAULT '{}',
  kind text NOT NULL DEFAULT 'render',
  PRIMARY KEY (key_id, kind)
) WITH (fillfactor = 50, autovacuum_vacuum_scale_factor = 0.05);

CREATE TABLE platen.rate_chunks (
  key_id text NOT NULL,
  number bigint NOT NULL,
  leaving bigint[] NOT NULL,
  kind text NOT NULL DEFAULT 'render',
  PRIMARY KEY (key_id, kind, number),
  FOREIGN KEY (key_id, kind) REFERENCES platen.rate_windows ON DELETE CASCADE
);

-- The render log with columns for filters. labels: hashes of metadata's fields and values; null: not known.
CREATE TABLE platen.renders (
  ordinal ${ORDINAL} PRIMARY KEY,
  id text NOT NULL UNIQUE,
  workspace_id text NOT NULL,
  entry text NOT NULL,
  time timestamptz NOT NULL DEFAULT clock_timestamp(),
  status text NOT NULL DEFAULT 'ok',
  key_id text,
  template_id text,
  labels integer[]
);
CREATE INDEX renders_by_time ON platen.renders (workspace_id, time, ordinal);
CREATE INDEX renders_by_key ON platen.renders (workspace_id, key_id, time, ordinal);
CREATE INDEX renders_by_template ON platen.renders (workspace_id, template_id, time, ordinal)
  WHERE template_id IS NOT NULL;
CREATE INDEX renders_failed ON platen.renders (workspace_id, time, ordinal) WHERE status = 'failed';

-- Entries of the render log by day in UTC, also of those that have been deleted. cpu_ms: milliseconds of render processes.
CREATE TABLE platen.usage_days (
  workspace_id text NOT NULL,
  day date NOT NULL,
  renders bigint NOT NULL,
  failures bigint NOT NULL,
  cpu_ms bigint NOT NULL DEFAULT 0,
  PRIMARY KEY (workspace_id, day)
) WITH (fillfactor = 50);

-- Requests by key and hour; rows of more than a day ago are deleted. refused: of these, by a rate limit.
CREATE TABLE platen.key_hours (
  key_id text NOT NULL,
  hour timestamptz NOT NULL,
  requests bigint NOT NULL,
  refused bigint NOT NULL,
  cpu_ms bigint NOT NULL DEFAULT 0,
  PRIMARY KEY (key_id, hour)
) WITH (fillfactor = 50);
CREATE INDEX key_hours_by_hour ON platen.key_hours (hour);
`;

/** Templates and assets. */
const STORED = `
-- A template; its name, size and hotspots are those of its latest version.
CREATE TABLE platen.template_heads (
  id text PRIMARY KEY,
  ordinal ${ORDINAL} UNIQUE,
  workspace_id text NOT NULL REFERENCES platen.workspaces,
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
CREATE TABLE platen.template_records (
  template_id text NOT NULL,
  record text NOT NULL,
  version integer NOT NULL,
  PRIMARY KEY (template_id, version),
  FOREIGN KEY (template_id, version) REFERENCES platen.template_versions ON DELETE CASCADE
);

CREATE VIEW platen.template_list AS
  SELECT h.id, h.ordinal, h.workspace_id, v.name, v.width, v.height, v.hotspots, h.version, h.published_version,
    h.created_at, h.updated_at
  FROM platen.template_heads h JOIN platen.template_versions v ON v.template_id = h.id AND v.version = h.version;

-- The bytes of assets, shared by all workspaces. They are compressed already.
CREATE TABLE platen.asset_contents (
  sha256 bytea PRIMARY KEY,
  content bytea NOT NULL
);
ALTER TABLE platen.asset_contents ALTER COLUMN content SET STORAGE EXTERNAL;

-- typeface: JSON; null for images and for fonts that are older than the column.
CREATE TABLE platen.assets (
  id text PRIMARY KEY,
  ordinal ${ORDINAL} UNIQUE,
  workspace_id text NOT NULL REFERENCES platen.workspaces,
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
  typeface text,
  UNIQUE (workspace_id, sha256)
);
CREATE INDEX assets_of_workspace ON platen.assets (workspace_id, ordinal);
CREATE INDEX assets_of_content ON platen.assets (sha256);
`;

/** Operators of the dashboard, and what they did. */
const PEOPLE = `
-- password: null before the first sign-in. workspaces: null for all of them.
CREATE TABLE platen.operators (
  id text PRIMARY KEY,
  ordinal ${ORDINAL} UNIQUE,
  name text NOT NULL UNIQUE,
  role text NOT NULL CHECK (role IN ('owner', 'editor', 'viewer')),
  password text,
  workspaces text[],
  created_at ${CREATED}
);

-- id: SHA-256 of the cookie, or of the token in a sign-in link. ordinal: the order of an operator's sessions.
CREATE TABLE platen.sessions (
  id bytea PRIMARY KEY,
  operator_id text NOT NULL REFERENCES platen.operators ON DELETE CASCADE,
  created_at ${CREATED},
  used_at ${CREATED},
  expires_at timestamptz NOT NULL,
  ordinal ${ORDINAL}
);
CREATE INDEX sessions_of_operator ON platen.sessions (operator_id);
CREATE INDEX sessions_by_expiry ON platen.sessions (expires_at);

CREATE TABLE platen.sign_in_tokens (
  id bytea PRIMARY KEY,
  operator_id text NOT NULL REFERENCES platen.operators ON DELETE CASCADE,
  expires_at timestamptz NOT NULL
);

-- Who did what. actor_name: the name of an operator, the id of an API key, null for the command line. details: JSON text.
CREATE TABLE platen.audit_log (
  ordinal ${ORDINAL} PRIMARY KEY,
  time ${CREATED},
  actor_name text,
  workspace_id text,
  action text NOT NULL,
  subject text,
  details text,
  id text UNIQUE NOT NULL DEFAULT 'audit_' || gen_random_uuid(),
  actor_kind text NOT NULL DEFAULT 'operator' CHECK (actor_kind IN ('operator', 'key', 'command'))
);
CREATE INDEX audit_log_of_workspace ON platen.audit_log (workspace_id, ordinal);
CREATE INDEX audit_log_by_action ON platen.audit_log (action, ordinal);
`;

export const TABLES = WORKSPACES + COUNTED + STORED + PEOPLE;

/** Triggers call functions, so they follow these. */
export const TRIGGERS = `
CREATE TRIGGER forget AFTER DELETE ON platen.keys FOR EACH ROW EXECUTE FUNCTION platen.forget_key();
CREATE TRIGGER forget AFTER DELETE ON platen.links FOR EACH ROW EXECUTE FUNCTION platen.forget_key();
`;
