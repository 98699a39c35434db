// Borders over content: no content outside the border, and no gap between the two.
import t from 'tap';
import { draw, LIME, type Picture, pngUrl, shape } from './picture.js';

const picture = { type: 'image', url: pngUrl([[LIME]]) };
const broken = { type: 'image', url: 'data:image/png;base64,AAAA', fallbackColor: '#00ff00' };
const box = { x: 8, y: 6, width: 24, height: 18 };
const places = [box, { ...box, rotation: 20 }, { x: 8.3, y: 6.6, width: 23.7, height: 17.2, rotation: -35 }];
const layers = places.flatMap((place) => [
  ...['none', 'circle', 'rounded', 'squircle'].flatMap((mask) => [
    { ...picture, ...place, mask, borderRadius: 6 },
    { ...broken, ...place, mask, borderRadius: 6 },
  ]),
  ...['rectangle', 'circle', 'rounded_rectangle', 'pill'].map((shapeType) =>
    shape(0, 0, 0, 0, { ...place, shapeType, fillColor: '#00ff00', borderRadius: 6 }),
  ),
]);

const nameOf = (layer: object) => JSON.stringify({ ...layer, url: undefined });

/** The largest difference in any channel of any pixel. */
function difference(one: Picture, other: Picture): number {
  return one.data.reduce((most, value, i) => Math.max(most, Math.abs(value - other.data[i])), 0);
}

t.test('a border of the content’s colour looks like no border', async (t) => {
  for (const layer of layers) {
    const plain = await draw([layer], { backgroundColor: '#ffffff' });
    for (const width of [1, 2, 3, 5]) {
      const bordered = await draw([{ ...layer, border: { color: '#00ff00', width } }], { backgroundColor: '#ffffff' });
      t.ok(difference(plain, bordered) <= 1, `${width} px: ${nameOf(layer)}`);
    }
  }
});

t.test('content does not show outside its border', async (t) => {
  for (const layer of layers) {
    for (const [color, width, green] of [
      ['#ff0000', 1, 0],
      ['#ff0000', 2, 0],
      ['#ff0000', 5, 0],
      ['rgba(255, 0, 0, 0.8)', 5, 51],
    ] as const) {
      const { at, width: columns, height } = await draw([{ ...layer, border: { color, width } }]);
      let most = 0;
      for (let y = 0; y < height; y++) {
        for (let x = 0; x < columns; x++) {
          const [r, g, , a] = at(x, y);
          const atOuterEdge = a > 32 && a < 250;
          // a 1 px border leaves some of the content in pixels that both of its edges cross
          if (atOuterEdge && width > 1) most = Math.max(most, Math.abs(g - green));
          else if (atOuterEdge) most = Math.max(most, g - r);
        }
      }
      t.ok(most <= 8, `${color}, ${width} px, off by ${most}: ${nameOf(layer)}`);
    }
  }
});
