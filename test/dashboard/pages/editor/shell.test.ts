// The parts around the editor's canvas in Chromium: versions, conflicts of saving, verifying, and permissions.
import t from 'tap';
import { draftOf } from '../../../../lib/templates/draft.js';
import { saveTemplate } from '../../../service/stores.js';
import { openBrowser, skipped } from '../browsers.js';
import { startSite, unbuilt } from '../site.js';
import type { Visitor } from '../visitor.js';
import { Designer } from './designer.js';

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
  sizes: { story: { width: 100, height: 200, layers: { title: { width: 80 } } } },
};

t.test('the editor around its canvas', { skip: unbuilt || skipped('chromium') }, async (t) => {
  const site = await startSite(t);
  const browser = await openBrowser(t, 'chromium', site.origin);
  const workspace = await site.store.createWorkspace({ name: 'Studio', plan: 'paid', credits: 10 });
  const owner = await site.operator('Ada', 'owner');
  const ada = await browser.visit();
  await site.signIn(ada, owner);
  const designer = new Designer(ada);
  const template = () => saveTemplate(site.store, workspace.id, CARD);
  const latest = async (id: string) => {
    const { record, version } = await site.store.getTemplateRecord({ workspaceId: workspace.id, id });
    return { record: record as { readonly name: string; readonly background: unknown }, version: version.version };
  };
  /** Renames the template, as any change. */
  const rename = async (visitor: Visitor, name: string) => {
    await visitor.find('listbox', 'Layers');
    const field = await visitor.find('textbox', 'Name', await visitor.find('region', 'Panels'));
    await field.click({ count: 3 });
    await visitor.page.keyboard.type(name);
    await visitor.page.keyboard.press('Tab');
    await visitor.sees('Unsaved changes');
  };

  await t.test('a blank template takes one of the usual sizes', async (t) => {
    // the page of a workspace without templates has the button elsewhere
    await template();
    await ada.goto('/dashboard/templates');
    await ada.find('heading', 'Social card');
    await ada.click('button', 'New template');
    const dialog = await ada.find('dialog', 'New template');
    await ada.click('button', 'Story', dialog);
    const width = await ada.find('spinbutton', 'Width', dialog);
    await ada.until(
      () => width.evaluate((field) => (field as HTMLInputElement).value === '1080'),
      () => 'the width never changed',
    );
    t.same(await ada.violations(), [], 'the dialog: accessible');
    await ada.click('button', 'New template', dialog);
    await ada.find('listbox', 'Layers');
    const { record } = await latest(ada.path.split('/').at(-1)!);
    t.match(record, { width: 1080, height: 1920 });
  });

  await t.test('versions are compared as pictures, by pixels and as JSON, and restored', async (t) => {
    const id = await template();
    const draft = draftOf({ ...CARD, background: { color: '#ffff00' } }, { maxLayers: 500 });
    await site.store.replaceTemplate({ workspaceId: workspace.id, id }, draft, { publish: false });
    await designer.open(id, 200, 100);
    await ada.click('button', 'Versions');
    await ada.find('heading', 'Version 2');
    const first = await ada.find('listitem', 'Version 1');
    await ada.click('button', 'Compare', first);
    await ada.find('img', 'Picture: Version 1');
    await ada.find('img', 'Picture: In the editor');
    t.same(await ada.violations(), [], 'compared as pictures: accessible');
    await ada.click('radio', 'Difference');
    await ada.find('img', 'Where they differ');
    await ada.click('radio', 'JSON');
    await ada.sees('#ffff00');
    t.same(await ada.violations(), [], 'compared as JSON: accessible');
    await ada.click('button', 'Restore', await ada.find('listitem', 'Version 1'));
    await ada.find('heading', 'Version 3');
    await ada.click('button', 'Close');
    t.match((await latest(id)).record, { background: { color: '#ffffff' } });
    await ada.inspect(t, 'after restoring');
  });

  await t.test('who saves second sees both sides, and keeps theirs or takes the other', async (t) => {
    const id = await template();
    const bea = await browser.visit();
    await site.signIn(bea, await site.operator('Bea', 'editor'));
    for (const [isKept, saved] of [
      [true, 2],
      [false, 4],
    ] as const) {
      await ada.front();
      await designer.open(id, 200, 100);
      await bea.front();
      await new Designer(bea).open(id, 200, 100);
      await rename(bea, `Theirs ${saved}`);
      // the history is kept meanwhile, and must not come back as unsaved once it is saved
      await new Promise((resolve) => setTimeout(resolve, 1000));
      await bea.click('button', 'Save');
      await bea.sees(`Version ${saved} saved`);
      await ada.front();
      await rename(ada, `Yours ${saved}`);
      await ada.click('button', 'Save');
      await ada.find('heading', 'Yours');
      await ada.find('heading', 'Theirs');
      await ada.find('img', 'Picture: Theirs');
      t.same(await ada.violations(), [], 'a conflict: accessible');
      await ada.click('button', isKept ? 'Save yours' : 'Take theirs');
      await ada.gone('heading', 'Theirs');
      await ada.until(
        async () => (await latest(id)).version === (isKept ? saved + 1 : saved),
        () => 'the version was never as expected',
      );
      t.equal((await latest(id)).record.name, isKept ? `Yours ${saved}` : `Theirs ${saved}`);
      await ada.sees(isKept ? `Yours ${saved}` : `Theirs ${saved}`);
    }
    t.same(bea.problems, []);
  });

  await t.test('the service draws the chosen size with its variables as the preview does', async () => {
    const id = await template();
    await designer.open(id, 200, 100);
    await ada.choose('Size', 'story');
    await ada.click('tab', 'Variables');
    await ada.fill('Title', 'Verified');
    await ada.drawn();
    await ada.click('button', 'Verify with service');
    await ada.sees('Identical');
  });

  await t.test('a viewer sees no control that it may not use', async (t) => {
    const id = await template();
    const eve = await browser.visit();
    await site.signIn(eve, await site.operator('Eve', 'viewer'));
    await new Designer(eve).open(id, 200, 100);
    await eve.click('option', 'Title', await eve.find('listbox', 'Layers'));
    await eve.find('textbox', 'Text');
    for (const name of [
      'Save',
      'Publish',
      'Undo',
      'Redo',
      'Verify with service',
      'Add text',
      'Add group',
      'Align left',
    ]) {
      t.notOk(await eve.has('button', name), name);
    }
    const isEnabled = await (await eve.find('textbox', 'Text')).evaluate(
      (field) => !(field as HTMLInputElement).disabled,
    );
    t.notOk(isEnabled, 'fields are to read');
    await eve.page.keyboard.press('Delete');
    await eve.click('button', 'Versions');
    await eve.find('heading', 'Version 1');
    t.notOk(await eve.has('button', 'Restore'));
    await eve.click('button', 'Close');
    await eve.inspect(t, 'as a viewer');
  });

  await t.test('a phone shows the picture, variables and texts, and no handles', async (t) => {
    const id = await template();
    const phone = await browser.visit();
    await site.signIn(phone, owner);
    await phone.resize(390, 780);
    await phone.goto(`/dashboard/templates/${id}`);
    await phone.drawn();
    t.notOk(await phone.has('listbox', 'Layers'));
    t.same(await phone.page.$$('.overlay, .canvas'), []);
    await phone.click('tab', 'Variables');
    await phone.fill('Title', 'On the way');
    await phone.click('tab', 'Text');
    t.same(await phone.violations(), [], 'texts on a phone: accessible');
    await phone.fill('Title', 'Changed');
    await phone.click('button', 'Save');
    await phone.sees('Version 2 saved');
    t.equal((await latest(id)).version, 2);
    t.same(phone.problems, []);
  });
  t.same(ada.problems, []);
});
