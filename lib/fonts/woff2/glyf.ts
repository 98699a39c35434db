// Reconstructs the glyf and loca tables from the transformed glyf table (W3C WOFF2, sections 5.1 to 5.3). The same choices of
// flags as the reference decoder's make the same bytes. Untrusted: every count is checked against the bytes that are left
// before it is used, and the output is bounded.
import { MAX_UNPACKED_BYTES, tooLarge, viewOf } from '../sfnt.js';
import { convertPoints, createPoints, MAX_POINTS } from './points.js';
import { ByteReader } from './reader.js';

export interface Glyphs {
  readonly glyf: Uint8Array;
  readonly loca: Uint8Array;
  /** The left edge of each glyph, for the reconstruction of hmtx. */
  readonly xMins: Int16Array;
}

/** A composite glyph has this number of contours. */
const COMPOSITE = 0xffff;
const HAS_OVERLAP_BITMAP = 1;

/** Flags of the components of a composite glyph. */
const ARGUMENTS_ARE_WORDS = 1;
const HAS_SCALE = 8;
const MORE_COMPONENTS = 32;
const HAS_XY_SCALE = 64;
const HAS_MATRIX = 128;
const HAS_INSTRUCTIONS = 256;

export function reconstructGlyphs(data: Uint8Array, originalLength: number): Glyphs {
  const header = new ByteReader(data);
  header.at = 2;
  const options = header.u16();
  const count = header.u16();
  const isLong = header.u16() !== 0;
  const lengths = Array.from({ length: 7 }, () => header.u32());
  const [contours, pointCounts, flags, triplets, composites, boxes, instructions] = lengths.map((length) =>
    header.slice(length),
  );
  const overlaps = options & HAS_OVERLAP_BITMAP ? header.slice((count + 7) >> 3) : undefined;
  const hasBox = boxes.subarray(0, 4 * ((count + 31) >> 5));
  const stream = {
    contours: new ByteReader(contours),
    pointCounts: new ByteReader(pointCounts),
    triplets: new ByteReader(triplets),
    composites: new ByteReader(composites),
    boxes: new ByteReader(boxes, hasBox.length),
    instructions: new ByteReader(instructions),
  };
  let flagsAt = 0;

  let out = new Uint8Array(originalLength + 3);
  let view = viewOf(out);
  let length = 0;
  const loca = new Uint8Array((count + 1) * (isLong ? 4 : 2));
  const locaView = viewOf(loca);
  const xMins = new Int16Array(count);
  const scratch = createPoints();

  for (let glyph = 0; glyph < count; glyph++) {
    setOffset(glyph);
    const contourCount = stream.contours.u16();
    const isBoxStored = isBitSet(hasBox, glyph);
    if (contourCount === 0) {
      if (isBoxStored) throw new Error('an empty glyph has a bounding box');
      continue;
    }
    const start = length;
    if (contourCount === COMPOSITE) {
      if (!isBoxStored) throw new Error('a composite glyph has no bounding box');
      writeComposite(start);
    } else writeSimple(glyph, start, contourCount, isBoxStored);
    xMins[glyph] = view.getInt16(start + 2);
    length = (length + 3) & ~3;
  }
  setOffset(count);
  return { glyf: out.subarray(0, length), loca, xMins };

  function setOffset(glyph: number): void {
    if (isLong) locaView.setUint32(4 * glyph, length);
    else if (length >> 1 > 0xffff) throw new Error('its glyphs are too long for their offsets');
    else locaView.setUint16(2 * glyph, length >> 1);
  }

  /** Makes room for `more` bytes and padding at the end of the output. */
  function reserve(more: number): void {
    const needed = length + more + 3;
    if (needed <= out.length) return;
    if (needed > MAX_UNPACKED_BYTES) throw tooLarge();
    const larger = new Uint8Array(Math.min(MAX_UNPACKED_BYTES, Math.max(2 * out.length, needed)));
    larger.set(out.subarray(0, length));
    out = larger;
    view = viewOf(out);
  }

  function write(bytes: Uint8Array): void {
    out.set(bytes, length);
    length += bytes.length;
  }

  function writeU16(value: number): void {
    view.setUint16(length, value);
    length += 2;
  }

  function writeComposite(start: number): void {
    const { composites: reader } = stream;
    const from = reader.at;
    let componentFlags: number;
    let hasInstructions = false;
    do {
      componentFlags = reader.u16();
      if (componentFlags & HAS_INSTRUCTIONS) hasInstructions = true;
      let bytes = componentFlags & ARGUMENTS_ARE_WORDS ? 6 : 4;
      if (componentFlags & HAS_SCALE) bytes += 2;
      else if (componentFlags & HAS_XY_SCALE) bytes += 4;
      else if (componentFlags & HAS_MATRIX) bytes += 8;
      reader.slice(bytes);
    } while (componentFlags & MORE_COMPONENTS);
    const components = reader.bytes.subarray(from, reader.at);
    const code = hasInstructions ? stream.instructions.slice(stream.triplets.short255()) : undefined;
    reserve(10 + components.length + (code ? 2 + code.length : 0));
    view.setUint16(start, COMPOSITE);
    length += 2;
    write(stream.boxes.slice(8));
    write(components);
    if (code) {
      writeU16(code.length);
      write(code);
    }
  }

  function writeSimple(glyph: number, start: number, contourCount: number, isBoxStored: boolean): void {
    reserve(12 + 2 * contourCount);
    view.setUint16(start, contourCount);
    length += 10;
    let points = 0;
    for (let contour = 0; contour < contourCount; contour++) {
      points += stream.pointCounts.short255();
      if (points > MAX_POINTS) throw new Error('a glyph has too many points');
      writeU16(points - 1);
    }
    if (flagsAt + points > flags.length) throw new RangeError('past the end of the flags');

    const hasOverlap = overlaps !== undefined && isBitSet(overlaps, glyph);
    stream.triplets.at = convertPoints(
      flags.subarray(flagsAt),
      triplets,
      stream.triplets.at,
      points,
      hasOverlap,
      scratch,
    );
    flagsAt += points;
    if (stream.triplets.at > triplets.length) throw new RangeError('past the end of the coordinates');
    const code = stream.instructions.slice(stream.triplets.short255());
    reserve(2 + code.length + scratch.flagsLength + scratch.xsLength + scratch.ysLength);
    writeU16(code.length);
    write(code);
    write(scratch.flags.subarray(0, scratch.flagsLength));
    write(scratch.xs.subarray(0, scratch.xsLength));
    write(scratch.ys.subarray(0, scratch.ysLength));
    if (isBoxStored) out.set(stream.boxes.slice(8), start + 2);
    else {
      view.setInt16(start + 2, scratch.xMin);
      view.setInt16(start + 4, scratch.yMin);
      view.setInt16(start + 6, scratch.xMax);
      view.setInt16(start + 8, scratch.yMax);
    }
  }
}

/** Bitmaps hold the first glyph in the highest bit. */
function isBitSet(bitmap: Uint8Array, index: number): boolean {
  return (bitmap[index >> 3] & (0x80 >> (index & 7))) !== 0;
}
