// Adds EXIF data to an AVIF file of our own encoder or grid: an item that describes the primary one (ISO/IEC 23008-12 annex A).
import { concatBytes, latin1Bytes } from '../../bytes/bytes.js';
import { Reader } from '../reader.js';
import { box, boxes, child, type FileBox, fullBox, u16, u32 } from './boxes.js';

/** Sizes of the fields of `iloc` in the files that we write: four bytes for offsets and lengths, none for base offsets. */
const ILOC_SIZES = 0x4400;
const HIDDEN = 1;

/** The data is appended to `mdat`, which must be the last box. */
export function withExif(file: Uint8Array, exif: Uint8Array): Uint8Array {
  const reader = new Reader(file, 'avif');
  const top = boxes(reader, 0, file.length);
  const [meta, mdat] = ['meta', 'mdat'].map((type) => top.find((each) => each.type === type)!);
  const body = ({ start, end }: FileBox) => reader.slice(start, end - start);
  // the first field is the offset of the TIFF header within the item
  const item = concatBytes([u32(0), exif]);
  const primary = reader.u16(child(reader, meta, 'pitm', 4)!.start + 4);
  const ids = locationsOf(reader, child(reader, meta, 'iloc', 4)!).map(({ id }) => id);
  const exifId = Math.max(...ids) + 1;
  const reference = box('cdsc', u16(exifId, 1, primary));
  const parts = boxes(reader, meta.start + 4, meta.end);
  const build = (shift: number): Uint8Array => {
    const rebuilt = parts.flatMap((part): Uint8Array[] => {
      switch (part.type) {
        case 'iloc': {
          const moved = locationsOf(reader, part).map(({ id, offset, length }) => ({
            id,
            offset: offset + shift,
            length,
          }));
          const locations = [...moved, { id: exifId, offset: mdat.end + shift, length: item.length }];
          const entries = locations.map(({ id, offset, length }) => concatBytes([u16(id, 0, 1), u32(offset, length)]));
          return [fullBox('iloc', 0, u16(ILOC_SIZES, locations.length), ...entries)];
        }
        case 'iinf': {
          const info = fullBox('infe', (2 << 24) | HIDDEN, u16(exifId, 0), latin1Bytes('Exif\0'));
          const count = reader.u16(part.start + 4) + 1;
          const list = fullBox('iinf', 0, u16(count), body({ ...part, start: part.start + 6 }), info);
          return parts.some(({ type }) => type === 'iref') ? [list] : [list, fullBox('iref', 0, reference)];
        }
        case 'iref':
          return [fullBox('iref', 0, body({ ...part, start: part.start + 4 }), reference)];
        default:
          return [box(part.type, body(part))];
      }
    });
    return fullBox('meta', 0, ...rebuilt);
  };
  // its size does not depend on the offsets in it
  const shift = build(0).length - (meta.end - meta.start + 8);
  return concatBytes(
    top.map((each) => {
      if (each === meta) return build(shift);
      return each === mdat ? box('mdat', body(mdat), item) : box(each.type, body(each));
    }),
  );
}

interface Location {
  readonly id: number;
  readonly offset: number;
  readonly length: number;
}

/** Each item's one extent. */
function locationsOf(reader: Reader, { start }: FileBox): Location[] {
  if (reader.u32(start) !== 0 || reader.u16(start + 4) !== ILOC_SIZES) throw new Error('an iloc that we do not write');
  return Array.from({ length: reader.u16(start + 6) }, (_, i) => {
    const at = start + 8 + 14 * i;
    return { id: reader.u16(at), offset: reader.u32(at + 6), length: reader.u32(at + 10) };
  });
}
