// The worker processes: as many as renders may run at once, and one spare that is warm, so that a small render finds a
// process beside a large one and a killed process is replaced without a wait.
import { RenderError } from '../errors.js';
import type { Job, JobResult } from './job.js';
import { WorkerProcess, type WorkerProcessOptions } from './worker-process.js';

/** A process is replaced after so many jobs, or when it keeps so many bytes: WASM memories never shrink. */
const MAX_JOBS = 2000;
const MAX_MEMORY = 384 * 2 ** 20;
/** A process that could not be started is tried again after this long, doubled each time up to the second figure. */
const RETRY_MS = [100, 5000] as const;

export interface PoolOptions extends WorkerProcessOptions {
  /** Jobs that run at once. */
  readonly workers: number;
  /** Processes beyond that, kept warm and free for small jobs beside large ones; 1 unless given. */
  readonly spares?: number;
}

export interface RenderPool {
  /**
   * Renders one job, as soon as a process is free. Rejects with the signal's reason when that aborts first, while the job
   * waits or runs; with RenderError `overloaded` when the pool is closed; or with what the render itself throws.
   * Calls `onReleased` once, when no process works on the job any more, which may be after the promise has settled:
   * with the milliseconds that the render took by the process's own clock, where they are known.
   */
  run(job: Job, signal: AbortSignal, onReleased?: (ms?: number) => void): Promise<JobResult>;
  /** Resolves when a render process answers. */
  ready(): Promise<void>;
  /** The state of the processes, for the health check and the metrics. */
  stats(): { idle: number; restarts: number; pids: number[] };
  /** Ends the processes. Renders that run are lost: wait for them first. */
  close(): void;
}

export function createPool(options: PoolOptions): RenderPool {
  const hosts = new Set<WorkerProcess>();
  const wanted = options.workers + (options.spares ?? 1);
  const idle = new Set<WorkerProcess>();
  const waiters = new Set<(host: WorkerProcess) => void>();
  const closing = new AbortController();
  let restarts = 0;
  let retryMs: number = RETRY_MS[0];
  let retry: NodeJS.Timeout | undefined;

  function start(): void {
    if (closing.signal.aborted || hosts.size >= wanted) return;
    let host: WorkerProcess;
    try {
      host = new WorkerProcess(options, ended);
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

  function ended(host: WorkerProcess): void {
    hosts.delete(host);
    idle.delete(host);
    restarts++;
    // one that never got to work is likely to fail again at once
    if (host.jobs > 0) start();
    else startLater();
  }

  /** Hands a free process to whoever has waited longest. */
  function offer(host: WorkerProcess): void {
    if (host.retired || host.busy) return;
    const [waiter] = waiters;
    if (waiter) waiter(host);
    else idle.add(host);
  }

  /** A free process, as soon as there is one; rejects with the signal's reason when that aborts first. */
  async function take(signal: AbortSignal): Promise<WorkerProcess> {
    signal.throwIfAborted();
    closing.signal.throwIfAborted();
    for (const host of idle) {
      idle.delete(host);
      if (!host.retired) return host;
    }
    return new Promise((resolve, reject) => {
      const waiter = (host: WorkerProcess) => {
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

  function giveBack(host: WorkerProcess): void {
    if (host.jobs >= MAX_JOBS || host.memory >= MAX_MEMORY) host.kill();
    else offer(host);
  }

  startAll();

  return {
    async run(job, signal, onReleased = () => {}) {
      for (;;) {
        const host = await take(signal).catch((error) => {
          onReleased();
          throw error;
        });
        const { accepted, result, released } = host.run(job, signal);
        // a process that died while it was idle has not touched the job: another one runs it
        if (!(await accepted)) continue;
        released.then((ms) => {
          giveBack(host);
          onReleased(ms);
        });
        return result;
      }
    },
    ready: () => Promise.any([...hosts].map((host) => host.ready)),
    stats: () => ({
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
