// Copies the contents of one store to another. Missing rows are added and equal rows are left alone; a row that differs
// stops the copy before anything is changed. So a copy can be repeated. Afterwards the rows are read back and counted.
import { addCredits } from '../credits.js';
import { StoreError } from '../types.js';
import { COPY_KINDS, type CopyKind, type CopyRows, fingerprint } from './rows.js';

/** The source or target of a copy. */
export interface CopyEndpoint {
  /** The kinds of rows that it can store. */
  readonly kinds: readonly CopyKind[];
  count(kind: CopyKind): Promise<number>;
  /** All rows, oldest first, in batches. */
  read<Kind extends CopyKind>(kind: Kind): AsyncIterable<readonly CopyRows[Kind][]>;
  /** The fingerprints (`fingerprint`) of the rows that exist, by id: at least of those with these ids. */
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
  const copied = await from((source) =>
    to(async (target) => {
      for (const kind of sharedKinds(source, target)) total += 2 * (await source.count(kind));
      return await pass(source, target, step, true);
    }),
  );
  const compared = await from((source) => to((target) => pass(source, target, step, false)));
  const report = compared.map((result, index) => ({ ...result, added: copied[index].added }));
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

/** Compares all rows of the source with those of the target. `adds` has missing rows added; then none may differ. */
async function pass(
  source: CopyEndpoint,
  target: CopyEndpoint,
  step: (rows: number) => Promise<void>,
  adds: boolean,
): Promise<CopyResult[]> {
  const results: CopyResult[] = [];
  for (const kind of sharedKinds(source, target)) {
    const counts = { source: 0, added: 0, verified: 0 };
    const credits = { source: 0, added: 0, verified: 0 };
    for await (const rows of source.read(kind)) {
      const existing = await target.find(
        kind,
        rows.map(({ id }) => id),
      );
      for (const row of rows) {
        const found = existing.get(row.id);
        const isEqual = found === fingerprint(kind, row);
        if (adds && found !== undefined && !isEqual) {
          const noun = kind.replace(/ies$/, 'y').replace(/s$/, '');
          throw new StoreError(`${noun} ${row.id} exists already, and differs: copy to an empty store`);
        }
        const balance = 'balance' in row ? row.balance : 0;
        credits.source = addCredits(credits.source, balance);
        counts.source++;
        if (!isEqual) continue;
        credits.verified = addCredits(credits.verified, balance);
        counts.verified++;
      }
      const missing = adds ? rows.filter(({ id }) => !existing.has(id)) : [];
      if (missing.length > 0) await target.add(kind, missing);
      counts.added += missing.length;
      await step(rows.length);
    }
    results.push({ what: kind, ...counts });
    if (kind === 'workspaces') results.push({ what: 'credits', ...credits });
  }
  return results;
}
