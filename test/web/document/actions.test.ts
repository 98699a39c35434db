// Menus and shortcuts: the order of layers, groups whose layers stay where they are on the canvas, names and keys.
import fc from 'fast-check';
import t from 'tap';
import {
  ACTIONS,
  type Action,
  actionFor,
  keyFault,
  keysOf,
  moveStep,
  renameStep,
} from '../../../web/document/actions.js';
import { apply } from '../../../web/document/commands.js';
import { boundsOf, type Placements, placementOf, transformed } from '../../../web/document/coordinates.js';
import { createDocument, type EditorDocument, locate, nameOf, walk } from '../../../web/document/document.js';
import type { Json } from '../../../web/document/json.js';

const box = (name: string, x: number, y: number, more: Json = {}): Json => ({
  type: 'shape',
  name,
  x,
  y,
  width: 20,
  height: 10,
  ...more,
});

const hotspot = (name: string): Json => box(name, 0, 0, { key: name, label: name });

const RECORD: Json = {
  name: 'Card',
  width: 400,
  height: 200,
  layers: [
    box('back', 0, 0),
    { ...box('outer', 50, 60), type: 'group', layers: [box('low', 1, 2), box('high', 3, 4)] },
    box('front', 10, 20),
  ],
  hotspots: [hotspot('photo'), hotspot('title')],
};

const NONE: Placements = new Map();

function idOf(document: EditorDocument, name: string): number {
  for (const { node } of walk(document)) if (nameOf(node) === name) return node.id;
  throw new Error(`there is no layer ${name}`);
}

/** The names of the layers from the back to the front, those of a group in brackets. */
function names(document: EditorDocument): string {
  const within = (nodes: EditorDocument['layers']): string =>
    nodes.map((node) => nameOf(node) + (node.children.length > 0 ? `(${within(node.children)})` : '')).join(' ');
  return `${within(document.layers)} | ${within(document.hotspots)}`;
}

function after(action: Action, selected: readonly string[], record = RECORD, placements = NONE): EditorDocument {
  const document = createDocument(record);
  const ids = selected.map((name) => idOf(document, name));
  const chosen = apply(document, { type: 'select', ids });
  const step = action.step(chosen, placements);
  return step ? apply(chosen, step.command) : chosen;
}

t.test('layers change their order', async (t) => {
  const order = (action: Action, ...selected: string[]) => names(after(action, selected));
  t.equal(order(ACTIONS.bringForward, 'back'), 'outer(low high) back front | photo title');
  t.equal(order(ACTIONS.sendBackward, 'front'), 'back front outer(low high) | photo title');
  t.equal(order(ACTIONS.sendToBack, 'front'), 'front back outer(low high) | photo title');
  t.equal(order(ACTIONS.bringForward, 'low'), 'back outer(high low) front | photo title');
  t.equal(order(ACTIONS.sendBackward, 'title'), 'back outer(low high) front | title photo');
  t.equal(order(ACTIONS.bringForward, 'back', 'front'), 'outer(low high) photo back front | title', 'as a block');
});

t.test('fixed layers come over hotspots, which become hotspots in place', async (t) => {
  const forward = after(ACTIONS.bringForward, ['front']);
  t.equal(names(forward), 'back outer(low high) photo front | title');
  t.same((forward.record.layers as Json[])[2], hotspot('photo'));
  t.equal(names(after(ACTIONS.bringToFront, ['front'])), 'back outer(low high) photo title front | ');
  const grouped = after(ACTIONS.group, ['photo', 'title']);
  t.equal(names(grouped), 'back outer(low high) front Group(photo title) | ');
});

t.test('an action that would change nothing makes no step', async (t) => {
  const document = createDocument(RECORD);
  const steps = (name: string) => {
    const chosen = apply(document, { type: 'select', ids: [idOf(document, name)] });
    return Object.entries<Action>(ACTIONS)
      .filter(([, each]) => !each.step(chosen, NONE))
      .map(([each]) => each);
  };
  t.same(steps('back'), ['ungroup', 'sendBackward', 'sendToBack', 'moveOut']);
  t.same(steps('title'), ['bringToFront', 'bringForward', 'ungroup', 'moveOut', 'moveInto'].sort(byAction));
  for (const each of Object.values<Action>(ACTIONS))
    t.equal(each.step(document, NONE), undefined, 'nothing is selected');
});

const byAction = (a: string, b: string) => Object.keys(ACTIONS).indexOf(a) - Object.keys(ACTIONS).indexOf(b);

t.test('layers go into the group next to them and out of it, and stay where they are', async (t) => {
  const into = after(ACTIONS.moveInto, ['front']);
  t.equal(names(into), 'back outer(low high front) | photo title');
  t.match(locate(into, idOf(into, 'front'))!.node.raw, { x: -40, y: -40 });
  t.equal(names(after(ACTIONS.moveInto, ['back'])), 'outer(back low high) front | photo title');
  const out = after(ACTIONS.moveOut, ['low']);
  t.equal(names(out), 'back outer(high) low front | photo title');
  t.match(locate(out, idOf(out, 'low'))!.node.raw, { x: 51, y: 62 });
});

t.test('a group gets the box around its layers, those of other groups too', async (t) => {
  const grouped = after(ACTIONS.group, ['low', 'front']);
  t.equal(names(grouped), 'back outer(high) Group(low front) | photo title');
  const made = locate(grouped, grouped.selection[0]!)!.node;
  t.match(made.raw, {
    x: 10,
    y: 20,
    width: 61,
    height: 52,
    layers: [
      { x: 41, y: 42 },
      { x: 0, y: 0 },
    ],
  });
});

t.test('layers of a layout get numbers when they leave it', async (t) => {
  const row = {
    ...box('row', 50, 60),
    type: 'group',
    layout: 'row',
    layers: [box('item', 0, 0, { width: 'fill', grow: 1 })],
  };
  const record = { ...RECORD, layers: [row], hotspots: [] };
  const document = createDocument(record);
  const placements: Placements = new Map([
    [idOf(document, 'item'), { box: [55, 65, 200, 10], transform: [1, 0, 0, 1, 0, 0] }],
  ]);
  const out = after(ACTIONS.moveOut, ['item'], record, placements);
  t.same(locate(out, idOf(out, 'item'))!.node.raw, box('item', 55, 65, { width: 200 }));
  const back = moveStep(out, placements, [idOf(out, 'item')], { parent: idOf(out, 'row') })!;
  t.match(locate(apply(out, back.command), idOf(out, 'item'))!.node.raw, { x: undefined, y: undefined, width: 200 });
});

const number = fc.integer({ min: -100, max: 100 });
const angle = fc.constantFrom(0, 0, 30, 90, -45);
const leaf = fc.record({ x: number, y: number, rotation: angle });
const groupOf = fc.record({
  x: number,
  y: number,
  rotation: angle,
  layers: fc.array(leaf, { minLength: 1, maxLength: 3 }),
});

/** The middle of each shape on the canvas, in hundredths of a pixel, and its rotation. */
function seen(document: EditorDocument): string[] {
  return [...walk(document)]
    .filter(({ node }) => node.raw.type === 'shape')
    .map(({ node }) => {
      const { box: at, transform } = placementOf(document, NONE, node.id);
      const [x, y] = transformed(transform, [at[0] + at[2] / 2, at[1] + at[3] / 2]);
      const [a, b] = transform.map((each) => Math.round(each * 1000) + 0);
      return `${nameOf(node)} ${Math.round(x)} ${Math.round(y)} ${a} ${b}`;
    })
    .sort();
}

t.test('groups, ungrouped layers and layers in other groups stay where they are on the canvas', async () => {
  const actions = [ACTIONS.group, ACTIONS.ungroup, ACTIONS.moveInto, ACTIONS.moveOut];
  fc.assert(
    fc.property(
      fc.array(groupOf, { minLength: 1, maxLength: 3 }),
      fc.array(fc.tuple(fc.constantFrom(...actions), fc.array(fc.nat(12), { minLength: 1, maxLength: 3 }))),
      (groups, runs) => {
        let count = 0;
        const layers = groups.map(({ layers: inner, ...fields }) => ({
          ...fields,
          type: 'group',
          width: 80,
          height: 40,
          layers: inner.map((each) => ({ ...each, type: 'shape', name: `s${count++}`, width: 20, height: 10 })),
        }));
        let document = createDocument({ name: 'x', width: 400, height: 200, scale: 2, layers });
        const before = seen(document);
        for (const [each, picks] of runs) {
          const all = [...walk(document)].map(({ node }) => node.id);
          document = apply(document, { type: 'select', ids: picks.map((pick) => all[pick % all.length]!) });
          const step = each.step(document, NONE);
          if (step) document = apply(document, step.command);
        }
        const now = seen(document);
        for (const [index, line] of now.entries()) {
          const [name, ...numbers] = line.split(' ');
          const [was, ...others] = before[index]!.split(' ');
          // each step rounds to hundredths, of pixels and of degrees
          const isNear = numbers.every((each, i) => Math.abs(Number(each) - Number(others[i])) <= 4);
          if (name !== was || !isNear) throw new Error(`${before[index]} became ${line}`);
        }
      },
    ),
    { numRuns: 200 },
  );
});

t.test('the box around layers is in the coordinates of the group', async (t) => {
  const document = createDocument({ ...RECORD, scale: 2 });
  const outer = idOf(document, 'outer');
  t.same(boundsOf(document, NONE, [idOf(document, 'low'), idOf(document, 'high')], outer), [1, 2, 22, 12]);
  t.same(boundsOf(document, NONE, [idOf(document, 'low')]), [51, 62, 20, 10]);
});

t.test('shortcuts are found by their keys', async (t) => {
  const event = { key: 'g', ctrlKey: true, metaKey: false, altKey: false, shiftKey: false };
  t.equal(actionFor(keysOf(event)), ACTIONS.group);
  t.equal(actionFor(keysOf({ ...event, key: 'G', shiftKey: true })), ACTIONS.ungroup);
  t.equal(actionFor(keysOf({ ...event, key: ']', ctrlKey: false, metaKey: true })), ACTIONS.bringForward);
  t.equal(actionFor(keysOf({ ...event, key: 'x' })), undefined);
  const keys = Object.values<Action>(ACTIONS).flatMap((each) => each.keys);
  t.equal(new Set(keys).size, keys.length, 'no two actions have the same');
});

t.test('keys are checked, and names set', async (t) => {
  const document = createDocument(RECORD);
  const [front, title] = [idOf(document, 'front'), idOf(document, 'title')];
  t.match(keyFault(document, front, 'title'), /“title” has the key title already/);
  t.equal(keyFault(document, title, 'title'), undefined);
  t.match(keyFault(document, front, ''), /Type a key/);
  t.match(keyFault(document, front, 'x'.repeat(201)), /at most 200/);
  const rename = (id: number, name: string) => {
    const step = renameStep(locate(document, id)!, name);
    return step && locate(apply(document, step.command), id)!.node.raw;
  };
  t.match(rename(front, ' Badge '), { name: 'Badge' });
  t.equal('name' in rename(front, '')!, false);
  t.match(rename(title, 'Headline'), { key: 'title', label: 'Headline' });
  t.match(rename(title, ' '), undefined, 'a hotspot keeps a label');
  t.equal(rename(front, 'front'), undefined);
});
