// The SQL functions of migration 3. Those of earlier migrations keep their signatures for servers of versions 1 and 2.

/** Charges, which are also counted by day. Locks are taken in this order: hold, idempotency key, workspace. */
export const CHARGES = `
-- Takes \`price\` from the balance and counts it in the workspace's row. Returns the new balance; null: it is below the price.
CREATE FUNCTION platen.charge_workspace(of_workspace text, price bigint, moment timestamptz) RETURNS bigint
LANGUAGE plpgsql AS $$
DECLARE
  today date := moment AT TIME ZONE 'UTC';
  rest bigint;
  w platen.workspaces;
BEGIN
  LOOP
    UPDATE platen.workspaces SET balance = balance - price, charged = charged + price, charges = charges + 1
      WHERE id = of_workspace AND charged_on = today AND balance >= price RETURNING balance INTO rest;
    IF FOUND THEN RETURN rest; END IF;
    SELECT * INTO w FROM platen.workspaces WHERE id = of_workspace FOR NO KEY UPDATE;
    IF NOT FOUND OR w.balance < price THEN RETURN NULL; END IF;
    -- The first charge of a day. An earlier day may come back when the clock was set back.
    IF w.charged_on IS DISTINCT FROM today THEN
      PERFORM platen.add_to_charge_day(of_workspace, w.charged_on, w.charged, w.charges);
      UPDATE platen.workspaces SET charged_on = today, charged = 0, charges = 0 WHERE id = of_workspace;
    END IF;
  END LOOP;
END $$;

CREATE FUNCTION platen.add_to_charge_day(of_workspace text, of_day date, more_charged bigint, more_charges bigint)
RETURNS void LANGUAGE sql AS $$
  INSERT INTO platen.charge_days_before AS b (workspace_id, day, charged, charges)
    SELECT of_workspace, of_day, more_charged, more_charges WHERE of_day IS NOT NULL
    ON CONFLICT (workspace_id, day)
      DO UPDATE SET charged = b.charged + excluded.charged, charges = b.charges + excluded.charges
$$;

-- As in migration 2, with the count by day. of_key is null for a charge without an idempotency key.
CREATE OR REPLACE FUNCTION platen.settle_hold(
  of_hold uuid, of_key bytea, of_lease uuid, of_fingerprint bytea, of_render text, of_version integer
) RETURNS bigint LANGUAGE plpgsql AS $$
DECLARE
  ended platen.holds;
  moment timestamptz;
  rest bigint;
BEGIN
  DELETE FROM platen.holds WHERE id = of_hold AND expires_at > clock_timestamp() RETURNING * INTO ended;
  IF NOT FOUND THEN
    SELECT w.balance INTO rest FROM platen.charges c JOIN platen.workspaces w ON w.id = c.workspace_id WHERE c.id = of_hold;
    IF NOT FOUND AND of_key IS NOT NULL THEN PERFORM platen.release_lease(of_key, of_lease); END IF;
    RETURN rest;
  END IF;
  IF of_key IS NOT NULL THEN
    UPDATE platen.idempotency_keys SET expires_at = clock_timestamp() + interval '24 hours', hold = of_hold,
        fingerprint = of_fingerprint, render_id = of_render, template_version = of_version, cost = ended.cost
      WHERE id = of_key AND lease = of_lease AND render_id IS NULL AND expires_at > clock_timestamp();
    IF NOT FOUND THEN RETURN NULL; END IF;
  END IF;
  moment := clock_timestamp();
  -- As in charge_workspace: a call would cost more than it saves.
  UPDATE platen.workspaces SET balance = balance - ended.cost, charged = charged + ended.cost, charges = charges + 1
    WHERE id = ended.workspace_id AND charged_on = (moment AT TIME ZONE 'UTC')::date AND balance >= ended.cost
    RETURNING balance INTO rest;
  IF NOT FOUND THEN
    rest := platen.charge_workspace(ended.workspace_id, ended.cost, moment);
    IF rest IS NULL THEN RAISE EXCEPTION 'the balance of % is below what is held', ended.workspace_id; END IF;
  END IF;
  INSERT INTO platen.charges (id, workspace_id, cost, charged_at)
    VALUES (of_hold, ended.workspace_id, ended.cost, moment);
  RETURN rest;
END $$;

CREATE OR REPLACE FUNCTION platen.settle_hold(of_hold uuid) RETURNS bigint LANGUAGE sql AS $$
  SELECT platen.settle_hold(of_hold, NULL, NULL, NULL, NULL, NULL)
$$;

-- As in migration 2, with the count by day. of_key is null for a charge without an idempotency key.
CREATE OR REPLACE FUNCTION platen.undo_settlement(of_hold uuid, of_key bytea, of_lease uuid) RETURNS boolean
LANGUAGE plpgsql AS $$
DECLARE
  known platen.idempotency_keys;
  undone platen.charges;
  day date;
  latest date;
BEGIN
  DELETE FROM platen.holds WHERE id = of_hold;
  IF of_key IS NOT NULL THEN
    SELECT * INTO known FROM platen.idempotency_keys WHERE id = of_key AND lease = of_lease FOR UPDATE;
    IF FOUND THEN
      IF known.hold = of_hold AND known.replayed THEN RETURN false; END IF;
      DELETE FROM platen.idempotency_keys WHERE id = of_key;
    END IF;
  END IF;
  DELETE FROM platen.charges WHERE id = of_hold RETURNING * INTO undone;
  IF NOT FOUND THEN RETURN false; END IF;
  day := undone.charged_at AT TIME ZONE 'UTC';
  UPDATE platen.workspaces SET balance = balance + undone.cost WHERE id = undone.workspace_id
    RETURNING charged_on INTO latest;
  IF latest = day THEN
    UPDATE platen.workspaces SET charged = charged - undone.cost, charges = charges - 1 WHERE id = undone.workspace_id;
  ELSE
    PERFORM platen.add_to_charge_day(undone.workspace_id, day, -undone.cost, -1);
  END IF;
  RETURN true;
END $$;

CREATE OR REPLACE FUNCTION platen.undo_settlement(of_hold uuid) RETURNS boolean LANGUAGE sql AS $$
  SELECT platen.undo_settlement(of_hold, NULL, NULL)
$$;
`;

/** The render log and the requests of keys. */
export const USAGE = `
-- As in migration 2, and counts the entries by day.
CREATE OR REPLACE FUNCTION platen.append_renders(
  ids text[], of_workspaces text[], entries text[], times timestamptz[], statuses text[], key_ids text[],
  template_ids text[], labels text[], most bigint
) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  newest bigint;
BEGIN
  PERFORM set_config('synchronous_commit', 'off', true);
  WITH added AS (
    INSERT INTO platen.renders (id, workspace_id, entry, time, status, key_id, template_id, labels)
      SELECT a.id, a.workspace_id, a.entry, a.time, a.status, a.key_id, a.template_id, a.labels::integer[]
      FROM unnest(ids, of_workspaces, entries, times, statuses, key_ids, template_ids, labels) WITH ORDINALITY
        AS a (id, workspace_id, entry, time, status, key_id, template_id, labels, place) ORDER BY place
      ON CONFLICT (id) DO NOTHING RETURNING workspace_id, (time AT TIME ZONE 'UTC')::date AS day, status
  ) INSERT INTO platen.usage_days AS u (workspace_id, day, renders, failures)
    SELECT workspace_id, day, count(*) FILTER (WHERE status = 'ok'), count(*) FILTER (WHERE status <> 'ok')
    FROM added GROUP BY workspace_id, day ORDER BY workspace_id, day
    ON CONFLICT (workspace_id, day)
      DO UPDATE SET renders = u.renders + excluded.renders, failures = u.failures + excluded.failures;
  SELECT max(ordinal) INTO newest FROM platen.renders;
  DELETE FROM platen.renders WHERE ordinal IN (
    SELECT ordinal FROM platen.renders WHERE ordinal <= newest - most
    ORDER BY ordinal LIMIT 2 * cardinality(ids) FOR UPDATE SKIP LOCKED
  );
END $$;

-- Adds what a node has counted. Keys that have been deleted are left out.
CREATE FUNCTION platen.add_key_requests(
  of_keys text[], of_hours timestamptz[], more_requests bigint[], more_refused bigint[]
) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  PERFORM set_config('synchronous_commit', 'off', true);
  INSERT INTO platen.key_hours AS h (key_id, hour, requests, refused)
    SELECT a.key_id, a.hour, a.requests, a.refused
    FROM unnest(of_keys, of_hours, more_requests, more_refused) AS a (key_id, hour, requests, refused)
    JOIN platen.keys k ON k.id = a.key_id ORDER BY a.key_id, a.hour
    ON CONFLICT (key_id, hour)
      DO UPDATE SET requests = h.requests + excluded.requests, refused = h.refused + excluded.refused;
  DELETE FROM platen.key_hours WHERE (key_id, hour) IN (
    SELECT key_id, hour FROM platen.key_hours WHERE hour < clock_timestamp() - interval '25 hours'
    LIMIT 1000 FOR UPDATE SKIP LOCKED
  );
END $$;
`;

/** Operators, their sign-in links and sessions. All lock an operator's row before its links and sessions. */
export const OPERATORS = `
-- Deletes an operator with its links and sessions, unless it is the last owner. is_last is null for an unknown operator.
CREATE FUNCTION platen.remove_operator(of_operator text, OUT is_last boolean, OUT operator platen.operators)
LANGUAGE plpgsql AS $$
BEGIN
  -- All owners, so that of two removals at once the second sees the first.
  PERFORM FROM platen.operators WHERE role = 'owner' OR id = of_operator ORDER BY id FOR UPDATE;
  SELECT * INTO operator FROM platen.operators WHERE id = of_operator;
  IF NOT FOUND THEN RETURN; END IF;
  is_last := operator.role = 'owner'
    AND NOT EXISTS (SELECT FROM platen.operators WHERE role = 'owner' AND id <> of_operator);
  IF NOT is_last THEN DELETE FROM platen.operators WHERE id = of_operator; END IF;
END $$;

-- Replaces the sign-in link of an operator. False: there is no such operator.
CREATE FUNCTION platen.create_sign_in_token(of_operator text, new_id bytea, ends timestamptz) RETURNS boolean
LANGUAGE plpgsql AS $$
BEGIN
  PERFORM FROM platen.operators WHERE id = of_operator FOR UPDATE;
  IF NOT FOUND THEN RETURN false; END IF;
  DELETE FROM platen.sign_in_tokens WHERE operator_id = of_operator;
  INSERT INTO platen.sign_in_tokens (id, operator_id, expires_at) VALUES (new_id, of_operator, ends);
  RETURN true;
END $$;

-- Uses a sign-in link up and ends the operator's sessions. No row: the link is not valid.
CREATE FUNCTION platen.set_password(of_token bytea, new_password text) RETURNS SETOF platen.operators
LANGUAGE plpgsql AS $$
DECLARE
  owner text;
BEGIN
  SELECT operator_id INTO owner FROM platen.sign_in_tokens WHERE id = of_token;
  PERFORM FROM platen.operators WHERE id = owner FOR UPDATE;
  DELETE FROM platen.sign_in_tokens WHERE id = of_token AND expires_at > clock_timestamp();
  IF NOT FOUND THEN RETURN; END IF;
  DELETE FROM platen.sessions WHERE operator_id = owner;
  RETURN QUERY UPDATE platen.operators SET password = new_password WHERE id = owner RETURNING *;
END $$;

-- Creates a session, and deletes a few expired ones, and those of the operator above \`most\` that were used least recently.
-- False: there is no such operator, or its password is not of_password (unless that is null).
CREATE FUNCTION platen.create_session(
  of_operator text, new_id bytea, ends timestamptz, most integer, of_password text
) RETURNS boolean LANGUAGE plpgsql AS $$
BEGIN
  PERFORM FROM platen.operators WHERE id = of_operator AND (of_password IS NULL OR password = of_password)
    FOR NO KEY UPDATE;
  IF NOT FOUND THEN RETURN false; END IF;
  INSERT INTO platen.sessions (id, operator_id, expires_at) VALUES (new_id, of_operator, ends);
  DELETE FROM platen.sessions WHERE id IN (
    SELECT id FROM platen.sessions WHERE operator_id = of_operator ORDER BY used_at DESC, ordinal DESC OFFSET most
  );
  DELETE FROM platen.sessions WHERE id IN (
    SELECT id FROM platen.sessions WHERE expires_at <= clock_timestamp() ORDER BY expires_at LIMIT 10
    FOR UPDATE SKIP LOCKED
  );
  RETURN true;
END $$;

-- The operator of a session, and notes the use if the last note is old enough. That note doesn't wait for the disk.
CREATE FUNCTION platen.use_session(of_session bytea, idle_ms double precision) RETURNS SETOF platen.operators
LANGUAGE plpgsql AS $$
DECLARE
  moment timestamptz := clock_timestamp();
  used_after timestamptz := moment - idle_ms * interval '1 millisecond';
BEGIN
  PERFORM set_config('synchronous_commit', 'off', true);
  UPDATE platen.sessions SET used_at = moment
    WHERE id = of_session AND expires_at > moment AND used_at > used_after AND used_at < moment - interval '30 seconds';
  RETURN QUERY SELECT o.* FROM platen.sessions s JOIN platen.operators o ON o.id = s.operator_id
    WHERE s.id = of_session AND s.expires_at > moment AND s.used_at > used_after;
END $$;
`;
