// A file for what is too large to be kept in memory until it is sent. It has no name once it is open, so nothing is left of it
// when the process ends.
import { createHash, randomUUID } from 'node:crypto';
import { type FileHandle, open, unlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isDocumentFormat } from '../../codecs/codec.js';
import { RenderError } from '../../errors.js';
import type { Settings } from '../../settings.js';
import type { Reservation } from '../admission/memory-budget.js';
import type { EngineImage } from './call.js';

export class TemporaryFile {
  /** Bytes that were written. */
  length = 0;
  private readonly hash = createHash('sha256');

  private constructor(
    private readonly handle: FileHandle,
    private readonly maxBytes: number,
    private readonly room: Reservation,
  ) {}

  /**
   * Creates a file of at most `maxBytes` in the system's folder for such files. It takes its bytes from `room`. The caller
   * closes it.
   */
  static async create(maxBytes: number, room: Reservation): Promise<TemporaryFile> {
    const path = join(tmpdir(), `platen-${randomUUID()}`);
    const handle = await open(path, 'wx+', 0o600);
    await unlink(path);
    return new TemporaryFile(handle, maxBytes, room);
  }

  /** Throws RenderError: `render_failed` when the file would exceed its limit, `overloaded` when there is no room for it now. */
  async append(bytes: Uint8Array): Promise<void> {
    if (this.length + bytes.length > this.maxBytes) throw documentTooLarge(this.maxBytes);
    this.room.reserve(bytes.length);
    for (let at = 0; at < bytes.length; ) {
      const { bytesWritten } = await this.handle.write(bytes, at, bytes.length - at, this.length + at);
      at += bytesWritten;
    }
    this.length += bytes.length;
    this.hash.update(bytes);
  }

  /** The SHA-256 of the bytes, base64url; nothing can be written after it. */
  digest(): string {
    return this.hash.digest('base64url');
  }

  /** Yields the bytes from the first to the last, `size` at a time. */
  async *chunks(size: number): AsyncGenerator<Uint8Array, void> {
    for (let at = 0; at < this.length; at += size) {
      // a new buffer each time: the one before may still wait for the client
      const buffer = new Uint8Array(Math.min(size, this.length - at));
      for (let filled = 0; filled < buffer.length; ) {
        const { bytesRead } = await this.handle.read(buffer, filled, buffer.length - filled, at + filled);
        if (bytesRead === 0) throw new Error('a temporary file has lost bytes');
        filled += bytesRead;
      }
      yield buffer;
    }
  }

  /** Closes the file, which frees its room; calls after the first do nothing. */
  async close(): Promise<void> {
    await this.handle.close();
    this.room.release();
  }
}

/** Throws RenderError `render_failed` for a document in memory that is larger than the service sends. */
export function checkDocumentSize(
  { format, bytes }: Pick<EngineImage, 'format' | 'bytes'>,
  { DOCUMENT_MAX_BYTES: maxBytes }: Pick<Settings, 'DOCUMENT_MAX_BYTES'>,
): void {
  if (isDocumentFormat(format) && bytes.length > maxBytes) throw documentTooLarge(maxBytes);
}

function documentTooLarge(maxBytes: number): RenderError {
  const message = `the document is larger than ${maxBytes} bytes (DOCUMENT_MAX_BYTES)`;
  return new RenderError('render_failed', message, { details: [{ code: 'limit_exceeded', path: '', message }] });
}
