// Limits the processor time of single stages of a render: decoding one picture or font, and layout. Long loops poll the
// budget, which then throws. What can't be polled (WebAssembly, third-party parsers) is announced before it begins, so
// that a parent process can kill the render when it overruns.
import { type Detail, RenderError } from './errors.js';

export type LimitedStage = 'svg' | 'picture' | 'font' | 'layout';

/**
 * Polls the budget of the running stage. `steps`: the work since the last call, in units of about a microsecond; the
 * clock is read only once in many steps. Throws RenderError `render_timeout` when the stage has used its time.
 */
export type CheckTime = (steps: number) => void;

/** Gives the place in the payload that a message about the stage names. */
export type Locate = (message: string) => Detail;

/** Decodes one file as a separate stage. `run` must do the work before its promise settles. */
export type RunDecode = <Result>(
  stage: Exclude<LimitedStage, 'layout'>,
  run: (check: CheckTime) => Promise<Result>,
) => Promise<Result>;

/** The facts that a parent process needs to enforce the limit of a stage. Plain data. */
export interface StageBegin {
  readonly stage: LimitedStage;
  /** The place, and the message of the error if the stage overruns: `stageTimeout` makes the error from it. */
  readonly detail: Detail;
  /** Milliseconds of the process's own processor time from now on, after which the process is to be killed. */
  readonly limitMs: number;
}

/** Limits of one job. */
export interface JobLimits {
  /** Milliseconds of processor time for each picture, SVG and font. */
  readonly decodeMs: number;
  /** Milliseconds of processor time for the layout of all texts of a render. */
  readonly layoutMs: number;
}

export interface StageLimits extends JobLimits {
  /** Milliseconds of processor time that the process has used; in browsers, a clock of real time. */
  readonly clock: () => number;
  /** Called before each decoding, and before the layout of a long text. One stage ends before the next begins. */
  readonly onStageBegin?: ((begin: StageBegin) => void) | undefined;
  /** Called after each of these stages, whether it succeeds or not. */
  readonly onStageEnd?: (() => void) | undefined;
}

/** Steps between two readings of the clock: process.cpuUsage takes 1 to 2 µs. */
const STEPS_PER_READING = 4096;
/** Texts with fewer UTF-16 units are not announced: a message to another process takes longer than their layout. */
const MIN_ANNOUNCED_UNITS = 2000;
/** Additional milliseconds before a stage that polls is killed, so that its own error comes first. */
export const POLL_GRACE_MS = 1000;

const SUBJECTS: Record<LimitedStage, string> = {
  svg: 'decoding the SVG',
  picture: 'decoding the picture',
  font: 'decoding the font',
  layout: 'layout',
};

/** The error of a stage that overran, from its announcement. */
export function stageTimeout(detail: Detail): RenderError {
  const where = detail.path === '' ? '' : `${detail.path}: `;
  return new RenderError('render_timeout', `${where}${detail.message}`, { details: [detail] });
}

/** The stages of one render, which run one at a time. */
export class StageBudget {
  private current: { readonly deadline: number; readonly detail: () => Detail } | undefined;
  private layoutMs = 0;
  private steps = 0;
  private timeout: RenderError | undefined;
  private lastDecode: Promise<unknown> = Promise.resolve();

  constructor(private readonly limits: StageLimits) {}

  /** Polls the stage that runs. */
  readonly check: CheckTime = (steps) => {
    this.steps += steps;
    if (this.steps < STEPS_PER_READING || !this.current) return;
    this.steps = 0;
    if (this.limits.clock() < this.current.deadline) return;
    this.timeout = stageTimeout(this.current.detail());
    throw this.timeout;
  };

  /** Runs a part of the layout; the parts of a render share one limit. `units`: UTF-16 units of its text. */
  layout<Result>(locate: Locate, units: number, run: () => Result): Result {
    if (this.current) return run();
    const { layoutMs, clock } = this.limits;
    const startedAt = clock();
    const remainingMs = layoutMs - this.layoutMs;
    const end = this.begin('layout', locate, layoutMs, remainingMs, units >= MIN_ANNOUNCED_UNITS);
    try {
      return run();
    } finally {
      end();
      this.layoutMs += clock() - startedAt;
    }
  }

  /**
   * Returns the function that decodes files for the field that `locate` names. Files are decoded one after the other, as
   * the processor time of two at once can't be told apart. After one that overran, the others are not decoded.
   */
  decoder(locate: Locate): RunDecode {
    return (stage, run) => {
      const decoded = this.lastDecode.then(async () => {
        if (this.timeout) throw this.timeout;
        const { decodeMs } = this.limits;
        const end = this.begin(stage, locate, decodeMs, decodeMs, true);
        try {
          return await run(this.check);
        } finally {
          end();
        }
      });
      this.lastDecode = decoded.catch(() => {});
      return decoded;
    };
  }

  /** Returns the function that ends the stage. */
  private begin(
    stage: LimitedStage,
    locate: Locate,
    limitMs: number,
    remainingMs: number,
    isAnnounced: boolean,
  ): () => void {
    const { clock, onStageBegin, onStageEnd } = this.limits;
    const detail = () => locate(`${SUBJECTS[stage]} took more than ${limitMs / 1000} s of processor time`);
    this.current = { deadline: clock() + remainingMs, detail };
    this.steps = 0;
    if (isAnnounced) onStageBegin?.({ stage, detail: detail(), limitMs: Math.max(0, remainingMs) + POLL_GRACE_MS });
    return () => {
      this.current = undefined;
      if (isAnnounced) onStageEnd?.();
    };
  }
}
