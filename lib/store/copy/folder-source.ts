// Reads the rows of a data folder for a copy.
import { createReadStream } from 'node:fs';
import { readLines } from '../lines.js';
import type { CopyKind, CopyRows } from './rows.js';

/** Rows per batch. */
export const BATCH_SIZE = 1000;

/** Reads and finds the rows of one kind. */
export interface FolderSource<Kind extends CopyKind> {
  count(): Promise<number>;
  read(): AsyncIterable<CopyRows[Kind]>;
  find(id: string): Promise<CopyRows[Kind] | undefined>;
  /** Rows per batch. */
  readonly batchSize: number;
}

export function rowsIn<Row, Kind extends CopyKind>(
  rows: ReadonlyMap<string, Row>,
  convert: (row: Row) => Promise<CopyRows[Kind]>,
  batchSize: number,
): FolderSource<Kind> {
  return {
    batchSize,
    count: async () => rows.size,
    async *read() {
      for (const row of rows.values()) yield await convert(row);
    },
    async find(id) {
      const row = rows.get(id);
      return row && (await convert(row));
    },
  };
}

/** Few rows, listed when they are first needed. */
export function listOf<Kind extends CopyKind>(list: () => readonly CopyRows[Kind][]): FolderSource<Kind> {
  let rows: ReadonlyMap<string, CopyRows[Kind]> | undefined;
  const byId = () => {
    rows ??= new Map(list().map((row) => [row.id, row]));
    return rows;
  };
  return {
    batchSize: BATCH_SIZE,
    count: async () => byId().size,
    async *read() {
      yield* byId().values();
    },
    find: async (id) => byId().get(id),
  };
}

/** The entries of a log, oldest first. Only the ids of entries are compared. */
export function entriesOf<Kind extends 'renders' | 'audit entries'>(
  log: { paths(): Promise<string[]> },
  parse: (line: string) => CopyRows[Kind] | undefined,
): FolderSource<Kind> {
  let ids: Set<string> | undefined;
  async function* read() {
    for (const path of await log.paths()) {
      for await (const line of readLines(createReadStream(path))) {
        const entry = parse(line);
        if (entry) yield entry;
      }
    }
  }
  const readIds = async () => {
    const found = new Set<string>();
    for await (const { id } of read()) found.add(id);
    return found;
  };
  return {
    batchSize: BATCH_SIZE,
    count: async () => await countOf(read()),
    read,
    async find(id) {
      ids ??= await readIds();
      return ids.has(id) ? ({ id } as CopyRows[Kind]) : undefined;
    },
  };
}

export async function countOf(rows: AsyncIterable<unknown>): Promise<number> {
  let count = 0;
  for await (const _ of rows) count++;
  return count;
}
