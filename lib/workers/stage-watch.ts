// Kills a worker process that overruns the limit of a stage which it can't poll: the process announces each such stage
// before it begins (lib/stage-budget.ts), and its parent looks at its processor time.
import type { StageBegin } from '../stage-budget.js';

/** The shortest time between two looks at a process, in milliseconds. */
const MIN_WAIT_MS = 100;

export class StageWatch {
  private timer: NodeJS.Timeout | undefined;

  /**
   * `read` returns the milliseconds of processor time that the process has used; if the system does not report it, real time
   * counts.
   */
  constructor(
    private readonly read: () => number | undefined,
    private readonly onOverrun: (begin: StageBegin) => void,
  ) {}

  /** Watches the stage that begins now, in place of the one before. */
  begin(stage: StageBegin): void {
    this.end();
    const readMs = () => this.read() ?? performance.now();
    const startedMs = readMs();
    const look = () => {
      const leftMs = stage.limitMs - (readMs() - startedMs);
      if (leftMs <= 0) this.onOverrun(stage);
      else this.timer = setTimeout(look, Math.max(MIN_WAIT_MS, leftMs)).unref();
    };
    this.timer = setTimeout(look, Math.max(MIN_WAIT_MS, stage.limitMs)).unref();
  }

  end(): void {
    clearTimeout(this.timer);
  }
}
