// Unpacks a WOFF2 file (W3C WOFF2) to SFNT: one brotli stream of all tables, some of them transformed.
import { buildSfnt, checksumOf, type SfntTable, viewOf } from '../sfnt.js';
import { decompressBrotli } from './brotli.js';
import { readDirectory, type TableEntry } from './directory.js';
import { type Glyphs, reconstructGlyphs } from './glyf.js';
import { ByteReader } from './reader.js';

const NO_PROPORTIONAL_BEARINGS = 1;
const NO_MONOSPACED_BEARINGS = 2;

/** The number of advances stands in hhea at this offset. */
const NUMBER_OF_H_METRICS = 34;

function reconstructMetrics(data: Uint8Array, hhea: Uint8Array, xMins: Int16Array): Uint8Array {
  const advances = viewOf(hhea).getUint16(NUMBER_OF_H_METRICS);
  const glyphs = xMins.length;
  if (advances === 0 || advances > glyphs) throw new Error('its hmtx table has more advances than glyphs, or none');
  const reader = new ByteReader(data);
  const flags = reader.u8();
  if (flags === 0 || flags > (NO_PROPORTIONAL_BEARINGS | NO_MONOSPACED_BEARINGS)) {
    throw new Error('its hmtx table has an unknown transform');
  }
  const widths = new ByteReader(reader.slice(2 * advances));
  const hmtx = new Uint8Array(2 * advances + 2 * glyphs);
  const view = viewOf(hmtx);
  for (let glyph = 0; glyph < glyphs; glyph++) {
    const isProportional = glyph < advances;
    if (isProportional) view.setUint16(4 * glyph, widths.u16());
    const isLeftOut = flags & (isProportional ? NO_PROPORTIONAL_BEARINGS : NO_MONOSPACED_BEARINGS);
    const bearing = isLeftOut ? xMins[glyph] : reader.u16();
    view.setUint16(isProportional ? 4 * glyph + 2 : 2 * advances + 2 * glyph, bearing);
  }
  return hmtx;
}

/** OpenType 1.9 "head": the checksum of the file and this number, at this offset, add up to the magic number. */
const CHECKSUM_ADJUSTMENT = 8;
const CHECKSUM_MAGIC = 0xb1b0afba;

/**
 * Unpacks a font, or the first font of a collection. Throws an Error whose message completes "received a malformed font
 * file: …", or a RangeError if the file is truncated or points outside itself.
 */
export async function decodeWoff2(bytes: Uint8Array): Promise<Uint8Array> {
  const { sfntVersion, tables, dataLength, compressed } = readDirectory(bytes);
  const stored = await decompressBrotli(compressed, dataLength);
  const dataOf = (entry: TableEntry) => stored.subarray(entry.start, entry.start + entry.storedLength);
  const find = (tag: string) => tables.find((entry) => entry.tag === tag);
  let glyphs: Glyphs | undefined;

  /** Both halves of glyf and loca come from the transformed glyf table. */
  function glyphsOf(): Glyphs {
    const [glyf, loca] = [find('glyf'), find('loca')];
    if (!glyf?.isTransformed || !loca?.isTransformed)
      throw new Error('only one of its glyf and loca tables is transformed');
    if (loca.storedLength !== 0) throw new Error('its loca table is not empty');
    glyphs ??= reconstructGlyphs(dataOf(glyf), glyf.length);
    return glyphs;
  }

  function reconstruct(entry: TableEntry): Uint8Array {
    switch (entry.isTransformed && entry.tag) {
      case false:
        return dataOf(entry);
      case 'glyf':
        return glyphsOf().glyf;
      case 'loca':
        return glyphsOf().loca;
      case 'hmtx': {
        const hhea = find('hhea');
        if (!hhea) throw new Error('it has no hhea table');
        return reconstructMetrics(dataOf(entry), dataOf(hhea), glyphsOf().xMins);
      }
    }
    throw new Error(`its ${JSON.stringify(entry.tag)} table has an unknown transform`);
  }

  // A directory's records are sorted by tag.
  const sorted = [...tables].sort((a, b) => (a.tag < b.tag ? -1 : a.tag > b.tag ? 1 : a.start - b.start));
  const head = find('head');
  const adjustment = head && dataOf(head).subarray(CHECKSUM_ADJUSTMENT, CHECKSUM_ADJUSTMENT + 4);
  adjustment?.fill(0);
  const parts = sorted.map((entry): SfntTable => {
    const data = reconstruct(entry);
    return { tag: Uint8Array.from(entry.tag, (char) => char.charCodeAt(0)), checksum: checksumOf(data), data };
  });
  const sfnt = buildSfnt(sfntVersion, parts);
  if (head && adjustment?.length === 4) {
    // The file's checksum is the sum of its tables' and its directory's.
    const directory = checksumOf(sfnt.subarray(0, 12 + 16 * parts.length));
    const total = parts.reduce((sum, { checksum }) => sum + checksum, directory);
    const view = viewOf(sfnt);
    const start = view.getUint32(12 + 16 * sorted.indexOf(head) + 8);
    view.setUint32(start + CHECKSUM_ADJUSTMENT, CHECKSUM_MAGIC - total);
  }
  return sfnt;
}
