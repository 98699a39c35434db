// The font sanitizer: rejects small fonts that each break one rule, with a reason, and keeps only the used tables of valid
// ones.
import { readFileSync } from 'node:fs';
import t, { type Test } from 'tap';
import { RenderError } from '../../lib/errors.js';
import { sanitizeFont } from '../../lib/fonts/sanitizer/sanitize.js';
import { readTables } from '../../lib/text/opentype/data.js';
import { BOX, colorFont, colorFontFile, colrTable, cpalTable, glyph, solid } from './color-font.js';
import {
  bytes,
  cffFont,
  coincidentPoints,
  composite,
  ENDCHAR,
  gsub,
  head,
  multiple,
  outlines,
  SQUARE,
  sfnt,
  short,
  sizes,
  type Tables,
  trueType,
  u16,
  u32,
} from './font-maker.js';

const valid = trueType(SQUARE);
/** rmoveto, rlineto, endchar. */
const LINE = bytes(short(1), short(1), 21, short(5), short(5), 5, ENDCHAR);

function rejects(t: Test, cases: Record<string, [Uint8Array | Tables, RegExp]>): void {
  for (const [name, [font, message]] of Object.entries(cases)) {
    const file = font instanceof Uint8Array ? font : sfnt(font);
    let error: unknown;
    try {
      sanitizeFont(file);
    } catch (cause) {
      error = cause;
    }
    t.ok(error instanceof RenderError, `rejects ${name}`);
    t.match(error, { code: 'render_failed', message }, name);
    t.match(error, { message: /^received a malformed font file: .{5,120}$/ }, 'one line');
  }
}

const tagsOf = (file: Uint8Array) => {
  const view = Buffer.from(file);
  return Array.from({ length: view.readUInt16BE(4) }, (_, i) => view.toString('latin1', 12 + 16 * i, 16 + 16 * i));
};

t.test('keeps a valid font and drops its unused tables', (t) => {
  const unused = {
    DSIG: u16(0),
    fpgm: u16(0),
    prep: u16(0),
    'SVG ': u16(0),
    morx: u16(0),
    name: u16(0),
  };
  const usedTags = ['OS/2', 'cmap', 'glyf', 'head', 'hhea', 'hmtx', 'loca', 'maxp', 'post'];
  t.same(tagsOf(sanitizeFont(sfnt({ ...valid, ...unused }))), usedTags);
  t.same(tagsOf(sanitizeFont(sfnt({ ...valid, 'CFF ': u16(0) }))), usedTags, 'keeps one kind of outlines');
  const cff = sanitizeFont(sfnt(cffFont({ charstrings: [LINE] })));
  t.ok(tagsOf(cff).includes('CFF '));
  t.same(sanitizeFont(cff), cff, 'is idempotent');
  const { post } = valid;
  t.equal(post.length > 32 && post[1] === 2, true);
  t.end();
});

// fault: 59, 62
t.test('rejects malformed table directories', (t) => {
  const extraTables = Object.fromEntries(Array.from({ length: 125 }, (_, i) => [`x${i}`.padEnd(4), u16(0)]));
  const file = Buffer.from(sfnt(valid));
  const changed = (change: (file: Buffer) => void) => {
    const copy = Buffer.from(file);
    change(copy);
    return copy;
  };
  rejects(t, {
    'a file cut inside the directory': [file.subarray(0, 20), /table directory is truncated|is outside/],
    'too many tables': [{ ...valid, ...extraTables }, /it has 134 tables, 128 at most/],
    'no tables': [changed((copy) => copy.writeUInt16BE(0, 4)), /it has 0 tables/],
    'a duplicate tag': [changed((copy) => copy.copy(copy, 28, 12, 16)), /it has two OS\/2 tables/],
    'a table outside the file': [
      changed((copy) => copy.writeUInt32BE(file.length, 20)),
      /OS\/2 table is outside the file/,
    ],
    'a table longer than the file': [changed((copy) => copy.writeUInt32BE(2 ** 32 - 1, 24)), /OS\/2 table is outside/],
    'a table inside the directory': [changed((copy) => copy.writeUInt32BE(12, 20)), /OS\/2 table is outside/],
    'overlapping tables': [
      changed((copy) => copy.writeUInt32BE(copy.readUInt32BE(36), 20)),
      /OS\/2 and cmap tables overlap/,
    ],
    'a truncated file': [file.subarray(0, file.length - 8), /table is outside the file/],
  });
  for (const tag of ['head', 'maxp', 'hhea', 'hmtx', 'cmap']) {
    const { [tag]: _, ...rest } = valid;
    rejects(t, { [`no ${tag}`]: [rest, new RegExp(`it has no ${tag} table`)] });
  }
  const { glyf: _, ...withoutOutlines } = valid;
  rejects(t, { 'no outlines': [withoutOutlines, /it has no outlines/] });
  t.end();
});

// fault: 62, 63
t.test('rejects malformed header and metrics tables', (t) => {
  rejects(t, {
    'an em of 0': [{ ...valid, head: head(0) }, /its em has 0 units/],
    'an em of 1': [{ ...valid, head: head(1) }, /its em has 1 units, expected 16 to 16384/],
    'an em of 65535': [{ ...valid, head: head(65535) }, /its em has 65535 units/],
    'an unknown offset format': [{ ...valid, head: head(1000, 2) }, /unknown offset format 2/],
    'no magic number': [{ ...valid, head: Buffer.alloc(54) }, /no magic number/],
    'a short head': [{ ...valid, head: head().subarray(0, 50) }, /head table is truncated/],
    'no glyphs': [{ ...valid, maxp: u16(1, 0, 0) }, /it has no glyphs/],
    'more glyphs than loca has': [{ ...valid, maxp: u16(1, 0, 9), hmtx: Buffer.alloc(99) }, /no room for 9 glyphs/],
    'fewer advances than glyphs': [{ ...valid, maxp: u16(1, 0, 900) }, /hmtx table has 8 bytes, 1804 are needed/],
    'no advances': [{ ...valid, hhea: Buffer.alloc(36) }, /0 advances for 2 glyphs/],
    'more advances than glyphs': [{ ...valid, hhea: sizes(3).hhea }, /3 advances for 2 glyphs/],
    'a short OS/2': [{ ...valid, 'OS/2': Buffer.alloc(60) }, /OS\/2 table is truncated/],
    'a short post': [{ ...valid, post: Buffer.alloc(31) }, /post table is truncated/],
  });
  t.ok(sanitizeFont(sfnt({ ...valid, head: head(16) })) && sanitizeFont(sfnt({ ...valid, head: head(16384) })));
  t.end();
});

// fault: 62
t.test('rejects malformed cmap tables', (t) => {
  const subtable = (...parts: (Uint8Array | number)[]) => ({
    ...valid,
    cmap: bytes(u16(0, 1, 3, 1), u32(12), ...parts),
  });
  const groups = (...numbers: number[]) => subtable(u16(12, 0), u32(0, 0, numbers.length / 3, ...numbers));
  rejects(t, {
    'too many subtables': [{ ...valid, cmap: bytes(u16(0, 65), Buffer.alloc(1000)) }, /65 subtables, 64 at most/],
    'a subtable outside': [{ ...valid, cmap: bytes(u16(0, 1, 3, 1), u32(9999)) }, /cmap table .* outside itself/],
    'more groups than the table has room for': [
      subtable(u16(12, 0), u32(0, 0, 0xffffffff)),
      /cmap table .* outside itself/,
    ],
    'groups out of order': [groups(97, 98, 1, 98, 99, 1), /groups out of order/],
    'a group whose end is before its start': [groups(98, 97, 1), /groups out of order/],
    'a group beyond Unicode': [groups(0, 0x110000, 1), /groups out of order/],
    'more segments than the table has room for': [
      subtable(u16(4, 0, 0, 2000, 0, 0, 0)),
      /cmap table .* outside itself/,
    ],
    'half a segment': [subtable(u16(4, 0, 0, 3), Buffer.alloc(99)), /cmap table has 1.5 segments/],
    'segments out of order': [
      subtable(u16(4, 0, 0, 4, 0, 0, 0, 98, 97, 0, 98, 97, 0, 0, 0, 0)),
      /segments out of order/,
    ],
    'a segment that points outside': [subtable(u16(4, 0, 0, 2, 0, 0, 0, 97, 0, 97, 0, 999)), /cmap table .* outside/],
    'a truncated array': [subtable(u16(6, 0, 0, 97, 5)), /cmap table .* outside/],
    'variations outside': [
      subtable(u16(14), u32(0, 1), Buffer.from([0, 0xfe, 0]), u32(0, 999)),
      /cmap table .* outside/,
    ],
  });
  t.end();
});

// fault: 60
t.test('rejects malformed TrueType outlines', (t) => {
  const chain = (length: number) => Array.from({ length }, (_, i) => composite(i + 1));
  const glyphs = (...list: Uint8Array[]) => trueType(SQUARE, ...list);
  rejects(t, {
    'a decreasing loca offset': [{ ...valid, loca: u32(0, 34, 0) }, /loca table has a decreasing offset at glyph 1/],
    'a glyph outside': [{ ...valid, loca: u32(0, 0, 99) }, /glyph 1 is outside its glyf table/],
    'a glyph without a header': [{ ...valid, loca: u32(0, 0, 9) }, /glyph 1 is truncated/],
    'a glyph without its points': [{ ...valid, loca: u32(0, 0, 20) }, /glyph 1 is truncated/],
    'contours that do not fit': [trueType(bytes(u16(9999, 0, 0, 0, 0, 1))), /glyph 1 is truncated/],
    'contours out of order': [trueType(bytes(u16(2, 0, 0, 0, 0, 5, 3, 0), Buffer.alloc(40))), /contours out of order/],
    'too many points': [trueType(coincidentPoints(50_001)), /glyph 1 has 50001 points, 50000 at most/],
    'too many points in all': [glyphs(coincidentPoints(30_000), composite(2, 2)), /glyph 3 has 60000 points/],
    'a component outside': [glyphs(composite(7)), /component 7 of 3 glyphs/],
    'a glyph that contains itself': [glyphs(composite(2)), /glyph 2 contains itself/],
    'a cycle of glyphs': [glyphs(composite(3), composite(4), composite(2)), /contains itself/],
    'components nested 9 deep': [glyphs(...chain(9)), /glyph 10 has components 9 deep, 8 at most/],
    'components nested 32 deep': [
      glyphs(...Array.from({ length: 31 }, (_, i) => composite(i + 3)), SQUARE),
      /components 9 deep, 8 at most/,
    ],
    'too many components': [glyphs(composite(...Array(257).fill(1))), /glyph 2 has more than 256 components/],
    'components without an end': [glyphs(composite(1, 1).subarray(0, 18)), /glyph 2 is truncated/],
    'components that expand exponentially': [
      glyphs(...Array.from({ length: 7 }, (_, i) => composite(...Array(16).fill(i + 1)))),
      /has more than 256 components/,
    ],
  });
  t.ok(
    sanitizeFont(sfnt(glyphs(...chain(8), composite(...Array(256).fill(1)), coincidentPoints(50_000)))),
    'accepts the maximum',
  );
  t.ok(sanitizeFont(sfnt({ ...valid, ...outlines([SQUARE, Buffer.alloc(0)]) })), 'accepts an empty last glyph');
  t.end();
});

// fault: 60
t.test('rejects malformed CFF outlines', (t) => {
  const validCff = cffFont({ charstrings: [LINE] });
  rejects(t, {
    'more glyphs than charstrings': [
      { ...validCff, ...sizes(7), 'CFF ': validCff['CFF '] },
      /2 charstrings for 7 glyphs/,
    ],
    'a truncated table': [
      { ...validCff, 'CFF ': validCff['CFF '].subarray(0, 60) },
      /CFF table is truncated|charstrings/,
    ],
    'charstrings of type 1': [cffFont({ charstrings: [LINE], top: bytes(short(1), 12, 6) }), /charstrings of type 1/],
  });
  const table = Buffer.from(validCff['CFF ']);
  for (let at = 0; at < table.length; at++) {
    for (const value of [0, 255, table[at] ^ 0x40]) {
      const changed = Buffer.from(table);
      changed[at] = value;
      try {
        sanitizeFont(sfnt({ ...validCff, 'CFF ': changed }));
      } catch (error) {
        if (!(error instanceof RenderError)) t.fail(`byte ${at} as ${value}: ${error}`);
      }
    }
  }
  t.end();
});

// fault: 61
t.test('rejects malformed and expensive layout tables', (t) => {
  const font = (table: Uint8Array) => ({ ...trueType(SQUARE, SQUARE), GSUB: table });
  const good = gsub([[2, multiple(1, [2, 2])]]);
  const changed = (at: number, value: number) => {
    const copy = Buffer.from(good);
    copy.writeUInt16BE(value, at);
    return font(copy);
  };
  const empty = Array.from({ length: 8193 }, () => 8 + 2 * 8193);
  const tooManySubtables = bytes(
    u16(1, 0, 0, 0, 10),
    u16(1, 4),
    u16(1, 0, 8193, ...empty.map((offset) => offset - 2)),
    u16(1, 6, 0, 1, 0),
  );
  rejects(t, {
    'an unknown version': [changed(0, 2), /GSUB table has the version 2/],
    'lookups outside': [changed(8, 999), /GSUB table .* outside itself/],
    'features outside': [changed(6, 999), /GSUB table .* outside itself/],
    'scripts outside': [changed(4, 999), /GSUB table .* outside itself/],
    'a missing lookup': [changed(42, 7), /refers to the lookup 7 of 1/],
    'a missing feature': [changed(28, 7), /refers to the feature 7 of 1/],
    'a lookup of type 99': [font(gsub([[99, multiple(1, [2])]])), /lookup of type 99/],
    'a subtable of format 9': [font(gsub([[1, u16(9, 6, 0, 1, 1, 1)]])), /subtable of format 9/],
    'a coverage outside': [font(gsub([[1, u16(1, 999, 0)]])), /GSUB table .* outside itself/],
    'an extension of an extension': [
      font(gsub([[7, bytes(u16(1, 7), u32(8), u16(1, 6, 0, 1, 0))]])),
      /extends a lookup of type 7/,
    ],
    'one glyph that expands to 65': [
      font(gsub([[2, multiple(1, Array(65).fill(2))]])),
      /one glyph expands to 65, 64 at most/,
    ],
    'one glyph that expands to 60,000': [
      font(gsub([[2, multiple(1, Array(60_000).fill(2))]])),
      /expands to 60000|outside itself/,
    ],
    'too many subtables': [font(tooManySubtables), /more than 8192 subtables/],
    'glyph classes outside': [{ ...valid, GDEF: u16(1, 0, 999, 0, 0, 0) }, /GDEF table .* outside itself/],
  });
  t.ok(tagsOf(sanitizeFont(sfnt(font(good)))).includes('GSUB'));
  t.end();
});

t.test('rejects malformed and expensive variations', (t) => {
  const axis = (min: number, defaultValue: number, max: number) =>
    bytes(Buffer.from('wght'), u32(min << 16, defaultValue << 16, max << 16), u16(0, 256));
  const fvar = (count: number, ...axes: Uint8Array[]) => bytes(u16(1, 0, 16, 2, count, 20, 0, 8), ...axes);
  const gvar = (axes: number, glyphs: number, ...offsets: number[]) =>
    bytes(u16(1, 0, axes, 0), u32(20), u16(glyphs, 0), u32(20 + 2 * offsets.length), u16(...offsets), Buffer.alloc(8));
  const variable = { ...valid, fvar: fvar(1, axis(100, 400, 900)) };
  /** Glyph 1 has `times` variations, each with no data; other glyphs have none. */
  const varied = (times: number, glyphs: number) => {
    const data = bytes(u16(times, 4 + 6 * times), ...Array<Buffer>(times).fill(u16(0, 0x8000, 0x4000)));
    const ends = Array<number>(glyphs).fill(data.length).fill(0, 0, 1);
    return bytes(u16(1, 0, 1, 0), u32(24 + 4 * glyphs), u16(glyphs, 1), u32(24 + 4 * glyphs, 0, ...ends), data);
  };
  /** A store with one region, to which one item refers `times` times. */
  const store = (times: number) =>
    bytes(u16(1), u32(18 + 3 * times), u16(1), u32(12), u16(1, 0, times), Buffer.alloc(3 * times), u16(1, 1, 0, 0, 0));
  t.ok(tagsOf(sanitizeFont(sfnt({ ...variable, gvar: gvar(1, 2, 0, 0, 0) }))).includes('gvar'));
  t.notOk(
    tagsOf(sanitizeFont(sfnt({ ...valid, gvar: u16(7) }))).includes('gvar'),
    'drops variations if there are no axes',
  );
  rejects(t, {
    'too many axes': [{ ...valid, fvar: fvar(65, Buffer.alloc(65 * 20)) }, /65 axes, 64 at most/],
    'axes outside': [{ ...valid, fvar: fvar(9, axis(100, 400, 900)) }, /fvar table .* outside/],
    'a default outside its range': [{ ...valid, fvar: fvar(1, axis(500, 400, 900)) }, /default outside its range/],
    'axis maps of other axes': [{ ...variable, avar: u16(1, 0, 0, 2, 0, 0) }, /avar table has 2 axes of 1/],
    'variations of other glyphs': [{ ...variable, gvar: gvar(1, 9, 0) }, /gvar table has 9 glyphs of 2/],
    'variations of other axes': [{ ...variable, gvar: gvar(2, 2, 0, 0, 0) }, /gvar table has 2 axes of 1/],
    'a decreasing gvar offset': [
      { ...variable, gvar: gvar(1, 2, 0, 2, 1) },
      /gvar table has a decreasing offset at glyph 1/,
    ],
    'variations outside': [{ ...variable, gvar: gvar(1, 2, 0, 0, 99) }, /gvar table .* outside/],
    'a value that varies by too many regions': [
      { ...variable, HVAR: bytes(u32(0x10000, 20, 0, 0, 0), store(20_000)) },
      /varies by 20000 regions of 1 axes, 16384 at most/,
    ],
    'too many moved points': [
      { ...trueType(coincidentPoints(50_000)), fvar: variable.fvar, gvar: varied(1280, 2) },
      /its variations move 64005120 points, 64000000 at most/,
    ],
    'too many moved points of components': [
      {
        ...trueType(coincidentPoints(195), composite(...Array(256).fill(1))),
        fvar: variable.fvar,
        gvar: varied(1280, 3),
      },
      /its variations move 65463040 points/,
    ],
    'a store outside': [{ ...variable, HVAR: u32(0x10000, 9999, 0, 0, 0) }, /HVAR table .* outside/],
  });
  t.end();
});

t.test('rejects malformed colour tables', (t) => {
  const colr = (version: number, glyph: number, first: number, count: number) =>
    bytes(u16(version, 1), u32(34, 40), u16(1), Buffer.alloc(20), u16(glyph, first, count), u16(1, 0));
  const font = (table: Uint8Array) => ({ ...valid, COLR: table, CPAL: cpalTable([[0, 0, 0]]) });
  rejects(t, {
    'a missing glyph': [font(colr(0, 9, 0, 1)), /COLR table has glyphs out of order/],
    'layers outside': [font(colr(0, 1, 1, 1)), /layers of glyph 1 are outside its COLR table/],
    'records outside': [font(u16(0, 99, 0, 34, 0, 40, 1)), /COLR table .* outside itself/],
    'a palette outside': [{ ...font(colr(0, 1, 0, 1)), CPAL: u16(0, 9, 1, 1, 0, 14, 0) }, /CPAL table/],
  });
  t.end();
});

t.test('keeps the paints of colour glyphs, and rejects lists outside the table', (t) => {
  const file = colorFontFile();
  const tablesOf = (font: Uint8Array) => readTables(font);
  t.same(tablesOf(sanitizeFont(file)).get('COLR'), tablesOf(file).get('COLR'));
  t.notOk(tablesOf(sanitizeFont(sfnt({ ...colorFont(), COLR: colrTable({ glyphs: [] }) }))).has('CPAL'), 'no glyphs');
  const font = (more: object) => ({
    ...colorFont(),
    COLR: colrTable({ glyphs: [[4, glyph(BOX, solid(0))]], ...more }),
  });
  const cut = { ...font({}), COLR: font({}).COLR.subarray(0, 36) };
  rejects(t, {
    'glyphs outside': [cut, /COLR table is truncated/],
    'a store outside': [font({ store: u32(0x10000, 9999) }), /COLR table/],
  });
  t.end();
});

// fault: 59
t.test('sanitizes or rejects a real font with randomly changed bytes', (t) => {
  const inter = readFileSync(new URL('../../fonts/inter/inter-400.ttf', import.meta.url));
  let state = 7;
  const next = (below: number) => {
    state = (Math.imul(state, 1103515245) + 12345) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
  let passed = 0;
  for (let i = 0; i < 300; i++) {
    const copy = Buffer.from(inter);
    for (let k = next(8); k >= 0; k--) copy[next(k % 2 ? copy.length : 4000)] = next(256);
    try {
      sanitizeFont(i % 3 ? copy : copy.subarray(0, next(copy.length)));
      passed++;
    } catch (error) {
      if (!(error instanceof RenderError)) t.fail(String(error));
    }
  }
  t.ok(passed < 300);
  t.end();
});
