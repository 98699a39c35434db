// Admission simulated millisecond by millisecond, with a clock that the test moves.
import { Admission, type AdmissionOptions, type Tenant } from '../../../lib/service/admission/index.js';

export const ONE: Tenant = { id: 'one', weight: 1 };
const MB = 2 ** 20;
const SMALL = 1;
const settle = () => new Promise((resolve) => setImmediate(resolve));

export interface Ended {
  readonly tenant: Tenant;
  readonly bytes: number;
  readonly came: number;
  readonly waited: number;
  readonly refused: boolean;
}

/** An admission whose clock is moved by hand; a render that starts takes `takes(bytes)` milliseconds. */
export function simulate(takes: (bytes: number) => number, options: Partial<AdmissionOptions> = {}) {
  let now = 0;
  const admission = new Admission({
    concurrency: 2,
    queue: 10_000,
    memoryBytes: 1024 * MB,
    queueDelay: { maxMs: 1500, minMs: 100 },
    clock: () => now,
    ...options,
  });
  const running = new Set<{ until: number; end: () => void }>();
  const ended: Ended[] = [];
  /** Resolves at the render's end, with whether it was drawn. */
  const come = async (bytes: number, tenant = ONE, ms = takes(bytes)) => {
    const came = now;
    try {
      const leave = await admission.reserve(tenant, bytes).acquire(bytes);
      ended.push({ tenant, bytes, came, waited: now - came, refused: false });
      await new Promise<void>((end) => running.add({ until: now + ms, end }));
      leave();
      return true;
    } catch {
      ended.push({ tenant, bytes, came, waited: now - came, refused: true });
      return false;
    }
  };
  /** Lets `ms` milliseconds pass; `each` says who comes in each. */
  async function pass(ms: number, each?: (now: number) => void) {
    for (const end = now + ms; now < end; ) {
      each?.(now);
      await settle();
      // if nobody comes, nothing happens until the next render ends
      const next = each ? now : Math.min(end, ...[...running].map(({ until }) => until));
      now = Math.max(now + 1, next);
      for (const render of running) {
        if (render.until > now) continue;
        running.delete(render);
        render.end();
      }
    }
    await settle();
  }
  /** A server that has drawn for a while. */
  async function season(bytes = SMALL) {
    for (let i = 0; i < 300; i++) {
      come(bytes);
      await pass(takes(bytes));
    }
    ended.length = 0;
  }
  return { admission, come, pass, season, ended, now: () => now };
}

export const drawn = (ended: Ended[]) => ended.filter(({ refused }) => !refused);
export const longest = (ended: Ended[]) => Math.max(0, ...ended.map(({ waited }) => waited));
