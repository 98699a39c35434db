// The time by which idempotency keys expire. It follows the wall clock, but never goes back, not even over restarts, and a jump
// of the wall clock by more than a day does not move it: keys that expire too early would be charged again, while keys that are
// kept too long do no harm. A server that was off for more than a day looks like such a jump.
import { isObject } from '../../../contract/schema/fields.js';

/** The same moment by the store's clock and by the wall clock: milliseconds since 1970. */
export interface ClockMark {
  readonly time: number;
  readonly wall: number;
}

export interface StoreClockOptions {
  readonly folder: string;
  /** The wall clock. */
  readonly now: () => Date;
  /** Monotonic milliseconds. */
  readonly clock: () => number;
  readonly warn: (message: string) => void;
}

const HOUR_MS = 3_600_000;
/** The wall clock is followed when it moves by at most this more, or less, than the time that has passed. */
const MAX_JUMP_MS = 24 * HOUR_MS;
/** A start-up reports a wall clock that went back by more than this: corrections by a time server are smaller. */
const MAX_SILENT_MS = 60_000;

export class StoreClock {
  readonly #options: StoreClockOptions;
  /** The latest time that was read. */
  #time: number;
  /** Milliseconds by which the store's time is ahead of the wall clock. */
  #offset: number;
  /** Time of that reading by the monotonic clock. */
  #readAt: number;

  /** `mark` is the last stored one; undefined for a new folder. Warns when the wall clock has jumped since. */
  constructor(mark: ClockMark | undefined, options: StoreClockOptions) {
    this.#options = options;
    const wall = options.now().getTime();
    const { time, wall: lastWall } = mark ?? { time: wall, wall };
    this.#time = time;
    this.#offset = time - lastWall;
    this.#readAt = options.clock();
    const behindMs = lastWall - wall;
    if (behindMs > MAX_SILENT_MS && behindMs <= MAX_JUMP_MS) this.#report(-behindMs);
    this.read();
  }

  /** Milliseconds since 1970; never less than before. */
  read(): number {
    const { now, clock } = this.#options;
    const readAt = clock();
    const expected = this.#time + Math.max(0, readAt - this.#readAt);
    const jump = now().getTime() + this.#offset - expected;
    if (Math.abs(jump) > MAX_JUMP_MS) {
      this.#report(jump);
      this.#offset -= jump;
    }
    this.#readAt = readAt;
    this.#time = Math.max(this.#time, now().getTime() + this.#offset);
    return this.#time;
  }

  /** The present moment, to be stored with what is timed by it. */
  mark(): ClockMark {
    const time = this.read();
    return { time, wall: time - this.#offset };
  }

  /** The wall clock's time at `time` of this clock. */
  toWall(time: number): number {
    return time - this.#offset;
  }

  /** This clock's time at `wall` of the wall clock. */
  fromWall(wall: number): number {
    return wall + this.#offset;
  }

  #report(jump: number): void {
    const { folder, warn } = this.#options;
    const hours = Math.abs(jump) / HOUR_MS;
    const long = hours < 48 ? `${hours.toFixed(1)} hours` : `${(hours / 24).toFixed(1)} days`;
    const consequence = 'idempotency keys are kept as if it had not';
    warn(
      jump < 0
        ? `${folder}: the clock went back by ${long}: check it; ${consequence}`
        : `${folder}: the clock went ahead by ${long}: check it, unless the server was off for so long; ${consequence}`,
    );
  }
}

/** The mark in a header; undefined when there is none, or it is malformed. */
export function parseClockMark(value: unknown): ClockMark | undefined {
  if (!isObject(value) || !Number.isFinite(value.time) || !Number.isFinite(value.wall)) return undefined;
  return { time: value.time as number, wall: value.wall as number };
}
