// The carets of a text that a render is asked for.
import t from 'tap';
import '../../lib/node-host.js';
import { createAssets } from '../../lib/assets/loader.js';
import { createFontRegistry } from '../../lib/fonts/registry.js';
import type { TextCarets } from '../../lib/render/inspected.js';
import { renderScene } from '../../lib/render.js';
import { resolve } from '../../lib/templates/resolve.js';

const typefaces = createFontRegistry();
const layer = { type: 'text', x: 10, y: 20, width: 200, height: 40, fontFamily: 'JetBrains Mono', fontSize: 10 };

async function caretsOf(
  caretsOf: string,
  payload: unknown,
  variables?: Readonly<Record<string, unknown>>,
): Promise<TextCarets | undefined> {
  const assets = createAssets({ timeoutMs: 1000, maxBytes: 1e6, maxPixels: 1e6 });
  const scene = resolve(payload, { maxLayers: 100, checkUrl: assets.source, variables });
  let found: TextCarets | undefined;
  await renderScene(scene, {
    assets,
    typefaces,
    caretsOf,
    onInspected({ carets }) {
      found = carets;
    },
  });
  return structuredClone(found);
}

const canvas = { width: 400, height: 300 };
const caretsOfText = (more: object) => caretsOf('layers[0]', { canvas, layers: [{ ...layer, ...more }] });

const listed = (carets: TextCarets | undefined) =>
  carets?.stops.map(({ offset, x }) => [offset, Math.round(1000 * x) / 1000]);

t.test('carets lie in the layer’s space, inside its padding', async (t) => {
  const carets = await caretsOfText({ text: 'ab', padding: 5, verticalAlign: 'bottom', lineHeight: 1.2 });
  t.match(carets, { path: 'layers[0]', recordPath: 'layers[0]', text: 'ab', isEditable: true });
  t.match(carets?.lines, [{ start: 0, end: 2, x: 15, y: 20 + 40 - 5 - 12, width: 12, height: 12 }]);
  t.strictSame(listed(carets), [
    [0, 15],
    [1, 21],
    [2, 27],
  ]);
});

t.test('a text in a group has the coordinates of its box', async (t) => {
  const group = { type: 'group', x: 100, y: 50, width: 300, height: 200, rotation: 90 };
  const payload = { canvas, layers: [{ ...group, layers: [{ ...layer, text: 'a' }] }] };
  const carets = await caretsOf('layers[0].layers[0]', payload);
  t.match(carets?.lines, [{ x: 110, y: 70 }]);
  t.equal(await caretsOf('layers[0]', payload), undefined, 'a group has none');
});

t.test('offsets are those of all spans', async (t) => {
  const carets = await caretsOfText({ spans: [{ text: 'ab' }, { text: 'c', fontSize: 20 }] });
  t.equal(carets?.text, 'abc');
  t.strictSame(listed(carets), [
    [0, 10],
    [1, 16],
    [2, 22],
    [3, 34],
  ]);
});

t.test('offsets are those before textTransform', async (t) => {
  const carets = await caretsOfText({ text: 'aßb\nŉ', textTransform: 'uppercase' });
  t.match(carets, { isEditable: true, text: 'aßb\nŉ' });
  t.strictSame(listed(carets), [
    [0, 10],
    [1, 16],
    [2, 28],
    [3, 34],
    [4, 10],
    [5, 22],
  ]);
  t.match(carets?.lines, [
    { start: 0, end: 3 },
    { start: 4, end: 5 },
  ]);
  const spans = [{ text: 'ß' }, { text: 'straße', textTransform: 'capitalize' }];
  const mixed = await caretsOfText({ spans, textTransform: 'uppercase' });
  t.strictSame(
    mixed?.stops.map(({ offset }) => offset),
    [0, 1, 2, 3, 4, 5, 6, 7],
  );
});

t.test('a text that markup changes, or on a path, can’t be edited in place', async (t) => {
  const none = { isEditable: false, lines: [], stops: [] };
  t.match(await caretsOfText({ text: 'a **b**', markup: true }), { ...none, text: 'a **b**' });
  t.match(await caretsOfText({ text: 'a \\*b', markup: true }), none);
  t.match(await caretsOfText({ text: 'a * b', markup: true }), { isEditable: true, stops: { length: 6 } });
  t.match(await caretsOfText({ text: 'a', textPath: 'M0 0 L 100 0' }), none);
});

const record = {
  name: 'Card',
  ...canvas,
  placeholders: true,
  layers: [
    { ...layer, text: 'Dear {{name}}' },
    { ...layer, text: 'plain' },
    { ...layer, key: 'title', text: 'Title' },
  ],
  hotspots: [{ ...layer, key: 'last', label: 'Last', text: 'Last' }],
};

t.test('a text of a template can be edited where it is the raw layer’s own', async (t) => {
  const isEditable = async (path: string) => (await caretsOf(path, record, { name: 'Ada', title: 'New' }))?.isEditable;
  t.equal(await isEditable('layers[0]'), false, 'a placeholder');
  t.equal(await isEditable('layers[1]'), true);
  t.equal(await isEditable('layers[2]'), false, 'a variable');
  t.equal(await isEditable('hotspots[0]'), true);
  const byKey = await caretsOf('hotspots.title', record, { name: 'Ada' });
  t.match(byKey, { path: 'hotspots.title', recordPath: 'layers[2]', text: 'Title', isEditable: true });
});
