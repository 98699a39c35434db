// Playground and Editor in Chromium: what is typed is seen, checked, copied, compared with the service, and saved.
import t from 'tap';
import { draftOf } from '../../../lib/templates/draft.js';
import { entryOf } from '../../store/suite.js';
import { openBrowser, skipped } from './browsers.js';
import { CARD, fill, startSite, unbuilt } from './site.js';
import type { Visitor } from './visitor.js';

const PAYLOAD = `{
  "canvas": { "width": 40, "height": 20, "backgroundColor": "#ff0000" },
  "layers": [
    { "type": "shape", "shapeType": "rectangle", "x": 20, "y": 0, "width": 20, "height": 20, "fillColour": "#00ff00" }
  ]
}`;

const textOf = async (visitor: Visitor, name: string): Promise<string> =>
  (await visitor.find('textbox', name)).evaluate((element) => (element as HTMLElement).innerText);

/** The colour of the preview's pixel. */
const pixel = async (visitor: Visitor, x: number, y: number): Promise<string> =>
  (await visitor.find('img', 'Preview')).evaluate(
    (element, left, top) => {
      const canvas = element as HTMLCanvasElement;
      return `${canvas.width} × ${canvas.height}: ${canvas.getContext('2d')?.getImageData(left, top, 1, 1).data.join()}`;
    },
    x,
    y,
  );

async function shows(visitor: Visitor, x: number, y: number, wanted: string): Promise<void> {
  await visitor.until(
    async () => (await pixel(visitor, x, y)) === wanted,
    () => `the picture never had ${wanted}`,
  );
}

t.test('Playground and Editor', { skip: unbuilt || skipped('chromium') }, async (t) => {
  const site = await startSite(t);
  const browser = await openBrowser(t, 'chromium', site.origin);
  const { workspace, templateId } = await fill(site, 'Webshop');
  const ada = await browser.visit();
  await site.signIn(ada, await site.operator('Ada', 'owner'));

  await t.test('a payload has its picture while it is typed, and its faults at their line', async (t) => {
    await ada.goto('/dashboard/playground');
    await ada.replaceCode('Payload', PAYLOAD);
    await shows(ada, 1, 1, '40 × 20: 255,0,0,255');
    await ada.sees('layers[0].fillColour is no known field and is ignored; did you mean fillColor? line 4');
    t.equal((await textOf(ada, 'Payload')).replaceAll(/\s/g, ''), PAYLOAD.replaceAll(/\s/g, ''), 'as it was typed');
    await ada.sees('Layers');
    await ada.sees('layers[0] shape');
    await ada.inspect(t, 'Playground with a warning');

    await ada.page.keyboard.type('!');
    await ada.sees('received "!", expected nothing more line 6');
    await ada.sees('Last good picture');
    t.equal(await pixel(ada, 1, 1), '40 × 20: 255,0,0,255');
    await ada.inspect(t, 'Playground with a fault');
    await ada.page.keyboard.press('Backspace');
    await ada.gone('button', 'Fault: received "!", expected nothing more line 6');
    await ada.page.keyboard.press('Tab');
    // Tab leaves the editor
    await ada.focuses('button Copy as curl');
  });

  await t.test('the service draws the same pixels, for nothing', async (t) => {
    const before = await site.store.findWorkspace(workspace.id);
    await ada.click('button', 'Render with the service');
    await ada.sees('Identical');
    await ada.sees('Not charged');
    t.equal((await site.store.findWorkspace(workspace.id))?.balance, before?.balance);
    await ada.inspect(t, 'Playground, verified');
  });

  await t.test('a reload keeps the text; a template is opened as a request with its variables', async (t) => {
    await ada.page.reload();
    await shows(ada, 1, 1, '40 × 20: 255,0,0,255');
    t.match(await textOf(ada, 'Payload'), /fillColour/);
    await ada.goto(`/dashboard/playground?template=${templateId}&version=1`);
    await shows(ada, 1, 1, '120 × 63: 0,0,0,0');
    t.same(JSON.parse(await textOf(ada, 'Payload')), { templateId, templateVersion: 1, variables: { title: 'Hello' } });
    t.equal(ada.path, '/dashboard/playground');
  });

  await t.test('a template is changed, saved without publishing, and published', async (t) => {
    await ada.goto(`/dashboard/templates/${templateId}`);
    await ada.find('heading', 'Editor');
    await ada.click('tab', 'Variables');
    await ada.fill('Title', 'Typed');
    await ada.click('tab', 'JSON');
    await ada.replaceCode('JSON', JSON.stringify({ ...CARD, background: { color: '#0000ff' }, name: 'Blue card' }));
    await shows(ada, 1, 1, '120 × 63: 0,0,255,255');
    await ada.inspect(t, 'Editor');
    await ada.click('button', 'Save');
    await ada.sees('Version 2');
    t.match(await site.store.getTemplate({ workspaceId: workspace.id, id: templateId }), {
      version: 2,
      publishedVersion: 1,
    });

    await ada.click('button', 'Publish');
    await ada.sees('Published: 2');
    t.match(await site.store.getTemplate({ workspaceId: workspace.id, id: templateId }), {
      version: 2,
      publishedVersion: 2,
    });
  });

  await t.test('a version that somebody else saved meanwhile is shown beside one’s own', async (t) => {
    const address = { workspaceId: workspace.id, id: templateId };
    const theirs = draftOf({ ...CARD, name: 'Their card' }, { maxLayers: 500 });
    await site.store.replaceTemplate(address, theirs, { publish: false });
    await ada.replaceCode('JSON', JSON.stringify({ ...CARD, name: 'My card' }, null, 2));
    await ada.click('button', 'Save');
    await ada.find('heading', 'Yours');
    await ada.find('heading', 'Theirs');
    t.match(await ada.text(), /"name": "My card".*"name": "Their card"/);
    await ada.inspect(t, 'Editor with a conflict');
    t.match(await site.store.getTemplate(address), { version: 3 }, 'nothing is saved yet');
    await ada.click('button', 'Save yours');
    await ada.gone('heading', 'Theirs');
    t.match(await site.store.getTemplate(address), { version: 4, name: 'My card' });

    await ada.click('button', 'Versions');
    for (const version of [4, 3, 2, 1]) await ada.find('heading', `Version ${version}`);
    await ada.inspect(t, 'Editor with its versions');
  });

  await t.test('a render of the log opens with its variables, if the log has them', async (t) => {
    const time = new Date().toISOString();
    const variables = { title: 'From the log' };
    site.store.appendRender(entryOf(workspace, 'rnd_logged', { templateId, time, format: 'webp', variables }));
    await ada.goto(`/dashboard/templates/${templateId}?render=rnd_logged`);
    await ada.click('tab', 'Variables');
    await ada.until(
      async () => (await ada.values()).includes('From the log'),
      () => 'the variables never came',
    );
    await ada.click('tab', 'Output');
    t.equal(
      await (await ada.find('combobox', 'Format')).evaluate((element) => (element as HTMLSelectElement).value),
      'webp',
    );
    t.equal(ada.path, `/dashboard/templates/${templateId}`, 'a reload keeps what is changed since');
    await ada.goto(`/dashboard/templates/${templateId}?render=rnd_unknown`);
    await ada.sees('the render log has no entry with this id');
  });

  await t.test('what is written while a version is being saved survives a reload', async (t) => {
    await ada.goto(`/dashboard/templates/${templateId}`);
    await ada.find('heading', 'Editor');
    await ada.click('tab', 'JSON');
    await ada.page.evaluate(() => {
      const { fetch } = window;
      const held = new Promise<void>((resolve) => Object.assign(window, { release: resolve }));
      window.fetch = async (url, options) => {
        if (options?.method === 'PUT') await held;
        return fetch(url, options);
      };
    });
    await ada.replaceCode('JSON', JSON.stringify({ ...CARD, name: 'Saved' }));
    await ada.click('button', 'Save');
    await ada.replaceCode('JSON', JSON.stringify({ ...CARD, name: 'Written meanwhile' }));
    await ada.page.evaluate(() => (window as unknown as { release: () => void }).release());
    await ada.sees('Version 5');
    await ada.page.reload();
    await ada.sees('Unsaved changes');
    await ada.click('tab', 'JSON');
    t.match(await textOf(ada, 'JSON'), /Written meanwhile/);
    await ada.click('button', 'Save');
    await ada.sees('Version 6');
  });
  t.same(ada.problems, []);
});
