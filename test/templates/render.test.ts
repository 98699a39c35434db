// Rendering of templates: pixels, and the paths of errors and warnings.
import t from 'tap';
import { RenderError } from '../../lib/index.js';
import { createRenderer, render } from '../any-payload.js';

const box = { x: 0, y: 0, width: 100, height: 30 };
const title = { key: 'title', label: 'Title', type: 'text', ...box, text: 'Hello', fontSize: 20 };
const photo = { key: 'photo', label: 'Photo', type: 'image', ...box, id: 'pic' };
const code = { key: 'code', label: 'Code', type: 'qrcode', ...box };
const box0 = { type: 'shape', shapeType: 'rectangle', ...box };
const card = { name: 'Card', width: 120, height: 60 };
const svg = (color: string) =>
  `data:image/svg+xml,${encodeURIComponent(`<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><rect width="9" height="9" fill="${color}"/></svg>`)}`;

async function failureOf(template: object, variables: Record<string, unknown> = {}): Promise<RenderError> {
  try {
    await render({ ...card, ...template }, { variables });
  } catch (error) {
    if (error instanceof RenderError) return error;
    throw error;
  }
  throw new Error('it was rendered');
}

t.test('a template with variables renders the same pixels as its layers', async (t) => {
  const background = { color: '#ddeeff', url: svg('teal') };
  const rule = { type: 'shape', shapeType: 'line', x: 0, y: 40, width: 120, height: 2 };
  const template = { ...card, background, layers: [rule], hotspots: [title, photo, { ...code, y: 30 }] };
  const filled = await render(template, { variables: { title: 'Bye', Code: 'abc', photo: null } });
  const { key: _key, label: _label, ...text } = title;
  const twin = await render({
    canvas: { width: 120, height: 60, backgroundColor: '#ddeeff' },
    layers: [
      { type: 'image', x: 0, y: 0, width: 120, height: 60, url: background.url },
      rule,
      { ...text, text: 'Bye' },
      { type: 'qrcode', ...box, y: 30, data: 'abc' },
    ],
  });
  t.match(filled, { format: 'png', width: 120, height: 60, warnings: [] });
  t.ok(Buffer.from(filled.bytes).equals(twin.bytes));
});

t.test('a hotspot in place is filled where it lies, below the fixed layers after it', async (t) => {
  const frame = { type: 'shape', shapeType: 'rectangle', ...box, y: 10, fillColor: '#00000080' };
  const { key: _key, label: _label, ...picture } = photo;
  const filled = await render({ ...card, layers: [box0, photo, frame] }, { variables: { Photo: svg('teal') } });
  const twin = await render({
    canvas: { width: 120, height: 60 },
    layers: [box0, { ...picture, url: svg('teal') }, frame],
  });
  t.same(filled.warnings, []);
  t.ok(Buffer.from(filled.bytes).equals(twin.bytes));
  const hidden = await render({ ...card, layers: [box0, photo, frame] }, { variables: { photo: null } });
  const without = await render({ ...card, layers: [box0, frame], hotspots: [] });
  t.ok(Buffer.from(hidden.bytes).equals(without.bytes));
});

t.test('a renderer takes variables per render; format and quality come from the options', async (t) => {
  const renderer = createRenderer();
  const template = { ...card, hotspots: [title] };
  const [one, two, same] = await Promise.all(
    ['A', 'B', 'A'].map((text) => renderer.render(template, { variables: { title: text } })),
  );
  t.notOk(Buffer.from(one.bytes).equals(two.bytes));
  t.ok(Buffer.from(one.bytes).equals(same.bytes));
  t.equal((await renderer.render(template, { format: 'jpg', quality: 10 })).format, 'jpeg');
});

t.test('errors have paths, from validation and from loading', async (t) => {
  const rows: [object, Record<string, unknown>, string, string[]][] = [
    [{ hotspots: [photo] }, { photo: 'gopher://x' }, 'render_failed', ['variables.photo']],
    [{ hotspots: [photo] }, { Photo: { url: 'gopher://x' } }, 'render_failed', ['variables.Photo']],
    [{ hotspots: [{ ...photo, url: 'gopher://x' }] }, {}, 'render_failed', ['hotspots.photo.url']],
    [{ hotspots: [title] }, { title: { fontSize: -1 } }, 'render_failed', ['variables.title']],
    [{ hotspots: [code] }, { code: 'x'.repeat(4000) }, 'render_failed', ['variables.code']],
    [{ background: { url: 'gopher://x' }, hotspots: [] }, {}, 'render_failed', ['background.url']],
    [{ background: { url: 'http://127.0.0.1:1/' }, hotspots: [] }, {}, 'asset_failed', ['background.url']],
    [{ hotspots: [photo] }, { photo: 'http://127.0.0.1:1/' }, 'asset_failed', ['variables.photo']],
    [{ hotspots: [{ ...photo, url: 'http://127.0.0.1:1/' }] }, {}, 'asset_failed', ['hotspots.photo.url']],
    [
      { hotspots: [title] },
      { title: { customFontUrl: 'data:font/ttf;base64,AAAA' } },
      'render_failed',
      ['variables.title'],
    ],
    [
      { layers: [{ type: 'image', ...box, url: 'data:image/png;base64,AAAA' }], hotspots: [photo] },
      { photo: 'http://127.0.0.1:1/' },
      'render_failed',
      ['layers[0].url', 'variables.photo'],
    ],
    [{ hotspots: [{ key: 'a' }] }, {}, 'invalid_request', ['hotspots[0].type']],
    // hotspots in place
    [{ layers: [box0, photo] }, { photo: 'gopher://x' }, 'render_failed', ['variables.photo']],
    [{ layers: [box0, { ...photo, url: 'gopher://x' }] }, {}, 'render_failed', ['hotspots.photo.url']],
    [{ layers: [box0, { ...photo, url: 'http://127.0.0.1:1/' }] }, {}, 'asset_failed', ['hotspots.photo.url']],
    [{ layers: [{ ...box0, key: 'box' }] }, { box: 'red' }, 'render_failed', ['variables.box']],
    [{ layers: [photo], hotspots: [photo] }, {}, 'invalid_request', ['hotspots[0].key']],
  ];
  for (const [template, variables, code, paths] of rows) {
    const error = await failureOf(template, variables);
    t.equal(error.code, code, JSON.stringify(variables));
    t.same(
      error.details.map(({ path }) => path),
      paths,
    );
  }
  const error = await failureOf({ hotspots: [photo] }, { photo: 'gopher://x' });
  t.equal(error.details[0].layerId, 'pic');
});

t.test('warnings have paths', async (t) => {
  const template = {
    ...card,
    hotspots: [
      { ...title, fontFamily: 'Robotto' },
      { ...photo, fallbackColor: 'red' },
    ],
  };
  const { warnings } = await render(template, {
    variables: { title: 'long '.repeat(50), photo: 'http://127.0.0.1:1/', tilte: 1 },
  });
  t.same(
    warnings.map(({ path, layerId }) => [path, layerId]),
    [
      ['variables.tilte', undefined],
      ['hotspots.title.fontFamily', undefined],
      ['variables.title', undefined],
      ['variables.photo', 'pic'],
    ],
  );
});

t.test('rejects what is not a template, and variables that are not an object', async (t) => {
  await t.rejects(render({ templateId: 'abc' }), {
    code: 'template_not_found',
    message: /^templateId: saved templates live in the service; .*hotspots/,
  });
  await t.rejects(render({ ...card, hotspots: [] }, { variables: [] as unknown as Record<string, unknown> }), {
    code: 'invalid_request',
    message: 'variables: received an empty array, expected an object',
  });
  const canvas = { canvas: { width: 2, height: 2 }, layers: [] };
  t.match((await render(canvas, { variables: {} })).warnings, [
    { path: 'variables', message: /the payload is no template/ },
  ]);
  await t.rejects(render({ ...card, hotspots: [title], layers: [] }, { maxLayers: 0 }), { code: 'invalid_request' });
});

t.test('counts the layers that a variable brings', async (t) => {
  const group = { key: 'list', label: 'List', type: 'group', x: 0, y: 0, width: 10, height: 10, layers: [] };
  const record = { name: 'List', width: 20, height: 20, hotspots: [group] };
  const shape = { type: 'shape', shapeType: 'rectangle', x: 0, y: 0, width: 2, height: 2 };
  const layers = (count: number) => ({ list: { layers: Array.from({ length: count }, () => shape) } });
  await t.resolves(render(record, { variables: layers(4), maxLayers: 5 }));
  await t.rejects(render(record, { variables: layers(5), maxLayers: 5 }), {
    code: 'invalid_request',
    details: [{ path: 'variables', message: /at most 5/ }],
  });
});
