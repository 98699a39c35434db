// Adds the emoji that a colour font of flat layers lacks, from drawings in SVG of the same style: glyphs, their characters,
// ligatures for sequences, layers and colours. The font's own glyphs, ligatures and layers stay as they are, byte by byte.
import * as harfbuzz from 'harfbuzzjs';

/** Big-endian 16-bit numbers, signed or unsigned. */
const u16 = (/** @type {number[]} */ ...numbers) =>
  Buffer.from(numbers.flatMap((number) => [(number >> 8) & 255, number & 255]));
const u32 = (/** @type {number[]} */ ...numbers) =>
  Buffer.from(numbers.flatMap((number) => [number >>> 24, (number >>> 16) & 255, (number >>> 8) & 255, number & 255]));

/** Largest distance of a quadratic curve from the cubic one that it replaces, in font units. */
const TOLERANCE = 0.25;

/**
 * @typedef {{ icons: Record<string, { body: string }>, width: number }} IconSet
 * @typedef {{ verbs: readonly number[], coords: readonly number[] }} PathData
 * @typedef {{ outline: Buffer, xMin: number }} Glyph
 */

/**
 * @param {Uint8Array} sfnt
 * @param {IconSet} icons
 * @param {Record<string, string>} names of the icons by their code points, as in `1f9d1-200d-1f680`: without U+FE0F
 * @param {(data: string) => PathData} parsePath
 * @returns {{ sfnt: Uint8Array, added: string[] }} the font with the emoji added, and those
 */
export function addEmoji(sfnt, icons, names, parsePath) {
  const face = new harfbuzz.Face(new harfbuzz.Blob(sfnt));
  const font = new harfbuzz.Font(face);
  const isDrawn = (/** @type {string} */ text) => {
    const buffer = new harfbuzz.Buffer();
    buffer.addText(text);
    buffer.guessSegmentProperties();
    harfbuzz.shape(font, buffer, []);
    const colored = buffer.getGlyphInfos().filter(({ codepoint }) => face.getGlyphColorLayers(codepoint).length > 0);
    return colored.length === 1;
  };
  const tables = tablesOf(sfnt);
  const cmap = readCharacters(tables.get('cmap'));
  const builder = new Builder(tables, icons.width, parsePath);
  /** @type {{ glyphs: number[], ligature: number }[]} */
  const ligatures = [];
  const added = [];
  const single = new Map();
  for (const [key, name] of Object.entries(names).sort(([one], [other]) => (one < other ? -1 : 1))) {
    const codePoints = key.split('-').map((hex) => Number.parseInt(hex, 16));
    const text = qualified(codePoints);
    const icon = icons.icons[name];
    if (!icon || isDrawn(text) || isDrawn(String.fromCodePoint(...codePoints))) continue;
    const glyph = builder.addIcon(icon.body, name);
    added.push(text);
    if (codePoints.length === 1) single.set(codePoints[0], glyph);
    for (const variant of new Set([text, String.fromCodePoint(...codePoints)])) {
      if (codePoints.length > 1)
        ligatures.push({ glyphs: Array.from(variant, (c) => c.codePointAt(0)), ligature: glyph });
    }
  }
  for (const [codePoint, glyph] of single) cmap.set(codePoint, glyph);
  const rules = ligatures.map(({ glyphs, ligature }) => ({
    ligature,
    glyphs: glyphs.map((codePoint) => {
      const glyph = cmap.get(codePoint);
      if (!glyph) throw new Error(`the font lacks U+${codePoint.toString(16)}, a part of an emoji`);
      return glyph;
    }),
  }));
  builder.finish();
  tables.set('cmap', writeCharacters(tables.get('cmap'), cmap));
  tables.set('GSUB', withLigatures(tables.get('GSUB'), rules));
  // without glyph names
  tables.set('post', Buffer.concat([u32(0x30000), tables.get('post').subarray(4, 32)]));
  return { sfnt: writeFont(sfnt, tables), added };
}

/** The fully qualified sequence: with U+FE0F after characters that are text by default. */
function qualified(/** @type {number[]} */ codePoints) {
  // keycaps
  if (codePoints[codePoints.length - 1] === 0x20e3) return String.fromCodePoint(codePoints[0], 0xfe0f, 0x20e3);
  const isModifier = (/** @type {number} */ codePoint) => codePoint >= 0x1f3fb && codePoint <= 0x1f3ff;
  return codePoints
    .map((codePoint, i) => {
      const character = String.fromCodePoint(codePoint);
      const isText = /^(?=\p{Emoji})(?!\p{Emoji_Presentation})(?!\p{Emoji_Component})/u.test(character);
      return isText && !isModifier(codePoints[i + 1]) ? `${character}\ufe0f` : character;
    })
    .join('');
}

class Builder {
  constructor(/** @type {Map<string, Buffer>} */ tables, /** @type {number} */ iconSize, parsePath) {
    this.tables = tables;
    this.parsePath = parsePath;
    this.unit = tables.get('head').readUInt16BE(18) / iconSize;
    this.count = tables.get('maxp').readUInt16BE(4);
    /** @type {Buffer[]} */
    this.outlines = [];
    /** @type {number[]} */
    this.bearings = [];
    this.byOutline = new Map();
    this.bases = [];
    this.layers = [];
    const cpal = tables.get('CPAL');
    this.firstLayer = tables.get('COLR').readUInt16BE(12);
    this.colors = Array.from({ length: cpal.readUInt16BE(2) }, (_, i) =>
      cpal.readUInt32BE(cpal.readUInt32BE(8) + 4 * i),
    );
    this.oldColors = this.colors.length;
    const layer = tables.get('COLR').readUInt32BE(8);
    // the top of the drawings in the em
    this.top = tables.get('COLR').length > layer ? (tables.get('head').readUInt16BE(18) * 7) / 8 : 0;
  }

  addGlyph(/** @type {Buffer} */ outline, /** @type {number} */ bearing) {
    this.outlines.push(outline);
    this.bearings.push(bearing);
    return this.count + this.outlines.length - 1;
  }

  addIcon(/** @type {string} */ body, /** @type {string} */ name) {
    const base = this.addGlyph(Buffer.alloc(0), 0);
    let layers = 0;
    const rest = body.replaceAll(/<(path|circle|ellipse) ([^>]*)\/>|<g ([^>]*)>|<\/g>/g, '');
    if (/\S/.test(rest))
      throw new Error(`${name}: expected paths, circles and ellipses, received ${rest.slice(0, 60)}`);
    /** @type {Record<string, string>[]} */
    const groups = [{}];
    for (const [, tag, text] of body.matchAll(/<(\/?\w+)([^>]*?)\/?>/g)) {
      const own = Array.from(text.matchAll(/([\w-]+)="([^"]*)"/g), ([, key, value]) => [key, value]);
      const attributes = { ...groups[0], ...Object.fromEntries(own) };
      const other = Object.keys(attributes).find(
        (key) => !/^(d|fill|c[xy]|r[xy]?|opacity|fill-opacity|fill-rule|clip-rule)$/.test(key),
      );
      if (other) throw new Error(`${name}: unexpected attribute ${other}`);
      if (tag === 'g') groups.unshift(attributes);
      else if (tag === '/g') groups.shift();
      if (tag === 'g' || tag === '/g') continue;
      const glyph = this.outline(this.parsePath(attributes.d ?? ellipse(attributes)));
      if (glyph === undefined) continue;
      this.layers.push(u16(glyph, this.color(attributes, name)));
      layers++;
    }
    this.bases.push(u16(base, this.firstLayer + this.layers.length - layers, layers));
    return base;
  }

  color({ fill = '#000', opacity = '1', 'fill-opacity': fillOpacity = '1' }, /** @type {string} */ name) {
    const hex = /^#([0-9a-f]{3}|[0-9a-f]{6})$/i.exec(fill)?.[1];
    if (!hex) throw new Error(`${name}: expected a colour, received ${fill}`);
    const [r, g, b] = (hex.length === 3 ? hex.replaceAll(/./g, '$&$&') : hex)
      .match(/../g)
      .map((pair) => Number.parseInt(pair, 16));
    const color = u32(0);
    color.set([b, g, r, Math.round(Number(opacity) * Number(fillOpacity) * 255)]);
    const value = color.readUInt32BE(0);
    const index = this.colors.indexOf(value);
    return index >= 0 ? index : this.colors.push(value) - 1;
  }

  /** The glyph of a path; undefined if it is empty. */
  outline(/** @type {PathData} */ { verbs, coords }) {
    const x = (/** @type {number} */ value) => value * this.unit;
    const y = (/** @type {number} */ value) => this.top - value * this.unit;
    /** @type {{ x: number, y: number, on: boolean }[][]} */
    const contours = [];
    let at = 0;
    let last = { x: 0, y: 0 };
    for (const verb of verbs) {
      const points = Array.from({ length: [1, 1, 2, 3, 0][verb] }, (_, i) => ({
        x: x(coords[at + 2 * i]),
        y: y(coords[at + 2 * i + 1]),
      }));
      at += 2 * points.length;
      const contour = contours[contours.length - 1];
      if (verb === 0) contours.push([{ ...points[0], on: true }]);
      else if (verb === 1) contour.push({ ...points[0], on: true });
      else if (verb === 2) contour.push({ ...points[0], on: false }, { ...points[1], on: true });
      else if (verb === 3) contour.push(...quadratics([last, ...points]));
      if (points.length > 0) last = points[points.length - 1];
      else if (contour) last = contour[0];
    }
    const rounded = contours
      .map((contour) => contour.map((point) => ({ x: Math.round(point.x), y: Math.round(point.y), on: point.on })))
      .map((contour) =>
        contour.filter(
          (point, i) =>
            !(point.on && i > 0 && contour[i - 1].on && contour[i - 1].x === point.x && contour[i - 1].y === point.y),
        ),
      )
      .filter((contour) => contour.length > 2);
    if (rounded.length === 0) return undefined;
    const points = rounded.flat();
    const [xs, ys] = [points.map((point) => point.x), points.map((point) => point.y)];
    let end = -1;
    const ends = rounded.map((contour) => {
      end += contour.length;
      return end;
    });
    const deltas = (/** @type {number[]} */ all) => u16(...all.map((value, i) => value - (all[i - 1] ?? 0)));
    const outline = Buffer.concat([
      u16(rounded.length, Math.min(...xs), Math.min(...ys), Math.max(...xs), Math.max(...ys), ...ends, 0),
      Buffer.from(points.map(({ on }) => (on ? 1 : 0))),
      deltas(xs),
      deltas(ys),
    ]);
    const padded = Buffer.concat([outline, Buffer.alloc(-outline.length & 3)]);
    const key = padded.toString('latin1');
    if (!this.byOutline.has(key)) this.byOutline.set(key, this.addGlyph(padded, Math.min(...xs)));
    return this.byOutline.get(key);
  }

  /** Writes the tables of outlines, metrics and colours. */
  finish() {
    const { tables, outlines } = this;
    const count = this.count + outlines.length;
    let offset = tables.get('glyf').length;
    const offsets = outlines.map((outline) => {
      offset += outline.length;
      return offset;
    });
    const edit = (/** @type {string} */ tag, /** @type {(table: Buffer) => void} */ change) => {
      const table = Buffer.from(tables.get(tag));
      change(table);
      tables.set(tag, table);
    };
    edit('maxp', (table) => table.writeUInt16BE(count, 4));
    tables.set('glyf', Buffer.concat([tables.get('glyf'), ...outlines]));
    tables.set('loca', Buffer.concat([tables.get('loca'), u32(...offsets)]));
    tables.set('hmtx', Buffer.concat([tables.get('hmtx'), u16(...this.bearings)]));
    const colr = tables.get('COLR');
    const bases = colr.subarray(colr.readUInt32BE(4)).subarray(0, 6 * colr.readUInt16BE(2));
    const layers = colr.subarray(colr.readUInt32BE(8)).subarray(0, 4 * this.firstLayer);
    const allBases = Buffer.concat([bases, ...this.bases]);
    const allLayers = Buffer.concat([layers, ...this.layers]);
    const counts = [allBases.length / 6, allLayers.length / 4];
    const head = Buffer.concat([u16(0, counts[0]), u32(14, 14 + allBases.length), u16(counts[1])]);
    tables.set('COLR', Buffer.concat([head, allBases, allLayers]));
    const { length } = this.colors;
    tables.set('CPAL', Buffer.concat([u16(0, length, 1, length), u32(14), u16(0), u32(...this.colors)]));
  }
}

/** Path data of a circle or an ellipse. */
function ellipse({ cx = '0', cy = '0', r, rx = r, ry = r }) {
  const [x, y, a, b] = [cx, cy, rx, ry].map(Number);
  return `M${x - a} ${y}A${a} ${b} 0 0 1 ${x + a} ${y}A${a} ${b} 0 0 1 ${x - a} ${y}Z`;
}

/** Curves of second degree in place of one of third degree. */
function quadratics([p0, p1, p2, p3]) {
  const third = Math.hypot(p3.x - 3 * p2.x + 3 * p1.x - p0.x, p3.y - 3 * p2.y + 3 * p1.y - p0.y);
  const parts = Math.max(1, Math.ceil(Math.cbrt((Math.sqrt(3) / 36) * (third / TOLERANCE))));
  const at = (/** @type {number} */ t, /** @type {'x' | 'y'} */ axis) => {
    const s = 1 - t;
    return s * s * s * p0[axis] + 3 * s * s * t * p1[axis] + 3 * s * t * t * p2[axis] + t * t * t * p3[axis];
  };
  const slope = (/** @type {number} */ t, /** @type {'x' | 'y'} */ axis) => {
    const s = 1 - t;
    return 3 * (s * s * (p1[axis] - p0[axis]) + 2 * s * t * (p2[axis] - p1[axis]) + t * t * (p3[axis] - p2[axis]));
  };
  return Array.from({ length: parts }, (_, i) => {
    const [t0, t1] = [i / parts, (i + 1) / parts];
    // the control point between those of both ends' tangents
    const control = (/** @type {'x' | 'y'} */ axis) =>
      (at(t0, axis) + at(t1, axis)) / 2 + ((slope(t0, axis) - slope(t1, axis)) * (t1 - t0)) / 4;
    return [
      { x: control('x'), y: control('y'), on: false },
      { x: at(t1, 'x'), y: at(t1, 'y'), on: true },
    ];
  }).flat();
}

/** @returns {Map<string, Buffer>} */
function tablesOf(/** @type {Uint8Array} */ sfnt) {
  const file = Buffer.from(sfnt.buffer, sfnt.byteOffset, sfnt.length);
  return new Map(
    Array.from({ length: file.readUInt16BE(4) }, (_, i) => {
      const record = 12 + 16 * i;
      const start = file.readUInt32BE(record + 8);
      return [
        file.toString('latin1', record, record + 4),
        file.subarray(start, start + file.readUInt32BE(record + 12)),
      ];
    }),
  );
}

/** The subtables of format 4 and 12. */
function subtablesOf(/** @type {Buffer} */ cmap) {
  const offsets = Array.from({ length: cmap.readUInt16BE(2) }, (_, i) => cmap.readUInt32BE(8 + 8 * i));
  const find = (/** @type {number} */ format) => cmap.subarray(offsets.find((at) => cmap.readUInt16BE(at) === format));
  const [short, long] = [find(4), find(12)];
  return { short: short.subarray(0, short.readUInt16BE(2)), long: long.subarray(0, long.readUInt32BE(4)) };
}

/** @returns {Map<number, number>} */
function readCharacters(/** @type {Buffer} */ cmap) {
  const { long } = subtablesOf(cmap);
  const characters = new Map();
  for (let group = 16; group < long.length; group += 12) {
    const [start, end, glyph] = [0, 4, 8].map((at) => long.readUInt32BE(group + at));
    for (let codePoint = start; codePoint <= end; codePoint++) characters.set(codePoint, glyph + codePoint - start);
  }
  return characters;
}

function writeCharacters(/** @type {Buffer} */ old, /** @type {Map<number, number>} */ characters) {
  const { short } = subtablesOf(old);
  const groups = [];
  for (const [codePoint, glyph] of [...characters].sort(([one], [other]) => one - other)) {
    const last = groups[groups.length - 1];
    if (last && last[1] + 1 === codePoint && last[2] + codePoint - last[0] === glyph) last[1] = codePoint;
    else groups.push([codePoint, codePoint, glyph]);
  }
  const long = Buffer.concat([
    u16(12, 0),
    u32(16 + 12 * groups.length, 0, groups.length),
    ...groups.map((group) => u32(...group)),
  ]);
  const at = [36, 36 + short.length];
  const records = [
    [0, 3, 0],
    [0, 4, 1],
    [3, 1, 0],
    [3, 10, 1],
  ].map(([platform, encoding, table]) => Buffer.concat([u16(platform, encoding), u32(at[table])]));
  return Buffer.concat([u16(0, 4), ...records, short, long]);
}

/** Puts a lookup of these ligatures, the longest first, before the only one that the table has. */
function withLigatures(/** @type {Buffer} */ gsub, /** @type {{ glyphs: number[], ligature: number }[]} */ rules) {
  const [scriptsAt, featuresAt, lookupsAt] = [4, 6, 8].map((at) => gsub.readUInt16BE(at));
  if (gsub.readUInt16BE(lookupsAt) !== 1 || gsub.readUInt16BE(featuresAt) !== 1) throw new Error('expected one lookup');
  const scripts = gsub.subarray(scriptsAt, featuresAt);
  const tag = gsub.subarray(featuresAt + 2, featuresAt + 6);
  const features = Buffer.concat([u16(1), tag, u16(8), u16(0, 2, 0, 1)]);
  const own = gsub.subarray(lookupsAt + gsub.readUInt16BE(lookupsAt + 2));
  const byFirst = Map.groupBy
    ? Map.groupBy(rules, ({ glyphs }) => glyphs[0])
    : rules.reduce((map, rule) => map.set(rule.glyphs[0], [...(map.get(rule.glyphs[0]) ?? []), rule]), new Map());
  const firsts = [...byFirst.keys()].sort((one, other) => one - other);
  const sets = firsts.map((first) => {
    const list = byFirst.get(first).sort((one, other) => other.glyphs.length - one.glyphs.length);
    const items = list.map(({ glyphs, ligature }) => u16(ligature, glyphs.length, ...glyphs.slice(1)));
    return withOffsets(u16(items.length), items);
  });
  const coverage = u16(1, firsts.length, ...firsts);
  let at = 6 + 2 * sets.length;
  const offsets = sets.map((set) => {
    at += set.length;
    return at - set.length;
  });
  const subtable = Buffer.concat([u16(1, at, sets.length, ...offsets), ...sets, coverage]);
  const added = Buffer.concat([u16(4, 0, 1, 8), subtable]);
  if (at > 0xffff || 6 + added.length > 0xffff) throw new Error('too many ligatures');
  const lookups = Buffer.concat([u16(2, 6, 6 + added.length), added, own]);
  const end = 10 + scripts.length;
  return Buffer.concat([u16(1, 0, 10, end, end + features.length), scripts, features, lookups]);
}

function withOffsets(/** @type {Buffer} */ head, /** @type {Buffer[]} */ items) {
  let at = head.length + 2 * items.length;
  const offsets = items.map((item) => {
    at += item.length;
    return at - item.length;
  });
  return Buffer.concat([head, u16(...offsets), ...items]);
}

function writeFont(/** @type {Uint8Array} */ old, /** @type {Map<string, Buffer>} */ tables) {
  const tags = [...tables.keys()].sort();
  const head = Buffer.alloc(12 + 16 * tags.length);
  head.set(old.subarray(0, 4));
  head.writeUInt16BE(tags.length, 4);
  const parts = [head];
  let offset = head.length;
  tags.forEach((tag, i) => {
    const table = tables.get(tag);
    const padded = Buffer.concat([table, Buffer.alloc(-table.length & 3)]);
    let checksum = 0;
    for (let at = 0; at < padded.length; at += 4) checksum = (checksum + padded.readUInt32BE(at)) >>> 0;
    head.write(tag, 12 + 16 * i, 'latin1');
    head.writeUInt32BE(checksum, 16 + 16 * i);
    head.writeUInt32BE(offset, 20 + 16 * i);
    head.writeUInt32BE(table.length, 24 + 16 * i);
    parts.push(padded);
    offset += padded.length;
  });
  return new Uint8Array(Buffer.concat(parts));
}
