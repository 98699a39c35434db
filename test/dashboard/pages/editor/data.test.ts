// Data in the editor, in Chromium: a declared list as a table, and fields that become expressions.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { ROOT } from '../../../checkout.js';
import { saveTemplate } from '../../../service/stores.js';
import { openBrowser, skipped } from '../browsers.js';
import { startSite, unbuilt } from '../site.js';

const receipt = JSON.parse(readFileSync(join(ROOT, 'data/templates/receipt.json'), 'utf8'));

t.test('data in the editor', { skip: unbuilt || skipped('chromium') }, async (t) => {
  const site = await startSite(t);
  const browser = await openBrowser(t, 'chromium', site.origin);
  const workspace = await site.store.createWorkspace({ name: 'Studio', plan: 'paid', credits: 10 });
  const ada = await browser.visit();
  await site.signIn(ada, await site.operator('Ada', 'owner'));
  const open = async (record: {
    readonly name: string;
    readonly width: number;
    readonly height: number;
    readonly [field: string]: unknown;
  }) => {
    const id = await saveTemplate(site.store, workspace.id, record);
    await ada.goto(`/dashboard/templates/${id}`);
    await ada.find('listbox', 'Layers');
    await ada.drawn();
    return id;
  };
  const heightOfPicture = () => ada.page.$eval('.stage-picture', (picture) => (picture as HTMLCanvasElement).height);
  const saved = async (id: string) => {
    await ada.click('button', 'Save');
    await ada.sees('Version 2');
    const { record } = await site.store.getTemplateRecord({ workspaceId: workspace.id, id });
    return record as { readonly placeholders?: boolean; readonly layers: readonly Record<string, unknown>[] };
  };

  await t.test('rows of a list are added, sorted and removed, and the picture follows', async (t) => {
    await open(receipt);
    await ada.click('tab', 'Variables');
    const before = await heightOfPicture();
    const list = await ada.find('group', 'Items');
    await ada.click('button', 'Add row', list);
    await ada.fill('name, row 4', 'Apple cake');
    await ada.fill('price, row 4', '9');
    await ada.until(
      async () => (await heightOfPicture()) > before,
      () => 'the picture did not grow',
    );
    await ada.click('button', 'price', list);
    const first = await ada.find('textbox', 'name, row 1');
    t.equal(await first.evaluate((input) => (input as HTMLInputElement).value), 'Apple cake');
    await ada.fill('price, row 1', 'a lot');
    await ada.sees('expected a number');
    await ada.inspect(t, 'a list with a wrong cell');
    await ada.click('button', 'Reset Items');
    await ada.until(
      async () => (await heightOfPicture()) === before,
      () => 'the default did not come back',
    );
  });

  await t.test('a field becomes an expression, whose fault has a column, and a plain value again', async (t) => {
    const text = { type: 'text', text: 'Hello', x: 10, y: 10, width: 180, height: 40, color: '#ff0000' };
    const id = await open({ name: 'Bound', width: 200, height: 100, variables: { ink: 'color' }, layers: [text] });
    const [layer] = await ada.all('option');
    await layer!.click();
    const colour = await ada.find('button', 'Colour from data');
    await colour.focus();
    await ada.page.keyboard.press('Enter');
    const field = await ada.find('textbox', 'Colour');
    t.equal(await field.evaluate((input) => (input as HTMLTextAreaElement).value), '{{= "#ff0000" }}');
    await ada.fill('Colour', '{{= default(ink, "#00ff00" }}');
    await ada.click('button', 'Go to column 28');
    await ada.fill('Colour', '{{= default( , "#00ff00") }}');
    for (let i = 0; i < 15; i++) await ada.page.keyboard.press('ArrowLeft');
    await ada.click('button', 'ink');
    await ada.drawn();
    await ada.inspect(t, 'a field that is an expression');
    const record = await saved(id);
    t.equal(record.placeholders, true, 'the switch of expressions is on');
    t.match(record.layers[0]!.color, /default\(.*ink.*, "#00ff00"\)/);
    await ada.click('button', 'Colour from data');
    await ada.until(
      async () => (await ada.page.$('[data-field=color] textarea')) === null,
      () => 'the colour is still an expression',
    );
  });
});
