// The renders of one size class: a FIFO queue for each tenant, the resources of those in flight, and the expected wait of a
// tenant's next one.
import { AdaptiveQueueDelay, type QueueDelayLimits } from './adaptive-queue-delay.js';
import type { Tenant } from './fair-share.js';

export interface QueueEntry {
  readonly tenant: Tenant;
  readonly bytes: number;
  start(): void;
  /** Rejects the render, whose place another tenant gets. */
  displace(): void;
}

/** The renders of one tenant in this class. */
export interface Lane {
  readonly tenant: Tenant;
  readonly waiting: QueueEntry[];
  running: number;
  /** Moving average of the service time; 0 before the first render has ended. */
  serviceTimeEwmaMs: number;
  readonly queueDelay: AdaptiveQueueDelay;
}

export interface BulkheadOptions {
  /** Renders of this class that run at once when no others do. */
  readonly concurrency: number;
  /**
   * A tenant's queue up to this long is accepted whatever the expected wait: normally, in an overload (enough to keep every
   * slot busy), and during warmup.
   */
  readonly minQueue: { readonly normal: number; readonly overloaded: number; readonly warmup: number };
  /** Renders before the measured service time is trusted: on a cold server they take ten times as long. */
  readonly warmupCount: number;
  readonly queueDelay: QueueDelayLimits;
  /** Monotonic milliseconds. */
  readonly clock: () => number;
}

/** Weight of the newest render in the moving average of the service time. */
const EWMA_ALPHA = 1 / 8;
/** Tenants whose service time is remembered while they have no renders here. */
const MAX_IDLE_LANES = 1000;

export class Bulkhead {
  running = 0;
  bytes = 0;
  /** Moving average of the service time of all tenants; 0 before the first render has ended. */
  serviceTimeEwmaMs = 0;
  private waitingCount = 0;
  private completed = 0;
  private readonly lanes = new Map<string, Lane>();
  /** Tells whether the class as a whole is overloaded; each lane also has its own limit. */
  private readonly queueDelay: AdaptiveQueueDelay;

  constructor(private readonly options: BulkheadOptions) {
    this.queueDelay = new AdaptiveQueueDelay(options.queueDelay, options.clock);
  }

  /** Renders that wait. */
  get queued(): number {
    return this.waitingCount;
  }

  /** Whether a render of any tenant was rejected recently. */
  get isOverloaded(): boolean {
    return this.queueDelay.isOverloaded;
  }

  /** Renders of the tenant that wait here, in their order. */
  waitingOf({ id }: Tenant): readonly QueueEntry[] {
    return this.lanes.get(id)?.waiting ?? [];
  }

  /** The lanes in which renders wait. */
  *waitingLanes(): Generator<Lane, void> {
    if (this.waitingCount === 0) return;
    for (const lane of this.lanes.values()) if (lane.waiting.length > 0) yield lane;
  }

  enqueue(entry: QueueEntry): void {
    this.laneOf(entry.tenant).waiting.push(entry);
    this.waitingCount++;
  }

  /** Removes the entry, unless it has left its queue already. */
  remove(entry: QueueEntry): void {
    const { waiting } = this.laneOf(entry.tenant);
    const index = waiting.indexOf(entry);
    if (index < 0) return;
    waiting.splice(index, 1);
    this.waitingCount--;
  }

  /** Takes the lane's first entry out of its queue and starts it. */
  startFirst(lane: Lane): void {
    const entry = lane.waiting.shift();
    if (!entry) return;
    this.waitingCount--;
    entry.start();
  }

  /**
   * Starts a render. Returns the function to call at its end, which returns the service time; `ms` replaces the time
   * measured here when the worker measured it more precisely.
   */
  begin(tenant: Tenant, bytes: number): (ms?: number) => number {
    const lane = this.laneOf(tenant);
    lane.running++;
    this.running++;
    this.bytes += bytes;
    const { clock } = this.options;
    const startedAt = clock();
    return (serviceMs = clock() - startedAt) => {
      lane.running--;
      this.running--;
      this.bytes -= bytes;
      this.completed++;
      for (const averaged of [this, lane]) {
        const { serviceTimeEwmaMs: average } = averaged;
        averaged.serviceTimeEwmaMs += (serviceMs - average) * (average === 0 ? 1 : EWMA_ALPHA);
      }
      return serviceMs;
    };
  }

  /**
   * Whether one more render of the tenant would wait too long; records the rejection if so. The slots are shared with the
   * other tenants that have renders here. `slowdown`: factor by which each render takes longer than alone.
   */
  rejects(tenant: Tenant, slowdown = 1): boolean {
    const { concurrency, minQueue, warmupCount } = this.options;
    const lane = this.laneOf(tenant);
    const length = lane.waiting.length + 1;
    const isWarmingUp = this.completed < warmupCount;
    const { isOverloaded } = lane.queueDelay;
    const allowed = isWarmingUp ? minQueue.warmup : isOverloaded ? minQueue.overloaded : minQueue.normal;
    const serviceMs = (lane.serviceTimeEwmaMs || this.serviceTimeEwmaMs) * slowdown;
    const slots = concurrency * this.shareOf(lane);
    const expectedMs = this.completed === 0 ? Number.POSITIVE_INFINITY : (length * serviceMs) / slots;
    const isTooLong = length > allowed && expectedMs > lane.queueDelay.ms;
    if (!isTooLong) return false;
    this.queueDelay.recordRejection();
    lane.queueDelay.recordRejection();
    return true;
  }

  /** The lane's share of the slots: its weight among the lanes with renders. */
  private shareOf(lane: Lane): number {
    let sum = lane.tenant.weight;
    for (const other of this.lanes.values()) {
      if (other !== lane && (other.running > 0 || other.waiting.length > 0)) sum += other.tenant.weight;
    }
    return lane.tenant.weight / sum;
  }

  private laneOf(tenant: Tenant): Lane {
    let lane = this.lanes.get(tenant.id);
    if (!lane) {
      if (this.lanes.size > MAX_IDLE_LANES) this.forgetIdle();
      const { queueDelay, clock } = this.options;
      const delay = new AdaptiveQueueDelay(queueDelay, clock);
      lane = { tenant, waiting: [], running: 0, serviceTimeEwmaMs: 0, queueDelay: delay };
      this.lanes.set(tenant.id, lane);
    }
    return lane;
  }

  /** Forgets the lanes without renders, the oldest first. */
  private forgetIdle(): void {
    for (const [id, { running, waiting }] of this.lanes) {
      if (this.lanes.size <= MAX_IDLE_LANES / 2) return;
      if (running === 0 && waiting.length === 0) this.lanes.delete(id);
    }
  }
}
