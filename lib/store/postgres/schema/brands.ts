// The tables and SQL functions of brands: migration 8.

/** A database that has no brands yet gets their table, and idempotency keys the version that was charged. */
export const BRAND_TABLES = `
CREATE TABLE platen.brands (
  workspace_id text NOT NULL REFERENCES platen.workspaces,
  version integer NOT NULL,
  record text NOT NULL,
  created_at timestamptz NOT NULL DEFAULT date_trunc('milliseconds', clock_timestamp()),
  PRIMARY KEY (workspace_id, version)
);
ALTER TABLE platen.idempotency_keys ADD COLUMN brand_version integer;
`;

export const BRANDS = `
-- Saves the next version of a brand, and keeps the latest \`kept\` ones. Its outcome: 'saved', 'unknown' or 'conflict'. latest is
-- 0 if there was no brand.
CREATE OR REPLACE FUNCTION platen.replace_brand(
  of_workspace text, if_version integer, kept integer, new_record text,
  OUT outcome text, OUT latest integer, OUT saved_at timestamptz
) LANGUAGE plpgsql AS $$
BEGIN
  -- Orders the writes of one brand, and waits for the end of a deletion of the workspace.
  PERFORM FROM platen.workspaces WHERE id = of_workspace AND deleted_at IS NULL FOR NO KEY UPDATE;
  IF NOT FOUND THEN
    outcome := 'unknown';
    RETURN;
  END IF;
  SELECT coalesce(max(version), 0) INTO latest FROM platen.brands WHERE workspace_id = of_workspace;
  IF if_version <> latest THEN
    outcome := 'conflict';
    RETURN;
  END IF;
  latest := latest + 1;
  INSERT INTO platen.brands (workspace_id, version, record) VALUES (of_workspace, latest, new_record)
    RETURNING created_at INTO saved_at;
  DELETE FROM platen.brands WHERE workspace_id = of_workspace AND version <= latest - kept;
  outcome := 'saved';
END $$;

-- Charges as the function without of_brand does, and notes the version of the brand in the same transaction.
CREATE OR REPLACE FUNCTION platen.settle_hold(
  of_hold uuid, of_key bytea, of_lease uuid, of_fingerprint bytea, of_render text, of_version integer, of_brand integer
) RETURNS bigint LANGUAGE plpgsql AS $$
DECLARE
  rest bigint := platen.settle_hold(of_hold, of_key, of_lease, of_fingerprint, of_render, of_version);
BEGIN
  UPDATE platen.idempotency_keys SET brand_version = of_brand
    WHERE id = of_key AND lease = of_lease AND hold = of_hold AND render_id = of_render;
  RETURN rest;
END $$;
`;
