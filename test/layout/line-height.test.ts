// Lines of a normal height: as high as the fonts on them say.
import t from 'tap';
import { inspect } from '../../lib/index.js';

const heightOf = async (text: string, fields: object = {}) => {
  const { layers } = await inspect({
    canvas: { width: 400, height: 400 },
    layers: [
      { type: 'text', x: 0, y: 0, width: 'auto', height: 'auto', text, fontSize: 40, lineHeight: 'normal', ...fields },
    ],
  });
  return layers[0].box?.[3];
};

t.test('a line of a normal height is as high as its fonts say', async (t) => {
  t.equal(await heightOf('Ag'), 49, 'round(38.75) + round(9.66)');
  t.equal(await heightOf('Ag', { fontFamily: 'Noto Sans JP' }), 58);
  t.equal(await heightOf('Ag\nAg'), 98);
});

t.test('a fallback font makes its line higher', async (t) => {
  const plain = (await heightOf('Ag'))!;
  const mixed = (await heightOf('Ag日'))!;
  t.ok(mixed > plain, `${mixed}`);
  t.equal(await heightOf('Ag日\nAg'), mixed + plain, 'and no other');
  t.equal(await heightOf('Ag日', { lineHeight: 1.2 }), 48, 'nor one of a height in numbers');
});
