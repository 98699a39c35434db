// The render processes: as many as renders may run at once, and one more that is warm, so that a small render finds a
// place beside a large one and a process that was killed is replaced without a wait.
import { RenderError } from '../errors.js';
import { Admission, type AdmissionOptions } from './admission.js';
import { Host, type HostOptions } from './host.js';
import type { Job, JobResult } from './job.js';

/** A process is replaced after so many jobs, or when it keeps so many bytes: WASM memories never shrink. */
const MOST_JOBS = 2000;
const MOST_MEMORY = 384 * 2 ** 20;
/** A process that could not be started is tried again after this long, doubled each time up to the second figure. */
const RETRY_MS = [100, 5000] as const;

export interface PoolOptions extends HostOptions, Omit<AdmissionOptions, 'places'> {
  readonly workers: number;
  /** Told how long each job waited for a process, in milliseconds. */
  readonly waited?: (milliseconds: number, job: Job) => void;
}

export interface RenderPool {
  /**
   * Renders one job that will hold about `bytes` of memory; one that was `checked` is not refused for how long it may have
   * to wait. Rejects with the signal's reason when that aborts first, while it waits or while it runs; with RenderError
   * `overloaded`; or with what the render itself says.
   */
  run(job: Job, bytes: number, signal: AbortSignal, checked?: boolean): Promise<JobResult>;
  /** Throws RenderError `overloaded` when a render of about `bytes` would be refused now. */
  check(bytes: number): void;
  /** Resolves when a render process answers. */
  ready(): Promise<void>;
  /** Figures of now, for the health check and the metrics. */
  stats(): { running: number; queued: number; memoryBytes: number; idle: number; restarts: number; pids: number[] };
  /** Ends the processes. Renders that run are lost: wait for them first. */
  close(): void;
}

export function createPool(options: PoolOptions): RenderPool {
  const hosts = new Set<Host>();
  const wanted = options.workers + 1;
  const idle = new Set<Host>();
  const waiters = new Set<(host: Host) => void>();
  const closing = new AbortController();
  let restarts = 0;
  let retryMs: number = RETRY_MS[0];
  let retry: NodeJS.Timeout | undefined;

  function start(): void {
    if (closing.signal.aborted || hosts.size >= wanted) return;
    let host: Host;
    try {
      host = new Host(options, ended);
    } catch (error) {
      options.report(`a render process could not be started: ${(error as Error).message}`);
      startLater();
      return;
    }
    hosts.add(host);
    host.ready.then(
      () => {
        retryMs = RETRY_MS[0];
        offer(host);
      },
      () => {},
    );
  }

  function startLater(): void {
    if (closing.signal.aborted) return;
    retry ??= setTimeout(() => {
      retry = undefined;
      startAll();
    }, retryMs);
    retryMs = Math.min(retryMs * 2, RETRY_MS[1]);
  }

  function startAll(): void {
    for (let missing = wanted - hosts.size; missing > 0; missing--) start();
  }

  function ended(host: Host): void {
    hosts.delete(host);
    idle.delete(host);
    restarts++;
    // one that never got to work is likely to fail again at once
    if (host.jobs > 0) start();
    else startLater();
  }

  /** Hands a free process to whoever has waited longest. */
  function offer(host: Host): void {
    if (host.spent || host.busy) return;
    const [waiter] = waiters;
    if (waiter) waiter(host);
    else idle.add(host);
  }

  /** A free process, as soon as there is one; rejects with the signal's reason when that aborts first. */
  async function take(signal: AbortSignal): Promise<Host> {
    signal.throwIfAborted();
    closing.signal.throwIfAborted();
    for (const host of idle) {
      idle.delete(host);
      if (!host.spent) return host;
    }
    return new Promise((resolve, reject) => {
      const waiter = (host: Host) => {
        leave();
        resolve(host);
      };
      const giveUp = () => {
        leave();
        reject(closing.signal.aborted ? closing.signal.reason : signal.reason);
      };
      const leave = () => {
        waiters.delete(waiter);
        signal.removeEventListener('abort', giveUp);
        closing.signal.removeEventListener('abort', giveUp);
      };
      waiters.add(waiter);
      signal.addEventListener('abort', giveUp);
      closing.signal.addEventListener('abort', giveUp);
    });
  }

  function giveBack(host: Host): void {
    if (host.jobs >= MOST_JOBS || host.memory >= MOST_MEMORY) host.kill();
    else offer(host);
  }

  const admission = new Admission({ ...options, places: options.workers });
  startAll();

  return {
    async run(job, bytes, signal, checked) {
      closing.signal.throwIfAborted();
      const came = performance.now();
      const leave = await admission.enter(bytes, signal, checked);
      for (;;) {
        const host = await take(signal).catch((error) => {
          leave();
          throw error;
        });
        const waited = performance.now() - came;
        const { begun, result, freed } = host.run(job, signal);
        // one that died while it was idle has done nothing of it: another does
        if (!(await begun)) continue;
        options.waited?.(waited, job);
        freed.then((ms) => {
          giveBack(host);
          leave(ms);
        });
        return result;
      }
    },
    check: (bytes) => admission.check(bytes),
    ready: () => Promise.any([...hosts].map((host) => host.ready)),
    stats: () => ({
      running: admission.running,
      queued: admission.queued,
      memoryBytes: admission.memory,
      idle: idle.size,
      restarts,
      pids: [...hosts].flatMap(({ pid }) => (pid === undefined ? [] : [pid])),
    }),
    close() {
      const reason = new RenderError('overloaded', 'the server is shutting down');
      closing.abort(reason);
      clearTimeout(retry);
      for (const host of hosts) host.kill(reason);
    },
  };
}
