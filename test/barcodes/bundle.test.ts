// The bundles hold a reduced bwip-js: its encoders give what the whole package gives.
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { build, type Plugin } from 'esbuild';
import t from 'tap';
import { type Barcode, encodeBarcode } from '../../lib/barcodes/encode.js';
import { SYMBOLOGY_INFO } from '../../lib/barcodes/symbologies.js';
import type { Symbology } from '../../lib/contract/layers/index.js';

const DATA: Readonly<Record<Symbology, string>> = {
  code128: 'Ticket 4711/b',
  code39: 'LOT-39 A',
  ean13: '590123412345',
  ean8: '9638507',
  upca: '03600029145',
  itf14: '0540014128876',
  'gs1-128': '(01)09521234543213(17)261231(10)AB',
  pdf417: 'Grüße, 東京 ^1',
  datamatrix: 'Grüße, 東京 ^1',
  aztec: 'Grüße, 東京 ^1',
};

t.test('the reduced encoder knows every symbology', async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'platen-'));
  t.teardown(() => rmSync(folder, { recursive: true }));
  const script = new URL('../../scripts/barcode-encoder.mjs', import.meta.url).href;
  const { barcodeEncoder }: { barcodeEncoder: Plugin } = await import(script);
  const outfile = join(folder, 'encode.mjs');
  await build({
    entryPoints: ['lib/barcodes/encode.ts'],
    bundle: true,
    format: 'esm',
    outfile,
    plugins: [barcodeEncoder],
    logLevel: 'error',
  });
  const reduced: { encodeBarcode: typeof encodeBarcode } = await import(pathToFileURL(outfile).href);
  const fit = (columns: number, rows: number) => Math.min(800 / columns, 300 / rows);
  for (const symbology of Object.keys(SYMBOLOGY_INFO) as Symbology[]) {
    const content = { symbology, data: DATA[symbology] };
    const expected: Barcode = encodeBarcode(content, fit);
    t.same(reduced.encodeBarcode(content, fit), expected, symbology);
  }
  t.throws(() => reduced.encodeBarcode({ symbology: 'gs1-128', data: '(17)261332' }, fit), { code: 'render_failed' });
});

t.test('a payload without barcodes loads neither the encoder nor what paints barcodes', (t) => {
  const files = readdirSync('lib', { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.ts'));
  const importers = files.filter((name) => {
    const text = readFileSync(join('lib', name), 'utf8');
    return /^(?:import|export) (?!type\b)[^;]*'[^']*(?:barcodes\/encode|codes\/barcode)\.js'/m.test(text);
  });
  t.same(importers, [], 'nothing imports them before they are needed');
  t.match(readFileSync('lib/render/load.ts', 'utf8'), "import('../barcodes/encode.js')");
  t.end();
});
