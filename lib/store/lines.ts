// Splits streams into lines of JSON.

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
