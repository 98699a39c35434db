// Font files as a document needs them: put together from tables, and read apart again (OpenType, "Organization of an OpenType
// Font").
import { buildSfnt, viewOf } from '../sfnt.js';

/** The tables that outlines, widths and variations need. */
export const OUTLINE_TABLES = [
  'head',
  'hhea',
  'hmtx',
  'maxp',
  'loca',
  'glyf',
  'CFF ',
  'CFF2',
  'VORG',
  'fvar',
  'avar',
  'gvar',
  'HVAR',
  'MVAR',
];

/** The tables that browsers need besides, to shape text as we do; an old `kern` is none of them, which the subsetter drops. */
export const TEXT_TABLES = [...OUTLINE_TABLES, 'cmap', 'GDEF', 'GSUB', 'GPOS', 'OS/2', 'name', 'post'];

/** A font file of those of the tables that `table` finds. */
export function packTables(tags: readonly string[], table: (tag: string) => Uint8Array | undefined): Uint8Array {
  const found = tags.flatMap((tag) => {
    const data = table(tag) ?? EMPTY_TABLES.get(tag);
    return data ? [{ tag: Uint8Array.from(tag, (letter) => letter.charCodeAt(0)), checksum: 0, data }] : [];
  });
  found.sort((p, q) => viewOf(p.tag).getUint32(0) - viewOf(q.tag).getUint32(0));
  return buildSfnt(tags.some((tag) => tag.startsWith('CFF') && table(tag)) ? OPEN_TYPE : TRUE_TYPE, found);
}

/** Tables that browsers ask for and fonts of users lack here: no names, and no metrics for PostScript printers. */
const EMPTY_TABLES = new Map([
  ['name', Uint8Array.of(0, 0, 0, 0, 0, 6)],
  ['post', Uint8Array.from({ length: 32 }, (_, i) => (i === 1 ? 3 : 0))],
]);

const OPEN_TYPE = 0x4f54544f;
const TRUE_TYPE = 0x00010000;

/** The tables of a font file. */
export function tablesOf(file: Uint8Array): Map<string, Uint8Array> {
  const view = viewOf(file);
  const tables = new Map<string, Uint8Array>();
  for (let i = 0; i < view.getUint16(4); i++) {
    const record = 12 + 16 * i;
    const tag = String.fromCharCode(...file.subarray(record, record + 4));
    const start = view.getUint32(record + 8);
    tables.set(tag, file.subarray(start, start + view.getUint32(record + 12)));
  }
  return tables;
}
