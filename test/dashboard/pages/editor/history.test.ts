// The editor keeps the work on a template: undo over a reload, drafts, versions.
import t from 'tap';
import { saveTemplate } from '../../../service/stores.js';
import { openBrowser, skipped } from '../browsers.js';
import { CARD, startSite, unbuilt } from '../site.js';

t.test('the history of the editor', { skip: unbuilt || skipped('chromium') }, async (t) => {
  const site = await startSite(t);
  const browser = await openBrowser(t, 'chromium', site.origin);
  const workspace = await site.store.createWorkspace({ name: 'Studio', plan: 'paid', credits: 10 });
  const id = await saveTemplate(site.store, workspace.id, CARD);
  const ada = await browser.visit();
  await site.signIn(ada, await site.operator('Ada', 'owner'));
  const open = async () => {
    await ada.goto(`/dashboard/templates/${id}`);
    await ada.find('heading', 'Editor');
    await ada.click('tab', 'JSON');
    await ada.find('textbox', 'JSON');
  };
  const isEnabled = async (name: string) =>
    await (await ada.find('button', name)).evaluate((button) => !(button as HTMLButtonElement).disabled);
  const write = (name: string) => ada.replaceCode('JSON', JSON.stringify({ ...CARD, name }, null, 2));
  const shows = (text: string) =>
    ada.until(
      async () => (await (await ada.find('textbox', 'JSON')).evaluate((view) => view.textContent))?.includes(text),
      () => `the JSON view never had ${text}`,
    );

  await t.test('undo and redo lead through the steps, and survive a reload', async (t) => {
    await open();
    t.notOk(await isEnabled('Undo'));
    await write('First');
    await ada.click('tab', 'Properties');
    await ada.click('tab', 'JSON');
    await shows('First');
    await ada.click('button', 'Undo');
    await shows('Social card');
    await ada.click('button', 'Redo');
    await shows('First');
    await ada.sees('Unsaved changes');
    // what is kept is written a moment after the change
    await ada.until(
      () =>
        ada.page.evaluate(
          () =>
            new Promise<boolean>((resolve) => {
              const request = indexedDB.open('platen-editor');
              request.onsuccess = () => {
                const { result } = request;
                if (!result.objectStoreNames.contains('histories')) return resolve(false);
                const count = result.transaction('histories').objectStore('histories').count();
                count.onsuccess = () => resolve(count.result > 0);
              };
            }),
        ),
      () => 'the history was never kept',
    );
    await open();
    await ada.sees('which were not saved');
    await shows('First');
    await ada.click('button', 'Undo');
    await shows('Social card');
    await ada.click('button', 'Redo');
    await shows('First');
  });

  await t.test('changes that were not saved can be discarded, and that can be undone', async (t) => {
    await open();
    await ada.click('button', 'Discard them');
    await shows('Social card');
    await ada.gone('button', 'Discard them');
    await ada.click('button', 'Undo');
    await shows('First');
    await ada.click('button', 'Save');
    await ada.sees('Version 2 saved');
    await write('Second');
    await ada.sees('Unsaved changes');
    t.notOk(await ada.has('button', 'Discard them'), 'these were made here');
  });

  await t.test('a text that is no JSON keeps the last good picture, and comes back after a reload', async (t) => {
    await ada.replaceCode('JSON', '{ "name": ');
    await ada.click('tab', 'Warnings');
    await ada.sees('expected a value');
    await open();
    await shows('{ "name":');
    t.notOk(await isEnabled('Save'));
    await ada.click('tab', 'Warnings');
    await ada.inspect(t, 'a text that is no JSON');
    await ada.click('button', 'Line 1');
    await ada.find('textbox', 'JSON');
  });
  t.same(ada.problems, []);
});
