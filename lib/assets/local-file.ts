// Reads an asset from the local file system. Only payloads of the command line may name local files (see source.ts).
import { open, stat } from 'node:fs/promises';
import { CodedError, RenderError } from '../errors.js';

const REASONS = new Map([
  ['ENOENT', 'does not exist'],
  ['EACCES', 'may not be read'],
  ['EPERM', 'may not be read'],
  ['ENAMETOOLONG', 'has too long a name'],
]);

/**
 * Reads the whole file at `path`. Throws RenderError `asset_failed` if it can't be read, is not a regular file, or is larger
 * than `maxBytes`.
 */
export async function readLocalFile(path: string, maxBytes: number, signal?: AbortSignal): Promise<Uint8Array> {
  const fail = (problem: string, cause?: unknown) =>
    new RenderError('asset_failed', `the file ${path} ${problem}`, { cause });
  signal?.throwIfAborted();
  try {
    // The type is checked before the file is opened: opening a named pipe blocks until its other end opens, and reading
    // a device may never end.
    if (!(await stat(path)).isFile()) throw fail('is not a regular file');
    const file = await open(path, 'r');
    try {
      const { size } = await file.stat();
      if (size > maxBytes) throw fail(`is larger than ${maxBytes} bytes`);
      const bytes = new Uint8Array(await file.readFile(signal ? { signal } : {}));
      if (bytes.length > maxBytes) throw fail(`is larger than ${maxBytes} bytes`);
      return bytes;
    } finally {
      await file.close();
    }
  } catch (cause) {
    if (signal?.aborted) throw signal.reason;
    if (cause instanceof CodedError) throw cause;
    throw fail(REASONS.get((cause as NodeJS.ErrnoException).code ?? '') ?? 'could not be read', cause);
  }
}
