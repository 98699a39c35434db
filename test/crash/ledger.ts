// A model of one workspace's credits. Every charge and grant has its own amount, a power of two, so each returned balance
// and each balance found after a crash shows exactly which operations have happened. A keyed charge has an idempotency key,
// which is settled if and only if the charge has happened.
import { createHash } from 'node:crypto';
import type { Store } from '../../lib/store/types.js';

export type Kind = 'charge' | 'keyed charge' | 'grant' | 'read';

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
    return kind === 'grant' ? this.#grants < MAX_GRANTS : this.#charges < MAX_CHARGES;
  }

  start(kind: Kind): Operation {
    const amount = kind === 'read' ? 0 : 2 ** (kind === 'grant' ? MAX_CHARGES + this.#grants++ : this.#charges++);
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
  await run(ledger, store, id, ledger.start(kind), isUncertain);
}

/** Repeats the rejected charges that have keys, as a client does, and records their outcomes. */
export async function repeatRejected(
  ledger: Ledger,
  store: Store,
  id: string,
  isUncertain: () => boolean = () => false,
): Promise<void> {
  const rejected = ledger.operations.filter(
    ({ kind, endedAt, seen }) => kind === 'keyed charge' && endedAt !== undefined && seen === undefined,
  );
  await Promise.all(
    rejected.map(async (operation) => {
      const wasUncertain = operation.isUncertain;
      Object.assign(operation, { endedAt: undefined, isUncertain: false });
      await run(ledger, store, id, operation, () => wasUncertain || isUncertain());
    }),
  );
}

async function run(
  ledger: Ledger,
  store: Store,
  id: string,
  operation: Operation,
  isUncertain: () => boolean,
): Promise<void> {
  const { kind, amount } = operation;
  try {
    if (kind === 'read') ledger.acknowledge(operation, (await store.balance(id)).balance);
    else if (kind === 'grant') ledger.acknowledge(operation, (await store.grant(id, amount)).balance);
    else ledger.acknowledge(operation, await charge(store, id, amount, kind === 'keyed charge'));
  } catch (error) {
    if ((error as { code?: unknown }).code !== 'storage_unavailable') throw error;
    ledger.reject(operation, isUncertain());
  }
}

/** Returns the balance after the charge. */
async function charge(store: Store, id: string, amount: number, isKeyed: boolean): Promise<number> {
  const claim = isKeyed ? await store.claimIdempotencyKey(keyOf(amount), FINGERPRINT) : undefined;
  if (claim && !('lease' in claim)) throw new Error(`the key of ${amount} is not free: ${JSON.stringify(claim)}`);
  const held = await store.hold(id, amount);
  if (!('hold' in held)) throw new Error(`expected a hold of ${amount}, received ${held.balance}`);
  const settlement = claim && { lease: claim.lease, renderId: `render ${amount}`, templateVersion: amount };
  return (await store.settle(held.hold, settlement)).balance;
}

/** The fingerprint of all keyed charges. */
export const FINGERPRINT = createHash('sha256').digest('hex');
const keyOf = (amount: number) => ({ keyId: 'key', value: String(amount) });

/**
 * The first error, if any, in the lines that explain the balance: each operation that has happened has its line or its part
 * of one, and nothing else has.
 */
export async function linesError(
  ledger: Ledger,
  store: Store,
  id: string,
  balance: number,
): Promise<string | undefined> {
  const { items } = await store.listLedger(id, { limit: 200 });
  const happened = ledger.happened(balance);
  const amounts = ledger.operations.filter(({ amount, kind }) => kind !== 'read' && (happened & amount) !== 0);
  const granted = amounts.filter(({ kind }) => kind === 'grant').map(({ amount }) => amount);
  const charged = amounts.filter(({ kind }) => kind !== 'grant').map(({ amount }) => amount);
  const expected = [ledger.firstBalance, ...granted].sort((a, b) => a - b).join();
  const grants = items.flatMap(({ kind, amount }) => (kind === 'grant' ? amount : [])).sort((a, b) => a - b);
  if (grants.join() !== expected) return `the ledger has grants of ${grants}, not ${expected}`;
  const charges = items.flatMap((line) => (line.kind === 'charge' ? [line] : []));
  const sum = charges.reduce((total, { amount }) => total - amount, 0);
  const renders = charges.reduce((total, line) => total + line.renders!, 0);
  const expectedSum = charged.reduce((total, amount) => total + amount, 0);
  if (sum !== expectedSum) return `the ledger has charges of ${sum}, not ${expectedSum}`;
  if (renders !== charged.length) return `the ledger has ${renders} charges, not ${charged.length}`;
  return items.some(({ kind }) => kind === 'opening') ? 'the ledger does not explain the balance' : undefined;
}

/** The first keyed charge, if any, whose key is settled although the balance lacks it, or the other way round. */
export async function keyError(ledger: Ledger, store: Store, balance: number): Promise<string | undefined> {
  const found = ledger.happened(balance);
  for (const { kind, amount } of ledger.operations) {
    if (kind !== 'keyed charge') continue;
    const claim = await store.claimIdempotencyKey(keyOf(amount), FINGERPRINT);
    const hasHappened = (found & amount) !== 0;
    if ('inProgressMs' in claim) return `the key of ${amount} is in progress`;
    if ('lease' in claim) await store.releaseIdempotencyLease(claim.lease);
    if ('settled' in claim !== hasHappened)
      return hasHappened
        ? `${amount} was charged and its key is free`
        : `the key of ${amount} is settled without a charge`;
    if (!('settled' in claim)) continue;
    const { creditsCost, renderId, templateVersion, fingerprint } = claim.settled;
    const isWhole = renderId === `render ${amount}` && templateVersion === amount && fingerprint === FINGERPRINT;
    if (creditsCost !== amount || !isWhole) return `the key of ${amount} has the record of another`;
  }
  return undefined;
}

/**
 * Repeats every keyed charge after a crash, as clients do that got no answer; returns the first error, if any: each of them
 * must have been charged exactly once afterwards, and nothing else may have changed.
 */
export async function repeatError(ledger: Ledger, store: Store, id: string): Promise<string | undefined> {
  const before = ledger.happened((await store.balance(id)).balance);
  let expected = before;
  const repeats = ledger.operations.map(async ({ kind, amount }) => {
    if (kind !== 'keyed charge') return;
    expected |= amount;
    const claim = await store.claimIdempotencyKey(keyOf(amount), FINGERPRINT);
    if ('lease' in claim) await store.releaseIdempotencyLease(claim.lease);
    if (!('settled' in claim)) await charge(store, id, amount, true);
  });
  await Promise.all(repeats);
  const { balance } = await store.balance(id);
  if (ledger.happened(balance) !== expected) return `${before} became ${ledger.happened(balance)}, not ${expected}`;
  return await keyError(ledger, store, balance);
}
