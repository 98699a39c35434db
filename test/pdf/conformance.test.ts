// Documents that are made to PDF/A-2u and PDF/UA-1: a test for each rule that docs/documents.md claims.
import t from 'tap';
import { readIccProfile } from '../../lib/codecs/profile/icc.js';
import { srgbProfile } from '../../lib/pdf/srgb-profile.js';
import { createRenderer } from '../any-payload.js';
import { readable, shape, text, withTool } from './document.js';

const renderer = createRenderer();
t.teardown(() => renderer.close());

const CANVAS = { width: 400, height: 300, backgroundColor: '#fff' };
const code = (more: object) => ({ type: 'qrcode', data: 'platen', x: 20, y: 150, width: 90, height: 90, ...more });

async function pdfOf(conformance: unknown, layers: readonly object[], more: object = {}): Promise<Buffer> {
  const document = { title: 'A & B', conformance, ...more };
  return Buffer.from((await renderer.render({ canvas: CANVAS, layers, document }, { format: 'pdf' })).bytes);
}

async function detailsOf(...input: Parameters<typeof pdfOf>): Promise<object[]> {
  const error = await pdfOf(...input).catch((thrown) => thrown);
  t.equal(error.code, 'render_failed', error.message);
  return error.details.map(({ path, message }: { path: string; message: string }) => ({ path, message }));
}

const LAYERS = [
  text({ text: 'Office 😀 ﷺ नमस्ते', role: 'h1', height: 40 }),
  text({ text: 'extraordinary', y: 60, width: 90, height: 80, hyphens: 'auto', language: 'en-GB' }),
  shape({ y: 150, shadow: { blur: 4 }, opacity: 0.5, href: 'https://example.com' }),
  code({ x: 200, alt: 'A code' }),
];

t.test('metadata say which standards a document is made to', async (t) => {
  const date = '2026-01-31T12:00:00Z';
  const both = await pdfOf(['pdf/a-2u', 'pdf/ua-1'], LAYERS, { author: 'Ö <c>', date });
  const xmp = both.subarray(both.indexOf('<?xpacket begin'), both.indexOf('<?xpacket end')).toString('utf8');
  t.match(xmp, '<pdfaid:part>2</pdfaid:part><pdfaid:conformance>U</pdfaid:conformance>');
  t.match(xmp, '<pdfuaid:part>1</pdfuaid:part>');
  t.match(xmp, '<rdf:li xml:lang="x-default">A &amp; B</rdf:li>');
  t.match(xmp, '<rdf:li>Ö &lt;c&gt;</rdf:li>');
  t.match(xmp, `<xmp:CreateDate>${date}</xmp:CreateDate>`);
  t.match(xmp, '<pdfaSchema:prefix>pdfuaid</pdfaSchema:prefix>', 'PDF/A wants an explanation');
  const archival = (await pdfOf('pdf/a-2u', LAYERS)).toString('latin1');
  t.match(archival, '<pdfaid:part>2');
  t.notMatch(archival, /<pdfuaid:part>|<pdfaSchema:/);
  t.notMatch((await pdfOf(undefined, LAYERS)).toString('latin1'), 'xpacket');
  t.match(withTool(both, 'qpdf', (path) => ['--check', path]) ?? 'No syntax', 'No syntax');
  t.ok(both.equals(await pdfOf(['pdf/a-2u', 'pdf/ua-1'], LAYERS, { author: 'Ö <c>', date })), 'the same bytes');
});

t.test('documents for archives have an output intent, and no hints for viewers', async (t) => {
  const pdf = readable(await pdfOf('pdf/a-2u', LAYERS));
  t.match(pdf, /\/OutputIntents\[<<\/Type\/OutputIntent\/S\/GTS_PDFA1.*\/DestOutputProfile \d+ 0 R>>\]/);
  t.notMatch(pdf, '/Interpolate');
  t.match(readable(await pdfOf(undefined, LAYERS)), '/Interpolate true');
  const profile = srgbProfile();
  t.equal(new DataView(profile.buffer).getUint32(0), profile.length);
  t.doesNotThrow(() => readIccProfile(profile, 'rgb'));
});

t.test('fonts are embedded, and every glyph has a text', async (t) => {
  const pdf = await pdfOf('pdf/a-2u', LAYERS);
  const fonts = withTool(pdf, 'pdffonts', (path) => [path]) ?? '';
  const lines = fonts
    .split('\n')
    .slice(2)
    .filter((line) => line !== '');
  for (const line of lines) t.match(line, /yes yes yes/);
  const content = readable(pdf);
  for (const [, widths] of content.matchAll(/\/W\[((?:\d+\[[^\]]*\])*)\]/g)) {
    for (const [, glyph] of (widths ?? '').matchAll(/(\d+)\[/g)) {
      const hex = Number(glyph).toString(16).padStart(4, '0');
      t.ok(content.includes(`<${hex}><`), `glyph ${glyph}`);
    }
  }
  const missing = await pdfOf('pdf/ua-1', [text({ text: 'a\u{10FFFD}' })]).catch((thrown) => thrown);
  t.match(missing, { code: 'render_failed', message: /no font has/ });
});

t.test('accessible documents have a title, a language and structure', async (t) => {
  const pdf = readable(await pdfOf('pdf/ua-1', LAYERS));
  t.match(pdf, '/Lang(en)');
  t.match(pdf, '/Lang(en-GB)');
  t.match(pdf, '/ViewerPreferences<</DisplayDocTitle true>>');
  t.match(pdf, '/MarkInfo<</Marked true>>/StructTreeRoot');
  t.match(pdf, /\/Alt\(A code\)\/A<<\/O\/Layout\/BBox\[/);
  t.match(await detailsOf('pdf/ua-1', [], { title: undefined }), [
    { path: 'document.title', message: /expected a title/ },
  ]);
});

t.test('accessible documents need a text for each picture, or to know that it is decoration', async (t) => {
  const inGroup = { type: 'group', x: 0, y: 0, width: 200, height: 300, layers: [code({})] };
  t.match(await detailsOf('pdf/ua-1', [code({}), inGroup]), [
    { path: 'layers[0].alt', message: /expected a text that says what it shows, or "" for decoration/ },
    { path: 'layers[1].layers[0].alt' },
  ]);
  await t.resolves(pdfOf('pdf/ua-1', [code({ alt: '' }), { ...inGroup, alt: 'Two codes' }, code({ visible: false })]));
  await t.resolves(pdfOf('pdf/a-2u', [code({})]));
});

t.test('headings of accessible documents leave out no level', async (t) => {
  const heading = (role: string, y: number) => text({ text: role, role, y, height: 40 });
  t.match(await detailsOf('pdf/ua-1', [heading('h1', 0), heading('h3', 50)]), [
    { path: 'layers[1].role', message: /received "h3", expected at most "h2" after "h1"/ },
  ]);
  t.match(await detailsOf('pdf/ua-1', [heading('h2', 0)]), [{ path: 'layers[0].role', message: /after no other/ }]);
  await t.resolves(
    pdfOf(
      'pdf/ua-1',
      ['h1', 'h2', 'h3', 'h2', 'h1'].map((role, i) => heading(role, 50 * i)),
    ),
  );
});

t.test('documents for archives have limits', async (t) => {
  const small = { canvas: { width: 3, height: 300 }, layers: [], document: { conformance: 'pdf/a-2u' } };
  await t.rejects(renderer.render(small, { format: 'pdf' }), { message: /page is too small, expected at least 4 px/ });
  const nested = Array.from({ length: 15 }).reduce<object>(
    (inner) => ({
      type: 'group',
      x: 0,
      y: 0,
      width: 300,
      height: 200,
      clip: true,
      clipPath: 'circle(40%)',
      layers: [inner],
    }),
    shape({ shapeType: 'circle', fillColor: 'linear-gradient(red, blue)' }),
  );
  await t.rejects(pdfOf('pdf/a-2u', [nested]), { message: /deep in each other, expected at most 28/ });
  await t.resolves(pdfOf(undefined, [nested]));
});

t.test('the standards are checked', async (t) => {
  for (const conformance of ['pdf/x-4', [], ['pdf/a-2u', 'a', 'b'], 2]) {
    const error = await pdfOf(conformance, []).catch((thrown) => thrown);
    t.match(error, { code: 'invalid_request', details: [{ path: /^document\.conformance/ }] });
  }
});
