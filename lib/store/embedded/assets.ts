// The operations on assets. The rows describe them; the contents are files, which are durable before the rows.
import { assetInUse, assetQuotaExceeded, newId, notFound } from '../refusals.js';
import type { AssetStore } from '../types.js';
import { digestOf } from './content-folder.js';
import { find, findWorkspace, newestFirst, nextOrdinal, pageOf, reportFailure, type StoreContext } from './context.js';
import { type AssetRow, assetOf, latestOf, type TemplateRow } from './rows.js';

export function createAssets(context: StoreContext): AssetStore {
  const { tables, assetFiles, now } = context;
  const { workspaces, assets, templates } = tables;

  const findAsset = (workspaceId: string, id: string): AssetRow | undefined => {
    const row = assets.rows.get(id);
    return row?.workspaceId === workspaceId ? row : undefined;
  };
  const rowsOf = (workspaceId: string, rows = assets.rows) =>
    newestFirst(rows).filter((row) => row.workspaceId === workspaceId);

  /** The asset with the same bytes, if any. Throws StoreError when there is no room for a new one. */
  function findDuplicate(
    rows: ReadonlyMap<string, AssetRow>,
    workspaceId: string,
    sha256: string,
    bytes: number,
    quotaBytes: number,
  ): AssetRow | undefined {
    findWorkspace(workspaces.rows, workspaceId);
    const existing = rowsOf(workspaceId, rows);
    const duplicate = existing.find((row) => row.sha256 === sha256);
    if (duplicate) return duplicate;
    const used = existing.reduce((sum, row) => sum + row.bytes, 0);
    if (used + bytes <= quotaBytes) return undefined;
    throw assetQuotaExceeded(used, quotaBytes, bytes);
  }

  /** Ids of the templates whose latest or published version names the asset. */
  function usersOf({ workspaceId, id }: AssetRow): string[] {
    const isUser = (row: TemplateRow) =>
      row.workspaceId === workspaceId &&
      row.versions.some(
        (each) => (each === latestOf(row) || each.version === row.publishedVersion) && each.assetIds.includes(id),
      );
    return newestFirst(templates.rows)
      .filter(isUser)
      .map((row) => row.id);
  }

  return {
    async addAsset(asset, content, quotaBytes) {
      const { workspaceId } = asset;
      const sha256 = digestOf(content);
      const bytes = content.length;
      const duplicate = findDuplicate(assets.rows, workspaceId, sha256, bytes, quotaBytes);
      // Writing the content again repairs a damaged file.
      const isIntact = duplicate && (await assetFiles.folder.read(sha256).catch(() => undefined));
      if (duplicate && isIntact) return { asset: assetOf(duplicate), isNew: false };
      const createdAt = now().toISOString();
      let isNew = false;
      const row = await reportFailure(context, () =>
        assetFiles.folder.write(content, () =>
          assets.change(
            (draft) => {
              const existing = findDuplicate(draft.rows, workspaceId, sha256, bytes, quotaBytes);
              if (existing) return existing;
              const id = newId('asset');
              const added = { ...asset, id, bytes, sha256, createdAt, ordinal: nextOrdinal(draft.rows) };
              draft.set(id, added);
              isNew = true;
              return added;
            },
            () => isNew && assetFiles.folder.addReferences([sha256]),
          ),
        ),
      );
      return { asset: assetOf(row), isNew };
    },
    async findAsset(workspaceId, id) {
      const row = findAsset(workspaceId, id);
      return row && assetOf(row);
    },
    async readAsset(workspaceId, id) {
      return await assetFiles.read(() => findAsset(workspaceId, id)?.sha256);
    },
    async listAssets(workspaceId, page) {
      findWorkspace(workspaces.rows, workspaceId);
      return pageOf(rowsOf(workspaceId), page, ({ ordinal }) => ordinal, assetOf);
    },
    async listFontAssets(workspaceId) {
      return rowsOf(workspaceId)
        .filter(({ kind }) => kind === 'font')
        .map(assetOf);
    },
    async deleteAsset(workspaceId, id, { force }) {
      if (!findAsset(workspaceId, id)) throw notFound(id, 'asset');
      let sha256 = '';
      const deleted = await assets.change(
        (draft) => {
          const row = find(draft.rows, id, 'asset');
          const users = force ? [] : usersOf(row);
          if (users.length > 0) throw assetInUse(id, users);
          sha256 = row.sha256;
          draft.delete(id);
          return assetOf(row);
        },
        () => assetFiles.folder.removeReferences([sha256]),
      );
      assetFiles.folder.collect();
      return deleted;
    },
  };
}
