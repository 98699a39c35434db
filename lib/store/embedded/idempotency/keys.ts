// The idempotency keys of the embedded store: leases of running requests in memory, settled keys in the log.
import { definedFields } from '../../../contract/json/defined-fields.js';
import { ServiceError } from '../../../errors.js';
import { digestOf } from '../../idempotency-key.js';
import type { IdempotencyClaim, IdempotencyKey, IdempotencyLease, Settlement } from '../../types.js';
import type { PreparedHeader } from '../table.js';
import { Leases } from './leases.js';
import { IdempotencyLog, type IdempotencyLogOptions, KEPT_MS } from './log.js';
import { encodeRecord } from './record.js';
import { type ClockMark, parseClockMark, StoreClock } from './store-clock.js';

export interface IdempotencyOptions extends IdempotencyLogOptions {
  /** Monotonic milliseconds, for the leases. */
  readonly clock: () => number;
  /** Duration of a lease in milliseconds. */
  readonly leaseMs: number;
}

/** The field of the header that commits the log's records. */
const HEADER_FIELD = 'idempotency';
/** The field of the header with the mark of the clock by which they expire. */
const CLOCK_FIELD = 'clock';

/**
 * The mark from which the clock goes on: the stored one, or the time of the latest record if an earlier version, which stores no
 * mark, has written it. Undefined when the clock is ahead and no key is left that could expire too early.
 */
function markOf(stored: unknown, newestAt: number, now: Date): ClockMark | undefined {
  const known = parseClockMark(stored);
  const mark = known && known.time >= newestAt ? known : { time: newestAt, wall: newestAt };
  const isKeyLeft = newestAt > 0 && mark.time - newestAt < KEPT_MS;
  return isKeyLeft || now.getTime() < mark.wall ? mark : undefined;
}

export class IdempotencyKeys {
  readonly #log: IdempotencyLog;
  readonly #leases: Leases;
  readonly #clock: StoreClock;
  /** The records of the charges in a draft. */
  readonly #staged = new WeakMap<object, Buffer[]>();

  private constructor(log: IdempotencyLog, storeClock: StoreClock, { clock, leaseMs }: IdempotencyOptions) {
    this.#log = log;
    this.#clock = storeClock;
    this.#leases = new Leases(clock, leaseMs);
  }

  /** `header` is that of the durable workspaces.json. Throws the system's error. */
  static async open(header: Readonly<Record<string, unknown>>, options: IdempotencyOptions): Promise<IdempotencyKeys> {
    const log = await IdempotencyLog.open(header[HEADER_FIELD], {
      ...options,
      now: () => new Date(storeClock.read()),
    });
    const storeClock = new StoreClock(markOf(header[CLOCK_FIELD], log.newestAt, options.now()), options);
    return new IdempotencyKeys(log, storeClock, options);
  }

  /** Looks the key up and, if it is free, takes the lease. Rejects with RenderError `storage_unavailable`. */
  async claim(key: IdempotencyKey, fingerprint: string): Promise<IdempotencyClaim> {
    const digest = digestOf(key);
    let looked = '';
    for (;;) {
      const inProgressMs = this.#leases.remainingMs(key);
      if (inProgressMs !== undefined) return { inProgressMs };
      const candidates = this.#log.candidates(digest).join();
      // All candidates turned out to be of another key or expired, and none was added while they were read.
      if (candidates === looked) return { lease: this.#leases.create(key, fingerprint) };
      const settled = await this.#log.find(digest);
      if (settled) return { settled };
      looked = candidates;
    }
  }

  /** Fingerprint of the request that settled the key; undefined if there is none. Rejects as `claim` does. */
  async settledFingerprint(key: IdempotencyKey): Promise<string | undefined> {
    return (await this.#log.find(digestOf(key)))?.fingerprint;
  }

  release(lease: IdempotencyLease): void {
    this.#leases.release(lease);
  }

  /**
   * Starts settling the lease, which does not expire from here on; call `end` afterwards. Returns the record for `stage`.
   * Throws RenderError `storage_unavailable` when the lease has ended; `end` must not be called then.
   */
  startSettling({ lease, renderId, templateVersion, brandVersion }: Settlement, creditsCost: number): Buffer {
    const { key, fingerprint } = lease;
    const versions = definedFields({ templateVersion, brandVersion });
    const record = { fingerprint, renderId, creditsCost, ...versions };
    const bytes = encodeRecord({ ...record, digest: digestOf(key), time: this.#clock.read() });
    if (!this.#leases.startSettling(lease))
      throw new ServiceError('storage_unavailable', 'storage is unavailable: the idempotency key’s lease has ended');
    return bytes;
  }

  /** Adds a record to what is committed together with `draft`. */
  stage(draft: object, record: Buffer): void {
    const staged = this.#staged.get(draft);
    if (staged) staged.push(record);
    else this.#staged.set(draft, [record]);
  }

  /** Makes the records of a draft durable, and marks the time of the write; see Table.prepareWrite. */
  async prepareWrite(draft: object): Promise<PreparedHeader> {
    const records = this.#staged.get(draft);
    const clock = this.#clock.mark();
    if (!records) return { fields: { [CLOCK_FIELD]: clock }, commit: () => undefined };
    const { segments, commit } = await this.#log.prepare(records);
    return { fields: { [CLOCK_FIELD]: clock, [HEADER_FIELD]: segments }, commit };
  }

  /** Ends a lease that was settling. */
  end(lease: IdempotencyLease): void {
    this.#leases.end(lease);
  }

  /** Converts times of records. */
  get clock(): Pick<StoreClock, 'toWall' | 'fromWall'> {
    return this.#clock;
  }

  /** The log itself, to copy its records. */
  get log(): Pick<IdempotencyLog, 'size' | 'records'> {
    return this.#log;
  }

  async close(): Promise<void> {
    await this.#log.close();
  }
}
