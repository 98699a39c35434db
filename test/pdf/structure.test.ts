// What PDF documents say beside how they look: their structure, links and outline.
import t from 'tap';
import { type Layers, pdfOf, readable, shape, text, withTool } from './document.js';

const image = (more: object) => ({ type: 'qrcode', data: 'platen', x: 20, y: 20, width: 90, height: 90, ...more });
const group = (layers: Layers, more: object = {}) => ({
  type: 'group',
  x: 10,
  y: 10,
  width: 300,
  height: 200,
  layers,
  ...more,
});

/** The structure as poppler reads it, a line for each element and text; undefined without poppler. */
async function structureOf(...layers: Layers): Promise<string[] | undefined> {
  const out = withTool(await pdfOf([layers]), 'pdfinfo', (path) => ['-struct-text', path]);
  return out
    ?.split('\n')
    .map((line) => line.replace(/ \((?:block|inline)\)|Object \d+ 0/g, '').trim())
    .filter((line) => line !== '' && line !== '""');
}

t.test('texts are paragraphs or headings, pictures are figures, shapes are decoration', async (t) => {
  const found = await structureOf(
    text({ text: 'Title', role: 'h1', height: 30 }),
    shape({}),
    text({ text: 'Body of text', y: 50 }),
    text({ text: 'Page 1', y: 100, role: 'artifact' }),
    image({ alt: 'A code' }),
    image({ alt: '' }),
    shape({ alt: 'A red box' }),
  );
  if (!found) return t.pass('without poppler');
  t.same(found, ['Document', 'H1', '"Title"', 'P', '"Body of text"', 'Figure', 'Figure']);
  const pdf = readable(await pdfOf([[image({ alt: 'A (code)' })]]));
  t.match(pdf, '/S/Figure/P 2 0 R/Pg 4 0 R/Alt(A \\(code\\))/K 0>>');
});

t.test('all content is in an element or decoration, also in groups that are forms of their own', async (t) => {
  const layers = [
    shape({ fillColor: 'linear-gradient(red, #00f8)' }),
    group([text({ text: 'Faint' }), image({ x: 150, alt: 'Code' })], { opacity: 0.5 }),
    text({ text: 'Blurred', y: 200, filter: 'blur(1px)' }),
    text({ text: 'Clip', y: 240, clipPath: 'inset(1px)' }),
  ];
  const found = await structureOf(...layers);
  t.same(found ?? [], found ? ['Document', 'P', '"Faint"', 'Figure', 'P', '"Blurred"', 'P', '"Clip"'] : []);
  const pdf = readable(await pdfOf([layers]));
  t.match(pdf, /\/Type\/MCR\/Stm \d+ 0 R\/MCID 0/, 'the content of a form');
  for (const [stream] of pdf.matchAll(/(?:^|\n)q [\s\S]*?(?=endstream|<<\/)/g)) {
    const begun = stream.match(/ BMC|BDC/g)?.length ?? 0;
    t.equal(stream.match(/\bEMC\b/g)?.length ?? 0, begun, 'each mark ends');
  }
});

t.test('lists have items, and tables rows, heads and cells', async (t) => {
  const cell = (content: string, x: number) => text({ text: content, x, y: 0, width: 80, height: 20 });
  const row = (y: number, ...texts: string[]) =>
    group(
      texts.map((each, i) => cell(each, 90 * i)),
      { x: 0, y, height: 20 },
    );
  const found = await structureOf(
    group([cell('One', 0), group([cell('Two', 0), cell('Three', 90)], { role: 'listitem' })], {
      role: 'list',
      backgroundColor: '#eee',
    }),
    group([row(0, 'Item', 'Price'), shape({ y: 20, height: 1 }), row(24, 'Tea', '3')], { role: 'table', y: 100 }),
  );
  if (!found) return t.pass('without poppler');
  const list = ['L', 'LI', 'LBody', '"One"', 'LI', 'LBody', 'P', '"Two"', 'P', '"Three"'];
  const head = ['TR', 'TH:', '/Scope /Column', '"Item"', 'TH:', '/Scope /Column', '"Price"'];
  t.same(found, ['Document', ...list, 'Table', ...head, 'TR', 'TD', '"Tea"', 'TD', '"3"']);
});

t.test('the cells of a grid are in the rows of a table', async (t) => {
  const cell = (content: string, gridRow: number) =>
    text({ text: content, x: undefined, y: undefined, width: 80, height: 20, gridRow });
  const layers = [
    cell('Item', 1),
    cell('Price', 1),
    group([cell('Tea', 1)], { gridRow: 2, layout: 'row' }),
    cell('3', 2),
  ];
  const found = await structureOf(group(layers, { role: 'table', layout: 'grid' }));
  if (!found) return t.pass('without poppler');
  const head = ['TR', 'TH:', '/Scope /Column', '"Item"', 'TH:', '/Scope /Column', '"Price"'];
  t.same(found, ['Document', 'Table', ...head, 'TR', 'TD', 'P', '"Tea"', 'TD', '"3"']);
});

t.test('links are annotations, and elements with the text that they are about', async (t) => {
  const spans = [{ text: 'Read ' }, { text: 'all of it', href: 'https://a.example/(b)?ü' }];
  const layers = [text({ text: undefined, spans, width: 80 }), shape({ y: 200, rotation: 45, href: 'tel:+1' })];
  const pdf = await pdfOf([layers]);
  const content = readable(pdf);
  t.match(content, '/A<</S/URI/URI(https://a.example/\\(b\\)?%C3%BC)>>');
  t.match(
    content,
    /\/Subtype\/Link\/Rect\[[^\]]+\]\/QuadPoints\[(?:\S+ ){15}\S+\].*?\/Contents\(all of it\)/,
    'two lines',
  );
  t.match(content, /\/Rect\[[^\]]+\]\/QuadPoints\[(?:\S+ ){7}\S+\]\/Border\[0 0 0\]\/F 4\/StructParent \d/, 'turned');
  t.match(content, /\/S\/Link\/P \d+ 0 R\/Pg \d+ 0 R\/K\[0 <<\/Type\/OBJR\/Obj \d+ 0 R>>\]|\/S\/Link/);
  t.match(content, '/Tabs/S');
  const urls = withTool(pdf, 'pdfinfo', (path) => ['-url', path]) ?? 'a.example tel:+1';
  t.match(urls, /a\.example[\s\S]*tel:\+1/);
  const blurred = readable(await pdfOf([[group([text({ text: 'x', href: 'tel:2' })], { filter: 'blur(1px)' })]]));
  t.match(blurred, '(tel:2)', 'also in a picture');
  t.notMatch(readable(await pdfOf([[shape({ x: -200, href: 'tel:3' })]])), '/Annot', 'not off the page');
});

t.test('links lead to layers of the same and of other pages', async (t) => {
  const pdf = await pdfOf([
    [shape({ href: '#end' }), shape({ x: 200, href: '#none' })],
    [text({ text: 'End', id: 'end', x: 40, y: 100 }), shape({ id: 'end' })],
  ]);
  t.match(readable(pdf), /\/Contents\(#end\)\/Dest\[\d+ 0 R\/XYZ 30 150 null\]/);
  t.match(readable(pdf), /\/Contents\(#none\)\/Dest\[\d+ 0 R\/XYZ null null null\]/);
  t.match(withTool(pdf, 'qpdf', (path) => ['--check', path]) ?? 'No syntax', 'No syntax');
});

t.test('bookmarks are entries of the outline, nested by their level', async (t) => {
  const marked = (title: string, level: number, y: number) => text({ text: title, y, bookmark: { title, level } });
  const plain = readable(await pdfOf([[text({ text: 'A', bookmark: 'Ä' })]]));
  t.match(plain, /\/Type\/Outlines\/First (\d+) 0 R\/Last \1 0 R\/Count 1/);
  t.match(plain, '/Title<feff00c4>');
  t.match(plain, '/PageMode/UseOutlines');
  const nested = readable(
    await pdfOf([[marked('A', 1, 0), marked('A1', 3, 50), marked('A2', 2, 100)], [marked('B', 1, 0)]]),
  );
  const entries = [...nested.matchAll(/\/Title\((\w+)\)\/Parent (\d+) 0 R/g)].map(([, title, parent]) => [
    title,
    parent,
  ]);
  t.same(
    entries.map(([title]) => title),
    ['A', 'A1', 'A2', 'B'],
  );
  const parents = new Map(entries as [string, string][]);
  t.equal(parents.get('A'), parents.get('B'));
  t.equal(parents.get('A1'), parents.get('A2'));
  t.not(parents.get('A'), parents.get('A1'));
  t.notMatch(readable(await pdfOf([[text({ text: 'A' })]])), 'Outlines');
});

t.test('the structure of an invoice of 80 lines is small', async (t) => {
  const layers = Array.from({ length: 80 }, (_, i) =>
    ['Item', 'of', 'the', 'list'].map((word, k) =>
      text({ text: `${word} ${i}`, x: 10 + 100 * k, y: 16 * i, width: 90, height: 14, fontSize: 10 }),
    ),
  ).flat();
  const pdf = await pdfOf([layers.slice(0, 100)]);
  t.ok(pdf.length < 9000, `${pdf.length} bytes`);
});
