// Reads what a process has used from Linux's /proc.
import { readFileSync } from 'node:fs';
import type { ProcessUsage } from '../sandbox/launch.js';

/** Linux counts processor time for programs in hundredths of a second, on every architecture that Node runs on. */
const TICK_MS = 10;

/** Undefined where the system does not say, and for a process that has ended. */
export function readUsage(pid: number | undefined): ProcessUsage | undefined {
  if (pid === undefined || process.platform !== 'linux') return undefined;
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
    // proc_pid_stat(5) counts fields from 1; the second, a name, may hold spaces
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    const [utime, stime] = [fields[14 - 3], fields[15 - 3]].map(Number);
    const kibibytes = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'latin1'))?.[1];
    // a process that has ended has no memory
    if (kibibytes === undefined) return undefined;
    return { pid, cpuMs: (utime + stime) * TICK_MS, residentBytes: Number(kibibytes) * 1024 };
  } catch {
    return undefined;
  }
}
