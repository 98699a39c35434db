// A worker process: it is started, gets one job at a time, and is killed when a render exceeds its time limit or when it sends
// a message that no worker sends.
import { serialize } from 'node:v8';
import type { AssetDescription } from '../assets/inspect.js';
import { CodedError, codedError, RenderError } from '../errors.js';
import type { FontReport } from '../fonts/report.js';
import type { UserFont } from '../fonts/user-fonts.js';
import { workerModule } from '../package-files.js';
import { type JobLimits, POLL_GRACE_MS, type StageBegin, stageTimeout } from '../stage-budget.js';
import { AssetLedger } from './asset-transfer.js';
import { FrameReader, writeFrame } from './channel/frames.js';
import {
  type AnswerReader,
  descriptionReader,
  FONT_REPORT,
  IDLE_LIMITS,
  inspectionReader,
  type ProcessMessage,
  pictureReader,
  readAnswer,
} from './channel/messages.js';
import type {
  AnyResult,
  AssetJob,
  FontJob,
  InspectJob,
  InspectJobResult,
  Job,
  JobResult,
  ParentMessage,
} from './job.js';
import { ProcessorTime, processorTimeOf } from './processor-time.js';
import { type Launch, type Launched, type ProcessUsage, plainLauncher } from './sandbox/launch.js';
import { StageWatch } from './stage-watch.js';

/**
 * Number by which the priority of a worker that has had jobs in the background is lower than before. It gets a tenth of the
 * time of another worker on the same core.
 */
const BACKGROUND_NICENESS = 10;
/**
 * Milliseconds in which a worker must start. It takes 0.1 s, under load some seconds; one that is still not ready hangs, as
 * happens where the system has no thread left for it.
 */
const START_MS = 20_000;
/** Milliseconds in which an abandoned job may finish, which saves the 100 ms of a new process. */
const GRACE_MS = 1000;

export interface WorkerProcessOptions {
  /** The module that the process runs; the package's by default. */
  readonly entry?: string | URL | undefined;
  /** Starts the process, behind walls or elsewhere; by default, without walls. */
  readonly launch?: Launch | undefined;
  /** Bytes of decoded images that the process keeps from job to job; 64 MiB by default. */
  readonly imageCacheBytes?: number | undefined;
  /** Fonts beside the bundled ones. A promise must have settled before the first job is sent. */
  readonly userFonts?: Promise<readonly UserFont[]> | undefined;
  /** Limits of single stages of its jobs; none by default. */
  readonly stageLimits?: JobLimits | undefined;
  /** Whether the process runs at a lower priority than its parent; it does by default. */
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
  /** Resolves when the worker is done with the job or has ended; that may be shortly after the result. */
  readonly released: Promise<JobUsage>;
}

/** The resources that a job took. */
export interface JobUsage {
  /** Milliseconds by the worker's own clock; undefined if the worker ended in the job. */
  readonly ms?: number | undefined;
  /** Milliseconds of processor time. */
  readonly cpuMs: number;
}

interface CurrentTask {
  /** The input of the job, for messages. */
  readonly input: 'payload' | 'file';
  /** Settles `accepted`; calls after the first have no effect. */
  accept(isAccepted: boolean): void;
  resolve(result: AnyResult): void;
  reject(error: unknown): void;
  release(usage: JobUsage): void;
  readonly reader: AnswerReader<AnyResult>;
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
  /** Called once, when the process has ended or could not be started, with the reason. */
  onEnded: (worker: WorkerProcess, reason: string) => void;
  private readonly launched: Launched;
  private readonly report: (line: string) => void;
  private current: CurrentTask | undefined;
  private readonly ledger = new AssetLedger();
  private readonly time = new ProcessorTime(() => this.readCpuMs());
  private readonly stageWatch = new StageWatch(
    () => this.readCpuMs(),
    ({ detail }) => this.kill(stageTimeout(detail)),
  );
  private hasHadBackground = false;
  private isDistrusted = false;
  /** Whether it has begun its current job. */
  private hasBegun = false;

  constructor(
    {
      entry = workerModule(),
      launch = plainLauncher({ entry }),
      imageCacheBytes,
      userFonts,
      stageLimits,
      isNice = true,
      report,
      startMs = START_MS,
    }: WorkerProcessOptions,
    onEnded: (worker: WorkerProcess, reason: string) => void = () => {},
  ) {
    this.onEnded = onEnded;
    this.report = report;
    const launched = launch({ imageCacheBytes, isNice });
    this.launched = launched;
    let hasEnded = false;
    if (stageLimits) this.send({ kind: 'limits', limits: stageLimits });
    userFonts?.then(
      (fonts) => {
        if (fonts.length > 0 && !hasEnded) this.send({ kind: 'fonts', fonts });
      },
      // whoever awaits the fonts reports the error
      () => {},
    );
    launched.errors?.setEncoding('utf8').on('data', (text: string) => report(text.trimEnd()));
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
    launched.onEnd((reason) => {
      hasEnded = true;
      this.retired = true;
      onFailed(new Error(`the render process ended before it was ready (${reason})`));
      this.drop(
        new RenderError(
          'render_failed',
          `the render process ended on this ${this.current?.input ?? 'payload'} (${reason})`,
        ),
      );
      this.onEnded(this, reason);
      resolveEnded();
    });
    const reader = new FrameReader(
      () => this.current?.reader.limits ?? IDLE_LIMITS,
      (head, body) => {
        const answer = readAnswer(head);
        if (answer.kind === 'ready') {
          if (this.isReady) throw new Error('it is ready twice');
          this.isReady = true;
          this.time.start();
          if (!this.busy) this.unref();
          onReady();
        } else if (!this.current) throw new Error('it answers without a job');
        else if (answer.kind === 'begun') {
          if (this.hasBegun) throw new Error('it begins its job twice');
          this.hasBegun = true;
          this.current.accept(true);
        } else if (!this.hasBegun) throw new Error('it answers a job that it has not begun');
        else if (answer.kind === 'stage') this.watchStage(answer.begin, stageLimits);
        else if (answer.kind === 'stageEnd') this.stageWatch.end();
        else this.finish(answer, body);
      },
    );
    launched.output.on('data', (chunk: Buffer) => {
      if (this.isDistrusted) return;
      try {
        reader.push(chunk);
      } catch (error) {
        this.distrust((error as Error).message);
      }
    });
    // both streams break when the process ends
    launched.output.on('error', () => {});
    launched.input.on('error', () => {});
  }

  /** Ends a process that sent what no worker sends: it may have been taken over. */
  private distrust(message: string): void {
    this.isDistrusted = true;
    this.report(`render process: its message is invalid, so it is ended: ${message}`);
    const error = new RenderError('render_failed', 'the render process sent an invalid answer');
    // a job that it has not begun runs in another process
    if (this.hasBegun) this.current?.accept(true);
    this.kill(error);
    this.launched.output.destroy();
  }

  /** Milliseconds of processor time that the process has used so far. */
  private readCpuMs(): number | undefined {
    return this.launched.usage?.()?.cpuMs ?? processorTimeOf(this.pid);
  }

  /** Watches a stage that the process announces, by a limit that is not the process's to choose. */
  private watchStage(begin: StageBegin, limits: JobLimits | undefined): void {
    if (!limits) throw new Error('it announces a stage although stages have no limit');
    const limitMs = begin.stage === 'layout' ? limits.layoutMs : limits.decodeMs;
    this.stageWatch.begin({ ...begin, limitMs: Math.min(begin.limitMs, limitMs + POLL_GRACE_MS) });
  }

  /** Whether other workers come first. */
  get isBackground(): boolean {
    return this.hasHadBackground;
  }

  /** Has other workers come first, for good: few may raise a priority again. */
  toBackground(): void {
    if (this.hasHadBackground) return;
    this.hasHadBackground = true;
    this.send({ kind: 'background', niceness: BACKGROUND_NICENESS });
  }

  get busy(): boolean {
    return this.current !== undefined;
  }

  /**
   * The id of the process as this process sees it, whatever it is in its own namespace; undefined when the process could not be
   * started, or runs in a separate pool.
   */
  get pid(): number | undefined {
    return this.launched.pid();
  }

  /** The usage that a separate pool reports for the process; undefined for a process that this one can see. */
  get usage(): ProcessUsage | undefined {
    return this.launched.usage?.();
  }

  /**
   * Runs one job. When the signal aborts first, the result rejects with its reason and the process is killed: at once for
   * RenderError `render_timeout`, otherwise unless the job finishes very soon.
   */
  run(job: Job, signal: AbortSignal): Task<JobResult> {
    // the hash of the bytes is made here
    const message = () => this.ledger.pack({ ...job, digest: undefined }, 'render');
    return this.start('payload', message, pictureReader(job), signal);
  }

  /** Inspects one job, as `run` renders one. */
  inspect(job: InspectJob, signal: AbortSignal): Task<InspectJobResult> {
    return this.start('payload', () => this.ledger.pack(job, 'inspect'), inspectionReader(job), signal);
  }

  /** Checks one file, as `run` renders one job. */
  inspectAsset(job: AssetJob, signal: AbortSignal): Task<AssetDescription> {
    return this.start('file', () => ({ kind: 'asset', ...job }), descriptionReader(job.file), signal);
  }

  /** Reports on one font, as `run` renders one job. */
  reportFont(job: FontJob, signal: AbortSignal): Task<FontReport> {
    return this.start('file', () => ({ kind: 'font', ...job }), FONT_REPORT, signal);
  }

  private send(message: ParentMessage): void {
    writeFrame(this.launched.input, { head: serialize(message) }, (error) => {
      if (!error) return;
      this.drop(error);
      this.kill();
    });
  }

  private start<Result extends AnyResult>(
    input: CurrentTask['input'],
    pack: () => ParentMessage,
    reader: AnswerReader<Result>,
    signal: AbortSignal,
  ): Task<Result> {
    let accept: CurrentTask['accept'] = () => {};
    let release: CurrentTask['release'] = () => {};
    let reject: CurrentTask['reject'] = () => {};
    const accepted = new Promise<boolean>((resolve) => {
      accept = resolve;
    });
    const isReleased = new Promise<JobUsage>((resolve) => {
      release = resolve;
    });
    const result = new Promise<Result>((resolve, rejectResult) => {
      reject = rejectResult;
      // its reader makes results of this kind
      this.current = { input, accept, resolve: resolve as CurrentTask['resolve'], reject, release, reader };
    });
    // the caller ignores the result of a job that was not accepted
    result.catch(() => {});
    this.hasBegun = false;
    this.time.beginJob();
    this.ref();
    try {
      this.send(pack());
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
      const isLate = signal.reason instanceof CodedError && signal.reason.code === 'render_timeout';
      if (isLate) this.kill();
      else timer = setTimeout(() => this.kill(), GRACE_MS);
    };
    signal.addEventListener('abort', abandon);
    if (signal.aborted) abandon();
    const released = isReleased.then((usage) => {
      clearTimeout(timer);
      signal.removeEventListener('abort', abandon);
      return usage;
    });
    return { accepted, result, released };
  }

  /** Kills the process; its current job rejects with `reason`, if given. */
  kill(reason?: CodedError): void {
    this.retired = true;
    if (reason) this.current?.reject(reason);
    // keeps this process alive until the worker has ended
    this.ref();
    if (this.current) this.time.beforeKill();
    this.launched.kill();
  }

  /** Ends the current job, if any; it rejects unless it has settled. */
  private drop(error: Error): void {
    const { current } = this;
    this.current = undefined;
    this.stageWatch.end();
    current?.accept(false);
    current?.reject(error);
    current?.release({ cpuMs: this.time.endJob() });
    this.unref();
  }

  /** Throws when the answer is not one to the current job. */
  private finish(answer: Extract<ProcessMessage, { memory: number }>, body: Uint8Array): void {
    const current = this.current as CurrentTask;
    const result = answer.kind === 'result' ? current.reader.read(answer.result, body) : undefined;
    if (answer.kind === 'failure' && body.length > 0) throw new Error('received a picture with a failure');
    this.current = undefined;
    this.stageWatch.end();
    this.unref();
    this.jobs++;
    this.memory = answer.memory;
    this.workMs += answer.ms;
    current.accept(true);
    if (answer.kind === 'failure') {
      const { code, message, details } = answer.failure;
      current.reject(codedError(code, message, { details }));
      if (answer.broken) this.kill();
    } else if (result) {
      current.resolve(result);
      if ('broken' in result && result.broken) this.kill();
    }
    current.release({ ms: answer.ms, cpuMs: this.time.endJob(answer.cpuMs) });
  }

  /** While a job runs, the process keeps its parent alive; while it is idle, it does not. */
  private ref(): void {
    this.launched.ref();
  }

  private unref(): void {
    this.launched.unref();
  }
}
