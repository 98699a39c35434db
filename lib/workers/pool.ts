// The shared pool of worker processes for the service, `platen batch` and the library. A spare process beyond those that may
// work at once lets a small render run beside a large one, and replaces a killed process without a delay.
import type { AssetDescription } from '../assets/inspect.js';
import { RenderError, ServiceError } from '../errors.js';
import type { FontReport } from '../fonts/report.js';
import type { AssetJob, FontJob, InspectJob, InspectJobResult, Job, JobResult } from './job.js';
import { IMAGE_CACHE_BYTES } from './run-job.js';
import type { ProcessUsage } from './sandbox/launch.js';
import type { Wall } from './sandbox/walls.js';
import { type JobUsage, type Task, WorkerProcess, type WorkerProcessOptions } from './worker-process.js';

/** A process is replaced after this many jobs, or when it holds this many bytes: WebAssembly memories never shrink. */
const MAX_JOBS = 2000;
const MAX_MEMORY = 384 * 2 ** 20;
/** Milliseconds before the next start after one that failed; doubled each time, up to the maximum. */
const RETRY_MS = { min: 100, max: 5000 } as const;

export interface PoolOptions extends WorkerProcessOptions {
  /** Jobs that run at once. */
  readonly workers: number;
  /** Further processes, kept ready for small jobs beside large ones; 1 by default. */
  readonly spares?: number;
  /** Whether processes start only when jobs need them; by default, all start with the pool. */
  readonly isLazy?: boolean;
  /** Number of starts that may fail in succession before the waiting jobs are rejected; unlimited by default. */
  readonly maxFailedStarts?: number;
  /** A process that is started already, with the same options. */
  readonly first?: WorkerProcess | undefined;
  /** The walls that `launch` puts around a process, for `stats`; none by default. */
  readonly walls?: readonly Wall[] | undefined;
  /**
   * Owners that a process may draw for. With `workspace`, a process that has read a file of one owner draws for that owner
   * alone; with `all`, the default, it draws for everyone.
   */
  readonly sharing?: 'workspace' | 'all' | undefined;
}

export type { JobUsage } from './worker-process.js';

export interface JobListeners {
  /** Whether other jobs come first: its process then gets the lowest priority, and keeps it. */
  readonly isBackground?: boolean | undefined;
  /** The workspace whose job it is; jobs without one are strangers to all others. */
  readonly owner?: string | undefined;
  /** Called when the job leaves the queue for a process; again if that process ended before it began the job. */
  readonly onStarted?: () => void;
  /**
   * Called once, when no process works on the job any more, which may be after the promise has settled: with what the job
   * took, if it was sent to a process.
   */
  readonly onReleased?: (usage?: JobUsage) => void;
}

/** Figures that a living process has reported. */
export interface ProcessReport {
  /** Its id, as this process sees it or as a separate pool reports it. */
  readonly pid: number;
  /** Resident bytes after its last job; 0 before its first. */
  readonly memory: number;
  /** Milliseconds that its jobs took. */
  readonly workMs: number;
  /** The usage that a separate pool reports, because this process can't see it then. */
  readonly usage?: ProcessUsage | undefined;
}

/** A process that works for one document. */
export interface DocumentProcess {
  /** Renders one job, as the pool's `run` does. */
  run: RenderPool['run'];
  /** Gives the process back. */
  release(): void;
}

export interface RenderPool {
  /**
   * Renders one job as soon as a process is free, first come first served. Rejects with the signal's reason when that
   * aborts first, while the job waits or runs; with RenderError `overloaded` when the pool is closed; with `render_failed`
   * when the process ends on the job or none can be started; or with the render's own error.
   */
  run(job: Job, signal: AbortSignal, listeners?: JobListeners): Promise<JobResult>;
  /** Inspects one job, as `run` renders one. */
  inspect(job: InspectJob, signal: AbortSignal, listeners?: JobListeners): Promise<InspectJobResult>;
  /** Checks one file, as `run` renders a job. Rejects with `invalid_request` when it is no usable image or font. */
  inspectAsset(job: AssetJob, signal: AbortSignal, listeners?: JobListeners): Promise<AssetDescription>;
  /**
   * Takes a process out of the pool for the scenes of one document, beside those that may work at once: it takes no place of
   * theirs while it waits for its next job. Rejects with the signal's reason when that aborts first.
   */
  takeProcess(owner: string | undefined, signal: AbortSignal): Promise<DocumentProcess>;
  /** Resolves when a worker process answers. */
  ready(): Promise<void>;
  /** The state of the processes, for the health check and the metrics. */
  stats(): {
    idle: number;
    restarts: number;
    pids: number[];
    processes: ProcessReport[];
    walls?: readonly Wall[];
  };
  /** Kills the processes; running renders are lost. Resolves when the processes have ended. */
  close(): Promise<void>;
}

/** A pool with processes, which can also do what must not run elsewhere. */
export interface ProcessPool extends RenderPool {
  /** Reports on one font, as `run` renders a job. Rejects with `render_failed` when it is no usable font. */
  reportFont(job: FontJob, signal: AbortSignal, listeners?: JobListeners): Promise<FontReport>;
}

/** A job that waits for a process. */
interface Waiting {
  readonly owner: string;
  start(worker: WorkerProcess): void;
  fail(error: unknown): void;
}

/** Whether the job has the process read a picture, a font or an SVG that is not the package's. */
function hasAssets({ assets }: InspectJob): boolean {
  for (const asset of assets.values()) if ('file' in asset) return true;
  return false;
}

export function createPool(options: PoolOptions): ProcessPool {
  const { walls = [], sharing = 'all' } = options;
  const { isLazy = false, maxFailedStarts = Number.POSITIVE_INFINITY, imageCacheBytes = IMAGE_CACHE_BYTES } = options;
  const size = options.workers + (options.spares ?? 1);
  const maxMemory = MAX_MEMORY + imageCacheBytes - IMAGE_CACHE_BYTES;
  const workers = new Set<WorkerProcess>();
  const idle = new Set<WorkerProcess>();
  const waiting = new Set<Waiting>();
  /** The owner of the files that a process has read. */
  const owners = new Map<WorkerProcess, string>();
  /** Processes that have read files of one owner leave room for as many that have read none. */
  const maxProcesses = sharing === 'workspace' ? size + options.workers : size;
  const closing = new AbortController();
  let restarts = 0;
  let anonymous = 0;
  let failedStarts = 0;
  let retryMs: number = RETRY_MS.min;
  let retryTimer: NodeJS.Timeout | undefined;

  function start(first?: WorkerProcess): void {
    if (closing.signal.aborted || workers.size - taken.size >= maxProcesses) return;
    let worker: WorkerProcess;
    try {
      worker = first ?? new WorkerProcess(options, onEnded);
      worker.onEnded = onEnded;
    } catch (error) {
      const { message } = error as Error;
      options.report(`a render process could not be started: ${message}`);
      onFailedStart(message);
      return;
    }
    workers.add(worker);
    worker.ready.then(
      () => {
        retryMs = RETRY_MS.min;
        failedStarts = 0;
        offer(worker);
      },
      () => {},
    );
  }

  function startLater(): void {
    if (closing.signal.aborted || (isLazy && waiting.size === 0)) return;
    retryTimer ??= setTimeout(() => {
      retryTimer = undefined;
      startMissing();
    }, retryMs);
    retryMs = Math.min(retryMs * 2, RETRY_MS.max);
  }

  function startMissing(): void {
    const busy = [...workers].filter((worker) => worker.busy && !taken.has(worker)).length;
    const wanted = isLazy ? Math.min(size, busy + waiting.size) : size;
    for (let missing = wanted - workers.size + taken.size; missing > 0; missing--) start();
    startAhead();
  }

  /** Whether the process may draw for the owner. */
  function suits(worker: WorkerProcess, owner: string): boolean {
    const mine = owners.get(worker);
    return sharing === 'all' || mine === undefined || mine === owner;
  }

  /** Has a process ready that has read no files, ahead of the next owner; idle ones make room for it, the oldest first. */
  function startAhead(): void {
    if (sharing === 'all' || isLazy || closing.signal.aborted) return;
    const fresh = [...workers].filter((worker) => !owners.has(worker) && !worker.busy && !worker.retired).length;
    if (fresh > 0) return;
    if (workers.size < maxProcesses) start();
    else [...idle].find((worker) => owners.has(worker))?.kill();
  }

  function onFailedStart(reason: string): void {
    failedStarts++;
    if (failedStarts >= maxFailedStarts) {
      const error = new RenderError('render_failed', `no render process could be started: ${reason}`);
      for (const { fail } of waiting) fail(error);
    }
    startLater();
  }

  function onEnded(worker: WorkerProcess, reason: string): void {
    workers.delete(worker);
    taken.delete(worker);
    owners.delete(worker);
    idle.delete(worker);
    restarts++;
    if (!worker.isReady) onFailedStart(reason);
    // a process that finished no job is likely to fail again at once
    else if (worker.jobs === 0) startLater();
    else startMissing();
  }

  /** Gives a free process to the job that has waited longest. */
  function offer(worker: WorkerProcess): void {
    if (worker.retired || worker.busy) return;
    for (const entry of waiting) {
      if (!suits(worker, entry.owner)) continue;
      entry.start(worker);
      return;
    }
    // all that wait are strangers to it
    if (waiting.size > 0) worker.kill();
    else idle.add(worker);
    startAhead();
  }

  /** A free process; rejects with the signal's reason when that aborts first. */
  async function acquire(isBackground: boolean, owner: string, signal: AbortSignal): Promise<WorkerProcess> {
    signal.throwIfAborted();
    closing.signal.throwIfAborted();
    for (const worker of idle) if (worker.retired) idle.delete(worker);
    const suitable = [...idle].filter((worker) => suits(worker, owner));
    // one that has read the owner's files serves nobody else
    suitable.sort((a, b) => Number(owners.has(b)) - Number(owners.has(a)));
    const free = suitable.find((worker) => worker.isBackground === isBackground) ?? suitable[0];
    if (free) {
      idle.delete(free);
      return free;
    }
    return new Promise((resolve, reject) => {
      const entry: Waiting = {
        owner,
        start(worker: WorkerProcess) {
          leave();
          resolve(worker);
        },
        fail(error: unknown) {
          leave();
          reject(error);
        },
      };
      const onAbort = () => entry.fail(signal.reason);
      const leave = () => {
        waiting.delete(entry);
        signal.removeEventListener('abort', onAbort);
      };
      waiting.add(entry);
      signal.addEventListener('abort', onAbort);
      if (isLazy && !retryTimer) startMissing();
      startAhead();
    });
  }

  /** Processes that work for documents. */
  const taken = new Set<WorkerProcess>();

  async function takeProcess(owner = `\0${anonymous++}`, signal: AbortSignal): Promise<DocumentProcess> {
    const worker = await acquire(false, owner, signal);
    /** Whether the process holds a document without its last page. */
    let isOpen = false;
    taken.add(worker);
    if (sharing === 'workspace') owners.set(worker, owner);
    // another one takes its place
    startMissing();
    return {
      async run(job, end, { onStarted, onReleased, isBackground = false } = {}) {
        if (isBackground) worker.toBackground();
        onStarted?.();
        const { accepted, result, released } = worker.run(job, end);
        released.then(onReleased);
        if (!(await accepted)) throw new RenderError('render_failed', 'the render process of the document has ended');
        // a page that fails ends its document
        isOpen = false;
        const page = await result;
        isOpen = job.place?.isLast === false;
        return page;
      },
      release() {
        if (!taken.delete(worker)) return;
        // it is one more than may work at once, or would keep what nobody finishes
        if (workers.size > maxProcesses || isOpen) worker.kill();
        else release(worker);
      },
    };
  }

  function release(worker: WorkerProcess): void {
    if (worker.jobs >= MAX_JOBS || worker.memory >= maxMemory) worker.kill();
    else offer(worker);
  }

  async function execute<Result>(
    begin: (worker: WorkerProcess) => Task<Result>,
    signal: AbortSignal,
    { onStarted, onReleased, isBackground = false, owner = `\0${anonymous++}` }: JobListeners = {},
    hasFiles = true,
  ): Promise<Result> {
    for (;;) {
      const worker = await acquire(isBackground, owner, signal).catch((error) => {
        onReleased?.();
        throw error;
      });
      if (isBackground) worker.toBackground();
      if (hasFiles && sharing === 'workspace') {
        owners.set(worker, owner);
        startAhead();
      }
      onStarted?.();
      const { accepted, result, released } = begin(worker);
      // a process that died while it was idle has not begun the job: another one runs it
      if (!(await accepted)) continue;
      released.then((usage) => {
        release(worker);
        onReleased?.(usage);
      });
      return result;
    }
  }

  if (options.first) start(options.first);
  if (!isLazy) startMissing();

  return {
    run: (job, signal, listeners) => execute((worker) => worker.run(job, signal), signal, listeners, hasAssets(job)),
    inspect: (job, signal, listeners) =>
      execute((worker) => worker.inspect(job, signal), signal, listeners, hasAssets(job)),
    inspectAsset: (job, signal, listeners) => execute((worker) => worker.inspectAsset(job, signal), signal, listeners),
    reportFont: (job, signal, listeners) => execute((worker) => worker.reportFont(job, signal), signal, listeners),
    takeProcess,
    ready: () => Promise.any([...workers].map((worker) => worker.ready)),
    stats() {
      const processes = [...workers].flatMap(({ pid, memory, workMs, usage }) => {
        const id = pid ?? usage?.pid;
        return id === undefined ? [] : [{ pid: id, memory, workMs, ...(usage && { usage }) }];
      });
      return { idle: idle.size, restarts, pids: processes.map(({ pid }) => pid), processes, walls };
    },
    async close() {
      const reason = new ServiceError('overloaded', 'the server is shutting down');
      closing.abort(reason);
      for (const { fail } of waiting) fail(reason);
      clearTimeout(retryTimer);
      const ended = [...workers].map((worker) => {
        worker.kill(reason);
        return worker.ended;
      });
      await Promise.all(ended);
    },
  };
}
