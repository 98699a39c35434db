// Admission control: concurrency slots and memory for the renders in flight, and a bounded queue for the others.
//
// Tenants share both. A free slot goes to the tenant that has used the least processor time (fair-share.ts), one slot more
// exists for a tenant that has used little and has nothing running, and in a full queue a tenant with few places gets one of
// the tenant with the most. A render that would wait too long behind its tenant's own is rejected at once; in a lasting
// overload "too long" is a moment.
//
// Small renders have a bulkhead of their own, with a share of the memory and a slot that large ones never take; large ones
// wait for each other. The rows of batches wait as long as it takes: they get at most half of the slots, and none while
// single renders of their tenant, or of one that has used less, wait.
import { type CodedError, ServiceError } from '../../errors.js';
import type { QueueDelayLimits } from './adaptive-queue-delay.js';
import { Bulkhead, type Lane, type QueueEntry } from './bulkhead.js';
import { FairShare, type Tenant } from './fair-share.js';
import type { MemoryBudget } from './memory-budget.js';

export type { Tenant } from './fair-share.js';

/** A render of up to this many bytes is small: a 2,000 × 2,000 canvas with a few photographs. */
const SMALL_BYTES = 64 * 2 ** 20;
/** Share of the memory that is reserved for small renders; a large one that needs all the rest runs beside them alone. */
const SMALL_SHARE = 1 / 4;
/** Share of the slots' time that large renders get while small ones are overloaded. */
const LARGE_TIME_SHARE = 1 / 4;

export interface AdmissionOptions {
  /** Renders that run at once; one more when a large one is among them, and one more of a tenant that has used little. */
  readonly concurrency: number;
  /** Renders that may wait. */
  readonly queue: number;
  /** Memory of the renders in flight, in bytes. A render that needs more runs alone. */
  readonly memoryBytes: number;
  /** Memory that the server itself holds for its requests; counts against `memoryBytes`. */
  readonly memoryBudget?: MemoryBudget;
  /** Longest expected wait; unlimited by default. */
  readonly queueDelay?: QueueDelayLimits;
  /** Milliseconds after which a queued render is rejected; unlimited by default. */
  readonly maxWaitMs?: number | undefined;
  /** Monotonic milliseconds; `performance.now` by default. */
  readonly clock?: () => number;
}

/** Renders beyond `concurrency` that may run at once. */
export const EXTRA_SLOTS = 2;

/**
 * Queue limits of a tenant's small renders, for this many slots, and of its large ones, which may have to run one by one. 32
 * clients that each wait for their answer are no overload.
 */
const smallQueue = (concurrency: number) => ({
  minQueue: { normal: Math.max(32, 8 * concurrency), overloaded: 4 * concurrency, warmup: Number.POSITIVE_INFINITY },
  warmupCount: 32 * concurrency,
});
const LARGE_QUEUE = { minQueue: { normal: 4, overloaded: 1, warmup: 16 }, warmupCount: 4 };
const UNLIMITED: QueueDelayLimits = { maxMs: Number.POSITIVE_INFINITY, minMs: Number.POSITIVE_INFINITY };

function overloaded(): CodedError {
  return new ServiceError('overloaded', 'too many renders are waiting; try again in a moment');
}

/** The measured resources of a render. */
export interface RenderUsage {
  /** Milliseconds by the worker's clock, which server load does not inflate; the server's clock counts otherwise. */
  readonly ms?: number | undefined;
  /** Milliseconds of processor time; `ms` counts otherwise. */
  readonly cpuMs?: number | undefined;
}

/** Releases a running render's slot and memory. */
export type Release = (usage?: RenderUsage) => void;

/**
 * A render's permit: a queue place from `reserve` on, then a slot and memory while the render runs. It is reserved, acquired
 * and released once.
 */
export interface Permit {
  /**
   * Waits until a render of `bytes` may start. The caller calls the returned function when the render has ended. Rejects
   * with RenderError `overloaded` when the render turns out to be large and too many large ones wait, after `maxWaitMs`, or
   * when another tenant got its place in a full queue; with the signal's reason when that aborts first.
   */
  acquire(bytes: number, signal?: AbortSignal): Promise<Release>;
  /** Returns a permit that was not acquired; otherwise, and when called again, does nothing. */
  release(): void;
}

/** A permit that is not queued yet, whose place another tenant may get. */
interface ReservedPlace {
  isRevoked: boolean;
}

/** The places of one tenant in the queue. */
interface Places {
  readonly tenant: Tenant;
  readonly reserved: Set<ReservedPlace>;
}

/** A row of a batch that waits, in the bulkhead that it will run in. */
interface BatchEntry extends Omit<QueueEntry, 'displace'> {
  readonly bulkhead: Bulkhead;
}

export class Admission {
  private readonly small: Bulkhead;
  private readonly large: Bulkhead;
  private readonly concurrency: number;
  private readonly clock: () => number;
  private readonly shares: FairShare;
  /** The earliest start of the next large render while small ones are overloaded. */
  private nextLargeAt = 0;
  private reservedCount = 0;
  /** Queue places by tenant; tenants without reserved places are absent. */
  private readonly places = new Map<string, Places>();
  /** Rows of batches that wait, first come first served within a tenant. */
  private readonly batchWaiting: BatchEntry[] = [];
  private batchRunningCount = 0;

  constructor(private readonly options: AdmissionOptions) {
    const { memoryBudget, queueDelay = UNLIMITED, clock = () => performance.now() } = options;
    const concurrency = Math.max(1, options.concurrency);
    this.small = new Bulkhead({ concurrency, ...smallQueue(concurrency), queueDelay, clock });
    this.large = new Bulkhead({ concurrency: 1, ...LARGE_QUEUE, queueDelay, clock });
    this.shares = new FairShare({ cores: concurrency, clock });
    this.concurrency = concurrency;
    this.clock = clock;
    memoryBudget?.onRelease(() => this.admit());
  }

  get queued(): number {
    return this.small.queued + this.large.queued;
  }

  get running(): number {
    return this.small.running + this.large.running;
  }

  get memory(): number {
    return this.small.bytes + this.large.bytes;
  }

  /** Permits that are not queued yet: their bodies or assets are still arriving. */
  get reserved(): number {
    return this.reservedCount;
  }

  /**
   * Reserves a queue place for a render of the tenant that needs at least `minBytes`. Throws RenderError `overloaded` when the
   * queue is full or the render would wait too long. A render that is admitted here is not rejected later for the queue's
   * length, unless other tenants with fewer places come.
   */
  reserve(tenant: Tenant, minBytes: number): Permit {
    const bulkhead = this.bulkheadOf(minBytes);
    // counts permits that are not queued yet; a large render beside small ones adds a slot
    const isFull = this.reservedCount + this.queued + this.running > this.options.queue + this.concurrency;
    if (isFull && !this.displaceFor(tenant)) throw overloaded();
    if (this.mustReject(bulkhead, tenant, minBytes)) throw overloaded();
    const place: ReservedPlace = { isRevoked: false };
    this.addPlace(tenant, place);
    return {
      release: () => this.removePlace(tenant, place),
      acquire: async (bytes, signal) => {
        this.removePlace(tenant, place);
        signal?.throwIfAborted();
        if (place.isRevoked) throw overloaded();
        const actual = this.bulkheadOf(bytes);
        if (actual !== bulkhead && this.mustReject(actual, tenant, bytes)) throw overloaded();
        return this.enqueue(actual, tenant, bytes, signal);
      },
    };
  }

  /** Rows of batches that wait for a slot, and that run. */
  get batches(): { readonly queued: number; readonly running: number } {
    return { queued: this.batchWaiting.length, running: this.batchRunningCount };
  }

  /** Slots that the rows of all batches may have at once: half of them. */
  get batchConcurrency(): number {
    return Math.max(1, Math.floor(this.concurrency / 2));
  }

  /**
   * Waits until a row of a batch, of `bytes`, may start; the caller calls the returned function when its render has ended.
   * It is never rejected for waiting: its batch asks for few rows at a time. Rejects with the signal's reason.
   */
  async acquireForBatch(tenant: Tenant, bytes: number, signal: AbortSignal): Promise<Release> {
    signal.throwIfAborted();
    return await new Promise<Release>((resolve, reject) => {
      const bulkhead = this.bulkheadOf(bytes);
      const giveUp = () => {
        this.batchWaiting.splice(this.batchWaiting.indexOf(entry), 1);
        this.shares.leave(tenant);
        reject(signal.reason);
        // rows behind it may fit now
        this.admit();
      };
      const entry: BatchEntry = {
        tenant,
        bytes,
        bulkhead,
        start: () => {
          signal.removeEventListener('abort', giveUp);
          this.batchWaiting.splice(this.batchWaiting.indexOf(entry), 1);
          this.batchRunningCount++;
          const release = this.occupy(entry, () => this.batchRunningCount--);
          resolve(release);
        },
      };
      signal.addEventListener('abort', giveUp, { once: true });
      this.shares.enter(tenant);
      this.batchWaiting.push(entry);
      this.admit();
    });
  }

  /** Whether the tenant has recently used less than half of its share of the processor time. */
  isLight(tenant: Tenant): boolean {
    return this.shares.isLight(tenant);
  }

  private addPlace(tenant: Tenant, place: ReservedPlace): void {
    let places = this.places.get(tenant.id);
    if (!places) {
      places = { tenant, reserved: new Set() };
      this.places.set(tenant.id, places);
    }
    places.reserved.add(place);
    this.reservedCount++;
  }

  private removePlace({ id }: Tenant, place: ReservedPlace): void {
    const places = this.places.get(id);
    if (!places?.reserved.delete(place)) return;
    this.reservedCount--;
    if (places.reserved.size === 0) this.places.delete(id);
  }

  /** Places of the tenant in the queue, by its weight. */
  private placesOf(tenant: Tenant): number {
    const reserved = this.places.get(tenant.id)?.reserved.size ?? 0;
    return (reserved + this.small.waitingOf(tenant).length + this.large.waitingOf(tenant).length) / tenant.weight;
  }

  /**
   * In a full queue, takes a place for the tenant from the one that has the most, by weight, by rejecting its last render.
   * Returns whether it did; it doesn't if the tenant has as many places itself.
   */
  private displaceFor(tenant: Tenant): boolean {
    const least = this.placesOf(tenant) + 1 / tenant.weight;
    const holders = [...this.places.values(), ...this.small.waitingLanes(), ...this.large.waitingLanes()];
    let victim: Tenant | undefined;
    let most = least;
    for (const { tenant: holder } of holders) {
      const places = this.placesOf(holder);
      if (places <= most) continue;
      most = places;
      victim = holder;
    }
    if (!victim) return false;
    const last = this.lastOf(victim);
    if (last) {
      last.displace();
      return true;
    }
    const reserved = [...(this.places.get(victim.id)?.reserved ?? [])].at(-1)!;
    reserved.isRevoked = true;
    this.removePlace(victim, reserved);
    return true;
  }

  /** The entry of the tenant that came last into the longer of its queues. */
  private lastOf(tenant: Tenant): QueueEntry | undefined {
    const queues = [this.small, this.large].map((bulkhead) => bulkhead.waitingOf(tenant));
    return queues.sort((one, other) => other.length - one.length)[0].at(-1);
  }

  private mustReject(bulkhead: Bulkhead, tenant: Tenant, bytes: number): boolean {
    const { length } = bulkhead.waitingOf(tenant);
    if (length === 0 && this.fits(bulkhead, tenant, bytes)) return false;
    if (this.queued >= this.options.queue && !this.displaceFor(tenant)) return true;
    return length > 0 && this.rejects(bulkhead, tenant);
  }

  private enqueue(
    bulkhead: Bulkhead,
    tenant: Tenant,
    bytes: number,
    signal: AbortSignal | undefined,
  ): Promise<Release> {
    return new Promise<Release>((resolve, reject) => {
      let hasStarted = false;
      const entry: QueueEntry = {
        tenant,
        bytes,
        start: () => {
          hasStarted = true;
          stopWaiting();
          resolve(this.occupy({ tenant, bytes, bulkhead }));
        },
        displace: () => leave(overloaded()),
      };
      let timer: NodeJS.Timeout | undefined;
      const stopWaiting = () => {
        clearTimeout(timer);
        signal?.removeEventListener('abort', giveUp);
      };
      const leave = (reason: unknown) => {
        stopWaiting();
        bulkhead.remove(entry);
        this.shares.leave(tenant);
        reject(reason);
      };
      const giveUp = () => {
        leave(signal?.aborted ? signal.reason : overloaded());
        // entries behind it may fit now
        this.admit();
      };
      this.shares.enter(tenant);
      bulkhead.enqueue(entry);
      this.admit();
      if (hasStarted) return;
      const { maxWaitMs } = this.options;
      if (maxWaitMs !== undefined) timer = setTimeout(giveUp, maxWaitMs);
      signal?.addEventListener('abort', giveUp, { once: true });
    });
  }

  private bulkheadOf(bytes: number): Bulkhead {
    return bytes <= SMALL_BYTES ? this.small : this.large;
  }

  /** `onEnd` is called once, before the room goes to the next render. */
  private occupy(
    { tenant, bytes, bulkhead }: Pick<BatchEntry, 'tenant' | 'bytes' | 'bulkhead'>,
    onEnd?: () => void,
  ): Release {
    const end = bulkhead.begin(tenant, bytes);
    const charge = this.shares.start(tenant);
    const isThrottled = bulkhead === this.large && this.small.isOverloaded;
    const expectedMs = bulkhead.serviceTimeEwmaMs;
    if (isThrottled) this.nextLargeAt = this.clock() + expectedMs * this.slowdown;
    let isReleased = false;
    return ({ ms, cpuMs } = {}) => {
      if (isReleased) return;
      isReleased = true;
      const serviceMs = end(ms);
      charge(cpuMs ?? serviceMs);
      this.shares.leave(tenant);
      onEnd?.();
      if (isThrottled) this.nextLargeAt += (serviceMs - expectedMs) * this.slowdown;
      this.admit();
    };
  }

  /**
   * Milliseconds from one large render's start to the next, per millisecond of its service time, while small renders are
   * overloaded.
   */
  private get slowdown(): number {
    return 1 / (LARGE_TIME_SHARE * this.concurrency);
  }

  /** Whether large renders have used up their share of the time while small ones are overloaded. */
  private get isLargeThrottled(): boolean {
    return this.small.isOverloaded && this.clock() < this.nextLargeAt;
  }

  private rejects(bulkhead: Bulkhead, tenant: Tenant): boolean {
    return bulkhead.rejects(tenant, bulkhead === this.large && this.small.isOverloaded ? this.slowdown : 1);
  }

  /** Starts every render that fits: in each class, and among the rows of batches, the tenant with the lowest tag goes first. */
  private admit(): void {
    while (this.startSingle(this.large) || this.startSingle(this.small) || this.startBatchRow());
  }

  /** Starts the next single render of the class, if it fits. */
  private startSingle(bulkhead: Bulkhead): boolean {
    const lane = this.nextLane(bulkhead, () => true);
    if (!lane || this.hasEarlierBatchRow(lane.tenant)) return false;
    if (this.fitsFirst(bulkhead, lane)) {
      bulkhead.startFirst(lane);
      return true;
    }
    const light = this.nextLane(bulkhead, (tenant) => this.isPrivileged(tenant));
    if (!light || light === lane || !this.fitsFirst(bulkhead, light)) return false;
    bulkhead.startFirst(light);
    return true;
  }

  /** The lane whose tenant has the lowest tag, of those that match and do not wait for their own answers to be read. */
  private nextLane(bulkhead: Bulkhead, matches: (tenant: Tenant) => boolean): Lane | undefined {
    let next: Lane | undefined;
    for (const lane of bulkhead.waitingLanes()) {
      if (this.options.memoryBudget?.isExceeded(lane.tenant.id) || !matches(lane.tenant)) continue;
      if (!next || this.shares.tagOf(lane.tenant) < this.shares.tagOf(next.tenant)) next = lane;
    }
    return next;
  }

  private fitsFirst(bulkhead: Bulkhead, { tenant, waiting }: Lane): boolean {
    return this.fits(bulkhead, tenant, waiting[0].bytes);
  }

  private startBatchRow(): boolean {
    const row = this.nextBatchRow();
    if (!row || !this.fits(row.bulkhead, row.tenant, row.bytes)) return false;
    for (const bulkhead of [this.large, this.small]) {
      for (const { tenant } of bulkhead.waitingLanes()) if (!this.isEarlier(row.tenant, tenant)) return false;
    }
    row.start();
    return true;
  }

  /** The row that would run next, if rows of batches may run now. */
  private nextBatchRow(): BatchEntry | undefined {
    if (this.batchWaiting.length === 0 || this.batchRunningCount >= this.batchConcurrency) return undefined;
    return this.batchWaiting.reduce((next, row) => (this.isEarlier(row.tenant, next.tenant) ? row : next));
  }

  /** Whether a row of a batch comes before the single renders of `tenant`. */
  private hasEarlierBatchRow(tenant: Tenant): boolean {
    const row = this.nextBatchRow();
    return row !== undefined && this.isEarlier(row.tenant, tenant) && this.fits(row.bulkhead, row.tenant, row.bytes);
  }

  private isEarlier(one: Tenant, other: Tenant): boolean {
    return one.id !== other.id && this.shares.tagOf(one) < this.shares.tagOf(other);
  }

  /** Whether the tenant may have the slot that exists for those who have used little. */
  private isPrivileged(tenant: Tenant): boolean {
    return this.shares.runningCount(tenant) === 0 && this.shares.isLight(tenant);
  }

  private fits(bulkhead: Bulkhead, tenant: Tenant, bytes: number): boolean {
    const { small, large, concurrency } = this;
    // its answer would only wait behind those that exceed the tenant's share already
    if (this.options.memoryBudget?.isExceeded(tenant.id)) return false;
    if (bulkhead === large && this.isLargeThrottled && small.running + small.queued > 0) return false;
    // a render of any size may run alone
    if (this.running === 0) return true;
    if (bulkhead === large) {
      const hasMemory = large.running === 0 || large.bytes + bytes <= this.memoryBytes * (1 - SMALL_SHARE);
      const hasSlot = this.running <= concurrency && large.running < Math.max(1, concurrency - 1);
      return hasMemory && hasSlot && small.bytes <= this.smallBudget(large.bytes + bytes);
    }
    // a large render in flight never takes the last slot from small ones
    const slots = concurrency + (large.running > 0 ? 1 : 0) + (this.isPrivileged(tenant) ? 1 : 0);
    // later small renders must not starve a large one that waits for memory
    const waiting = large.running > 0 || this.isLargeThrottled ? undefined : this.nextLane(large, () => true);
    const largeBytes = large.running > 0 ? large.bytes : (waiting?.waiting[0].bytes ?? 0);
    return this.running < slots && small.bytes + bytes <= this.smallBudget(largeBytes);
  }

  /** Memory of all renders in flight: what the server itself holds is subtracted, up to half. */
  private get memoryBytes(): number {
    const { memoryBytes, memoryBudget } = this.options;
    return memoryBytes - Math.min(memoryBudget?.usedBytes ?? 0, memoryBytes / 2);
  }

  /** Memory of small renders beside large ones of `largeBytes`: at least their share, so that one giant can't block them. */
  private smallBudget(largeBytes: number): number {
    const { memoryBytes } = this;
    return Math.max(memoryBytes - largeBytes, memoryBytes * SMALL_SHARE);
  }
}
