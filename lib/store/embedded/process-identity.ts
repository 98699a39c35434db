// Who holds a lock, so that another process can tell whether it still lives: process ids are used again, so the time of
// its start goes with it; and they mean something only on the same machine, in the same container.
import { readFileSync, readlinkSync } from 'node:fs';
import { hostname } from 'node:os';

export interface ProcessIdentity {
  readonly pid: number;
  /** Start of the process in clock ticks since the machine's (Linux); absent elsewhere. */
  readonly started?: string;
  /** One run of one machine: Linux's boot id, else the machine's name. */
  readonly machine: string;
  /** The space in which `pid` counts (Linux: the pid namespace); absent elsewhere. */
  readonly space?: string;
}

/** This process. */
export function thisProcess(): ProcessIdentity {
  const started = ticksOf(process.pid)?.started;
  const space = attempt(() => readlinkSync('/proc/self/ns/pid'));
  return {
    pid: process.pid,
    machine: attempt(() => readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim()) ?? hostname(),
    ...(started !== undefined && { started }),
    ...(space !== undefined && { space }),
  };
}

/** Whether the holder runs; undefined when that can't be told from here, as its process ids are not ours. */
export function isRunning(holder: ProcessIdentity, self: ProcessIdentity = thisProcess()): boolean | undefined {
  if (holder.machine !== self.machine || holder.space !== self.space) return undefined;
  try {
    process.kill(holder.pid, 0);
  } catch (error) {
    // EPERM: it runs, as somebody else's.
    if ((error as NodeJS.ErrnoException).code === 'ESRCH') return false;
  }
  const now = ticksOf(holder.pid);
  if (!now || holder.started === undefined) return true;
  // A killed process that nobody has waited for is still listed.
  return now.started === holder.started && !'ZX'.includes(now.state);
}

/** State and start of a process, fields 3 and 22 of proc(5)'s stat; undefined where there is no such file. */
function ticksOf(pid: number): { state: string; started: string } | undefined {
  const stat = attempt(() => readFileSync(`/proc/${pid}/stat`, 'utf8'));
  // Field 2, the program's name in brackets, may hold anything, blanks and brackets too.
  const fields = stat?.slice(stat.lastIndexOf(')') + 2).split(' ');
  return fields && { state: fields[0], started: fields[19] };
}

function attempt<Result>(read: () => Result): Result | undefined {
  try {
    return read();
  } catch {
    return undefined;
  }
}
