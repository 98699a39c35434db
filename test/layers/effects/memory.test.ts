// The bound on the memory of effects: in bytes per pixel of a canvas that is large beside the reach of its effects.
import t, { type Test } from 'tap';
import { type EffectLayer, effectBytes, sceneEffectBytes } from '../../../lib/layers/effects/memory.js';
import { MAX_HIDDEN_PIXELS } from '../../../lib/raster/hidden-pixels.js';

const canvas = { width: 1000, height: 500, scale: 1 };
const PIXELS = 500_000;
const black = { r: 0, g: 0, b: 0, a: 1 };
const cast = (offsetX: number) => ({ color: black, blur: 0, offsetX, offsetY: 0, spread: 0, inset: false });
const perPixel = (layer: object) => effectBytes(layer as EffectLayer, canvas) / PIXELS;
const near = (t: Test, layer: object, expected: number, name: string) => {
  const actual = perPixel(layer);
  t.ok(actual >= expected && actual < expected + 0.7, `${name}: ${actual}`);
};
const invert = [{ type: 'invert', amount: 1 }];
const blur = [{ type: 'blur', sigma: 1 }];
const drop = [{ type: 'drop-shadow', x: 1, y: 0, sigma: 1, color: black }];
const clipPath = { kind: 'circle' };
const group = (layer: object, ...layers: object[]) => ({ type: 'group', ...layer, layers });

t.test('each effect counts the pictures that it holds', async (t) => {
  near(t, {}, 0, 'none');
  near(t, { blendMode: 'multiply' }, 4, 'a blend mode');
  near(t, { opacity: 0.5 }, 0, 'opacity');
  near(t, { opacity: 0.5, shadow: [cast(1)] }, 8, 'opacity with a shadow');
  near(t, { shadow: [cast(1)] }, 4, 'a shadow');
  near(t, { shadow: [cast(1)], clipPath }, 12, 'a shadow of a clipped layer');
  near(t, { clipPath }, 6, 'a clip path');
  near(t, { clipPath, maskImage: { kind: 'linear' } }, 10, 'a clip path and a mask');
  near(t, { filter: invert }, 4, 'colours');
  near(t, { filter: blur }, 12, 'a blur');
  near(t, { filter: drop }, 16, 'drop-shadow()');
  near(t, { filter: [...blur, ...drop] }, 20, 'a list');
  near(t, { backdropFilter: blur }, 12, 'a backdrop');
  near(t, { opacity: 0, filter: blur }, 0, 'a transparent layer');
  near(t, { visible: false, filter: blur }, 0, 'a hidden layer');
});

t.test('groups inside groups add to each other; layers beside each other do not', async (t) => {
  const leaf = { filter: invert };
  near(t, group({}, leaf), 4, 'a group without effects');
  near(t, group({ opacity: 0.5 }, leaf), 8, 'opacity');
  near(t, group({ rotation: 10, clip: true }, leaf), 12, 'a turned group that clips');
  near(t, group({ opacity: 0.5 }, leaf, leaf, group({ clipPath }, leaf), leaf), 12, 'the deepest counts');
  near(t, group({ filter: blur }, group({ filter: blur }, group({ filter: blur }, leaf))), 20, 'three levels');
  t.equal(
    sceneEffectBytes({ canvas, layers: [leaf, group({ opacity: 0.5 }, leaf), leaf] as EffectLayer[] }),
    8 * PIXELS,
  );
});

t.test('what lies beyond the canvas counts, level by level, up to a bound', async (t) => {
  const far = [{ type: 'drop-shadow', x: 1000, y: 0, sigma: 0, color: black }];
  near(t, { filter: far }, 2 * 16, 'twice as wide');
  near(t, { shadow: [cast(2000)] }, 3 * 4, 'a shadow from afar');
  near(t, { rotation: 90, filter: far }, 3 * 16, 'turned, three times as high');
  near(t, group({ rotation: 90 }, { filter: far }), 4 + 3 * 16, 'in a turned group');
  near(t, group({ filter: far }, { filter: far }), 2 * 4 + 3 * 16, 'within each other');
  t.equal(effectBytes({ filter: far } as EffectLayer, { ...canvas, scale: 2 }), 8 * PIXELS * 16, 'scaled');
  const most = (MAX_HIDDEN_PIXELS + PIXELS) * 4;
  const farthest = [{ type: 'drop-shadow', x: 1e6, y: 1e6, sigma: 0, color: black }];
  t.equal(effectBytes({ filter: farthest } as EffectLayer, canvas), most * 4);
  t.equal(effectBytes(group({ filter: farthest }, { type: 'text' }) as EffectLayer, canvas), most * 4);
  t.equal(effectBytes(group({ filter: farthest }, { filter: farthest }) as EffectLayer, canvas), most * 5);
});
