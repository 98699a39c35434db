// Builds COLR tables and a font that has every format of paint, each in a separate glyph.
import { bytes, outlines, sfnt, sizes, type Tables, u16, u32 } from './font-maker.js';

/** A paint table, the paints below it directly after it. */
export type Paint = Uint8Array;

/** Numbers with 14 and with 16 bits after the point; angles are in half turns. */
const f14 = (...numbers: number[]) => u16(...numbers.map((number) => Math.round(number * 16_384)));
const f16 = (...numbers: number[]) => u32(...numbers.map((number) => Math.round(number * 65_536)));
const u24 = (number: number) => u32(number).subarray(1);
const degrees = (...angles: number[]) => f14(...angles.map((angle) => angle / 180));

/** The base index of the deltas of a paint that varies. */
type VarIndex = number | undefined;
const base = (varIndex: VarIndex) => (varIndex === undefined ? Buffer.alloc(0) : u32(varIndex));
const formatOf = (format: number, varIndex: VarIndex) => format + (varIndex === undefined ? 0 : 1);

export const layers = (count: number, first: number): Paint => bytes(1, count, u32(first));

export const solid = (color: number, alpha = 1, varIndex?: VarIndex): Paint =>
  bytes(formatOf(2, varIndex), u16(color), f14(alpha), base(varIndex));

type Stop = readonly [offset: number, color: number, alpha?: number];

export const PAD = 0;
export const REPEAT = 1;
export const REFLECT = 2;

export function colorLine(extend: number, stops: readonly Stop[], varIndex?: VarIndex): Uint8Array {
  const list = stops.map(([offset, color, alpha = 1]) => bytes(f14(offset), u16(color), f14(alpha), base(varIndex)));
  return bytes(extend, u16(stops.length), ...list);
}

function gradient(format: number, line: Uint8Array, numbers: Uint8Array, varIndex: VarIndex): Paint {
  const rest = bytes(numbers, base(varIndex));
  return bytes(formatOf(format, varIndex), u24(4 + rest.length), rest, line);
}

export const linear = (line: Uint8Array, points: readonly number[], varIndex?: VarIndex) =>
  gradient(4, line, u16(...points), varIndex);
export const radial = (line: Uint8Array, circles: readonly number[], varIndex?: VarIndex) =>
  gradient(6, line, u16(...circles), varIndex);
/** Angles in degrees. */
export const sweep = (line: Uint8Array, x: number, y: number, start: number, end: number, varIndex?: VarIndex) =>
  gradient(8, line, bytes(u16(x, y), degrees(start - 180, end - 180)), varIndex);

export const glyph = (id: number, paint: Paint): Paint => bytes(10, u24(6), u16(id), paint);
export const colrGlyph = (id: number): Paint => bytes(11, u16(id));

export function matrix(numbers: readonly number[], paint: Paint, varIndex?: VarIndex): Paint {
  const affine = bytes(f16(...numbers), base(varIndex));
  return bytes(formatOf(12, varIndex), u24(7 + affine.length), u24(7), affine, paint);
}

function transform(format: number, numbers: Uint8Array, paint: Paint, varIndex: VarIndex): Paint {
  const rest = bytes(numbers, base(varIndex));
  return bytes(formatOf(format, varIndex), u24(4 + rest.length), rest, paint);
}

/** Numbers of which the first are not coordinates, and then a centre. */
const withCentre = (numbers: Uint8Array, centre: readonly number[]) => bytes(numbers, u16(...centre));

export const translate = (x: number, y: number, paint: Paint, varIndex?: VarIndex) =>
  transform(14, u16(x, y), paint, varIndex);
export const scale = (x: number, y: number, paint: Paint, centre: readonly number[] = [], varIndex?: VarIndex) =>
  transform(centre.length ? 18 : 16, withCentre(f14(x, y), centre), paint, varIndex);
export const scaleUniformly = (by: number, paint: Paint, centre: readonly number[] = [], varIndex?: VarIndex) =>
  transform(centre.length ? 22 : 20, withCentre(f14(by), centre), paint, varIndex);
export const rotate = (angle: number, paint: Paint, centre: readonly number[] = [], varIndex?: VarIndex) =>
  transform(centre.length ? 26 : 24, withCentre(degrees(angle), centre), paint, varIndex);
export const skew = (x: number, y: number, paint: Paint, centre: readonly number[] = [], varIndex?: VarIndex) =>
  transform(centre.length ? 30 : 28, withCentre(degrees(x, y), centre), paint, varIndex);

export const blend = (mode: number, source: Paint, backdrop: Paint): Paint =>
  bytes(32, u24(8), mode, u24(8 + source.length), source, backdrop);

export interface ColrParts {
  /** By ascending glyph. */
  readonly glyphs: readonly (readonly [glyph: number, paint: Paint])[];
  readonly layers?: readonly Paint[];
  readonly clips?: readonly (readonly [first: number, last: number, box: readonly number[], varIndex?: VarIndex])[];
  readonly store?: Uint8Array;
  /** Glyphs of version 0: their layers, each an outline and a colour. */
  readonly flat?: readonly (readonly [glyph: number, layers: readonly (readonly [glyph: number, color: number])[]])[];
}

/** A list of items: each entry of `heads` and then the item's offset from the list's start. */
function listOf(
  count: Uint8Array,
  heads: readonly Uint8Array[],
  offset: (at: number) => Uint8Array,
  items: readonly Uint8Array[],
) {
  let at = count.length + heads.reduce((sum, head) => sum + head.length + offset(0).length, 0);
  const entries = items.map((item, i) => {
    at += item.length;
    return bytes(heads[i], offset(at - item.length));
  });
  return bytes(count, ...entries, ...items);
}

/** A COLR table of version 1. */
export function colrTable({ glyphs, layers = [], clips = [], store, flat = [] }: ColrParts): Uint8Array {
  const none = Buffer.alloc(0);
  const flatLayers = flat.flatMap(([, list]) => list.map((layer) => u16(...layer)));
  let first = 0;
  const bases = flat.map(([id, list]) => {
    first += list.length;
    return u16(id, first - list.length, list.length);
  });
  const parts = [
    bytes(...bases),
    bytes(...flatLayers),
    listOf(
      u32(glyphs.length),
      glyphs.map(([id]) => u16(id)),
      (at) => u32(at),
      glyphs.map(([, paint]) => paint),
    ),
    layers.length
      ? listOf(
          u32(layers.length),
          layers.map(() => none),
          (at) => u32(at),
          layers,
        )
      : none,
    clips.length
      ? listOf(
          bytes(1, u32(clips.length)),
          clips.map(([from, to]) => u16(from, to)),
          u24,
          clips.map(([, , box, varIndex]) => bytes(varIndex === undefined ? 1 : 2, u16(...box), base(varIndex))),
        )
      : none,
    none,
    store ?? none,
  ];
  let at = 34;
  const [flatAt, flatLayersAt, ...offsets] = parts.map((part) => {
    at += part.length;
    return part.length ? at - part.length : 0;
  });
  const head = bytes(u16(1, flat.length), u32(flatAt, flatLayersAt), u16(flatLayers.length), u32(...offsets));
  return bytes(head, ...parts);
}

type Rgba = readonly [r: number, g: number, b: number, a?: number];

export function cpalTable(colors: readonly Rgba[]): Uint8Array {
  const entries = colors.map(([r, g, b, a = 255]) => Buffer.from([b, g, r, a]));
  return bytes(u16(0, colors.length, 1, colors.length), u32(14), u16(0), ...entries);
}

const WEIGHT = bytes(Buffer.from('wght'), u32(100 << 16, 400 << 16, 900 << 16), u16(0, 256));

/** An item variation store whose deltas apply at the heaviest weight. */
function variationStore(deltas: readonly number[]): Uint8Array {
  const regions = bytes(u16(1, 1), f14(0, 1, 1));
  return bytes(u16(1), u32(12), u16(1), u32(12 + regions.length), regions, u16(deltas.length, 1, 1, 0), u16(...deltas));
}

/** A closed outline of straight lines. */
function polygon(...points: readonly (readonly [x: number, y: number])[]): Uint8Array {
  const [xs, ys] = [0, 1].map((axis) => points.map((point) => point[axis]));
  const deltas = (all: readonly number[]) => u16(...all.map((value, i) => value - (all[i - 1] ?? 0)));
  const bounds = u16(Math.min(...xs), Math.min(...ys), Math.max(...xs), Math.max(...ys));
  const glyph = bytes(
    u16(1),
    bounds,
    u16(points.length - 1, 0),
    Buffer.alloc(points.length, 1),
    deltas(xs),
    deltas(ys),
  );
  return glyph.length % 2 ? bytes(glyph, 0) : glyph;
}

export const BOX = 1;
const KITE = 2;
const BAND = 3;
const OUTLINES = [
  polygon([50, 50], [50, 950], [950, 950], [950, 50]),
  polygon([500, 20], [100, 600], [500, 980], [900, 600]),
  polygon([100, 350], [100, 650], [950, 650], [950, 350]),
];
const FIRST_COLORED = 1 + OUTLINES.length;

const COLORS: readonly Rgba[] = [
  [230, 40, 60],
  [250, 200, 20],
  [30, 90, 220],
  [20, 160, 90, 160],
];
const [RED, YELLOW, BLUE, GREEN] = [0, 1, 2, 3];
export const TEXT_COLOR = 0xffff;

const THREE: readonly Stop[] = [
  [0.1, RED],
  [0.4, YELLOW],
  [0.8, BLUE],
];
const FADED = THREE.map(([offset, color]): Stop => [offset, color, 0.7]);
const kite = (paint: Paint) => glyph(KITE, paint);

/** The deltas of paints that vary: numbers of 14 bits, then coordinates. */
const DELTAS = [-4096, 2048, 3000, -2000, 100, -150, 80, 120, -90, 60, 40, -30, 1500, -2500];
const VARIES = { fraction: 0, coordinates: 4, sweep: 10, none: 0xffff_ffff };
const half = kite(solid(BLUE));

/** A title and a paint for each glyph; COMPOSITES come after them. */
export const PAINTS: readonly (readonly [title: string, paint: Paint])[] = [
  ['a solid', kite(solid(RED))],
  ['a translucent solid', kite(solid(GREEN, 0.5))],
  ['the text colour', kite(solid(TEXT_COLOR, 0.75))],
  ['layers', layers(3, 0)],
  ['a linear gradient', glyph(BOX, linear(colorLine(PAD, THREE), [100, 100, 900, 300, 100, 900]))],
  ['a slanted linear gradient', glyph(BOX, linear(colorLine(REPEAT, THREE), [300, 300, 500, 400, 100, 500]))],
  ['a reflected linear gradient', glyph(BOX, linear(colorLine(REFLECT, THREE), [400, 400, 600, 500, 400, 600]))],
  [
    'a gradient of the text colour',
    glyph(
      BOX,
      linear(
        colorLine(PAD, [
          [0, TEXT_COLOR, 0],
          [1, TEXT_COLOR],
        ]),
        [50, 0, 950, 0, 50, 900],
      ),
    ),
  ],
  ['a radial gradient', glyph(BOX, radial(colorLine(PAD, THREE), [500, 500, 100, 500, 500, 450]))],
  ['a repeated radial gradient', glyph(BOX, radial(colorLine(REPEAT, THREE), [500, 500, 0, 500, 500, 250]))],
  ['two circles, one inside the other', glyph(BOX, radial(colorLine(PAD, THREE), [400, 600, 50, 500, 500, 400]))],
  ['two circles beside each other', glyph(BOX, radial(colorLine(PAD, THREE), [300, 300, 100, 700, 600, 200]))],
  ['two circles of one size', glyph(BOX, radial(colorLine(REFLECT, THREE), [400, 400, 200, 550, 500, 200]))],
  ['repeated circles', glyph(BOX, radial(colorLine(REPEAT, THREE), [450, 500, 40, 550, 550, 250]))],
  ['a shrinking circle', glyph(BOX, radial(colorLine(PAD, THREE), [500, 500, 400, 600, 500, 50]))],
  ['a sweep', glyph(BOX, sweep(colorLine(PAD, THREE), 500, 500, 0, 359))],
  ['a part of a sweep', glyph(BOX, sweep(colorLine(PAD, THREE), 450, 550, 45, 200))],
  ['a repeated sweep', glyph(BOX, sweep(colorLine(REPEAT, THREE), 500, 500, 30, 120))],
  ['a reflected sweep', glyph(BOX, sweep(colorLine(REFLECT, THREE), 500, 500, 30, 120))],
  ['a clockwise sweep', glyph(BOX, sweep(colorLine(PAD, THREE), 500, 500, 300, 40))],
  ['a gradient of one stop', glyph(BOX, linear(colorLine(PAD, [[0.3, GREEN]]), [100, 100, 900, 300, 100, 900]))],
  [
    'a gradient with hard stops',
    glyph(
      BOX,
      linear(
        colorLine(PAD, [
          [0, YELLOW],
          [0.5, RED],
          [0.5, BLUE],
          [1, YELLOW],
        ]),
        [100, 100, 900, 300, 100, 900],
      ),
    ),
  ],
  ['a colour glyph', colrGlyph(FIRST_COLORED + 3)],
  ['a glyph inside a glyph', glyph(BAND, kite(linear(colorLine(PAD, THREE), [100, 0, 900, 0, 100, 900])))],
  ['a matrix', matrix([0.6, 0.2, -0.3, 0.7, 250, 50], kite(solid(RED)))],
  [
    'a matrix inside an outline',
    kite(matrix([0.6, 0.2, -0.3, 0.7, 250, 50], linear(colorLine(REPEAT, THREE), [0, 0, 500, 0, 0, 500]))),
  ],
  ['a translation', translate(150, -120, kite(solid(RED)))],
  ['a scale', scale(0.5, 0.8, kite(solid(RED)))],
  ['a scale about a point', scale(-0.5, 0.8, kite(solid(RED)), [500, 500])],
  ['a uniform scale', scaleUniformly(0.7, kite(solid(RED)))],
  ['a uniform scale about a point', scaleUniformly(0.7, kite(solid(RED)), [500, 500])],
  ['a rotation', rotate(-20, kite(solid(RED)))],
  ['a rotation about a point', rotate(30, kite(solid(RED)), [500, 500])],
  ['a skew', skew(20, 0, kite(solid(RED)))],
  ['a skew about a point', skew(15, -25, kite(solid(RED)), [500, 500])],
  ['clipped', glyph(BOX, solid(BLUE))],
  ['nothing but colour in a clip box', linear(colorLine(PAD, THREE), [100, 100, 900, 300, 100, 900])],
  ['a varying solid', kite(solid(RED, 1, VARIES.fraction))],
  [
    'a varying linear gradient',
    glyph(BOX, linear(colorLine(PAD, FADED, VARIES.fraction), [100, 100, 900, 300, 100, 900], VARIES.coordinates)),
  ],
  [
    'a varying radial gradient',
    glyph(BOX, radial(colorLine(PAD, THREE, VARIES.none), [500, 500, 10, 480, 520, 450], VARIES.coordinates)),
  ],
  ['a varying sweep', glyph(BOX, sweep(colorLine(PAD, THREE, VARIES.none), 500, 500, 90, 300, VARIES.sweep))],
  ['a varying matrix', matrix([0.6, 0.2, -0.3, 0.7, 250, 50], half, VARIES.coordinates)],
  ['a varying translation', translate(0, 0, half, VARIES.coordinates)],
  ['a varying scale', scale(1, 0.8, half, [], VARIES.fraction)],
  ['a varying scale about a point', scale(1, 0.8, half, [500, 500], VARIES.fraction)],
  ['a varying uniform scale', scaleUniformly(1, half, [], VARIES.fraction)],
  ['a varying uniform scale about a point', scaleUniformly(1, half, [500, 500], VARIES.fraction)],
  ['a varying rotation', rotate(10, half, [], VARIES.fraction)],
  ['a varying rotation about a point', rotate(10, half, [500, 500], VARIES.fraction)],
  ['a varying skew', skew(10, 0, half, [], VARIES.fraction)],
  ['a varying skew about a point', skew(10, 0, half, [500, 500], VARIES.fraction)],
  ['a varying clip', glyph(BOX, solid(BLUE))],
];

/** A glyph of each composite mode. */
const COMPOSITES: readonly Paint[] = Array.from({ length: 28 }, (_, mode) =>
  blend(
    mode,
    glyph(
      BAND,
      linear(
        colorLine(PAD, [
          [0, RED],
          [0.6, GREEN],
          [1, YELLOW],
        ]),
        [100, 0, 950, 0, 100, 900],
      ),
    ),
    kite(
      linear(
        colorLine(PAD, [
          [0, BLUE],
          [0.6, YELLOW],
          [1, GREEN, 0.4],
        ]),
        [0, 50, 0, 950, 900, 50],
      ),
    ),
  ),
);

/** The glyph of a title. */
const glyphOf = (title: string) => FIRST_COLORED + PAINTS.findIndex(([other]) => other === title);

/** The characters of the paints, from the private use area, and their titles. */
const FIRST_CHARACTER = '\ue000';
const ALL = [...PAINTS.map(([, paint]) => paint), ...COMPOSITES];
export const TITLES = [...PAINTS.map(([title]) => title), ...COMPOSITES.map((_, mode) => `composite mode ${mode}`)];
export const CHARACTERS = ALL.map((_, i) => String.fromCodePoint(FIRST_CHARACTER.codePointAt(0)! + i));
/** The character of a glyph of version 0. */
export const FLAT_CHARACTER = String.fromCodePoint(FIRST_CHARACTER.codePointAt(0)! + ALL.length);

/**
 * A variable font whose characters from `first` on are `paints`, and then a glyph of version 0. Its glyphs are 1 em wide, from
 * the baseline up.
 */
export function colorFont(paints = ALL, first = FIRST_CHARACTER): Tables {
  const count = FIRST_COLORED + paints.length + 1;
  const glyphs = [...OUTLINES, ...Array<Uint8Array>(count - FIRST_COLORED).fill(new Uint8Array(0))];
  const box = [200, 100, 700, 505];
  const clip = (title: string, varIndex?: number) => [glyphOf(title), glyphOf(title), box, varIndex] as const;
  const COLR = colrTable({
    glyphs: paints.map((paint, i) => [FIRST_COLORED + i, paint]),
    layers: [glyph(BOX, solid(BLUE)), kite(solid(YELLOW)), glyph(BAND, solid(GREEN))],
    clips:
      paints === ALL
        ? [clip('clipped'), clip('nothing but colour in a clip box'), clip('a varying clip', VARIES.coordinates)]
        : [],
    store: variationStore(DELTAS),
    flat: [[count - 1, [[KITE, TEXT_COLOR]]]],
  });
  const [from, to] = [first.codePointAt(0)!, first.codePointAt(0)! + paints.length];
  return {
    ...sizes(count),
    hhea: bytes(u32(0x10000), u16(1000, 0, 0, 1000), Buffer.alloc(22), u16(count)),
    hmtx: Buffer.concat(Array.from({ length: count }, () => u16(1000, 0))),
    cmap: bytes(u16(0, 1, 3, 10), u32(12), u16(12, 0), u32(28, 0, 1), u32(from, to, FIRST_COLORED)),
    'OS/2': bytes(
      u16(4, 500, 400, 5),
      Buffer.alloc(50),
      Buffer.from('TEST'),
      u16(64, 0xe000, 0xf8ff, 1000, 0, 0, 1000, 0),
      Buffer.alloc(18),
    ),
    name: nameTable('Paints'),
    ...outlines([new Uint8Array(0), ...glyphs]),
    fvar: bytes(u16(1, 0, 16, 2, 1, 20, 0, 8), WEIGHT),
    COLR,
    CPAL: cpalTable(COLORS),
  };
}

function nameTable(name: string): Uint8Array {
  const text = Buffer.from(name, 'utf16le').swap16();
  const records = [1, 2, 4, 6, 256].map((id) => u16(3, 1, 0x409, id, text.length, 0));
  return bytes(u16(0, records.length, 6 + 12 * records.length), ...records, text);
}

/** The file of `colorFont`. */
export const colorFontFile = () => sfnt(colorFont());
