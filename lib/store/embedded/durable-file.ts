// Text → a file that a power cut leaves whole, in its old or its new generation: a temporary file, its fsync, a rename
// over the old one, an fsync of the folder. The generation before stays beside it as NAME.bak.
import { constants, type promises } from 'node:fs';
import { dirname } from 'node:path';

/** What of node:fs/promises is used: tests let each call fail. */
export type FileSystem = Pick<typeof promises, 'open' | 'rename' | 'link' | 'copyFile' | 'rm' | 'readFile'>;

/**
 * One write at a time among the files of a folder. A sync of the folder that fails for one file loses what has been
 * renamed for another too, and that one's own sync need not hear of it: seen on a model disk, with a revoked key.
 */
export class Mutex {
  #last: Promise<unknown> = Promise.resolve();

  /** Does `work` when all that was asked for before has ended, well or not. */
  take<Result>(work: () => Promise<Result>): Promise<Result> {
    const result = this.#last.then(work);
    this.#last = result.catch(() => undefined);
    return result;
  }
}

/** Thrown when a file could not be replaced. */
export class WriteError extends Error {
  override readonly name = 'WriteError';
  /** The failure came at the rename or after it: a reader may find the new generation, and may lose it again. */
  readonly commitUncertain: boolean;

  constructor(path: string, perhapsVisible: boolean, cause: unknown) {
    super(`${path} can't be written: ${cause instanceof Error ? cause.message : String(cause)}`, { cause });
    this.commitUncertain = perhapsVisible;
  }
}

/**
 * Makes `text` the content of the file at `path`, readable by its owner alone; resolves when that is durable.
 * `keepPrevious`: the generation that is replaced becomes `path.bak`. One writer at a time. Throws WriteError.
 */
export async function replaceFile(files: FileSystem, path: string, text: string, keepPrevious: boolean): Promise<void> {
  const draft = `${path}.tmp`;
  let renaming = false;
  try {
    await writeSynced(files, draft, text);
    if (keepPrevious) await keepGeneration(files, path);
    renaming = true;
    await files.rename(draft, path);
    await syncFolder(files, dirname(path));
  } catch (cause) {
    await files.rm(draft, { force: true }).catch(() => undefined);
    throw new WriteError(path, renaming, cause);
  }
}

async function writeSynced(files: FileSystem, path: string, text: string): Promise<void> {
  // Always a new file: after an fsync that failed, the kernel takes that file's lost pages for clean ones. One that a crash
  // left is removed when it is in the way: every charge waits for these calls.
  const file = await files.open(path, 'wx', 0o600).catch(async (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EEXIST') throw error;
    await files.rm(path, { force: true });
    return files.open(path, 'wx', 0o600);
  });
  try {
    await file.writeFile(text);
    await file.sync();
  } finally {
    await file.close();
  }
}

/** Gives the present generation, if there is one, a second name: at no moment is there none under the first. */
async function keepGeneration(files: FileSystem, path: string): Promise<void> {
  const draft = `${path}.bak.tmp`;
  const duplicate = () =>
    files.link(path, draft).catch((error: NodeJS.ErrnoException) => {
      if (error.code === 'EEXIST') throw error;
      // Some file systems have no hard links.
      return copySynced(files, path, draft);
    });
  try {
    await duplicate().catch(async (error: NodeJS.ErrnoException) => {
      if (error.code !== 'EEXIST') throw error;
      // Never copied onto what a crash left: that may be the present generation itself by its second name.
      await files.rm(draft, { force: true });
      await duplicate();
    });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return;
    throw error;
  }
  await files.rename(draft, `${path}.bak`);
}

async function copySynced(files: FileSystem, from: string, to: string): Promise<void> {
  await files.copyFile(from, to, constants.COPYFILE_EXCL);
  const file = await files.open(to, 'r+');
  await file.sync().finally(() => file.close());
}

/** Makes the folder's entries durable. */
export async function syncFolder(files: FileSystem, folder: string): Promise<void> {
  // Windows can't open a folder; it writes entries through by itself.
  if (process.platform === 'win32') return;
  const handle = await files.open(folder, 'r');
  await handle.sync().finally(() => handle.close());
}
