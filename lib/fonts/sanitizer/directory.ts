// Reads an SFNT file's table directory (OpenType 1.9 "Organization of an OpenType Font") and keeps the tables that text is
// shaped and drawn from. Dropped, so nothing parses them: bitmaps, SVG, signatures, hinting programs, Apple's and Graphite's
// layout, names, vertical metrics.
import { MAX_TABLES } from '../sfnt.js';
import { malformedFont, viewOf } from './errors.js';

/** A table of the file, unmodified. */
export interface SfntTable {
  readonly checksum: number;
  readonly data: Uint8Array;
}

export interface Directory {
  /** The first four bytes: 0x00010000 or `true` for TrueType outlines, `OTTO` for CFF. */
  readonly sfntVersion: number;
  /** Tables by tag, in file order; used tags only. */
  readonly tables: ReadonlyMap<string, SfntTable>;
}

const USED_TAGS = new Set(
  'COLR CPAL CFF_ CFF2 GDEF GPOS GSUB HVAR MVAR OS/2 avar cmap fvar glyf gvar head hhea hmtx kern loca maxp post'
    .split(' ')
    .map((tag) => tag.replace('_', ' ')),
);

/** Throws RenderError if the directory is truncated or has a duplicate tag, or if tables overlap or extend past the file. */
export function readDirectory(bytes: Uint8Array): Directory {
  const view = viewOf(bytes);
  const count = view.getUint16(4);
  if (count === 0 || count > MAX_TABLES) throw malformedFont(`it has ${count} tables, ${MAX_TABLES} at most are read`);
  const tables = new Map<string, SfntTable>();
  const seen = new Set<string>();
  const extents: { tag: string; start: number; end: number }[] = [];
  for (let record = 12; record < 12 + 16 * count; record += 16) {
    const tag = String.fromCharCode(...bytes.subarray(record, record + 4));
    const start = view.getUint32(record + 8);
    const length = view.getUint32(record + 12);
    if (seen.has(tag)) throw malformedFont(`it has two ${printable(tag)} tables`);
    seen.add(tag);
    if (!USED_TAGS.has(tag)) continue;
    if (start < 12 + 16 * count || start + length > bytes.length) {
      throw malformedFont(`its ${tag} table is outside the file`);
    }
    if (length === 0) continue;
    tables.set(tag, { checksum: view.getUint32(record + 4), data: bytes.subarray(start, start + length) });
    extents.push({ tag, start, end: start + length });
  }
  extents.sort((a, b) => a.start - b.start);
  for (let i = 1; i < extents.length; i++) {
    const [previous, next] = [extents[i - 1], extents[i]];
    if (next.start < previous.end) throw malformedFont(`its ${previous.tag} and ${next.tag} tables overlap`);
  }
  return { sfntVersion: view.getUint32(0), tables };
}

/** Tags should be four ASCII characters, but a malformed file may have any bytes. */
function printable(tag: string): string {
  return tag.replace(/[^ -~]/g, '?');
}
