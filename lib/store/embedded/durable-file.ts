// Replaces files atomically and durably: writes a temporary file, fsyncs it, renames it over the old file, fsyncs the
// folder. After a power cut the file has its old or its new content. The previous version is kept as NAME.bak.
import { constants, type promises } from 'node:fs';
import { dirname } from 'node:path';

/** The functions of node:fs/promises in use; tests make each call fail. */
export type FileSystem = Pick<
  typeof promises,
  'open' | 'rename' | 'link' | 'copyFile' | 'rm' | 'readFile' | 'readdir' | 'mkdir'
>;

/**
 * Serializes the writes to the files of a folder. If two writes overlap and the folder's fsync fails for one, the other's
 * rename may be lost too although its own fsync succeeds (seen in tests on a simulated disk, with a revoked key).
 */
export class Mutex {
  #last: Promise<unknown> = Promise.resolve();

  /** Runs `work` after all earlier calls have succeeded or failed. */
  runExclusive<Result>(work: () => Promise<Result>): Promise<Result> {
    const result = this.#last.then(work);
    this.#last = result.catch(() => undefined);
    return result;
  }
}

/** Thrown when a file could not be replaced. */
export class WriteError extends Error {
  override readonly name = 'WriteError';
  /** True when the rename or a later step failed: readers may see the new content, and a crash may undo it. */
  readonly commitUncertain: boolean;

  constructor(path: string, commitUncertain: boolean, cause: unknown) {
    super(`${path} can't be written: ${cause instanceof Error ? cause.message : String(cause)}`, { cause });
    this.commitUncertain = commitUncertain;
  }
}

export interface ReplaceOptions {
  /** Keeps the replaced version as `path.bak`. */
  readonly keepPrevious?: boolean;
  /** False: the caller makes the folder's entries durable. */
  readonly syncsFolder?: boolean;
}

/**
 * Replaces the content of the file at `path`; resolves when that is durable. Only the owner can read the file. Calls for
 * one file must not overlap. Throws WriteError.
 */
export async function replaceFile(
  files: FileSystem,
  path: string,
  content: string | Uint8Array,
  { keepPrevious = false, syncsFolder = true }: ReplaceOptions = {},
): Promise<void> {
  const temporary = `${path}.tmp`;
  let commitUncertain = false;
  try {
    await writeSynced(files, temporary, content);
    if (keepPrevious) await keepBackup(files, path);
    commitUncertain = true;
    await files.rename(temporary, path);
    if (syncsFolder) await syncFolder(files, dirname(path));
  } catch (cause) {
    await files.rm(temporary, { force: true }).catch(() => undefined);
    throw new WriteError(path, commitUncertain, cause);
  }
}

async function writeSynced(files: FileSystem, path: string, content: string | Uint8Array): Promise<void> {
  // Always a new file: after a failed fsync the kernel treats the lost pages as clean, so a retry on the same file would
  // succeed falsely. A leftover of a crash is removed only when `open` finds it: every charge waits for these calls.
  const file = await files.open(path, 'wx', 0o600).catch(async (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EEXIST') throw error;
    await files.rm(path, { force: true });
    return files.open(path, 'wx', 0o600);
  });
  try {
    await file.writeFile(content);
    await file.sync();
  } finally {
    await file.close();
  }
}

/** Links the current file, if there is one, to its backup name. The file exists under its own name at every moment. */
async function keepBackup(files: FileSystem, path: string): Promise<void> {
  const temporary = `${path}.bak.tmp`;
  const duplicate = () =>
    files.link(path, temporary).catch((error: NodeJS.ErrnoException) => {
      if (error.code === 'EEXIST') throw error;
      // Some file systems have no hard links.
      return copySynced(files, path, temporary);
    });
  try {
    await duplicate().catch(async (error: NodeJS.ErrnoException) => {
      if (error.code !== 'EEXIST') throw error;
      // Never copy onto a leftover of a crash: it may be a hard link to the current file itself.
      await files.rm(temporary, { force: true });
      await duplicate();
    });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return;
    throw error;
  }
  await files.rename(temporary, `${path}.bak`);
}

async function copySynced(files: FileSystem, from: string, to: string): Promise<void> {
  await files.copyFile(from, to, constants.COPYFILE_EXCL);
  const file = await files.open(to, 'r+');
  await file.sync().finally(() => file.close());
}

/** Makes the folder's directory entries durable. */
export async function syncFolder(files: FileSystem, folder: string): Promise<void> {
  // Windows can't open a folder; it writes directory entries through.
  if (process.platform === 'win32') return;
  const handle = await files.open(folder, 'r');
  await handle.sync().finally(() => handle.close());
}
