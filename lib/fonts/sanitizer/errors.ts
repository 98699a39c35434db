// What a font check says when it refuses: one line, in the words that broken containers get too.
import { RenderError } from '../../errors.js';

/** The failure of a font; `reason` completes "received a broken font file: …". */
export function malformedFont(reason: string): RenderError {
  return new RenderError('render_failed', `received a broken font file: ${reason}`);
}

/** Big-endian reads from a table. A read past its end throws RangeError, which `checkFont` turns into the table's fault. */
export function viewOf({ buffer, byteOffset, byteLength }: Uint8Array): DataView {
  return new DataView(buffer, byteOffset, byteLength);
}

/** Throws RangeError unless `length` bytes from `at` lie within the table. */
export function within(view: DataView, at: number, length: number): void {
  if (at < 0 || at + length > view.byteLength) throw new RangeError('outside the table');
}
