// Bounds the cost of guessing passwords: one failed sign-in a second overall, and ever fewer for one account. Sign-ins that
// succeed use up nothing.
import { DashboardError } from '../errors.js';

/** Milliseconds from the start of a failed sign-in until the next one may start. */
const PACE_MS = 1000;
/** Sign-ins that may wait for their turn. */
const MAX_WAITING = 4;
/** Failures in a row that an account gets for free: people mistype. */
const FREE_FAILURES = 3;
const FIRST_DELAY_MS = 1000;
/**
 * Longest delay for an account. An attacker can keep its owner waiting for this long in browsers that the owner has never used.
 */
const MAX_DELAY_MS = 60_000;
/** Milliseconds after which failures are forgotten. */
const FORGET_MS = 15 * 60_000;
/** Largest number of accounts whose failures are remembered; at one failure a second, it takes hours to displace them. */
const MAX_ACCOUNTS = 10_000;

export interface Clock {
  /** The present time in milliseconds. */
  now(): number;
  sleep(milliseconds: number): Promise<void>;
}

const CLOCK: Clock = {
  now: () => performance.now(),
  sleep: (milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds)),
};

interface Failures {
  count: number;
  lastAt: number;
}

export class Attempts {
  /** Failures by account name, whether or not the account exists; the most recent ones come last. */
  private readonly failures = new Map<string, Failures>();
  private waiting = 0;
  private turn: Promise<unknown> = Promise.resolve();
  /** Time at which the next attempt may start. */
  private startsAt = 0;

  constructor(private readonly clock: Clock = CLOCK) {}

  /** Creates a separate queue with the same bounds. */
  another(): Attempts {
    return new Attempts(this.clock);
  }

  /** Number of accounts whose failures are remembered. */
  get size(): number {
    return this.failures.size;
  }

  /**
   * Runs `attempt`, which says whether the password was right. Rejects with DashboardError, without running it:
   * `too_many_attempts` for an account that failed too often, and `busy` when too many attempts wait.
   */
  async run<Result>(name: string, attempt: () => Promise<Result | undefined>): Promise<Result | undefined> {
    this.checkDelay(name);
    if (this.waiting > MAX_WAITING)
      throw new DashboardError('busy', 'too many sign-ins at once; try again in a second', 1);
    this.waiting++;
    const result = this.turn.then(() => this.inTurn(name, attempt)).finally(() => this.waiting--);
    this.turn = result.catch(() => undefined);
    return await result;
  }

  private async inTurn<Result>(name: string, attempt: () => Promise<Result | undefined>): Promise<Result | undefined> {
    // attempts that waited together were all admitted at the same number of failures
    this.checkDelay(name);
    const { clock } = this;
    const early = this.startsAt - clock.now();
    if (early > 0) await clock.sleep(early);
    const startedAt = clock.now();
    const result = await attempt();
    if (result !== undefined) this.failures.delete(name);
    else {
      this.startsAt = startedAt + PACE_MS;
      this.addFailure(name);
    }
    return result;
  }

  private addFailure(name: string): void {
    const now = this.clock.now();
    const known = this.failures.get(name);
    const count = known && now - known.lastAt < FORGET_MS ? known.count + 1 : 1;
    this.failures.delete(name);
    this.failures.set(name, { count, lastAt: now });
    if (this.failures.size <= MAX_ACCOUNTS) return;
    const [oldest] = this.failures.keys();
    this.failures.delete(oldest);
  }

  private checkDelay(name: string): void {
    const { count, lastAt } = this.failures.get(name) ?? { count: 0, lastAt: 0 };
    if (count < FREE_FAILURES) return;
    const delay = Math.min(FIRST_DELAY_MS * 2 ** (count - FREE_FAILURES), MAX_DELAY_MS);
    const leftMs = lastAt + delay - this.clock.now();
    if (leftMs <= 0) return;
    const seconds = Math.ceil(leftMs / 1000);
    throw new DashboardError(
      'too_many_attempts',
      `too many wrong passwords for this name; try again in ${seconds} s`,
      seconds,
    );
  }
}
