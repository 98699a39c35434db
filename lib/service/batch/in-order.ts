// Works on the items of a list side by side, and gives the results in the order of the items.

export interface OrderedWork<Item, Result> {
  /** Items that are worked on at once. */
  readonly concurrency: number;
  /** Results that exist or are being made, the one that the consumer has included. */
  readonly maxAhead: number;
  /** Whether there is room for another result beside `ahead` others. The first one is always made. */
  readonly hasRoom: (ahead: number) => boolean;
  readonly start: (item: Item) => Promise<Result>;
  /** Called for results that nobody will get. */
  readonly discard: (result: Result) => Promise<void>;
}

/** Throws what `start` rejects with. Waits for all work that was started, however it ends. */
export async function* inOrder<Item, Result>(
  items: readonly Item[],
  { concurrency, maxAhead, hasRoom, start, discard }: OrderedWork<Item, Result>,
): AsyncGenerator<Result, void> {
  const pending: Promise<Result>[] = [];
  let next = 0;
  let running = 0;
  const canStart = () =>
    next < items.length &&
    running < concurrency &&
    (pending.length === 0 || (pending.length < maxAhead && hasRoom(pending.length)));
  const fill = () => {
    while (canStart()) {
      running++;
      const result = start(items[next++]).finally(() => {
        running--;
        fill();
      });
      // awaited below, when it is its turn
      result.catch(() => undefined);
      pending.push(result);
    }
  };
  try {
    for (fill(); pending.length > 0; fill()) {
      yield await pending[0];
      pending.shift();
    }
  } finally {
    next = items.length;
    await Promise.allSettled(pending.map((result) => result.then(discard)));
  }
}
