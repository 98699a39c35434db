// Grids as Chromium lays them out. With UPDATE=1, a Chromium writes its boxes to grid-boxes.json.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { parseLayers } from '../../../lib/contract/layers/parse.js';
import { flexNode, type Measured } from '../../../lib/layers/layout/flex-node.js';
import { layOutTree } from '../../../lib/layout/flex/layout.js';
import type { FlexNode } from '../../../lib/layout/flex/node.js';
import { ROOT } from '../../checkout.js';
import { startChromium } from '../../chromium.js';
import { type Boxes, boxesIn, boxesOf, ROOM } from '../../layout/flex/boxes.js';
import { GRIDS } from './grids.js';
import { measure } from './measured.js';

const FILE = join(ROOT, 'test/layers/layout/grid-boxes.json');

function nodeOf(raw: object): FlexNode {
  const [layer] = parseLayers([raw]);
  const measured: Measured = new Map();
  measure(layer, measured);
  return flexNode(layer, measured, false);
}

const trees = Object.entries(GRIDS).map(([name, raw]) => ({ name, tree: nodeOf(raw) }));

if (process.env.UPDATE === '1') {
  t.test('writes the boxes of Chromium', async (t) => {
    const page = await (await startChromium(t))('data:text/html,<!doctype html>');
    const boxes = await boxesIn(
      page,
      trees.map(({ tree }) => tree),
    );
    const lines = trees.map(({ name }, i) => `  ${JSON.stringify(name)}: ${JSON.stringify(boxes[i])}`);
    writeFileSync(FILE, `{\n${lines.join(',\n')}\n}\n`);
    t.fail('grid-boxes.json is written anew');
  });
}

t.test('lays out grids like Chromium', (t) => {
  const recorded: Readonly<Record<string, Boxes>> = JSON.parse(readFileSync(FILE, 'utf8'));
  t.same(Object.keys(recorded), Object.keys(GRIDS));
  for (const { name, tree } of trees) {
    const boxes = boxesOf(layOutTree(tree, { ...ROOM, available: ROOM.width }));
    const isNear = (box: Boxes[number], i: number) =>
      box.every((value, side) => Math.abs(value - recorded[name][i]?.[side]) <= 1 / 32);
    if (boxes.length === recorded[name].length && boxes.every(isNear)) t.pass(name);
    else t.same(boxes, recorded[name], name);
  }
  t.end();
});
