// A file of the user's own machine → its bytes. Only the command line's payloads may name one (see address.ts).
import { open, stat } from 'node:fs/promises';
import { RenderError } from '../errors.js';

const REASONS = new Map([
  ['ENOENT', 'does not exist'],
  ['EACCES', 'may not be read'],
  ['EPERM', 'may not be read'],
  ['ENAMETOOLONG', 'has too long a name'],
]);

/** The whole file at `path`. Throws RenderError `asset_failed` when it can't be read, is no file, or is over `maxBytes`. */
export async function readLocal(path: string, maxBytes: number, signal?: AbortSignal): Promise<Uint8Array> {
  const fail = (what: string, cause?: unknown) =>
    new RenderError('asset_failed', `the file ${path} ${what}`, { cause });
  signal?.throwIfAborted();
  try {
    // Asked before it is opened: opening a named pipe waits for its other end, and a device may have no end at all.
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
    if (cause instanceof RenderError) throw cause;
    throw fail(REASONS.get((cause as NodeJS.ErrnoException).code ?? '') ?? 'could not be read', cause);
  }
}
