// The renders of one kind: those that wait, first come first; what those in flight take; and what the next one may expect.
import { Patience, type PatienceLimits } from './adaptive-queue-delay.js';

export interface Waiting {
  readonly bytes: number;
  start(): void;
}

export interface LaneOptions {
  /** Renders that run side by side when nothing else does. */
  readonly abreast: number;
  /**
   * A line of up to so many renders is not too long, whatever they are expected to take: as a rule; in a rush, where it
   * keeps every place busy; and while the lane is young.
   */
  readonly short: { readonly usual: number; readonly rushed: number; readonly young: number };
  /** Its first so many renders tell nothing of those to come: a server that has just begun takes ten times as long. */
  readonly youth: number;
  readonly patience: PatienceLimits;
  /** Milliseconds, never back. */
  readonly clock: () => number;
}

/** The weight of the newest render in what a render is expected to take. */
const NEWEST = 1 / 8;

export class Lane {
  readonly waiting: Waiting[] = [];
  running = 0;
  bytes = 0;
  /** Milliseconds from start to end, as the latest renders took; 0 before the first. */
  usualMs = 0;
  private ended = 0;
  private readonly patience: Patience;

  constructor(private readonly options: LaneOptions) {
    this.patience = new Patience(options.patience, options.clock);
  }

  /** Whether a render was refused just now. */
  get isRushed(): boolean {
    return this.patience.isRush;
  }

  /**
   * Starts a render; gives what is to be called at its end, with the milliseconds that it took where that is known better
   * than by the clock here, and which gives them.
   */
  begin(bytes: number): (ms?: number) => number {
    this.running++;
    this.bytes += bytes;
    const { clock } = this.options;
    const began = clock();
    return (took = clock() - began) => {
      this.running--;
      this.bytes -= bytes;
      this.ended++;
      this.usualMs += (took - this.usualMs) * (this.usualMs === 0 ? 1 : NEWEST);
      return took;
    };
  }

  /**
   * Whether the last of a line of so many would wait for too long, and is therefore refused; `slowdown`: how much longer
   * each takes than alone.
   */
  refuses(length: number, slowdown = 1): boolean {
    const { abreast, short, youth } = this.options;
    const allowed = this.ended < youth ? short.young : this.isRushed ? short.rushed : short.usual;
    const expectedMs = this.ended === 0 ? Number.POSITIVE_INFINITY : (length * this.usualMs * slowdown) / abreast;
    const isTooLong = length > allowed && expectedMs > this.patience.ms;
    if (isTooLong) this.patience.refuse();
    return isTooLong;
  }
}
