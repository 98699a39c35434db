// Hands over large bodies one at a time. Parsing and checking a megabyte occupies the server's thread for some 10 ms, and a
// client that sends one after the other would leave nothing of it to the others. Owners share the turns fairly, by the bytes
// that they have sent, and while several are active, the thread rests from large bodies for longer than one took.
import { FairShare } from '../admission/fair-share.js';
import type { Owner } from '../admission/memory-budget.js';

/** A smaller body is handed over at once. */
const LARGE_BYTES = 64 * 1024;
/** After a large body, the next one waits for this multiple of the time that it took, if others have sent requests. */
const REST_MULTIPLE = 3;
/** An owner is active for this many milliseconds after a request. */
const ACTIVE_MS = 2000;

/** The bodies of one owner that wait, in their order. */
interface Lane {
  readonly owner: Owner;
  readonly waiting: { readonly bytes: number; readonly start: () => void }[];
}

/** All owners are equal here. Callers without a valid key are one of them. */
const tenantOf = (owner: Owner = '') => ({ id: owner, weight: 1 });

export class BodyTurns {
  private readonly lanes = new Map<Owner, Lane>();
  private readonly shares: FairShare;
  /** Time of each owner's last activity; the oldest first. */
  private readonly activeAt = new Map<Owner, number>();
  private isBusy = false;

  /** `clock` returns monotonic milliseconds. */
  constructor(private readonly clock: () => number = () => performance.now()) {
    this.shares = new FairShare({ cores: 1, clock });
  }

  /** Resolves when a body of `bytes` of the owner may be parsed, which is to begin at once. */
  async next(owner: Owner, bytes: number): Promise<void> {
    this.activeAt.delete(owner);
    this.activeAt.set(owner, this.clock());
    if (bytes < LARGE_BYTES) return;
    await new Promise<void>((resolve) => {
      const lane = this.lanes.get(owner) ?? { owner, waiting: [] };
      this.lanes.set(owner, lane);
      this.shares.enter(tenantOf(owner));
      lane.waiting.push({ bytes, start: resolve });
      if (!this.isBusy) this.startNext();
    });
  }

  private startNext(): void {
    const tagOf = ({ owner }: Lane) => this.shares.tagOf(tenantOf(owner));
    let next: Lane | undefined;
    for (const lane of this.lanes.values()) if (!next || tagOf(lane) < tagOf(next)) next = lane;
    this.isBusy = next !== undefined;
    if (!next) return;
    const { owner, waiting } = next;
    // a lane without bodies is not listed
    const { bytes, start } = waiting.shift()!;
    if (waiting.length === 0) this.lanes.delete(owner);
    const tenant = tenantOf(owner);
    const charge = this.shares.start(tenant);
    charge(bytes);
    this.shares.leave(tenant);
    const startedAt = this.clock();
    start();
    // the body is parsed before the event loop goes on
    setImmediate(() => {
      const restMs = this.hasOthers(owner) ? (this.clock() - startedAt) * REST_MULTIPLE : 0;
      if (restMs < 1) this.startNext();
      else setTimeout(() => this.startNext(), restMs);
    });
  }

  /** Whether another owner was active lately. */
  private hasOthers(owner: Owner): boolean {
    const since = this.clock() - ACTIVE_MS;
    for (const [other, at] of this.activeAt) {
      if (at < since) this.activeAt.delete(other);
      else if (other !== owner) return true;
    }
    return false;
  }
}
