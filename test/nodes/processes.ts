// What processes have cost so far: processor time of one and of its children, by /proc.
import { readdirSync, readFileSync } from 'node:fs';

/** A second, in the kernel's ticks. */
const TICKS = 100;

interface Account {
  readonly parent: number;
  readonly own: number;
  /** Of children that have ended. */
  readonly inherited: number;
}

function accountOf(pid: number): Account | undefined {
  try {
    // The second field is a name in parentheses, which may hold anything.
    const fields = readFileSync(`/proc/${pid}/stat`, 'latin1')
      .replace(/^.*\) /s, '')
      .split(' ')
      .map(Number);
    return { parent: fields[1], own: fields[11] + fields[12], inherited: fields[13] + fields[14] };
  } catch {
    return undefined;
  }
}

/** Seconds of processor time of the processes `roots` and their children, those that have ended included. */
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
