// Damaged fonts: HarfBuzz translated to JavaScript, where nothing traps, reads what it can, and neither throws nor takes long;
// nor does our reader of colour tables.
import t from 'tap';
import { RenderError } from '../../../lib/errors.js';
import { readFace } from '../../../lib/fonts/bundled.js';
import { IDENTITY } from '../../../lib/geometry/affine.js';
import { rectangle } from '../../../lib/geometry/shapes.js';
import { createPlainKernels } from '../../../lib/kernels/plain/index.js';
import { drawColorGlyphs, type TextPaint } from '../../../lib/layers/color-glyph/draw.js';
import { placeColorGlyph } from '../../../lib/layers/color-glyph/place.js';
import { nodeHost } from '../../../lib/node-host.js';
import { BLACK } from '../../../lib/raster/color.js';
import { Surface } from '../../../lib/raster/surface.js';
import type { Face } from '../../../lib/text/face.js';
import type { GlyphPaint } from '../../../lib/text/glyph-paint.js';
import { createHarfBuzzEngine } from '../../../lib/text/harfbuzz/font.js';
import { instantiate } from '../../../lib/text/harfbuzz/instance.js';
import { readColorGlyphs } from '../../../lib/text/opentype/colr.js';
import { MAX_PAINTS } from '../../../lib/text/opentype/paint-formats.js';
import { dice, roll, rounds } from '../../exhaustive.js';
import {
  BOX,
  blend,
  colorFont,
  colrGlyph,
  colrTable,
  glyph,
  layers,
  scaleUniformly,
  solid,
} from '../../fonts/color-font.js';
import { cffFont, composite, ENDCHAR, SQUARE, sfnt, trueType, variableFont } from '../../fonts/font-maker.js';
import { faceOf } from '../setting.js';

const TEXTS = [
  ['Latn', 'Wafer AVATAR fi 1⁄2 x\u0301\u0302', false],
  ['Arab', 'السلام عَلَيْكُم', true],
  ['Hebr', 'שָׁלוֹם (א)', true],
] as const;

const engine = createHarfBuzzEngine(instantiate(await nodeHost.loadTranslation('harfbuzz'), createPlainKernels()));

function use(file: Uint8Array): void {
  const font = engine.open(file);
  font.setVariations(new Map([...font.axes].map(([tag, { min, max }]) => [tag, (min + 2 * max) / 3])));
  const colors = readColorGlyphs((tag) => font.table(tag), new Map());
  font.hasCharacters();
  font.extents();
  font.metric('undo');
  font.featureTags('GSUB');
  for (const [script, text, rightToLeft] of TEXTS) {
    for (const { id } of font.shape(text, 0, text.length, { script, rightToLeft, ligatures: true })) {
      font.outline(id);
      colors?.paint(id);
    }
  }
}

t.test('files that are no fonts have no characters', (t) => {
  for (const file of [new Uint8Array(), new Uint8Array(100), Buffer.from('OTTO'), Buffer.alloc(300, 0xff)]) {
    t.notOk(engine.open(file).hasCharacters());
    t.doesNotThrow(() => use(file));
  }
  t.end();
});

t.test('survives changed and missing bytes', async (t) => {
  const small = [
    variableFont(),
    sfnt(trueType(SQUARE, composite(1), composite(3, 3))),
    sfnt(cffFont({ charstrings: [ENDCHAR] })),
  ];
  const large = await Promise.all(
    ['Inter', 'Noto Sans Arabic', 'Noto Sans Hebrew'].map((family) => readFace(faceOf(family))),
  );
  for (const seed of rounds(40)) {
    const random = dice(seed);
    for (const file of [...small, ...large]) {
      const damaged = file.slice(0, roll(random, 4) === 0 ? roll(random, file.length) : undefined);
      const view = new DataView(damaged.buffer, damaged.byteOffset, damaged.length);
      // the directory and the tables' headers, then anywhere
      for (let i = 0; i < 40 && damaged.length > 400; i++) {
        const at = roll(random, 3) === 0 ? 12 + roll(random, 300) : roll(random, damaged.length - 4);
        if (i > 0) damaged[at] = roll(random, 256);
      }
      for (let table = 0; table < 20 && 12 + 16 * table + 16 < damaged.length; table++) {
        const start = view.getUint32(12 + 16 * table + 8);
        if (roll(random, 3) === 0 && start + 64 < damaged.length) damaged[start + roll(random, 64)] = roll(random, 256);
      }
      t.doesNotThrow(() => use(damaged), `seed ${seed}`);
    }
  }
});

t.test('survives changed bytes of colour tables', (t) => {
  const tables = colorFont();
  for (const seed of rounds(60)) {
    const random = dice(seed);
    const damaged = new Map(['COLR', 'CPAL', 'fvar'].map((tag) => [tag, tables[tag].slice()]));
    for (const bytes of damaged.values()) {
      for (let i = roll(random, 30); i > 0; i--) bytes[roll(random, bytes.length)] = roll(random, 256);
    }
    if (roll(random, 3) === 0) damaged.set('COLR', tables.COLR.slice(0, roll(random, tables.COLR.length)));
    t.doesNotThrow(() => {
      const glyphs = readColorGlyphs((tag) => damaged.get(tag), new Map([['wght', 900]]));
      for (let glyph = 0; glyph < 100; glyph++) drawGlyph(glyphs?.paint(glyph));
    }, `seed ${seed}`);
  }
  t.end();
});

t.test('colour glyphs that contain themselves, nest deeply or double have a bounded number of paints', (t) => {
  const red = glyph(BOX, solid(0));
  let deep = red;
  for (let i = 0; i < 70; i++) deep = scaleUniformly(0.9, deep);
  // each layer doubles the one below it
  const doubling = Array.from({ length: 40 }, (_, i) => (i === 0 ? red : blend(3, layers(1, i - 1), layers(1, i - 1))));
  const paintOf = (paint: Uint8Array, more: object = {}) => {
    const colr = colrTable({ glyphs: [[4, paint]], ...more });
    return readColorGlyphs((tag) => (tag === 'COLR' ? colr : undefined), new Map())?.paint(4);
  };
  const sizeOf = (paint: object): number =>
    Object.values(paint).reduce((sum, part) => sum + (typeof part === 'object' && part ? sizeOf(part) : 0), 1);
  t.ok(sizeOf(paintOf(deep)!) <= 4);
  t.ok(sizeOf(paintOf(colrGlyph(4))!) <= 4, 'a glyph of itself');
  t.ok(sizeOf(paintOf(layers(1, 0), { layers: [layers(1, 0)] })!) <= 4, 'layers of themselves');
  for (const first of [20, 39]) {
    const paint = paintOf(layers(1, first), { layers: doubling })!;
    t.ok(sizeOf(paint) < 4 * MAX_PAINTS, `${sizeOf(paint)} parts`);
    t.doesNotThrow(() => drawGlyph(paint));
  }
  t.end();
});

/** Places and draws a paint; one that nests too many groups is an error of the text. */
function drawGlyph(paint: GlyphPaint | undefined): void {
  if (!paint) return;
  const surface = new Surface({ left: 0, top: 0, right: 12, bottom: 12 });
  const textPaint: TextPaint = (on, fill, opacity) =>
    on.paintOf(fill, { box: surface.bounds, toCanvas: IDENTITY }, opacity);
  const face = { outline: () => rectangle({ left: 0, top: 0, right: 1000, bottom: 1000 }) } as unknown as Face;
  try {
    const placed = placeColorGlyph(face, paint, { a: 0.01, b: 0, c: 0, d: -0.01, e: 1, f: 11 });
    if (placed) drawColorGlyphs(surface, [placed], BLACK, 1, textPaint);
  } catch (error) {
    if (!(error instanceof RenderError)) throw error;
  }
}
