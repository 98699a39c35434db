// Groups that continue on other pages: where pages end, what is on each of them, and the numbers in their texts.
import t from 'tap';
import { type Payload, type RenderError, render } from '../../lib/index.js';
import { withTool } from './document.js';

const line = (text: string, more: object = {}) => ({
  type: 'text',
  text,
  width: 'fill',
  height: 'auto',
  fontSize: 16,
  lineHeight: '20px',
  ...more,
});

const box = (height: number, more: object = {}) => ({
  type: 'shape',
  shapeType: 'rectangle',
  width: 50,
  height,
  fillColor: 'red',
  ...more,
});

function payload(layers: readonly object[], flow: object = {}, others: readonly object[] = []): Payload {
  const group = { type: 'group', layout: 'column', paginate: true, x: 10, y: 10, width: 180, height: 100, layers };
  return { canvas: { width: 200, height: 150 }, layers: [{ ...group, ...flow }, ...others] } as Payload;
}

/** The lines of text of each page. */
async function pagesOf(given: Payload): Promise<string[][]> {
  const { bytes } = await render(given, { format: 'pdf' });
  const out = withTool(Buffer.from(bytes), 'pdftotext', (path) => ['-layout', path, '-']);
  const pages = (out ?? '').split('\f').slice(0, -1);
  return pages.map((page) => page.split('\n').flatMap((each) => each.trim() || []));
}

const lines = (count: number, more: object = {}) => Array.from({ length: count }, (_, i) => line(`n${i + 1}`, more));

t.test('a page ends where the next layer does not fit', async (t) => {
  t.same(await pagesOf(payload(lines(5))), [['n1', 'n2', 'n3', 'n4', 'n5']], 'what fits exactly is one page');
  t.same(await pagesOf(payload(lines(6))), [['n1', 'n2', 'n3', 'n4', 'n5'], ['n6']]);
  t.same(await pagesOf(payload(lines(5), { gap: 4 })), [['n1', 'n2', 'n3', 'n4'], ['n5']], 'gaps count between layers');
  t.same(await pagesOf(payload(lines(5), { padding: [10, 0] })), [['n1', 'n2', 'n3', 'n4'], ['n5']], 'padding counts');
  t.same(await pagesOf(payload(lines(4, { margin: [0, 0, 10] }))), [['n1', 'n2', 'n3'], ['n4']], 'margins count');
});

t.test('layers that repeat are on all pages, with the numbers of the pages', async (t) => {
  const footer = line('{{page}} of {{ pages }}', { repeatOnPages: true, x: 10, y: 120, width: 180, height: 20 });
  const title = line('Title {{page}}', { x: 100, y: 120, width: 90, height: 20 });
  const inFlow = [...lines(5), line('{{page}}')];
  const pages = await pagesOf(payload(inFlow, {}, [footer, title]));
  t.equal(pages.length, 2);
  t.match(pages[0].at(-1), /1 of 2 +Title 1/);
  t.same(pages[1], ['{{page}}', '2 of 2'], 'texts of the flow stay as they are');
});

t.test('a column that is taller than a page is broken, unless it is kept together', async (t) => {
  const column = (more: object = {}) => ({
    type: 'group',
    layout: 'column',
    width: 'fill',
    height: 'auto',
    padding: [10, 0],
    layers: lines(6),
    ...more,
  });
  t.same(await pagesOf(payload([line('first'), column()])), [
    ['first', 'n1', 'n2', 'n3'],
    ['n4', 'n5', 'n6'],
  ]);
  const short = column({ layers: lines(4) });
  t.same(await pagesOf(payload([line('first'), short])), [['first'], ['n1', 'n2', 'n3', 'n4']], 'it fits on a page');
  const together = payload([line('first'), column({ keepTogether: true })]);
  const { warnings } = await render(together, { format: 'pdf' });
  t.match(warnings, [{ code: 'page_overflow', path: 'layers[0].layers[1]', message: 'is 140 px tall' }]);
  t.equal(warnings.length, 1, 'layout does not warn of the same');
});

t.test('layers that repeat warn once', async (t) => {
  const footer = line('too long', { repeatOnPages: true, x: 10, y: 120, width: 180, height: 5 });
  const { warnings } = await render(payload(lines(12), {}, [footer]), { format: 'pdf' });
  t.match(warnings, [{ code: 'text_overflow', path: 'layers[1].text' }]);
  t.equal(warnings.length, 1);
});

t.test('pictures have one page, on which the group overflows', async (t) => {
  const { warnings } = await render(payload(lines(12)));
  t.match(warnings, [{ code: 'layout_overflow' }]);
  t.same((await render(payload(lines(12), { clip: true }))).warnings, [], 'it shows the first page');
  const wide = { ...line('wide'), width: 500 };
  t.match((await render(payload([wide], { clip: true }))).warnings, [{ message: /to the right$/ }]);
});

t.test('a group that flows is a column of a known height, alone on its page, in no other layout', async (t) => {
  const fails = async (given: Payload, path: string, message: string) => {
    const error: RenderError = await render(given, { format: 'pdf', maxLayers: 1000 }).then(
      () => t.fail('it renders'),
      (reason) => reason,
    );
    t.match(error, { code: 'render_failed', details: [{ path, message }] });
  };
  await fails(payload([], { layout: 'row' }), 'layers[0].layout', 'received "row", expected "column" with paginate');
  await fails(payload([], { height: 'auto' }), 'layers[0].height', 'received "auto", expected a number with paginate');
  await fails(payload([], { wrapItems: true }), 'layers[0].wrapItems', 'expected false with paginate');
  const [second] = payload([]).layers as object[];
  await fails(payload([], {}, [second]), 'layers[1].paginate', 'received true, expected one such group');
  const inner = { type: 'group', layout: 'column', paginate: true, width: 10, height: 10, layers: [] };
  const around = payload([inner], { paginate: false });
  await fails(around, 'layers[0].layers[0].paginate', 'expected false in a group with a layout');
  const boxes = Array.from({ length: 501 }, () => box(60));
  await fails(payload(boxes), 'layers[0]', 'fills 501 pages, expected at most 500');
});

t.test('a table breaks between its rows, with its header on each page and columns of the same widths', async (t) => {
  const table = (count: number, more: object = {}) => ({
    type: 'table',
    width: 'fill',
    cellPadding: 0,
    header: { fontSize: 16, lineHeight: '20px' },
    body: { fontSize: 16, lineHeight: '20px' },
    columns: [
      { header: 'Name', field: 'name' },
      { header: 'Count', field: 'count' },
    ],
    rows: Array.from({ length: count }, (_, i) => ({ name: `n${i + 1}`, count: i === 0 ? 1234567 : i + 1 })),
    ...more,
  });
  const names = (pages: string[][]) => pages.map((page) => page.map((each) => each.split(' ')[0]));
  t.same(names(await pagesOf(payload([line('first'), table(6)]))), [
    ['first', 'Name', 'n1', 'n2', 'n3'],
    ['Name', 'n4', 'n5', 'n6'],
  ]);
  const whole = await pagesOf(payload([line('first'), table(4)]));
  t.same(names(whole), [['first'], ['Name', 'n1', 'n2', 'n3', 'n4']], 'it fits on a page');
  const { bytes } = await render(payload([table(6, { footer: ['sum'] })]), { format: 'pdf' });
  const boxes = withTool(Buffer.from(bytes), 'pdftotext', (path) => ['-bbox', path, '-']) ?? '';
  const lefts = [...boxes.matchAll(/xMin="([\d.]+)"[^>]*>Count</g)].map(([, x]) => x);
  t.equal(lefts.length, 2);
  t.equal(lefts[0], lefts[1], 'the widest number is on the first page');
  const pages = await pagesOf(payload([table(6, { footer: ['sum'] })]));
  t.equal(pages[1].at(-1), 'sum');
  const tall = payload([table(2, { body: { fontSize: 16, lineHeight: '90px' } })]);
  const { warnings } = await render(tall, { format: 'pdf' });
  t.match(warnings, [{ code: 'page_overflow', message: /is 90 px tall/ }, { code: 'page_overflow' }]);
});
