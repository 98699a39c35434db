// The hotspots of a template's raw record, as `templates show` and stored versions list them.
import t from 'tap';
import { listHotspots } from '../../../lib/contract/template/record-strings.js';

t.test('hotspots are listed in drawing order, those in place first', async (t) => {
  const layers = [
    { type: 'shape' },
    { type: 'image', key: 'photo', label: 'Photo', url: 'a.png' },
    { type: 'text', key: 'name' },
    { type: 'text', key: null },
  ];
  const hotspots = [{ type: 'qrcode', key: 'code', label: 'Code' }];
  t.same(listHotspots({ layers, hotspots }), [
    { key: 'photo', label: 'Photo', type: 'image' },
    { key: 'name', label: 'name', type: 'text' },
    { key: 'code', label: 'Code', type: 'qrcode' },
  ]);
});

t.test('what is malformed is left out', async (t) => {
  for (const record of [null, [], 5, {}, { layers: {}, hotspots: 'x' }, { hotspots: [null, {}, { key: 5 }] }]) {
    t.same(listHotspots(record), []);
  }
  t.same(listHotspots({ layers: [5, { key: {}, type: 'text' }, { key: 'a', type: 'text', label: 7 }] }), [
    { key: 'a', label: 'a', type: 'text' },
  ]);
});
