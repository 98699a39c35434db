// Glyphs from masks against the same outlines filled as paths: the plain twin of lib/layers/glyphs.ts.
import t from 'tap';
import { loadManifest, readFace } from '../../lib/assets/fonts.js';
import { flatten } from '../../lib/geometry/flatten.js';
import { Polygon } from '../../lib/geometry/polygon.js';
import { fillMasks, glyphMask, PHASES, type PlacedMask } from '../../lib/layers/glyphs.js';
import { BLACK } from '../../lib/raster/color.js';
import { SolidPaint } from '../../lib/raster/paint.js';
import { Surface } from '../../lib/raster/surface.js';
import { Face } from '../../lib/text/face.js';

const bounds = { left: 0, top: 0, right: 260, bottom: 120 };

async function faceOf(family: string): Promise<Face> {
  const found = loadManifest().faces.find((face) => face.family === family && face.style === 'normal');
  if (!found) throw new Error(family);
  return new Face(await readFace(found), { trusted: true });
}

/** The alphas of both ways of drawing `text`, letter beside letter, from x in quarters of a pixel. */
function bothWays(face: Face, text: string, size: number, lean: number, quarters: number) {
  const scale = { scale: size / face.unitsPerEm, lean: (lean * size) / face.unitsPerEm };
  const placed: PlacedMask[] = [];
  const polygon = new Polygon();
  let at = quarters;
  for (const letter of text) {
    const glyph = face.glyph(letter.codePointAt(0)!);
    const mask = glyphMask(face, glyph, scale, at % PHASES);
    if (mask === 'large') throw new Error('too large for a mask');
    if (mask) placed.push({ mask, x: Math.floor(at / PHASES), y: 80 });
    const map = { a: scale.scale, b: 0, c: scale.lean, d: -scale.scale, e: at / PHASES, f: 80 };
    flatten(face.outline(glyph), map, polygon);
    at += Math.round(size * 0.6 * PHASES) + 1;
  }
  const paint = new SolidPaint(BLACK);
  const [masked, filled] = [new Surface(bounds), new Surface(bounds)];
  fillMasks(masked, placed, paint);
  filled.fillPolygon(polygon, paint);
  const alphas = ({ pixmap }: Surface) => pixmap.data.filter((_, i) => i % 4 === 3);
  return { masked: alphas(masked), filled: alphas(filled) };
}

t.test('a glyph alone has exactly the coverage of its outline, on every quarter of a pixel', async (t) => {
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

t.test('where glyphs share a pixel, their coverage adds up to within two steps', async (t) => {
  const face = await faceOf('Pacifico');
  const { masked, filled } = bothWays(face, 'overlap', 48, 0, 17);
  t.ok(filled.some((alpha) => alpha > 0));
  t.ok(
    masked.every((alpha, i) => Math.abs(alpha - filled[i]) <= 8),
    'no pixel is off by more',
  );
});

t.test('what lies off the surface is cut off, and blanks have no mask', async (t) => {
  const face = await faceOf('Inter');
  const { masked, filled } = bothWays(face, 'W', 150, 0, -200);
  t.same(masked, filled);
  t.equal(glyphMask(face, face.glyph(32), { scale: 0.02, lean: 0 }, 0), undefined);
  t.equal(glyphMask(face, face.glyph(87), { scale: 1, lean: 0 }, 0), 'large');
});
