// Measures how long render processes are busy, at the pool's interface.
import type { JobListeners, RenderPool } from '../../workers/pool.js';

export interface BusyTime {
  /** Jobs that a process works on now. */
  readonly jobs: number;
  /** Seconds that all jobs together have taken, those included that still run. */
  readonly seconds: number;
}

/** The same pool, and the time that its processes have been busy. `clock`: monotonic milliseconds. */
export function trackBusyTime(
  pool: RenderPool,
  clock: () => number = () => performance.now(),
): { readonly pool: RenderPool; busy(): BusyTime } {
  let jobs = 0;
  let busyMs = 0;
  let changedAt = clock();
  const change = (by: number) => {
    const now = clock();
    busyMs += jobs * (now - changedAt);
    changedAt = now;
    jobs += by;
  };
  const tracked = ({ onStarted, onReleased, ...listeners }: JobListeners = {}): JobListeners => {
    // a job starts again when its process dies before it has begun, and is released without a start when it gives up waiting
    let isRunning = false;
    return {
      ...listeners,
      onStarted() {
        if (!isRunning) change(1);
        isRunning = true;
        onStarted?.();
      },
      onReleased(usage) {
        if (isRunning) change(-1);
        isRunning = false;
        onReleased?.(usage);
      },
    };
  };
  return {
    pool: {
      ...pool,
      run: (job, signal, listeners) => pool.run(job, signal, tracked(listeners)),
      inspect: (job, signal, listeners) => pool.inspect(job, signal, tracked(listeners)),
      inspectAsset: (job, signal, listeners) => pool.inspectAsset(job, signal, tracked(listeners)),
    },
    busy() {
      change(0);
      return { jobs, seconds: busyMs / 1000 };
    },
  };
}
