// Shares processor time, or another cost, between tenants by start-time fair queueing (Goyal, Vin and Cheng, 1996). Each tenant has a tag: the
// processor time that it has used, divided by its weight, counted from the moment at which it last asked after a pause. The
// tenant with the lowest tag goes first. A render counts as expected when it starts, and as measured when it ends, whether
// it succeeded or failed.

/** Who asks for renders: a workspace. */
export interface Tenant {
  readonly id: string;
  /** Processor time that it gets beside a tenant of weight 1. */
  readonly weight: number;
}

interface RunningRender {
  readonly startedAt: number;
  readonly expectedMs: number;
}

interface Account {
  readonly weight: number;
  /** Milliseconds of processor time, divided by the weight. */
  tag: number;
  /** Renders that wait or run. */
  active: number;
  readonly running: Set<RunningRender>;
  /** Milliseconds of processor time in the recent past, and when they were last reduced. */
  recentMs: number;
  recentAt: number;
  /** Moving average of what one render takes; 0 before the first one has ended. */
  averageMs: number;
}

/** Half-life of recent use, in milliseconds. */
const RECENT_HALF_LIFE_MS = 20_000;
/** The processor time per millisecond of the recent past that a constant use of one core adds up to. */
const FULL_USE_MS = RECENT_HALF_LIFE_MS / Math.LN2;
/** Weight of the newest render in the moving average. */
const EWMA_ALPHA = 1 / 4;
/** Tenants that are remembered while they ask for nothing. */
const MAX_IDLE_ACCOUNTS = 1000;

export class FairShare {
  private readonly accounts = new Map<string, Account>();
  /** The tag of the last render that started. */
  private virtualTime = 0;
  /** Weight of all tenants whose renders wait or run. */
  private activeWeight = 0;

  constructor(
    private readonly options: {
      /** Cores that renders may use. */
      readonly cores: number;
      /** Monotonic milliseconds. */
      readonly clock: () => number;
    },
  ) {}

  /** Counts a render of the tenant that waits, until `leave`. */
  enter(tenant: Tenant): void {
    const account = this.accountOf(tenant);
    if (account.active++ > 0) return;
    this.activeWeight += account.weight;
    // a pause earns nothing, and cancels no debt
    account.tag = Math.max(account.tag, this.virtualTime);
  }

  /** Ends what `enter` counted. */
  leave(tenant: Tenant): void {
    const account = this.accountOf(tenant);
    if (--account.active > 0) return;
    this.activeWeight -= account.weight;
    if (this.accounts.size > MAX_IDLE_ACCOUNTS) this.forgetIdle();
  }

  /** Starts a render of the tenant; the caller calls the returned function with the processor time that it took. */
  start(tenant: Tenant): (cpuMs: number) => void {
    const account = this.accountOf(tenant);
    this.virtualTime = Math.max(this.virtualTime, account.tag);
    const render = { startedAt: this.options.clock(), expectedMs: account.averageMs };
    account.running.add(render);
    account.tag += render.expectedMs / account.weight;
    return (cpuMs) => {
      account.running.delete(render);
      account.tag += (cpuMs - render.expectedMs) / account.weight;
      account.averageMs += (cpuMs - account.averageMs) * (account.averageMs === 0 ? 1 : EWMA_ALPHA);
      this.decay(account);
      account.recentMs += cpuMs;
    };
  }

  /** The tenant's tag; a render that runs for longer than expected counts with the time that it has run. */
  tagOf(tenant: Tenant): number {
    const account = this.accountOf(tenant);
    return account.tag + this.excessMs(account) / account.weight;
  }

  /** Renders of the tenant that run. */
  runningCount(tenant: Tenant): number {
    return this.accountOf(tenant).running.size;
  }

  /** Whether the tenant has recently used less than half of its share of the cores beside those that are active now. */
  isLight(tenant: Tenant): boolean {
    const account = this.accountOf(tenant);
    this.decay(account);
    const inProgressMs = account.running.size * account.averageMs + this.excessMs(account);
    const weightOfOthers = this.activeWeight - (account.active > 0 ? account.weight : 0);
    const share = account.weight / (account.weight + weightOfOthers);
    return account.recentMs + inProgressMs < (FULL_USE_MS * this.options.cores * share) / 2;
  }

  /** Milliseconds that the running renders have run beyond what was expected. */
  private excessMs({ running }: Account): number {
    const now = this.options.clock();
    let excess = 0;
    for (const { startedAt, expectedMs } of running) excess += Math.max(0, now - startedAt - expectedMs);
    return excess;
  }

  private decay(account: Account): void {
    const now = this.options.clock();
    account.recentMs *= 0.5 ** ((now - account.recentAt) / RECENT_HALF_LIFE_MS);
    account.recentAt = now;
  }

  private accountOf({ id, weight }: Tenant): Account {
    let account = this.accounts.get(id);
    if (!account) {
      const recentAt = this.options.clock();
      account = { weight, tag: 0, active: 0, running: new Set(), recentMs: 0, recentAt, averageMs: 0 };
      this.accounts.set(id, account);
    }
    return account;
  }

  /** Forgets the tenants that ask for nothing, the oldest first. */
  private forgetIdle(): void {
    for (const [id, { active }] of this.accounts) {
      if (this.accounts.size <= MAX_IDLE_ACCOUNTS / 2) return;
      if (active === 0) this.accounts.delete(id);
    }
  }
}
