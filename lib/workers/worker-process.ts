// One worker process: forked, given one job at a time, killed when a render exceeds its time limit. It inherits nothing of
// its parent's environment, so that a decoder that is taken over finds no secrets there.
import { type ChildProcess, fork } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import type { Socket } from 'node:net';
import os from 'node:os';
import { dirname } from 'node:path';
import type { AssetDescription } from '../assets/inspect.js';
import { RenderError } from '../errors.js';
import type { FontReport } from '../fonts/report.js';
import type { UserFont } from '../fonts/user-fonts.js';
import { workerModule } from '../package-files.js';
import { AssetLedger } from './asset-transfer.js';
import {
  type AnyResult,
  type AssetJob,
  type AssetMessage,
  type ChildMessage,
  type FontJob,
  type FontMessage,
  type FontsMessage,
  IMAGE_CACHE_ARGUMENT,
  type InspectJob,
  type InspectJobResult,
  type Job,
  type JobMessage,
  type JobResult,
} from './job.js';

/** The score by which Linux picks what to kill when memory runs out: a worker before its parent, whose score is 0. */
const OOM_SCORE = '900';
/**
 * How much lower than its parent's the priority of a worker is. On two overloaded cores, 99% of refusals then take at most
 * 20 ms, without it 2 s.
 */
const NICENESS = 5;
/** That of a worker which has had jobs in the background. It gets a tenth of the time of another worker on the same core. */
const BACKGROUND_NICENESS = 15;
/** JavaScript heap of a worker, in MiB; pixels are outside of it. */
const HEAP_MB = 512;
/**
 * Node's options for a worker. There is one process per core, so the garbage collector's helper threads would only compete
 * with renders: with collection on the main thread, text cards at 8 connections take 0.75 of the CPU time. A process that
 * holds much collects after its job, hence `--expose-gc`.
 */
const NODE_OPTIONS = [
  `--max-old-space-size=${HEAP_MB}`,
  '--disable-proto=delete',
  '--single-threaded-gc',
  '--expose-gc',
];
/**
 * Without WebAssembly, this process may run on a host that forbids executable memory, where Node starts only with the first
 * option. Older versions then warn that it implies the second one, and newer ones have no such option.
 */
const JITLESS_OPTIONS =
  Number.parseInt(process.versions.node, 10) < 24 ? ['--jitless', '--no-expose-wasm'] : ['--jitless'];
/**
 * Settings of the GNU C library: one arena for all threads, trimmed when its top is free. After 600 mixed renders a process
 * holds 230 MiB instead of 290.
 */
const ENVIRONMENT = { MALLOC_ARENA_MAX: '1', MALLOC_TRIM_THRESHOLD_: String(8 * 2 ** 20) };
/**
 * Milliseconds in which a worker must start. It takes 0.1 s, under load some seconds; one that is still not ready hangs, as
 * happens where the system has no thread left for it.
 */
const START_MS = 20_000;
/** Milliseconds in which an abandoned job may finish, which saves the 100 ms of a new process. */
const GRACE_MS = 1000;

export interface WorkerProcessOptions {
  /** The module that the process runs, and its arguments; the package's own module unless given. */
  readonly entry?: string | URL | undefined;
  readonly argv?: readonly string[] | undefined;
  /** Bytes of decoded images that the process keeps from job to job; 64 MiB unless given. */
  readonly imageCacheBytes?: number | undefined;
  /** Fonts beside the bundled ones. A promise must have settled before the first job is sent. */
  readonly userFonts?: Promise<readonly UserFont[]> | undefined;
  /** Whether the process runs at a lower priority than its parent; it does unless given. */
  readonly isNice?: boolean | undefined;
  /** Called with what the process writes to its standard error. */
  readonly report: (line: string) => void;
  /** Milliseconds in which the process must start. */
  readonly startMs?: number | undefined;
}

/** A job that was sent to a worker. */
export interface Task<Result> {
  /** Whether the worker began the job; false when it ended before. */
  readonly accepted: Promise<boolean>;
  readonly result: Promise<Result>;
  /**
   * Resolves when the worker is done with the job, with the milliseconds that the job took by the worker's own clock, or
   * when the worker has ended; that may be shortly after the result.
   */
  readonly released: Promise<number | undefined>;
}

interface CurrentTask {
  /** What the job works on, for messages. */
  readonly input: 'payload' | 'file';
  /** Settles `accepted`; calls after the first have no effect. */
  accept(isAccepted: boolean): void;
  resolve(result: AnyResult): void;
  reject(error: unknown): void;
  release(ms?: number): void;
}

export class WorkerProcess {
  /** Resolves when the process has loaded the renderer; rejects when it ends before. */
  readonly ready: Promise<void>;
  isReady = false;
  /** Resolves when the process has ended or could not be started. */
  readonly ended: Promise<void>;
  /** Jobs that it has finished. */
  jobs = 0;
  /** Resident bytes after its last job. */
  memory = 0;
  /** Milliseconds that its jobs took, by its own clock. */
  workMs = 0;
  /** Whether it must not get another job. */
  retired = false;
  private readonly child: ChildProcess;
  private current: CurrentTask | undefined;
  private readonly ledger = new AssetLedger();
  private hasHadBackground = false;

  /** `onEnded` is called once, when the process has ended or could not be started, with the reason. */
  constructor(
    {
      entry = workerModule(),
      argv = [],
      imageCacheBytes,
      userFonts,
      isNice = true,
      report,
      startMs = START_MS,
    }: WorkerProcessOptions,
    onEnded: (worker: WorkerProcess, reason: string) => void,
  ) {
    const cache = imageCacheBytes === undefined ? [] : [`${IMAGE_CACHE_ARGUMENT}${imageCacheBytes}`];
    // as TypeScript source, the module needs the loader that this process runs with
    const loader = /\.ts$/.test(String(entry)) ? process.execArgv : [];
    this.child = fork(entry, [...argv, ...cache], {
      serialization: 'advanced',
      env: ENVIRONMENT,
      execArgv: [...NODE_OPTIONS, ...(typeof WebAssembly === 'undefined' ? JITLESS_OPTIONS : []), ...loader],
      // the parent's working folder may be removed; this one exists as long as Node is installed
      cwd: dirname(process.execPath),
      stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
    });
    userFonts?.then(
      (fonts) => {
        if (fonts.length > 0 && this.child.connected) {
          this.child.send({ kind: 'fonts', fonts } satisfies FontsMessage, () => {});
        }
      },
      // whoever awaits the fonts reports the error
      () => {},
    );
    if (this.child.pid) {
      lowerPriority(this.child.pid, isNice ? NICENESS : 0);
      killFirst(this.child.pid);
    }
    const stderr = this.child.stderr as Socket | null;
    stderr?.setEncoding('utf8').on('data', (text: string) => report(text.trimEnd()));
    stderr?.unref();
    let onReady = () => {};
    let onFailed = (_error: Error) => {};
    this.ready = new Promise((resolve, reject) => {
      onReady = resolve;
      onFailed = reject;
    });
    const timer = setTimeout(() => {
      report(`render process: it has not started within ${startMs} ms`);
      this.kill();
    }, startMs).unref();
    this.ready.catch(() => {}).finally(() => clearTimeout(timer));
    let resolveEnded = () => {};
    this.ended = new Promise((resolve) => {
      resolveEnded = resolve;
    });
    const end = (reason: string) => {
      this.retired = true;
      onFailed(new Error(`the render process ended before it was ready (${reason})`));
      this.drop(
        new RenderError(
          'render_failed',
          `the render process ended on this ${this.current?.input ?? 'payload'} (${reason})`,
        ),
      );
      onEnded(this, reason);
      resolveEnded();
    };
    this.child.on('message', (message: ChildMessage) => {
      if (message.kind === 'ready') {
        this.isReady = true;
        if (!this.busy) this.unref();
        onReady();
      } else if (message.kind === 'begun') this.current?.accept(true);
      else this.finish(message);
    });
    this.child.once('exit', (code, signal) => end(signal ?? `exit code ${code}`));
    this.child.on('error', (error) => {
      report(`render process: ${error.message}`);
      // a process that could not be started does not exit either
      if (this.child.pid === undefined) end(error.message);
    });
  }

  /** Whether other workers come first. */
  get isBackground(): boolean {
    return this.hasHadBackground;
  }

  /** Has other workers come first, for good: few may raise a priority again. */
  toBackground(): void {
    if (this.hasHadBackground) return;
    this.hasHadBackground = true;
    if (this.child.pid) lowerPriority(this.child.pid, BACKGROUND_NICENESS);
  }

  get busy(): boolean {
    return this.current !== undefined;
  }

  /** The process id; undefined when the process could not be started. */
  get pid(): number | undefined {
    return this.child.pid;
  }

  /**
   * Runs one job. When the signal aborts first, the result rejects with its reason and the process is killed: at once for
   * RenderError `render_timeout`, otherwise unless the job finishes very soon.
   */
  run(job: Job, signal: AbortSignal): Task<JobResult> {
    // the worker answers each kind of job with its own kind of result
    return this.start('payload', () => this.ledger.pack(job, 'render'), signal) as Task<JobResult>;
  }

  /** Inspects one job, as `run` renders one. */
  inspect(job: InspectJob, signal: AbortSignal): Task<InspectJobResult> {
    return this.start('payload', () => this.ledger.pack(job, 'inspect'), signal) as Task<InspectJobResult>;
  }

  /** Checks one file, as `run` renders one job. */
  inspectAsset(job: AssetJob, signal: AbortSignal): Task<AssetDescription> {
    return this.start('file', () => ({ kind: 'asset', ...job }), signal) as Task<AssetDescription>;
  }

  /** Reports on one font, as `run` renders one job. */
  reportFont(job: FontJob, signal: AbortSignal): Task<FontReport> {
    return this.start('file', () => ({ kind: 'font', ...job }), signal) as Task<FontReport>;
  }

  private start(
    input: CurrentTask['input'],
    pack: () => JobMessage | AssetMessage | FontMessage,
    signal: AbortSignal,
  ): Task<AnyResult> {
    let accept: CurrentTask['accept'] = () => {};
    let release: CurrentTask['release'] = () => {};
    let reject: CurrentTask['reject'] = () => {};
    const accepted = new Promise<boolean>((resolve) => {
      accept = resolve;
    });
    const isReleased = new Promise<number | undefined>((resolve) => {
      release = resolve;
    });
    const result = new Promise<AnyResult>((resolve, rejectResult) => {
      reject = rejectResult;
      this.current = { input, accept, resolve, reject, release };
    });
    // the caller ignores the result of a job that was not accepted
    result.catch(() => {});
    this.ref();
    try {
      this.child.send(pack(), (error) => {
        if (!error) return;
        this.drop(error);
        this.kill();
      });
    } catch (error) {
      // the job can't be serialized, so that another worker would not get it either
      accept(true);
      this.drop(error as Error);
      // it has not got what the ledger says that it holds
      this.kill();
    }
    let timer: NodeJS.Timeout | undefined;
    const abandon = () => {
      reject(signal.reason);
      accept(true);
      const isLate = signal.reason instanceof RenderError && signal.reason.code === 'render_timeout';
      if (isLate) this.kill();
      else timer = setTimeout(() => this.kill(), GRACE_MS);
    };
    signal.addEventListener('abort', abandon);
    if (signal.aborted) abandon();
    const released = isReleased.then((ms) => {
      clearTimeout(timer);
      signal.removeEventListener('abort', abandon);
      return ms;
    });
    return { accepted, result, released };
  }

  /** Kills the process; its current job rejects with `reason`, if given. */
  kill(reason?: RenderError): void {
    this.retired = true;
    if (reason) this.current?.reject(reason);
    // keeps this process alive until the worker has ended
    this.ref();
    this.child.kill('SIGKILL');
  }

  /** Ends the current job, if any; it rejects unless it has settled. */
  private drop(error: Error): void {
    const { current } = this;
    this.current = undefined;
    current?.accept(false);
    current?.reject(error);
    current?.release();
    this.unref();
  }

  private finish(message: Extract<ChildMessage, { memory: number }>): void {
    const { current } = this;
    this.current = undefined;
    this.unref();
    this.jobs++;
    this.memory = message.memory;
    this.workMs += message.ms;
    current?.accept(true);
    if (message.kind === 'result') {
      current?.resolve(message.result);
      if ('broken' in message.result && message.result.broken) this.kill();
    } else {
      const { code, message: text, details } = message.failure;
      current?.reject(new RenderError(code, text, { details }));
      if (message.broken) this.kill();
    }
    current?.release(message.ms);
  }

  /** While a job runs, the process keeps its parent alive; while it is idle, it does not. */
  private ref(): void {
    this.child.ref();
    // Bun's channel has neither method: there the child's own suffice
    this.child.channel?.ref?.();
  }

  private unref(): void {
    this.child.unref();
    this.child.channel?.unref?.();
  }
}

/** Makes the process yield processor time to its parent and be killed before it when memory runs out, where possible. */
function lowerPriority(pid: number, niceness: number): void {
  try {
    if (niceness > 0) os.setPriority(pid, Math.min(os.getPriority() + niceness, os.constants.priority.PRIORITY_LOW));
  } catch {
    // the process has ended, or the system does not allow it
  }
}

/** Has Linux pick the process when memory runs out. */
function killFirst(pid: number): void {
  if (process.platform === 'linux') writeFile(`/proc/${pid}/oom_score_adj`, OOM_SCORE).catch(() => {});
}
