// Where an AVIF's coded pictures lie: of its items (iloc, ISO/IEC 14496-12 section 8.11.3) and of its tracks (stco, co64).
import { broken } from './broken.js';
import { type Box, boxes, child } from './isobmff.js';
import type { Reader } from './reader.js';

/** Items and extents together, and chunks of tracks: more than a 255 × 255 grid with alpha needs. */
const MOST_PLACES = 200_000;

/** Times that a file's bytes may belong to one of its pictures or tracks: each is looked through. */
const MOST_OVERLAP = 8;

/**
 * The bytes of every item and of every track's first picture, as far as they lie within the file. Those of an item that is
 * stored in pieces are joined: what its units say may lie across two of them.
 */
export function* codedPictures(reader: Reader, bytes: Uint8Array): Generator<Uint8Array> {
  const top = boxes(reader, 0, bytes.length, true);
  const meta = top.find(({ type }) => type === 'meta');
  const movie = top.find(({ type }) => type === 'moov');
  let walked = 0;
  for (const pieces of [
    ...(meta ? ofItems(reader, bytes, meta) : []),
    ...(movie ? ofTracks(reader, bytes, movie, top) : []),
  ]) {
    const total = pieces.reduce((sum, { length }) => sum + length, 0);
    walked += total;
    if (walked > MOST_OVERLAP * bytes.length || (pieces.length > 1 && total > bytes.length)) {
      throw broken('avif', 'its pictures lie over each other');
    }
    yield pieces.length === 1 ? pieces[0] : joined(pieces, total);
  }
}

function joined(pieces: readonly Uint8Array[], total: number): Uint8Array {
  const whole = new Uint8Array(total);
  let at = 0;
  for (const piece of pieces) {
    whole.set(piece, at);
    at += piece.length;
  }
  return whole;
}

/** The pieces of each item. */
function ofItems(reader: Reader, bytes: Uint8Array, meta: Box): Uint8Array[][] {
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
  const found: Uint8Array[][] = [];
  let places = 0;
  for (let items = number(version < 2 ? 2 : 4); items > 0 && at < locations.end; items--) {
    number(version < 2 ? 2 : 4);
    const isWithinMeta = version > 0 && (number(2) & 15) === 1;
    number(2);
    const base = number(baseSize);
    const pieces: Uint8Array[] = [];
    for (let extents = number(2); extents > 0 && at < locations.end; extents--) {
      number(indexSize);
      const offset = base + number(offsetSize) + (isWithinMeta && store ? store.start : 0);
      const length = number(lengthSize);
      pieces.push(bytes.subarray(offset, length === 0 ? undefined : offset + length));
      if (++places > MOST_PLACES) throw broken('avif', `its pictures lie in more than ${MOST_PLACES} places`);
    }
    if (pieces.length > 0) found.push(pieces);
  }
  return found;
}

function ofTracks(reader: Reader, bytes: Uint8Array, movie: Box, top: readonly Box[]): Uint8Array[][] {
  const found: Uint8Array[][] = [];
  for (const track of boxes(reader, movie.start, movie.end)) {
    if (track.type !== 'trak') continue;
    let table: Box | undefined = track;
    for (const type of ['mdia', 'minf', 'stbl']) table = table && child(reader, table, type);
    if (!table) continue;
    const lists = boxes(reader, table.start, table.end);
    // the decoder reads the first picture alone, which begins the first chunk
    const first = Math.max(0, ...lists.filter(({ type }) => type === 'stsz').map((sizes) => firstSize(reader, sizes)));
    for (const { type, start, end } of lists) {
      if (type !== 'stco' && type !== 'co64') continue;
      const size = type === 'stco' ? 4 : 8;
      if (reader.u32(start + 4) === 0 || start + 8 + size > end) continue;
      const offset = reader.u32(start + 8 + size - 4);
      const around = top.find((box) => box.start <= offset && offset < box.end);
      if (around) found.push([bytes.subarray(offset, Math.min(around.end, offset + first))]);
    }
  }
  return found;
}

/** The size of all pictures, or else of the first (ISO/IEC 14496-12 section 8.7.3.2). */
function firstSize(reader: Reader, { start, end }: Box): number {
  const common = reader.u32(start + 4);
  if (common > 0) return common;
  return reader.u32(start + 8) > 0 && start + 16 <= end ? reader.u32(start + 12) : 0;
}
