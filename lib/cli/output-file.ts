// Where a finished picture goes. A file is written under another name and renamed, so that whatever fails, the file
// is as it was before: whole, or absent.
import {
  chmodSync,
  closeSync,
  openSync,
  realpathSync,
  renameSync,
  rmSync,
  type Stats,
  statSync,
  writeFileSync,
} from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { OutputFileError, systemReason } from './errors.js';
import { deferSignals } from './signals.js';

/** Refuses early what can't be written later: a folder's name, or a file in a folder that is not there. */
export async function checkOutputPath(path: string): Promise<void> {
  const existing = found(path);
  const folder = found(dirname(path));
  if (existing?.isDirectory()) throw new OutputFileError(`${path}: it is a folder`);
  if (!folder?.isDirectory()) throw new OutputFileError(`${path}: there is no folder ${dirname(path)}`);
}

/** A new name beside the file that is to be replaced, on the same file system. */
export function temporaryPathFor(path: string): string {
  const target = found(path)?.isFile() ? realpathSync(path) : path;
  return join(dirname(target), `.${basename(target).slice(0, 200)}.${Math.random().toString(36).slice(2, 14)}.tmp`);
}

/**
 * Whether a picture is at `path` already: a file with something in it. `replaceFile` leaves no part of one, whatever ends the
 * process; an empty file is what a machine's crash may leave.
 */
export function isNonEmptyFile(path: string): boolean {
  const existing = found(path);
  return existing?.isFile() === true && existing.size > 0;
}

/** Replaces the file at `path` by `bytes`, its permissions kept. Throws OutputFileError, with the file as it was. */
export async function replaceFile(path: string, bytes: Uint8Array, draft?: string): Promise<void> {
  try {
    const existing = found(path);
    // A device or a pipe (/dev/null, /dev/stdout) is written to, never replaced.
    if (existing && !existing.isFile()) await writeFile(path, bytes);
    // A link stays one: what it leads to is replaced.
    else {
      const target = existing ? realpathSync(path) : path;
      await deferSignals(() => writeAndRename(target, draft ?? temporaryPathFor(path), bytes, existing?.mode));
    }
  } catch (cause) {
    throw new OutputFileError(`${path}: ${systemReason(cause)}`, { cause });
  }
}

/** What stands at `path`; undefined when that can't be told. */
function found(path: string): Stats | undefined {
  try {
    return statSync(path, { throwIfNoEntry: false });
  } catch {
    return undefined;
  }
}

// One call after the other: where there is nothing else to do, the round trips to the pool's threads take most of the time.
function writeAndRename(path: string, draft: string, bytes: Uint8Array, mode: number | undefined): void {
  let file: number | undefined;
  try {
    file = openSync(draft, 'wx');
    writeFileSync(file, bytes);
    closeSync(file);
    file = undefined;
    if (mode !== undefined) chmodSync(draft, mode & 0o7777);
    renameSync(draft, path);
  } catch (error) {
    if (file !== undefined) closeSync(file);
    rmSync(draft, { force: true });
    throw error;
  }
}
