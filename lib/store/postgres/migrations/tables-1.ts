// The tables that the first migration creates. Credits are integer millionths (credits.ts). Template records and log
// entries are JSON text: jsonb would reorder their keys and reject \u0000. `ordinal` is the order of creation.

export const SCHEMA = `
CREATE TABLE platen.workspaces (
  id text PRIMARY KEY,
  ordinal bigint GENERATED ALWAYS AS IDENTITY UNIQUE,
  name text NOT NULL,
  plan text NOT NULL CHECK (plan IN ('free', 'paid')),
  balance bigint NOT NULL CHECK (balance BETWEEN 0 AND 9000000000000000)
) WITH (fillfactor = 50);

CREATE TABLE platen.keys (
  id text PRIMARY KEY,
  ordinal bigint GENERATED ALWAYS AS IDENTITY UNIQUE,
  workspace_id text NOT NULL REFERENCES platen.workspaces,
  name text NOT NULL,
  scopes text[] NOT NULL,
  state text NOT NULL CHECK (state IN ('active', 'revoked')),
  created_at timestamptz NOT NULL DEFAULT date_trunc('milliseconds', clock_timestamp()),
  hash text NOT NULL UNIQUE CHECK (hash ~ '^[0-9a-f]{64}$')
);
CREATE INDEX keys_of_workspace ON platen.keys (workspace_id, ordinal);

CREATE TABLE platen.templates (
  id text PRIMARY KEY,
  ordinal bigint GENERATED ALWAYS AS IDENTITY UNIQUE,
  workspace_id text NOT NULL REFERENCES platen.workspaces,
  name text NOT NULL,
  width double precision NOT NULL,
  height double precision NOT NULL,
  record text NOT NULL
);
CREATE INDEX templates_of_workspace ON platen.templates (workspace_id, ordinal);

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

-- A key's counted requests are numbered. The time at which request n leaves the window (in microseconds) is element
-- n % 64 + 1 of chunk n / 64. The newest, partly filled chunk is stored in the key's row (recent). head: number of the
-- oldest request in the window; next: number of the next request.
CREATE TABLE platen.rate_windows (
  key_id text PRIMARY KEY REFERENCES platen.keys ON DELETE CASCADE,
  head bigint NOT NULL DEFAULT 0,
  next bigint NOT NULL DEFAULT 0,
  last bigint NOT NULL DEFAULT 0,
  shift bigint NOT NULL DEFAULT 0,
  recent bigint[] NOT NULL DEFAULT '{}'
) WITH (fillfactor = 50, autovacuum_vacuum_scale_factor = 0.05);

CREATE TABLE platen.rate_chunks (
  key_id text NOT NULL REFERENCES platen.rate_windows ON DELETE CASCADE,
  number bigint NOT NULL,
  leaving bigint[] NOT NULL,
  PRIMARY KEY (key_id, number)
);

CREATE TABLE platen.renders (
  ordinal bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  id text NOT NULL UNIQUE,
  workspace_id text NOT NULL,
  entry text NOT NULL
);
CREATE INDEX renders_of_workspace ON platen.renders (workspace_id, ordinal);
`;
