// The panels Variables and Assets in Chromium: filling the picture, sample and stress sets, rows of files, uploads.
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { ElementHandle } from 'puppeteer-core';
import t from 'tap';
import { draftOf } from '../../../../lib/templates/draft.js';
import { fixture } from '../../../codecs/pictures.js';
import { brandFont } from '../../../fonts/brand-font.js';
import { saveTemplate } from '../../../service/stores.js';
import { openBrowser, skipped } from '../browsers.js';
import { startSite, unbuilt } from '../site.js';
import type { Visitor } from '../visitor.js';

const box = { x: 10, y: 10, width: 180, height: 40 };
const CARD = {
  name: 'Social card',
  width: 200,
  height: 100,
  background: { color: '#ffffff' },
  layers: [
    { type: 'shape', key: 'back', label: 'Back', shapeType: 'rectangle', ...box, y: 60, fillColor: '#00ff00' },
    { type: 'text', key: 'title', label: 'Title', text: 'Hello', fontSize: 20, ...box },
  ],
  samples: [{ name: 'Blue', variables: { title: 'Blue one', back: { fillColor: '#0000ff' } } }],
};

const pixel = async (visitor: Visitor, x: number, y: number): Promise<string> =>
  (await visitor.find('img', 'Preview')).evaluate(
    (element, left, top) =>
      String((element as HTMLCanvasElement).getContext('2d')?.getImageData(left, top, 1, 1).data.slice(0, 3)),
    x,
    y,
  );

async function shows(visitor: Visitor, x: number, y: number, wanted: string): Promise<void> {
  await visitor.until(
    async () => (await pixel(visitor, x, y)) === wanted,
    () => `the picture never had ${wanted}`,
  );
}

async function textIn(visitor: Visitor, name: string): Promise<string> {
  return (await visitor.find('textbox', name)).evaluate((element) => (element as HTMLInputElement).value);
}

/** The small picture of a set, its text, and whether it is drawn. */
async function tileOf(visitor: Visitor, name: string) {
  for (const tile of await visitor.page.$$('.set-tile')) {
    const text = await tile.evaluate((element) => element.querySelector('.set-name')?.textContent ?? '');
    if (text.split(':')[0] === name) return { tile, text, isDrawn: (await tile.$('.thumbnail-drawn')) !== null };
  }
  return { tile: undefined, text: '', isDrawn: false };
}

/** Chooses a file as its dialog does. */
async function choose(visitor: Visitor, label: string, path: string): Promise<void> {
  const input = await visitor.page.waitForSelector(`input[type=file][aria-label="${label}"]`);
  await (input as ElementHandle<HTMLInputElement>).uploadFile(path);
}

t.test('Variables and Assets', { skip: unbuilt || skipped('chromium') }, async (t) => {
  const site = await startSite(t);
  const browser = await openBrowser(t, 'chromium', site.origin);
  const workspace = await site.store.createWorkspace({ name: 'Webshop', plan: 'paid', credits: 10 });
  const id = await saveTemplate(site.store, workspace.id, CARD);
  const ada = await browser.visit();
  await site.signIn(ada, await site.operator('Ada', 'owner'));
  await ada.resize(1440, 900);
  /** The record, once it is saved. */
  const record = async () => {
    const address = { workspaceId: workspace.id, id };
    const before = (await site.store.getTemplate(address))!.version;
    await ada.click('button', 'Save');
    await ada.until(
      async () => (await site.store.getTemplate(address))!.version > before,
      () => 'nothing was saved',
    );
    const path = `/dashboard/api/workspaces/${workspace.id}/templates/${id}`;
    return await ada.page.evaluate(async (url) => (await (await fetch(url)).json()).record, path);
  };
  const folder = t.testdir({});
  await ada.goto(`/dashboard/templates/${id}`);
  await ada.click('tab', 'Variables');

  await t.test('a template opens as it is designed; sample sets fill the picture, and fields reset', async (t) => {
    await shows(ada, 100, 80, '0,255,0');
    const blue = await ada.until(
      async () => (await tileOf(ada, 'Blue')).tile,
      () => 'the sample set has no picture',
    );
    await blue.click();
    await shows(ada, 100, 80, '0,0,255');
    t.equal(await textIn(ada, 'Title'), 'Blue one');
    await ada.fill('Back', '#ff0000');
    await shows(ada, 100, 80, '255,0,0');
    await ada.click('button', 'Reset Back');
    await shows(ada, 100, 80, '0,255,0');
    t.notOk(await ada.has('button', 'Reset Back'), 'nothing is left to reset');
    await ada.inspect(t, 'Variables');
  });

  await t.test('the field in use and the layer on the canvas are selected together', async (t) => {
    await (await ada.find('textbox', 'Title')).focus();
    const isSelected = () =>
      ada.page.evaluate(() => document.querySelector('.variable-selected label')?.textContent ?? '');
    await ada.until(
      async () => (await isSelected()) === 'Title',
      () => 'the field is not marked',
    );
    await ada.click('option', 'Back');
    await ada.until(
      async () => (await isSelected()) === 'Back',
      () => 'the layer’s field is not marked',
    );
    t.pass();
  });

  await t.test('sample sets are saved, updated, renamed, deleted, and come back by undo', async (t) => {
    await ada.fill('Title', 'Second');
    await ada.click('button', 'Save as sample');
    await ada.fill('Name', 'Blue');
    await ada.sees('Another sample set has this name');
    await ada.fill('Name', 'Green');
    await ada.click('button', 'Save');
    await ada.find('button', 'Green');
    await ada.fill('Title', 'Third');
    await ada.click('button', 'Update sample');
    await ada.gone('button', 'Update sample');
    await ada.click('button', 'Rename');
    await ada.fill('Name', 'Lime');
    await ada.click('button', 'Rename', await ada.find('dialog', 'Rename sample'));
    await ada.find('button', 'Lime');
    t.match((await record()).samples, [{ name: 'Blue' }, { name: 'Lime', variables: { title: 'Third' } }]);
    await ada.click('button', 'Delete');
    await ada.gone('button', 'Lime');
    await ada.click('button', 'Undo');
    await ada.click('button', 'Lime');
    t.equal(await textIn(ada, 'Title'), 'Third');
  });

  await t.test('stress sets are in view at once, with their warnings; a click fills the picture', async (t) => {
    for (const name of ['Empty', 'Emoji', 'CJK', 'Right to left']) {
      await ada.until(
        async () => (await tileOf(ada, name)).isDrawn,
        () => `${name} was never drawn`,
      );
    }
    const long = await ada.until(
      async () => (await tileOf(ada, 'Long')).text.includes('warning') && (await tileOf(ada, 'Long')).tile,
      () => 'the long texts have no warning',
    );
    await long.click();
    t.match(await textIn(ada, 'Title'), /Donaudampf/);
    await (await tileOf(ada, 'Empty')).tile!.click();
    t.equal(await textIn(ada, 'Title'), '');
    await ada.inspect(t, 'Variables with a stress set');
  });

  await t.test('rows of a CSV are small pictures, a page at a time', async (t) => {
    const rows = Array.from({ length: 200 }, (_, index) => `Row title ${index + 1},x`);
    const path = join(folder, 'people.csv');
    await writeFile(path, ['title,colour', ...rows, 'too,many,cells'].join('\n'));
    await choose(ada, 'File with rows', path);
    await ada.sees('Rows 1–48 of 201');
    await ada.sees('Column colour is no variable of the template and is ignored');
    await ada.sees('No column for Back: the template’s own is shown');
    await ada.sees('Row 201 can’t be read: it has 3 cells, expected 2');
    await ada.click('button', 'Row 3');
    t.equal(await textIn(ada, 'Title'), 'Row title 3');
    await shows(ada, 100, 80, '0,255,0');
    await ada.click('button', 'Next rows');
    await ada.sees('Rows 49–96 of 201');
    await ada.until(
      async () => (await tileOf(ada, 'Row 49')).isDrawn,
      () => 'no row was drawn',
    );
    await ada.inspect(t, 'Variables with rows');
    await ada.click('button', 'Row 50');
    await ada.click('button', 'Save as sample');
    await ada.click('button', 'Save');
    await ada.until(
      async () => (await ada.all('button', 'Row 50')).length === 2,
      () => 'the row was not saved',
    );
    await writeFile(path, 'title\n"never closed');
    await choose(ada, 'File with rows', path);
    await ada.sees('people.csv has a quote in line 2 that is never closed');
    await ada.click('button', 'Close file');
    await ada.gone('button', 'Close file');
    t.pass();
  });

  await t.test('a picture is uploaded, fills a layer, and becomes one; what is no picture is said', async (t) => {
    await ada.click('tab', 'Assets');
    await ada.sees('Nothing uploaded yet');
    await ada.inspect(t, 'Assets without any');
    const picture = join(folder, 'quadrants.jpg');
    await writeFile(picture, fixture('quadrants-420.jpg'));
    await choose(ada, 'Pictures and fonts', picture);
    const [use] = await ada.until(
      async () => {
        const found = await ada.page.$$('.asset-tile');
        return found.length === 1 ? found : undefined;
      },
      () => 'the picture is not in the library',
    );
    await use!.click();
    const broken = join(folder, 'broken.png');
    await writeFile(broken, 'no picture');
    await choose(ada, 'Pictures and fonts', broken);
    await ada.find('button', 'Dismiss broken.png');
    await ada.inspect(t, 'Assets with a failed upload');
    await ada.click('button', 'Dismiss broken.png');
    await ada.gone('button', 'Dismiss broken.png');
    const { layers } = await record();
    const [asset] = (await site.store.listAssets(workspace.id, { limit: 10 })).items;
    t.match(layers.at(-1), { type: 'image', url: `asset:${asset!.id}` });
    await ada.click('button', 'Undo');
  });

  await t.test('a font is uploaded and given to the selected text', async (t) => {
    const font = join(folder, 'brand.ttf');
    await writeFile(font, brandFont());
    await choose(ada, 'Pictures and fonts', font);
    await ada.until(
      async () => (await ada.page.$$('.asset-tile')).length === 2,
      () => 'the font is not in the library',
    );
    const stored = (await site.store.listAssets(workspace.id, { limit: 10 })).items.find(
      ({ kind }) => kind === 'font',
    )!;
    await ada.click('tab', 'Layers');
    await ada.click('option', 'Title');
    await ada.click('tab', 'Assets');
    await (await ada.page.waitForSelector(`.asset-tile[title="${stored.id}"]`))!.click();
    const { layers } = await record();
    t.equal(layers.find(({ key }: { key: string }) => key === 'title').fontFamily, stored.family);
    await ada.click('tab', 'Warnings');
    await ada.until(
      async () => !(await ada.text()).includes('fontFamily'),
      () => 'the engine does not know the font',
    );
  });

  await t.test('an asset that a template uses is deleted after a second question', async (t) => {
    const items = (await site.store.listAssets(workspace.id, { limit: 10 })).items;
    const picture = items.find(({ kind }) => kind === 'image')!;
    const layer = { type: 'image', url: `asset:${picture.id}`, ...box };
    const user = draftOf({ ...CARD, name: 'User of it', layers: [layer] }, { maxLayers: 500 });
    await site.store.createTemplate(workspace.id, user, { publish: true });
    const tile = await ada.page.waitForSelector(`.asset-tile[title="${picture.id}"]`);
    await tile!.hover();
    await (await ada.page.$(`.asset:has([title="${picture.id}"]) .asset-delete`))!.click();
    const dialog = await ada.find('dialog', 'Delete asset');
    await ada.click('button', 'Delete', dialog);
    await ada.sees('User of it');
    // in small windows the library is not there
    t.same(await ada.violations(), [], 'Delete an asset that is used: accessible');
    await ada.click('button', 'Delete anyway', dialog);
    await ada.gone('dialog', 'Delete asset');
    t.equal((await site.store.listAssets(workspace.id, { limit: 10 })).items.length, 1);
  });

  t.same(ada.problems, [], 'no error, and the policy is kept');
});
