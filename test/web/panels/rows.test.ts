// The rows of the panel Layers, and where layers come that are dragged over them.
import t from 'tap';
import { moveStep } from '../../../web/document/actions.js';
import { apply } from '../../../web/document/commands.js';
import { createDocument, type EditorDocument, nameOf, walk } from '../../../web/document/document.js';
import type { Json } from '../../../web/document/json.js';
import { dropAt, INDENT, ROW_HEIGHT } from '../../../web/panels/layers/drop-target.js';
import { type Row, rangeOf, rowByTyping, rowsOf } from '../../../web/panels/layers/rows.js';

const shape = (name: string): Json => ({ type: 'shape', name, x: 0, y: 0, width: 9, height: 9 });

const document = createDocument({
  layers: [
    shape('back'),
    {
      ...shape('outer'),
      type: 'group',
      layers: [shape('low'), { ...shape('inner'), type: 'group', layers: [shape('deep')] }],
    },
    { ...shape('empty'), type: 'group', layers: [] },
    shape('front'),
  ],
  hotspots: [{ ...shape('title'), key: 'title', label: 'title' }],
});

const ALL = rowsOf(document, { collapsed: new Set() });
const namesOf = (rows: readonly Row[]) =>
  rows.map(({ node, level }) => `${'-'.repeat(level)}${nameOf(node)}`).join(' ');
const idOf = (name: string) => [...walk(document)].find(({ node }) => nameOf(node) === name)!.node.id;

t.test('the topmost layer is first, and the layers of a group follow it', async (t) => {
  t.equal(namesOf(ALL), 'title front empty outer -inner --deep -low back');
  const collapsed = new Set([idOf('inner')]);
  t.equal(namesOf(rowsOf(document, { collapsed })), 'title front empty outer -inner -low back');
  t.equal(namesOf(rowsOf(document, { collapsed, filter: ' DEEP' })), 'deep');
  t.equal(namesOf(rowsOf(document, { collapsed, filter: 'group' })), 'empty outer inner', 'by type');
});

t.test('letters lead to the next row that begins so', async (t) => {
  const found = (from: string, typed: string) => {
    const row = rowByTyping(
      ALL,
      ALL.findIndex(({ node }) => nameOf(node) === from),
      typed,
    );
    return row && nameOf(row.node);
  };
  t.equal(found('title', 'f'), 'front');
  t.equal(found('back', 't'), 'title');
  t.equal(found('low', 'lo'), 'low');
  t.equal(found('low', 'x'), undefined);
});

t.test('a range has the rows from one to another', async (t) => {
  t.same(rangeOf(ALL, idOf('empty'), idOf('inner')), ['empty', 'outer', 'inner'].map(idOf));
  t.same(rangeOf(ALL, idOf('inner'), idOf('empty')), ['empty', 'outer', 'inner'].map(idOf));
  t.same(rangeOf(ALL, undefined, idOf('empty')), [idOf('empty')]);
});

/** The record's rows after a layer was dropped `part` of the way down the row of another; x in levels. */
function dropped(name: string, over: string, part: number, level = 9): string | undefined {
  const at = ALL.findIndex(({ node }) => nameOf(node) === over);
  const drop = dropAt(ALL, new Set([idOf(name)]), { x: level * INDENT + 1, y: (at + part) * ROW_HEIGHT });
  if (!drop) return undefined;
  const step = moveStep(document, new Map(), [idOf(name)], drop.target);
  const after: EditorDocument = step ? apply(document, step.command) : document;
  return namesOf(rowsOf(after, { collapsed: new Set() }));
}

t.test('layers come between rows, into groups, and out of them', async (t) => {
  t.equal(dropped('back', 'front', 0.2), 'title back front empty outer -inner --deep -low');
  t.equal(dropped('back', 'front', 0.8), 'title front back empty outer -inner --deep -low');
  t.equal(dropped('back', 'empty', 0.5), 'title front empty -back outer -inner --deep -low');
  t.equal(dropped('back', 'outer', 0.9), 'title front empty outer -back -inner --deep -low', 'below an open group');
  t.equal(dropped('front', 'empty', 0.9), 'title empty front outer -inner --deep -low back', 'below an empty one');
  t.equal(dropped('deep', 'low', 0.2), 'title front empty outer -inner -deep -low back');
  t.equal(dropped('title', 'back', 0.9), 'front empty outer -inner --deep -low back title');
  t.equal(dropped('back', 'title', 0.2), 'back title front empty outer -inner --deep -low', 'over a hotspot');
});

t.test('below the last layer of a group, the level is that of the pointer', async (t) => {
  t.equal(dropped('back', 'low', 0.9, 1), 'title front empty outer -inner --deep -low -back');
  t.equal(dropped('front', 'low', 0.9, 0), 'title empty outer -inner --deep -low front back');
  t.equal(dropped('front', 'deep', 0.9, 2), 'title empty outer -inner --deep --front -low back');
});

t.test('a group does not come into itself', async (t) => {
  t.equal(dropped('outer', 'deep', 0.5), undefined);
  t.equal(dropped('outer', 'outer', 0.5), undefined);
  t.equal(dropAt([], new Set(), { x: 0, y: 0 }), undefined);
});
