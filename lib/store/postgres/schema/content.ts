// The SQL functions of templates and assets.

/** Template versions, assets, and the end of a workspace. */
export const CONTENT = `
-- Locks a template for a write. Its outcome: null, 'unknown' or 'conflict'.
CREATE OR REPLACE FUNCTION platen.lock_template(
  of_template text, of_workspace text, if_version integer, OUT outcome text, OUT latest integer
) LANGUAGE plpgsql AS $$
BEGIN
  SELECT version INTO latest FROM platen.template_heads
    WHERE id = of_template AND (of_workspace IS NULL OR workspace_id = of_workspace) FOR NO KEY UPDATE;
  outcome := CASE WHEN NOT FOUND THEN 'unknown' WHEN if_version <> latest THEN 'conflict' END;
END $$;

-- Keeps the latest \`kept\` versions and the published one.
CREATE OR REPLACE FUNCTION platen.prune_versions(of_template text, kept integer) RETURNS void LANGUAGE sql AS $$
  DELETE FROM platen.template_versions v USING platen.template_heads h
    WHERE v.template_id = of_template AND h.id = of_template
      AND v.version <= h.version - kept AND v.version IS DISTINCT FROM h.published_version
$$;

-- Adds a version: the given one, or one that equals version \`from_version\`. Its outcome: 'saved', 'unknown', 'conflict' or
-- 'no version'.
CREATE OR REPLACE FUNCTION platen.add_version(
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

CREATE OR REPLACE FUNCTION platen.publish_version(
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

CREATE OR REPLACE FUNCTION platen.delete_template(
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
CREATE OR REPLACE FUNCTION platen.lock_assets(name text) RETURNS void LANGUAGE sql AS $$
  SELECT pg_advisory_xact_lock(hashtextextended('platen asset ' || name, 0))
$$;

-- Adds an asset, or finds the workspace's asset with this content (is_new: false). id is null if the quota does not allow
-- it (used_bytes is not null) and if there is no such workspace.
CREATE OR REPLACE FUNCTION platen.add_asset(
  of_workspace text, new_id text, new_kind text, new_mime_type text, new_sha256 bytea, new_content bytea,
  new_width double precision, new_height double precision, new_family text, new_weight integer, new_style text,
  quota bigint, new_typeface text, OUT is_new boolean, OUT used_bytes bigint, OUT asset platen.assets
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
  INSERT INTO platen.assets (id, workspace_id, kind, mime_type, bytes, sha256, width, height, family, weight, style,
      typeface)
    VALUES (new_id, of_workspace, new_kind, new_mime_type, length(new_content), new_sha256, new_width, new_height,
      new_family, new_weight, new_style, new_typeface) RETURNING * INTO asset;
END $$;

-- Deletes an asset, and its content with the last asset that has it. asset is null if it is unknown. With used_by, which
-- names the templates that use it, nothing is deleted.
CREATE OR REPLACE FUNCTION platen.delete_asset(
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

-- Marks a workspace as deleted and deletes its keys, links, templates, brand and assets. False: there is no such workspace.
CREATE OR REPLACE FUNCTION platen.delete_workspace(of_workspace text) RETURNS boolean LANGUAGE plpgsql AS $$
DECLARE
  digest bytea;
BEGIN
  PERFORM platen.lock_assets(of_workspace);
  UPDATE platen.workspaces SET deleted_at = clock_timestamp() WHERE id = of_workspace AND deleted_at IS NULL;
  IF NOT FOUND THEN RETURN false; END IF;
  DELETE FROM platen.keys WHERE workspace_id = of_workspace;
  DELETE FROM platen.links WHERE workspace_id = of_workspace;
  DELETE FROM platen.template_heads WHERE workspace_id = of_workspace;
  DELETE FROM platen.brands WHERE workspace_id = of_workspace;
  FOR digest IN SELECT sha256 FROM platen.assets WHERE workspace_id = of_workspace ORDER BY sha256 LOOP
    PERFORM platen.lock_assets(encode(digest, 'hex'));
    DELETE FROM platen.assets WHERE workspace_id = of_workspace AND sha256 = digest;
    DELETE FROM platen.asset_contents c WHERE c.sha256 = digest
      AND NOT EXISTS (SELECT FROM platen.assets a WHERE a.sha256 = c.sha256);
  END LOOP;
  RETURN true;
END $$;
`;
