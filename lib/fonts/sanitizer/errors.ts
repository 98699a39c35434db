// Errors and bounds-checked reads, shared by the checks of the font tables.
import { RenderError } from '../../errors.js';

/** The error for a malformed font; `reason` completes "received a malformed font file: …". */
export function malformedFont(reason: string): RenderError {
  return new RenderError('render_failed', `received a malformed font file: ${reason}`);
}

/** A view for big-endian reads. A read past the end throws RangeError, which `sanitizeFont` reports with the table's name. */
export function viewOf({ buffer, byteOffset, byteLength }: Uint8Array): DataView {
  return new DataView(buffer, byteOffset, byteLength);
}

/** Throws RangeError unless the `length` bytes from `at` are inside the table. */
export function assertInside(view: DataView, at: number, length: number): void {
  if (at < 0 || at + length > view.byteLength) throw new RangeError('outside the table');
}
