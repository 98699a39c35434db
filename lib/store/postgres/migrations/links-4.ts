// Migration 4: link keys are revoked, counted and rate limited like API keys. Nothing in it takes long, so servers of version 3
// wait for a moment at most.

/** The locks are taken in the order in which statements of version 3 take them. */
export const LINKS = `
LOCK TABLE platen.keys, platen.links, platen.rate_windows, platen.key_hours IN ACCESS EXCLUSIVE MODE;

ALTER TABLE platen.links ADD COLUMN revoked_at timestamptz;

-- The ids of API keys and link keys differ, so both have their windows and hours in the same tables.
ALTER TABLE platen.rate_windows DROP CONSTRAINT rate_windows_key_id_fkey;
ALTER TABLE platen.key_hours DROP CONSTRAINT key_hours_key_id_fkey;
CREATE FUNCTION platen.forget_key() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  DELETE FROM platen.rate_windows WHERE key_id = OLD.id;
  DELETE FROM platen.key_hours WHERE key_id = OLD.id;
  RETURN NULL;
END $$;
CREATE TRIGGER forget AFTER DELETE ON platen.keys FOR EACH ROW EXECUTE FUNCTION platen.forget_key();
CREATE TRIGGER forget AFTER DELETE ON platen.links FOR EACH ROW EXECUTE FUNCTION platen.forget_key();

-- Adds what a node has counted. Keys that have been deleted are left out.
CREATE OR REPLACE FUNCTION platen.add_key_requests(
  of_keys text[], of_hours timestamptz[], more_requests bigint[], more_refused bigint[]
) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  PERFORM set_config('synchronous_commit', 'off', true);
  INSERT INTO platen.key_hours AS h (key_id, hour, requests, refused)
    SELECT a.key_id, a.hour, a.requests, a.refused
    FROM unnest(of_keys, of_hours, more_requests, more_refused) AS a (key_id, hour, requests, refused)
    WHERE EXISTS (SELECT FROM platen.keys k WHERE k.id = a.key_id)
      OR EXISTS (SELECT FROM platen.links l WHERE l.id = a.key_id)
    ORDER BY a.key_id, a.hour
    ON CONFLICT (key_id, hour)
      DO UPDATE SET requests = h.requests + excluded.requests, refused = h.refused + excluded.refused;
  DELETE FROM platen.key_hours WHERE (key_id, hour) IN (
    SELECT key_id, hour FROM platen.key_hours WHERE hour < clock_timestamp() - interval '25 hours'
    LIMIT 1000 FOR UPDATE SKIP LOCKED
  );
END $$;
`;
