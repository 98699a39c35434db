// Assets as layers and in the library.
import t from 'tap';
import type { AssetAnswer } from '../../../../lib/contract/api/assets.js';
import { validate } from '../../../../lib/index.js';
import {
  assetName,
  isAssetFile,
  isFound,
  nameOfFile,
  pictureLayer,
  previewOf,
} from '../../../../web/panels/assets/asset-layers.js';

const common = { bytes: 10, createdAt: '2026-01-01T00:00:00Z' };
const picture: AssetAnswer = {
  ...common,
  id: 'asset_1',
  kind: 'image',
  mimeType: 'image/svg+xml',
  width: 400,
  height: 100,
};
const font: AssetAnswer = {
  ...common,
  id: 'asset_2',
  kind: 'font',
  mimeType: 'font/ttf',
  family: 'Brand Sans',
  weight: 700,
  style: 'italic',
};
const canvas = { width: 200, height: 200 };

t.test('a picture comes in its natural size, fitted to the canvas, around the point', async (t) => {
  t.same(pictureLayer({ ...picture, width: 40, height: 20 }, 'Hero', canvas, { x: 30.4, y: 50 }), {
    type: 'image',
    name: 'Hero',
    url: 'asset:asset_1',
    x: 10,
    y: 40,
    width: 40,
    height: 20,
  });
  t.match(pictureLayer(picture, undefined, canvas), { x: 0, y: 75, width: 200, height: 50 }, 'in the middle');
  const { width: _, height: __, ...unknown } = picture;
  const record = { name: 'Card', ...canvas, layers: [pictureLayer(unknown, undefined, canvas)] };
  t.same(
    validate(record).details.filter(({ path }) => !path.endsWith('url')),
    [],
  );
});

t.test('the library shows pictures and fonts by payloads that the renderer takes', async (t) => {
  for (const asset of [picture, font]) {
    const { details } = validate(previewOf(asset));
    t.same(
      details.filter(({ path }) => !/rl$/.test(path)),
      [],
      asset.kind,
    );
  }
  t.same(previewOf(picture).canvas, { width: 240, height: 60 });
});

t.test('assets are named by what they are, and found by it', async (t) => {
  t.equal(assetName(picture), '400 × 100 SVG');
  t.equal(assetName(font), 'Brand Sans 700 italic');
  t.ok(isFound(font, 'brand 700'));
  t.ok(isFound(picture, ' PICTURE '));
  t.ok(isFound(picture, 'asset_1'));
  t.notOk(isFound(picture, 'brand'));
});

t.test('files are known by their type or their name', async (t) => {
  for (const [name, type, expected] of [
    ['a.png', '', true],
    ['a', 'image/webp', true],
    ['A.WOFF2', '', true],
    ['a.csv', 'text/csv', false],
    ['png', '', false],
  ] as const)
    t.equal(isAssetFile({ name, type }), expected, name);
  t.equal(nameOfFile('Hero picture.v2.png'), 'Hero picture.v2');
});
