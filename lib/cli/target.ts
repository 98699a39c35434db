// Where a finished picture goes. A file is written under another name and renamed, so that whatever fails, the file
// is as it was before: whole, or absent.
import { randomBytes } from 'node:crypto';
import { chmod, type FileHandle, open, realpath, rename, rm, stat, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { systemReason } from './system.js';

/** Thrown when the picture can't be written; the message names the file. */
export class TargetError extends Error {
  override readonly name = 'TargetError';
}

/** Refuses early what can't be written later: a folder's name, or a file in a folder that is not there. */
export async function checkTarget(path: string): Promise<void> {
  const [existing, folder] = await Promise.all([
    stat(path).catch(() => undefined),
    stat(dirname(path)).catch(() => undefined),
  ]);
  if (existing?.isDirectory()) throw new TargetError(`${path}: it is a folder`);
  if (!folder?.isDirectory()) throw new TargetError(`${path}: there is no folder ${dirname(path)}`);
}

/** Replaces the file at `path` by `bytes`, its permissions kept. Throws TargetError, with the file as it was. */
export async function replaceFile(path: string, bytes: Uint8Array): Promise<void> {
  try {
    const existing = await stat(path).catch(() => undefined);
    // A device or a pipe (/dev/null, /dev/stdout) is written to, never replaced.
    if (existing && !existing.isFile()) await writeFile(path, bytes);
    // A link stays one: what it leads to is replaced.
    else await writeAndRename(existing ? await realpath(path) : path, bytes, existing?.mode);
  } catch (cause) {
    throw new TargetError(`${path}: ${systemReason(cause)}`, { cause });
  }
}

async function writeAndRename(path: string, bytes: Uint8Array, mode: number | undefined): Promise<void> {
  const draft = join(dirname(path), `.${basename(path).slice(0, 200)}.${randomBytes(6).toString('hex')}.tmp`);
  let file: FileHandle | undefined;
  try {
    file = await open(draft, 'wx');
    await file.writeFile(bytes);
    await file.close();
    if (mode !== undefined) await chmod(draft, mode & 0o7777);
    await rename(draft, path);
  } catch (error) {
    await file?.close().catch(() => undefined);
    await rm(draft, { force: true });
    throw error;
  }
}
