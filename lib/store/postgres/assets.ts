// Assets in SQL. The service keeps contents in memory (service/render/workspace-assets.ts).

import { createHash } from 'node:crypto';
import { ServiceError } from '../../errors.js';
import { assetInUse, assetQuotaExceeded, newId, notFound } from '../refusals.js';
import type { AssetStore, StoredAsset } from '../types.js';
import { type Database, statements } from './pool.js';
import { assetOf, type BigintText, type EntityRow, escapeName, isPossibleId, pageOf, validId } from './rows.js';

const COLUMNS = `id, ordinal, workspace_id, kind, mime_type, bytes, sha256, width, height, family, weight, style,
  typeface, created_at`;

const SQL = statements({
  add_asset: `SELECT is_new, used_bytes, (asset).* FROM platen.add_asset($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12,
    $13)`,
  find_asset: `SELECT ${COLUMNS} FROM platen.assets WHERE id = $1 AND workspace_id = $2`,
  read_asset: `SELECT a.sha256, c.content
    FROM platen.assets a JOIN platen.asset_contents c USING (sha256) WHERE a.id = $1 AND a.workspace_id = $2`,
  list_assets: `SELECT a.* FROM platen.workspaces w LEFT JOIN LATERAL (
      SELECT ${COLUMNS} FROM platen.assets WHERE workspace_id = w.id AND ordinal < $2 ORDER BY ordinal DESC LIMIT $3
    ) a ON true WHERE w.id = $1 AND w.deleted_at IS NULL ORDER BY a.ordinal DESC`,
  list_font_assets: `SELECT ${COLUMNS} FROM platen.assets WHERE workspace_id = $1 AND kind = 'font' ORDER BY ordinal DESC`,
  delete_asset: 'SELECT used_by, (asset).* FROM platen.delete_asset($1, $2, $3)',
});

export function createAssets(database: Database): AssetStore {
  return {
    async addAsset(asset, content, quotaBytes) {
      const { workspaceId, kind, mimeType, sha256, width, height, family, weight, style, typeface } = asset;
      const values = [
        ...[validId(workspaceId, 'workspace'), newId('asset'), kind, mimeType, Buffer.from(sha256, 'hex'), content],
        ...[width ?? null, height ?? null, family === undefined ? null : escapeName(family), weight ?? null],
        ...[style ?? null, quotaBytes, typeface === undefined ? null : JSON.stringify(typeface)],
      ];
      type Row = { is_new: boolean; used_bytes: BigintText | null } & (EntityRow | { id: null });
      // A second call finds the asset of the first one.
      const [row] = await database.query<Row>(SQL.add_asset, values, 'once');
      if (row.id !== null) return { asset: assetOf(row), isNew: row.is_new };
      if (row.used_bytes === null) throw notFound(workspaceId, 'workspace');
      throw assetQuotaExceeded(row.used_bytes, quotaBytes, content.length);
    },
    async findAsset(workspaceId, id) {
      if (!isPossibleId(workspaceId) || !isPossibleId(id)) return undefined;
      const [row] = await database.query<EntityRow>(SQL.find_asset, [id, workspaceId], 'once');
      return row && assetOf(row);
    },
    async readAsset(workspaceId, id) {
      if (!isPossibleId(workspaceId) || !isPossibleId(id)) return undefined;
      type Row = { sha256: Buffer; content: Buffer };
      const [row] = await database.query<Row>(SQL.read_asset, [id, workspaceId], 'once');
      if (!row) return undefined;
      if (!createHash('sha256').update(row.content).digest().equals(row.sha256)) {
        throw new ServiceError('storage_unavailable', `storage is unavailable: the content of asset ${id} is damaged`);
      }
      return row.content;
    },
    async listAssets(workspaceId, page) {
      const query = async (...range: [before: string, rows: number]) => {
        const rows = await database.query(SQL.list_assets, [validId(workspaceId, 'workspace'), ...range], 'once');
        if (rows.length === 0) throw notFound(workspaceId, 'workspace');
        return rows;
      };
      return await pageOf(page, query, assetOf);
    },
    async listFontAssets(workspaceId) {
      if (!isPossibleId(workspaceId)) return [];
      return (await database.query<EntityRow>(SQL.list_font_assets, [workspaceId], 'once')).map(assetOf);
    },
    async deleteAsset(workspaceId, id, { force }): Promise<StoredAsset> {
      if (!isPossibleId(workspaceId)) throw notFound(id, 'asset');
      type Row = { used_by: string[] | null } & (EntityRow | { id: null });
      const [row] = await database.query<Row>(SQL.delete_asset, [workspaceId, validId(id, 'asset'), force]);
      if (row.id === null) throw notFound(id, 'asset');
      if (row.used_by === null) return assetOf(row);
      throw assetInUse(id, row.used_by);
    },
  };
}
