// Measures the processor time that a worker process uses for each job.
//
// Long jobs are measured by the system. Reading /proc takes 30 µs, so short jobs count with what the process says itself,
// at most the time that passed; a process that says too little is charged the difference with its next long job.
import { readFileSync } from 'node:fs';
import type { ProcessUsage } from './sandbox/launch.js';

/** Linux counts processor time for programs in hundredths of a second, on every architecture that Node runs on. */
const TICK_MS = 10;
/** A job that took less is short, in milliseconds. */
const SHORT_MS = 50;

/** The user and the system time of a process, as the numbers of their fields in proc_pid_stat(5). */
const OWN_FIELDS = [14, 15] as const;
/** The same of its children that have ended. */
const ENDED_FIELDS = [16, 17] as const;

function sumOf(pid: number | 'self', fields: readonly number[]): number | undefined {
  if (process.platform !== 'linux') return undefined;
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
    // the second field, a name, may hold spaces
    const values = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return fields.reduce((sum, field) => sum + Number(values[field - 3]), 0) * TICK_MS;
  } catch {
    return undefined;
  }
}

/** Milliseconds of processor time that the process has used so far; undefined where the system does not say. */
export function processorTimeOf(pid: number | undefined): number | undefined {
  return pid === undefined ? undefined : sumOf(pid, OWN_FIELDS);
}

/** Milliseconds of processor time of the children of this process that have ended; undefined where the system does not say. */
export function processorTimeOfEnded(): number | undefined {
  return sumOf('self', ENDED_FIELDS);
}

/** Returns the usage of the process; undefined if the system does not report it, and for a process that has ended. */
export function readUsage(pid: number | undefined): ProcessUsage | undefined {
  const cpuMs = processorTimeOf(pid);
  if (pid === undefined || cpuMs === undefined) return undefined;
  try {
    const kibibytes = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'latin1'))?.[1];
    // a process that has ended has no memory
    return kibibytes === undefined ? undefined : { pid, cpuMs, residentBytes: Number(kibibytes) * 1024 };
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

  /** `read` returns the milliseconds of processor time so far; `clock` returns monotonic milliseconds. */
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
