// `platen A B -o BOOK.pdf`, payloads with `pages`, and a batch whose rows are the pages of one PDF.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { main } from '../../lib/cli/main.js';
import { withTool } from '../pdf/document.js';
import { createTestContext } from './context.js';

const page = (text: string) => ({
  canvas: { width: 200, height: 100 },
  layers: [{ type: 'text', text, x: 10, y: 10, width: 180, height: 40, fontSize: 16 }],
});

function pagesOf(path: string): string[] {
  const out = withTool(readFileSync(path), 'pdftotext', (file) => ['-layout', file, '-']) ?? '';
  const pages = out.split('\f').slice(0, -1);
  return pages.map((each) => each.trim());
}

t.test('pages', async (t) => {
  const folder = t.testdir({
    'a.json': JSON.stringify(page('First {{page}}/{{pages}}')),
    'b.json': JSON.stringify(page('Second {{page}}/{{pages}}')),
    'book.json': JSON.stringify({ pages: [page('One'), page('Two')], document: { title: 'Book' } }),
    'price.json': JSON.stringify({
      ...page('{{= number(1234.5) }} {{= tokens.unit }}'),
      data: {},
      tokens: { unit: 'm' },
    }),
    'bad.json': JSON.stringify({ pages: [page('One'), { canvas: {}, layers: [] }] }),
    'badge.json': JSON.stringify({
      name: 'Badge',
      width: 200,
      height: 100,
      hotspots: [{ key: 'name', label: 'Name', type: 'text', x: 10, y: 10, width: 180, height: 30 }],
    }),
    'rows.csv': 'name\nAda\nGrace\n',
  });
  const out = join(folder, 'out.pdf');
  const run = async (...argv: string[]) => {
    const { context, output, errors } = createTestContext({ directory: folder });
    return { code: await main(argv, context), output: output(), errors: errors() };
  };

  t.match(await run('a.json', 'b.json', '-o', 'out.pdf'), { code: 0, errors: '' });
  t.same(pagesOf(out), ['First 1/2', 'Second 2/2']);
  t.match(await run('book.json', '-o', 'out.pdf'), { code: 0 });
  t.same(pagesOf(out), ['One', 'Two']);
  writeFileSync(join(folder, 'tokens.json'), JSON.stringify({ unit: 'km' }));
  const options = ['--locale', 'de', '--tokens', 'tokens.json'];
  t.match(await run('price.json', 'price.json', ...options, '-o', 'out.pdf'), { code: 0, errors: '' });
  t.same(pagesOf(out), ['1.234,5 km', '1.234,5 km'], 'options of data apply to every page');
  await run('book.json', '-o', 'out.pdf');
  const piped = await run('book.json');
  t.same(piped.output, readFileSync(out), 'pages on standard output are a PDF');

  const batch = await run('batch', 'badge.json', 'rows.csv', '-o', 'out.pdf');
  t.match(batch, { code: 0, errors: '' });
  t.match(batch.output.toString(), /^out\.pdf: 2 pages, \d+ bytes/);
  t.same(pagesOf(out), ['Ada', 'Grace']);

  writeFileSync(out, 'before');
  t.match(await run('bad.json', '-o', 'out.pdf'), { code: 1, errors: /pages\[1\]\.canvas\.width/ });
  t.equal(readFileSync(out, 'utf8'), 'before', 'a document that fails leaves the file');
  t.match(await run('book.json', '-o', 'out.png'), { code: 2, errors: /pages make a PDF: use -o FILE\.pdf/ });
  t.match(await run('-', '-', '-o', 'out.pdf'), { code: 2, errors: /only one of the payloads/ });
  t.match(await run('a.json', 'b.json', '-o', 'out.pdf', '--watch'), { code: 2, errors: /--watch needs one payload/ });
  t.same(
    readdirSync(folder).filter((name) => name.endsWith('.tmp')),
    [],
  );
});
