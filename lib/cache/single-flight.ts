// Work that several callers want at once → done once. A flight belongs to all who wait for it: it is given up when the
// last of them has left, and a flight that was given up is forgotten, so that the next caller starts afresh.
import { setMaxListeners } from 'node:events';

interface Flight<Result> {
  readonly result: Promise<Result>;
  readonly ending: AbortController;
  waiting: number;
}

/** Shares work by key, failures included: while it runs and, where it is to `keep`, as long as the object lives. */
export class SingleFlight<Result> {
  readonly #flights = new Map<string, Flight<Result>>();
  readonly #keep: boolean;

  constructor({ keep = true }: { readonly keep?: boolean } = {}) {
    this.#keep = keep;
  }

  /**
   * The result of the flight `key`, started by `start` when there is none. Rejects with the reason of `signal` when that
   * aborts first; `start`'s own signal aborts when nobody waits any more.
   */
  async run(key: string, start: (signal: AbortSignal) => Promise<Result>, signal?: AbortSignal): Promise<Result> {
    signal?.throwIfAborted();
    let flight = this.#flights.get(key);
    if (!flight) {
      const ending = new AbortController();
      flight = { result: start(ending.signal), ending, waiting: 0 };
      this.#flights.set(key, flight);
      const started = flight;
      const land = () => this.#forget(key, started);
      if (!this.#keep) flight.result.then(land, land);
    }
    flight.waiting++;
    // Who waits without a signal never leaves.
    return signal ? this.#wait(key, flight, signal) : flight.result;
  }

  async #wait(key: string, flight: Flight<Result>, signal: AbortSignal): Promise<Result> {
    let leave: (() => void) | undefined;
    // One signal serves all the layers of a payload: that so many listen to it is no leak, and no warning is due.
    setMaxListeners(0, signal);
    const left = new Promise<never>((_resolve, reject) => {
      leave = () => reject(signal.reason);
      signal.addEventListener('abort', leave, { once: true });
    });
    try {
      return await Promise.race([flight.result, left]);
    } finally {
      if (leave) signal.removeEventListener('abort', leave);
      flight.waiting--;
      if (signal.aborted && flight.waiting === 0) {
        this.#forget(key, flight);
        flight.ending.abort(signal.reason);
      }
    }
  }

  #forget(key: string, flight: Flight<Result>): void {
    if (this.#flights.get(key) === flight) this.#flights.delete(key);
  }
}

/** Lets at most `limit` tasks run at a time; the others wait in line. */
export function limitParallel(limit: number): <Result>(task: () => Promise<Result>) => Promise<Result> {
  const line: (() => void)[] = [];
  let running = 0;
  return async (task) => {
    if (running < limit) running++;
    else await new Promise<void>((resolve) => line.push(resolve));
    try {
      return await task();
    } finally {
      // The place passes on without becoming free, so that nobody slips in between.
      const next = line.shift();
      if (next) next();
      else running--;
    }
  };
}
