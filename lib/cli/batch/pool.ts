// Render processes, made when a job finds none idle, each at one job at a time. A process that dies, or does not answer in
// time, takes its own job with it and nothing else.
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { rmSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { temporaryPathFor } from '../output-file.js';
import type { WorkerKind } from '../worker-kinds.js';
import type { BatchConfig, Job, WorkerMessage, WorkerReply } from './messages.js';

/** Milliseconds beyond a render's own limit after which its process is taken for stuck. */
const GRACE_MS = 5_000;
/** Milliseconds that a process has to stop in: painting and encoding can't be interrupted. */
const STOPPING_MS = 1_000;
/** The worker beside this file, and of its kind: .js as built, .ts as written. */
const WORKER = fileURLToPath(import.meta.url).replace(/pool(\.\w+)$/, 'worker$1');

export class Pool {
  readonly #assignment: BatchConfig;
  readonly #start: () => ChildProcess;
  readonly #all = new Set<ChildProcess>();
  readonly #idle: ChildProcess[] = [];
  #stopping = false;

  constructor(assignment: BatchConfig, start: () => ChildProcess) {
    this.#assignment = assignment;
    this.#start = start;
  }

  /** Draws one job; never rejects. As many processes are made as jobs run at a time: the caller bounds them. */
  async run({ variables, target }: Omit<Job, 'draft'>): Promise<WorkerReply> {
    const job = { variables, target, draft: temporaryPathFor(target) };
    const child = this.#idle.pop() ?? this.#engage();
    const limit = this.#assignment.settings.RENDER_TIMEOUT_MS;
    const timer = setTimeout(() => child.kill('SIGKILL'), limit + GRACE_MS);
    const began = performance.now();
    const outcome = await answerOf(child, { kind: 'draw', job });
    clearTimeout(timer);
    if (outcome) {
      this.#idle.push(child);
      return outcome;
    }
    rmSync(job.draft, { force: true });
    if (this.#stopping) return { kind: 'stopped' };
    const late = performance.now() - began > limit;
    const reason = late ? `the render took longer than ${limit} ms` : `its process ended with ${endOf(child)}`;
    return { kind: 'failed', reason };
  }

  /** Gives up the jobs that run. */
  stop(): void {
    this.#stopping = true;
    for (const child of this.#all) {
      tell(child, { kind: 'stop' });
      setTimeout(() => child.kill('SIGKILL'), STOPPING_MS).unref();
    }
  }

  /** Ends every process, and waits until none is left. */
  async close(): Promise<void> {
    const ends = [...this.#all].map(async (child) => {
      const ended = once(child, 'exit');
      if (child.connected) child.disconnect();
      const timer = setTimeout(() => child.kill('SIGKILL'), STOPPING_MS);
      await ended;
      clearTimeout(timer);
    });
    await Promise.all(ends);
  }

  #engage(): ChildProcess {
    const child = this.#start();
    this.#all.add(child);
    child.once('exit', () => {
      this.#all.delete(child);
      const at = this.#idle.indexOf(child);
      if (at >= 0) this.#idle.splice(at, 1);
    });
    // A process that can't be made or told anything is about to be reported as ended.
    child.on('error', () => child.kill('SIGKILL'));
    tell(child, { kind: 'assign', assignment: this.#assignment });
    return child;
  }
}

/** A new render process, which takes orders (worker.ts): the program in that role, or the module where it is not known. */
export function startWorker(program?: string): ChildProcess {
  const [file, words] = program === undefined ? [WORKER, []] : [program, ['batch-renders' satisfies WorkerKind]];
  return fork(file, words, { stdio: ['ignore', 'ignore', 'inherit', 'ipc'] });
}

function tell(child: ChildProcess, order: WorkerMessage): void {
  if (child.connected) child.send(order, () => undefined);
}

/** What the process says to an order; undefined when it ends without a word. */
function answerOf(child: ChildProcess, order: WorkerMessage): Promise<WorkerReply | undefined> {
  return new Promise((settle) => {
    const end = () => done(undefined);
    const done = (outcome: WorkerReply | undefined) => {
      child.off('message', done).off('exit', end);
      settle(outcome);
    };
    child.on('message', done).on('exit', end);
    if (child.exitCode !== null || child.signalCode !== null) end();
    else tell(child, order);
  });
}

function endOf({ exitCode, signalCode }: ChildProcess): string {
  return signalCode === null ? `exit code ${exitCode}` : signalCode;
}
