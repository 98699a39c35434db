// The small model of one workspace's credits. Every charge and every grant moves an amount of its own, a power of two, so
// each balance that anybody is told, or that is found after a crash, tells exactly which of them have happened.
import type { Store } from '../../lib/store/types.js';

export type Kind = 'charge' | 'grant' | 'read';

export interface Operation {
  readonly kind: Kind;
  /** Its amount; 0 for a read. */
  readonly amount: number;
  /** Moments of one count: asked before answered. */
  readonly asked: number;
  answered: number | undefined;
  /** What had happened by the balance in the answer; absent while in flight, and when refused. */
  seen: number | undefined;
  /** Refused while what it wrote may still have been on the disk: a crash at that point may bring it back. */
  doubtful: boolean;
}

/** Charges that a ledger has room for, and grants: together they fill 31 bits. */
export const MAX_CHARGES = 22;
export const MAX_GRANTS = 9;

export class Ledger {
  /** The first balance: all charges are yet to be taken from it. */
  readonly start = 2 ** MAX_CHARGES - 1;
  readonly operations: Operation[] = [];
  #moment = 0;
  #charges = 0;
  #grants = 0;

  /** Whether one more of that kind has an amount left. */
  has(kind: Kind): boolean {
    if (kind === 'read') return true;
    return kind === 'charge' ? this.#charges < MAX_CHARGES : this.#grants < MAX_GRANTS;
  }

  ask(kind: Kind): Operation {
    const amount = kind === 'read' ? 0 : 2 ** (kind === 'charge' ? this.#charges++ : MAX_CHARGES + this.#grants++);
    const asked = this.#moment++;
    const operation: Operation = { kind, amount, asked, answered: undefined, seen: undefined, doubtful: false };
    this.operations.push(operation);
    return operation;
  }

  tell(operation: Operation, balance: number): void {
    operation.answered = this.#moment++;
    operation.seen = this.happened(balance);
    if (operation.kind === 'read') return;
    // Its generation has been written over whatever was doubtful.
    for (const other of this.operations) {
      if (other.answered !== undefined && other.answered < operation.asked) other.doubtful = false;
    }
  }

  refuse(operation: Operation, doubtful = false): void {
    operation.answered = this.#moment++;
    operation.doubtful = doubtful;
  }

  /** The sum of the amounts of all that has happened at this balance: grants are added bits, charges missing ones. */
  happened(balance: number): number {
    return balance ^ this.start;
  }

  /** What is wrong with a balance found after a crash; undefined when nothing is. */
  faultAfterCrash(balance: number): string | undefined {
    if (!Number.isInteger(balance) || balance < 0) return `a balance of ${balance}`;
    const found = this.happened(balance);
    for (const operation of this.operations) {
      const { kind, amount, seen, answered, doubtful } = operation;
      if (kind === 'read') continue;
      if (seen !== undefined && (found & amount) === 0) return `a ${kind} of ${amount} was acknowledged and is gone`;
      if (seen !== undefined && (found & seen) !== seen) return `what a ${kind} of ${amount} built on is gone`;
      if (answered !== undefined && seen === undefined && !doubtful && (found & amount) !== 0)
        return `a ${kind} of ${amount} was refused and has happened`;
    }
    const asked = this.operations.reduce((sum, { amount }) => sum + amount, 0);
    return (found & ~asked) === 0 ? undefined : `${found & ~asked} happened, and nobody had asked for it`;
  }

  /**
   * What contradicts linearizability: that all answers can be put in one order, each within the time between its question
   * and its answer, in which each balance follows from the one before. Undefined when nothing does.
   */
  faultInOrder(): string | undefined {
    const told = this.operations.filter(({ seen }) => seen !== undefined) as (Operation & { seen: number })[];
    for (const { kind, amount, seen, asked, answered } of told) {
      if ((seen & amount) !== amount) return `a ${kind} of ${amount} was told a balance without itself`;
      for (const other of this.operations) {
        const within = (seen & other.amount) !== 0;
        const before = other.seen !== undefined && (other.answered as number) < asked;
        if (before && other.amount > 0 && !within) return `${other.amount} came before ${amount} and was not seen`;
        if (within && other.asked > (answered as number))
          return `${amount} saw ${other.amount} before it was asked for`;
        if (within && other.answered !== undefined && other.seen === undefined && !other.doubtful)
          return `${amount} saw ${other.amount}, which was refused`;
      }
    }
    told.sort((a, b) => bits(a.seen) - bits(b.seen));
    for (let i = 1; i < told.length; i++) {
      const [earlier, later] = [told[i - 1], told[i]];
      if ((earlier.seen & later.seen) !== earlier.seen)
        return `${earlier.amount} and ${later.amount} saw different pasts`;
      if (earlier.seen === later.seen && earlier.amount !== 0 && later.amount !== 0)
        return `${earlier.amount} and ${later.amount} were told the same balance`;
    }
    return undefined;
  }
}

function bits(value: number): number {
  let count = 0;
  for (let rest = value; rest !== 0; rest &= rest - 1) count++;
  return count;
}

/** Asks the store and keeps account of its answer. `doubtful`: whether what it refuses now may be on the disk. */
export async function perform(
  ledger: Ledger,
  store: Store,
  id: string,
  kind: Kind,
  doubtful: () => boolean = () => false,
): Promise<void> {
  const operation = ledger.ask(kind);
  try {
    if (kind === 'read') ledger.tell(operation, (await store.balance(id)).balance);
    else if (kind === 'grant') ledger.tell(operation, (await store.grant(id, operation.amount)).balance);
    else {
      const held = await store.hold(id, operation.amount);
      if (!('hold' in held)) throw new Error(`expected a hold of ${operation.amount}, received ${held.balance}`);
      ledger.tell(operation, (await store.settle(held.hold)).balance);
    }
  } catch (error) {
    if ((error as { code?: unknown }).code !== 'storage_unavailable') throw error;
    ledger.refuse(operation, doubtful());
  }
}
