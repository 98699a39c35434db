SET check_function_bodies = false;
CREATE SCHEMA platen;
CREATE TABLE platen.assets (
    id text NOT NULL,
    ordinal bigint NOT NULL,
    workspace_id text NOT NULL,
    kind text NOT NULL,
    mime_type text NOT NULL,
    bytes bigint NOT NULL,
    sha256 bytea NOT NULL,
    width double precision,
    height double precision,
    family text,
    weight integer,
    style text,
    created_at timestamp with time zone DEFAULT date_trunc('milliseconds'::text, clock_timestamp()) NOT NULL,
    typeface text,
    CONSTRAINT assets_kind_check CHECK ((kind = ANY (ARRAY['image'::text, 'font'::text]))),
    CONSTRAINT assets_style_check CHECK ((style = ANY (ARRAY['normal'::text, 'italic'::text])))
);
CREATE FUNCTION platen.add_asset(of_workspace text, new_id text, new_kind text, new_mime_type text, new_sha256 bytea, new_content bytea, new_width double precision, new_height double precision, new_family text, new_weight integer, new_style text, quota bigint, OUT is_new boolean, OUT used_bytes bigint, OUT asset platen.assets) RETURNS record
    LANGUAGE plpgsql
    AS $$
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
CREATE FUNCTION platen.add_asset(of_workspace text, new_id text, new_kind text, new_mime_type text, new_sha256 bytea, new_content bytea, new_width double precision, new_height double precision, new_family text, new_weight integer, new_style text, quota bigint, new_typeface text, OUT is_new boolean, OUT used_bytes bigint, OUT asset platen.assets) RETURNS record
    LANGUAGE plpgsql
    AS $$
DECLARE
  added record;
BEGIN
  SELECT * INTO added FROM platen.add_asset(of_workspace, new_id, new_kind, new_mime_type, new_sha256, new_content,
    new_width, new_height, new_family, new_weight, new_style, quota);
  is_new := added.is_new;
  used_bytes := added.used_bytes;
  asset := added.asset;
  IF is_new AND asset.id IS NOT NULL AND new_typeface IS NOT NULL THEN
    UPDATE platen.assets SET typeface = new_typeface WHERE id = asset.id RETURNING * INTO asset;
  END IF;
END $$;
CREATE FUNCTION platen.add_cpu_days(of_workspaces text[], of_days date[], more_cpu_ms bigint[]) RETURNS void
    LANGUAGE plpgsql
    AS $$
BEGIN
  PERFORM set_config('synchronous_commit', 'off', true);
  INSERT INTO platen.usage_days AS u (workspace_id, day, renders, failures, cpu_ms)
    SELECT a.workspace_id, a.day, 0, 0, a.cpu_ms
    FROM unnest(of_workspaces, of_days, more_cpu_ms) AS a (workspace_id, day, cpu_ms)
    ORDER BY a.workspace_id, a.day
    ON CONFLICT (workspace_id, day) DO UPDATE SET cpu_ms = u.cpu_ms + excluded.cpu_ms;
END $$;
CREATE FUNCTION platen.add_key_requests(of_keys text[], of_hours timestamp with time zone[], more_requests bigint[], more_refused bigint[]) RETURNS void
    LANGUAGE plpgsql
    AS $$
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
CREATE FUNCTION platen.add_key_requests(of_keys text[], of_hours timestamp with time zone[], more_requests bigint[], more_refused bigint[], more_cpu_ms bigint[]) RETURNS void
    LANGUAGE plpgsql
    AS $$
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
CREATE FUNCTION platen.add_to_charge_day(of_workspace text, of_day date, more_charged bigint, more_charges bigint) RETURNS void
    LANGUAGE sql
    AS $$
  INSERT INTO platen.charge_days_before AS b (workspace_id, day, charged, charges)
    SELECT of_workspace, of_day, more_charged, more_charges WHERE of_day IS NOT NULL
    ON CONFLICT (workspace_id, day)
      DO UPDATE SET charged = b.charged + excluded.charged, charges = b.charges + excluded.charges
$$;
CREATE TABLE platen.template_heads (
    id text NOT NULL,
    ordinal bigint NOT NULL,
    workspace_id text NOT NULL,
    version integer NOT NULL,
    published_version integer,
    created_at timestamp with time zone DEFAULT date_trunc('milliseconds'::text, clock_timestamp()) NOT NULL,
    updated_at timestamp with time zone DEFAULT date_trunc('milliseconds'::text, clock_timestamp()) NOT NULL
);
CREATE TABLE platen.template_versions (
    template_id text NOT NULL,
    version integer NOT NULL,
    name text NOT NULL,
    width double precision NOT NULL,
    height double precision NOT NULL,
    hotspots text NOT NULL,
    asset_ids text[] DEFAULT '{}'::text[] NOT NULL,
    created_at timestamp with time zone DEFAULT date_trunc('milliseconds'::text, clock_timestamp()) NOT NULL
);
CREATE VIEW platen.template_list AS
 SELECT h.id,
    h.ordinal,
    h.workspace_id,
    v.name,
    v.width,
    v.height,
    v.hotspots,
    h.version,
    h.published_version,
    h.created_at,
    h.updated_at
   FROM (platen.template_heads h
     JOIN platen.template_versions v ON (((v.template_id = h.id) AND (v.version = h.version))));
CREATE FUNCTION platen.add_version(of_template text, of_workspace text, if_version integer, publishes boolean, kept integer, from_version integer, new_name text, new_width double precision, new_height double precision, new_hotspots text, new_assets text[], new_record text, OUT outcome text, OUT latest integer, OUT template platen.template_list) RETURNS record
    LANGUAGE plpgsql
    AS $$
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
CREATE FUNCTION platen.append_renders(ids text[], of_workspaces text[], entries text[], most bigint) RETURNS void
    LANGUAGE sql
    AS $$
  SELECT platen.append_renders(ids, of_workspaces, entries, array_agg(date_trunc('milliseconds', now()) ORDER BY place),
    array_agg('ok'::text ORDER BY place),
    array_agg(nullif(split_part(split_part(split_part(entry, ',"metadata":', 1), '"keyId":"', 2), '"', 1), '') ORDER BY place), array_agg(nullif(split_part(split_part(split_part(entry, ',"metadata":', 1), '"templateId":"', 2), '"', 1), '') ORDER BY place),
    array_agg(NULL::text ORDER BY place), most)
  FROM unnest(entries) WITH ORDINALITY AS a (entry, place)
$$;
CREATE FUNCTION platen.append_renders(ids text[], of_workspaces text[], entries text[], times timestamp with time zone[], statuses text[], key_ids text[], template_ids text[], labels text[], most bigint) RETURNS void
    LANGUAGE plpgsql
    AS $$
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
CREATE FUNCTION platen.charge_workspace(of_workspace text, price bigint, moment timestamp with time zone) RETURNS bigint
    LANGUAGE plpgsql
    AS $$
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
CREATE FUNCTION platen.claim_idempotency_key(of_key bytea, new_lease uuid, lifetime_ms double precision, of_fingerprint bytea, OUT running_ms double precision, OUT settled_id text, OUT settled_fingerprint bytea, OUT settled_version integer, OUT settled_cost bigint) RETURNS record
    LANGUAGE plpgsql
    AS $$
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
CREATE FUNCTION platen.count_request(of_key text, most bigint, OUT allowed boolean, OUT remaining bigint, OUT reset_ms bigint) RETURNS record
    LANGUAGE sql
    AS $$ SELECT * FROM platen.count_request(of_key, 'render', most) $$;
CREATE FUNCTION platen.count_request(of_key text, of_kind text, most bigint, OUT allowed boolean, OUT remaining bigint, OUT reset_ms bigint) RETURNS record
    LANGUAGE plpgsql
    AS $$
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
CREATE FUNCTION platen.create_session(of_operator text, new_id bytea, ends timestamp with time zone, most integer, of_password text) RETURNS boolean
    LANGUAGE plpgsql
    AS $$
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
CREATE FUNCTION platen.create_sign_in_token(of_operator text, new_id bytea, ends timestamp with time zone) RETURNS boolean
    LANGUAGE plpgsql
    AS $$
BEGIN
  PERFORM FROM platen.operators WHERE id = of_operator FOR UPDATE;
  IF NOT FOUND THEN RETURN false; END IF;
  DELETE FROM platen.sign_in_tokens WHERE operator_id = of_operator;
  INSERT INTO platen.sign_in_tokens (id, operator_id, expires_at) VALUES (new_id, of_operator, ends);
  RETURN true;
END $$;
CREATE FUNCTION platen.delete_asset(of_workspace text, of_asset text, by_force boolean, OUT used_by text[], OUT asset platen.assets) RETURNS record
    LANGUAGE plpgsql
    AS $$
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
CREATE FUNCTION platen.delete_template(of_template text, of_workspace text, if_version integer, OUT outcome text, OUT latest integer, OUT template platen.template_list) RETURNS record
    LANGUAGE plpgsql
    AS $$
BEGIN
  SELECT l.outcome, l.latest INTO outcome, latest FROM platen.lock_template(of_template, of_workspace, if_version) l;
  IF outcome IS NOT NULL THEN RETURN; END IF;
  SELECT * INTO template FROM platen.template_list WHERE id = of_template;
  DELETE FROM platen.template_heads WHERE id = of_template;
  outcome := 'saved';
END $$;
CREATE FUNCTION platen.delete_workspace(of_workspace text) RETURNS boolean
    LANGUAGE plpgsql
    AS $$
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
CREATE FUNCTION platen.forget_key() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
BEGIN
  DELETE FROM platen.rate_windows WHERE key_id = OLD.id;
  DELETE FROM platen.key_hours WHERE key_id = OLD.id;
  RETURN NULL;
END $$;
CREATE FUNCTION platen.hold_credits(of_workspace text, new_id uuid, price bigint, lifetime_ms double precision, OUT held boolean, OUT spendable bigint) RETURNS record
    LANGUAGE plpgsql
    AS $$
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
CREATE FUNCTION platen.lock_assets(name text) RETURNS void
    LANGUAGE sql
    AS $$
  SELECT pg_advisory_xact_lock(hashtextextended('platen asset ' || name, 0))
$$;
CREATE FUNCTION platen.lock_template(of_template text, of_workspace text, if_version integer, OUT outcome text, OUT latest integer) RETURNS record
    LANGUAGE plpgsql
    AS $$
BEGIN
  SELECT version INTO latest FROM platen.template_heads
    WHERE id = of_template AND (of_workspace IS NULL OR workspace_id = of_workspace) FOR NO KEY UPDATE;
  outcome := CASE WHEN NOT FOUND THEN 'unknown' WHEN if_version <> latest THEN 'conflict' END;
END $$;
CREATE FUNCTION platen.microseconds() RETURNS bigint
    LANGUAGE sql
    AS $$
  SELECT (extract(epoch FROM clock_timestamp()) * 1000000)::bigint
$$;
CREATE FUNCTION platen.prune_versions(of_template text, kept integer) RETURNS void
    LANGUAGE sql
    AS $$
  DELETE FROM platen.template_versions v USING platen.template_heads h
    WHERE v.template_id = of_template AND h.id = of_template
      AND v.version <= h.version - kept AND v.version IS DISTINCT FROM h.published_version
$$;
CREATE FUNCTION platen.publish_version(of_template text, of_workspace text, if_version integer, kept integer, of_version integer, OUT outcome text, OUT latest integer, OUT template platen.template_list) RETURNS record
    LANGUAGE plpgsql
    AS $$
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
CREATE FUNCTION platen.release_hold(of_hold uuid) RETURNS void
    LANGUAGE plpgsql
    AS $$
BEGIN
  PERFORM set_config('synchronous_commit', 'off', true);
  DELETE FROM platen.holds WHERE id = of_hold;
END $$;
CREATE FUNCTION platen.release_lease(of_key bytea, of_lease uuid) RETURNS void
    LANGUAGE plpgsql
    AS $$
BEGIN
  PERFORM set_config('synchronous_commit', 'off', true);
  DELETE FROM platen.idempotency_keys WHERE id = of_key AND lease = of_lease AND render_id IS NULL;
END $$;
CREATE TABLE platen.operators (
    id text NOT NULL,
    ordinal bigint NOT NULL,
    name text NOT NULL,
    role text NOT NULL,
    password text,
    workspaces text[],
    created_at timestamp with time zone DEFAULT date_trunc('milliseconds'::text, clock_timestamp()) NOT NULL,
    CONSTRAINT operators_role_check CHECK ((role = ANY (ARRAY['owner'::text, 'editor'::text, 'viewer'::text])))
);
CREATE FUNCTION platen.remove_operator(of_operator text, OUT is_last boolean, OUT operator platen.operators) RETURNS record
    LANGUAGE plpgsql
    AS $$
BEGIN
  -- All owners, so that of two removals at once the second sees the first.
  PERFORM FROM platen.operators WHERE role = 'owner' OR id = of_operator ORDER BY id FOR UPDATE;
  SELECT * INTO operator FROM platen.operators WHERE id = of_operator;
  IF NOT FOUND THEN RETURN; END IF;
  is_last := operator.role = 'owner'
    AND NOT EXISTS (SELECT FROM platen.operators WHERE role = 'owner' AND id <> of_operator);
  IF NOT is_last THEN DELETE FROM platen.operators WHERE id = of_operator; END IF;
END $$;
CREATE FUNCTION platen.revoke_credits(of_workspace text, taken bigint, OUT available bigint, OUT after bigint) RETURNS record
    LANGUAGE plpgsql
    AS $$
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
CREATE FUNCTION platen.set_password(of_token bytea, new_password text) RETURNS SETOF platen.operators
    LANGUAGE plpgsql
    AS $$
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
CREATE FUNCTION platen.settle_hold(of_hold uuid) RETURNS bigint
    LANGUAGE sql
    AS $$
  SELECT platen.settle_hold(of_hold, NULL, NULL, NULL, NULL, NULL)
$$;
CREATE FUNCTION platen.settle_hold(of_hold uuid, of_key bytea, of_lease uuid, of_fingerprint bytea, of_render text, of_version integer) RETURNS bigint
    LANGUAGE plpgsql
    AS $$
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
CREATE FUNCTION platen.undo_settlement(of_hold uuid) RETURNS boolean
    LANGUAGE sql
    AS $$
  SELECT platen.undo_settlement(of_hold, NULL, NULL)
$$;
CREATE FUNCTION platen.undo_settlement(of_hold uuid, of_key bytea, of_lease uuid) RETURNS boolean
    LANGUAGE plpgsql
    AS $$
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
CREATE FUNCTION platen.use_session(of_session bytea, idle_ms double precision) RETURNS SETOF platen.operators
    LANGUAGE plpgsql
    AS $$
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
CREATE TABLE platen.asset_contents (
    sha256 bytea NOT NULL,
    content bytea NOT NULL
);
ALTER TABLE ONLY platen.asset_contents ALTER COLUMN content SET STORAGE EXTERNAL;
ALTER TABLE platen.assets ALTER COLUMN ordinal ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME platen.assets_ordinal_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE platen.audit_log (
    ordinal bigint NOT NULL,
    "time" timestamp with time zone DEFAULT date_trunc('milliseconds'::text, clock_timestamp()) NOT NULL,
    actor_name text,
    workspace_id text,
    action text NOT NULL,
    subject text,
    details text,
    id text DEFAULT ('audit_'::text || gen_random_uuid()) NOT NULL,
    actor_kind text DEFAULT 'operator'::text NOT NULL,
    CONSTRAINT audit_log_actor_kind_check CHECK ((actor_kind = ANY (ARRAY['operator'::text, 'key'::text, 'command'::text])))
);
ALTER TABLE platen.audit_log ALTER COLUMN ordinal ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME platen.audit_log_ordinal_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE platen.charge_days_before (
    workspace_id text NOT NULL,
    day date NOT NULL,
    charged bigint NOT NULL,
    charges bigint NOT NULL
);
CREATE TABLE platen.workspaces (
    id text NOT NULL,
    ordinal bigint NOT NULL,
    name text NOT NULL,
    plan text NOT NULL,
    balance bigint NOT NULL,
    created_at timestamp with time zone DEFAULT date_trunc('milliseconds'::text, now()) NOT NULL,
    deleted_at timestamp with time zone,
    charged_on date,
    charged bigint DEFAULT 0 NOT NULL,
    charges bigint DEFAULT 0 NOT NULL,
    CONSTRAINT workspaces_balance_check CHECK (((balance >= 0) AND (balance <= '9000000000000000'::bigint))),
    CONSTRAINT workspaces_plan_check CHECK ((plan = ANY (ARRAY['free'::text, 'paid'::text])))
)
WITH (fillfactor='50');
CREATE VIEW platen.charge_days AS
 SELECT parts.workspace_id,
    parts.day,
    (sum(parts.charged))::bigint AS charged,
    (sum(parts.charges))::bigint AS charges
   FROM ( SELECT charge_days_before.workspace_id,
            charge_days_before.day,
            charge_days_before.charged,
            charge_days_before.charges
           FROM platen.charge_days_before
        UNION ALL
         SELECT workspaces.id,
            workspaces.charged_on,
            workspaces.charged,
            workspaces.charges
           FROM platen.workspaces
          WHERE (workspaces.charged_on IS NOT NULL)) parts
  GROUP BY parts.workspace_id, parts.day
 HAVING ((sum(parts.charged) <> (0)::numeric) OR (sum(parts.charges) <> (0)::numeric));
CREATE TABLE platen.charges (
    id uuid NOT NULL,
    workspace_id text NOT NULL,
    cost bigint NOT NULL,
    charged_at timestamp with time zone DEFAULT clock_timestamp() NOT NULL,
    CONSTRAINT charges_cost_check CHECK ((cost >= 0))
);
CREATE TABLE platen.grants (
    id uuid DEFAULT gen_random_uuid() NOT NULL,
    workspace_id text NOT NULL,
    amount bigint NOT NULL,
    granted_at timestamp with time zone DEFAULT date_trunc('milliseconds'::text, clock_timestamp()) NOT NULL,
    ordinal bigint NOT NULL
);
ALTER TABLE platen.grants ALTER COLUMN ordinal ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME platen.grants_ordinal_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE platen.holds (
    id uuid NOT NULL,
    workspace_id text NOT NULL,
    cost bigint NOT NULL,
    expires_at timestamp with time zone NOT NULL,
    CONSTRAINT holds_cost_check CHECK ((cost >= 0))
);
CREATE TABLE platen.idempotency_keys (
    id bytea NOT NULL,
    lease uuid NOT NULL,
    expires_at timestamp with time zone NOT NULL,
    hold uuid,
    fingerprint bytea,
    render_id text,
    template_version integer,
    cost bigint,
    replayed boolean DEFAULT false NOT NULL
)
WITH (fillfactor='80', autovacuum_vacuum_scale_factor='0.05');
CREATE TABLE platen.key_hours (
    key_id text NOT NULL,
    hour timestamp with time zone NOT NULL,
    requests bigint NOT NULL,
    refused bigint NOT NULL,
    cpu_ms bigint DEFAULT 0 NOT NULL
)
WITH (fillfactor='50');
CREATE TABLE platen.keys (
    id text NOT NULL,
    ordinal bigint NOT NULL,
    workspace_id text NOT NULL,
    name text NOT NULL,
    scopes text[] NOT NULL,
    state text NOT NULL,
    created_at timestamp with time zone DEFAULT date_trunc('milliseconds'::text, clock_timestamp()) NOT NULL,
    hash text NOT NULL,
    rate_limit integer,
    prefix text,
    CONSTRAINT keys_hash_check CHECK ((hash ~ '^[0-9a-f]{64}$'::text)),
    CONSTRAINT keys_rate_limit_check CHECK ((rate_limit > 0)),
    CONSTRAINT keys_state_check CHECK ((state = ANY (ARRAY['active'::text, 'revoked'::text])))
);
ALTER TABLE platen.keys ALTER COLUMN ordinal ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME platen.keys_ordinal_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE platen.links (
    id text NOT NULL,
    ordinal bigint NOT NULL,
    workspace_id text NOT NULL,
    name text NOT NULL,
    public_key bytea NOT NULL,
    state text NOT NULL,
    created_at timestamp with time zone DEFAULT date_trunc('milliseconds'::text, clock_timestamp()) NOT NULL,
    revoked_at timestamp with time zone,
    CONSTRAINT links_public_key_check CHECK ((length(public_key) = 32)),
    CONSTRAINT links_state_check CHECK ((state = ANY (ARRAY['active'::text, 'revoked'::text])))
);
ALTER TABLE platen.links ALTER COLUMN ordinal ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME platen.links_ordinal_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE platen.renders (
    ordinal bigint NOT NULL,
    id text NOT NULL,
    workspace_id text NOT NULL,
    entry text NOT NULL,
    "time" timestamp with time zone DEFAULT clock_timestamp() NOT NULL,
    status text DEFAULT 'ok'::text NOT NULL,
    key_id text,
    template_id text,
    labels integer[]
);
ALTER TABLE platen.renders ALTER COLUMN ordinal ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME platen.logged_renders_ordinal_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE platen.migrations (
    version integer NOT NULL,
    name text NOT NULL,
    applied_at timestamp with time zone DEFAULT clock_timestamp() NOT NULL
);
ALTER TABLE platen.operators ALTER COLUMN ordinal ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME platen.operators_ordinal_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE platen.rate_chunks (
    key_id text NOT NULL,
    number bigint NOT NULL,
    leaving bigint[] NOT NULL,
    kind text DEFAULT 'render'::text NOT NULL
);
CREATE TABLE platen.rate_windows (
    key_id text NOT NULL,
    head bigint DEFAULT 0 NOT NULL,
    next bigint DEFAULT 0 NOT NULL,
    last bigint DEFAULT 0 NOT NULL,
    shift bigint DEFAULT 0 NOT NULL,
    recent bigint[] DEFAULT '{}'::bigint[] NOT NULL,
    kind text DEFAULT 'render'::text NOT NULL
)
WITH (fillfactor='50', autovacuum_vacuum_scale_factor='0.05');
CREATE TABLE platen.sessions (
    id bytea NOT NULL,
    operator_id text NOT NULL,
    created_at timestamp with time zone DEFAULT date_trunc('milliseconds'::text, clock_timestamp()) NOT NULL,
    used_at timestamp with time zone DEFAULT date_trunc('milliseconds'::text, clock_timestamp()) NOT NULL,
    expires_at timestamp with time zone NOT NULL,
    ordinal bigint NOT NULL
);
ALTER TABLE platen.sessions ALTER COLUMN ordinal ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME platen.sessions_ordinal_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE platen.sign_in_tokens (
    id bytea NOT NULL,
    operator_id text NOT NULL,
    expires_at timestamp with time zone NOT NULL
);
ALTER TABLE platen.template_heads ALTER COLUMN ordinal ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME platen.template_heads_ordinal_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE platen.template_records (
    template_id text NOT NULL,
    record text NOT NULL,
    version integer NOT NULL
);
CREATE VIEW platen.templates AS
 SELECT h.id,
    h.workspace_id,
    r.record
   FROM (platen.template_heads h
     JOIN platen.template_records r ON (((r.template_id = h.id) AND (r.version = h.published_version))));
CREATE TABLE platen.usage_days (
    workspace_id text NOT NULL,
    day date NOT NULL,
    renders bigint NOT NULL,
    failures bigint NOT NULL,
    cpu_ms bigint DEFAULT 0 NOT NULL
)
WITH (fillfactor='50');
ALTER TABLE platen.workspaces ALTER COLUMN ordinal ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME platen.workspaces_ordinal_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
INSERT INTO platen.asset_contents VALUES ('\x92b2fa58028958317e408bd84ecfa70f5ee35b121991dbc232c49d166353708b', '\x612070696374757265');
INSERT INTO platen.assets OVERRIDING SYSTEM VALUE VALUES ('asset_6e4b7f76a4ce354d4a517bb2', 1, 'ws_d7b1e3de28c9805372698648', 'image', 'image/png', 9, '\x92b2fa58028958317e408bd84ecfa70f5ee35b121991dbc232c49d166353708b', 3, 2, NULL, NULL, NULL, '2026-11-28 13:23:41.489+00', NULL);
INSERT INTO platen.audit_log OVERRIDING SYSTEM VALUE VALUES (1, '2026-11-28 13:23:41.51+00', 'ann', 'ws_d7b1e3de28c9805372698648', 'workspace.create', 'ws_d7b1e3de28c9805372698648', NULL, 'audit_c5552ecab2ffa9c76d8648d5', 'operator');
INSERT INTO platen.charges VALUES ('01a22253-6933-7eac-ab56-6a08ad7aab23', 'ws_d7b1e3de28c9805372698648', 3000000, '2026-11-28 13:23:41.494426+00');
INSERT INTO platen.grants OVERRIDING SYSTEM VALUE VALUES ('71c45bd7-8a69-430d-a51e-7c44aca241b1', 'ws_d7b1e3de28c9805372698648', 100000000, '2026-11-28 13:23:41.476+00', 1);
INSERT INTO platen.holds VALUES ('01a22253-6938-76b8-9866-29f2a4befa3d', 'ws_d7b1e3de28c9805372698648', 2000000, '2026-11-28 13:25:11.497064+00');
INSERT INTO platen.key_hours VALUES ('key_b1ff4becf95421eecce34e14', '2026-11-28 13:00:00+00', 3, 0, 500);
INSERT INTO platen.keys OVERRIDING SYSTEM VALUE VALUES ('key_b1ff4becf95421eecce34e14', 1, 'ws_d7b1e3de28c9805372698648', 'server', '{render:write}', 'active', '2026-11-28 13:23:41.479+00', '6a6fd476cc0ae6a71ff88e8cd51d94dfa7d7d759f4257f50d731002450431137', 60, 'svc_live_01234567');
INSERT INTO platen.links OVERRIDING SYSTEM VALUE VALUES ('link_8dd53509d7efdc98ae113a57', 1, 'ws_d7b1e3de28c9805372698648', 'site', '\x0707070707070707070707070707070707070707070707070707070707070707', 'active', '2026-11-28 13:23:41.513+00', NULL);
INSERT INTO platen.migrations VALUES (1, 'tables, credits, rate windows, render log', '2026-11-28 13:23:41.399658+00');
INSERT INTO platen.migrations VALUES (2, 'idempotency keys, template versions, filters of the render log, assets, operators', '2026-11-28 13:23:41.439719+00');
INSERT INTO platen.migrations VALUES (3, 'charges and renders by day, requests of keys, sign-in, audit log', '2026-11-28 13:23:41.462291+00');
INSERT INTO platen.migrations VALUES (4, 'link keys', '2026-11-28 13:23:41.464654+00');
INSERT INTO platen.migrations VALUES (5, 'typefaces of fonts', '2026-11-28 13:23:41.465499+00');
INSERT INTO platen.migrations VALUES (6, 'processor time by key and by day', '2026-11-28 13:23:41.466819+00');
INSERT INTO platen.operators OVERRIDING SYSTEM VALUE VALUES ('op_63d0f2ba1976e7f8258676b5', 1, 'ann', 'owner', NULL, '{}', '2026-11-28 13:23:41.508+00');
INSERT INTO platen.rate_windows VALUES ('key_b1ff4becf95421eecce34e14', 0, 3, 1795872221506359, 0, '{1795872281503678,1795872281505651,1795872281506359}', 'render');
INSERT INTO platen.rate_windows VALUES ('link_8dd53509d7efdc98ae113a57', 0, 0, 0, 0, '{}', 'render');
INSERT INTO platen.renders OVERRIDING SYSTEM VALUE VALUES (1, 'render-1', 'ws_d7b1e3de28c9805372698648', '{"id":"render-1","time":"2026-11-28T13:23:41.506Z","workspaceId":"ws_d7b1e3de28c9805372698648","keyId":"key_b1ff4becf95421eecce34e14","format":"png","width":1,"height":2,"durationMs":3,"sizeBytes":4,"creditsCost":1,"status":"ok","warnings":0,"metadata":{"order":42}}', '2026-11-28 13:23:41.506+00', 'ok', 'key_b1ff4becf95421eecce34e14', NULL, '{1554754035}');
INSERT INTO platen.template_heads OVERRIDING SYSTEM VALUE VALUES ('tpl_29be65f77a7c9fdacbc5cc10', 1, 'ws_d7b1e3de28c9805372698648', 2, 1, '2026-11-28 13:23:41.482+00', '2026-11-28 13:23:41.485+00');
INSERT INTO platen.template_records OVERRIDING SYSTEM VALUE VALUES ('tpl_29be65f77a7c9fdacbc5cc10', '{"name":"Card","width":10,"height":20,"hotspots":[{"key":"k","label":"L","type":"text"}]}', 1);
INSERT INTO platen.template_records OVERRIDING SYSTEM VALUE VALUES ('tpl_29be65f77a7c9fdacbc5cc10', '{"name":"Card 2","width":10,"height":20,"hotspots":[{"key":"k","label":"L","type":"text"}]}', 2);
INSERT INTO platen.template_versions VALUES ('tpl_29be65f77a7c9fdacbc5cc10', 1, 'Card', 10, 20, '[{"key":"k","label":"L","type":"text"}]', '{}', '2026-11-28 13:23:41.482+00');
INSERT INTO platen.template_versions VALUES ('tpl_29be65f77a7c9fdacbc5cc10', 2, 'Card 2', 10, 20, '[{"key":"k","label":"L","type":"text"}]', '{}', '2026-11-28 13:23:41.484+00');
INSERT INTO platen.usage_days VALUES ('ws_d7b1e3de28c9805372698648', '2026-11-28', 1, 0, 500);
INSERT INTO platen.workspaces OVERRIDING SYSTEM VALUE VALUES ('ws_d7b1e3de28c9805372698648', 1, 'Acme', 'paid', 97000000, '2026-11-28 13:23:41.475+00', NULL, '2026-11-28', 3000000, 1);
SELECT pg_catalog.setval('platen.assets_ordinal_seq', 1, true);
SELECT pg_catalog.setval('platen.audit_log_ordinal_seq', 1, true);
SELECT pg_catalog.setval('platen.grants_ordinal_seq', 1, true);
SELECT pg_catalog.setval('platen.keys_ordinal_seq', 1, true);
SELECT pg_catalog.setval('platen.links_ordinal_seq', 1, true);
SELECT pg_catalog.setval('platen.logged_renders_ordinal_seq', 1, true);
SELECT pg_catalog.setval('platen.operators_ordinal_seq', 1, true);
SELECT pg_catalog.setval('platen.sessions_ordinal_seq', 1, false);
SELECT pg_catalog.setval('platen.template_heads_ordinal_seq', 1, true);
SELECT pg_catalog.setval('platen.workspaces_ordinal_seq', 1, true);
ALTER TABLE ONLY platen.asset_contents
    ADD CONSTRAINT asset_contents_pkey PRIMARY KEY (sha256);
ALTER TABLE ONLY platen.assets
    ADD CONSTRAINT assets_ordinal_key UNIQUE (ordinal);
ALTER TABLE ONLY platen.assets
    ADD CONSTRAINT assets_pkey PRIMARY KEY (id);
ALTER TABLE ONLY platen.assets
    ADD CONSTRAINT assets_workspace_id_sha256_key UNIQUE (workspace_id, sha256);
ALTER TABLE ONLY platen.audit_log
    ADD CONSTRAINT audit_log_id_key UNIQUE (id);
ALTER TABLE ONLY platen.audit_log
    ADD CONSTRAINT audit_log_pkey PRIMARY KEY (ordinal);
ALTER TABLE ONLY platen.charge_days_before
    ADD CONSTRAINT charge_days_before_pkey PRIMARY KEY (workspace_id, day);
ALTER TABLE ONLY platen.charges
    ADD CONSTRAINT charges_pkey PRIMARY KEY (id);
ALTER TABLE ONLY platen.grants
    ADD CONSTRAINT grants_ordinal_key UNIQUE (ordinal);
ALTER TABLE ONLY platen.grants
    ADD CONSTRAINT grants_pkey PRIMARY KEY (id);
ALTER TABLE ONLY platen.holds
    ADD CONSTRAINT holds_pkey PRIMARY KEY (id);
ALTER TABLE ONLY platen.idempotency_keys
    ADD CONSTRAINT idempotency_keys_pkey PRIMARY KEY (id);
ALTER TABLE ONLY platen.key_hours
    ADD CONSTRAINT key_hours_pkey PRIMARY KEY (key_id, hour);
ALTER TABLE ONLY platen.keys
    ADD CONSTRAINT keys_hash_key UNIQUE (hash);
ALTER TABLE ONLY platen.keys
    ADD CONSTRAINT keys_ordinal_key UNIQUE (ordinal);
ALTER TABLE ONLY platen.keys
    ADD CONSTRAINT keys_pkey PRIMARY KEY (id);
ALTER TABLE ONLY platen.links
    ADD CONSTRAINT links_ordinal_key UNIQUE (ordinal);
ALTER TABLE ONLY platen.links
    ADD CONSTRAINT links_pkey PRIMARY KEY (id);
ALTER TABLE ONLY platen.migrations
    ADD CONSTRAINT migrations_pkey PRIMARY KEY (version);
ALTER TABLE ONLY platen.operators
    ADD CONSTRAINT operators_name_key UNIQUE (name);
ALTER TABLE ONLY platen.operators
    ADD CONSTRAINT operators_ordinal_key UNIQUE (ordinal);
ALTER TABLE ONLY platen.operators
    ADD CONSTRAINT operators_pkey PRIMARY KEY (id);
ALTER TABLE ONLY platen.rate_chunks
    ADD CONSTRAINT rate_chunks_pkey PRIMARY KEY (key_id, kind, number);
ALTER TABLE ONLY platen.rate_windows
    ADD CONSTRAINT rate_windows_pkey PRIMARY KEY (key_id, kind);
ALTER TABLE ONLY platen.renders
    ADD CONSTRAINT renders_id_key UNIQUE (id);
ALTER TABLE ONLY platen.renders
    ADD CONSTRAINT renders_pkey PRIMARY KEY (ordinal);
ALTER TABLE ONLY platen.sessions
    ADD CONSTRAINT sessions_pkey PRIMARY KEY (id);
ALTER TABLE ONLY platen.sign_in_tokens
    ADD CONSTRAINT sign_in_tokens_pkey PRIMARY KEY (id);
ALTER TABLE ONLY platen.template_heads
    ADD CONSTRAINT template_heads_ordinal_key UNIQUE (ordinal);
ALTER TABLE ONLY platen.template_heads
    ADD CONSTRAINT template_heads_pkey PRIMARY KEY (id);
ALTER TABLE ONLY platen.template_records
    ADD CONSTRAINT template_records_pkey PRIMARY KEY (template_id, version);
ALTER TABLE ONLY platen.template_versions
    ADD CONSTRAINT template_versions_pkey PRIMARY KEY (template_id, version);
ALTER TABLE ONLY platen.usage_days
    ADD CONSTRAINT usage_days_pkey PRIMARY KEY (workspace_id, day);
ALTER TABLE ONLY platen.workspaces
    ADD CONSTRAINT workspaces_ordinal_key UNIQUE (ordinal);
ALTER TABLE ONLY platen.workspaces
    ADD CONSTRAINT workspaces_pkey PRIMARY KEY (id);
CREATE INDEX assets_of_content ON platen.assets USING btree (sha256);
CREATE INDEX assets_of_workspace ON platen.assets USING btree (workspace_id, ordinal);
CREATE INDEX audit_log_by_action ON platen.audit_log USING btree (action, ordinal);
CREATE INDEX audit_log_of_workspace ON platen.audit_log USING btree (workspace_id, ordinal);
CREATE INDEX grants_of_workspace ON platen.grants USING btree (workspace_id, granted_at);
CREATE INDEX holds_of_workspace ON platen.holds USING btree (workspace_id, expires_at);
CREATE INDEX idempotency_keys_by_expiry ON platen.idempotency_keys USING btree (expires_at);
CREATE INDEX key_hours_by_hour ON platen.key_hours USING btree (hour);
CREATE INDEX keys_of_workspace ON platen.keys USING btree (workspace_id, ordinal);
CREATE INDEX links_of_workspace ON platen.links USING btree (workspace_id, ordinal);
CREATE INDEX renders_by_key ON platen.renders USING btree (workspace_id, key_id, "time", ordinal);
CREATE INDEX renders_by_template ON platen.renders USING btree (workspace_id, template_id, "time", ordinal) WHERE (template_id IS NOT NULL);
CREATE INDEX renders_by_time ON platen.renders USING btree (workspace_id, "time", ordinal);
CREATE INDEX renders_failed ON platen.renders USING btree (workspace_id, "time", ordinal) WHERE (status = 'failed'::text);
CREATE INDEX sessions_by_expiry ON platen.sessions USING btree (expires_at);
CREATE INDEX sessions_of_operator ON platen.sessions USING btree (operator_id);
CREATE INDEX template_heads_of_workspace ON platen.template_heads USING btree (workspace_id, ordinal);
CREATE TRIGGER forget AFTER DELETE ON platen.keys FOR EACH ROW EXECUTE FUNCTION platen.forget_key();
CREATE TRIGGER forget AFTER DELETE ON platen.links FOR EACH ROW EXECUTE FUNCTION platen.forget_key();
ALTER TABLE ONLY platen.assets
    ADD CONSTRAINT assets_sha256_fkey FOREIGN KEY (sha256) REFERENCES platen.asset_contents(sha256);
ALTER TABLE ONLY platen.assets
    ADD CONSTRAINT assets_workspace_id_fkey FOREIGN KEY (workspace_id) REFERENCES platen.workspaces(id);
ALTER TABLE ONLY platen.keys
    ADD CONSTRAINT keys_workspace_id_fkey FOREIGN KEY (workspace_id) REFERENCES platen.workspaces(id);
ALTER TABLE ONLY platen.links
    ADD CONSTRAINT links_workspace_id_fkey FOREIGN KEY (workspace_id) REFERENCES platen.workspaces(id);
ALTER TABLE ONLY platen.rate_chunks
    ADD CONSTRAINT rate_chunks_key_id_kind_fkey FOREIGN KEY (key_id, kind) REFERENCES platen.rate_windows(key_id, kind) ON DELETE CASCADE;
ALTER TABLE ONLY platen.sessions
    ADD CONSTRAINT sessions_operator_id_fkey FOREIGN KEY (operator_id) REFERENCES platen.operators(id) ON DELETE CASCADE;
ALTER TABLE ONLY platen.sign_in_tokens
    ADD CONSTRAINT sign_in_tokens_operator_id_fkey FOREIGN KEY (operator_id) REFERENCES platen.operators(id) ON DELETE CASCADE;
ALTER TABLE ONLY platen.template_heads
    ADD CONSTRAINT template_heads_workspace_id_fkey FOREIGN KEY (workspace_id) REFERENCES platen.workspaces(id);
ALTER TABLE ONLY platen.template_records
    ADD CONSTRAINT template_records_template_id_version_fkey FOREIGN KEY (template_id, version) REFERENCES platen.template_versions(template_id, version) ON DELETE CASCADE;
ALTER TABLE ONLY platen.template_versions
    ADD CONSTRAINT template_versions_template_id_fkey FOREIGN KEY (template_id) REFERENCES platen.template_heads(id) ON DELETE CASCADE;
