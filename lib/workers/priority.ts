// Priorities of render processes.
import os from 'node:os';

/** Has the process (0: this one) yield processor time to others, where the system allows it. */
export function lowerPriority(pid: number, niceness: number): void {
  try {
    if (niceness > 0) os.setPriority(pid, Math.min(os.getPriority() + niceness, os.constants.priority.PRIORITY_LOW));
  } catch {
    // the process has ended, or the system does not allow it
  }
}
