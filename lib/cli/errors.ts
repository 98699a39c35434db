// Exit codes, the command line's error classes, and the lines that are printed for an error.
import { failingWarnings, type StrictOptions, strictnessOf } from '../contract/messages/strictness.js';
import { CodedError, RenderError, type Warning } from '../errors.js';
import { ListenError } from '../service/http/listen.js';
import { SettingsError } from '../settings.js';
import { StoreError } from '../store/types.js';
import { SandboxError } from '../workers/sandbox/walls.js';
import { UsageError } from './parse-options.js';
import { Interrupted, SIGNAL_EXIT_CODES } from './signals.js';
import { findingLine, oneLine } from './stdio.js';

/** Exit codes, as --help documents them. */
export const EXIT = { done: 0, failed: 1, usage: 2, ...SIGNAL_EXIT_CODES } as const;
export type ExitCode = (typeof EXIT)[keyof typeof EXIT];

/** Implements --strict: throws a RenderError that lists all `warnings` that fail a render, if there are any. */
export function rejectWarnings(warnings: readonly Warning[], strict: StrictOptions): void {
  const details = failingWarnings(warnings, strictnessOf(strict));
  if (details.length === 0) return;
  throw new RenderError('invalid_request', details.map(({ message }) => message).join('; '), { details });
}

/** Formats `error` as one line per problem, with its exit code. `helpCommand` is suggested after a usage error. */
export function report(
  error: unknown,
  helpCommand = 'platen --help',
): { readonly lines: string; readonly code: ExitCode } {
  if (error instanceof Interrupted) return { lines: '', code: error.code };
  if (error instanceof UsageError) {
    return { lines: oneLine(`error: ${error.message} (see "${helpCommand}")`), code: EXIT.usage };
  }
  if (error instanceof ListenError) {
    return { lines: oneLine(`error: ${error.message}`), code: error.isMisuse ? EXIT.usage : EXIT.failed };
  }
  if (error instanceof SettingsError || error instanceof SandboxError)
    return { lines: oneLine(`error: ${error.message}`), code: EXIT.usage };
  if (error instanceof CodedError && error.details.length > 0) {
    return { lines: error.details.map((detail) => findingLine('error', detail)).join(''), code: EXIT.failed };
  }
  if (error instanceof CodedError || error instanceof OutputFileError || error instanceof StoreError) {
    return { lines: oneLine(`error: ${error.message}`), code: EXIT.failed };
  }
  // Anything else is a bug in the program. The stack goes into the user's bug report.
  const stack = error instanceof Error ? (error.stack ?? error.message) : String(error);
  return { lines: `error: internal error: ${stack}\n`, code: EXIT.failed };
}

/** The output file can't be written. The message names the file. */
export class OutputFileError extends Error {
  override readonly name = 'OutputFileError';
}

const SYSTEM_ERRORS = new Map([
  ['ENOENT', 'no such file or folder'],
  ['EISDIR', 'is a folder'],
  ['ENOTDIR', 'part of the path is not a folder'],
  ['EACCES', 'permission denied'],
  ['EPERM', 'permission denied'],
  ['EROFS', 'the file system is read-only'],
  ['ENOSPC', 'no space left on the disk'],
  ['EDQUOT', 'disk quota exceeded'],
  ['ENAMETOOLONG', 'the name is too long'],
  ['EMFILE', 'too many open files'],
]);

/** Says why a file operation failed, without the path; the caller adds it. */
export function systemReason(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const { code } = error as NodeJS.ErrnoException;
  return (code && SYSTEM_ERRORS.get(code)) ?? error.message;
}
