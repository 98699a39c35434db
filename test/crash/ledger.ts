// A model of one workspace's credits. Every charge and grant has its own amount, a power of two, so each returned balance
// and each balance found after a crash shows exactly which operations have happened.
import type { Store } from '../../lib/store/types.js';

export type Kind = 'charge' | 'grant' | 'read';

export interface Operation {
  readonly kind: Kind;
  /** 0 for a read. */
  readonly amount: number;
  /** Logical times: every start and end increments one counter. */
  readonly startedAt: number;
  endedAt: number | undefined;
  /** The sum of the operations that the returned balance includes; undefined while in flight and when rejected. */
  seen: number | undefined;
  /** Rejected while its write may have been on the disk: a crash at that time may make it effective. */
  isUncertain: boolean;
}

/** Most charges and grants of a ledger; together they use 31 bits. */
export const MAX_CHARGES = 22;
export const MAX_GRANTS = 9;

export class Ledger {
  /** The initial balance: the sum of all possible charges. */
  readonly firstBalance = 2 ** MAX_CHARGES - 1;
  readonly operations: Operation[] = [];
  #time = 0;
  #charges = 0;
  #grants = 0;

  /** Whether the ledger has room for one more operation of this kind. */
  has(kind: Kind): boolean {
    if (kind === 'read') return true;
    return kind === 'charge' ? this.#charges < MAX_CHARGES : this.#grants < MAX_GRANTS;
  }

  start(kind: Kind): Operation {
    const amount = kind === 'read' ? 0 : 2 ** (kind === 'charge' ? this.#charges++ : MAX_CHARGES + this.#grants++);
    const startedAt = this.#time++;
    const operation: Operation = { kind, amount, startedAt, endedAt: undefined, seen: undefined, isUncertain: false };
    this.operations.push(operation);
    return operation;
  }

  acknowledge(operation: Operation, balance: number): void {
    operation.endedAt = this.#time++;
    operation.seen = this.happened(balance);
    if (operation.kind === 'read') return;
    // The snapshot of this operation has replaced every earlier uncertain one.
    for (const other of this.operations) {
      if (other.endedAt !== undefined && other.endedAt < operation.startedAt) other.isUncertain = false;
    }
  }

  reject(operation: Operation, isUncertain = false): void {
    operation.endedAt = this.#time++;
    operation.isUncertain = isUncertain;
  }

  /** The sum of the amounts of all operations that a balance includes: grants set bits, charges clear them. */
  happened(balance: number): number {
    return balance ^ this.firstBalance;
  }

  /** The first error in a balance found after a crash, if any. */
  errorAfterCrash(balance: number): string | undefined {
    if (!Number.isInteger(balance) || balance < 0) return `a balance of ${balance}`;
    const found = this.happened(balance);
    for (const operation of this.operations) {
      const { kind, amount, seen, endedAt, isUncertain } = operation;
      if (kind === 'read') continue;
      if (seen !== undefined && (found & amount) === 0) return `a ${kind} of ${amount} was acknowledged and is lost`;
      if (seen !== undefined && (found & seen) !== seen) return `what a ${kind} of ${amount} depended on is lost`;
      if (endedAt !== undefined && seen === undefined && !isUncertain && (found & amount) !== 0)
        return `a ${kind} of ${amount} was rejected but has happened`;
    }
    const started = this.operations.reduce((sum, { amount }) => sum + amount, 0);
    return (found & ~started) === 0 ? undefined : `${found & ~started} happened but was never started`;
  }

  /**
   * The first violation of linearizability, if any: all acknowledged operations must fit in one order, each between its
   * start and its end, in which each balance follows from the previous one.
   */
  linearizabilityError(): string | undefined {
    const acknowledged = this.operations.filter(({ seen }) => seen !== undefined) as (Operation & { seen: number })[];
    for (const { kind, amount, seen, startedAt, endedAt } of acknowledged) {
      if ((seen & amount) !== amount) return `a ${kind} of ${amount} returned a balance without itself`;
      for (const other of this.operations) {
        const isSeen = (seen & other.amount) !== 0;
        const isBefore = other.seen !== undefined && (other.endedAt as number) < startedAt;
        if (isBefore && other.amount > 0 && !isSeen) return `${other.amount} ended before ${amount} and was not seen`;
        if (isSeen && other.startedAt > (endedAt as number)) return `${amount} saw ${other.amount} before it started`;
        if (isSeen && other.endedAt !== undefined && other.seen === undefined && !other.isUncertain)
          return `${amount} saw ${other.amount}, which was rejected`;
      }
    }
    acknowledged.sort((a, b) => countBits(a.seen) - countBits(b.seen));
    for (let i = 1; i < acknowledged.length; i++) {
      const [earlier, later] = [acknowledged[i - 1], acknowledged[i]];
      if ((earlier.seen & later.seen) !== earlier.seen)
        return `${earlier.amount} and ${later.amount} saw different histories`;
      if (earlier.seen === later.seen && earlier.amount !== 0 && later.amount !== 0)
        return `${earlier.amount} and ${later.amount} returned the same balance`;
    }
    return undefined;
  }
}

function countBits(value: number): number {
  let count = 0;
  for (let rest = value; rest !== 0; rest &= rest - 1) count++;
  return count;
}

/** Runs an operation on the store and records its outcome. `isUncertain`: whether a rejected write may be on the disk. */
export async function perform(
  ledger: Ledger,
  store: Store,
  id: string,
  kind: Kind,
  isUncertain: () => boolean = () => false,
): Promise<void> {
  const operation = ledger.start(kind);
  try {
    if (kind === 'read') ledger.acknowledge(operation, (await store.balance(id)).balance);
    else if (kind === 'grant') ledger.acknowledge(operation, (await store.grant(id, operation.amount)).balance);
    else {
      const held = await store.hold(id, operation.amount);
      if (!('hold' in held)) throw new Error(`expected a hold of ${operation.amount}, received ${held.balance}`);
      ledger.acknowledge(operation, (await store.settle(held.hold)).balance);
    }
  } catch (error) {
    if ((error as { code?: unknown }).code !== 'storage_unavailable') throw error;
    ledger.reject(operation, isUncertain());
  }
}
