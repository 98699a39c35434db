// Bounds the bytes that the server process itself holds for its requests: bodies from their first byte to their answer,
// assets from theirs to the end of their render, answers until the client has read them. Incoming data is bounded; answers
// are already paid for and always get room, and their owner's next data and renders wait until they have been sent.
//
// The room is shared by dynamic thresholds (Choudhury and Hahne, 1998): an owner may hold a fixed multiple of what is still
// free. One owner alone gets most of it, several get equal parts, and some always stays free for the next one. What callers
// without a valid key hold is counted apart, so that strangers never take room from those who pay.
import { RenderError, ServiceError } from '../../errors.js';

/** Owner of bytes: the id of a workspace or an operator; undefined for a caller without a valid key. */
export type Owner = string | undefined;

/** An owner may hold this many times what is free: one alone four fifths of the budget, two 4/9 each. */
const FREE_MULTIPLE = 4;
/** Share of the budget that an owner may hold although answers of others have filled it. */
const MIN_SHARE = 1 / 16;
/** Callers without a valid key may hold this share together, beside the budget. */
const ANONYMOUS_SHARE = 1 / 10;

/** The bytes that one request, fetch or answer holds. */
export interface Reservation {
  /**
   * Reserves room for incoming bytes. Throws RenderError: `asset_failed` when this reservation would exceed its own limit,
   * `overloaded` when the owner has no room now.
   */
  readonly reserve: (bytes: number) => void;
  /**
   * Reserves room for an answer, also when that exceeds the budget. Throws RenderError `overloaded` for callers without a
   * valid key only, when they hold their share.
   */
  readonly forceReserve: (bytes: number) => void;
  /** Releases everything, for good: later reservations are ignored. */
  readonly release: () => void;
}

export class MemoryBudget {
  private owned = 0;
  private anonymous = 0;
  /** Bytes by owner; an owner without any is not listed. */
  private readonly byOwner = new Map<string, number>();
  private readonly releaseListeners = new Set<() => void>();

  /** `bytes` limits the bytes that all owners together hold; answers may exceed it. */
  constructor(readonly bytes: number) {}

  /** Bytes that are held now, those of callers without a valid key included. */
  get usedBytes(): number {
    return this.owned + this.anonymous;
  }

  /** The smallest budget in which one owner alone can hold `bytes`. */
  static bytesFor(bytes: number): number {
    return Math.ceil((bytes * (FREE_MULTIPLE + 1)) / FREE_MULTIPLE);
  }

  /** Whether the owner's answers, which wait for their clients, exceed its share. */
  isExceeded(owner: Owner): boolean {
    const held = owner === undefined ? this.anonymous : (this.byOwner.get(owner) ?? 0);
    return held > this.limitOf(owner, 0);
  }

  /** Throws RenderError `overloaded` when `bytes` more would exceed the owner's share; reserves nothing. */
  assertAvailable(owner: Owner, bytes: number): void {
    const held = owner === undefined ? this.anonymous : (this.byOwner.get(owner) ?? 0);
    // a single holder is accepted whatever its size: it would never find more room
    if (this.usedBytes > 0 && held + bytes > this.limitOf(owner, bytes)) {
      throw new ServiceError('overloaded', 'too much is being sent and rendered; try again in a moment');
    }
  }

  /** Calls `listener` after each release. */
  onRelease(listener: () => void): void {
    this.releaseListeners.add(listener);
  }

  /** Opens an empty reservation of at most `maxBytes`. */
  open(owner: Owner, maxBytes = Number.POSITIVE_INFINITY): Reservation {
    let own = 0;
    let isOpen = true;
    const add = (bytes: number) => {
      if (!isOpen) return;
      own += bytes;
      this.add(owner, bytes);
    };
    return {
      reserve: (bytes) => {
        if (!isOpen) return;
        if (own + bytes > maxBytes) {
          throw new RenderError('asset_failed', `the assets of this render are larger than ${maxBytes} bytes in all`);
        }
        // the only holder may grow without bound
        if (own < this.usedBytes) this.assertAvailable(owner, bytes);
        add(bytes);
      },
      forceReserve: (bytes) => {
        if (owner === undefined) this.assertAvailable(owner, bytes);
        add(bytes);
      },
      release: () => {
        this.add(owner, -own);
        own = 0;
        if (!isOpen) return;
        isOpen = false;
        for (const listener of this.releaseListeners) listener();
      },
    };
  }

  /** The most that the owner may hold when `bytes` of it are about to be reserved. */
  private limitOf(owner: Owner, bytes: number): number {
    if (owner === undefined) return this.bytes * ANONYMOUS_SHARE;
    const free = this.bytes - this.owned - bytes;
    return Math.max(free * FREE_MULTIPLE, this.bytes * MIN_SHARE);
  }

  private add(owner: Owner, bytes: number): void {
    if (owner === undefined) {
      this.anonymous += bytes;
      return;
    }
    this.owned += bytes;
    const held = (this.byOwner.get(owner) ?? 0) + bytes;
    if (held > 0) this.byOwner.set(owner, held);
    else this.byOwner.delete(owner);
  }
}
