// Documents of several pages: the stream, what pages may be, their numbers, and what is said about bad ones.
import t from 'tap';
import {
  createRenderer,
  type PagesPayload,
  type PaintedPage,
  type RenderError,
  render,
  renderDocument,
} from '../../lib/index.js';
import { withTool } from './document.js';

const page = (text: string, more: object = {}) => ({
  canvas: { width: 200, height: 100 },
  layers: [{ type: 'text' as const, text, x: 10, y: 10, width: 180, height: 40, fontSize: 16, ...more }],
});

async function bytesOf(stream: ReadableStream<Uint8Array>): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of stream as unknown as AsyncIterable<Uint8Array>) chunks.push(chunk);
  return Buffer.concat(chunks);
}

function textOf(pdf: Buffer): string[] {
  const out = withTool(pdf, 'pdftotext', (path) => ['-layout', path, '-']) ?? '';
  return out
    .split('\f')
    .slice(0, -1)
    .map((each) => each.trim().replace(/\s*\n\s*/g, '|'));
}

const template = {
  name: 'Badge',
  width: 200,
  height: 100,
  placeholders: true,
  layers: [{ type: 'text' as const, text: '{{name}} {{page}}/{{pages}}', x: 10, y: 10, width: 180, height: 40 }],
  hotspots: [{ key: 'name', label: 'Name', type: 'text' as const, x: 10, y: 60, width: 180, height: 30 }],
};

t.test('pages are canvases, templates, and templates with variables', async (t) => {
  const painted: PaintedPage[] = [];
  const document: PagesPayload = {
    pages: [page('One {{page}} of {{pages}}'), template, { payload: template, variables: { name: 'Ada' }, scale: 2 }],
    document: { title: 'Three', date: '2026-01-31' },
  };
  const pdf = await bytesOf(renderDocument(document, { onPage: (each) => painted.push(each) }));
  t.same(textOf(pdf), ['One 1 of 3', '2/3', 'Ada 3/3|Ada']);
  t.match(painted, [
    { index: 0, pages: 1, width: 200, height: 100, warnings: [] },
    { index: 1, pages: 1, width: 200, height: 100 },
    { index: 2, pages: 1, width: 400, height: 200 },
  ]);
  const info = withTool(pdf, 'pdfinfo', (path) => [path]);
  if (info !== undefined) t.match(info, /Title: +Three/);
  t.match(withTool(pdf, 'qpdf', (path) => ['--check', path]) ?? 'No syntax', 'No syntax');
});

t.test('a stream comes page by page', async (t) => {
  const done: number[] = [];
  const reader = renderDocument(
    { pages: [page('a'), page('b'), page('c')] },
    { onPage: ({ index }) => void done.push(index) },
  ).getReader();
  await reader.read();
  t.ok(done.length < 3, 'pages are painted as the stream is read');
  await reader.cancel();
});

t.test('a column that flows counts its pages', async (t) => {
  const line = {
    type: 'text' as const,
    text: 'x',
    width: 'fill' as const,
    height: 'auto' as const,
    lineHeight: '20px',
  };
  const flow = {
    canvas: { width: 200, height: 100 },
    layers: [
      {
        type: 'group' as const,
        layout: 'column' as const,
        paginate: true,
        x: 0,
        y: 0,
        width: 100,
        height: 60,
        layers: Array.from({ length: 7 }, () => line),
      },
    ],
  };
  t.same(
    textOf(await bytesOf(renderDocument({ pages: [page('{{page}}/{{pages}}'), flow, page('{{page}}/{{pages}}')] }))),
    ['1/5', 'x|x|x', 'x|x|x', 'x', '5/5'],
  );
});

t.test('SVG and PDF of one page come from other processes, too', async (t) => {
  const renderer = createRenderer({ workers: 1 });
  t.teardown(() => renderer.close());
  for (const format of ['svg', 'pdf'] as const) {
    const { bytes } = await renderer.render(page('One'), { format });
    t.same(Buffer.from(bytes), Buffer.from((await render(page('One'), { format })).bytes));
  }
});

t.test('the same bytes in other processes, with the same numbers', async (t) => {
  const document: PagesPayload = { pages: [page('One'), page('Two {{page}}/{{pages}}'), page('Three')] };
  const renderer = createRenderer({ workers: 1 });
  t.teardown(() => renderer.close());
  const [here, there, again] = [
    renderDocument(document),
    renderer.renderDocument(document),
    renderer.renderDocument(document),
  ];
  const bytes = await bytesOf(here);
  t.same(await bytesOf(there), bytes);
  t.same(await bytesOf(again), bytes);
});

async function errorOf(document: unknown): Promise<RenderError> {
  return bytesOf(renderDocument(document as PagesPayload)).then(
    () => t.fail('it renders'),
    (error) => error,
  );
}

t.test('bad pages are named with their index, all at once', async (t) => {
  const bad = page('x', { fontSize: 'big' });
  const error = await errorOf({ pages: [page('a'), bad, { canvas: {}, layers: [] }, bad] });
  t.same(
    error.details.map(({ path }) => path),
    ['pages[1].layers[0].fontSize', 'pages[2].canvas.width', 'pages[2].canvas.height', 'pages[3].layers[0].fontSize'],
  );
  t.match(await errorOf({}), { details: [{ path: 'pages' }] });
  t.match(await errorOf({ pages: [] }), { message: 'expected an array of 1 to 500 pages' });
  t.match(await errorOf({ pages: Array(501).fill(page('a')) }), { message: 'expected an array of 1 to 500 pages' });
  t.match(await errorOf({ pages: [page('a')], format: 'svg' }), { details: [{ path: 'format' }] });
  t.match(await errorOf({ pages: [page('a')], layers: [] }), { message: 'received both pages and layers' });
  t.match(await errorOf({ pages: [{ pages: [] }] }), { details: [{ path: 'pages[0]' }] });
  t.match(await errorOf({ pages: [{ payload: page('a'), variabels: {} }] }), { message: 'variabels' });
  const lost = { type: 'image', url: 'lost.png', x: 0, y: 0, width: 10, height: 10 };
  t.match(await errorOf({ pages: [page('a'), { canvas: { width: 9, height: 9 }, layers: [lost] }] }), {
    message: 'pages[1].layers[0].url: ',
  });
});

t.test('what only the document has is ignored on pages, with a warning', async (t) => {
  const painted: PaintedPage[] = [];
  const ignored = { ...page('a'), format: 'png' as const, document: { title: 'x' }, metadata: {} };
  await bytesOf(renderDocument({ pages: [ignored, page('b')] }, { onPage: (each) => painted.push(each) }));
  t.same(painted[0].warnings.map(({ code, path }) => `${code} ${path}`).sort(), [
    'no_effect pages[0].document',
    'no_effect pages[0].format',
    'no_effect pages[0].metadata',
  ]);
});

t.test('links lead from page to page, and bookmarks are of all pages', async (t) => {
  const painted: PaintedPage[] = [];
  const pages = [
    page('first', { href: '#last', bookmark: 'A' }),
    page('second', { href: '#none', id: 'last', bookmark: 'B' }),
  ];
  const pdf = await bytesOf(renderDocument({ pages }, { onPage: (each) => painted.push(each) }));
  t.match(
    painted.map(({ warnings }) => warnings),
    [[], [{ code: 'dangling_link', path: 'pages[1].layers[0].href' }]],
  );
  t.match(withTool(pdf, 'qpdf', (path) => ['--check', path]) ?? 'No syntax', 'No syntax');
  const outline = withTool(pdf, 'qpdf', (path) => ['--json', '--json-key=outlines', path]);
  t.match(outline ?? '"title": "A" "title": "B"', /"title": "A"[\s\S]*"title": "B"/);
});

t.test('pages are checked against the standards before the first is painted', async (t) => {
  const document = { title: 'T', conformance: 'pdf/ua-1' as const };
  const pages = [page('first', { role: 'h1' }), page('second', { role: 'h3' })];
  const error = await bytesOf(renderDocument({ pages, document })).catch((thrown: RenderError) => thrown);
  t.match(error, { code: 'render_failed', details: [{ path: 'pages[1].layers[0].role' }] });
});
