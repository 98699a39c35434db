// A file of lines → its lines from the last to the first, read in pieces from its end. A line that has no line feed yet
// (torn by a crash) comes like any other: the reader judges it.
import { open } from 'node:fs/promises';

const PIECE = 64 * 1024;
const LINE_FEED = 10;

/** The lines of the file at `path` without the empty ones, newest first; none when there is no such file. */
export async function* readLinesReverse(path: string): AsyncGenerator<string> {
  const file = await open(path, 'r').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined;
    throw error;
  });
  if (!file) return;
  try {
    let position = (await file.stat()).size;
    /** What lies between `position` and the first line feed behind it, in file order. */
    let beginning: Buffer[] = [];
    while (position > 0) {
      const length = Math.min(PIECE, position);
      position -= length;
      const { buffer, bytesRead } = await file.read(Buffer.allocUnsafe(length), 0, length, position);
      const piece = buffer.subarray(0, bytesRead);
      let end = piece.length;
      for (
        let feed = piece.lastIndexOf(LINE_FEED);
        feed >= 0;
        feed = feed > 0 ? piece.lastIndexOf(LINE_FEED, feed - 1) : -1
      ) {
        const line = Buffer.concat([piece.subarray(feed + 1, end), ...beginning]).toString();
        beginning = [];
        end = feed;
        if (line !== '') yield line;
      }
      beginning.unshift(piece.subarray(0, end));
    }
    const first = Buffer.concat(beginning).toString();
    if (first !== '') yield first;
  } finally {
    await file.close();
  }
}
