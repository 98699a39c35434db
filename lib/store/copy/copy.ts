// One store's contents → another's: what is missing there is added, what is there already is left alone, and what is
// there but differs stops the copy before anything is changed. So it can be repeated; what it did is read back and counted.
import { addCredits } from '../credits.js';
import { type KeyRow, keyOf, type TemplateRow, templateOf, workspaceOf } from '../embedded/rows.js';
import { type RenderEntry, StoreError, type Workspace } from '../types.js';

/** A charge as a database keeps it; a folder keeps none. */
export interface Charge {
  readonly id: string;
  readonly workspaceId: string;
  readonly cost: number;
  /** With microseconds, as the database writes it. */
  readonly chargedAt: string;
}

export interface CopyRows {
  readonly workspaces: Workspace;
  readonly keys: KeyRow;
  readonly templates: TemplateRow;
  readonly charges: Charge;
  readonly renders: RenderEntry;
}
export type CopyKind = keyof CopyRows;

/** In this order: what others point to comes first. */
export const COPY_KINDS = ['workspaces', 'keys', 'templates', 'charges', 'renders'] as const satisfies CopyKind[];

/** A store at one end of a copy. */
export interface CopyEndpoint {
  /** What it can hold. */
  readonly kinds: readonly CopyKind[];
  count(kind: CopyKind): Promise<number>;
  /** All rows, the oldest first, in batches. */
  read<Kind extends CopyKind>(kind: Kind): AsyncIterable<readonly CopyRows[Kind][]>;
  /** The texts (`textOf`) of those rows that are there, by id. */
  find(kind: CopyKind, ids: readonly string[]): Promise<ReadonlyMap<string, string>>;
  add<Kind extends CopyKind>(kind: Kind, rows: readonly CopyRows[Kind][]): Promise<void>;
}

/** Opens an end for as long as `work` takes. What it added holds when it resolves; when it throws, as little as can be. */
export type OpenCopyEndpoint = <Result>(work: (end: CopyEndpoint) => Promise<Result>) => Promise<Result>;

export interface Copied {
  readonly what: CopyKind | 'credits';
  /** In the store copied from. */
  readonly source: number;
  /** Of these, how many were not in the other store before. */
  readonly added: number;
  /** Of these, how many were found there afterwards, the same. */
  readonly verified: number;
}

/**
 * Copies, then opens both ends anew and compares. `progress` is told how many rows of how many are done, reading back
 * included. Throws StoreError: rows differ, or the copy is not what was copied.
 */
export async function copyStore(
  from: OpenCopyEndpoint,
  to: OpenCopyEndpoint,
  progress: (done: number, total: number) => Promise<void>,
): Promise<Copied[]> {
  let done = 0;
  let total = 0;
  const step = async (rows: number) => {
    done += rows;
    await progress(done, total);
  };
  const added = await from((source) =>
    to(async (target) => {
      for (const kind of shared(source, target)) total += 2 * (await source.count(kind));
      return await transfer(source, target, step);
    }),
  );
  const report = await from((source) => to((target) => compare(source, target, added, step)));
  const short = report.find(({ what, source, verified }) => what !== 'renders' && source !== verified);
  if (short) {
    throw new StoreError(
      `the copy is not whole: ${short.verified} of ${short.source} ${short.what} were found in it; was the source in use?`,
    );
  }
  return report;
}

function shared(source: CopyEndpoint, target: CopyEndpoint): CopyKind[] {
  return COPY_KINDS.filter((kind) => source.kinds.includes(kind) && target.kinds.includes(kind));
}

async function transfer(
  source: CopyEndpoint,
  target: CopyEndpoint,
  step: (rows: number) => Promise<void>,
): Promise<ReadonlyMap<CopyKind, number>> {
  const added = new Map<CopyKind, number>();
  for (const kind of shared(source, target)) {
    let count = 0;
    for await (const rows of source.read(kind)) {
      const there = await target.find(kind, idsOf(rows));
      for (const row of rows) {
        const text = there.get(row.id);
        if (text === undefined || text === textOf(kind, row)) continue;
        const thing = kind.slice(0, -1);
        throw new StoreError(`${thing} ${row.id} is there already, and differs: copy to a store that is empty`);
      }
      const missing = rows.filter(({ id }) => !there.has(id));
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
): Promise<Copied[]> {
  const report: Copied[] = [];
  let credits = 0;
  let verifiedCredits = 0;
  for (const kind of shared(source, target)) {
    let count = 0;
    let verified = 0;
    for await (const rows of source.read(kind)) {
      const there = await target.find(kind, idsOf(rows));
      for (const row of rows) {
        const same = there.get(row.id) === textOf(kind, row);
        if (same) verified++;
        if (kind !== 'workspaces') continue;
        const { balance } = row as Workspace;
        credits = addCredits(credits, balance);
        if (same) verifiedCredits = addCredits(verifiedCredits, balance);
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

/** A text that is the same for rows that are the same. Entries of the log never change: their ids are enough. */
export function textOf<Kind extends CopyKind>(kind: Kind, row: CopyRows[Kind]): string {
  switch (kind) {
    case 'workspaces':
      return JSON.stringify(workspaceOf(row as Workspace));
    case 'keys': {
      const key = row as KeyRow;
      return JSON.stringify({ ...keyOf(key), hash: key.hash });
    }
    case 'templates': {
      const template = row as TemplateRow;
      return JSON.stringify({ ...templateOf(template), record: template.record });
    }
    case 'charges': {
      const { id, workspaceId, cost, chargedAt } = row as Charge;
      return JSON.stringify({ id, workspaceId, cost, chargedAt });
    }
    default:
      return row.id;
  }
}
