// Deduplicates concurrent work by key: callers that ask for the same key share one run. A run is aborted and forgotten
// when its last caller has aborted, so the next caller starts a new one.

/**
 * Callbacks by the signal that they wait for. One signal serves all layers of a payload, and Node warns of more than ten
 * listeners.
 */
const callbacks = new WeakMap<AbortSignal, Set<() => void>>();

/** Calls `callback` when `signal` aborts, with one listener per signal; the result cancels it. */
function onAbort(signal: AbortSignal, callback: () => void): () => void {
  let waiting = callbacks.get(signal);
  if (!waiting) {
    const added = new Set<() => void>();
    callbacks.set(signal, added);
    signal.addEventListener('abort', () => added.forEach((call) => void call()), { once: true });
    waiting = added;
  }
  waiting.add(callback);
  return () => waiting.delete(callback);
}

interface Flight<Result> {
  readonly result: Promise<Result>;
  readonly controller: AbortController;
  waiters: number;
}

/**
 * Shares work by key, failures included: until the work settles or, with `keepResults`, for the lifetime of this
 * object.
 */
export class SingleFlight<Result> {
  readonly #flights = new Map<string, Flight<Result>>();
  readonly #keepResults: boolean;

  constructor({ keepResults = true }: { readonly keepResults?: boolean } = {}) {
    this.#keepResults = keepResults;
  }

  /** Whether there is a flight `key`. */
  has(key: string): boolean {
    return this.#flights.has(key);
  }

  /**
   * Returns the result of the flight `key`, which `start` begins if there is none. Rejects with the reason of `signal`
   * if that aborts first. The signal passed to `start` aborts when no caller waits any more.
   */
  async run(key: string, start: (signal: AbortSignal) => Promise<Result>, signal?: AbortSignal): Promise<Result> {
    signal?.throwIfAborted();
    let flight = this.#flights.get(key);
    if (!flight) {
      const controller = new AbortController();
      flight = { result: start(controller.signal), controller, waiters: 0 };
      this.#flights.set(key, flight);
      const started = flight;
      const forget = () => this.#forget(key, started);
      if (!this.#keepResults) flight.result.then(forget, forget);
    }
    flight.waiters++;
    // A caller without a signal can't leave, so its flight is never aborted.
    return signal ? this.#wait(key, flight, signal) : flight.result;
  }

  async #wait(key: string, flight: Flight<Result>, signal: AbortSignal): Promise<Result> {
    let cancel: (() => void) | undefined;
    const aborted = new Promise<never>((_resolve, reject) => {
      cancel = onAbort(signal, () => reject(signal.reason));
    });
    try {
      return await Promise.race([flight.result, aborted]);
    } finally {
      cancel?.();
      flight.waiters--;
      if (signal.aborted && flight.waiters === 0) {
        this.#forget(key, flight);
        flight.controller.abort(signal.reason);
      }
    }
  }

  #forget(key: string, flight: Flight<Result>): void {
    if (this.#flights.get(key) === flight) this.#flights.delete(key);
  }
}
