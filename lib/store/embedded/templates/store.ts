// The operations on templates. The rows keep an index of the versions; each version's record is a file, which is durable
// before the row that refers to it.
import { newId, notFound, unknownVersion, versionConflict } from '../../refusals.js';
import {
  type ExpectedVersion,
  MAX_VERSIONS,
  type TemplateAddress,
  type TemplateDraft,
  type TemplateStore,
} from '../../types.js';
import {
  findWorkspace,
  isDeleted,
  newestFirst,
  nextOrdinal,
  pageOf,
  reportFailure,
  type StoreContext,
} from '../context.js';
import { latestOf, type TemplateRow, templateOf, type VersionRow, versionOf } from '../rows.js';

type Change = (row: TemplateRow) => TemplateRow;

export function createTemplates(context: StoreContext): TemplateStore {
  const { tables, records, now } = context;
  const { workspaces, templates } = tables;
  const content = records.folder;

  function find(rows: ReadonlyMap<string, TemplateRow>, { id, workspaceId }: TemplateAddress): TemplateRow {
    const row = rows.get(id);
    if (!row || (workspaceId !== undefined && row.workspaceId !== workspaceId)) throw notFound(id, 'template');
    if (isDeleted(tables, row)) throw notFound(id, 'template');
    return row;
  }

  /** Applies `change` to a template; resolves when it is durable. */
  async function update(address: TemplateAddress, ifVersion: ExpectedVersion | undefined, change: Change) {
    let removed: readonly VersionRow[] = [];
    let added: readonly VersionRow[] = [];
    const result = await templates.change(
      (draft) => {
        const row = find(draft.rows, address);
        assertVersion(row, ifVersion);
        const next = prune(change(row));
        removed = row.versions.filter((version) => !next.versions.includes(version));
        added = next.versions.filter((version) => !row.versions.includes(version));
        if (next !== row) draft.set(row.id, next);
        return templateOf(next);
      },
      () => {
        content.addReferences(digestsOf(added));
        content.removeReferences(digestsOf(removed));
      },
    );
    content.collect();
    return result;
  }

  /** Makes the draft's record durable, then runs `commit`. */
  async function save<Result>(draft: TemplateDraft, commit: (version: VersionRow) => Promise<Result>): Promise<Result> {
    const { record, hotspots, assetIds } = draft;
    const { name, width, height } = record;
    const text = JSON.stringify(record);
    const bytes = Buffer.byteLength(text);
    const createdAt = now().toISOString();
    return await reportFailure(context, () =>
      content.write(text, (sha256) =>
        commit({ version: 1, sha256, bytes, name, width, height, hotspots, assetIds, createdAt }),
      ),
    );
  }

  return {
    async findTemplate(workspaceId, templateId, wanted) {
      let version: number | undefined;
      const record = await records.read(() => {
        const found = findVersion(templates.rows.get(templateId), workspaceId, wanted);
        version = found?.version;
        return found?.sha256;
      });
      return version === undefined ? undefined : { record, version };
    },
    async createTemplate(workspaceId, draft, { publish }) {
      findWorkspace(workspaces.rows, workspaceId);
      return await save(draft, (version) =>
        templates.change(
          (draft) => {
            findWorkspace(workspaces.rows, workspaceId);
            const { createdAt } = version;
            const row: TemplateRow = {
              id: newId('tpl'),
              workspaceId,
              ordinal: nextOrdinal(draft.rows),
              createdAt,
              updatedAt: createdAt,
              publishedVersion: publish ? 1 : null,
              versions: [version],
            };
            draft.set(row.id, row);
            return templateOf(row);
          },
          () => content.addReferences([version.sha256]),
        ),
      );
    },
    async replaceTemplate(address, draft, { publish, ifVersion }) {
      assertVersion(find(templates.rows, address), ifVersion);
      return await save(draft, (version) => update(address, ifVersion, (row) => addVersion(row, version, publish)));
    },
    async restoreTemplate(address, version, { publish, ifVersion }) {
      const createdAt = now().toISOString();
      return await update(address, ifVersion, (row) =>
        addVersion(row, { ...versionIn(row, version), createdAt }, publish),
      );
    },
    async publishTemplate(address, version, ifVersion) {
      const updatedAt = now().toISOString();
      return await update(address, ifVersion, (row) => {
        const { version: publishedVersion } = versionIn(row, version);
        return publishedVersion === row.publishedVersion ? row : { ...row, publishedVersion, updatedAt };
      });
    },
    async deleteTemplate(address, ifVersion) {
      let row: TemplateRow | undefined;
      const deleted = await templates.change(
        (draft) => {
          row = find(draft.rows, address);
          assertVersion(row, ifVersion);
          draft.delete(row.id);
          return templateOf(row);
        },
        () => content.removeReferences(digestsOf(row!.versions)),
      );
      content.collect();
      return deleted;
    },
    async getTemplate(address) {
      return templateOf(find(templates.rows, address));
    },
    async getTemplateRecord(address, version) {
      let found: VersionRow | undefined;
      const record = await records.read(() => {
        const row = find(templates.rows, address);
        found = version === undefined ? latestOf(row) : versionIn(row, version);
        return found.sha256;
      });
      return { record, version: versionOf(found!) };
    },
    async listTemplates(workspaceId, page) {
      if (workspaceId !== undefined) findWorkspace(workspaces.rows, workspaceId);
      const rows = newestFirst(templates.rows).filter((row) =>
        workspaceId === undefined ? !isDeleted(tables, row) : row.workspaceId === workspaceId,
      );
      return pageOf(rows, page, ({ ordinal }) => ordinal, templateOf);
    },
    async listTemplateVersions(address, page) {
      const { versions } = find(templates.rows, address);
      return pageOf([...versions].reverse(), page, ({ version }) => version, versionOf);
    },
  };
}

export const digestsOf = (versions: readonly VersionRow[]): string[] => versions.map(({ sha256 }) => sha256);

function findVersion(row: TemplateRow | undefined, workspaceId: string, version: number | undefined) {
  if (row?.workspaceId !== workspaceId) return undefined;
  const wanted = version ?? row.publishedVersion;
  return row.versions.find((each) => each.version === wanted);
}

function versionIn(row: TemplateRow, version: number): VersionRow {
  const found = row.versions.find((each) => each.version === version);
  if (!found) throw unknownVersion(row.id, version);
  return found;
}

function assertVersion(row: TemplateRow, expected: ExpectedVersion | undefined): void {
  if (expected === undefined) return;
  const { version } = latestOf(row);
  const { publishedVersion = row.publishedVersion ?? 0 } = expected;
  if (expected.version === version && publishedVersion === (row.publishedVersion ?? 0)) return;
  throw versionConflict(row.id, expected, version);
}

function addVersion(row: TemplateRow, content: VersionRow, publish: boolean): TemplateRow {
  const version = latestOf(row).version + 1;
  return {
    ...row,
    updatedAt: content.createdAt,
    publishedVersion: publish ? version : row.publishedVersion,
    versions: [...row.versions, { ...content, version }],
  };
}

/** Drops the oldest versions, except for the published one. */
function prune(row: TemplateRow): TemplateRow {
  if (row.versions.length <= MAX_VERSIONS) return row;
  const firstKept = latestOf(row).version - MAX_VERSIONS;
  const versions = row.versions.filter(({ version }) => version > firstKept || version === row.publishedVersion);
  return { ...row, versions };
}
