// The render log as rows of the database. The oldest entries are deleted, so the log is bounded.

import { decodeCursor, encodeCursor } from '../cursor.js';
import { matchesMetadata, metadataText, toLoggedRender } from '../logged-render.js';
import { notFound } from '../refusals.js';
import { RenderLogBuffer } from '../render-log-buffer.js';
import type { LoggedRender, PageRequest, RenderEntry, RenderLogFilter, RenderLogStore, StorePage } from '../types.js';
import { reasonOf } from './errors.js';
import { type Database, type Statement, statements } from './pool.js';
import { isPossibleId, validId } from './rows.js';

/** Entries of one statement. */
const MAX_BATCH = 256;
/** Entries that one page looks through for those that match: about 10 ms of the database. */
const MAX_SCANNED = 5000;
/** Entries whose metadata one page compares, after those whose labels differ have been left out. */
const MAX_CANDIDATES = 500;

const SQL = statements({
  append_renders: 'SELECT platen.append_renders($1, $2, $3, $4, $5, $6, $7, $8, $9)',
  find_render: `SELECT r.entry FROM platen.renders r JOIN platen.workspaces w ON w.id = r.workspace_id
    WHERE r.id = $1 AND r.workspace_id = $2 AND w.deleted_at IS NULL`,
});

export interface RenderLogOptions {
  /** Number of entries that are kept, of all workspaces together. */
  readonly keep: number;
  readonly warn: (message: string) => void;
}

export class RenderLog implements RenderLogStore {
  readonly #database: Database;
  readonly #buffer: RenderLogBuffer;

  constructor(database: Database, { keep, warn }: RenderLogOptions) {
    this.#database = database;
    this.#buffer = new RenderLogBuffer({
      async write(batch) {
        await database.query(SQL.append_renders, [...columnsOf(batch as readonly LoggedRender[]), keep], 'once');
      },
      warn,
      formatError: (error) => reasonOf((error as Error).cause ?? error),
      maxBatch: MAX_BATCH,
    });
  }

  appendRender(entry: LoggedRender): void {
    this.#buffer.append(entry);
  }

  async findRender(workspaceId: string, id: string): Promise<LoggedRender | undefined> {
    if (!isPossibleId(workspaceId) || !isPossibleId(id)) return undefined;
    await this.#buffer.flushed();
    const [row] = await this.#database.query<{ entry: string }>(SQL.find_render, [id, workspaceId], 'once');
    return row && toLoggedRender(JSON.parse(row.entry));
  }

  /** Lists entries by their times, newest first; of entries with the same time, the last one added comes first. */
  async listRenders(
    workspaceId: string,
    filter: RenderLogFilter,
    { limit, cursor }: PageRequest,
  ): Promise<StorePage<LoggedRender>> {
    const before = earlier(cursor === undefined ? START : positionOf(cursor), filter.to);
    const candidates = filter.metadata ? Math.max(MAX_CANDIDATES, limit + 1) : limit + 1;
    const scanned = Math.max(isTested(filter) ? MAX_SCANNED : 0, candidates);
    const statement = listStatement(validId(workspaceId, 'workspace'), filter, { before, candidates, scanned });
    await this.#buffer.flushed();
    const rows = await this.#database.query<ListRow>(...statement, 'once');
    const last = rows.find(({ is_known }) => is_known !== null);
    if (!last) throw notFound(workspaceId, 'workspace');
    const found = rows.flatMap((row) => (row.entry === null ? [] : [{ ...row, entry: JSON.parse(row.entry) }]));
    const matching = found.filter(({ entry }) => matchesMetadata(entry.metadata, filter.metadata ?? {}));
    const items = matching.slice(0, limit);
    let end: { readonly time: Date; readonly ordinal: string } | undefined;
    if (matching.length > limit) end = items[limit - 1];
    else if (found.length === candidates) end = found[candidates - 1];
    else if (Number(last.scanned) === scanned) end = last;
    const nextCursor = end ? encodeCursor(end.time.getTime(), end.ordinal) : null;
    return { items: items.map(({ entry }) => toLoggedRender(entry)), nextCursor };
  }

  /** Resolves when no entry is waiting to be written. */
  async settled(): Promise<void> {
    await this.#buffer.settled();
  }
}

interface ListRow {
  readonly ordinal: string;
  readonly time: Date;
  /** Null in the last row, which says where the search ended. */
  readonly entry: string | null;
  /** Last row only: how many entries were looked at, and whether there is such a workspace. */
  readonly scanned: string | null;
  readonly is_known: boolean | null;
}

/** A position in a list: the entry's time in milliseconds and its ordinal. */
type Position = readonly [time: Date, ordinal: string];

/** The position before the newest entry, at which a list starts. */
const START: Position = [new Date('9999-12-31T00:00:00Z'), String(10n ** 18n)];

/** Throws StoreError `invalid_cursor`. */
function positionOf(cursor: string): Position {
  const [time, ordinal] = decodeCursor(cursor, 2);
  return [new Date(Math.min(Number(time), START[0].getTime())), ordinal];
}

/** The position, or the one of the first entry at `time` if that is earlier: an index searches for one upper bound only. */
function earlier(position: Position, time: string | undefined): Position {
  const end = time === undefined ? START[0] : new Date(time);
  return end < position[0] ? [end, '0'] : position;
}

/** Whether conditions are tested on each entry, beyond those that an index finds. */
function isTested({ status, templateId, keyId, metadata }: RenderLogFilter): boolean {
  const indexed = [templateId !== undefined, status === 'failed', keyId !== undefined].filter(Boolean).length;
  return indexed > 1 || status === 'ok' || metadata !== undefined;
}

/**
 * The statement of one page and its values. An index gives the entries of a period in their order, also those with one
 * equal value: the rarest by experience. The other conditions are tested on a bounded number of entries (`scanned`).
 */
function listStatement(
  workspaceId: string,
  { status, templateId, keyId, from, metadata }: RenderLogFilter,
  { before, candidates, scanned }: { before: Position; candidates: number; scanned: number },
): [Statement, unknown[]] {
  const values: unknown[] = [workspaceId, ...before, candidates, scanned];
  const add = (value: unknown) => `$${values.push(value)}`;
  const indexed = ['workspace_id = $1', '(time, ordinal) < ($2::timestamptz, $3::bigint)'];
  const tested: string[] = [];
  let name = 'list_renders';
  let equal = indexed;
  const addEqual = (field: string, condition: string) => {
    equal.push(condition);
    equal = tested;
    name += `_${field}`;
  };
  if (from !== undefined) indexed.push(`time >= ${add(new Date(from))}::timestamptz`);
  if (from !== undefined) name += '_from';
  if (templateId !== undefined) addEqual('template', `template_id = ${add(boundedText(templateId))}`);
  if (status === 'failed') addEqual('failed', "status = 'failed'");
  if (keyId !== undefined) addEqual('key', `key_id = ${add(boundedText(keyId))}`);
  equal = tested;
  if (status === 'ok') addEqual('ok', "status = 'ok'");
  if (metadata !== undefined) {
    const labels = Object.entries(metadata).map(([field, text]) => labelOf(field, text));
    // Entries of earlier versions have no labels.
    addEqual('metadata', `(labels IS NULL OR labels @> ${add(labels)}::integer[])`);
  }
  const text = `WITH scanned AS MATERIALIZED (
      SELECT ordinal, time, ${tested.join(' AND ') || 'true'} AS matches FROM platen.renders
      WHERE ${indexed.join(' AND ')} ORDER BY time DESC, ordinal DESC LIMIT $5
    ), found AS MATERIALIZED (
      SELECT ordinal, time FROM scanned WHERE matches ORDER BY time DESC, ordinal DESC LIMIT $4
    ), page AS (
      SELECT f.ordinal, f.time, r.entry FROM found f JOIN platen.renders r USING (ordinal)
      ORDER BY f.time DESC, f.ordinal DESC
    )
    SELECT ordinal, time, entry, NULL::bigint AS scanned, NULL::boolean AS is_known FROM page
    UNION ALL SELECT last.ordinal, last.time, NULL, (SELECT count(*) FROM scanned), true FROM platen.workspaces w
    LEFT JOIN LATERAL (SELECT ordinal, time FROM scanned ORDER BY time, ordinal LIMIT 1) last ON true
    WHERE w.id = $1`;
  return [{ name, text }, values];
}

/** The parameters of a batch, a column each. */
function columnsOf(batch: readonly LoggedRender[]): unknown[] {
  return [
    batch.map(({ id }) => id),
    batch.map(({ workspaceId }) => workspaceId),
    batch.map((entry) => JSON.stringify(entry)),
    batch.map(({ time }) => time),
    batch.map(({ status }) => status ?? 'ok'),
    batch.map(({ keyId }) => boundedText(keyId)),
    batch.map(({ templateId }) => (templateId === undefined ? null : boundedText(templateId))),
    batch.map((entry) => `{${labelsOf(entry).join(',')}}`),
  ];
}

/** Text of a request, such as the id of an unknown template: it is bounded, and PostgreSQL rejects NUL. */
export function boundedText(text: string): string {
  return isPossibleId(text) ? text : `${text.replaceAll('\0', '\ufffd').slice(0, 200)}…`;
}

/** The labels of an entry: a hash of each field of its metadata. Filters check entries that match. */
export function labelsOf({ metadata }: Pick<RenderEntry, 'metadata'>): number[] {
  return Object.entries(metadata ?? {}).map(([field, value]) => labelOf(field, metadataText(value)));
}

/** FNV-1a of a field's name and text, as a signed integer. */
function labelOf(field: string, text: string): number {
  let hash = 0x811c9dc5;
  for (const part of [field, '\0', text]) {
    for (let at = 0; at < part.length; at++) hash = Math.imul(hash ^ part.charCodeAt(at), 0x01000193);
  }
  return hash | 0;
}
