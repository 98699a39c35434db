// Reads an AVIF's boxes (ISO/IEC 14496-12, 23008-12): the primary item's size, orientation and colours. Reads only box lengths
// and a few fields, and descends only into the boxes named here.
// Writes ISO/IEC 14496-12 boxes: length, type, contents.
import { concatBytes, latin1Bytes } from '../../bytes/bytes.js';
import { malformed } from '../errors.js';
import type { Orientation } from '../orientation.js';
import type { DeclaredColors, SampleKind } from '../profile/declared.js';
import { Reader } from '../reader.js';

export interface AvifHeader {
  /** Width as stored, before orientation. */
  readonly width: number;
  readonly height: number;
  readonly orientation: Orientation;
  /** Whether samples have 10 or 12 bits, according to `av1C`. */
  readonly isDeep: boolean;
  readonly samples: SampleKind;
  readonly colors?: DeclaredColors;
}

export interface FileBox {
  readonly type: string;
  readonly start: number;
  readonly end: number;
}

/** Flags in `av1C`'s third byte (AV1 in ISOBMFF, section 2.3.3). */
const HIGH_BIT_DEPTH = 0x40;
const MONOCHROME = 0x10;

/** Size and orientation of the primary item; for an image sequence without one, of its first track. */
export function readAvifHeader(bytes: Uint8Array): AvifHeader {
  const reader = new Reader(bytes, 'avif');
  const top = boxes(reader, 0, bytes.length, true);
  const meta = top.find((box) => box.type === 'meta');
  const header = meta ? fromItem(reader, meta) : fromTrack(reader, top);
  if (!header) throw malformed('avif', 'it does not declare its image size');
  if (header.width === 0 || header.height === 0)
    throw malformed('avif', `its size is ${header.width} × ${header.height}`);
  return header;
}

/**
 * Maximum sibling boxes: a grid of 255 × 255 tiles has fewer at each level. 25 MB of empty boxes took 5 s, and headers
 * are also read in the server's own process.
 */
const MAX_BOXES = 2 ** 16;

/**
 * The boxes from `start` to `end`. With `mayBeCut` (top level), the last box may be truncated: the header precedes it.
 */
export function boxes(reader: Reader, start: number, end: number, mayBeCut = false): FileBox[] {
  const found: FileBox[] = [];
  for (let at = start; at + 8 <= end; ) {
    let length = reader.u32(at);
    let header = 8;
    if (length === 1) {
      length = reader.u32(at + 8) * 2 ** 32 + reader.u32(at + 12);
      header = 16;
    } else if (length === 0) length = end - at;
    if (length < header || (at + length > end && !mayBeCut))
      throw malformed('avif', 'one of its boxes has an invalid length');
    if (found.length === MAX_BOXES) throw malformed('avif', `it has more than ${MAX_BOXES} boxes at one level`);
    found.push({ type: reader.text(at + 4, 4), start: at + header, end: Math.min(at + length, end) });
    at += length;
  }
  return found;
}

/** The first box of this type in `parent`, after `skip` bytes of the parent's own fields. */
export function child(reader: Reader, parent: FileBox, type: string, skip = 0): FileBox | undefined {
  return boxes(reader, parent.start + skip, parent.end).find((box) => box.type === type);
}

function fromItem(reader: Reader, meta: FileBox): AvifHeader | undefined {
  const primary = child(reader, meta, 'pitm', 4);
  const properties = child(reader, meta, 'iprp', 4);
  const ipco = properties && child(reader, properties, 'ipco');
  if (!primary || !properties || !ipco) return undefined;
  const item = reader.u8(primary.start) === 0 ? reader.u16(primary.start + 4) : reader.u32(primary.start + 4);
  const ipcoBoxes = boxes(reader, ipco.start, ipco.end);
  let size: FileBox | undefined;
  let angle = 0;
  let axis: number | undefined;
  let flags = 0;
  let profile: DeclaredColors | undefined;
  let coded: DeclaredColors | undefined;
  for (const association of boxes(reader, properties.start, properties.end)) {
    if (association.type !== 'ipma') continue;
    for (const index of propertiesOf(reader, association, item)) {
      const property = ipcoBoxes[(index & ~ESSENTIAL) - 1];
      if (property?.type === 'ispe') size = property;
      else if (property?.type === 'av1C') flags = reader.u8(property.start + 2);
      else if (property?.type === 'irot') angle = reader.u8(property.start) & 3;
      else if (property?.type === 'imir') axis = reader.u8(property.start) & 1;
      else if (property?.type === 'colr') {
        const found = readColr(reader, property);
        if (found?.kind === 'coded') coded ??= found;
        else profile ??= found;
      }
    }
  }
  if (!size) return undefined;
  const orientation = ORIENTATIONS[angle][axis === undefined ? 0 : axis + 1];
  // an item may have both; browsers take the profile
  const colors = profile ?? coded;
  return {
    width: reader.u32(size.start + 4),
    height: reader.u32(size.start + 8),
    orientation,
    isDeep: (flags & HIGH_BIT_DEPTH) !== 0,
    samples: flags & MONOCHROME ? 'gray' : 'rgb',
    ...(colors && { colors }),
  };
}

/** The functions of video cameras (ITU-T H.273 table 3), which browsers take for sRGB's in an AVIF, unlike in a PNG. */
const VIDEO_TRANSFERS: readonly number[] = [1, 6, 14, 15];
const SRGB_TRANSFER = 13;

/** A profile or code points (ISO/IEC 14496-12 section 12.1.5); undefined for a type that is unknown. */
function readColr(reader: Reader, { start, end }: FileBox): DeclaredColors | undefined {
  const type = reader.text(start, 4);
  if (type === 'prof' || type === 'rICC') return { kind: 'icc', bytes: reader.slice(start + 4, end - start - 4) };
  if (type !== 'nclx') return undefined;
  const transfer = reader.u16(start + 6);
  return {
    kind: 'coded',
    primaries: reader.u16(start + 4),
    transfer: VIDEO_TRANSFERS.includes(transfer) ? SRGB_TRANSFER : transfer,
  };
}

/**
 * irot rotates anticlockwise in quarter turns, then imir mirrors top-bottom (axis 0) or left-right (1): as EXIF
 * orientations.
 */
const ORIENTATIONS: readonly (readonly Orientation[])[] = [
  [1, 4, 2],
  [8, 5, 7],
  [3, 2, 4],
  [6, 7, 5],
];

export interface Association {
  readonly item: number;
  /** 1-based indexes into `ipco`, each with its essential bit, normalized to 16 bits. */
  readonly properties: readonly number[];
}

export const ESSENTIAL = 0x8000;

/**
 * The item property associations of one `ipma` box (ISO/IEC 23008-12 section 9.3.1). A generator, because the box may
 * list millions.
 */
export function* associations(reader: Reader, ipma: FileBox): Generator<Association> {
  const wideItems = reader.u8(ipma.start) >= 1;
  const wideIndexes = (reader.u8(ipma.start + 3) & 1) === 1;
  const count = reader.u32(ipma.start + 4);
  let at = ipma.start + 8;
  for (let entry = 0; entry < count && at < ipma.end; entry++) {
    const item = wideItems ? reader.u32(at) : reader.u16(at);
    at += wideItems ? 4 : 2;
    const properties: number[] = [];
    for (let remaining = reader.u8(at++); remaining > 0; remaining--, at += wideIndexes ? 2 : 1) {
      const short = wideIndexes ? 0 : reader.u8(at);
      properties.push(wideIndexes ? reader.u16(at) : ((short & 0x80) << 8) | (short & 0x7f));
    }
    yield { item, properties };
  }
}

function propertiesOf(reader: Reader, ipma: FileBox, item: number): readonly number[] {
  for (const entry of associations(reader, ipma)) if (entry.item === item) return entry.properties;
  return [];
}

/** moov → trak → tkhd, whose last two fields are the size in 16.16 fixed point. */
function fromTrack(reader: Reader, top: readonly FileBox[]): AvifHeader | undefined {
  const moov = top.find((box) => box.type === 'moov');
  const track = moov && child(reader, moov, 'trak');
  const header = track && child(reader, track, 'tkhd');
  if (!header) return undefined;
  const [width, height] = [reader.u16(header.end - 8), reader.u16(header.end - 4)];
  return { width, height, orientation: 1, isDeep: true, samples: 'rgb' };
}

export function box(type: string, ...parts: readonly Uint8Array[]): Uint8Array {
  const length = parts.reduce((sum, part) => sum + part.length, 8);
  return concatBytes([u32(length), latin1Bytes(type), ...parts]);
}

/** A box with version and flags. `versionAndFlags`: the version in the first byte, flags in the other three. */
export const fullBox = (type: string, versionAndFlags: number, ...parts: readonly Uint8Array[]) =>
  box(type, u32(versionAndFlags), ...parts);

/** 16-bit numbers, big-endian. */
export function u16(...values: readonly number[]): Uint8Array {
  const view = new DataView(new ArrayBuffer(values.length * 2));
  for (const [i, value] of values.entries()) view.setUint16(i * 2, value);
  return new Uint8Array(view.buffer);
}

/** 32-bit numbers, big-endian. */
export function u32(...values: readonly number[]): Uint8Array {
  const view = new DataView(new ArrayBuffer(values.length * 4));
  for (const [i, value] of values.entries()) view.setUint32(i * 4, value);
  return new Uint8Array(view.buffer);
}
