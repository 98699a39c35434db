// New layers: valid by the schema and without a warning, in the middle, and in a colour that stands out.
import t from 'tap';
import { checkTemplate } from '../../../lib/contract/template/parse.js';
import { lintTemplate } from '../../../lib/templates/lint.js';
import { createDocument } from '../../../web/document/document.js';
import type { Json } from '../../../web/document/json.js';
import { groundAt, KINDS, type KindName, newLayer, SHAPES, textLayer } from '../../../web/panels/add/new-layers.js';

const names = Object.keys(KINDS) as KindName[];

const CANVASES = [
  [1200, 630],
  [1080, 1920],
  [200, 200],
] as const;

t.test('every new layer is valid and without a warning, on any canvas', async (t) => {
  for (const [width, height] of CANVASES) {
    for (const kind of names) {
      const layer = newLayer(kind, { area: { x: 0, y: 0, width, height }, ground: '#ffffff' });
      const record = { name: 'New', width, height, layers: [layer] };
      t.doesNotThrow(() => checkTemplate(record, { maxLayers: 10 }), `${kind} on ${width} × ${height}`);
      const findings = lintTemplate(record).filter(({ path }) => path !== 'hotspots');
      t.same(findings, [], `${kind} on ${width} × ${height}`);
    }
  }
});

t.test('a new layer in a group with a layout has no place of its own', async (t) => {
  for (const kind of names) {
    const layer = newLayer(kind, {
      area: { x: 0, y: 0, width: 300, height: 200 },
      ground: '#ffffff',
      isLaidOut: true,
    });
    const group = { type: 'group', layout: 'row', x: 0, y: 0, width: 300, height: 200, layers: [layer] };
    const findings = lintTemplate({ name: 'New', width: 300, height: 200, layers: [group] });
    t.same(
      findings.filter(({ path }) => path !== 'hotspots'),
      [],
      kind,
    );
  }
});

t.test('it lies in the middle of what is visible', async (t) => {
  const area = { x: 0, y: 0, width: 1000, height: 500 };
  for (const kind of names) {
    const { x, y, width, height, fontSize } = newLayer(kind, { area, ground: '#ffffff' }) as Record<string, number>;
    const high = typeof height === 'number' ? height : kind === 'table' ? 157 : fontSize! * 1.2;
    t.ok(Math.abs(x! + width! / 2 - 500) <= 1 && Math.abs(y! + high / 2 - 250) <= 1, kind);
  }
  const visible = { x: 800, y: 400, width: 100, height: 50 };
  t.match(newLayer('rectangle', { area, visible, ground: '#ffffff' }), { x: 750, y: 325, width: 200 });
});

t.test('the menu of shapes has all kinds of shapes', async (t) => {
  t.same(
    SHAPES,
    names.filter((kind) => newLayer(kind, { area: { x: 0, y: 0, width: 9, height: 9 }, ground: '' }).type === 'shape'),
  );
});

/** Reads hexadecimal colours alone. */
const read = (color: string) => (/^#[0-9a-f]{6}$/.test(color) ? color : undefined);

t.test('its colour stands out from the topmost plain fill below it', async (t) => {
  const cover = { type: 'shape', shapeType: 'rectangle', x: 0, y: 0, width: 100, height: 100 };
  const ground = (record: Json, at: [number, number] = [50, 50]) => groundAt(createDocument(record), at, read);
  const dark = { width: 100, height: 100, background: { color: '#14213d' } };
  t.equal(ground({ width: 100, height: 100 }), '#ffffff');
  t.equal(ground(dark), '#14213d');
  t.equal(ground({ ...dark, layers: [{ ...cover, fillColor: '#eeeeee' }] }), '#eeeeee');
  t.equal(
    ground({ ...dark, layers: [{ ...cover, fillColor: 'rgba(0,0,0,0.1)' }] }),
    '#14213d',
    'not what shines through',
  );
  t.equal(ground({ ...dark, layers: [{ ...cover, x: 60, fillColor: '#eeeeee' }] }), '#14213d', 'not what is beside it');
  t.equal(ground({ ...dark, layers: [{ ...cover, visible: false, fillColor: '#eeeeee' }] }), '#14213d');
  const area = { x: 0, y: 0, width: 100, height: 100 };
  t.match(newLayer('text', { area, ground: '#14213d' }), { color: '#ffffff' });
  t.match(newLayer('text', { area, ground: '#eeeeee' }), { color: '#1f2937' });
});

t.test('pasted text is the text of its layer', async (t) => {
  const area = { x: 0, y: 0, width: 100, height: 100 };
  t.match(textLayer('two\nlines', { area, ground: '#ffffff' }), { type: 'text', text: 'two\nlines', height: 'auto' });
});
