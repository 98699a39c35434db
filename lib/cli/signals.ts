// Termination signals. By default the operating system ends the process at once, even while it paints; a command that
// has to clean up first defers the signal with the functions here.
import { setTimeout as sleep } from 'node:timers/promises';
import type { CliContext } from './stdio.js';

/** Exit codes as shells report them (128 + signal number): closed terminal, Ctrl-C, a supervisor's stop request. */
export const SIGNAL_EXIT_CODES = { SIGHUP: 129, SIGINT: 130, SIGTERM: 143 } as const;
export type TerminationSignal = keyof typeof SIGNAL_EXIT_CODES;
export const TERMINATION_SIGNALS = Object.keys(SIGNAL_EXIT_CODES) as TerminationSignal[];

/** A signal ended the command. Nothing is printed for it. */
export class Interrupted extends Error {
  override readonly name = 'Interrupted';

  constructor(readonly code: (typeof SIGNAL_EXIT_CODES)[TerminationSignal]) {
    super('interrupted by a signal');
  }
}

/** The exit code for the termination signal that is the abort reason. */
export function exitCodeFor({ reason }: AbortSignal): (typeof SIGNAL_EXIT_CODES)[TerminationSignal] {
  return SIGNAL_EXIT_CODES[TERMINATION_SIGNALS.find((name) => name === reason) ?? 'SIGINT'];
}

/** Time that an interrupted operation gets to finish. */
const GRACE_MS = 1000;

/**
 * Runs `work`. After a termination signal, `work` gets GRACE_MS to finish, so that it leaves no lock or temporary file
 * behind; then Interrupted is thrown.
 */
export async function interruptible<Result>({ interrupt }: CliContext, work: () => Promise<Result>): Promise<Result> {
  const signal = interrupt?.();
  if (!signal) return await work();
  const result = work();
  const aborted = new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }));
  await Promise.race([result, aborted]);
  if (!signal.aborted) return await result;
  const settled = result.then(
    () => undefined,
    () => undefined,
  );
  await Promise.race([settled, sleep(GRACE_MS)]);
  throw new Interrupted(exitCodeFor(signal));
}

/**
 * Runs the synchronous `work` so that a termination signal takes effect after it, not during it. Signals that already
 * have listeners are left to those.
 */
export async function deferSignals(work: () => void): Promise<void> {
  const unhandled = TERMINATION_SIGNALS.filter((name) => process.listenerCount(name) === 0);
  const raise = (name: TerminationSignal) => {
    release();
    process.kill(process.pid, name);
  };
  const release = () => {
    for (const name of unhandled) process.off(name, raise);
  };
  for (const name of unhandled) process.on(name, raise);
  try {
    work();
    // A signal that arrived meanwhile is delivered when the event loop polls: before the second setImmediate runs.
    await new Promise((resolve) => setImmediate(() => setImmediate(resolve)));
  } finally {
    release();
  }
}

/**
 * Log rotation sends these to make programs reopen their logs. Without a listener, SIGUSR1 opens V8's debugger to every
 * user of the machine, and SIGUSR2 ends the process.
 */
const IGNORED_SIGNALS = ['SIGUSR1', 'SIGUSR2'] as const;

/** Makes the signals of log rotation do nothing, for programs that keep running. */
export function ignoreRotationSignals(): void {
  if (process.platform !== 'win32') for (const name of IGNORED_SIGNALS) process.on(name, () => undefined);
}

/** Resolves at the next termination signal, which then does not end the process. */
export function nextTerminationSignal(): Promise<void> {
  return new Promise((resolve) => {
    const done = () => {
      for (const name of TERMINATION_SIGNALS) process.off(name, done);
      resolve();
    };
    for (const name of TERMINATION_SIGNALS) process.on(name, done);
  });
}
