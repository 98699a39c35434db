// The SQL functions of operators, their sign-in links and their sessions.

/** All lock an operator's row before its links and sessions. */
export const OPERATORS = `
-- Deletes an operator with its links and sessions, unless it is the last owner. is_last is null for an unknown operator.
CREATE OR REPLACE FUNCTION platen.remove_operator(of_operator text, OUT is_last boolean, OUT operator platen.operators)
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
CREATE OR REPLACE FUNCTION platen.create_sign_in_token(of_operator text, new_id bytea, ends timestamptz) RETURNS boolean
LANGUAGE plpgsql AS $$
BEGIN
  PERFORM FROM platen.operators WHERE id = of_operator FOR UPDATE;
  IF NOT FOUND THEN RETURN false; END IF;
  DELETE FROM platen.sign_in_tokens WHERE operator_id = of_operator;
  INSERT INTO platen.sign_in_tokens (id, operator_id, expires_at) VALUES (new_id, of_operator, ends);
  RETURN true;
END $$;

-- Uses a sign-in link up and ends the operator's sessions. No row: the link is not valid.
CREATE OR REPLACE FUNCTION platen.set_password(of_token bytea, new_password text) RETURNS SETOF platen.operators
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
CREATE OR REPLACE FUNCTION platen.create_session(
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
CREATE OR REPLACE FUNCTION platen.use_session(of_session bytea, idle_ms double precision) RETURNS SETOF platen.operators
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
