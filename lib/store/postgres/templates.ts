// Templates and their versions in SQL. A version never changes, so its parsed record is cached; that it exists and belongs to
// the workspace is checked in the database every time.

import { createByteCache } from '../../cache/lru.js';
import { newId, notFound, unknownVersion, versionConflict } from '../refusals.js';
import {
  type ExpectedVersion,
  MAX_VERSIONS,
  type TemplateAddress,
  type TemplateDraft,
  type TemplateStore,
  type VersionedTemplate,
} from '../types.js';
import { type Database, type RetryPolicy, type Statement, statements } from './pool.js';
import { type EntityRow, escapeName, isPossibleId, pageOf, templateOf, validId, versionOf } from './rows.js';

/** Most characters of JSON text whose parsed records are cached. */
const MAX_CACHED_CHARACTERS = 32 * 2 ** 20;
/** Versions are 32-bit integers in the database. */
const MAX_VERSION = 2 ** 31 - 1;
const LIST_COLUMNS = `id, ordinal, workspace_id, name, width, height, hotspots, version, published_version, created_at,
  updated_at`;

/**
 * The version that the functions compare with the latest one, which is $3; 0, which none is, if another version than
 * `published` is the published one. Locks the template, so that the functions find what was compared.
 */
const expectedVersion = (published: string) => `CASE WHEN ${published}::integer IS NULL THEN $3::integer ELSE (
    SELECT CASE WHEN coalesce(published_version, 0) = ${published} THEN $3::integer ELSE 0 END
    FROM platen.template_heads WHERE id = $1 AND ($2::text IS NULL OR workspace_id = $2) FOR NO KEY UPDATE
  ) END`;
const SQL = statements({
  find_template: `SELECT r.version, CASE WHEN r.version = $4 THEN NULL ELSE r.record END AS record
    FROM platen.template_heads h JOIN platen.template_records r
      ON r.template_id = h.id AND r.version = coalesce($3::integer, h.published_version)
    WHERE h.id = $1 AND h.workspace_id = $2`,
  // The lock waits for the end of a deletion of the workspace that is in progress.
  create_template: `WITH head AS (
      INSERT INTO platen.template_heads (id, workspace_id, version, published_version)
      SELECT $2, w.id, 1, CASE WHEN $3 THEN 1 END FROM platen.workspaces w
      WHERE w.id = $1 AND w.deleted_at IS NULL FOR SHARE RETURNING *
    ), latest AS (
      INSERT INTO platen.template_versions (template_id, version, name, width, height, hotspots, asset_ids)
      SELECT id, 1, $4, $5, $6, $7, $8::text[] FROM head RETURNING *
    ), body AS (INSERT INTO platen.template_records (template_id, version, record) SELECT id, 1, $9 FROM head)
    SELECT head.*, latest.name, latest.width, latest.height, latest.hotspots FROM head, latest`,
  add_version: `SELECT outcome, latest, (template).* FROM platen.add_version(
    $1, $2, ${expectedVersion('$12')}, $4, ${MAX_VERSIONS}, $5, $6, $7, $8, $9, $10, $11)`,
  publish_version: `SELECT outcome, latest, (template).* FROM platen.publish_version(
    $1, $2, ${expectedVersion('$5')}, ${MAX_VERSIONS}, $4)`,
  delete_template: `SELECT outcome, latest, (template).* FROM platen.delete_template($1, $2, ${expectedVersion('$4')})`,
  get_template: `SELECT ${LIST_COLUMNS} FROM platen.template_list WHERE id = $1 AND ($2::text IS NULL OR workspace_id = $2)`,
  // The LEFT JOINs distinguish an unknown version from an unknown template.
  get_template_record: `SELECT v.version, v.name, v.width, v.height, v.hotspots, v.created_at, r.record
    FROM platen.template_heads h
    LEFT JOIN platen.template_versions v ON v.template_id = h.id AND v.version = coalesce($3::integer, h.version)
    LEFT JOIN platen.template_records r ON r.template_id = v.template_id AND r.version = v.version
    WHERE h.id = $1 AND ($2::text IS NULL OR h.workspace_id = $2)`,
  list_all_templates: `SELECT ${LIST_COLUMNS} FROM platen.template_list WHERE ordinal < $1 ORDER BY ordinal DESC LIMIT $2`,
  list_templates: `SELECT t.* FROM platen.workspaces w LEFT JOIN LATERAL (
      SELECT ${LIST_COLUMNS} FROM platen.template_list WHERE workspace_id = w.id AND ordinal < $2
      ORDER BY ordinal DESC LIMIT $3
    ) t ON true WHERE w.id = $1 AND w.deleted_at IS NULL ORDER BY t.ordinal DESC`,
  list_template_versions: `SELECT t.* FROM platen.template_heads h LEFT JOIN LATERAL (
      SELECT version, name, width, height, hotspots, created_at FROM platen.template_versions
      WHERE template_id = h.id AND version < $3::bigint ORDER BY version DESC LIMIT $4
    ) t ON true WHERE h.id = $1 AND ($2::text IS NULL OR h.workspace_id = $2) ORDER BY t.version DESC`,
});

/** A row of a statement that changes a template. */
interface Change {
  readonly outcome: 'saved' | 'unknown' | 'conflict' | 'no version';
  readonly latest: number;
}

interface CachedRecord {
  readonly record: unknown;
  readonly version: number;
  readonly length: number;
}

export function createTemplates(database: Database): TemplateStore {
  const records = createByteCache<CachedRecord>(MAX_CACHED_CHARACTERS, ({ length }) => length);

  function query<Row extends object>(
    statement: Statement,
    address: TemplateAddress,
    values: readonly unknown[],
    policy: RetryPolicy,
  ): Promise<Row[]> {
    const { id, workspaceId = null } = address;
    if (workspaceId !== null && !isPossibleId(workspaceId)) throw notFound(id, 'template');
    return database.query<Row>(statement, [validId(id, 'template'), workspaceId, ...values], policy);
  }

  async function change(
    statement: Statement,
    address: TemplateAddress,
    { ifVersion, version }: { readonly ifVersion?: ExpectedVersion | undefined; readonly version?: number },
    ...values: readonly unknown[]
  ): Promise<VersionedTemplate> {
    // No version of the database is that large, and an odd one matches none.
    if (version !== undefined && !isVersion(version)) throw unknownVersion(address.id, version);
    const expected = ifVersion && (isVersion(ifVersion.version) ? ifVersion.version : 0);
    const published = ifVersion?.publishedVersion;
    const isPossible = published === undefined || published === 0 || isVersion(published);
    const all = [expected ?? null, ...values, isPossible ? (published ?? null) : -1];
    const [row] = await query<Change>(statement, address, all, 'never');
    if (row.outcome === 'unknown') throw notFound(address.id, 'template');
    if (row.outcome === 'no version') throw unknownVersion(address.id, version!);
    if (row.outcome === 'conflict') throw versionConflict(address.id, ifVersion!, row.latest);
    return templateOf(row);
  }

  return {
    async findTemplate(workspaceId, templateId, version) {
      if (!isPossibleId(workspaceId) || !isPossibleId(templateId)) return undefined;
      if (version !== undefined && !isVersion(version)) return undefined;
      // The published version is cached under the template's id, one that a request names under both.
      const published = records.get(templateId);
      const name = version === undefined || version === published?.version ? templateId : `${templateId} ${version}`;
      const cached = records.get(name);
      type Row = { version: number; record: string | null };
      const values = [templateId, workspaceId, version ?? null, cached?.version ?? null];
      const [row] = await database.query<Row>(SQL.find_template, values, 'once');
      if (!row) return undefined;
      if (row.record === null) return { record: cached!.record, version: row.version };
      const record: unknown = JSON.parse(row.record);
      records.set(name, { record, version: row.version, length: row.record.length });
      return { record, version: row.version };
    },
    async createTemplate(workspaceId, draft, { publish }) {
      const values = [validId(workspaceId, 'workspace'), newId('tpl'), publish, ...columnsOf(draft)];
      const [row] = await database.query<EntityRow>(SQL.create_template, values);
      if (!row) throw notFound(workspaceId, 'workspace');
      return templateOf(row);
    },
    async replaceTemplate(address, draft, { publish, ifVersion }) {
      return await change(SQL.add_version, address, { ifVersion }, publish, null, ...columnsOf(draft));
    },
    async restoreTemplate(address, version, { publish, ifVersion }) {
      const nothing = columnsOf(undefined);
      return await change(SQL.add_version, address, { ifVersion, version }, publish, version, ...nothing);
    },
    async publishTemplate(address, version, ifVersion) {
      return await change(SQL.publish_version, address, { ifVersion, version }, version);
    },
    async deleteTemplate(address, ifVersion) {
      return await change(SQL.delete_template, address, { ifVersion });
    },
    async getTemplate(address) {
      const [row] = await query<EntityRow>(SQL.get_template, address, [], 'once');
      if (!row) throw notFound(address.id, 'template');
      return templateOf(row);
    },
    async getTemplateRecord(address, version) {
      const wanted = version === undefined || isVersion(version) ? (version ?? null) : 0;
      type Row = { record: string | null };
      const [row] = await query<Row>(SQL.get_template_record, address, [wanted], 'once');
      if (!row) throw notFound(address.id, 'template');
      if (row.record === null) throw unknownVersion(address.id, version!);
      return { record: JSON.parse(row.record) as unknown, version: versionOf(row) };
    },
    async listTemplates(workspaceId, page) {
      if (workspaceId === undefined) {
        return await pageOf(page, (...range) => database.query(SQL.list_all_templates, range, 'once'), templateOf);
      }
      const list = async (...range: [before: string, rows: number]) => {
        const rows = await database.query(SQL.list_templates, [validId(workspaceId, 'workspace'), ...range], 'once');
        if (rows.length === 0) throw notFound(workspaceId, 'workspace');
        return rows;
      };
      return await pageOf(page, list, templateOf);
    },
    async listTemplateVersions(address, page) {
      const list = async (...range: [before: string, rows: number]) => {
        const rows = await query(SQL.list_template_versions, address, range, 'once');
        if (rows.length === 0) throw notFound(address.id, 'template');
        return rows;
      };
      return await pageOf(page, list, versionOf, 'version');
    },
  };
}

/** The columns of a new version: name, width, height, hotspots, ids of assets, record. */
function columnsOf(draft: TemplateDraft | undefined): readonly unknown[] {
  if (!draft) return Array.from({ length: 6 }, () => null);
  const { record, hotspots, assetIds } = draft;
  const { name, width, height } = record;
  return [escapeName(name), width, height, JSON.stringify(hotspots), assetIds, JSON.stringify(record)];
}

function isVersion(version: number): boolean {
  return Number.isInteger(version) && version >= 1 && version <= MAX_VERSION;
}
