// One render process: forked, fed one job at a time, killed when it is late. The process gets no secrets: nothing of its
// parent's environment, and what it may read are the product's own files.
import { type ChildProcess, fork } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import os from 'node:os';
import { dirname } from 'node:path';
import { RenderError } from '../errors.js';
import type { ChildMessage, Job, JobResult } from './job.js';

/** How eagerly the kernel ends a render process when memory runs out; the parent's own figure is 0. */
const OOM_SCORE = '900';
/**
 * How far a render process stands back behind its parent, which answers everybody and needs little: in a rush on two cores
 * it is refused in 20 ms at the latest of 99 in 100, else in 2 s.
 */
const NICENESS = 5;
/** JavaScript heap of a render process, in MiB; pixels live outside of it. */
const HEAP_MB = 512;
/**
 * Node's options for a render process. There is one process for each core, so helpers of its garbage collector only take
 * turns with the renders. Collecting on its own thread, text cards at 8 connections take 0.75 of the CPU time that they took.
 * A process that holds much collects when its job is done.
 */
const OPTIONS = [`--max-old-space-size=${HEAP_MB}`, '--disable-proto=delete', '--single-threaded-gc', '--expose-gc'];
/**
 * Nothing of the server's own; what the GNU C library reads: one heap for all threads, of which it gives back what is free.
 * After 600 mixed renders a process holds 230 MiB in place of 290.
 */
const ENVIRONMENT = { MALLOC_ARENA_MAX: '1', MALLOC_TRIM_THRESHOLD_: String(8 * 2 ** 20) };
/**
 * A process that has not loaded the renderer by then never will: where threads were short it waits for one for ever. It
 * takes 0.1 s, under load some seconds.
 */
const START_MS = 20_000;
/** A job that nobody waits for any more may end by itself for so long, in milliseconds: a new process takes 100. */
const GRACE_MS = 1000;

export interface WorkerProcessOptions {
  /** The module that the process runs, and its arguments. */
  readonly entry: string | URL;
  readonly argv?: readonly string[];
  /** Told of each line that the process writes to its standard error. */
  readonly report: (line: string) => void;
  /** How long it may take to start, in milliseconds. */
  readonly startMs?: number;
}

/** A job that was given to a process. */
export interface Task {
  /** Whether the process took it up; false when it was dead by then. */
  readonly accepted: Promise<boolean>;
  readonly result: Promise<JobResult>;
  /**
   * Resolves when the process is done with the job, with the milliseconds that it took by its own clock, or when it is
   * gone; it may be later than the result, never much.
   */
  readonly released: Promise<number | undefined>;
}

interface Current {
  /** It was taken up, or it was not and never will be. */
  begin(really: boolean): void;
  resolve(result: JobResult): void;
  reject(error: unknown): void;
  free(ms?: number): void;
}

export class WorkerProcess {
  /** Settles when the process has loaded the renderer; rejects when it ends before. */
  readonly ready: Promise<void>;
  /** Jobs that it has finished. */
  jobs = 0;
  /** Memory that it held after its last job, in bytes. */
  memory = 0;
  /** Whether it must not get another job. */
  retired = false;
  private readonly child: ChildProcess;
  private current: Current | undefined;

  /** `ended` is called once, when the process is gone or could not be started. */
  constructor(
    { entry, argv = [], report, startMs = START_MS }: WorkerProcessOptions,
    ended: (host: WorkerProcess) => void,
  ) {
    this.child = fork(entry, argv, {
      serialization: 'advanced',
      env: ENVIRONMENT,
      execArgv: OPTIONS,
      // the folder that the server was started from may be gone by now; this one is there as long as Node is
      cwd: dirname(process.execPath),
      stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
    });
    if (this.child.pid) lowerPriority(this.child.pid);
    this.child.stderr?.setEncoding('utf8').on('data', (text: string) => report(text.trimEnd()));
    let started = () => {};
    let failed = (_error: Error) => {};
    this.ready = new Promise((resolve, reject) => {
      started = resolve;
      failed = reject;
    });
    const late = setTimeout(() => {
      report(`render process: it has not started within ${startMs} ms`);
      this.kill();
    }, startMs).unref();
    this.ready.catch(() => {}).finally(() => clearTimeout(late));
    const end = (how: string) => {
      this.retired = true;
      failed(new Error(`the render process ended before it was ready (${how})`));
      this.drop(new RenderError('render_failed', `the render process ended on this payload (${how})`));
      ended(this);
    };
    this.child.on('message', (message: ChildMessage) => {
      if (message.kind === 'ready') started();
      else if (message.kind === 'begun') this.current?.begin(true);
      else this.finish(message);
    });
    this.child.once('exit', (code, signal) => end(signal ?? `exit code ${code}`));
    this.child.on('error', (error) => {
      report(`render process: ${error.message}`);
      // one that never was does not exit either
      if (this.child.pid === undefined) end(error.message);
    });
  }

  get busy(): boolean {
    return this.current !== undefined;
  }

  /** The process's id; undefined when it could not be started. */
  get pid(): number | undefined {
    return this.child.pid;
  }

  /**
   * Runs one job. When the signal aborts first, the result rejects with its reason, and the process is killed: at once
   * for RenderError `render_timeout`, else if it does not end by itself very soon.
   */
  run(job: Job, signal: AbortSignal): Task {
    let begin: Current['begin'] = () => {};
    let free: Current['free'] = () => {};
    let reject: Current['reject'] = () => {};
    const begun = new Promise<boolean>((resolve) => {
      begin = resolve;
    });
    const freed = new Promise<number | undefined>((resolve) => {
      free = resolve;
    });
    const result = new Promise<JobResult>((resolve, refuse) => {
      reject = refuse;
      this.current = { begin, resolve, reject, free };
    });
    // of a job that was not begun nobody looks at the result
    result.catch(() => {});
    try {
      this.child.send(job, (error) => {
        if (!error) return;
        this.drop(error);
        this.kill();
      });
    } catch (error) {
      // a job that can't be sent will not be sent to another process either
      begin(true);
      this.drop(error as Error);
    }
    let timer: NodeJS.Timeout | undefined;
    const giveUp = () => {
      reject(signal.reason);
      begin(true);
      const isLate = signal.reason instanceof RenderError && signal.reason.code === 'render_timeout';
      if (isLate) this.kill();
      else timer = setTimeout(() => this.kill(), GRACE_MS);
    };
    signal.addEventListener('abort', giveUp);
    if (signal.aborted) giveUp();
    const done = freed.then((ms) => {
      clearTimeout(timer);
      signal.removeEventListener('abort', giveUp);
      return ms;
    });
    return { accepted: begun, result, released: done };
  }

  /** Ends the process at once; what it was doing fails with `reason`, if there is one. */
  kill(reason?: RenderError): void {
    this.retired = true;
    if (reason) this.current?.reject(reason);
    this.child.kill('SIGKILL');
  }

  /** Ends the current job, if there is one; it rejects unless it was answered before. */
  private drop(error: Error): void {
    const { current } = this;
    this.current = undefined;
    current?.begin(false);
    current?.reject(error);
    current?.free();
  }

  private finish(message: Extract<ChildMessage, { memory: number }>): void {
    const { current } = this;
    this.current = undefined;
    this.jobs++;
    this.memory = message.memory;
    current?.begin(true);
    if (message.kind === 'result') {
      current?.resolve(message.result);
      if (message.result.broken) this.kill();
    } else {
      const { code, message: text, details } = message.failure;
      current?.reject(new RenderError(code, text, { details }));
      if (message.broken) this.kill();
    }
    current?.free(message.ms);
  }
}

/** Lets the process wait for processor time, and fall when memory is short, before its parent does; where that can be said. */
function lowerPriority(pid: number): void {
  try {
    os.setPriority(pid, Math.min(os.getPriority() + NICENESS, os.constants.priority.PRIORITY_LOW));
  } catch {
    // it has ended, or the system does not allow it
  }
  if (process.platform === 'linux') writeFile(`/proc/${pid}/oom_score_adj`, OOM_SCORE).catch(() => {});
}
