// Reads statistics of the database, and formats tables in Markdown.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Fleet } from './fleet.js';

export type Print = (line: string) => void;

export function table(print: Print, head: readonly string[], rows: readonly (readonly (string | number)[])[]): void {
  print(`| ${head.join(' | ')} |`);
  print(`|${'---|'.repeat(head.length)}`);
  for (const row of rows) print(`| ${row.join(' | ')} |`);
  print('');
}

export const fixed = (value: number, digits = 1) => value.toFixed(digits);
export const thousand = (value: number) => Math.round(value).toLocaleString('en');

/** The database's main process. */
export const postmasterOf = ({ cluster }: Fleet) =>
  Number(readFileSync(join(cluster.folder, 'data/postmaster.pid'), 'utf8').split('\n', 1)[0]);

/** Statistics of one store operation in the database, summed over its calls. */
export interface Verb {
  readonly verb: string;
  readonly calls: number;
  readonly milliseconds: number;
  readonly wal: number;
  readonly blocks: number;
}

/** The statistics of all store operations, from pg_stat_statements. */
export async function verbsOf({ cluster, database }: Fleet): Promise<Verb[]> {
  return await cluster.ask<Verb>(
    database,
    `SELECT coalesce(substring(query FROM 'platen\\.(\\w+)\\('), 'find_key') AS verb, sum(calls)::int AS calls,
      sum(total_exec_time) AS milliseconds, sum(wal_bytes)::float8 AS wal,
      sum(shared_blks_hit + shared_blks_read)::float8 AS blocks
    FROM pg_stat_statements WHERE toplevel AND query ~ 'platen\\.(\\w+\\(|keys k)' GROUP BY 1 ORDER BY 1`,
  );
}

/** An idle session reports its counters within ten seconds. */
const FLUSH_MS = 11_000;

/** Numbers of rows inserted, updated and deleted so far, in all tables. */
export async function rowsOf({ cluster, database }: Fleet): Promise<number[]> {
  await sleep(FLUSH_MS);
  const [row] = await cluster.ask<Record<string, number>>(
    database,
    `SELECT sum(n_tup_ins)::float8 AS added, sum(n_tup_upd)::float8 AS changed, sum(n_tup_del)::float8 AS removed
    FROM pg_stat_user_tables`,
  );
  return Object.values(row);
}

export interface Wal {
  readonly bytes: number;
  readonly syncs: number;
  readonly syncMs: number;
}

/** Totals of the write-ahead log so far. */
export async function walOf({ cluster, database }: Fleet): Promise<Wal> {
  const [row] = await cluster.ask<Wal>(
    database,
    `SELECT pg_wal_lsn_diff(pg_current_wal_lsn(), '0/0')::float8 AS bytes, wal_sync::float8 AS syncs,
      wal_sync_time AS "syncMs" FROM pg_stat_wal`,
  );
  return row;
}
