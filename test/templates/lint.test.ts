// Probable mistakes in templates, each with a case that has it and close cases that don't.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import t from 'tap';
import { RenderError } from '../../lib/errors.js';
import { loadDataFor } from '../../lib/load-data.js';
import { lintTemplate } from '../../lib/templates/lint.js';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const box = { x: 10, y: 10, width: 50, height: 20 };
const title = { key: 'title', label: 'Title', type: 'text', ...box, autoFit: true };
const photo = { key: 'photo', label: 'Photo', type: 'image', ...box };
const code = { key: 'code', label: 'Code', type: 'qrcode', x: 0, y: 0, width: 60, height: 60 };
const panel = { type: 'shape', shapeType: 'rectangle', x: 0, y: 0, width: 100, height: 50, fillColor: '#123456' };
const card = { name: 'Card', width: 100, height: 50 };

const found = (fields: object) =>
  lintTemplate({ ...card, ...fields }).map(({ path, message }) => `${path}: ${message}`);

t.test('the bundled templates have no findings', async (t) => {
  const folder = join(ROOT, 'data/templates');
  for (const name of readdirSync(folder).filter((each) => each.endsWith('.json'))) {
    const record = JSON.parse(readFileSync(join(folder, name), 'utf8'));
    await loadDataFor(record);
    t.same(lintTemplate(record), [], name);
  }
});

t.test('rejects a malformed template', async (t) => {
  t.throws(() => lintTemplate({ ...card, width: 0 }), RenderError);
  t.throws(() => lintTemplate(null), RenderError);
});

t.test('reports what validate warns about, also for hotspots without a default', async (t) => {
  t.same(found({ hotspots: [{ ...title, fontFamily: 'Robotto', colour: 'red' }] }), [
    'hotspots[0].colour: is no known field and is ignored; did you mean color?',
    'hotspots[0].fontFamily: unknown font family "Robotto": Inter is used instead; did you mean "Roboto"?',
  ]);
  t.same(found({ layers: [{ ...photo, x: 200 }], hotspots: [{ ...code, width: 0, height: 10 }] }), [
    'layers[0]: lies wholly off the canvas of 100 × 50',
    'hotspots[0].width: is 0: the layer draws nothing',
  ]);
});

t.test('a template without hotspots', async (t) => {
  t.same(found({ layers: [panel] }), ['hotspots: there are no hotspots: all renders of the template are the same']);
});

t.test('keys and labels that are easily confused', async (t) => {
  const hotspots = [
    { ...title, key: 'Title', label: 'Headline' },
    { ...title, label: 'Headline' },
    { ...photo, label: 'title' },
    { ...photo, key: 'code', label: 'code' },
  ];
  t.same(found({ hotspots }), [
    'hotspots[1].key: differs from hotspots[0].key only in upper and lower case',
    'hotspots[1].label: is that of hotspots[0] too: a variable of that name fills both',
    'hotspots[2].label: is the key of hotspots[1]: a variable of that name fills only that',
  ]);
});

t.test('URLs', async (t) => {
  const large = `data:image/png;base64,${'A'.repeat(2 * 1024 * 1024)}`;
  const layers = [{ type: 'image', ...box, url: large }];
  const hotspots = [
    { ...photo, url: 'http://example.com/a.png' },
    { ...title, customFontUrl: 'https://example.com/a.ttf' },
  ];
  t.same(found({ background: { url: 'http://example.com/b.png' }, layers, hotspots }), [
    'background.url: is fetched without encryption: use https:',
    'layers[0].url: is a data: URL of 2.0 MiB, which every render reads: make it smaller, or host it',
    'hotspots[0].url: is fetched without encryption: use https:',
  ]);
});

t.test('text that long values overflow, and placeholders', async (t) => {
  const loose = { ...title, autoFit: false };
  t.same(found({ hotspots: [{ ...loose, maxLines: 2 }] }), []);
  t.same(found({ layers: [{ ...box, type: 'text', text: 'Dear {{ first_name }}' }], hotspots: [loose] }), [
    'layers[0].text: {{ first_name }} stays as it is: set "placeholders": true in the template to fill it with a variable',
    'hotspots[0]: has neither autoFit nor maxLines: a long text overflows the box',
  ]);
});

t.test('text and codes that the canvas cuts off, but not images that bleed', async (t) => {
  const turned = { ...title, x: 60, y: 15, width: 40, height: 20, rotation: 90 };
  const hotspots = [{ ...photo, x: -5 }, { ...code, x: 60 }, turned, { ...title, key: 'b', label: 'B', rotation: 90 }];
  t.same(found({ hotspots }), [
    'hotspots[1]: reaches beyond the canvas of 100 × 50, which cuts it off',
    'hotspots[3]: reaches beyond the canvas of 100 × 50, which cuts it off',
  ]);
});

t.test('layers that an opaque fixed layer covers', async (t) => {
  const message = 'is hidden: layers[1] is opaque and covers it';
  t.same(found({ background: { url: 'https://example.com/b.png' }, layers: [photo, panel], hotspots: [title] }), [
    `background.url: ${message}`,
    `layers[0]: ${message}`,
  ]);
  const covers: [object, boolean][] = [
    [{ fillColor: undefined }, true],
    [{ shapeType: 'rounded_rectangle', borderRadius: 10 }, true],
    [{ x: -50, width: 500 }, true],
    [{ fillColor: '#12345680' }, false],
    [{ fillColor: undefined, border: { width: 2 } }, false],
    [{ opacity: 0.9 }, false],
    [{ rotation: 10 }, false],
    [{ filter: 'sepia() drop-shadow(1px 1px red)' }, true],
    [{ filter: 'opacity(90%)' }, false],
    [{ filter: 'blur(4px)' }, false],
    [{ shapeType: 'circle' }, false],
    [{ x: 20 }, false],
    [{ key: 'panel' }, false],
  ];
  for (const [fields, isCovered] of covers) {
    const reported = found({ layers: [photo, { ...panel, ...fields }] });
    t.same(reported, isCovered ? [`layers[0]: ${message}`] : [], JSON.stringify(fields));
  }
  const covering = { ...panel, ...box };
  t.same(found({ layers: [photo, covering] }), [`layers[0]: ${message}`]);
  for (const beyond of [{ shadow: { blur: 9 } }, { filter: 'blur(4px)' }]) {
    t.same(found({ layers: [{ ...photo, ...beyond }, covering] }), [], JSON.stringify(beyond));
  }
});

t.test('text in the colour of what lies behind it', async (t) => {
  const white = { ...title, color: '#ffffff' };
  const message = 'color: is the colour of what lies behind the text: it is invisible';
  const whitePanel = { ...panel, fillColor: '#fefefe' };
  const rows: [object, boolean][] = [
    [{ background: { color: 'white' } }, true],
    [{ background: { color: 'white' }, layers: [whitePanel] }, true],
    [{ layers: [whitePanel] }, true],
    [{ background: { color: 'white' }, layers: [panel] }, false],
    [{ background: { color: 'white' }, layers: [{ ...panel, width: 30 }] }, false],
    [{ background: { color: 'white' }, layers: [photo] }, false],
    [{ layers: [{ ...whitePanel, filter: 'invert()' }] }, false],
    [{ background: { color: 'white' }, layers: [{ ...whitePanel, y: 100, filter: 'blur(30px)' }] }, false],
    [{ background: { color: 'white', url: 'https://example.com/b.png' } }, false],
    [{}, false],
  ];
  for (const [fields, isReported] of rows) {
    t.same(
      found({ ...fields, hotspots: [white] }),
      isReported ? [`hotspots[0].${message}`] : [],
      JSON.stringify(fields),
    );
  }
  for (const visible of [
    { stroke: { width: 1 } },
    { shadow: { blur: 2 } },
    { filter: 'brightness(0)' },
    { color: '#f0f0f0' },
  ]) {
    t.same(found({ background: { color: 'white' }, hotspots: [{ ...white, ...visible }] }), []);
  }
});
