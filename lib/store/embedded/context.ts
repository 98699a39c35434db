// Context that the operations of the embedded store share.
import { ServiceError } from '../../errors.js';
import { decodeCursor, encodeCursor } from '../cursor.js';
import { notFound } from '../refusals.js';
import type { PageRequest, StorePage } from '../types.js';
import type { ContentReader } from './content-reader.js';
import { WriteError } from './durable-file.js';
import type { Tables } from './folder.js';
import type { WorkspaceRow } from './rows.js';

export interface StoreContext {
  readonly tables: Tables;
  readonly records: ContentReader<unknown>;
  readonly brandRecords: ContentReader<unknown>;
  readonly assetFiles: ContentReader<Uint8Array>;
  readonly now: () => Date;
  readonly warn: (message: string) => void;
}

/** The row with this id. Throws StoreError `not_found`. */
export function find<Row>(rows: ReadonlyMap<string, Row>, id: string, noun: string): Row {
  const row = rows.get(id);
  if (!row) throw notFound(id, noun);
  return row;
}

/** The row of a workspace that is not deleted. Throws StoreError `not_found`. */
export function findWorkspace(rows: ReadonlyMap<string, WorkspaceRow>, id: string): WorkspaceRow {
  const row = find(rows, id, 'workspace');
  if (row.deletedAt !== undefined) throw notFound(id, 'workspace');
  return row;
}

/** Whether the row is of a deleted workspace. Such rows are removed soon after the deletion. */
export function isDeleted({ workspaces }: Tables, { workspaceId }: { readonly workspaceId: string }): boolean {
  return workspaces.rows.get(workspaceId)?.deletedAt !== undefined;
}

/** Runs `write`. If a file can't be written, warns and throws RenderError `storage_unavailable`. */
export async function reportFailure<Result>(
  { warn }: Pick<StoreContext, 'warn'>,
  write: () => Promise<Result>,
): Promise<Result> {
  try {
    return await write();
  } catch (cause) {
    if (!(cause instanceof WriteError)) throw cause;
    warn(cause.message);
    throw new ServiceError('storage_unavailable', 'storage is unavailable: nothing was changed', { cause });
  }
}

export function newestFirst<Row>(rows: ReadonlyMap<string, Row>): Row[] {
  return [...rows.values()].reverse();
}

/** A position after all rows, which are in ascending order. */
export function nextOrdinal(rows: ReadonlyMap<string, { readonly ordinal: number }>): number {
  let last = 0;
  for (const { ordinal } of rows.values()) last = ordinal;
  return last + 1;
}

/** Returns one page of `rows`, whose positions descend. */
export function pageOf<Row, Item>(
  rows: Iterable<Row>,
  { limit, cursor }: PageRequest,
  positionOf: (row: Row) => number,
  itemOf: (row: Row) => Item,
): StorePage<Item> {
  const before = cursor === undefined ? Number.POSITIVE_INFINITY : Number(decodeCursor(cursor, 1)[0]);
  const items: Item[] = [];
  let last = 0;
  for (const row of rows) {
    if (positionOf(row) >= before) continue;
    if (items.length === limit) return { items, nextCursor: encodeCursor(last) };
    items.push(itemOf(row));
    last = positionOf(row);
  }
  return { items, nextCursor: null };
}
