// The tables of migration 3, for the dashboard. Nothing in it takes long, so servers of version 2 wait for a moment at most.

/** The locks are taken in the order in which statements of version 2 take them. */
export const DASHBOARD_TABLES = `
LOCK TABLE platen.keys, platen.workspaces, platen.grants, platen.audit_log IN ACCESS EXCLUSIVE MODE;

-- svc_live_ and the next 8 characters of the raw key; null for keys of earlier versions.
ALTER TABLE platen.keys ADD COLUMN prefix text;

-- The charges of one day in UTC: of the latest day with a charge in the row of the workspace, which a charge writes anyway,
-- of earlier days in charge_days_before. The view has both.
ALTER TABLE platen.workspaces
  ADD COLUMN charged_on date,
  ADD COLUMN charged bigint NOT NULL DEFAULT 0,
  ADD COLUMN charges bigint NOT NULL DEFAULT 0;
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

-- The order of lists.
ALTER TABLE platen.grants ADD COLUMN ordinal bigint GENERATED ALWAYS AS IDENTITY UNIQUE;

-- Entries of the render log by day in UTC, also of those that have been deleted.
CREATE TABLE platen.usage_days (
  workspace_id text NOT NULL,
  day date NOT NULL,
  renders bigint NOT NULL,
  failures bigint NOT NULL,
  PRIMARY KEY (workspace_id, day)
) WITH (fillfactor = 50);

-- Requests by key and hour; rows of more than a day ago are deleted. refused: of these, by a rate limit.
CREATE TABLE platen.key_hours (
  key_id text NOT NULL REFERENCES platen.keys ON DELETE CASCADE,
  hour timestamptz NOT NULL,
  requests bigint NOT NULL,
  refused bigint NOT NULL,
  PRIMARY KEY (key_id, hour)
) WITH (fillfactor = 50);
CREATE INDEX key_hours_by_hour ON platen.key_hours (hour);

-- The order in which an operator's sessions were created.
ALTER TABLE platen.sessions ADD COLUMN ordinal bigint GENERATED ALWAYS AS IDENTITY;
CREATE INDEX sessions_by_expiry ON platen.sessions (expires_at);

-- actor_name: the name of an operator, the id of an API key, null for the command line.
ALTER TABLE platen.audit_log RENAME COLUMN operator TO actor_name;
ALTER TABLE platen.audit_log
  ADD COLUMN id text UNIQUE NOT NULL DEFAULT 'audit_' || gen_random_uuid(),
  ADD COLUMN actor_kind text NOT NULL DEFAULT 'operator' CHECK (actor_kind IN ('operator', 'key', 'command'));
CREATE INDEX audit_log_by_action ON platen.audit_log (action, ordinal);
`;
