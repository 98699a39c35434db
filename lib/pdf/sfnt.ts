// Font files as a document needs them: put together from tables, and read apart again (OpenType, "Organization of an OpenType
// Font").

/** The tables that outlines, widths and variations need; of layout and names, a document uses nothing. */
const TABLES = [
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

/** A font file of the tables that `table` finds. */
export function packTables(table: (tag: string) => Uint8Array | undefined): Uint8Array {
  const found = TABLES.flatMap((tag) => {
    const bytes = table(tag);
    return bytes ? [{ tag, bytes }] : [];
  }).sort((p, q) => (p.tag < q.tag ? -1 : 1));
  const head = 12 + 16 * found.length;
  const length = found.reduce((sum, { bytes }) => sum + aligned(bytes.length), head);
  const file = new Uint8Array(length);
  const view = new DataView(file.buffer);
  view.setUint32(0, found.some(({ tag }) => tag.startsWith('CFF')) ? 0x4f54544f : 0x00010000);
  view.setUint16(4, found.length);
  let at = head;
  found.forEach(({ tag, bytes }, i) => {
    const record = 12 + 16 * i;
    for (let c = 0; c < 4; c++) file[record + c] = tag.charCodeAt(c);
    view.setUint32(record + 8, at);
    view.setUint32(record + 12, bytes.length);
    file.set(bytes, at);
    at += aligned(bytes.length);
  });
  return file;
}

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

export function viewOf({ buffer, byteOffset, length }: Uint8Array): DataView {
  return new DataView(buffer, byteOffset, length);
}

function aligned(length: number): number {
  return (length + 3) & ~3;
}
