// Tracks credits reserved for running renders. In memory only: after a crash, uncharged credits are available again.

import { randomUUID } from 'node:crypto';
import { addCredits } from '../credits.js';
import { endedHold } from '../refusals.js';
import type { Hold } from '../types.js';

/** The holds of this process. A hold is open until its settlement begins or it is released. */
export class Holds {
  readonly #open = new Set<string>();
  /** Credits reserved, by workspace id. */
  readonly #held = new Map<string, number>();

  /** Credits of a workspace that are reserved. */
  heldCredits(workspaceId: string): number {
    return this.#held.get(workspaceId) ?? 0;
  }

  create(workspaceId: string, cost: number): Hold {
    const hold = { id: randomUUID(), workspaceId, cost };
    this.#open.add(hold.id);
    this.#held.set(workspaceId, addCredits(this.heldCredits(workspaceId), cost));
    return hold;
  }

  /** Starts settling: the hold is no longer open, but its credits stay reserved until `end`. Throws StoreError if not open. */
  startSettling({ id }: Hold): void {
    if (!this.#open.delete(id)) throw endedHold(id);
  }

  isOpen({ id }: Hold): boolean {
    return this.#open.has(id);
  }

  /** Frees the hold's credits. */
  end({ id, workspaceId, cost }: Hold): void {
    this.#open.delete(id);
    const held = addCredits(this.heldCredits(workspaceId), -cost);
    if (held > 0) this.#held.set(workspaceId, held);
    else this.#held.delete(workspaceId);
  }
}
