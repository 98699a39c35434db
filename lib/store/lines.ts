// Splits streams and files into lines of JSON: forwards as bytes arrive, and from a file's end backwards.
import { open } from 'node:fs/promises';

const CHUNK_BYTES = 64 * 1024;
const LINE_FEED = 10;

/** The lines of `source`. A last line without a line feed was cut off, and is left out. */
export async function* readLines(source: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  let pieces: Uint8Array[] = [];
  for await (const chunk of source) {
    let start = 0;
    for (let end = chunk.indexOf(LINE_FEED); end >= 0; end = chunk.indexOf(LINE_FEED, start)) {
      pieces.push(chunk.subarray(start, end));
      yield Buffer.concat(pieces).toString();
      pieces = [];
      start = end + 1;
    }
    if (start < chunk.length) pieces.push(chunk.subarray(start));
  }
}

/**
 * The non-empty lines of the file at `path`, last line first; none when the file does not exist. A last line without a
 * line feed (torn by a crash) is included: the caller decides whether it is valid.
 */
export async function* readLinesReverse(path: string): AsyncGenerator<string> {
  const file = await open(path, 'r').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined;
    throw error;
  });
  if (!file) return;
  try {
    let position = (await file.stat()).size;
    /** The bytes between `position` and the next line feed after it, in file order. */
    let lineEnd: Buffer[] = [];
    while (position > 0) {
      const length = Math.min(CHUNK_BYTES, position);
      position -= length;
      const { buffer, bytesRead } = await file.read(Buffer.allocUnsafe(length), 0, length, position);
      const chunk = buffer.subarray(0, bytesRead);
      let end = chunk.length;
      for (
        let feed = chunk.lastIndexOf(LINE_FEED);
        feed >= 0;
        feed = feed > 0 ? chunk.lastIndexOf(LINE_FEED, feed - 1) : -1
      ) {
        const line = Buffer.concat([chunk.subarray(feed + 1, end), ...lineEnd]).toString();
        lineEnd = [];
        end = feed;
        if (line !== '') yield line;
      }
      lineEnd.unshift(chunk.subarray(0, end));
    }
    const first = Buffer.concat(lineEnd).toString();
    if (first !== '') yield first;
  } finally {
    await file.close();
  }
}
