// Builds small fonts table by table, so a test can break one rule at a time.

/** Big-endian 16-bit numbers, signed or unsigned. */
export const u16 = (...numbers: number[]) =>
  Buffer.from(numbers.flatMap((number) => [(number >> 8) & 255, number & 255]));

export const u32 = (...numbers: number[]) =>
  Buffer.from(numbers.flatMap((number) => [number >>> 24, (number >>> 16) & 255, (number >>> 8) & 255, number & 255]));

export const bytes = (...parts: (Uint8Array | number)[]) =>
  Buffer.concat(parts.map((part) => (typeof part === 'number' ? Buffer.from([part]) : part)));

export type Tables = Record<string, Uint8Array>;

/** An SFNT file of these tables. */
export function sfnt(tables: Tables): Uint8Array {
  const tags = Object.keys(tables).sort();
  const head = [u32('CFF ' in tables || 'CFF2' in tables ? 0x4f54544f : 0x10000), u16(tags.length, 0, 0, 0)];
  const bodies: Uint8Array[] = [];
  let offset = 12 + 16 * tags.length;
  for (const tag of tags) {
    const data = tables[tag];
    const padded = Buffer.alloc((data.length + 3) & ~3);
    padded.set(data);
    head.push(Buffer.from(tag, 'latin1'), u32(0, offset, data.length));
    bodies.push(padded);
    offset += padded.length;
  }
  return bytes(...head, ...bodies);
}

/** A square of four points. */
export const SQUARE = bytes(
  u16(1, 0, 0, 500, 500),
  u16(3, 0),
  Buffer.from([1, 1, 1, 1]),
  u16(0, 500, 0, -500),
  u16(0, 0, 500, 0),
);

/** A composite glyph; its components are not moved. */
export const composite = (...components: number[]) =>
  bytes(
    u16(-1, 0, 0, 500, 500),
    ...components.map((glyph, i) => bytes(u16(i < components.length - 1 ? 0x23 : 3, glyph, 0, 0))),
  );

/** A glyph of `points` coincident points: one flag repeated for 256 points at a time, and no coordinates. */
export function coincidentPoints(points: number): Uint8Array {
  const flags = Buffer.alloc(2 * Math.ceil(points / 256)).fill(Buffer.from([0x39, 255]));
  return bytes(u16(1, 0, 0, 0, 0), u16(points - 1, 0), flags);
}

/** The loca (long offsets) and glyf tables of these glyphs. */
export function outlines(glyphs: readonly Uint8Array[]): Tables {
  let offset = 0;
  const offsets = [0];
  for (const glyph of glyphs) {
    offset += glyph.length;
    offsets.push(offset);
  }
  return { glyf: bytes(...glyphs), loca: u32(...offsets) };
}

export const head = (unitsPerEm = 1000, format = 1) =>
  bytes(
    u32(0x10000, 0x10000, 0, 0x5f0f3cf5),
    u16(0, unitsPerEm),
    Buffer.alloc(16),
    u16(0, 0, 500, 500, 0, 8, 2, format, 0),
  );

/** Maps `a` to glyph 1, `b` to glyph 2 and so on. */
export const cmap = (glyphs: number) =>
  bytes(u16(0, 1, 3, 10), u32(12), u16(12, 0), u32(28, 0, 1), u32(97, 97 + Math.max(0, glyphs - 2), 1));

/** All tables but the outlines. */
export function sizes(glyphs: number): Tables {
  return {
    head: head(),
    maxp: bytes(u32(0x10000), u16(glyphs), Buffer.alloc(26)),
    hhea: bytes(u32(0x10000), u16(800, -200), Buffer.alloc(26), u16(glyphs)),
    hmtx: Buffer.concat(Array.from({ length: glyphs }, () => u16(600, 0))),
    cmap: cmap(glyphs),
    'OS/2': Buffer.alloc(96),
    post: bytes(u32(0x20000), Buffer.alloc(28), u16(0)),
  };
}

/** A TrueType font with an empty first glyph and these glyphs. */
export function trueType(...glyphs: Uint8Array[]): Tables {
  return { ...sizes(glyphs.length + 1), ...outlines([new Uint8Array(0), ...glyphs]) };
}

/**
 * A variable font with an axis of weight, 100 to 900: a square that moves at heavy weights, wholly and by two of its points,
 * and a composite of it whose offset and advance change.
 */
export function variableFont(): Uint8Array {
  const axis = bytes(Buffer.from('wght'), u32(100 << 16, 400 << 16, 900 << 16), u16(0, 256));
  const fvar = bytes(u16(1, 0, 16, 2, 1, 20, 0, 8), axis);
  /** A tuple with its own peak: a header, and point numbers (0 for all), x and y deltas. */
  const tuple = (peak: number, data: number[]) => ({ header: u16(data.length, 0xa000, peak), data: Buffer.from(data) });
  const glyph = (...tuples: ReturnType<typeof tuple>[]) => {
    const headers = bytes(...tuples.map(({ header }) => header));
    const packed = bytes(u16(tuples.length, 4 + headers.length), headers, ...tuples.map(({ data }) => data));
    return packed.length % 2 === 0 ? packed : bytes(packed, 0);
  };
  // the square's four points and four edges: the advance grows by 50
  const square = glyph(
    tuple(0x4000, [0, 0x07, 50, 50, 50, 50, 0, 50, 0, 0, 0x87]),
    tuple(0x2000, [2, 1, 0, 2, 0x01, 40, 246, 0x01, 7, 33]),
  );
  const moved = glyph(
    tuple(0x4000, [0, 0x04, 21, 10, 90, 0, 0, 0x04, 30, 0, 0, 0, 0]),
    tuple(0xc000, [0, 0x04, 5, 0, 200, 0, 0, 0x84]),
  );
  const [first, second] = [square.length / 2, (square.length + moved.length) / 2];
  const gvar = bytes(u16(1, 0, 1, 0), u32(28), u16(3, 0), u32(28), u16(0, 0, first, second), square, moved);
  return sfnt({ ...trueType(SQUARE, composite(1)), fvar, gvar });
}

/** An INDEX of CFF or CFF2 with three-byte offsets. */
export function index(entries: readonly Uint8Array[], isCff2 = false): Uint8Array {
  const count = isCff2 ? u32(entries.length) : u16(entries.length);
  if (entries.length === 0) return count;
  let offset = 1;
  const offsets = [u32(1).subarray(1)];
  for (const { length } of entries) {
    offset += length;
    offsets.push(u32(offset).subarray(1));
  }
  return bytes(count, 3, ...offsets, ...entries);
}

/** A number in a DICT, and a 16-bit number in a charstring. */
export const long = (value: number) => bytes(29, u32(value));
export const short = (value: number) => bytes(28, u16(value));

export const ENDCHAR = Buffer.from([14]);
export const RETURN = Buffer.from([11]);
/** Calls a subroutine of a list with fewer than 1,240 entries. */
export const callLocal = (subr: number) => bytes(short(subr - 107), 10);
export const callGlobal = (subr: number) => bytes(short(subr - 107), 29);

export interface CffParts {
  readonly charstrings: readonly Uint8Array[];
  readonly globalSubrs?: readonly Uint8Array[];
  readonly localSubrs?: readonly Uint8Array[];
  /** Additional bytes of the top DICT. */
  readonly top?: Uint8Array;
}

/** A CFF table with one font. */
export function cffTable({
  charstrings,
  globalSubrs = [],
  localSubrs = [],
  top = Buffer.alloc(0),
}: CffParts): Uint8Array {
  const list = index(charstrings);
  const local = bytes(long(6), 19);
  const dict = (at: number) => bytes(long(at), 17, long(local.length), long(at + list.length), 18, top);
  const start = (body: Uint8Array) =>
    bytes(1, 0, 4, 3, index([Buffer.from('A')]), index([body]), index([]), index(globalSubrs));
  const at = start(dict(0)).length;
  return bytes(start(dict(at)), list, local, index(localSubrs));
}

/** A CFF font with an empty first glyph and these charstrings. */
export function cffFont({ charstrings, ...more }: CffParts): Tables {
  return { ...sizes(charstrings.length + 1), 'CFF ': cffTable({ charstrings: [ENDCHAR, ...charstrings], ...more }) };
}

/** A GSUB table with one feature, ccmp, that applies these lookups in order. */
export function gsub(lookups: readonly (readonly [type: number, subtable: Uint8Array])[]): Uint8Array {
  const scripts = bytes(u16(1), Buffer.from('DFLT'), u16(8), u16(4, 0), u16(0, 0xffff, 1, 0));
  const indexes = lookups.map((_, i) => i);
  const features = bytes(u16(1), Buffer.from('ccmp'), u16(8), u16(0, lookups.length, ...indexes));
  const bodies = lookups.map(([type, subtable]) => bytes(u16(type, 0, 1, 8), subtable));
  let offset = 2 + 2 * lookups.length;
  const offsets = bodies.map((body) => {
    offset += body.length;
    return offset - body.length;
  });
  const list = bytes(u16(lookups.length, ...offsets), ...bodies);
  return bytes(u16(1, 0, 10, 10 + scripts.length, 10 + scripts.length + features.length), scripts, features, list);
}

/** A multiple substitution (GSUB type 2): replaces one glyph with a sequence. */
export const multiple = (glyph: number, replacement: readonly number[]) => {
  const sequence = u16(replacement.length, ...replacement);
  return bytes(u16(1, 8 + sequence.length, 1, 8), sequence, u16(1, 1, glyph));
};
