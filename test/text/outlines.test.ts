// HarfBuzz's outlines against opentype.js's, which reads fonts with other code: the same contours, wherever each of the two
// begins to draw them.
import opentype from 'opentype.js';
import t from 'tap';
import { loadManifest, readFace } from '../../lib/fonts/bundled.js';
import { loadTextEngine } from '../../lib/fonts/text-engine.js';
import { COORDINATES, MOVE, type Path } from '../../lib/geometry/path.js';
import { openFace } from '../../lib/text/face.js';
import { sample } from '../exhaustive.js';

/** Glyphs looked at in each face, spread over all it has. */
const SAMPLE = 120;
/** Font units: opentype.js scales the parts of composite glyphs in another order. */
const TOLERANCE = 0.01;

/** opentype.js's outline, y up. */
function outlineOf(font: opentype.Font, glyph: number): number[][] {
  const contours: number[][] = [];
  let contour: number[] = [];
  for (const command of font.glyphs.get(glyph).getPath(0, 0, font.unitsPerEm).commands) {
    if (command.type === 'M') {
      contour = [];
      contours.push(contour);
    }
    if (command.type === 'Q' || command.type === 'C') contour.push(command.x1, -command.y1);
    if (command.type === 'C') contour.push(command.x2, -command.y2);
    if (command.type !== 'Z') contour.push(command.x, -command.y);
  }
  return contours;
}

/** The coordinates of each contour. */
function contoursOf({ verbs, coords }: Path): number[][] {
  const contours: number[][] = [];
  let at = 0;
  for (const verb of verbs) {
    if (verb === MOVE) contours.push([]);
    contours.at(-1)?.push(...coords.slice(at, at + COORDINATES[verb]));
    at += COORDINATES[verb];
  }
  return contours;
}

/** The contour's points in order from its lowest (then leftmost) on; a point that repeats the one before it left out. */
function normal(contour: readonly number[]): [number, number][] {
  const points: [number, number][] = [];
  for (let i = 0; i < contour.length; i += 2) {
    const last = points.at(-1);
    if (!last || !near(last, [contour[i], contour[i + 1]])) points.push([contour[i], contour[i + 1]]);
  }
  while (points.length > 1 && near(points[0], points[points.length - 1])) points.pop();
  return points;
}

function near([ax, ay]: readonly [number, number], [bx, by]: readonly [number, number]): boolean {
  return Math.abs(ax - bx) < TOLERANCE && Math.abs(ay - by) < TOLERANCE;
}

/** Whether the points are the same in some rotation. */
function sameContour(a: readonly number[], b: readonly number[]): boolean {
  const [first, second] = [normal(a), normal(b)];
  if (first.length !== second.length) return false;
  return (
    first.length === 0 ||
    second.some((_, shift) => first.every((point, i) => near(point, second[(i + shift) % second.length])))
  );
}

t.test('outlines of every bundled face equal those of opentype.js', async (t) => {
  await loadTextEngine();
  for (const face of sample(loadManifest().faces, 15)) {
    const bytes = await readFace(face);
    const outlines = openFace(bytes, { trusted: true });
    const font = opentype.parse(Uint8Array.from(bytes).buffer);
    const step = Math.max(1, Math.floor(font.glyphs.length / SAMPLE));
    const other: number[] = [];
    let inked = 0;
    for (let glyph = 0; glyph < font.glyphs.length; glyph += step) {
      const ours = contoursOf(outlines.outline(glyph)).filter((contour) => normal(contour).length > 1);
      const theirs = outlineOf(font, glyph).filter((contour) => normal(contour).length > 1);
      if (ours.length > 0) inked++;
      if (ours.length !== theirs.length || !ours.every((contour, i) => sameContour(contour, theirs[i]))) {
        other.push(glyph);
      }
    }
    t.same(other, [], `${face.file}: ${inked} outlines`);
    t.ok(inked > SAMPLE / 4, `${face.file} has ink`);
  }
});
