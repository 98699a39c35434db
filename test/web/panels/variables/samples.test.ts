// Saving, updating, renaming and deleting sample sets: steps that can be undone.
import t from 'tap';
import { createDocument } from '../../../../web/document/document.js';
import type { Json } from '../../../../web/document/json.js';
import { createEditorStore } from '../../../../web/document/store.js';
import {
  addSample,
  deleteSample,
  freeName,
  hasRoom,
  MAX_SAMPLES,
  nameFault,
  renameSample,
  updateSample,
} from '../../../../web/panels/variables/samples.js';

function open(record: Json) {
  const said: string[] = [];
  const store = createEditorStore(createDocument(record), (message) => void said.push(message));
  return { store, said, samples: () => store.document.value.record.samples };
}

t.test('a sample set is saved, updated, renamed and deleted', async (t) => {
  const { store, said, samples } = open({ name: 'Card', hotspots: [] });
  addSample(store, 'First', { title: 'A' }, undefined);
  addSample(store, 'Second', { title: 'B' }, 'story');
  t.same(samples(), [
    { name: 'First', variables: { title: 'A' } },
    { name: 'Second', variables: { title: 'B' }, size: 'story' },
  ]);
  updateSample(store, 'Second', { title: 'C' }, undefined);
  renameSample(store, 'First', '1st');
  t.same(samples(), [
    { name: '1st', variables: { title: 'A' } },
    { name: 'Second', variables: { title: 'C' } },
  ]);
  deleteSample(store, '1st');
  t.same(samples(), [{ name: 'Second', variables: { title: 'C' } }]);
  deleteSample(store, 'Second');
  t.notOk('samples' in store.document.value.record);
  t.same(said.slice(2), [
    'Update sample Second',
    'Rename sample First to 1st',
    'Delete sample 1st',
    'Delete sample Second',
  ]);
  for (let i = 0; i < 6; i++) store.undo();
  t.same(store.document.value.record, { name: 'Card', hotspots: [] });
});

t.test('malformed sample sets keep their place', async (t) => {
  const { store, samples } = open({ samples: [7, { name: 'A', variables: {}, note: 'mine' }] });
  updateSample(store, 'A', { x: 1 }, undefined);
  t.same(samples(), [7, { name: 'A', variables: { x: 1 }, note: 'mine' }]);
  deleteSample(store, 'none');
  deleteSample(store, 'A');
  t.same(samples(), [7]);
});

t.test('names are given once, and there is room for fifty', async (t) => {
  const { store } = open({ samples: [{ name: 'A', variables: {} }] });
  const document = store.document.value;
  t.equal(nameFault(document, ' '), 'Give it a name');
  t.equal(nameFault(document, ' A '), 'Another sample set has this name');
  t.equal(nameFault(document, 'A', 'A'), undefined, 'its own');
  t.equal(nameFault(document, 'x'.repeat(201)), 'Received 201 characters, expected at most 200');
  t.equal(nameFault(document, 'B'), undefined);
  t.equal(freeName(document), 'Sample 2');
  t.equal(freeName(document, 'A'), 'A 3');
  t.ok(hasRoom(document));
  const many = Array.from({ length: MAX_SAMPLES }, (_, index) => ({ name: `${index}`, variables: {} }));
  t.notOk(hasRoom(createDocument({ samples: many })));
});
