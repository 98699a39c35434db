// Migration 6: processor time of renders by key and by day. Servers of earlier versions go on with their functions and statements,
// which leave the new columns as they are.

export const CPU = `
-- Milliseconds of render processes.
ALTER TABLE platen.key_hours ADD COLUMN cpu_ms bigint NOT NULL DEFAULT 0;
ALTER TABLE platen.usage_days ADD COLUMN cpu_ms bigint NOT NULL DEFAULT 0;

-- As in migration 4, with the processor time.
CREATE FUNCTION platen.add_key_requests(
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
CREATE FUNCTION platen.add_cpu_days(of_workspaces text[], of_days date[], more_cpu_ms bigint[])
RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  PERFORM set_config('synchronous_commit', 'off', true);
  INSERT INTO platen.usage_days AS u (workspace_id, day, renders, failures, cpu_ms)
    SELECT a.workspace_id, a.day, 0, 0, a.cpu_ms
    FROM unnest(of_workspaces, of_days, more_cpu_ms) AS a (workspace_id, day, cpu_ms)
    ORDER BY a.workspace_id, a.day
    ON CONFLICT (workspace_id, day) DO UPDATE SET cpu_ms = u.cpu_ms + excluded.cpu_ms;
END $$;
`;
