// The bound on what effects draw beyond the visible part of a picture.
import t from 'tap';
import { areaOf, expand, intersect, rectOf } from '../../lib/geometry/rect.js';
import { affordable, MAX_HIDDEN_PIXELS, withHidden } from '../../lib/raster/hidden-pixels.js';

const visible = rectOf(0, 0, 1000, 500);

t.test('what is wanted is drawn whole if it fits, else the part nearest to what is visible', async (t) => {
  t.same(affordable(expand(visible, 2000), visible), expand(visible, 2000));
  const far = rectOf(-1e6, -1e6, 3e6, 3e6);
  const near = affordable(far, visible);
  t.same(intersect(near, visible), visible);
  t.ok(areaOf(near) - areaOf(visible) <= MAX_HIDDEN_PIXELS);
  t.ok(areaOf(expand(near, 1)) - areaOf(visible) > MAX_HIDDEN_PIXELS, 'as much as fits');
  t.same(affordable(rectOf(0, 0, 9, 9), visible), rectOf(0, 0, 9, 9), 'what is smaller costs nothing');
});

t.test('pictures inside each other share the bound, and give their part back', async (t) => {
  const half = rectOf(0, 0, 1000, 500 + Math.ceil(MAX_HIDDEN_PIXELS / 2000));
  withHidden(half, visible, () => {
    const inside = affordable(expand(half, 1e5), half);
    t.ok(areaOf(inside) - areaOf(visible) <= MAX_HIDDEN_PIXELS);
    withHidden(inside, half, () => t.same(affordable(expand(inside, 200), inside), inside, 'nothing is left'));
  });
  t.throws(() =>
    withHidden(half, visible, () => {
      throw new Error('fails');
    }),
  );
  t.same(affordable(expand(visible, 2000), visible), expand(visible, 2000));
});
