// A bounded pool of database connections with timeouts and retries. A query always ends within seconds, with its rows or
// RenderError `storage_unavailable`. After an outage the pool recovers without intervention.
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { type CodedError, ServiceError } from '../../errors.js';
import { StoreError } from '../types.js';
import {
  isConnectionLost,
  isPreparedStatementMismatch,
  isRetryableConflict,
  NoConnection,
  reasonOf,
  unavailable,
} from './errors.js';

/** Timeouts of one connection and one statement, in milliseconds. */
export const TIMEOUTS = {
  /** Getting a connection from the pool, existing or new. */
  connect: 3000,
  /** Waiting for a row that another transaction has locked. */
  lock: 3000,
  /** A statement, measured by the database. */
  statement: 4000,
  /** A statement, measured by this process, for a database that does not respond at all. */
  response: 5000,
  /** A transaction without statements. */
  idleTransaction: 10_000,
} as const;

/** No retry starts later than this many milliseconds after the first attempt. */
const RETRY_WINDOW_MS = 3000;
/** The longest delay of a Node timer, in milliseconds: in effect no timeout. */
const MAX_TIMER_MS = 2 ** 31 - 1;
/** Most retries of a statement after conflicts with other transactions. */
const MAX_CONFLICT_RETRIES = 4;
/** Connections are replaced after this many seconds, so that after a failover none stays with the old server. */
const MAX_CONNECTION_AGE_S = 1800;

/**
 * Delays before the retries after a lost connection, in milliseconds.
 * `never`: the statement must not take effect twice. `once`: one retry, if the connection was lost during the statement.
 * `backoff`: several retries, also when no connection could be opened.
 */
const RETRY_DELAYS_MS = {
  never: [],
  once: [0],
  backoff: [30, 150, 600],
} as const satisfies Record<string, readonly number[]>;
export type RetryPolicy = keyof typeof RETRY_DELAYS_MS;

export interface DatabaseOptions {
  /** Most connections at once. */
  readonly connections: number;
  readonly warn: (message: string) => void;
}

/** A statement that is prepared once per connection, under its name. */
export interface Statement {
  readonly name: string;
  readonly text: string;
}

/** Statements by their names. */
export function statements<Name extends string>(texts: Readonly<Record<Name, string>>): Record<Name, Statement> {
  const named = Object.entries<string>(texts).map(([name, text]) => [name, { name, text }]);
  return Object.fromEntries(named) as Record<Name, Statement>;
}

/** Runs one statement within a transaction and returns its rows. */
export type Query = <Row extends object>(text: string, values?: readonly unknown[]) => Promise<Row[]>;

export class Database {
  readonly #pool: pg.Pool;
  readonly #warn: (message: string) => void;
  readonly #running = new Set<Promise<unknown>>();
  /** Errors of the `work` functions of transactions, as opposed to errors of the database. */
  readonly #workErrors = new WeakSet();
  #closed: Promise<void> | undefined;
  /** Whether the last query lost its connection; the warning is given once per outage. */
  #isUnreachable = false;
  /** Set to false when a pooler uses another session, with other prepared statements, for each transaction. */
  #usesPreparedStatements = true;

  /** Does not connect yet. Throws StoreError when `url` is invalid; the message repeats no part of it. */
  constructor(url: string, { connections, warn }: DatabaseOptions) {
    this.#warn = warn;
    this.#pool = new pg.Pool(poolConfig(url, connections));
    // These errors would end the process if they had no listener: idle connections break when the database stops.
    this.#pool.on('error', (error) => this.#reportLoss(error));
    this.#pool.on('connect', (client) => void client.on('error', () => undefined));
  }

  /** The rows of a prepared statement. Rejects with RenderError `storage_unavailable`; `cause` is the database's error. */
  query<Row extends object>(
    statement: Statement,
    values: readonly unknown[],
    policy: RetryPolicy = 'never',
  ): Promise<Row[]> {
    if (this.#closed) return Promise.reject(closedError());
    return this.#track(
      this.#withRetries(policy, async (client) => {
        const unnamed = { text: statement.text, values: [...values] };
        if (!this.#usesPreparedStatements) return (await client.query<Row>(unnamed)).rows;
        try {
          return (await client.query<Row>({ ...unnamed, name: statement.name })).rows;
        } catch (error) {
          if (!isPreparedStatementMismatch(error)) throw error;
          if (this.#usesPreparedStatements) {
            this.#warn('a pooler mixes prepared statements up: they are no longer used');
          }
          this.#usesPreparedStatements = false;
          return (await client.query<Row>(unnamed)).rows;
        }
      }),
    );
  }

  /**
   * Does `work` in one transaction, which is rolled back when `work` throws; its errors are passed on unchanged. `begin` is
   * the BEGIN statement with its modes. Statements in a transaction have no timeout.
   */
  transaction<Result>(work: (query: Query) => Promise<Result>, begin = 'BEGIN'): Promise<Result> {
    if (this.#closed) return Promise.reject(closedError());
    let databaseError: unknown;
    const runTransaction = async (client: pg.PoolClient) => {
      const query: Query = async <Row extends object>(text: string, values: readonly unknown[] = []) => {
        // Copying a large table takes longer than the timeout of a request.
        const config = { text, values: [...values], query_timeout: MAX_TIMER_MS };
        try {
          return (await client.query<Row>(config)).rows;
        } catch (error) {
          databaseError = error;
          throw error;
        }
      };
      await query(begin);
      try {
        await query('SET LOCAL statement_timeout = 0');
        const result = await work(query);
        await query('COMMIT');
        return result;
      } catch (error) {
        if (error !== databaseError && error instanceof Object) this.#workErrors.add(error);
        await query('ROLLBACK').catch(() => undefined);
        throw error;
      }
    };
    return this.#track(this.#withRetries('never', runTransaction));
  }

  /** Waits for the running queries, then closes all connections. Idempotent. */
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

  async #withRetries<Result>(policy: RetryPolicy, work: (client: pg.PoolClient) => Promise<Result>): Promise<Result> {
    const start = performance.now();
    for (let attempt = 0; ; attempt++) {
      try {
        const result = await this.#withClient(work);
        if (this.#isUnreachable) this.#warn('the database answers again');
        this.#isUnreachable = false;
        return result;
      } catch (error) {
        if (this.#isWorkError(error)) throw error;
        if (isConnectionLost(error)) this.#reportLoss(error);
        const isTooLate = performance.now() - start > RETRY_WINDOW_MS;
        const delayMs = isTooLate ? undefined : retryDelay(error, attempt, policy);
        if (delayMs === undefined) {
          if (!isConnectionLost(error)) this.#warn(`the database refused: ${reasonOf(error)}`);
          throw unavailable(error);
        }
        await sleep(delayMs);
      }
    }
  }

  async #withClient<Result>(work: (client: pg.PoolClient) => Promise<Result>): Promise<Result> {
    const client = await this.#pool.connect().catch((error) => {
      throw new NoConnection(error);
    });
    let connectionError: Error | undefined;
    try {
      return await work(client);
    } catch (error) {
      if (!this.#isWorkError(error) && isConnectionLost(error)) connectionError = error as Error;
      throw error;
    } finally {
      // An error closes the connection: a statement may still be running in it, so it is never reused.
      client.release(connectionError);
    }
  }

  #isWorkError(error: unknown): boolean {
    return error instanceof Object && this.#workErrors.has(error);
  }

  #reportLoss(error: unknown): void {
    if (!this.#isUnreachable && !this.#closed) this.#warn(`the database can’t be reached: ${reasonOf(error)}`);
    this.#isUnreachable = true;
  }
}

/** Milliseconds until the next attempt; undefined: no retry. */
function retryDelay(error: unknown, attempt: number, policy: RetryPolicy): number | undefined {
  if (isRetryableConflict(error)) {
    // Random jitter, so that the conflicting transactions do not retry in step.
    return attempt < MAX_CONFLICT_RETRIES ? Math.random() * 20 * (attempt + 1) : undefined;
  }
  if (!isConnectionLost(error) || (error instanceof NoConnection && policy !== 'backoff')) return undefined;
  return RETRY_DELAYS_MS[policy][attempt];
}

function closedError(): CodedError {
  return new ServiceError('storage_unavailable', 'storage is unavailable: it has been closed');
}

function poolConfig(url: string, connections: number): pg.PoolConfig {
  const [base, query] = url.split(/\?(.*)/s);
  const parameters = new URLSearchParams(query);
  // The schema's functions need a new snapshot for each of their statements, whatever the server's default isolation is.
  const isolation = '-c default_transaction_isolation=read\\ committed';
  parameters.set('options', `${parameters.get('options') ?? ''} ${isolation}`.trim());
  if (!parameters.has('application_name')) parameters.set('application_name', 'platen');
  const config = {
    connectionString: `${base}?${parameters}`,
    max: connections,
    connectionTimeoutMillis: TIMEOUTS.connect,
    lock_timeout: TIMEOUTS.lock,
    statement_timeout: TIMEOUTS.statement,
    query_timeout: TIMEOUTS.response,
    idle_in_transaction_session_timeout: TIMEOUTS.idleTransaction,
    maxLifetimeSeconds: MAX_CONNECTION_AGE_S,
    keepAlive: true,
  };
  try {
    new pg.Client(config);
  } catch (error) {
    // The message names a missing certificate file; it repeats nothing of the URL itself.
    const { syscall, message } = error as NodeJS.ErrnoException;
    throw new StoreError(
      `the database's URL: ${syscall === undefined ? 'expected one such as postgres://user:password@host/database' : message}`,
    );
  }
  return config;
}
