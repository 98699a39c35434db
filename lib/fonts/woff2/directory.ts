// Reads the header and directories of a WOFF2 file (W3C WOFF2, sections 4.1, 4.2 and 4.3), and bounds the sizes that they claim.
import { MAX_UNPACKED_BYTES, readTableCount, tooLarge, viewOf } from '../sfnt.js';
import { ByteReader } from './reader.js';

export interface TableEntry {
  readonly tag: string;
  readonly isTransformed: boolean;
  /** Its length in the original font. */
  readonly length: number;
  /** Start and length in the uncompressed data. */
  readonly start: number;
  readonly storedLength: number;
}

export interface Directory {
  /** Version of the font, or of a collection's first font. */
  readonly sfntVersion: number;
  /** Tables in the order of the file. */
  readonly tables: readonly TableEntry[];
  /** The length of all tables, uncompressed. */
  readonly dataLength: number;
  readonly compressed: Uint8Array;
}

/** Section 4.2; the index 63 means that an arbitrary four-byte tag follows. */
const KNOWN_TAGS = (
  'cmap head hhea hmtx maxp name OS/2 post cvt_ fpgm glyf loca prep CFF_ VORG EBDT EBLC gasp hdmx kern LTSH PCLT VDMX vhea ' +
  'vmtx BASE GDEF GPOS GSUB EBSC JSTF MATH CBDT CBLC COLR CPAL SVG_ sbix acnt avar bdat bloc bsln cvar fdsc feat fmtx fvar ' +
  'gvar hsty just lcar mort morx opbd prop trak Zapf Silf Glat Gloc Feat Sill'
)
  .split(' ')
  .map((tag) => tag.replace('_', ' '));

const HEADER_BYTES = 48;
const COLLECTION = 0x74746366;

/**
 * Throws an Error whose message completes "received a malformed font file: …", or a RangeError if the file is truncated.
 * Nothing is allocated by the sizes that the file claims.
 */
export function readDirectory(bytes: Uint8Array): Directory {
  const header = viewOf(bytes);
  const flavor = header.getUint32(4);
  const count = readTableCount(header, 12);
  const compressedLength = header.getUint32(20);
  if (header.getUint32(16) > MAX_UNPACKED_BYTES) throw tooLarge();
  const reader = new ByteReader(bytes, HEADER_BYTES);
  const tables: TableEntry[] = [];
  let total = 0;
  let start = 0;
  for (let i = 0; i < count; i++) {
    const flags = reader.u8();
    const tag = KNOWN_TAGS[flags & 63] ?? String.fromCharCode(...reader.slice(4));
    // glyf and loca are transformed unless the version is 3; other tables unless it is 0.
    const version = flags >> 6;
    const isTransformed = tag === 'glyf' || tag === 'loca' ? version !== 3 : version !== 0;
    const length = reader.base128();
    const storedLength = isTransformed ? reader.base128() : length;
    total += Math.max(length, storedLength);
    if (total > MAX_UNPACKED_BYTES) throw tooLarge();
    tables.push({ tag, isTransformed, length, start, storedLength });
    start += storedLength;
  }
  const first = flavor === COLLECTION ? readFirstFont(reader, tables) : { sfntVersion: flavor, tables };
  return { ...first, dataLength: start, compressed: reader.slice(compressedLength) };
}

/** Section 4.3: for each font its version and the indexes of its tables. */
function readFirstFont(reader: ByteReader, all: readonly TableEntry[]): Pick<Directory, 'sfntVersion' | 'tables'> {
  reader.u32();
  const fonts = Array.from({ length: reader.short255() }, () => {
    const count = reader.short255();
    const sfntVersion = reader.u32();
    return { sfntVersion, indexes: Array.from({ length: count }, () => reader.short255()) };
  });
  const [first] = fonts;
  if (first === undefined || first.indexes.length === 0) throw new Error('it has no tables');
  // The order of the file, in which each glyf table precedes its loca table.
  const tables = all.filter((_, index) => first.indexes.includes(index));
  if (tables.length !== first.indexes.length)
    throw new Error('its collection names a table twice, or one that it lacks');
  return { sfntVersion: first.sfntVersion, tables };
}
