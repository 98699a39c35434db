// An error of any kind → the lines that are printed for it.
import { RenderError } from '../errors.js';
import { ListenError } from '../service/http/listen.js';
import { SettingsError } from '../settings.js';
import { StoreError } from '../store/types.js';
import { UsageError } from './parse-options.js';
import { Interrupted, SIGNAL_EXIT_CODES } from './signals.js';
import { findingLine, oneLine } from './stdio.js';

/** Exit codes, as --help documents them. */
export const EXIT = { done: 0, failed: 1, usage: 2, ...SIGNAL_EXIT_CODES } as const;
export type ExitCode = (typeof EXIT)[keyof typeof EXIT];

/** Throws RenderError that names every warning about a command, for one that is strict; passes when there are none. */
export function rejectWarnings(warnings: readonly string[]): void {
  if (warnings.length === 0) return;
  const details = warnings.map((message) => ({ path: '', message }));
  throw new RenderError('invalid_request', warnings.join('; '), { details });
}

/** One line per problem, and the exit code that goes with them. `help`: the command that says how it should have been. */
export function report(error: unknown, help = 'render --help'): { readonly lines: string; readonly code: ExitCode } {
  if (error instanceof Interrupted) return { lines: '', code: error.code };
  if (error instanceof UsageError) {
    return { lines: oneLine(`error: ${error.message} ("${help}" says more)`), code: EXIT.usage };
  }
  if (error instanceof ListenError) {
    return { lines: oneLine(`error: ${error.message}`), code: error.isMisuse ? EXIT.usage : EXIT.failed };
  }
  if (error instanceof SettingsError) return { lines: oneLine(`error: ${error.message}`), code: EXIT.usage };
  if (error instanceof RenderError && error.details.length > 0) {
    return { lines: error.details.map((detail) => findingLine('error', detail)).join(''), code: EXIT.failed };
  }
  if (error instanceof RenderError || error instanceof OutputFileError || error instanceof StoreError) {
    return { lines: oneLine(`error: ${error.message}`), code: EXIT.failed };
  }
  // Anything else is a defect of the program: its name and place help whoever reports it.
  const stack = error instanceof Error ? (error.stack ?? error.message) : String(error);
  return { lines: `error: internal error: ${stack}\n`, code: EXIT.failed };
}

/** Thrown when the picture can't be written; the message names the file. */
export class OutputFileError extends Error {
  override readonly name = 'OutputFileError';
}

const REASONS = new Map([
  ['ENOENT', 'no such file or folder'],
  ['EISDIR', 'it is a folder'],
  ['ENOTDIR', 'a part of the path is no folder'],
  ['EACCES', 'no permission'],
  ['EPERM', 'no permission'],
  ['EROFS', 'the file system is read-only'],
  ['ENOSPC', 'no space is left'],
  ['EDQUOT', 'the disk quota is used up'],
  ['ENAMETOOLONG', 'the name is too long'],
  ['EMFILE', 'too many files are open'],
]);

/** Why a file operation failed, without its path (the caller names it). */
export function systemReason(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const { code } = error as NodeJS.ErrnoException;
  return (code && REASONS.get(code)) ?? error.message;
}
