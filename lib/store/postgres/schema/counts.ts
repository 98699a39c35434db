// The SQL functions that count: rate limits, the render log, and the requests and processor time of keys.

/** Rate windows, the render log and usage. */
export const COUNTS = `
CREATE OR REPLACE FUNCTION platen.microseconds() RETURNS bigint LANGUAGE sql VOLATILE AS $$
  SELECT (extract(epoch FROM clock_timestamp()) * 1000000)::bigint
$$;

-- Counts one request of a key unless its window of this kind already contains \`most\`. All results are null for an unknown
-- key. If the clock is set back, the window's time continues from its last value (shift): a key may wait longer, never get
-- more.
CREATE OR REPLACE FUNCTION platen.count_request(
  of_key text, of_kind text, most bigint, OUT allowed boolean, OUT remaining bigint, OUT reset_ms bigint
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
  SELECT * INTO w FROM platen.rate_windows WHERE key_id = of_key AND kind = of_kind FOR NO KEY UPDATE;
  IF NOT FOUND THEN
    INSERT INTO platen.rate_windows (key_id, kind) SELECT id, of_kind FROM platen.keys WHERE id = of_key
      ON CONFLICT DO NOTHING;
    SELECT * INTO w FROM platen.rate_windows WHERE key_id = of_key AND kind = of_kind FOR NO KEY UPDATE;
    IF NOT FOUND THEN RETURN; END IF;
  END IF;
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
      WHERE key_id = of_key AND kind = of_kind AND number >= w.head / 64 AND leaving[64] > moment
      ORDER BY number LIMIT 1;
    IF NOT FOUND THEN
      chunk := w.next / 64;
      oldest := w.recent;
    END IF;
    w.head := greatest(w.head, chunk * 64);
    IF w.head / 64 > first_head / 64 THEN
      DELETE FROM platen.rate_chunks WHERE key_id = of_key AND kind = of_kind AND number < chunk;
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
      INSERT INTO platen.rate_chunks (key_id, kind, number, leaving)
        VALUES (of_key, of_kind, w.next / 64 - 1, w.recent);
      w.recent := '{}';
    END IF;
  ELSE
    -- Room comes when all but most - 1 have left; the limit may have been higher when they were counted.
    remaining := 0;
    frees := CASE WHEN (w.next - most) / 64 = w.next / 64 THEN w.recent[(w.next - most) % 64 + 1]
      ELSE (SELECT leaving[(w.next - most) % 64 + 1] FROM platen.rate_chunks
            WHERE key_id = of_key AND kind = of_kind AND number = (w.next - most) / 64) END;
  END IF;
  reset_ms := ceil((frees - moment) / 1000.0);
  IF allowed OR w.head > first_head OR w.shift > first_shift THEN
    UPDATE platen.rate_windows SET head = w.head, next = w.next, last = w.last, shift = w.shift, recent = w.recent
      WHERE key_id = of_key AND kind = of_kind;
  END IF;
END $$;

-- Adds entries, oldest first, and counts them by day. labels: text of an integer array each. While more than \`most\` exist,
-- deletes up to twice as many of the oldest as it adds.
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
CREATE OR REPLACE FUNCTION platen.add_key_requests(
  of_keys text[], of_hours timestamptz[], more_requests bigint[], more_refused bigint[], more_cpu_ms bigint[]
) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  PERFORM set_config('synchronous_commit', 'off', true);
  INSERT INTO platen.key_hours AS h (key_id, hour, requests, refused, cpu_ms)
    SELECT a.key_id, a.hour, a.requests, a.refused, a.cpu_ms
    FROM unnest(of_keys, of_hours, more_requests, more_refused, more_cpu_ms)
      AS a (key_id, hour, requests, refused, cpu_ms)
    WHERE EXISTS (SELECT FROM platen.keys k WHERE k.id = a.key_id)
      OR EXISTS (SELECT FROM platen.links l WHERE l.id = a.key_id)
    ORDER BY a.key_id, a.hour
    ON CONFLICT (key_id, hour) DO UPDATE SET requests = h.requests + excluded.requests,
      refused = h.refused + excluded.refused, cpu_ms = h.cpu_ms + excluded.cpu_ms;
  DELETE FROM platen.key_hours WHERE (key_id, hour) IN (
    SELECT key_id, hour FROM platen.key_hours WHERE hour < clock_timestamp() - interval '25 hours'
    LIMIT 1000 FOR UPDATE SKIP LOCKED
  );
END $$;

-- Adds processor time to days of workspaces, in the order in which append_renders locks them.
CREATE OR REPLACE FUNCTION platen.add_cpu_days(of_workspaces text[], of_days date[], more_cpu_ms bigint[])
RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  PERFORM set_config('synchronous_commit', 'off', true);
  INSERT INTO platen.usage_days AS u (workspace_id, day, renders, failures, cpu_ms)
    SELECT a.workspace_id, a.day, 0, 0, a.cpu_ms
    FROM unnest(of_workspaces, of_days, more_cpu_ms) AS a (workspace_id, day, cpu_ms)
    ORDER BY a.workspace_id, a.day
    ON CONFLICT (workspace_id, day) DO UPDATE SET cpu_ms = u.cpu_ms + excluded.cpu_ms;
END $$;

-- The windows and hours of a key go with it: they have no foreign key, because the key is an API key or a link key.
CREATE OR REPLACE FUNCTION platen.forget_key() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  DELETE FROM platen.rate_windows WHERE key_id = OLD.id;
  DELETE FROM platen.key_hours WHERE key_id = OLD.id;
  RETURN NULL;
END $$;
`;
