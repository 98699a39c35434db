// The SQL functions of a request's credits, one round trip each. They are PL/pgSQL because each statement of such a function
// sees what was committed while an earlier one waited for a row lock. Locks are taken in this order: hold, idempotency key,
// workspace.
//
// Only a charge waits for the disk (synchronous_commit). The request count and the hold precede the charge in the
// write-ahead log: a database crash that loses them loses the charge too. So every 200 response was charged and counted.

/** Holds, charges, refunds and idempotency keys. */
export const CREDITS = `
-- Creates a hold if the balance minus all unexpired holds covers the price. Both results are null for a workspace that is
-- unknown or deleted. Idempotent: a second call with the same id does not hold twice.
CREATE OR REPLACE FUNCTION platen.hold_credits(
  of_workspace text, new_id uuid, price bigint, lifetime_ms double precision, OUT held boolean, OUT spendable bigint
) LANGUAGE plpgsql AS $$
DECLARE
  moment timestamptz;
  spoken_for bigint;
  any_expired boolean;
BEGIN
  PERFORM set_config('synchronous_commit', 'off', true);
  SELECT balance INTO spendable FROM platen.workspaces
    WHERE id = of_workspace AND deleted_at IS NULL FOR NO KEY UPDATE;
  IF NOT FOUND THEN RETURN; END IF;
  moment := clock_timestamp();
  SELECT coalesce(sum(cost) FILTER (WHERE expires_at > moment), 0), coalesce(bool_or(expires_at <= moment), false)
    INTO spoken_for, any_expired
    FROM platen.holds WHERE workspace_id = of_workspace AND id <> new_id;
  IF any_expired THEN
    DELETE FROM platen.holds WHERE id IN (
      SELECT id FROM platen.holds WHERE workspace_id = of_workspace AND expires_at <= moment FOR UPDATE SKIP LOCKED
    );
  END IF;
  spendable := spendable - spoken_for;
  held := spendable >= price;
  IF held THEN
    INSERT INTO platen.holds (id, workspace_id, cost, expires_at)
      VALUES (new_id, of_workspace, price, moment + lifetime_ms * interval '1 millisecond')
      ON CONFLICT (id) DO NOTHING;
  END IF;
END $$;

CREATE OR REPLACE FUNCTION platen.release_hold(of_hold uuid) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  PERFORM set_config('synchronous_commit', 'off', true);
  DELETE FROM platen.holds WHERE id = of_hold;
END $$;

-- Takes \`price\` from the balance and counts it in the workspace's row. Returns the new balance; null: it is below the price.
CREATE OR REPLACE FUNCTION platen.charge_workspace(of_workspace text, price bigint, moment timestamptz) RETURNS bigint
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

CREATE OR REPLACE FUNCTION platen.add_to_charge_day(of_workspace text, of_day date, more_charged bigint, more_charges bigint)
RETURNS void LANGUAGE sql AS $$
  INSERT INTO platen.charge_days_before AS b (workspace_id, day, charged, charges)
    SELECT of_workspace, of_day, more_charged, more_charges WHERE of_day IS NOT NULL
    ON CONFLICT (workspace_id, day)
      DO UPDATE SET charged = b.charged + excluded.charged, charges = b.charges + excluded.charges
$$;

-- Takes the lease of an idempotency key (running_ms and settled_id are null), or says how long the lease of another request
-- lasts (running_ms), or returns what the key was settled with. Idempotent: a second call with the same lease has it too.
-- \`replayed\` says that a repeat with the same body relies on the charge. A few expired keys are deleted each time.
CREATE OR REPLACE FUNCTION platen.claim_idempotency_key(
  of_key bytea, new_lease uuid, lifetime_ms double precision, of_fingerprint bytea,
  OUT running_ms double precision, OUT settled_id text, OUT settled_fingerprint bytea, OUT settled_version integer,
  OUT settled_cost bigint
) LANGUAGE plpgsql AS $$
DECLARE
  known platen.idempotency_keys;
  moment timestamptz;
  lease_end timestamptz;
BEGIN
  LOOP
    lease_end := clock_timestamp() + lifetime_ms * interval '1 millisecond';
    INSERT INTO platen.idempotency_keys (id, lease, expires_at) VALUES (of_key, new_lease, lease_end)
      ON CONFLICT (id) DO NOTHING;
    EXIT WHEN FOUND;
    SELECT * INTO known FROM platen.idempotency_keys WHERE id = of_key FOR UPDATE;
    -- It was deleted meanwhile.
    CONTINUE WHEN NOT FOUND;
    moment := clock_timestamp();
    IF known.expires_at <= moment THEN
      UPDATE platen.idempotency_keys SET lease = new_lease, expires_at = moment + lifetime_ms * interval '1 millisecond',
          hold = NULL, fingerprint = NULL, render_id = NULL, template_version = NULL, cost = NULL, replayed = false
        WHERE id = of_key;
      EXIT;
    ELSIF known.render_id IS NOT NULL THEN
      settled_id := known.render_id;
      settled_fingerprint := known.fingerprint;
      settled_version := known.template_version;
      settled_cost := known.cost;
      IF NOT known.replayed AND known.fingerprint = of_fingerprint THEN
        UPDATE platen.idempotency_keys SET replayed = true WHERE id = of_key;
      END IF;
      RETURN;
    ELSIF known.lease <> new_lease THEN
      running_ms := extract(epoch FROM known.expires_at - moment) * 1000;
      RETURN;
    END IF;
    EXIT;
  END LOOP;
  -- Like a hold, a lease that is lost when the database crashes is lost together with its charge.
  PERFORM set_config('synchronous_commit', 'off', true);
  DELETE FROM platen.idempotency_keys WHERE id IN (
    SELECT id FROM platen.idempotency_keys WHERE expires_at < clock_timestamp() - interval '1 minute'
    ORDER BY expires_at LIMIT 3 FOR UPDATE SKIP LOCKED
  );
END $$;

CREATE OR REPLACE FUNCTION platen.release_lease(of_key bytea, of_lease uuid) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  PERFORM set_config('synchronous_commit', 'off', true);
  DELETE FROM platen.idempotency_keys WHERE id = of_key AND lease = of_lease AND render_id IS NULL;
END $$;

-- Charges an unexpired hold, counts the charge by day, and settles the idempotency key in the same transaction; of_key is
-- null for a charge without one. Returns the new balance. Null: the hold or the lease has ended; then nothing is charged,
-- and both have ended. Idempotent: a second call waits on the hold's row until the first has ended, finds the charge and
-- returns the balance. So a retry resolves a COMMIT whose outcome is unknown.
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
        fingerprint = of_fingerprint, render_id = of_render, template_version = of_version, brand_version = NULL,
        cost = ended.cost
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

-- For a charge that was reported as failed although its outcome was unknown: deletes the hold, refunds the charge, if any,
-- and frees the idempotency key, if any; true if it refunded. Deleting the hold first waits for a charge that is still in
-- progress. If a repeat has relied on the charge, the charge stays: its render was answered after all.
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

-- Takes credits back if the balance minus all unexpired holds covers them. Both results are null for an unknown workspace;
-- after is null if too little is available.
CREATE OR REPLACE FUNCTION platen.revoke_credits(of_workspace text, taken bigint, OUT available bigint, OUT after bigint)
LANGUAGE plpgsql AS $$
BEGIN
  SELECT balance INTO available FROM platen.workspaces
    WHERE id = of_workspace AND deleted_at IS NULL FOR NO KEY UPDATE;
  IF NOT FOUND THEN RETURN; END IF;
  available := available - (SELECT coalesce(sum(cost), 0) FROM platen.holds
    WHERE workspace_id = of_workspace AND expires_at > clock_timestamp());
  IF available < taken THEN RETURN; END IF;
  UPDATE platen.workspaces SET balance = balance - taken WHERE id = of_workspace RETURNING balance INTO after;
  INSERT INTO platen.grants (workspace_id, amount) VALUES (of_workspace, -taken);
END $$;
`;
