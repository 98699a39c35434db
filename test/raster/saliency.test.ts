// The part of a picture that is worth showing.
import t from 'tap';
import { Pixmap, packWord } from '../../lib/raster/pixmap.js';
import { findSalientWindow } from '../../lib/raster/saliency.js';

type Rgba = readonly [r: number, g: number, b: number, a: number];

/** A grey picture with a spot of another colour. */
function picture(width: number, height: number, spot: { x: number; y: number; side: number; color: Rgba }): Pixmap {
  const pixmap = new Pixmap(width, height);
  pixmap.words.fill(packWord(120, 120, 120, 255));
  for (let y = spot.y; y < spot.y + spot.side; y++) {
    for (let x = spot.x; x < spot.x + spot.side; x++) pixmap.words[y * width + x] = packWord(...spot.color);
  }
  return pixmap;
}

const RED: Rgba = [220, 30, 30, 255];

t.test('follows the subject along the axis that is cut', (t) => {
  const at = (x: number) => findSalientWindow(picture(400, 100, { x, y: 30, side: 40, color: RED }), { x: 0.25, y: 1 });
  t.equal(at(0).x, 0);
  t.equal(at(360).x, 1);
  const middle = at(100);
  t.ok(Math.abs(middle.x - 70 / 300) < 0.03, `${middle.x}: the subject is in the middle of the window`);
  t.equal(middle.y, 0.5);
  t.end();
});

t.test('follows it in both directions', (t) => {
  const { x, y } = findSalientWindow(picture(300, 300, { x: 220, y: 20, side: 40, color: RED }), { x: 0.4, y: 0.4 });
  t.ok(x > 0.9, `${x}`);
  t.ok(y < 0.1, `${y}`);
  t.end();
});

t.test('prefers skin to another colour that differs as much', (t) => {
  const both = picture(400, 100, { x: 20, y: 30, side: 40, color: [60, 140, 210, 255] });
  const face = picture(400, 100, { x: 340, y: 30, side: 40, color: [205, 150, 115, 255] });
  for (let i = 0; i < both.words.length; i++) if (i % 400 > 200) both.words[i] = face.words[i];
  t.ok(findSalientWindow(both, { x: 0.25, y: 1 }).x > 0.9);
  t.end();
});

t.test('takes the middle of a picture without a subject', (t) => {
  const flat = picture(200, 50, { x: 0, y: 0, side: 0, color: RED });
  t.same(findSalientWindow(flat, { x: 0.3, y: 1 }), { x: 0.5, y: 0.5 });
  t.same(findSalientWindow(new Pixmap(200, 50), { x: 0.3, y: 0.5 }), { x: 0.5, y: 0.5 });
  t.same(findSalientWindow(new Pixmap(1, 1), { x: 0.001, y: 0.001 }), { x: 0.5, y: 0.5 });
  t.end();
});

t.test('treats what is transparent as nothing', (t) => {
  const pixmap = picture(300, 100, { x: 0, y: 0, side: 0, color: RED });
  for (let i = 0; i < pixmap.words.length; i++) if (i % 300 < 200) pixmap.words[i] = 0;
  for (let y = 40; y < 60; y++) pixmap.words.fill(packWord(...RED), y * 300 + 240, y * 300 + 260);
  t.ok(findSalientWindow(pixmap, { x: 1 / 3, y: 1 }).x > 0.9);
  t.end();
});
