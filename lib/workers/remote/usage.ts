// Reads what a process has used from Linux's /proc.
import { readFileSync } from 'node:fs';
import { processorTimeOf } from '../processor-time.js';
import type { ProcessUsage } from '../sandbox/launch.js';

/** Undefined where the system does not say, and for a process that has ended. */
export function readUsage(pid: number | undefined): ProcessUsage | undefined {
  const cpuMs = processorTimeOf(pid);
  if (pid === undefined || cpuMs === undefined) return undefined;
  try {
    const kibibytes = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'latin1'))?.[1];
    // a process that has ended has no memory
    if (kibibytes === undefined) return undefined;
    return { pid, cpuMs, residentBytes: Number(kibibytes) * 1024 };
  } catch {
    return undefined;
  }
}
