// The signals that end a command. As a rule the system ends the process at once, also while it paints; a command that has
// something to put in order first asks for its time here.
import { setTimeout as sleep } from 'node:timers/promises';
import type { CliContext } from './stdio.js';

/** Ctrl-C, a supervisor's request to end, and a terminal that was closed; with the exit code that shells give them. */
export const SIGNAL_EXIT_CODES = { SIGHUP: 129, SIGINT: 130, SIGTERM: 143 } as const;
export type TerminationSignal = keyof typeof SIGNAL_EXIT_CODES;
export const TERMINATION_SIGNALS = Object.keys(SIGNAL_EXIT_CODES) as TerminationSignal[];

/** Thrown when a signal has ended a command: nothing is left to say. */
export class Interrupted extends Error {
  override readonly name = 'Interrupted';

  constructor(readonly code: (typeof SIGNAL_EXIT_CODES)[TerminationSignal]) {
    super('interrupted by a signal');
  }
}

/** The exit code for the signal that aborted `ending`. */
export function exitCodeFor({ reason }: AbortSignal): (typeof SIGNAL_EXIT_CODES)[TerminationSignal] {
  return SIGNAL_EXIT_CODES[TERMINATION_SIGNALS.find((name) => name === reason) ?? 'SIGINT'];
}

/** Milliseconds in which an operation that a signal interrupts may still end. */
const GRACE_MS = 1000;

/** Does `work`, which a signal ends: with the next second at its disposal, so that it leaves no lock and no draft behind. */
export async function interruptible<Result>({ interrupt }: CliContext, work: () => Promise<Result>): Promise<Result> {
  const ending = interrupt?.();
  if (!ending) return await work();
  const working = work();
  const aborted = new Promise<void>((resolve) => ending.addEventListener('abort', () => resolve(), { once: true }));
  await Promise.race([working, aborted]);
  if (!ending.aborted) return await working;
  const settled = working.then(
    () => undefined,
    () => undefined,
  );
  await Promise.race([settled, sleep(GRACE_MS)]);
  throw new Interrupted(exitCodeFor(ending));
}

/**
 * Does `work`, which is synchronous, so that a signal ends the process right after it and not within it. Where signals
 * have listeners already, those decide.
 */
export async function deferSignals(work: () => void): Promise<void> {
  const free = TERMINATION_SIGNALS.filter((name) => process.listenerCount(name) === 0);
  const raise = (name: TerminationSignal) => {
    release();
    process.kill(process.pid, name);
  };
  const release = () => {
    for (const name of free) process.off(name, raise);
  };
  for (const name of free) process.on(name, raise);
  try {
    work();
    // a signal that came meanwhile is heard when the event loop polls, which it has done by its second turn
    await new Promise((resolve) => setImmediate(() => setImmediate(resolve)));
  } finally {
    release();
  }
}
