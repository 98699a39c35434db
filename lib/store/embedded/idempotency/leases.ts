// Leases of idempotency keys whose first request is running. In memory only: after a crash the keys are free again.
import { randomUUID } from 'node:crypto';
import { digestOf } from '../../idempotency-key.js';
import type { IdempotencyKey, IdempotencyLease } from '../../types.js';

interface OpenLease {
  readonly id: string;
  readonly expiresAt: number;
  /** Its charge is being written, so it does not expire. */
  isSettling: boolean;
}

/** Milliseconds that a claim is told to wait while the key's charge is being written. */
const SETTLING_MS = 1000;

export class Leases {
  /** Leases by the key's digest, oldest first. All last equally long, so the ones that expire first come first. */
  readonly #open = new Map<string, OpenLease>();
  readonly #clock: () => number;
  readonly #lifetimeMs: number;

  /** `clock` returns monotonic milliseconds. */
  constructor(clock: () => number, lifetimeMs: number) {
    this.#clock = clock;
    this.#lifetimeMs = lifetimeMs;
  }

  /** Milliseconds until the key's lease ends; undefined when it has none. */
  remainingMs(key: IdempotencyKey): number | undefined {
    this.#removeExpired();
    const lease = this.#open.get(nameOf(key));
    if (!lease) return undefined;
    return lease.isSettling ? SETTLING_MS : Math.ceil(lease.expiresAt - this.#clock());
  }

  /** Creates the lease of a key that has none. */
  create(key: IdempotencyKey, fingerprint: string): IdempotencyLease {
    const lease = { id: randomUUID(), expiresAt: this.#clock() + this.#lifetimeMs, isSettling: false };
    this.#open.set(nameOf(key), lease);
    return { id: lease.id, key, fingerprint };
  }

  /** Starts settling; returns false when the lease has ended or is settling already. */
  startSettling({ id, key }: IdempotencyLease): boolean {
    this.#removeExpired();
    const lease = this.#open.get(nameOf(key));
    if (lease?.id !== id || lease.isSettling) return false;
    lease.isSettling = true;
    return true;
  }

  /** Ends a lease whose charge is written or has failed. */
  end({ id, key }: IdempotencyLease): void {
    if (this.#open.get(nameOf(key))?.id === id) this.#open.delete(nameOf(key));
  }

  /** Ends a lease, unless its charge is being written. */
  release(lease: IdempotencyLease): void {
    if (!this.#open.get(nameOf(lease.key))?.isSettling) this.end(lease);
  }

  #removeExpired(): void {
    const now = this.#clock();
    for (const [name, lease] of this.#open) {
      if (lease.expiresAt > now) return;
      if (!lease.isSettling) this.#open.delete(name);
    }
  }
}

const nameOf = (key: IdempotencyKey): string => digestOf(key).toString('latin1');
