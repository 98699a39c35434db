// The brands of workspaces. Each version's record is a file, which is durable before the row that refers to it.
import { brandConflict } from '../refusals.js';
import { type BrandStore, MAX_VERSIONS } from '../types.js';
import { findWorkspace, isDeleted, reportFailure, type StoreContext } from './context.js';
import type { BrandRow, BrandVersionRow } from './rows.js';

export function createBrands(context: StoreContext): BrandStore {
  const { tables, brandRecords, now } = context;
  const { workspaces, brands } = tables;
  const content = brandRecords.folder;

  /** The latest version of the rows' brand, 0 for none. Throws StoreError `version_conflict` unless it is `expected`. */
  function latestIn(rows: ReadonlyMap<string, BrandRow>, workspaceId: string, expected: number | undefined): number {
    const latest = rows.get(workspaceId)?.versions.at(-1)?.version ?? 0;
    if (expected !== undefined && expected !== latest) throw brandConflict(expected, latest);
    return latest;
  }

  return {
    async findBrand(workspaceId, version) {
      let found: BrandVersionRow | undefined;
      const record = await brandRecords.read(() => {
        const row = brands.rows.get(workspaceId);
        const versions = row && !isDeleted(tables, row) ? row.versions : [];
        found = version === undefined ? versions.at(-1) : versions.find((each) => each.version === version);
        return found?.sha256;
      });
      return found && { version: found.version, createdAt: found.createdAt, record };
    },
    async replaceBrand(workspaceId, record, ifVersion) {
      findWorkspace(workspaces.rows, workspaceId);
      latestIn(brands.rows, workspaceId, ifVersion);
      const text = JSON.stringify(record);
      const createdAt = now().toISOString();
      const save = (sha256: string) => {
        let removed: readonly BrandVersionRow[] = [];
        return brands.change(
          (draft) => {
            findWorkspace(workspaces.rows, workspaceId);
            const before = draft.rows.get(workspaceId)?.versions ?? [];
            const version = latestIn(draft.rows, workspaceId, ifVersion) + 1;
            const added = { version, sha256, bytes: Buffer.byteLength(text), createdAt };
            const versions = [...before, added].slice(-MAX_VERSIONS);
            removed = before.filter((each) => !versions.includes(each));
            draft.set(workspaceId, { id: workspaceId, workspaceId, versions });
            return { version, createdAt, record: JSON.parse(text) as unknown };
          },
          () => {
            content.addReferences([sha256]);
            content.removeReferences(removed.map((each) => each.sha256));
          },
        );
      };
      return await reportFailure(context, () => content.write(text, save));
    },
  };
}
