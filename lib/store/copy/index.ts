// Copies the contents of one store to another. Missing rows are added and equal rows are left alone; a row that differs
// stops the copy before anything is changed. So a copy can be repeated. Afterwards the rows are read back and counted.
import { addCredits } from '../credits.js';
import type { WorkspaceRow } from '../embedded/rows.js';
import { StoreError } from '../types.js';
import { COPY_KINDS, type CopyKind, type CopyRows, fingerprint } from './rows.js';

/** The source or target of a copy. */
export interface CopyEndpoint {
  /** The kinds of rows that it can store. */
  readonly kinds: readonly CopyKind[];
  count(kind: CopyKind): Promise<number>;
  /** All rows, oldest first, in batches. */
  read<Kind extends CopyKind>(kind: Kind): AsyncIterable<readonly CopyRows[Kind][]>;
  /** The fingerprints (`fingerprint`) of the rows with these ids that exist, by id. */
  find(kind: CopyKind, ids: readonly string[]): Promise<ReadonlyMap<string, string>>;
  add<Kind extends CopyKind>(kind: Kind, rows: readonly CopyRows[Kind][]): Promise<void>;
}

/**
 * Opens an endpoint while `work` runs. When this resolves, the added rows are durable; when `work` throws, as few of them
 * as possible are kept (a database keeps none).
 */
export type OpenCopyEndpoint = <Result>(work: (endpoint: CopyEndpoint) => Promise<Result>) => Promise<Result>;

export interface CopyResult {
  readonly what: CopyKind | 'credits';
  /** Number in the source. */
  readonly source: number;
  /** Number of these that were missing in the target. */
  readonly added: number;
  /** Number of these that the target had, unchanged, after the copy. */
  readonly verified: number;
}

/**
 * Copies, then opens both endpoints again and compares. `progress` is called with the number of rows done, reading back
 * included, and their total. Throws StoreError when rows differ, before or after the copy.
 */
export async function copyStore(
  from: OpenCopyEndpoint,
  to: OpenCopyEndpoint,
  progress: (done: number, total: number) => Promise<void>,
): Promise<CopyResult[]> {
  let done = 0;
  let total = 0;
  const step = async (rows: number) => {
    done += rows;
    await progress(done, total);
  };
  const added = await from((source) =>
    to(async (target) => {
      for (const kind of sharedKinds(source, target)) total += 2 * (await source.count(kind));
      return await transfer(source, target, step);
    }),
  );
  const report = await from((source) => to((target) => compare(source, target, added, step)));
  const incomplete = report.find(
    ({ what, source, verified }) => what !== 'renders' && what !== 'audit entries' && source !== verified,
  );
  if (incomplete) {
    const { verified, source, what } = incomplete;
    throw new StoreError(
      `the copy is incomplete: ${verified} of ${source} ${what} were found in it; was the source in use?`,
    );
  }
  return report;
}

function sharedKinds(source: CopyEndpoint, target: CopyEndpoint): CopyKind[] {
  return COPY_KINDS.filter((kind) => source.kinds.includes(kind) && target.kinds.includes(kind));
}

async function transfer(
  source: CopyEndpoint,
  target: CopyEndpoint,
  step: (rows: number) => Promise<void>,
): Promise<ReadonlyMap<CopyKind, number>> {
  const added = new Map<CopyKind, number>();
  for (const kind of sharedKinds(source, target)) {
    let count = 0;
    for await (const rows of source.read(kind)) {
      const existing = await target.find(kind, idsOf(rows));
      for (const row of rows) {
        const found = existing.get(row.id);
        if (found === undefined || found === fingerprint(kind, row)) continue;
        const noun = kind.replace(/ies$/, 'y').replace(/s$/, '');
        throw new StoreError(`${noun} ${row.id} exists already, and differs: copy to an empty store`);
      }
      const missing = rows.filter(({ id }) => !existing.has(id));
      if (missing.length > 0) await target.add(kind, missing as never);
      count += missing.length;
      await step(rows.length);
    }
    added.set(kind, count);
  }
  return added;
}

async function compare(
  source: CopyEndpoint,
  target: CopyEndpoint,
  added: ReadonlyMap<CopyKind, number>,
  step: (rows: number) => Promise<void>,
): Promise<CopyResult[]> {
  const report: CopyResult[] = [];
  let credits = 0;
  let verifiedCredits = 0;
  for (const kind of sharedKinds(source, target)) {
    let count = 0;
    let verified = 0;
    for await (const rows of source.read(kind)) {
      const existing = await target.find(kind, idsOf(rows));
      for (const row of rows) {
        const isEqual = existing.get(row.id) === fingerprint(kind, row);
        if (isEqual) verified++;
        if (kind !== 'workspaces') continue;
        const { balance } = row as WorkspaceRow;
        credits = addCredits(credits, balance);
        if (isEqual) verifiedCredits = addCredits(verifiedCredits, balance);
      }
      count += rows.length;
      await step(rows.length);
    }
    report.push({ what: kind, source: count, added: added.get(kind) ?? 0, verified });
    if (kind === 'workspaces') {
      report.push({ what: 'credits', source: credits, added: 0, verified: verifiedCredits });
    }
  }
  return report;
}

const idsOf = (rows: readonly { readonly id: string }[]) => rows.map(({ id }) => id);
