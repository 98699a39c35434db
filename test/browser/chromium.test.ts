// The bundle for browsers, in Chromium under a strict content security policy: the same pixels and files as in Node.
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { createRenderer } from '../../lib/index.js';
import { CHROMIUM, startChromium } from '../chromium.js';
import { ROOT, serveSite } from './site.js';

const FOLDER = join(ROOT, 'examples');
const SCRIPT = `
import * as platen from '/dist/browser/index.js';
const hex = async (bytes) => {
  const digest = await crypto.subtle.digest('SHA-256', bytes);
  return Array.from(new Uint8Array(digest), (byte) => byte.toString(16).padStart(2, '0')).join('');
};
window.platen = platen;
window.hex = hex;
window.renderer = platen.createRenderer();
window.pixels = async (payload) => {
  const { data, width, height, warnings } = await renderer.renderToPixels(payload);
  return { sha256: await hex(data), width, height, warnings };
};
window.file = async (payload, options) => {
  const { bytes, mimeType } = await renderer.render(payload, options);
  return { sha256: await hex(bytes), mimeType };
};
`;

const sha256 = (bytes: Uint8Array | Uint8ClampedArray) => createHash('sha256').update(bytes).digest('hex');

/** The examples with their pictures in the payload. */
const examples = readdirSync(FOLDER)
  .filter((name) => name.endsWith('.json'))
  .map((name) => {
    const text = readFileSync(join(FOLDER, name), 'utf8').replace(/"((?:pictures|fonts)\/[^"]+)"/g, (_, path) => {
      return JSON.stringify(`data:;base64,${readFileSync(join(FOLDER, path)).toString('base64')}`);
    });
    return { name, payload: JSON.parse(text) };
  });

t.test('renders in Chromium', { skip: CHROMIUM ? false : 'there is no Chromium' }, async (t) => {
  const site = await serveSite(t, SCRIPT);
  const open = await startChromium(t);
  const page = await open(site.origin);
  const renderer = createRenderer();
  const call = <Value>(name: string, ...values: unknown[]) =>
    page.evaluate<Value>(`${name}(${values.map((value) => JSON.stringify(value)).join(', ')})`);
  while (!(await page.evaluate<boolean>('window.file !== undefined')))
    await new Promise((resolve) => setTimeout(resolve, 20));

  await t.test('the pixels of all examples are those of Node', async (t) => {
    for (const { name, payload } of examples) {
      const { data, width, height, warnings } = await renderer.renderToPixels(payload);
      t.same(await call('pixels', payload), { sha256: sha256(data), width, height, warnings }, name);
    }
  });
  await t.test('lines break by the same dictionaries, each requested when a text needs it', async (t) => {
    site.requested();
    for (const [script, families] of [
      ['lao', 'Lao'],
      ['khmer', 'Khmer'],
      ['burmese', 'Myanmar'],
      ['thai', 'Thai'],
    ]) {
      const lines = readFileSync(join(ROOT, `test/text/line-breaks/${script}.txt`), 'utf8');
      const text = lines.replaceAll('|', '').replaceAll('\n', ' ').slice(0, 600);
      const box = { x: 0, y: 0, width: 300, height: 600 };
      const layer = { type: 'text', ...box, text, fontSize: 14, fontFamily: `Noto Sans ${families}` };
      const payload = { canvas: { width: 300, height: 600 }, layers: [layer] };
      const { data, width, height, warnings } = await renderer.renderToPixels(payload);
      t.same(await call('pixels', payload), { sha256: sha256(data), width, height, warnings }, script);
      const dictionaries = site.requested().filter((path) => path.includes('dictionaries'));
      // the examples have Thai text
      t.same(dictionaries, script === 'thai' ? [] : [`/fonts/dictionaries/${script}.bin`]);
    }
  });
  t.same(page.problems, [], 'nothing violates the policy');
});
