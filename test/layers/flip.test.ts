// Mirrored layers.
import { readFileSync } from 'node:fs';
import t from 'tap';
import { draw, RED, WHITE } from './picture.js';

const file = readFileSync(new URL('../../examples/pictures/lake.jpg', import.meta.url));
const PHOTO = `data:image/jpeg;base64,${file.toString('base64')}`;

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

t.test('a mirrored picture has exactly the pixels of the plain one, in reverse order', async (t) => {
  const picture = (fields: object, size: object) =>
    draw([{ type: 'image', x: 0, y: 0, ...size, url: PHOTO, ...fields }], { width: 60, height: 40 });
  for (const size of [
    { width: 60, height: 40 },
    { width: 37, height: 40 },
    { width: 60, height: 7 },
  ]) {
    for (const fields of [{ fit: 'fill' }, { fit: 'fill', opacity: 0.5 }, { fit: 'fill', mask: 'circle' }]) {
      const plain = await picture(fields, size);
      for (const flip of ['x', 'y', 'both']) {
        const mirrored = await picture({ ...fields, flip }, size);
        const wrong = [];
        for (let y = 0; y < size.height; y++) {
          for (let x = 0; x < size.width; x++) {
            const from = [flip === 'y' ? x : size.width - 1 - x, flip === 'x' ? y : size.height - 1 - y] as const;
            const [one, other] = [mirrored.at(x, y), plain.at(...from)];
            // the steps of an outline's coverage differ
            if (one.some((value, i) => Math.abs(value - other[i]) > ('mask' in fields ? 24 : 0))) wrong.push([x, y]);
          }
        }
        t.same(wrong, [], `${JSON.stringify({ ...size, ...fields })}, ${flip}`);
      }
    }
  }
});
