// Where an AVIF's coded pictures lie: of its items (iloc, ISO/IEC 14496-12 section 8.11.3) and of its tracks (stco, co64).
import { type Box, boxes, child } from './isobmff.js';
import type { Reader } from './reader.js';

/** Items and extents together, and chunks of tracks: more than a 255 × 255 grid with alpha needs. */
const MOST_PLACES = 200_000;

/** The bytes of every extent and chunk that lies within the file; a chunk goes on to the end of its box. */
export function codedData(reader: Reader, bytes: Uint8Array): Uint8Array[] {
  const top = boxes(reader, 0, bytes.length, true);
  const meta = top.find(({ type }) => type === 'meta');
  const movie = top.find(({ type }) => type === 'moov');
  return [...(meta ? ofItems(reader, bytes, meta) : []), ...(movie ? ofTracks(reader, bytes, movie, top) : [])];
}

function ofItems(reader: Reader, bytes: Uint8Array, meta: Box): Uint8Array[] {
  const locations = child(reader, meta, 'iloc', 4);
  if (!locations) return [];
  const store = child(reader, meta, 'idat', 4);
  let at = locations.start;
  const number = (size: number) => {
    let value = 0;
    for (let i = 0; i < size; i++) value = value * 256 + reader.u8(at++);
    return value;
  };
  const version = number(1);
  number(3);
  const [sizes, more] = [number(1), number(1)];
  const [offsetSize, lengthSize, baseSize] = [sizes >> 4, sizes & 15, more >> 4];
  const indexSize = version === 0 ? 0 : more & 15;
  const found: Uint8Array[] = [];
  for (let items = number(version < 2 ? 2 : 4); items > 0 && at < locations.end; items--) {
    number(version < 2 ? 2 : 4);
    const isWithinMeta = version > 0 && (number(2) & 15) === 1;
    number(2);
    const base = number(baseSize);
    for (let extents = number(2); extents > 0 && at < locations.end; extents--) {
      number(indexSize);
      const offset = base + number(offsetSize) + (isWithinMeta && store ? store.start : 0);
      const length = number(lengthSize);
      found.push(bytes.subarray(offset, length === 0 ? undefined : offset + length));
      if (found.length > MOST_PLACES) return found;
    }
  }
  return found;
}

function ofTracks(reader: Reader, bytes: Uint8Array, movie: Box, top: readonly Box[]): Uint8Array[] {
  const found: Uint8Array[] = [];
  for (const track of boxes(reader, movie.start, movie.end)) {
    if (track.type !== 'trak') continue;
    let table: Box | undefined = track;
    for (const type of ['mdia', 'minf', 'stbl']) table = table && child(reader, table, type);
    if (!table) continue;
    for (const { type, start, end } of boxes(reader, table.start, table.end)) {
      if (type !== 'stco' && type !== 'co64') continue;
      const size = type === 'stco' ? 4 : 8;
      const first = reader.u32(start + 4) === 0 ? end : start + 8;
      // the pictures of a chunk follow each other: its units are walked as one run, and the first chunk leads to most
      if (first + size > end) continue;
      const offset = reader.u32(first + size - 4);
      const around = top.find((box) => box.start <= offset && offset < box.end);
      if (around) found.push(bytes.subarray(offset, around.end));
    }
  }
  return found;
}
