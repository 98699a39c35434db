// Mirrored layers.
import t from 'tap';
import { draw, RED, WHITE } from './picture.js';

t.test('thin and translucent borders leave the middle of mirrored boxes free', async (t) => {
  const box = { x: 5, y: 5, width: 20, height: 20, fillColor: '#fff' };
  for (const flip of ['x', 'y', 'both']) {
    for (const border of [{ color: '#f00' }, { color: '#f00', width: 4 }, { color: 'rgb(255 0 0 / 50%)', width: 4 }]) {
      for (const shapeType of ['circle', 'rounded_rectangle', 'rectangle']) {
        const layer = { type: 'shape', shapeType, ...box, border, flip };
        const grouped = {
          type: 'group',
          x: 0,
          y: 0,
          width: 30,
          height: 30,
          flip,
          layers: [{ ...layer, flip: undefined }],
        };
        for (const each of [layer, grouped]) {
          const picture = await draw([each], { width: 30, height: 30 });
          t.same(picture.at(15, 15), WHITE, `${shapeType}, ${flip}, ${each.type}`);
        }
      }
    }
  }
  const opaque = await draw([
    { type: 'shape', shapeType: 'circle', ...box, border: { color: '#f00', width: 4 }, flip: 'x' },
  ]);
  t.same(opaque.at(7, 15), RED);
});
