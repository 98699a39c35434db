// The render processes: as many as renders may run at once, and one more that is warm, so that a small render finds a
// place beside a large one and a process that was killed is replaced without a wait.
import { RenderError } from '../errors.js';
import { Admission, type Leave } from './admission.js';
import { Host, type HostOptions } from './host.js';
import type { Job, JobResult } from './job.js';

/** A process that has done so many jobs, or one this large (bytes), is replaced: WASM memories never shrink. */
const MOST_JOBS = 2000;
const GIANT_BYTES = 256 * 2 ** 20;
/** A process that could not be started is tried again after this long, doubled each time up to the second figure. */
const RETRY_MS = [100, 5000] as const;

export interface PoolOptions extends HostOptions {
  readonly workers: number;
  readonly queue: number;
  readonly memoryBytes: number;
}

export interface RenderPool {
  /**
   * Renders one job that will hold about `bytes` of memory, within `timeoutMs` from now, its wait included.
   * Rejects with RenderError `overloaded`, `render_timeout`, or what the render itself says.
   */
  run(job: Job, bytes: number, timeoutMs: number, signal?: AbortSignal): Promise<JobResult>;
  /** Resolves when a render process answers. */
  ready(): Promise<void>;
  /** Figures of now, for the health check and the metrics. */
  stats(): { running: number; queued: number; memoryBytes: number; restarts: number; pids: number[] };
  /** Ends the processes. Renders that run are lost: wait for them first. */
  close(): void;
}

export function createPool(options: PoolOptions): RenderPool {
  const hosts = new Set<Host>();
  const wanted = options.workers + 1;
  const idle = new Set<Host>();
  const waiters: ((host: Host) => void)[] = [];
  let closed = false;
  let restarts = 0;
  let retryMs: number = RETRY_MS[0];

  function start(): void {
    if (closed || hosts.size >= wanted) return;
    const host = new Host(options, ended);
    hosts.add(host);
    host.ready.then(
      () => {
        retryMs = RETRY_MS[0];
        offer(host);
      },
      () => {},
    );
  }

  function ended(host: Host): void {
    hosts.delete(host);
    if (closed) return;
    restarts++;
    // one that never got to work is likely to fail again at once
    if (host.jobs > 0) start();
    else {
      setTimeout(start, retryMs).unref();
      retryMs = Math.min(retryMs * 2, RETRY_MS[1]);
    }
  }

  /** Hands a free process to whoever has waited longest. */
  function offer(host: Host): void {
    if (host.spent || host.busy) return;
    idle.add(host);
    const waiter = waiters.shift();
    if (waiter) {
      idle.delete(host);
      waiter(host);
    }
  }

  /** A free process, as soon as there is one; rejects with the signal's reason when that aborts first. */
  function take(signal: AbortSignal): Promise<Host> {
    for (const host of idle) {
      idle.delete(host);
      if (!host.spent) return Promise.resolve(host);
    }
    return new Promise((resolve, reject) => {
      const waiter = (host: Host) => {
        signal.removeEventListener('abort', giveUp);
        resolve(host);
      };
      const giveUp = () => {
        waiters.splice(waiters.indexOf(waiter), 1);
        reject(signal.reason);
      };
      waiters.push(waiter);
      signal.addEventListener('abort', giveUp, { once: true });
    });
  }

  function giveBack(host: Host, bytes: number): void {
    if (host.jobs >= MOST_JOBS || bytes >= GIANT_BYTES) host.kill();
    else offer(host);
  }

  const admission = new Admission({ places: options.workers, queue: options.queue, memoryBytes: options.memoryBytes });
  for (let i = 0; i < wanted; i++) start();

  return {
    async run(job, bytes, timeoutMs, signal) {
      const deadline = performance.now() + timeoutMs;
      const late = AbortSignal.timeout(Math.max(0, Math.ceil(timeoutMs)));
      const ending = signal ? AbortSignal.any([signal, late]) : late;
      let leave: Leave | undefined;
      try {
        leave = await admission.enter(bytes, ending);
        const host = await take(ending);
        try {
          return await host.run(job, Math.max(1, deadline - performance.now()));
        } finally {
          giveBack(host, bytes);
        }
      } catch (error) {
        if (error !== late.reason) throw error;
        throw new RenderError('render_timeout', 'the render waited too long for its turn');
      } finally {
        leave?.();
      }
    },
    ready: () => Promise.any([...hosts].map((host) => host.ready)),
    stats: () => ({
      running: admission.running,
      queued: admission.queued,
      memoryBytes: admission.memory,
      restarts,
      pids: [...hosts].flatMap(({ pid }) => (pid === undefined ? [] : [pid])),
    }),
    close() {
      closed = true;
      for (const host of hosts) host.kill();
    },
  };
}
