// Who may render now: places and memory for the renders in flight, and a bounded line for the others. Small renders
// have a lane of their own, a share of the memory and a place that large ones never take; large ones wait for each other.
// Who could only come in too late is refused at once.
import { RenderError } from '../errors.js';
import type { Shelf } from './shelf.js';

/** Up to this many bytes a render counts as small: a 2,000 × 2,000 canvas with a few photographs. */
const SMALL_BYTES = 64 * 2 ** 20;
/** The part of the memory that is kept for small renders; a large one that needs the rest runs alone but for them. */
const SMALL_SHARE = 1 / 4;

export interface AdmissionOptions {
  /** Renders that may run at once; one more when a large one is among them. */
  readonly places: number;
  /** Renders that may wait. */
  readonly queue: number;
  /** Bytes that the renders in flight may hold together, one that needs more excepted. */
  readonly memoryBytes: number;
  /** What the server itself holds of its requests: of the same memory. */
  readonly shelf?: Shelf;
  /** Milliseconds that a render may be expected to wait; without end unless given. */
  readonly mostWaitMs?: number;
  /** Milliseconds after which one that was let into the line all the same is refused; without end unless given. */
  readonly longestWaitMs?: number | undefined;
}

/**
 * A line of up to so many renders for each place is not too long, however slowly it moved of late: small ones, which a
 * server that has just begun draws at a tenth of its speed, and large ones.
 */
const SHORT_LINE = { small: 32, large: 8 } as const;
/** The weight of the newest render in what a render of its lane is expected to take. */
const NEWEST = 1 / 8;

/** The renders of one kind: those that wait, first come first, and what those in flight take. */
interface Lane {
  readonly waiting: Waiting[];
  running: number;
  bytes: number;
  /** Milliseconds from start to end, as the latest renders took; 0 before the first. */
  usualMs: number;
}

interface Waiting {
  readonly bytes: number;
  start(): void;
}

function refusal(): RenderError {
  return new RenderError('overloaded', 'too many renders are waiting; try again in a moment');
}

/** Gives a place back; what is given back twice counts once. */
export type Leave = () => void;

export class Admission {
  private readonly small: Lane = { waiting: [], running: 0, bytes: 0, usualMs: 0 };
  private readonly large: Lane = { waiting: [], running: 0, bytes: 0, usualMs: 0 };

  constructor(private readonly options: AdmissionOptions) {
    options.shelf?.onRoom(() => this.admit());
  }

  get queued(): number {
    return this.small.waiting.length + this.large.waiting.length;
  }

  get running(): number {
    return this.small.running + this.large.running;
  }

  get memory(): number {
    return this.small.bytes + this.large.bytes;
  }

  /**
   * Waits for a place for a render that will hold `bytes`. Rejects with RenderError `overloaded`: at once when the line is
   * full or moves too slowly, or when it has waited for too long; and with the signal's reason when it aborts first.
   */
  async enter(bytes: number, signal?: AbortSignal): Promise<Leave> {
    signal?.throwIfAborted();
    const lane = bytes <= SMALL_BYTES ? this.small : this.large;
    return new Promise<Leave>((resolve, reject) => {
      let started = false;
      const entry: Waiting = {
        bytes,
        start: () => {
          started = true;
          leaveLine();
          resolve(this.occupy(lane, bytes));
        },
      };
      let timer: NodeJS.Timeout | undefined;
      const leaveLine = () => {
        clearTimeout(timer);
        signal?.removeEventListener('abort', giveUp);
      };
      const giveUp = () => {
        leaveLine();
        lane.waiting.splice(lane.waiting.indexOf(entry), 1);
        reject(signal?.aborted ? signal.reason : refusal());
        // others may have waited behind it
        this.admit();
      };
      lane.waiting.push(entry);
      this.admit();
      if (started) return;
      if (this.queued > this.options.queue || this.isTooSlow(lane)) {
        lane.waiting.pop();
        reject(refusal());
        return;
      }
      const { longestWaitMs } = this.options;
      if (longestWaitMs !== undefined) timer = setTimeout(giveUp, longestWaitMs);
      signal?.addEventListener('abort', giveUp, { once: true });
    });
  }

  /** Throws RenderError `overloaded` when the next small render would be refused: before anything is fetched for it. */
  check(): void {
    const { queue } = this.options;
    const isFull = queue > 0 && this.queued >= queue;
    if (isFull || (this.small.waiting.length > 0 && this.isTooSlow(this.small))) throw refusal();
  }

  private occupy(lane: Lane, bytes: number): Leave {
    lane.running++;
    lane.bytes += bytes;
    const began = performance.now();
    let left = false;
    return () => {
      if (left) return;
      left = true;
      lane.running--;
      lane.bytes -= bytes;
      const took = performance.now() - began;
      lane.usualMs += (took - lane.usualMs) * (lane.usualMs === 0 ? 1 : NEWEST);
      this.admit();
    };
  }

  /** Whether the last of a lane's line would wait for too long: small renders find every place, large ones may go one by one. */
  private isTooSlow(lane: Lane): boolean {
    const { places, mostWaitMs = Number.POSITIVE_INFINITY } = this.options;
    const isLarge = lane === this.large;
    const abreast = isLarge ? 1 : Math.max(1, places);
    const { length } = lane.waiting;
    const short = (isLarge ? SHORT_LINE.large : SHORT_LINE.small) * abreast;
    return length > short && (length * lane.usualMs) / abreast > mostWaitMs;
  }

  /** Starts what can start, the first of each lane first. */
  private admit(): void {
    for (const lane of [this.large, this.small]) {
      while (lane.waiting.length > 0 && this.fits(lane, lane.waiting[0].bytes)) lane.waiting.shift()!.start();
    }
  }

  private fits(lane: Lane, bytes: number): boolean {
    const { small, large } = this;
    const { places, shelf } = this.options;
    // another answer would only wait behind those that are there
    if (shelf?.isOver) return false;
    // whatever its size, a render may run when nothing else does
    if (this.running === 0) return true;
    if (lane === large) {
      const share = large.running === 0 || large.bytes + bytes <= this.memoryBytes * (1 - SMALL_SHARE);
      const place = this.running <= places && large.running < Math.max(1, places - 1);
      return share && place && small.bytes <= this.besides(large.bytes + bytes);
    }
    // a large render in flight never takes the last place from the small ones
    if (large.running > 0) return this.running <= places && small.bytes + bytes <= this.besides(large.bytes);
    // and one that waits for small ones to end is not kept waiting by those that come after it
    const awaited = large.waiting.at(0)?.bytes ?? 0;
    return small.running < places && small.bytes + bytes <= this.besides(awaited);
  }

  /** What renders may hold in all, beside what the server holds of their requests. */
  private get memoryBytes(): number {
    const { memoryBytes, shelf } = this.options;
    return memoryBytes - Math.min(shelf?.held ?? 0, memoryBytes / 2);
  }

  /** What small renders may hold beside large ones of so many bytes: at the least their share, or one giant stops all. */
  private besides(largeBytes: number): number {
    const { memoryBytes } = this;
    return Math.max(memoryBytes - largeBytes, memoryBytes * SMALL_SHARE);
  }
}
