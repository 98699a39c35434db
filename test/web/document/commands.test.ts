// The editor's commands: what each makes of a record, and that any of them can be undone.

import fc from 'fast-check';
import t from 'tap';
import { apply, type Command, layerAt } from '../../../web/document/commands.js';
import {
  createDocument,
  drawnRecord,
  type EditorDocument,
  locate,
  nodeIndex,
  walk,
} from '../../../web/document/document.js';
import { createHistory, type History, redo, run, undo } from '../../../web/document/history.js';
import { isObject, type Json } from '../../../web/document/json.js';
import { pathOf, placeOf, recordPathOf, writtenPath } from '../../../web/document/places.js';

const RECORD = {
  name: 'Card',
  width: 400,
  height: 200,
  layers: [
    { type: 'shape', id: 'panel', shape: 'rectangle', x: 10, y: 10, width: 380, height: 180 },
    {
      type: 'group',
      id: 'body',
      x: 20,
      y: 30,
      width: 200,
      height: 100,
      layers: [
        { type: 'text', key: 'title', text: 'Hello', x: 1, y: 2, width: 100, height: 20 },
        { type: 'text', text: 'World', x: 3, y: 30, width: 100, height: 20 },
      ],
    },
  ],
  hotspots: [
    {
      type: 'image',
      key: 'photo',
      label: 'Photo',
      url: 'https://example.com/a.png',
      x: 250,
      y: 20,
      width: 100,
      height: 100,
    },
  ],
  sizes: { story: { width: 200, height: 400, layers: { title: { x: 9 } } } },
} as const;

const open = () => createDocument(RECORD as unknown as Json);

/** The identity of the layer with this key or id. */
function idOf(document: EditorDocument, name: string): number {
  for (const { node } of walk(document)) if ([node.raw.key, node.raw.id].includes(name)) return node.id;
  throw new Error(`there is no layer ${name}`);
}

const layersOf = (document: EditorDocument) => document.record.layers as Json[];

t.test('set changes one field of the layers, and shares the rest', async (t) => {
  const before = open();
  const after = apply(before, { type: 'set', ids: [idOf(before, 'title')], path: ['border', 'width'], value: 2 });
  t.same((layersOf(after)[1]!.layers as Json[])[0], { ...RECORD.layers[1].layers[0], border: { width: 2 } });
  t.equal(layersOf(after)[0], layersOf(before)[0], 'other layers are the same objects');
  t.equal(idOf(after, 'title'), idOf(before, 'title'));
  const removed = apply(after, { type: 'set', ids: [idOf(after, 'title')], path: ['border'], value: undefined });
  t.same(removed.record, before.record);
  t.equal(
    apply(before, { type: 'set', ids: [idOf(before, 'title')], path: ['text'], value: 'Hello' }),
    before,
    'no change',
  );
});

t.test('group puts layers in a box of its own, and ungroup takes them out again', async (t) => {
  const before = open();
  const ids = [idOf(before, 'panel'), idOf(before, 'body')];
  const grouped = apply(before, { type: 'group', ids, box: [10, 10, 380, 180] });
  t.match(layersOf(grouped), [
    {
      type: 'group',
      x: 10,
      y: 10,
      width: 380,
      height: 180,
      layers: [
        { x: 0, y: 0 },
        { x: 10, y: 20 },
      ],
    },
  ]);
  t.same(grouped.selection, [before.nextId]);
  t.equal(idOf(grouped, 'title'), idOf(before, 'title'), 'layers keep their identity');
  t.same(apply(grouped, { type: 'ungroup', ids: grouped.selection }).record, before.record);
});

t.test('move changes the order, and the group that a layer is in', async (t) => {
  const before = open();
  const title = idOf(before, 'title');
  const first = apply(before, {
    type: 'move',
    ids: [title],
    index: 0,
    list: 'layers',
    places: new Map([[title, { x: 21, y: 32 }]]),
  });
  t.match(layersOf(first)[0], { key: 'title', x: 21, y: 32 });
  t.equal((layersOf(first)[2]!.layers as Json[]).length, 1);
  const body = idOf(before, 'body');
  t.equal(apply(before, { type: 'move', ids: [body], parent: body }), before, 'no group goes into itself');
  const later = apply(before, { type: 'move', ids: [idOf(before, 'panel')], list: 'layers', index: 2 });
  t.same(
    layersOf(later).map(({ id }) => id),
    ['body', 'panel'],
  );
  const among = apply(before, { type: 'move', ids: [idOf(before, 'panel')], list: 'hotspots', index: 0 });
  t.same(
    layersOf(among).map(({ id }) => id),
    ['body', 'panel'],
    'a fixed layer stays among the layers',
  );
});

t.test('copies have names of their own', async (t) => {
  const before = open();
  const copied = apply(before, { type: 'duplicate', ids: [idOf(before, 'body')], dx: 10, dy: 0 });
  t.match(layersOf(copied)[2], { id: 'body-2', x: 30, y: 30, layers: [{ key: 'title-2' }, {}] });
  const again = apply(copied, { type: 'duplicate', ids: copied.selection, dx: 10, dy: 0 });
  t.match(layersOf(again)[3], { id: 'body-3', layers: [{ key: 'title-3' }, {}] });
});

t.test('a layer becomes a hotspot and a fixed one again', async (t) => {
  const before = open();
  const keyed = apply(before, { type: 'setKey', id: idOf(before, 'panel'), key: 'frame' });
  t.match(layersOf(keyed)[0], { key: 'frame', id: 'panel' });
  const fixed = apply(before, { type: 'setKey', id: idOf(before, 'photo'), key: undefined });
  t.same(fixed.record.hotspots, []);
  t.match(layersOf(fixed)[2], { type: 'image', key: undefined, label: undefined });
  const renamed = apply(before, { type: 'setKey', id: idOf(before, 'title'), key: 'headline' });
  t.same((renamed.record.sizes as typeof RECORD.sizes).story.layers, { headline: { x: 9 } }, 'sizes know the new name');
});

t.test('with a size chosen, fields are written into the size', async (t) => {
  const before = apply(open(), { type: 'chooseSize', size: 'story' });
  const title = idOf(before, 'title');
  const moved = apply(before, { type: 'change', changes: [{ id: title, fields: { x: 5, y: 7 } }] });
  t.same((moved.record.sizes as Json).story, { ...RECORD.sizes.story, layers: { title: { x: 5, y: 7 } } });
  t.equal(moved.record.layers, before.record.layers);
  const back = apply(moved, { type: 'change', changes: [{ id: title, fields: { x: 1, y: 2 } }] });
  t.same(((back.record.sizes as Json).story as Json).layers, { title: {} }, 'what is as in the record is no override');
  const named = apply(before, { type: 'set', ids: [before.layers[1]!.children[1]!.id], path: ['x'], value: 50 });
  t.match(named.record, {
    layers: [{}, { layers: [{}, { id: 'text', x: 3 }] }],
    sizes: { story: { layers: { text: { x: 50 } } } },
  });
});

t.test('with a size chosen, a layer that leaves its group gets its new place in the size alone', async (t) => {
  const before = apply(open(), { type: 'chooseSize', size: 'story' });
  const title = idOf(before, 'title');
  const places = new Map([[title, { x: 21, y: 32 }]]);
  const leave = { type: 'move', ids: [title], list: 'layers', places } as const;
  const moved = apply(before, leave);
  const located = locate(moved, title)!;
  t.same(located.ancestors, []);
  t.match(located.node.raw, { x: 1, y: 2 }, 'the record keeps its place');
  t.same((moved.record.sizes as Json).story, { ...RECORD.sizes.story, layers: { title: { x: 21, y: 32 } } });
  t.match(layerAt(moved, title), { x: 21, y: 32 });
  const own = apply(open(), leave);
  t.match(locate(own, title)!.node.raw, { x: 21, y: 32 }, 'without a size, in the record');
  t.equal(own.record.sizes, open().record.sizes);
});

t.test('replace keeps the identities of layers, and the selection', async (t) => {
  const before = apply(open(), { type: 'select', ids: [idOf(open(), 'title'), idOf(open(), 'panel')] });
  const layers = [{ type: 'qrcode', data: 'x' }, ...RECORD.layers.map((layer) => ({ ...layer, opacity: 0.5 }))];
  const after = apply(before, { type: 'replace', record: { ...RECORD, layers } as unknown as Json, text: '{…}' });
  t.same(after.selection, before.selection);
  t.equal(idOf(after, 'body'), idOf(before, 'body'));
  t.equal(after.text, '{…}');
});

t.test('hidden layers are not drawn, and the record does not know', async (t) => {
  const before = open();
  const after = apply(before, { type: 'hide', ids: [idOf(before, 'title')], value: true });
  t.equal(after.record, before.record);
  t.match(drawnRecord(after).layers, [
    { id: 'panel' },
    { layers: [{ key: 'title', visible: false }, { visible: undefined }] },
  ]);
  t.equal(drawnRecord(before), before.record);
});

t.test('paths of warnings lead to layers and fields', async (t) => {
  const document = open();
  const title = idOf(document, 'title');
  for (const path of [
    'layers[1].layers[0].border.width',
    'hotspots.title.border.width',
    'sizes.story.layers.title.border.width',
  ]) {
    const { node, field } = placeOf(document, path);
    t.same([node?.id, field], [title, ['border', 'width']], path);
  }
  t.same(pathOf(document, nodeIndex(document).get(title)!), ['layers', 1, 'layers', 0]);
  t.equal(writtenPath(recordPathOf(document, 'hotspots.title.border["a b"]')), 'layers[1].layers[0].border["a b"]');
  t.equal(writtenPath(recordPathOf(document, 'hotspots.photo.url')), 'hotspots[0].url');
  t.equal(writtenPath(recordPathOf(document, 'sizes.story.layers.title.x')), 'sizes.story.layers.title.x');
  const copy = placeOf(document, 'layers[0].each[4].text');
  t.same([copy.node?.id, copy.field], [placeOf(document, 'layers[0]').node?.id, ['text']], 'a copy is its layer');
  t.same(placeOf(document, 'background.url'), { node: undefined, field: ['background', 'url'] });
  t.same(placeOf(document, 'layers[9].x').node, undefined);
});

/** Checks that the record and the tree agree. */
function checkTree(document: EditorDocument): void {
  const seen = new Set<number>();
  for (const { node } of walk(document)) {
    if (seen.has(node.id) || node.id >= document.nextId) throw new Error(`the identity ${node.id} is used twice`);
    seen.add(node.id);
    const inner = node.raw.type === 'group' && Array.isArray(node.raw.layers) ? node.raw.layers : [];
    if (inner.length !== node.children.length) throw new Error('a group has other layers than its node');
    inner.forEach((value, i) => {
      if (node.children[i]!.value !== value) throw new Error('a node is of another layer');
    });
  }
  for (const list of ['layers', 'hotspots'] as const) {
    const raw = document.record[list];
    const values = Array.isArray(raw) ? raw : [];
    if (values.length !== document[list].length || values.some((value, i) => value !== document[list][i]!.value)) {
      throw new Error(`${list} are others than those of the tree`);
    }
  }
  for (const id of [...document.selection, ...document.hidden, ...document.locked]) {
    if (!seen.has(id)) throw new Error('something refers to a layer that is gone');
  }
}

const id = fc.integer({ min: 0, max: 12 });
const ids = fc.array(id, { maxLength: 3 });
const number = fc.integer({ min: -50, max: 500 });
const rawLayer: fc.Arbitrary<Json> = fc.letrec<{ layer: Json }>((tie) => ({
  layer: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    fc.record({ type: fc.constantFrom('text', 'shape', 'image'), x: number, y: number, text: fc.string() }),
    fc.record({ type: fc.constant('text'), key: fc.constantFrom('a', 'b', '__proto__') }),
    fc.record({ type: fc.constant('group'), x: number, y: number, layers: fc.array(tie('layer'), { maxLength: 3 }) }),
  ),
})).layer;
const anything = fc.oneof(fc.constant(undefined), fc.jsonValue({ maxDepth: 2 }));
const target = {
  parent: fc.option(id, { nil: undefined }),
  list: fc.constantFrom(undefined, 'layers', 'hotspots'),
  index: fc.option(fc.integer({ min: -1, max: 5 }), { nil: undefined }),
};
const path = fc.array(
  fc.oneof(fc.constantFrom('x', 'type', 'layers', 'key', 'id', 'spans', 'border', '__proto__'), fc.nat(3)),
  {
    minLength: 1,
    maxLength: 3,
  },
);
const record = fc.oneof(
  fc.record({ layers: fc.array(fc.oneof(rawLayer, anything), { maxLength: 5 }), hotspots: anything }),
  fc.constant(RECORD as unknown as Json),
);
const command = fc.oneof(
  fc.record({ type: fc.constant('select'), ids }),
  fc.record({ type: fc.constant('set'), ids, path, value: anything }),
  fc.record({
    type: fc.constant('change'),
    changes: fc.array(fc.record({ id, fields: fc.record({ x: number, key: anything }) }), { maxLength: 3 }),
  }),
  fc.record({
    type: fc.constant('setRecord'),
    path: fc.array(fc.oneof(fc.constantFrom('width', 'layers', 'sizes', 'story'), fc.nat(2)), { maxLength: 3 }),
    value: anything,
  }),
  fc.record({ type: fc.constant('insert'), layers: fc.array(rawLayer, { maxLength: 2 }), ...target }),
  fc.record({ type: fc.constant('remove'), ids }),
  fc.record({ type: fc.constant('duplicate'), ids, dx: number, dy: number }),
  fc.record({ type: fc.constant('move'), ids, ...target }),
  fc.record({ type: fc.constant('group'), ids, box: fc.tuple(number, number, number, number) }),
  fc.record({ type: fc.constant('ungroup'), ids }),
  fc.record({ type: fc.constant('setKey'), id, key: fc.constantFrom(undefined, 'a', 'b', 'c') }),
  fc.record({ type: fc.constantFrom('hide', 'lock'), ids, value: fc.boolean() }),
  fc.record({ type: fc.constant('chooseSize'), size: fc.constantFrom(undefined, 'story', 'none') }),
  fc.record({ type: fc.constant('replace'), record, text: fc.constantFrom(undefined, 'text') }),
) as unknown as fc.Arbitrary<Command>;

t.test('any commands keep tree and record the same, and undo leads back to every document', async (t) => {
  const steps = fc.array(fc.tuple(command, fc.constantFrom(undefined, undefined, 'drag')), {
    minLength: 1,
    maxLength: 100,
  });
  fc.assert(
    fc.property(steps, (all) => {
      let history: History = createHistory(open());
      const documents = [history.present];
      for (const [each, merge] of all) {
        const before = JSON.stringify(history.present.record);
        const next = run(history, each, { label: each.type, merge });
        if (JSON.stringify(history.present.record) !== before)
          throw new Error('a command changed the document before it');
        checkTree(next.present);
        if (next.past.length === documents.length) documents.push(next.present);
        else documents[documents.length - 1] = next.present;
        history = next;
      }
      const latest = history;
      for (const document of documents.toReversed().slice(1)) {
        history = undo(history);
        // what is selected afterwards belongs to the step before
        if (history.present.record !== document.record) throw new Error('undo leads to another record');
      }
      if (undo(history) !== history) throw new Error('there is a step before the first');
      for (let i = 1; i < documents.length; i++) history = redo(history);
      if (history.present.record !== latest.present.record) throw new Error('redo leads to another record');
    }),
    { numRuns: 2000 },
  );
  t.pass();
});

t.test('values that are objects by accident are kept', async (t) => {
  const record = { layers: [null, 5, 'text', { type: 'text' }], hotspots: { not: 'a list' } } as unknown as Json;
  const document = createDocument(record);
  t.equal(document.layers.length, 4);
  const after = apply(document, { type: 'set', ids: document.layers.map(({ id }) => id), path: ['x'], value: 1 });
  t.same(after.record, { layers: [null, 5, 'text', { type: 'text', x: 1 }], hotspots: { not: 'a list' } });
  t.ok(isObject(after.record));
});
