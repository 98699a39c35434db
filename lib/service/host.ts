// One render process: forked, fed one job at a time, killed when it is late. The process gets no secrets: its environment
// is empty, and what it may read are the product's own files.
import { type ChildProcess, fork } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { RenderError } from '../errors.js';
import type { ChildMessage, Job, JobResult } from './job.js';

/** How eagerly the kernel ends a render process when memory runs out; the parent's own figure is 0. */
const OOM_SCORE = '900';
/** JavaScript heap of a render process, in MiB; pixels live outside of it. */
const HEAP_MB = 512;

export interface HostOptions {
  /** The module that the process runs. */
  readonly entry: URL;
  /** Told of each line that the process writes to its standard error. */
  readonly report: (line: string) => void;
}

interface Current {
  resolve(result: JobResult): void;
  reject(error: unknown): void;
}

export class Host {
  /** Settles when the process has loaded the renderer; rejects when it ends before. */
  readonly ready: Promise<void>;
  /** Jobs that it has finished. */
  jobs = 0;
  /** Whether it must not get another job. */
  spent = false;
  private readonly child: ChildProcess;
  private current: Current | undefined;

  /** `ended` is called once, when the process is gone. */
  constructor({ entry, report }: HostOptions, ended: (host: Host) => void) {
    this.child = fork(entry, [], {
      serialization: 'advanced',
      env: {},
      execArgv: [`--max-old-space-size=${HEAP_MB}`, '--disable-proto=delete'],
      stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
    });
    if (this.child.pid && process.platform === 'linux') {
      writeFile(`/proc/${this.child.pid}/oom_score_adj`, OOM_SCORE).catch(() => {});
    }
    this.child.stderr?.setEncoding('utf8').on('data', (text: string) => report(text.trimEnd()));
    let started: () => void;
    this.ready = new Promise((resolve, reject) => {
      started = resolve;
      this.child.once('exit', () => reject(new Error('the render process ended before it was ready')));
    });
    this.ready.catch(() => {});
    this.child.on('message', (message: ChildMessage) => {
      if (message.kind === 'ready') started();
      else this.finish(message);
    });
    this.child.on('error', (error) => report(`render process: ${error.message}`));
    this.child.once('exit', (code, signal) => {
      this.spent = true;
      const how = signal ?? `exit code ${code}`;
      this.current?.reject(new RenderError('render_failed', `the render process ended on this payload (${how})`));
      this.current = undefined;
      ended(this);
    });
  }

  get busy(): boolean {
    return this.current !== undefined;
  }

  /** The process's id; undefined when it could not be started. */
  get pid(): number | undefined {
    return this.child.pid;
  }

  /** Runs one job. When `timeoutMs` pass first, the process is killed and RenderError `render_timeout` thrown. */
  run(job: Job, timeoutMs: number): Promise<JobResult> {
    return new Promise<JobResult>((resolve, reject) => {
      const timer = setTimeout(() => {
        this.current?.reject(new RenderError('render_timeout', 'the render took too long'));
        this.current = undefined;
        this.kill();
      }, timeoutMs);
      this.current = {
        resolve(result) {
          clearTimeout(timer);
          resolve(result);
        },
        reject(error) {
          clearTimeout(timer);
          reject(error);
        },
      };
      this.child.send(job, (error) => {
        if (!error) return;
        this.current?.reject(
          new RenderError('internal_error', 'the render process could not be reached', { cause: error }),
        );
        this.current = undefined;
        this.kill();
      });
    });
  }

  /** Ends the process at once. */
  kill(): void {
    this.spent = true;
    this.child.kill('SIGKILL');
  }

  private finish(message: Exclude<ChildMessage, { kind: 'ready' }>): void {
    const { current } = this;
    this.current = undefined;
    this.jobs++;
    if (message.kind === 'result') {
      current?.resolve(message.result);
      return;
    }
    const { code, message: text, details } = message.failure;
    current?.reject(new RenderError(code, text, { details }));
    if (message.broken) this.kill();
  }
}
