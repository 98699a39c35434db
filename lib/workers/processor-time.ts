// Measures the processor time that a worker process uses for each job.
//
// Long jobs are measured by the system. Reading /proc takes 30 µs, so short jobs count with what the process says itself,
// at most the time that passed; a process that says too little is charged the difference with its next long job.
import { readFileSync } from 'node:fs';

/** Linux counts processor time for programs in hundredths of a second, on every architecture that Node runs on. */
const TICK_MS = 10;
/** A job that took less is short, in milliseconds. */
const SHORT_MS = 50;

/** Milliseconds of processor time that the process has used so far; undefined where the system does not say. */
export function processorTimeOf(pid: number | undefined): number | undefined {
  if (pid === undefined || process.platform !== 'linux') return undefined;
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
    // proc_pid_stat(5): fields 14 and 15, utime and stime; the second field, a name, may hold spaces
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return (Number(fields[11]) + Number(fields[12])) * TICK_MS;
  } catch {
    return undefined;
  }
}

export class ProcessorTime {
  private startedAt = 0;
  /** The process's time at the last reading, and what jobs were charged since then. */
  private readMs: number | undefined;
  private chargedMs = 0;
  /** A reading that was made before the process was killed. */
  private lastMs: number | undefined;

  /** `read`: milliseconds of processor time so far. `clock`: monotonic milliseconds. */
  constructor(
    private readonly read: () => number | undefined,
    private readonly clock: () => number = () => performance.now(),
  ) {}

  /** Leaves out what the process has used before its first job. */
  start(): void {
    this.readMs = this.read();
  }

  beginJob(): void {
    this.startedAt = this.clock();
  }

  /** Reads the time of a process that is about to be killed in its job. */
  beforeKill(): void {
    this.lastMs = this.read();
  }

  /** Milliseconds of the job that ends now. `claimedMs`: what the process says; undefined if it ended in the job. */
  endJob(claimedMs?: number): number {
    const elapsedMs = this.clock() - this.startedAt;
    if (claimedMs !== undefined && elapsedMs < SHORT_MS) return this.charge(Math.min(claimedMs, elapsedMs));
    const totalMs = this.lastMs ?? this.read();
    if (totalMs === undefined || this.readMs === undefined) return this.charge(claimedMs ?? elapsedMs);
    const jobMs = Math.max(0, totalMs - this.readMs - this.chargedMs);
    this.readMs = totalMs;
    this.chargedMs = 0;
    return jobMs;
  }

  private charge(jobMs: number): number {
    this.chargedMs += jobMs;
    return jobMs;
  }
}
