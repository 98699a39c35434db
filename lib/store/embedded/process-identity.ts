// Identifies a process so that another can check whether it still runs. The system reuses process ids, so the start time
// is included; a process id is valid only on one machine and in one container, so these are included too.
import { readFileSync, readlinkSync } from 'node:fs';
import { hostname } from 'node:os';

export interface ProcessIdentity {
  readonly pid: number;
  /** Start time of the process in clock ticks since boot (Linux); absent elsewhere. */
  readonly started?: string;
  /** The boot id (Linux), which changes with every boot; elsewhere the host name. */
  readonly machine: string;
  /** The pid namespace (Linux); absent elsewhere. */
  readonly space?: string;
}

export function thisProcess(): ProcessIdentity {
  const started = readProcStat(process.pid)?.started;
  const space = undefinedOnError(() => readlinkSync('/proc/self/ns/pid'));
  return {
    pid: process.pid,
    machine: undefinedOnError(() => readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim()) ?? hostname(),
    ...(started !== undefined && { started }),
    ...(space !== undefined && { space }),
  };
}

/** Whether `other` runs; undefined when it is on another machine or in another pid namespace, so it can't be checked. */
export function isRunning(other: ProcessIdentity, self: ProcessIdentity = thisProcess()): boolean | undefined {
  if (other.machine !== self.machine || other.space !== self.space) return undefined;
  try {
    process.kill(other.pid, 0);
  } catch (error) {
    // EPERM: the process runs, under another user.
    if ((error as NodeJS.ErrnoException).code === 'ESRCH') return false;
  }
  const current = readProcStat(other.pid);
  if (!current || other.started === undefined) return true;
  // A killed process whose parent has not waited for it (a zombie) is still listed.
  return current.started === other.started && !'ZX'.includes(current.state);
}

/** State and start time of a process, fields 3 and 22 of /proc/PID/stat (proc(5)); undefined if there is no such file. */
function readProcStat(pid: number): { state: string; started: string } | undefined {
  const stat = undefinedOnError(() => readFileSync(`/proc/${pid}/stat`, 'utf8'));
  // Field 2, the program's name in parentheses, may contain spaces and parentheses itself.
  const fields = stat?.slice(stat.lastIndexOf(')') + 2).split(' ');
  return fields && { state: fields[0], started: fields[19] };
}

function undefinedOnError<Result>(read: () => Result): Result | undefined {
  try {
    return read();
  } catch {
    return undefined;
  }
}
