// Writes output images atomically: to a temporary file, then renamed, so that a failure leaves the previous file (or no
// file) in place.
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

/** Fails early for a path that can't be written: it is a folder, or its folder does not exist. */
export async function checkOutputPath(path: string): Promise<void> {
  if (statOrUndefined(path)?.isDirectory()) throw new OutputFileError(`${path}: is a folder`);
  const problem = folderProblem(dirname(path));
  if (problem !== undefined) throw new OutputFileError(`${path}: ${problem}`);
}

/** Says why no file can be in `folder`: it does not exist, is not a folder, or is out of reach. Undefined if it exists. */
function folderProblem(folder: string): string | undefined {
  try {
    return statSync(folder).isDirectory() ? undefined : `${folder} is a file, not a folder`;
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException;
    if (code === 'ENOENT') return `there is no folder ${folder}`;
    return `the folder ${folder} can't be opened: ${systemReason(cause)}`;
  }
}

/** Errors of file systems that refuse a new file in an existing folder. Linux's /proc answers ENOENT. */
const FOLDER_ERRORS: readonly unknown[] = ['EACCES', 'EPERM', 'EROFS', 'ENOENT'];

/** Says why no file could be created in `folder`, or replace the existing one. */
export function replaceProblem(cause: unknown, folder: string): string {
  const problem = folderProblem(folder);
  if (problem !== undefined) return problem;
  const { code } = cause as NodeJS.ErrnoException;
  if (!FOLDER_ERRORS.includes(code)) return systemReason(cause);
  return `the folder ${folder} can't be written to${code === 'ENOENT' ? '' : `: ${systemReason(cause)}`}`;
}

/** A fresh file name beside `path`, and so on the same file system, for writing before the rename. */
function temporaryPathFor(path: string): string {
  const target = statOrUndefined(path)?.isFile() ? realpathSync(path) : path;
  return join(dirname(target), `.${basename(target).slice(0, 200)}.${Math.random().toString(36).slice(2, 14)}.tmp`);
}

/**
 * Whether `path` holds a finished image. `replaceFile` never leaves a partial file, however the process ends; a crash of
 * the machine may leave an empty one.
 */
export function isNonEmptyFile(path: string): boolean {
  const existing = statOrUndefined(path);
  return existing?.isFile() === true && existing.size > 0;
}

/**
 * Replaces the contents of `path` and keeps its permissions. Throws OutputFileError and leaves the file unchanged on
 * failure.
 */
export async function replaceFile(path: string, bytes: Uint8Array): Promise<void> {
  let folder: string | undefined;
  try {
    const existing = statOrUndefined(path);
    // Devices and pipes (/dev/null, /dev/stdout) are written to, never replaced.
    if (existing && !existing.isFile()) await writeFile(path, bytes);
    else {
      // Resolve symbolic links, so that the link survives and its target is replaced.
      const target = existing ? realpathSync(path) : path;
      folder = dirname(target);
      await deferSignals(() => writeAndRename(target, temporaryPathFor(path), bytes, existing?.mode));
    }
  } catch (cause) {
    const reason = folder === undefined ? systemReason(cause) : replaceProblem(cause, folder);
    throw new OutputFileError(`${path}: ${reason}`, { cause });
  }
}

/** Replaces the contents of `path` by chunks, as `replaceFile` does; returns their length. Rejects with the chunks' own errors. */
export async function replaceFileBy(path: string, chunks: AsyncIterable<Uint8Array>): Promise<number> {
  const existing = statOrUndefined(path);
  const target = existing?.isFile() ? realpathSync(path) : path;
  const isDevice = existing !== undefined && !existing.isFile();
  const written = isDevice ? path : temporaryPathFor(path);
  const failed = (cause: unknown) =>
    new OutputFileError(`${path}: ${replaceProblem(cause, dirname(target))}`, { cause });
  const attempt = <Result>(work: () => Result): Result => {
    try {
      return work();
    } catch (cause) {
      throw failed(cause);
    }
  };
  const file = attempt(() => openSync(written, isDevice ? 'w' : 'wx'));
  let length = 0;
  try {
    for await (const chunk of chunks) {
      attempt(() => writeFileSync(file, chunk));
      length += chunk.length;
    }
  } catch (error) {
    closeSync(file);
    if (!isDevice) rmSync(written, { force: true });
    throw error;
  }
  closeSync(file);
  if (isDevice) return length;
  attempt(() => {
    if (existing) chmodSync(written, existing.mode & 0o7777);
    renameSync(written, target);
  });
  return length;
}

/** Returns the file's metadata; undefined if nothing exists at `path`, or it can't be inspected. */
function statOrUndefined(path: string): Stats | undefined {
  try {
    return statSync(path, { throwIfNoEntry: false });
  } catch {
    return undefined;
  }
}

// Synchronous: with no other work to overlap, the round trips to libuv's thread pool would take most of the time.
function writeAndRename(path: string, temporaryPath: string, bytes: Uint8Array, mode: number | undefined): void {
  let file: number | undefined;
  try {
    file = openSync(temporaryPath, 'wx');
    writeFileSync(file, bytes);
    closeSync(file);
    file = undefined;
    if (mode !== undefined) chmodSync(temporaryPath, mode & 0o7777);
    renameSync(temporaryPath, path);
  } catch (error) {
    if (file !== undefined) closeSync(file);
    rmSync(temporaryPath, { force: true });
    throw error;
  }
}
