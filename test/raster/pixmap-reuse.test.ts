// A canvas from kept memory is as one from new memory.
import t from 'tap';
import { Pixmap } from '../../lib/raster/pixmap.js';
import { acquirePixmap, releasePixmap } from '../../lib/raster/pixmap-reuse.js';

const CLEAR = { r: 0, g: 0, b: 0, a: 0 };
const RED = { r: 255, g: 0, b: 0, a: 1 };

t.test('kept memory comes back filled, whatever was drawn on it', (t) => {
  for (const [before, after] of [
    [RED, CLEAR],
    [CLEAR, RED],
    [CLEAR, CLEAR],
  ]) {
    const first = acquirePixmap(30, 20, before);
    first.data.fill(77);
    releasePixmap(first);
    const second = acquirePixmap(30, 20, after);
    t.equal(second.data, first.data, 'the same memory');
    const plain = new Pixmap(30, 20);
    plain.fill(after);
    t.same(second.words, plain.words);
  }
  t.end();
});

t.test('a canvas is never handed out twice', (t) => {
  releasePixmap(acquirePixmap(30, 20, RED));
  t.not(acquirePixmap(30, 20, RED).data, acquirePixmap(30, 20, RED).data);
  releasePixmap(acquirePixmap(30, 20, RED));
  const other = acquirePixmap(20, 30, CLEAR);
  t.same([other.width, other.height], [20, 30], 'of the same size, in another shape');
  t.ok(acquirePixmap(31, 20, CLEAR).words.every((word) => word === 0));
  t.end();
});
