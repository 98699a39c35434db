// An error of any kind → the lines that are printed for it.
import { RenderError } from '../errors.js';
import { SettingsError } from '../settings.js';
import { StoreError } from '../store/store.js';
import { TargetError } from './target.js';
import { findingLine, oneLine } from './terminal.js';
import { UsageError } from './words.js';

/** Exit codes, as --help documents them. */
export const EXIT = { done: 0, failed: 1, usage: 2, interrupted: 130 } as const;
export type ExitCode = (typeof EXIT)[keyof typeof EXIT];

/** One line per problem, and the exit code that goes with them. */
export function report(error: unknown): { readonly lines: string; readonly code: ExitCode } {
  if (error instanceof UsageError) {
    return { lines: `${oneLine(`error: ${error.message}`)}${oneLine('"render --help" says more')}`, code: EXIT.usage };
  }
  if (error instanceof SettingsError) return { lines: oneLine(`error: ${error.message}`), code: EXIT.usage };
  if (error instanceof RenderError && error.details.length > 0) {
    return { lines: error.details.map((detail) => findingLine('error', detail)).join(''), code: EXIT.failed };
  }
  if (error instanceof RenderError || error instanceof TargetError || error instanceof StoreError) {
    return { lines: oneLine(`error: ${error.message}`), code: EXIT.failed };
  }
  // Anything else is a defect of the program: its name and place help whoever reports it.
  const stack = error instanceof Error ? (error.stack ?? error.message) : String(error);
  return { lines: `error: internal error: ${stack}\n`, code: EXIT.failed };
}
