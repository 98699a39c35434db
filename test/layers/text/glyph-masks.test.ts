// Glyphs from masks against the same outlines filled as paths: the plain twin of lib/layers/text/glyph-masks.ts.
import t from 'tap';
import { loadManifest, readFace } from '../../../lib/fonts/bundled.js';
import { loadTextEngine } from '../../../lib/fonts/text-engine.js';
import { flatten } from '../../../lib/geometry/flatten.js';
import { Polygon } from '../../../lib/geometry/polygon.js';
import {
  addMask,
  fillMasks,
  GLYPH_STEPS,
  glyphMask,
  masksAt,
  PHASES,
  type PlacedMask,
} from '../../../lib/layers/text/glyph-masks.js';
import { BLACK, type Color } from '../../../lib/raster/color.js';
import { Rasterizer } from '../../../lib/raster/coverage.js';
import { Mask } from '../../../lib/raster/mask.js';
import { SolidPaint } from '../../../lib/raster/paint.js';
import { Surface } from '../../../lib/raster/surface.js';
import { contrastTable } from '../../../lib/raster/text-gamma.js';
import { type Face, openFace } from '../../../lib/text/face.js';

const bounds = { left: 0, top: 0, right: 260, bottom: 120 };

async function faceOf(family: string): Promise<Face> {
  const found = loadManifest().faces.find((face) => face.family === family && face.style === 'normal');
  if (!found) throw new Error(family);
  await loadTextEngine();
  return openFace(await readFace(found), { trusted: true });
}

/** The alpha of `text` drawn both ways, from x in quarters of a pixel. */
function bothWays(face: Face, text: string, size: number, skew: number, quarters: number) {
  const scale = { scale: size / face.unitsPerEm, skew: (skew * size) / face.unitsPerEm };
  const placed: PlacedMask[] = [];
  const polygon = new Polygon();
  let at = quarters;
  for (const letter of text) {
    const glyph = face.glyph(letter.codePointAt(0)!);
    const mask = glyphMask(masksAt(face, scale), glyph, at % PHASES);
    if (mask === 'large') throw new Error('too large for a mask');
    if (mask) placed.push({ mask, x: Math.floor(at / PHASES), y: 80 });
    const map = { a: scale.scale, b: 0, c: scale.skew, d: -scale.scale, e: at / PHASES, f: 80 };
    flatten(face.outline(glyph), map, polygon);
    at += Math.round(size * 0.6 * PHASES) + 1;
  }
  const paint = new SolidPaint(BLACK);
  const [masked, filled] = [new Surface(bounds), new Surface(bounds)];
  fillMasks(masked, placed, paint);
  const rasterizer = new Rasterizer(bounds.right, bounds.bottom, GLYPH_STEPS);
  rasterizer.fill(polygon, 0, 0, 'nonzero', (y, spans) => paint.row(filled.pixmap, y, spans));
  const alphas = ({ pixmap }: Surface) => pixmap.data.filter((_, i) => i % 4 === 3);
  return { masked: alphas(masked), filled: alphas(filled) };
}

t.test('a single glyph has exactly the coverage of its outline at every subpixel position', async (t) => {
  const face = await faceOf('Inter');
  for (const [letter, size] of [
    ['g', 9],
    ['R', 24],
    ['&', 80],
    ['Å', 61.5],
  ] as const) {
    for (let quarters = 40; quarters < 40 + PHASES; quarters++) {
      const { masked, filled } = bothWays(face, letter, size, 0, quarters);
      t.same(masked, filled, `${letter} at ${size} px, ${quarters % PHASES}/4`);
    }
  }
  const { masked, filled } = bothWays(face, 'k', 40, 0.25, 51);
  t.same(masked, filled, 'aslant');
});

t.test('where glyphs share a pixel, their coverage is added, within two steps', async (t) => {
  const face = await faceOf('Pacifico');
  const { masked, filled } = bothWays(face, 'overlap', 48, 0, 17);
  t.ok(filled.some((alpha) => alpha > 0));
  t.ok(
    masked.every((alpha, i) => Math.abs(alpha - filled[i]) <= Math.ceil((2 * 255) / GLYPH_STEPS)),
    'no pixel is off by more',
  );
});

t.test('masks are clipped to the surface, and spaces have no mask', async (t) => {
  const face = await faceOf('Inter');
  const { masked, filled } = bothWays(face, 'W', 150, 0, -200);
  t.same(masked, filled);
  t.equal(glyphMask(masksAt(face, { scale: 0.02, skew: 0 }), face.glyph(32), 0), undefined);
  t.equal(glyphMask(masksAt(face, { scale: 1, skew: 0 }), face.glyph(87), 0), 'large');
});

t.test('blitting masks one by one equals blitting their sum', async (t) => {
  const [sans, script] = await Promise.all([faceOf('Inter'), faceOf('Pacifico')]);
  const colors: Color[] = [BLACK, { r: 248, g: 250, b: 252, a: 1 }, { r: 200, g: 30, b: 90, a: 0.4 }];
  const grounds: ((surface: Surface) => void)[] = [
    () => {},
    ({ pixmap }) => pixmap.fill({ r: 15, g: 23, b: 42, a: 1 }),
    ({ pixmap }) => pixmap.fill({ r: 255, g: 255, b: 255, a: 0.5 }),
    ({ pixmap: { data } }) => {
      for (let i = 0; i < data.length; i++) data[i] = i % 4 === 3 ? 255 : (i * 7) % 251;
    },
  ];
  const placedIn = (face: Face, size: number, step: number) => {
    const masks = masksAt(face, { scale: size / face.unitsPerEm, skew: 0 });
    return Array.from('offing, AVAToffs (jolly) quays', (letter, i): PlacedMask[] => {
      const mask = glyphMask(masks, face.glyph(letter.codePointAt(0)!), i % PHASES);
      return mask && mask !== 'large' ? [{ mask, x: Math.floor(-9 + i * step), y: 60 + (i % 3) * 31 }] : [];
    }).flat();
  };
  const texts = [
    placedIn(sans, 16, 9),
    placedIn(sans, 40, 14),
    placedIn(script, 30, 9.4),
    placedIn(sans, 20, 0),
    placedIn(sans, 24, 12).reverse(),
    [],
  ];
  for (const [which, masks] of texts.entries()) {
    for (const [index, color] of colors.entries()) {
      for (const [ground, prepare] of grounds.entries()) {
        const paint = new SolidPaint(color, index === 1 ? contrastTable(color) : undefined);
        const [stamped, summed] = [new Surface(bounds), new Surface(bounds)];
        for (const surface of [stamped, summed]) prepare(surface);
        fillMasks(stamped, masks, paint);
        const sum = new Mask(bounds);
        for (const placed of masks) addMask(sum, placed);
        summed.fillMask(sum, paint);
        t.ok(
          stamped.pixmap.words.every((word, i) => word === summed.pixmap.words[i]),
          `text ${which}, colour ${index}, ground ${ground}`,
        );
      }
    }
  }
});
