// Stroked text with a translucent fill: the stroke follows only the outer edge of the glyphs.
import t from 'tap';
import { draw, type Picture } from '../picture.js';

const canvas = { width: 260, height: 100 };

function text(more: object): object {
  return { type: 'text', x: 10, y: 0, width: 240, height: 100, fontSize: 80, ...more };
}

/** Pixels surrounded by opaque pixels up to 3 away: a stroke 2 px wide does not reach them. */
function insideOf(fill: Picture): [x: number, y: number][] {
  const REACH = 3;
  const inside: [number, number][] = [];
  for (let y = REACH; y < fill.height - REACH; y++) {
    for (let x = REACH; x < fill.width - REACH; x++) {
      let isInside = true;
      for (let v = -REACH; v <= REACH && isInside; v++) {
        for (let u = -REACH; u <= REACH && isInside; u++) isInside = fill.at(x + u, y + v)[3] === 255;
      }
      if (isInside) inside.push([x, y]);
    }
  }
  return inside;
}

t.test('no stroke shows inside glyphs where their outlines overlap', async (t) => {
  const stroke = { color: '#ff0000', width: 2 };
  for (const style of [
    { text: 'trkeny', fontWeight: 800 },
    { text: 'trkeny', fontWeight: 800, rotation: 5 },
    { text: 'flow', fontFamily: 'Pacifico' },
    { text: '8888', fontFamily: 'Montserrat', fontWeight: 900, letterSpacing: -16 },
    { text: 'नमस्ते', fontWeight: 700 },
  ]) {
    const fill = await draw([text(style)], canvas);
    const strokes = await draw([text({ ...style, color: 'transparent', stroke })], canvas);
    const inside = insideOf(fill);
    t.ok(inside.length > 50, `${inside.length} pixels are inside`);
    t.notOk(
      inside.some(([x, y]) => strokes.at(x, y)[3] > 0),
      JSON.stringify(style),
    );
    const whole = await draw([text({ ...style, color: '#ff0000', stroke })], canvas);
    const outside = whole.data.filter((_, i) => i % 4 === 3 && fill.data[i] === 0);
    const seen = strokes.data.filter((_, i) => i % 4 === 3 && fill.data[i] === 0);
    const off = outside.reduce((sum, alpha, i) => sum + Math.abs(alpha - seen[i]), 0) / outside.length;
    t.ok(off < 0.25, `outside of the letters it is as it is around an opaque fill: off by ${off}`);
  }
});

t.test('a translucent fill shows no inner edges either', async (t) => {
  const style = { text: 'trkeny', fontWeight: 800, color: 'rgba(0, 0, 255, 0.5)' };
  const fill = await draw([text({ ...style, color: '#0000ff' })], canvas);
  const both = await draw([text({ ...style, stroke: { color: '#ff0000', width: 2 } })], canvas);
  t.notOk(insideOf(fill).some(([x, y]) => both.at(x, y)[0] !== 0));
});
