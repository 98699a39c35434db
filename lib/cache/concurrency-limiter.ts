// Limits how many asynchronous tasks run at the same time.

/** Returns a function that runs at most `limit` tasks concurrently and queues the others in order of arrival. */
export function createConcurrencyLimiter(limit: number): <Result>(task: () => Promise<Result>) => Promise<Result> {
  const queue: (() => void)[] = [];
  let running = 0;
  return async (task) => {
    if (running < limit) running++;
    else await new Promise<void>((resolve) => queue.push(resolve));
    try {
      return await task();
    } finally {
      // The slot is handed over without being released, so a new task can't overtake the queue.
      const next = queue.shift();
      if (next) next();
      else running--;
    }
  };
}
