// A URL → a bounded pool of connections, every one of them with time-outs of its own. Whatever the database does, a query
// ends within some seconds: in its rows, or in RenderError `storage_unavailable`. It recovers by itself.
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { RenderError } from '../../errors.js';
import { StoreError } from '../types.js';
import { isConnectionLost, isRetryableConflict, isUnprepared, NoConnection, reasonOf, unavailable } from './errors.js';

/** Time-outs of one connection and one statement, in milliseconds. */
export const TIMEOUTS = {
  /** To get a connection, a new one or one of the pool. */
  connect: 3000,
  /** Waiting for a row that another transaction has locked. */
  lock: 3000,
  /** One statement, by the database's own clock. */
  statement: 4000,
  /** The same by ours: a database that is frozen says nothing. */
  answer: 5000,
  /** Within a transaction that nobody goes on with. */
  idleTransaction: 10_000,
} as const;

/** No new attempt is begun so many milliseconds after the first. */
const PATIENCE_MS = 3000;
/** The longest time that a timer knows, in milliseconds: none. */
const MAX_MS = 2 ** 31 - 1;
/** How often a statement that lost against others is asked again. */
const OUTRUN_ATTEMPTS = 4;
/** A connection's longest life, in seconds: after a failover, none goes on to lead to the old place. */
const LIFETIME_S = 1800;

/**
 * Which losses of the connection a statement is asked again after, and after how many milliseconds each:
 * `once`: none, as it must not take effect twice; `again`: of one under way; `patient`: of one that can't be had as well.
 */
const PAUSES = { once: [], again: [0], patient: [30, 150, 600] } as const satisfies Record<string, readonly number[]>;
export type RetryPolicy = keyof typeof PAUSES;

export interface DatabaseOptions {
  /** Most connections at once. */
  readonly connections: number;
  readonly warn: (message: string) => void;
}

/** A statement that each connection prepares once, under its name. */
export interface Statement {
  readonly name: string;
  readonly text: string;
}

/** Whoever takes statements: the pool, or one connection in a transaction. */
export type Query = <Row extends object>(text: string, values?: readonly unknown[]) => Promise<Row[]>;

export class Database {
  readonly #pool: pg.Pool;
  readonly #warn: (message: string) => void;
  readonly #running = new Set<Promise<unknown>>();
  /** Errors that came out of somebody's work within a transaction. */
  readonly #foreign = new WeakSet();
  #closed: Promise<void> | undefined;
  /** Whether the last query was lost: said once, not with every query. */
  #away = false;
  /** Until a pooler shows that it lends another session to each transaction, with other statements prepared in it. */
  #prepares = true;

  /** Connects to nothing yet. Throws StoreError when `url` can't be read; no part of it is repeated. */
  constructor(url: string, { connections, warn }: DatabaseOptions) {
    this.#warn = warn;
    this.#pool = new pg.Pool(configOf(url, connections));
    // Unheard, either would end the process: idle connections break whenever the database goes down.
    this.#pool.on('error', (error) => this.#lost(error));
    this.#pool.on('connect', (client) => void client.on('error', () => undefined));
  }

  /** The rows of a prepared statement. Rejects with RenderError `storage_unavailable`, its cause the database's words. */
  query<Row extends object>(
    statement: Statement,
    values: readonly unknown[],
    patience: RetryPolicy = 'once',
  ): Promise<Row[]> {
    if (this.#closed) return Promise.reject(closedError());
    return this.#track(
      this.#persist(patience, async (client) => {
        const unnamed = { text: statement.text, values: [...values] };
        if (!this.#prepares) return (await client.query<Row>(unnamed)).rows;
        try {
          return (await client.query<Row>({ ...unnamed, name: statement.name })).rows;
        } catch (error) {
          if (!isUnprepared(error)) throw error;
          if (this.#prepares) this.#warn('a pooler mixes prepared statements up: they are no longer used');
          this.#prepares = false;
          return (await client.query<Row>(unnamed)).rows;
        }
      }),
    );
  }

  /**
   * Does `work` in one transaction, which is undone when it throws; its own errors come through. `begin`: BEGIN with its
   * modes. Statements in it take as long as they need.
   */
  transaction<Result>(work: (ask: Query) => Promise<Result>, begin = 'BEGIN'): Promise<Result> {
    if (this.#closed) return Promise.reject(closedError());
    let failed: unknown;
    const inside = async (client: pg.PoolClient) => {
      const ask: Query = async <Row extends object>(text: string, values: readonly unknown[] = []) => {
        // A large table takes longer to copy than a request may take.
        const query = { text, values: [...values], query_timeout: MAX_MS };
        try {
          return (await client.query<Row>(query)).rows;
        } catch (error) {
          failed = error;
          throw error;
        }
      };
      await ask(begin);
      try {
        await ask('SET LOCAL statement_timeout = 0');
        const result = await work(ask);
        await ask('COMMIT');
        return result;
      } catch (error) {
        if (error !== failed && error instanceof Object) this.#foreign.add(error);
        await ask('ROLLBACK').catch(() => undefined);
        throw error;
      }
    };
    return this.#track(this.#persist('once', inside));
  }

  /** Lets what runs come to its end, then closes every connection; once. */
  close(): Promise<void> {
    this.#closed ??= Promise.resolve().then(async () => {
      while (this.#running.size > 0) await Promise.allSettled(this.#running);
      await this.#pool.end();
    });
    return this.#closed;
  }

  #track<Result>(work: Promise<Result>): Promise<Result> {
    this.#running.add(work);
    const done = () => void this.#running.delete(work);
    work.then(done, done);
    return work;
  }

  async #persist<Result>(patience: RetryPolicy, work: (client: pg.PoolClient) => Promise<Result>): Promise<Result> {
    const began = performance.now();
    for (let attempt = 0; ; attempt++) {
      try {
        const result = await this.#once(work);
        if (this.#away) this.#warn('the database answers again');
        this.#away = false;
        return result;
      } catch (error) {
        if (this.#isForeign(error)) throw error;
        if (isConnectionLost(error)) this.#lost(error);
        const pause = performance.now() - began > PATIENCE_MS ? undefined : pauseAfter(error, attempt, patience);
        if (pause === undefined) {
          if (!isConnectionLost(error)) this.#warn(`the database refused: ${reasonOf(error)}`);
          throw unavailable(error);
        }
        await sleep(pause);
      }
    }
  }

  async #once<Result>(work: (client: pg.PoolClient) => Promise<Result>): Promise<Result> {
    const client = await this.#pool.connect().catch((error) => {
      throw new NoConnection(error);
    });
    let broken: Error | undefined;
    try {
      return await work(client);
    } catch (error) {
      if (!this.#isForeign(error) && isConnectionLost(error)) broken = error as Error;
      throw error;
    } finally {
      // One that may still have a statement under way is never given to somebody else.
      client.release(broken);
    }
  }

  #isForeign(error: unknown): boolean {
    return error instanceof Object && this.#foreign.has(error);
  }

  #lost(error: unknown): void {
    if (!this.#away && !this.#closed) this.#warn(`the database can’t be reached: ${reasonOf(error)}`);
    this.#away = true;
  }
}

function pauseAfter(error: unknown, attempt: number, patience: RetryPolicy): number | undefined {
  // Not both at the same moment again.
  if (isRetryableConflict(error)) return attempt < OUTRUN_ATTEMPTS ? Math.random() * 20 * (attempt + 1) : undefined;
  if (!isConnectionLost(error) || (error instanceof NoConnection && patience !== 'patient')) return undefined;
  return PAUSES[patience][attempt];
}

function closedError(): RenderError {
  return new RenderError('storage_unavailable', 'storage is unavailable: it has been closed');
}

function configOf(url: string, connections: number): pg.PoolConfig {
  const [place, query] = url.split(/\?(.*)/s);
  const parameters = new URLSearchParams(query);
  // The functions of the schema rely on a new snapshot for each of their statements, whatever the server's default is.
  const isolation = '-c default_transaction_isolation=read\\ committed';
  parameters.set('options', `${parameters.get('options') ?? ''} ${isolation}`.trim());
  if (!parameters.has('application_name')) parameters.set('application_name', 'platen');
  const config = {
    connectionString: `${place}?${parameters}`,
    max: connections,
    connectionTimeoutMillis: TIMEOUTS.connect,
    lock_timeout: TIMEOUTS.lock,
    statement_timeout: TIMEOUTS.statement,
    query_timeout: TIMEOUTS.answer,
    idle_in_transaction_session_timeout: TIMEOUTS.idleTransaction,
    maxLifetimeSeconds: LIFETIME_S,
    keepAlive: true,
  };
  try {
    new pg.Client(config);
  } catch (error) {
    // A certificate that is not there is named; of the URL itself nothing is repeated.
    const { syscall, message } = error as NodeJS.ErrnoException;
    throw new StoreError(
      `the database's URL: ${syscall === undefined ? 'expected one such as postgres://user:password@host/database' : message}`,
    );
  }
  return config;
}
