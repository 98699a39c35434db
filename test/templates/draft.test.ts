// Saving a template derives further data from its record.
import t from 'tap';
import { draftOf } from '../../lib/templates/draft.js';

const TEXT = { type: 'text', x: 0, y: 0, width: 1, height: 1 };

t.test('has the record as it was given, with its hotspots in drawing order', async (t) => {
  const record = {
    name: 'Card',
    width: 10,
    height: 10,
    own: { url: 'asset:not-a-layer' },
    layers: [{ ...TEXT, key: 'a' }],
    hotspots: [{ ...TEXT, key: 'b', label: 'B' }],
  };
  const draft = draftOf(record, { maxLayers: 5 });
  t.equal(draft.record, record);
  t.same(draft.hotspots, [
    { key: 'a', label: 'a', type: 'text' },
    { key: 'b', label: 'B', type: 'text' },
  ]);
  t.same(draft.assetIds, []);
});

t.test('has the ids of the assets that background, layers and hotspots name, once each', async (t) => {
  const record = {
    name: 'Card',
    width: 10,
    height: 10,
    background: { url: 'asset:asset_1' },
    layers: [
      { ...TEXT, text: 'asset:asset_8', customFontUrl: 'asset:asset_2' },
      { ...TEXT, type: 'image', url: 'asset:asset_1' },
      { ...TEXT, type: 'image', url: 'data:,asset:asset_9' },
    ],
    hotspots: [{ ...TEXT, type: 'image', key: 'b', label: 'B', url: 'asset:asset_3' }],
  };
  t.same(draftOf(record, { maxLayers: 5 }).assetIds, ['asset_1', 'asset_2', 'asset_3']);
});

t.test('rejects a malformed record with every fault', async (t) => {
  t.throws(() => draftOf({ name: '', width: 0, height: 1 }, { maxLayers: 5 }), {
    code: 'invalid_request',
    details: [{ path: 'name' }, { path: 'width' }],
  });
  for (const record of [null, [], 'x', 7])
    t.throws(() => draftOf(record, { maxLayers: 5 }), { code: 'invalid_request' });
});
