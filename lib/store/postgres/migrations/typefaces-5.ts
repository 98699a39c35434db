// Migration 5: what lists of fonts say about a workspace's fonts. The function of migration 2 keeps its signature for servers of
// earlier versions, whose fonts have no typeface.

export const TYPEFACES = `
-- JSON; null for images and for fonts of earlier versions.
ALTER TABLE platen.assets ADD COLUMN typeface text;

-- As in migration 2, with the typeface of a new asset.
CREATE FUNCTION platen.add_asset(
  of_workspace text, new_id text, new_kind text, new_mime_type text, new_sha256 bytea, new_content bytea,
  new_width double precision, new_height double precision, new_family text, new_weight integer, new_style text,
  quota bigint, new_typeface text, OUT is_new boolean, OUT used_bytes bigint, OUT asset platen.assets
) LANGUAGE plpgsql AS $$
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
`;
