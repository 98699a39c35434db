// Reads lines of a file from a position backwards. Only lines that contain the given texts are looked at, so most of a file
// is searched at the speed of memory.
import { open } from 'node:fs/promises';

const CHUNK_BYTES = 256 * 1024;
const LINE_FEED = 10;

/** Bytes that a scan may still read. A line that has to be parsed counts as PARSE_COST times its length. */
export interface ScanBudget {
  bytes: number;
}

const PARSE_COST = 8;

/** Selects the lines to look at. */
export interface LineFilter {
  /** Texts that the line contains. The first is the one that most lines lack. */
  readonly needles: readonly Buffer[];
  /** A cheap test of a line that contains them. */
  readonly accepts?: ((line: Buffer) => boolean) | undefined;
}

export type ScanStep =
  /** A line that passes the filter, and its offset in the file. */
  | { readonly line: string; readonly start: number }
  /** All lines that start at `start` or later have been looked at. */
  | { readonly line?: never; readonly start: number };

/**
 * The lines of the file at `path` that end before the offset `end` and pass the filter, last line first. Also yields how
 * far it has come, after each chunk. Stops when the budget is used up. Yields nothing when the file does not exist.
 */
export async function* scanBackwards(
  path: string,
  end: number,
  filter: LineFilter,
  budget: ScanBudget,
): AsyncGenerator<ScanStep> {
  const file = await open(path, 'r').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined;
    throw error;
  });
  if (!file) return;
  try {
    let position = Math.min(end, (await file.stat()).size);
    yield { start: position };
    /** The bytes from `position` to the end of their line. */
    let rest = Buffer.alloc(0);
    // A line that has begun is read to its beginning, so every page gets further.
    let isInLine = true;
    while (position > 0 && (isInLine || budget.bytes > 0)) {
      const length = Math.min(CHUNK_BYTES, position);
      position -= length;
      budget.bytes -= length;
      const chunk = Buffer.allocUnsafe(length + rest.length);
      const { bytesRead } = await file.read(chunk, 0, length, position);
      if (bytesRead < length) throw new Error(`${path}: it was truncated while it was read`);
      rest.copy(chunk, length);
      // The first line may begin in an earlier chunk. The last byte may be the line feed of the only line.
      const first = position === 0 ? 0 : chunk.indexOf(LINE_FEED) + 1;
      isInLine = position > 0 && (first === 0 || first === chunk.length);
      if (isInLine) {
        rest = chunk;
        continue;
      }
      for (const [start, stop] of linesBackwards(chunk, first, filter)) {
        budget.bytes -= PARSE_COST * (stop - start);
        yield { line: chunk.toString('utf8', start, stop), start: position + start };
        if (budget.bytes <= 0) return;
      }
      rest = Buffer.from(chunk.subarray(0, first));
      yield { start: position + first };
    }
  } finally {
    await file.close();
  }
}

/** The start and end of each line of `chunk` from `first` on that passes the filter, last line first. */
function* linesBackwards(
  chunk: Buffer,
  first: number,
  { needles: [needle, ...others], accepts }: LineFilter,
): Generator<[start: number, end: number]> {
  for (let before = chunk.length; before > first; ) {
    const at = chunk.lastIndexOf(needle, before - needle.length);
    if (at < first || before < needle.length) return;
    const start = chunk.lastIndexOf(LINE_FEED, at) + 1;
    const feed = chunk.indexOf(LINE_FEED, at);
    const end = feed < 0 ? chunk.length : feed;
    const line = chunk.subarray(start, end);
    if (others.every((other) => line.includes(other)) && (accepts?.(line) ?? true)) yield [start, end];
    before = start - 1;
  }
}
