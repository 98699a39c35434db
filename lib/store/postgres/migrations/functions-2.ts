// The SQL functions of migration 2. Those of migration 1 that servers of version 1 call keep their signatures.

import { textField } from './tables-2.js';

/** Holds, charges and idempotency keys. Locks are taken in this order: hold, idempotency key, workspace. */
export const IDEMPOTENCY = `
-- As in migration 1, but a deleted workspace is unknown.
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

-- Takes the lease of an idempotency key (running_ms and settled_id are null), or says how long the lease of another request
-- lasts (running_ms), or returns what the key was settled with. Idempotent: a second call with the same lease has it too.
-- \`replayed\` says that a repeat with the same body relies on the charge. A few expired keys are deleted each time.
CREATE FUNCTION platen.claim_idempotency_key(
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

CREATE FUNCTION platen.release_lease(of_key bytea, of_lease uuid) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  PERFORM set_config('synchronous_commit', 'off', true);
  DELETE FROM platen.idempotency_keys WHERE id = of_key AND lease = of_lease AND render_id IS NULL;
END $$;

-- Like settle_hold(uuid), and settles the idempotency key in the same transaction. Null: the hold or the lease has ended;
-- then nothing is charged, and both have ended.
CREATE FUNCTION platen.settle_hold(
  of_hold uuid, of_key bytea, of_lease uuid, of_fingerprint bytea, of_render text, of_version integer
) RETURNS bigint LANGUAGE plpgsql AS $$
DECLARE
  ended platen.holds;
  rest bigint;
BEGIN
  DELETE FROM platen.holds WHERE id = of_hold AND expires_at > clock_timestamp() RETURNING * INTO ended;
  IF NOT FOUND THEN
    SELECT w.balance INTO rest FROM platen.charges c JOIN platen.workspaces w ON w.id = c.workspace_id WHERE c.id = of_hold;
    IF NOT FOUND THEN PERFORM platen.release_lease(of_key, of_lease); END IF;
    RETURN rest;
  END IF;
  UPDATE platen.idempotency_keys SET expires_at = clock_timestamp() + interval '24 hours', hold = of_hold,
      fingerprint = of_fingerprint, render_id = of_render, template_version = of_version, cost = ended.cost
    WHERE id = of_key AND lease = of_lease AND render_id IS NULL AND expires_at > clock_timestamp();
  IF NOT FOUND THEN RETURN NULL; END IF;
  UPDATE platen.workspaces SET balance = balance - ended.cost
    WHERE id = ended.workspace_id AND balance >= ended.cost RETURNING balance INTO rest;
  IF NOT FOUND THEN RAISE EXCEPTION 'the balance of % is below what is held', ended.workspace_id; END IF;
  INSERT INTO platen.charges (id, workspace_id, cost) VALUES (of_hold, ended.workspace_id, ended.cost);
  RETURN rest;
END $$;

-- Like undo_settlement(uuid), and frees the idempotency key. If a repeat has relied on the charge, the charge stays: its
-- render was answered after all.
CREATE FUNCTION platen.undo_settlement(of_hold uuid, of_key bytea, of_lease uuid) RETURNS boolean LANGUAGE plpgsql AS $$
DECLARE
  known platen.idempotency_keys;
  undone platen.charges;
BEGIN
  DELETE FROM platen.holds WHERE id = of_hold;
  SELECT * INTO known FROM platen.idempotency_keys WHERE id = of_key AND lease = of_lease FOR UPDATE;
  IF FOUND THEN
    IF known.hold = of_hold AND known.replayed THEN RETURN false; END IF;
    DELETE FROM platen.idempotency_keys WHERE id = of_key;
  END IF;
  DELETE FROM platen.charges WHERE id = of_hold RETURNING * INTO undone;
  IF NOT FOUND THEN RETURN false; END IF;
  UPDATE platen.workspaces SET balance = balance + undone.cost WHERE id = undone.workspace_id;
  RETURN true;
END $$;

-- Takes credits back if the balance minus all unexpired holds covers them. Both results are null for an unknown workspace;
-- after is null if too little is available.
CREATE FUNCTION platen.revoke_credits(of_workspace text, taken bigint, OUT available bigint, OUT after bigint)
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

/** Rate limits and the render log. */
export const WINDOWS = `
-- Counts one request of a key unless its window of this kind already contains \`most\`. Otherwise as in migration 1.
CREATE FUNCTION platen.count_request(
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

-- For servers of version 1.
CREATE OR REPLACE FUNCTION platen.count_request(
  of_key text, most bigint, OUT allowed boolean, OUT remaining bigint, OUT reset_ms bigint
) LANGUAGE sql AS $$ SELECT * FROM platen.count_request(of_key, 'render', most) $$;

-- Adds entries, oldest first. labels: text of an integer array each. While more than \`most\` exist, deletes up to twice as
-- many of the oldest as it adds.
CREATE FUNCTION platen.append_renders(
  ids text[], of_workspaces text[], entries text[], times timestamptz[], statuses text[], key_ids text[],
  template_ids text[], labels text[], most bigint
) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  newest bigint;
BEGIN
  PERFORM set_config('synchronous_commit', 'off', true);
  INSERT INTO platen.renders (id, workspace_id, entry, time, status, key_id, template_id, labels)
    SELECT a.id, a.workspace_id, a.entry, a.time, a.status, a.key_id, a.template_id, a.labels::integer[]
    FROM unnest(ids, of_workspaces, entries, times, statuses, key_ids, template_ids, labels) WITH ORDINALITY
      AS a (id, workspace_id, entry, time, status, key_id, template_id, labels, place) ORDER BY place
    ON CONFLICT (id) DO NOTHING;
  SELECT max(ordinal) INTO newest FROM platen.renders;
  DELETE FROM platen.renders WHERE ordinal IN (
    SELECT ordinal FROM platen.renders WHERE ordinal <= newest - most
    ORDER BY ordinal LIMIT 2 * cardinality(ids) FOR UPDATE SKIP LOCKED
  );
END $$;

-- For servers of version 1, whose entries are all of charged renders.
CREATE OR REPLACE FUNCTION platen.append_renders(ids text[], of_workspaces text[], entries text[], most bigint)
RETURNS void LANGUAGE sql AS $$
  SELECT platen.append_renders(ids, of_workspaces, entries, array_agg(date_trunc('milliseconds', now()) ORDER BY place),
    array_agg('ok'::text ORDER BY place),
    array_agg(${textField('keyId')} ORDER BY place), array_agg(${textField('templateId')} ORDER BY place),
    array_agg(NULL::text ORDER BY place), most)
  FROM unnest(entries) WITH ORDINALITY AS a (entry, place)
$$;
`;

/** Template versions and assets. */
export const TEMPLATES = `
-- Locks a template for a write. Its outcome: null, 'unknown' or 'conflict'.
CREATE FUNCTION platen.lock_template(
  of_template text, of_workspace text, if_version integer, OUT outcome text, OUT latest integer
) LANGUAGE plpgsql AS $$
BEGIN
  SELECT version INTO latest FROM platen.template_heads
    WHERE id = of_template AND (of_workspace IS NULL OR workspace_id = of_workspace) FOR NO KEY UPDATE;
  outcome := CASE WHEN NOT FOUND THEN 'unknown' WHEN if_version <> latest THEN 'conflict' END;
END $$;

-- Keeps the latest \`kept\` versions and the published one.
CREATE FUNCTION platen.prune_versions(of_template text, kept integer) RETURNS void LANGUAGE sql AS $$
  DELETE FROM platen.template_versions v USING platen.template_heads h
    WHERE v.template_id = of_template AND h.id = of_template
      AND v.version <= h.version - kept AND v.version IS DISTINCT FROM h.published_version
$$;

-- Adds a version: the given one, or one that equals version \`from_version\`. Its outcome: 'saved', 'unknown', 'conflict' or
-- 'no version'.
CREATE FUNCTION platen.add_version(
  of_template text, of_workspace text, if_version integer, publishes boolean, kept integer, from_version integer,
  new_name text, new_width double precision, new_height double precision, new_hotspots text, new_assets text[],
  new_record text, OUT outcome text, OUT latest integer, OUT template platen.template_list
) LANGUAGE plpgsql AS $$
BEGIN
  SELECT l.outcome, l.latest INTO outcome, latest FROM platen.lock_template(of_template, of_workspace, if_version) l;
  IF outcome IS NOT NULL THEN RETURN; END IF;
  IF from_version IS NULL THEN
    INSERT INTO platen.template_versions (template_id, version, name, width, height, hotspots, asset_ids)
      VALUES (of_template, latest + 1, new_name, new_width, new_height, new_hotspots, new_assets);
    INSERT INTO platen.template_records (template_id, version, record) VALUES (of_template, latest + 1, new_record);
  ELSE
    INSERT INTO platen.template_versions (template_id, version, name, width, height, hotspots, asset_ids)
      SELECT template_id, latest + 1, name, width, height, hotspots, asset_ids FROM platen.template_versions
      WHERE template_id = of_template AND version = from_version;
    IF NOT FOUND THEN
      outcome := 'no version';
      RETURN;
    END IF;
    INSERT INTO platen.template_records (template_id, version, record)
      SELECT template_id, latest + 1, record FROM platen.template_records
      WHERE template_id = of_template AND version = from_version;
  END IF;
  UPDATE platen.template_heads SET version = latest + 1,
      published_version = CASE WHEN publishes THEN latest + 1 ELSE published_version END,
      updated_at = date_trunc('milliseconds', clock_timestamp())
    WHERE id = of_template;
  PERFORM platen.prune_versions(of_template, kept);
  outcome := 'saved';
  SELECT * INTO template FROM platen.template_list WHERE id = of_template;
END $$;

CREATE FUNCTION platen.publish_version(
  of_template text, of_workspace text, if_version integer, kept integer, of_version integer,
  OUT outcome text, OUT latest integer, OUT template platen.template_list
) LANGUAGE plpgsql AS $$
BEGIN
  SELECT l.outcome, l.latest INTO outcome, latest FROM platen.lock_template(of_template, of_workspace, if_version) l;
  IF outcome IS NOT NULL THEN RETURN; END IF;
  PERFORM FROM platen.template_versions WHERE template_id = of_template AND version = of_version;
  IF NOT FOUND THEN
    outcome := 'no version';
    RETURN;
  END IF;
  UPDATE platen.template_heads SET published_version = of_version,
    updated_at = date_trunc('milliseconds', clock_timestamp())
    WHERE id = of_template AND published_version IS DISTINCT FROM of_version;
  PERFORM platen.prune_versions(of_template, kept);
  outcome := 'saved';
  SELECT * INTO template FROM platen.template_list WHERE id = of_template;
END $$;

CREATE FUNCTION platen.delete_template(
  of_template text, of_workspace text, if_version integer,
  OUT outcome text, OUT latest integer, OUT template platen.template_list
) LANGUAGE plpgsql AS $$
BEGIN
  SELECT l.outcome, l.latest INTO outcome, latest FROM platen.lock_template(of_template, of_workspace, if_version) l;
  IF outcome IS NOT NULL THEN RETURN; END IF;
  SELECT * INTO template FROM platen.template_list WHERE id = of_template;
  DELETE FROM platen.template_heads WHERE id = of_template;
  outcome := 'saved';
END $$;

-- Serializes changes of one workspace's assets, or of one content, until the transaction ends.
CREATE FUNCTION platen.lock_assets(name text) RETURNS void LANGUAGE sql AS $$
  SELECT pg_advisory_xact_lock(hashtextextended('platen asset ' || name, 0))
$$;

-- Adds an asset, or finds the workspace's asset with this content (is_new: false). id is null if the quota does not allow
-- it (used_bytes is not null) and if there is no such workspace.
CREATE FUNCTION platen.add_asset(
  of_workspace text, new_id text, new_kind text, new_mime_type text, new_sha256 bytea, new_content bytea,
  new_width double precision, new_height double precision, new_family text, new_weight integer, new_style text,
  quota bigint, OUT is_new boolean, OUT used_bytes bigint, OUT asset platen.assets
) LANGUAGE plpgsql AS $$
BEGIN
  PERFORM platen.lock_assets(of_workspace);
  SELECT * INTO asset FROM platen.assets WHERE workspace_id = of_workspace AND sha256 = new_sha256;
  is_new := NOT FOUND;
  IF NOT is_new THEN RETURN; END IF;
  PERFORM FROM platen.workspaces WHERE id = of_workspace AND deleted_at IS NULL;
  IF NOT FOUND THEN RETURN; END IF;
  SELECT coalesce(sum(bytes), 0) INTO used_bytes FROM platen.assets WHERE workspace_id = of_workspace;
  IF used_bytes + length(new_content) > quota THEN RETURN; END IF;
  PERFORM platen.lock_assets(encode(new_sha256, 'hex'));
  INSERT INTO platen.asset_contents (sha256, content) VALUES (new_sha256, new_content) ON CONFLICT DO NOTHING;
  INSERT INTO platen.assets (id, workspace_id, kind, mime_type, bytes, sha256, width, height, family, weight, style)
    VALUES (new_id, of_workspace, new_kind, new_mime_type, length(new_content), new_sha256, new_width, new_height,
      new_family, new_weight, new_style) RETURNING * INTO asset;
END $$;

-- Deletes an asset, and its content with the last asset that has it. asset is null if it is unknown. With used_by, which
-- names the templates that use it, nothing is deleted.
CREATE FUNCTION platen.delete_asset(
  of_workspace text, of_asset text, by_force boolean, OUT used_by text[], OUT asset platen.assets
) LANGUAGE plpgsql AS $$
BEGIN
  PERFORM platen.lock_assets(of_workspace);
  SELECT * INTO asset FROM platen.assets WHERE id = of_asset AND workspace_id = of_workspace;
  IF NOT FOUND THEN RETURN; END IF;
  IF NOT by_force THEN
    SELECT array_agg(h.id ORDER BY h.ordinal DESC) INTO used_by FROM platen.template_heads h
      WHERE h.workspace_id = of_workspace AND EXISTS (
        SELECT FROM platen.template_versions v WHERE v.template_id = h.id
          AND v.version IN (h.version, h.published_version) AND of_asset = ANY (v.asset_ids));
    IF used_by IS NOT NULL THEN RETURN; END IF;
  END IF;
  PERFORM platen.lock_assets(encode(asset.sha256, 'hex'));
  DELETE FROM platen.assets WHERE id = of_asset;
  DELETE FROM platen.asset_contents c WHERE c.sha256 = asset.sha256
    AND NOT EXISTS (SELECT FROM platen.assets a WHERE a.sha256 = c.sha256);
END $$;

-- Marks a workspace as deleted and deletes its keys, links, templates and assets. False: there is no such workspace.
CREATE FUNCTION platen.delete_workspace(of_workspace text) RETURNS boolean LANGUAGE plpgsql AS $$
DECLARE
  digest bytea;
BEGIN
  PERFORM platen.lock_assets(of_workspace);
  UPDATE platen.workspaces SET deleted_at = clock_timestamp() WHERE id = of_workspace AND deleted_at IS NULL;
  IF NOT FOUND THEN RETURN false; END IF;
  DELETE FROM platen.keys WHERE workspace_id = of_workspace;
  DELETE FROM platen.links WHERE workspace_id = of_workspace;
  DELETE FROM platen.template_heads WHERE workspace_id = of_workspace;
  FOR digest IN SELECT sha256 FROM platen.assets WHERE workspace_id = of_workspace ORDER BY sha256 LOOP
    PERFORM platen.lock_assets(encode(digest, 'hex'));
    DELETE FROM platen.assets WHERE workspace_id = of_workspace AND sha256 = digest;
    DELETE FROM platen.asset_contents c WHERE c.sha256 = digest
      AND NOT EXISTS (SELECT FROM platen.assets a WHERE a.sha256 = c.sha256);
  END LOOP;
  RETURN true;
END $$;
`;
