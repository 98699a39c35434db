// Credits set aside for renders that run. In memory only: what a crash takes away was never charged, so it is given back.
import { randomUUID } from 'node:crypto';
import { addCredits } from '../credits.js';
import { type Hold, StoreError } from '../types.js';

/** The holds of one process. A hold is open until it is begun to be settled, or released; each happens once. */
export class Holds {
  readonly #open = new Set<string>();
  readonly #held = new Map<string, number>();

  /** Credits of a workspace that are spoken for. */
  heldOf(workspaceId: string): number {
    return this.#held.get(workspaceId) ?? 0;
  }

  take(workspaceId: string, cost: number): Hold {
    const hold = { id: randomUUID(), workspaceId, cost };
    this.#open.add(hold.id);
    this.#held.set(workspaceId, addCredits(this.heldOf(workspaceId), cost));
    return hold;
  }

  /** Claims the hold for a charge: it stays spoken for until `giveBack`. Throws StoreError when it has ended already. */
  claim({ id }: Hold): void {
    if (!this.#open.delete(id)) throw new StoreError(`hold ${id} has been settled or released already`);
  }

  /** True for the first that ends this hold. */
  isOpen({ id }: Hold): boolean {
    return this.#open.has(id);
  }

  giveBack({ id, workspaceId, cost }: Hold): void {
    this.#open.delete(id);
    const rest = addCredits(this.heldOf(workspaceId), -cost);
    if (rest > 0) this.#held.set(workspaceId, rest);
    else this.#held.delete(workspaceId);
  }
}
