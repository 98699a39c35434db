// The editor's Export in Chromium: each format is the file that the library makes of the same template, and faults are said.
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import type { RenderOptions, Template } from '../../../../lib/index.js';
import { render } from '../../../../lib/index.js';
import { ROOT } from '../../../checkout.js';
import { saveTemplate } from '../../../service/stores.js';
import { openBrowser, skipped } from '../browsers.js';
import { startSite, unbuilt } from '../site.js';
import { Designer } from './designer.js';

const box = { x: 10, y: 10, width: 180, height: 40 };
const CARD = {
  name: 'Tea: 50 %',
  width: 200,
  height: 100,
  document: { author: 'Ada', cropMarks: true },
  layers: [
    {
      type: 'shape',
      shapeType: 'circle',
      x: 120,
      y: 20,
      width: 60,
      height: 60,
      fillColor: 'linear-gradient(red, blue)',
    },
    { type: 'text', key: 'title', label: 'Title', text: 'Hello', fontSize: 20, ...box },
  ],
  hotspots: [],
  sizes: { story: { width: 100, height: 200, layers: { title: { width: 80 } } } },
} as Template;

interface SavedFile {
  readonly name: string;
  readonly type: string;
  readonly sha256: string;
}

declare global {
  interface Window {
    /** What the page has had the browser save. */
    savedFiles: { readonly name: string; readonly blob: Blob }[];
  }
}

t.test('Export', { skip: unbuilt || skipped('chromium') }, async (t) => {
  const site = await startSite(t);
  const browser = await openBrowser(t, 'chromium', site.origin);
  const workspace = await site.store.createWorkspace({ name: 'Studio', plan: 'paid', credits: 10 });
  const ada = await browser.visit();
  await site.signIn(ada, await site.operator('Ada', 'viewer'));
  const id = await saveTemplate(site.store, workspace.id, CARD);
  await ada.page.evaluateOnNewDocument(() => {
    window.savedFiles = [];
    const { createObjectURL } = URL;
    const blobs = new Map<string, Blob>();
    URL.createObjectURL = (blob: Blob) => {
      const url = createObjectURL(blob);
      blobs.set(url, blob);
      return url;
    };
    HTMLAnchorElement.prototype.click = function () {
      window.savedFiles.push({ name: this.download, blob: blobs.get(this.href)! });
    };
  });
  await new Designer(ada).open(id, 200, 100);

  const dialog = async () => await ada.find('dialog', 'Export');
  /** Confirms the dialog, and waits for its file. */
  async function exported(): Promise<SavedFile> {
    await ada.click('button', 'Export', await dialog());
    await ada.gone('dialog');
    return await ada.page.evaluate(async () => {
      const { name, blob } = window.savedFiles.pop()!;
      const digest = await crypto.subtle.digest('SHA-256', await blob.arrayBuffer());
      const sha256 = Array.from(new Uint8Array(digest), (byte) => byte.toString(16).padStart(2, '0')).join('');
      return { name, type: blob.type, sha256 };
    });
  }
  /** The file that the library makes. */
  async function expected(name: string, template: object, options: RenderOptions): Promise<SavedFile> {
    const { bytes, mimeType } = await render(template as Template, options);
    return { name, type: mimeType, sha256: createHash('sha256').update(bytes).digest('hex') };
  }
  const requested = () => site.log.splice(0).map(({ path }) => String(path));

  await t.test('has every format of pictures, with quality and scale', async (t) => {
    for (const [name, format, extension] of [
      ['PNG', 'png', 'png'],
      ['JPEG', 'jpeg', 'jpg'],
      ['WebP', 'webp', 'webp'],
      ['AVIF', 'avif', 'avif'],
    ] as const) {
      await ada.click('button', 'Export');
      await ada.choose('Format', name);
      const file = `Tea- 50 -.${extension}`;
      if (format !== 'jpeg') {
        t.same(await exported(), await expected(file, CARD, { format }), name);
        continue;
      }
      await ada.fill('Quality', '40', 'spinbutton');
      await ada.fill('Scale', '2', 'spinbutton');
      await ada.sees('400 × 200 pixels');
      const options = { format, quality: 40 };
      t.same(await exported(), await expected(file, { ...CARD, scale: 2 }, options), name);
    }
  });

  await t.test('SVG and PDF load when they are made, and are those of the library', async (t) => {
    const documents = /harfbuzz-subset|engine-(?:pdf|svg|document|target)/;
    t.same(
      requested().filter((path) => documents.test(path)),
      [],
      'nothing of documents was loaded before',
    );
    await ada.click('button', 'Export');
    await ada.choose('Format', 'SVG');
    await ada.fill('ID prefix', 'tea-');
    await ada.fill('Title', 'Tea');
    t.notOk(await ada.has('textbox', 'Author'), 'which SVG does not have');
    await ada.inspect(t, 'Export of an SVG');
    const svg = { ...CARD, document: { ...CARD.document, idPrefix: 'tea-', title: 'Tea' } };
    t.same(await exported(), await expected('Tea- 50 -.svg', svg, { format: 'svg' }));
    t.notOk(requested().some((path) => path.includes('harfbuzz-subset')));

    await ada.click('button', 'Export');
    t.ok(await ada.has('textbox', 'ID prefix'), 'the format of the last file is chosen');
    await ada.choose('Format', 'PDF');
    await ada.fill('Author', 'Grace');
    await ada.fill('Date', '2026-01-31');
    await ada.fill('Bleed', '12', 'spinbutton');
    await ada.click('checkbox', 'PDF/A-2u');
    await ada.inspect(t, 'Export of a PDF');
    const document = { ...CARD.document, author: 'Grace', date: '2026-01-31', bleed: 12, conformance: ['pdf/a-2u'] };
    t.same(await exported(), await expected('Tea- 50 -.pdf', { ...CARD, document }, { format: 'pdf' }));
    t.ok(requested().some((path) => path.includes('harfbuzz-subset')));
  });

  await t.test('text of an SVG can be live', async (t) => {
    await ada.click('button', 'Export');
    await ada.choose('Format', 'SVG');
    await ada.choose('Text', 'Live');
    const document = { ...CARD.document, text: 'live' };
    t.same(await exported(), await expected('Tea- 50 -.svg', { ...CARD, document }, { format: 'svg' }));
  });

  await t.test('says in one line beside the field what is wrong, and goes on once it is right', async (t) => {
    await ada.click('button', 'Export');
    await ada.choose('Format', 'PDF');
    await ada.fill('Date', 'tomorrow');
    await ada.page.keyboard.press('Enter');
    await ada.sees('received "tomorrow", expected a date of ISO 8601');
    const field = await ada.find('textbox', 'Date');
    t.equal(await field.evaluate((element) => element.getAttribute('aria-invalid')), 'true');
    await ada.inspect(t, 'Export with a fault');
    await ada.fill('Date', '');
    await exported();
    t.pass('the file was made');
  });

  await t.test('takes the size and the variables of the picture', async (t) => {
    await ada.choose('Size', 'story');
    await ada.click('tab', 'Variables');
    await ada.fill('Title', 'Hallo');
    await ada.drawn();
    await ada.click('button', 'Export');
    const options = { size: 'story', variables: { title: 'Hallo' }, format: 'pdf' } as const;
    t.same(await exported(), await expected('Tea- 50 -.pdf', CARD, options));
    await ada.click('button', 'Export');
    await ada.fill('Scale', '0.5', 'spinbutton');
    await ada.sees('50 × 100 pixels');
    const sizes = { story: { ...(CARD.sizes as { story: object }).story, scale: 0.5 } };
    t.same(await exported(), await expected('Tea- 50 -.pdf', { ...CARD, sizes }, options));
  });

  await t.test('Escape leaves it, and the focus is where it was', async () => {
    await ada.tabTo('button Export');
    await ada.page.keyboard.press('Enter');
    await dialog();
    await ada.focuses('select Format');
    await ada.page.keyboard.press('Escape');
    await ada.gone('dialog');
    await ada.focuses('button Export');
  });

  await t.test('a large document shows its progress, and can be cancelled', async (t) => {
    const photo = readFileSync(join(ROOT, 'examples/pictures/dawn.jpg')).toString('base64');
    const layers = Array.from({ length: 60 }, (_, i) => ({
      type: 'image',
      url: `data:image/jpeg;base64,${photo}`,
      ...{ x: i, y: i, width: 1000, height: 1000 },
      filter: `blur(${i + 1}px)`,
    }));
    const record = { ...CARD, width: 1200, height: 1200, layers, sizes: {} };
    const large = await saveTemplate(site.store, workspace.id, record);
    await new Designer(ada).open(large, 1200, 1200);
    await ada.click('button', 'Export');
    await ada.choose('Format', 'PDF');
    await ada.click('button', 'Export', await dialog());
    await ada.find('progressbar', 'Making the PDF');
    t.same(await ada.violations(), [], 'accessible');
    await ada.click('button', 'Cancel', await dialog());
    await ada.gone('dialog');
    t.same(await ada.page.evaluate(() => window.savedFiles), []);
  });
  t.same(ada.problems, []);
});
