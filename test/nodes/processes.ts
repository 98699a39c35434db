// Reads the processor time of processes and their children from /proc.
import { readdirSync, readFileSync } from 'node:fs';

/** Clock ticks per second of /proc. */
const TICKS = 100;

interface Account {
  readonly parent: number;
  readonly own: number;
  /** Time of children that have ended. */
  readonly inherited: number;
}

function accountOf(pid: number): Account | undefined {
  try {
    // The second field is the program's name in parentheses, which may contain spaces and parentheses itself.
    const fields = readFileSync(`/proc/${pid}/stat`, 'latin1')
      .replace(/^.*\) /s, '')
      .split(' ')
      .map(Number);
    return { parent: fields[1], own: fields[11] + fields[12], inherited: fields[13] + fields[14] };
  } catch {
    return undefined;
  }
}

/** Processor time in seconds of the processes `roots` and their children, including children that have ended. */
export function processorSeconds(roots: readonly number[]): number {
  let ticks = 0;
  for (const name of readdirSync('/proc')) {
    const account = /^\d+$/.test(name) ? accountOf(Number(name)) : undefined;
    if (!account) continue;
    if (roots.includes(Number(name))) ticks += account.own + account.inherited;
    else if (roots.includes(account.parent)) ticks += account.own;
  }
  return ticks / TICKS;
}
