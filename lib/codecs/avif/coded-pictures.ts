// Locates the coded images of an AVIF: those of its items (iloc, ISO/IEC 14496-12 section 8.11.3) and of its tracks (stco,
// co64).
import { malformed } from '../errors.js';
import type { Reader } from '../reader.js';
import { boxes, child, type FileBox } from './boxes.js';

/** Maximum number of extents of items: more than a 255 × 255 grid with alpha needs. */
const MAX_EXTENTS = 200_000;

/** Average number of images or tracks that may share each byte of the file: each is scanned. */
const MAX_OVERLAP = 8;

/**
 * Yields the bytes of every item and of every track's first image, as far as they are inside the file. The extents of an item
 * are concatenated, because an OBU may span two of them.
 */
export function* codedImages(reader: Reader, bytes: Uint8Array): Generator<Uint8Array> {
  const top = boxes(reader, 0, bytes.length, true);
  const meta = top.find(({ type }) => type === 'meta');
  const moov = top.find(({ type }) => type === 'moov');
  let totalBytes = 0;
  for (const extents of [
    ...(meta ? itemExtents(reader, bytes, meta) : []),
    ...(moov ? trackExtents(reader, bytes, moov, top) : []),
  ]) {
    const total = extents.reduce((sum, { length }) => sum + length, 0);
    totalBytes += total;
    if (totalBytes > MAX_OVERLAP * bytes.length || (extents.length > 1 && total > bytes.length)) {
      throw malformed('avif', 'its images overlap');
    }
    yield extents.length === 1 ? extents[0] : concatenate(extents, total);
  }
}

function concatenate(extents: readonly Uint8Array[], total: number): Uint8Array {
  const whole = new Uint8Array(total);
  let at = 0;
  for (const extent of extents) {
    whole.set(extent, at);
    at += extent.length;
  }
  return whole;
}

/** The extents of each item. */
function itemExtents(reader: Reader, bytes: Uint8Array, meta: FileBox): Uint8Array[][] {
  const locations = child(reader, meta, 'iloc', 4);
  if (!locations) return [];
  const idat = child(reader, meta, 'idat', 4);
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
  let extentCount = 0;
  for (let items = number(version < 2 ? 2 : 4); items > 0 && at < locations.end; items--) {
    number(version < 2 ? 2 : 4);
    const isWithinMeta = version > 0 && (number(2) & 15) === 1;
    number(2);
    const base = number(baseSize);
    const extents: Uint8Array[] = [];
    for (let left = number(2); left > 0 && at < locations.end; left--) {
      number(indexSize);
      const offset = base + number(offsetSize) + (isWithinMeta && idat ? idat.start : 0);
      const length = number(lengthSize);
      extents.push(bytes.subarray(offset, length === 0 ? undefined : offset + length));
      if (++extentCount > MAX_EXTENTS) throw malformed('avif', `its images have more than ${MAX_EXTENTS} extents`);
    }
    if (extents.length > 0) found.push(extents);
  }
  return found;
}

function trackExtents(reader: Reader, bytes: Uint8Array, moov: FileBox, top: readonly FileBox[]): Uint8Array[][] {
  const found: Uint8Array[][] = [];
  for (const track of boxes(reader, moov.start, moov.end)) {
    if (track.type !== 'trak') continue;
    let box: FileBox | undefined = track;
    for (const type of ['mdia', 'minf', 'stbl']) box = box && child(reader, box, type);
    if (!box) continue;
    const lists = boxes(reader, box.start, box.end);
    // the decoder reads only the first image, which starts the first chunk
    const first = Math.max(0, ...lists.filter(({ type }) => type === 'stsz').map((sizes) => firstSize(reader, sizes)));
    for (const { type, start, end } of lists) {
      if (type !== 'stco' && type !== 'co64') continue;
      const size = type === 'stco' ? 4 : 8;
      if (reader.u32(start + 4) === 0 || start + 8 + size > end) continue;
      const offset = reader.u32(start + 8 + size - 4);
      const enclosing = top.find((box) => box.start <= offset && offset < box.end);
      if (enclosing) found.push([bytes.subarray(offset, Math.min(enclosing.end, offset + first))]);
    }
  }
  return found;
}

/** The size of all samples, or else of the first (ISO/IEC 14496-12 section 8.7.3.2). */
function firstSize(reader: Reader, { start, end }: FileBox): number {
  const common = reader.u32(start + 4);
  if (common > 0) return common;
  return reader.u32(start + 8) > 0 && start + 16 <= end ? reader.u32(start + 12) : 0;
}
