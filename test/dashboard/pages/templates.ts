// The page Templates, from the first template to the last, in any browser.
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ElementHandle } from 'puppeteer-core';
import t, { type Test } from 'tap';
import { ROOT } from '../../checkout.js';
import { type BrowserName, openBrowser, skipped } from './browsers.js';
import { CARD, fill, startSite, unbuilt } from './site.js';
import type { Element, Visitor } from './visitor.js';

const PATH = '/dashboard/templates';

export function templates(name: BrowserName): void {
  t.test(`the page Templates, in ${name}`, { skip: unbuilt || skipped(name) }, async (t) => {
    const site = await startSite(t);
    const browser = await openBrowser(t, name, site.origin);
    const workspace = await site.store.createWorkspace({ name: 'Studio', plan: 'paid', credits: 10 });
    const erin = await browser.visit();
    await site.signIn(erin, await site.operator('Erin', 'editor', [workspace.id]));
    const saved = async () => (await site.store.listTemplates(workspace.id, { limit: 50 })).items;
    const names = async () => (await saved()).map((template) => template.name);
    const card = (title: string) => erin.find('article', title);
    const visit = async () => {
      await erin.goto(PATH);
      await erin.find('heading', 'Templates');
      await erin.settled();
    };

    await t.test('an empty workspace offers to make one; starters are options, Blank first', async (t) => {
      await visit();
      await erin.sees('No templates yet');
      await erin.inspect(t, 'no templates');
      await erin.click('button', 'New template');
      const dialog = await erin.find('dialog', 'New template');
      await erin.find('option', 'Catalogue', dialog);
      const options = await erin.all('option', undefined, dialog);
      const records = (await readdir(join(ROOT, 'data/templates'))).filter((file) => file.endsWith('.json'));
      t.equal(options.length, 1 + records.length);
      t.match(await erin.textOf(options[0]!), /^Blank An empty canvas/);
      t.match(await erin.textOf(options[1]!), /^OG card A link preview with a headline/);
      await erin.inspect(t, 'New template');
      await erin.focuses(/Blank/);
      await erin.page.keyboard.press('ArrowRight');
      await erin.focuses(/OG card/);
      await erin.page.keyboard.press('ArrowDown');
      await erin.page.keyboard.press('ArrowUp');
      await erin.focuses(/OG card/);
      await erin.page.keyboard.press('End');
      await erin.focuses(/Catalogue/);
      await erin.page.keyboard.press('Home');
      await erin.focuses(/Blank/);
      await erin.click('button', 'Cancel', dialog);
      await erin.gone('dialog');
      t.same(await names(), []);
    });

    await t.test('New template makes a draft of a starter, and opens it', async (t) => {
      await erin.click('button', 'New template');
      const dialog = await erin.find('dialog', 'New template');
      await erin.click('option', 'Event card', dialog);
      await erin.fill('Name', 'Launch');
      await erin.click('button', 'New template', dialog);
      await erin.until(
        async () => /^\/dashboard\/templates\/tpl_\w+$/.test(erin.path),
        () => 'the editor did not open',
      );
      t.match(await saved(), [{ name: 'Launch', width: 1200, height: 630, version: 1, publishedVersion: null }]);
      await visit();
      await isDrawn(t, erin, await card('Launch'));
      t.match(await erin.textOf(await card('Launch')), /1200 × 630 .*6 variables .*Draft/);
      await erin.inspect(t, 'one card');
    });

    await t.test('Publish makes the latest version the one that renders use', async (t) => {
      await erin.click('button', 'Publish', await card('Launch'));
      await erin.sees('Launch published');
      t.match(await saved(), [{ publishedVersion: 1 }]);
      t.notOk(await erin.has('button', 'Publish', await card('Launch')));
    });

    await t.test('Duplicate makes a draft with the same record under another name', async (t) => {
      await erin.click('button', 'Duplicate', await card('Launch'));
      await card('Launch copy');
      t.same(await names(), ['Launch copy', 'Launch']);
      const [copy, original] = await Promise.all((await saved()).map(({ id }) => site.store.getTemplateRecord({ id })));
      t.same(copy!.record, { ...(original!.record as object), name: 'Launch copy' });
    });

    await t.test('Import takes files and pasted JSON, and shows what is wrong by field', async (t) => {
      const folder = await mkdtemp(join(tmpdir(), 'platen-import-'));
      t.teardown(() => rm(folder, { recursive: true }));
      const paths = ['good.json', 'bad.json', 'none.json'].map((file) => join(folder, file));
      const file = `${JSON.stringify({ ...CARD, name: 'From a file', unknown: [1.5, null] }, null, 2)}\n`;
      await writeFile(paths[0]!, file);
      await writeFile(paths[1]!, JSON.stringify({ name: 'Bad', width: 0, height: 9, layers: [{ type: 'text' }] }));
      await writeFile(paths[2]!, '{');
      await erin.click('button', 'Import');
      const dialog = await erin.find('dialog', 'Import');
      const input = (await dialog.$('input[type=file]')) as ElementHandle<HTMLInputElement>;
      await input.uploadFile(...paths);
      await erin.sees('none.json');
      await erin.click('button', 'Import', dialog);
      await erin.sees('width received 0');
      const text = await erin.text();
      t.match(text, /bad\.json width received 0, .*layers\[0\]\.x received nothing/);
      t.match(text, /none\.json is no JSON/);
      await erin.inspect(t, 'faults of an import');
      t.same(await names(), ['From a file', 'Launch copy', 'Launch']);
      await erin.click('button', 'Cancel', dialog);
      await erin.gone('dialog');
      await isDrawn(t, erin, await card('From a file'));

      t.equal(await exported(erin, await card('From a file')), file, 'Export gives the bytes that were imported');
      await erin.click('button', 'Import');
      const again = await erin.find('dialog', 'Import');
      await erin.fill('JSON', JSON.stringify({ ...CARD, name: 'Pasted' }));
      await erin.click('button', 'Import', again);
      await erin.gone('dialog');
      await card('Pasted');
      t.match((await saved())[0], { name: 'Pasted', publishedVersion: 1 });
    });

    await t.test('Versions lists them; Publish and Restore', async (t) => {
      const [{ id }] = await saved();
      const draft = { record: { ...CARD, name: 'Pasted', width: 200 }, hotspots: [], assetIds: [] };
      await site.store.replaceTemplate({ id }, draft, { publish: false });
      await visit();
      t.match(await erin.textOf(await card('Pasted')), /Published Newer draft/);
      await erin.click('button', 'Versions', await card('Pasted'));
      const dialog = await erin.find('dialog', 'Versions of Pasted');
      await erin.find('heading', 'Version 2', dialog);
      await erin.inspect(t, 'Versions');
      await erin.click('button', 'Publish', dialog);
      await erin.sees('Version 2 of Pasted published');
      t.match((await saved())[0], { version: 2, publishedVersion: 2 });
      await erin.click('button', 'Restore', dialog);
      await erin.find('heading', 'Version 3', dialog);
      t.match((await saved())[0], { version: 3, publishedVersion: 2, width: CARD.width }, 'as a draft');
      await erin.page.keyboard.press('Escape');
      await erin.gone('dialog');
    });

    await t.test('filters by name and state', async (t) => {
      const shows = (expected: readonly string[]) =>
        erin.until(
          async () => {
            const found = await erin.page.$$eval('article h2', (all) => all.map((heading) => heading.textContent));
            return JSON.stringify(found) === JSON.stringify(expected);
          },
          () => `not the templates ${expected}`,
        );
      await shows(['Pasted', 'From a file', 'Launch copy', 'Launch']);
      await erin.fill('Name', 'LAUNCH', 'searchbox');
      await shows(['Launch copy', 'Launch']);
      await erin.choose('State', 'Published');
      await shows(['Launch']);
      await erin.fill('Name', 'nothing of that kind', 'searchbox');
      await erin.sees('No template matches');
      await erin.inspect(t, 'no matches');
      await erin.fill('Name', '', 'searchbox');
      await erin.choose('State', 'All');
      await shows(['Pasted', 'From a file', 'Launch copy', 'Launch']);
    });

    await t.test('Delete asks, with the name', async (t) => {
      await erin.click('button', 'Delete', await card('Launch copy'));
      const dialog = await erin.find('dialog', 'Delete template');
      t.match(await erin.textOf(dialog), /Delete Launch copy/);
      await erin.inspect(t, 'Delete');
      await erin.click('button', 'Cancel', dialog);
      await erin.gone('dialog');
      t.ok((await names()).includes('Launch copy'));
      await erin.click('button', 'Delete', await card('Launch copy'));
      await erin.click('button', 'Delete', await erin.find('dialog', 'Delete template'));
      await erin.sees('Launch copy deleted');
      await erin.gone('article', 'Launch copy');
      t.notOk((await names()).includes('Launch copy'));
    });

    await t.test('a viewer looks, exports and compares versions, and changes nothing', async (t) => {
      const { workspace: other } = await fill(site, 'Webshop');
      const vera = await browser.visit();
      await site.signIn(vera, await site.operator('Vera', 'viewer', [other.id]));
      await vera.goto(PATH);
      const only = await vera.find('article', CARD.name);
      await isDrawn(t, vera, only);
      for (const control of ['New template', 'Import', 'Edit', 'Duplicate', 'Delete', 'Publish'])
        t.notOk(await vera.has('button', control), control);
      for (const control of ['Export', 'Versions']) t.ok(await vera.has('button', control), control);
      await vera.click('button', 'Versions');
      await vera.find('heading', 'Version 1');
      for (const control of ['Publish', 'Restore']) t.notOk(await vera.has('button', control), control);
      t.same(vera.problems, []);
    });

    t.same(erin.problems, [], 'no error, and the policy is kept');
  });
}

/** Waits until a card's picture is there. */
async function isDrawn(t: Test, visitor: Visitor, card: Element): Promise<void> {
  await visitor.until(
    async () =>
      await card.$eval('canvas', (canvas) => {
        const { data } = canvas.getContext('2d')!.getImageData(0, 0, canvas.width, canvas.height);
        return data.some((value) => value !== 0) && getComputedStyle(canvas).visibility === 'visible';
      }),
    () => 'no picture came',
  );
  t.ok(await visitor.has('img', undefined, card), 'the picture has a name');
}

/** The text of the file that **Export** saves. */
async function exported(visitor: Visitor, card: Element): Promise<string> {
  await visitor.page.evaluate(() => {
    const page = window as unknown as { saved?: Promise<string> };
    const create = URL.createObjectURL;
    URL.createObjectURL = (file) => {
      page.saved = (file as Blob).text();
      return create(file);
    };
  });
  await visitor.click('button', 'Export', card);
  const look = () =>
    visitor.page.evaluate(async () => (await (window as unknown as { saved?: Promise<string> }).saved) ?? '');
  return await visitor.until(look, () => 'nothing was saved');
}
