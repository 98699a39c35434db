// SQL functions for the operations of a request, one round trip each. They are PL/pgSQL because each statement of such a
// function sees what was committed while an earlier one waited for a row lock. All lock a hold's row before its workspace's.
//
// Only a charge waits for the disk (synchronous_commit). The request count and the hold precede the charge in the
// write-ahead log: a database crash that loses them loses the charge too. So every 200 response was charged and counted.

/** Functions for holds, charges and refunds. */
export const CREDITS = `
-- Creates a hold if the balance minus all unexpired holds covers the price. Both results are null for an unknown
-- workspace. Idempotent: a second call with the same id does not hold twice.
CREATE FUNCTION platen.hold_credits(
  of_workspace text, new_id uuid, price bigint, lifetime_ms double precision, OUT held boolean, OUT spendable bigint
) LANGUAGE plpgsql AS $$
DECLARE
  moment timestamptz;
  spoken_for bigint;
  any_expired boolean;
BEGIN
  PERFORM set_config('synchronous_commit', 'off', true);
  SELECT balance INTO spendable FROM platen.workspaces WHERE id = of_workspace FOR NO KEY UPDATE;
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

-- Charges an unexpired hold and returns the new balance. Null: the hold has ended, nothing is charged. Idempotent: a
-- second call waits on the hold's row until the first has ended, finds the charge and returns the balance. So a retry
-- resolves a COMMIT whose outcome is unknown.
CREATE FUNCTION platen.settle_hold(of_hold uuid) RETURNS bigint LANGUAGE plpgsql AS $$
DECLARE
  ended platen.holds;
  rest bigint;
BEGIN
  DELETE FROM platen.holds WHERE id = of_hold AND expires_at > clock_timestamp() RETURNING * INTO ended;
  IF NOT FOUND THEN
    SELECT w.balance INTO rest FROM platen.charges c JOIN platen.workspaces w ON w.id = c.workspace_id WHERE c.id = of_hold;
    RETURN rest;
  END IF;
  UPDATE platen.workspaces SET balance = balance - ended.cost
    WHERE id = ended.workspace_id AND balance >= ended.cost RETURNING balance INTO rest;
  IF NOT FOUND THEN RAISE EXCEPTION 'the balance of % is below what is held', ended.workspace_id; END IF;
  INSERT INTO platen.charges (id, workspace_id, cost) VALUES (of_hold, ended.workspace_id, ended.cost);
  RETURN rest;
END $$;

CREATE FUNCTION platen.release_hold(of_hold uuid) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  PERFORM set_config('synchronous_commit', 'off', true);
  DELETE FROM platen.holds WHERE id = of_hold;
END $$;

-- For a charge that was reported as failed although its outcome was unknown: deletes the hold and refunds the charge, if
-- any; true if it refunded. Deleting the hold first waits for a charge that is still in progress.
CREATE FUNCTION platen.undo_settlement(of_hold uuid) RETURNS boolean LANGUAGE plpgsql AS $$
DECLARE
  undone platen.charges;
BEGIN
  DELETE FROM platen.holds WHERE id = of_hold;
  DELETE FROM platen.charges WHERE id = of_hold RETURNING * INTO undone;
  IF NOT FOUND THEN RETURN false; END IF;
  UPDATE platen.workspaces SET balance = balance + undone.cost WHERE id = undone.workspace_id;
  RETURN true;
END $$;
`;

/** Functions for rate limits and the render log. */
export const COUNTS = `
CREATE FUNCTION platen.microseconds() RETURNS bigint LANGUAGE sql VOLATILE AS $$
  SELECT (extract(epoch FROM clock_timestamp()) * 1000000)::bigint
$$;

-- Counts one request of a key unless its window already contains \`most\`. All results are null for an unknown key. If the
-- clock is set back, the window's time continues from its last value (shift): a key may wait longer, never get more.
CREATE FUNCTION platen.count_request(
  of_key text, most bigint, OUT allowed boolean, OUT remaining bigint, OUT reset_ms bigint
) LANGUAGE plpgsql AS $$
DECLARE
  w platen.rate_windows;
  moment bigint;
  oldest bigint[];
  chunk bigint;
  first_head bigint;
  first_shift bigint;
  frees bigint;
BEGIN
  PERFORM set_config('synchronous_commit', 'off', true);
  SELECT * INTO w FROM platen.rate_windows WHERE key_id = of_key FOR NO KEY UPDATE;
  IF NOT FOUND THEN RETURN; END IF;
  first_head := w.head;
  first_shift := w.shift;
  moment := platen.microseconds() + w.shift;
  IF moment < w.last THEN
    w.shift := w.shift + w.last - moment;
    moment := w.last;
  END IF;

  -- The oldest chunk in which something is still inside, then the oldest within it.
  chunk := w.next / 64;
  oldest := w.recent;
  IF w.head / 64 < chunk THEN
    SELECT number, leaving INTO chunk, oldest FROM platen.rate_chunks
      WHERE key_id = of_key AND number >= w.head / 64 AND leaving[64] > moment ORDER BY number LIMIT 1;
    IF NOT FOUND THEN
      chunk := w.next / 64;
      oldest := w.recent;
    END IF;
    w.head := greatest(w.head, chunk * 64);
    IF w.head / 64 > first_head / 64 THEN
      DELETE FROM platen.rate_chunks WHERE key_id = of_key AND number < chunk;
    END IF;
  END IF;
  WHILE w.head < w.next AND oldest[w.head % 64 + 1] <= moment LOOP
    w.head := w.head + 1;
  END LOOP;

  allowed := w.next - w.head < most;
  IF allowed THEN
    frees := CASE WHEN w.head < w.next THEN oldest[w.head % 64 + 1] ELSE moment + 60000000 END;
    remaining := most - (w.next - w.head) - 1;
    w.last := moment;
    w.recent := w.recent || (moment + 60000000);
    w.next := w.next + 1;
    IF w.next % 64 = 0 THEN
      INSERT INTO platen.rate_chunks VALUES (of_key, w.next / 64 - 1, w.recent);
      w.recent := '{}';
    END IF;
  ELSE
    -- Room comes when all but most - 1 have left; the limit may have been higher when they were counted.
    remaining := 0;
    frees := CASE WHEN (w.next - most) / 64 = w.next / 64 THEN w.recent[(w.next - most) % 64 + 1]
      ELSE (SELECT leaving[(w.next - most) % 64 + 1] FROM platen.rate_chunks
            WHERE key_id = of_key AND number = (w.next - most) / 64) END;
  END IF;
  reset_ms := ceil((frees - moment) / 1000.0);
  IF allowed OR w.head > first_head OR w.shift > first_shift THEN
    UPDATE platen.rate_windows SET head = w.head, next = w.next, last = w.last, shift = w.shift, recent = w.recent
      WHERE key_id = of_key;
  END IF;
END $$;

-- Adds entries, oldest first. While more than \`most\` exist, deletes up to twice as many of the oldest as it adds.
CREATE FUNCTION platen.append_renders(ids text[], of_workspaces text[], entries text[], most bigint)
RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  newest bigint;
BEGIN
  PERFORM set_config('synchronous_commit', 'off', true);
  INSERT INTO platen.renders (id, workspace_id, entry)
    SELECT id, workspace_id, entry
    FROM unnest(ids, of_workspaces, entries) WITH ORDINALITY AS added (id, workspace_id, entry, place) ORDER BY place
    ON CONFLICT (id) DO NOTHING;
  SELECT max(ordinal) INTO newest FROM platen.renders;
  DELETE FROM platen.renders WHERE ordinal IN (
    SELECT ordinal FROM platen.renders WHERE ordinal <= newest - most
    ORDER BY ordinal LIMIT 2 * cardinality(ids) FOR UPDATE SKIP LOCKED
  );
END $$;
`;
