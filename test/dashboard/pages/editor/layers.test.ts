// The panel Layers in Chromium: adding each kind of layer, names, order, groups, variables, and the clipboard.
import type { KeyInput } from 'puppeteer-core';
import t from 'tap';
import type { Json } from '../../../../web/document/json.js';
import { saveTemplate } from '../../../service/stores.js';
import { openBrowser, skipped } from '../browsers.js';
import { fill, type Site, startSite, unbuilt } from '../site.js';
import type { Visitor } from '../visitor.js';

const box = (name: string, x: number, fillColor: string): Json => ({
  type: 'shape',
  shapeType: 'rectangle',
  name,
  x,
  y: 20,
  width: 40,
  height: 40,
  fillColor,
});

const RECORD = {
  name: 'Shelf',
  width: 400,
  height: 200,
  layers: [box('Red', 20, '#ff0000'), box('Green', 100, '#00ff00'), box('Blue', 180, '#0000ff')],
};

interface Record {
  readonly name: string;
  readonly width: number;
  readonly height: number;
  readonly layers?: readonly Json[];
  readonly hotspots?: readonly Json[];
}

/** The names in the panel, the topmost first. */
const rows = (visitor: Visitor): Promise<string[]> =>
  visitor.page.$$eval('[role="listbox"][aria-label="Layers"] [role="option"]', (options) =>
    options
      .sort((a, b) => Number(a.getAttribute('aria-posinset')) - Number(b.getAttribute('aria-posinset')))
      .map((option) => option.getAttribute('aria-label') ?? ''),
  );

async function shows(visitor: Visitor, ...names: string[]): Promise<void> {
  let last: string[] = [];
  await visitor.until(
    async () => {
      last = await rows(visitor);
      return last.join() === names.join();
    },
    () => `the layers never were ${names.join(', ')}, but ${last.join(', ')}`,
  );
}

async function press(visitor: Visitor, keys: string, commands: string[] = []): Promise<void> {
  const { keyboard } = visitor.page;
  const parts = keys.split('+') as KeyInput[];
  const held = parts.slice(0, -1);
  for (const key of held) await keyboard.down(key);
  await keyboard.press(parts.at(-1)!, { commands });
  for (const key of held.toReversed()) await keyboard.up(key);
}

/** Returns the text by which screen readers describe a layer beside its name. */
async function described(visitor: Visitor, name: string): Promise<string> {
  return (await visitor.find('option', name)).evaluate((option) => option.getAttribute('aria-description') ?? '');
}

/** Drags a row to another: `part` of the way down it. */
async function drag(visitor: Visitor, name: string, over: string, part: number): Promise<void> {
  const { mouse } = visitor.page;
  const from = await (await visitor.find('option', name)).boundingBox();
  const to = await (await visitor.find('option', over)).boundingBox();
  await mouse.move(from!.x + 60, from!.y + from!.height / 2);
  await mouse.down();
  await mouse.move(to!.x + 60, to!.y + to!.height * part, { steps: 4 });
  await mouse.up();
}

const focusLayers = async (visitor: Visitor) => await (await visitor.find('listbox', 'Layers')).focus();

async function chooseInMenu(visitor: Visitor, name: string, item: string): Promise<void> {
  await (await visitor.find('option', name)).click({ button: 'right' });
  await visitor.click('menuitem', item);
}

/** Opens a new template, and tells its record as it is saved. */
async function open(site: Site, visitor: Visitor, workspaceId: string, record: Record) {
  const id = await saveTemplate(site.store, workspaceId, record);
  await visitor.goto(`/dashboard/templates/${id}`);
  await visitor.find('listbox', 'Layers');
  let version = 1;
  return async (): Promise<{ layers: Json[]; hotspots: Json[] }> => {
    await visitor.click('button', 'Save');
    const wanted = ++version;
    const saved = await visitor.until(
      async () => {
        const latest = await site.store.getTemplateRecord({ workspaceId, id });
        return latest.version.version === wanted && latest;
      },
      () => `version ${wanted} was never saved`,
    );
    return saved.record as unknown as { layers: Json[]; hotspots: Json[] };
  };
}

t.test('the panel Layers', { skip: unbuilt || skipped('chromium') }, async (t) => {
  const site = await startSite(t);
  const browser = await openBrowser(t, 'chromium', site.origin);
  const { workspace } = await fill(site, 'Webshop');
  const ada = await browser.visit();
  await ada.resize(1440, 900);
  await site.signIn(ada, await site.operator('Ada', 'owner'));

  await t.test('each kind of layer is added on top, in the middle, and selected', async (t) => {
    const saved = await open(site, ada, workspace.id, { name: 'Empty', width: 1200, height: 630 });
    await ada.sees('No layers yet');
    for (const kind of ['image', 'QR code', 'barcode', 'shape', 'group']) await ada.click('button', `Add ${kind}`);
    await shows(ada, 'Group', 'Rectangle', 'Barcode', 'QR code', 'Image');
    await ada.click('button', 'More shapes');
    await ada.inspect(t, 'Editor with the menu of shapes');
    // small windows have no such menu
    await ada.click('button', 'More shapes');
    await ada.click('menuitem', 'Star');
    await shows(ada, 'Group', 'Star', 'Rectangle', 'Barcode', 'QR code', 'Image');
    t.match(await described(ada, 'Star'), /in Group/, 'into the group that is selected');
    await ada.click('option', 'Image');
    await ada.click('button', 'Add text');
    await shows(ada, 'Text', 'Group', 'Star', 'Rectangle', 'Barcode', 'QR code', 'Image');
    const { layers } = await saved();
    t.match(
      layers.map(({ type }) => type),
      ['image', 'qrcode', 'barcode', 'shape', 'group', 'text'],
    );
    t.match(layers[3], { x: 474, y: 189, width: 252, height: 252 });
    t.match(layers[4]?.layers, [{ shapeType: 'star', points: 5 }]);

    // keys are for the layer that was added by a click
    await ada.click('button', 'Add shape');
    await shows(ada, 'Rectangle', 'Text', 'Group', 'Star', 'Rectangle', 'Barcode', 'QR code', 'Image');
    await press(ada, 'Delete');
    await shows(ada, 'Text', 'Group', 'Star', 'Rectangle', 'Barcode', 'QR code', 'Image');
  });

  await t.test('layers are renamed, hidden, locked, and put in order by keyboard', async (t) => {
    const saved = await open(site, ada, workspace.id, RECORD);
    await shows(ada, 'Blue', 'Green', 'Red');
    await ada.click('option', 'Red');
    await press(ada, 'F2');
    await ada.find('textbox', 'Name');
    await ada.page.keyboard.type('Rose');
    await press(ada, 'Enter');
    await shows(ada, 'Blue', 'Green', 'Rose');
    await press(ada, 'Alt+ArrowUp');
    await shows(ada, 'Blue', 'Rose', 'Green');
    await press(ada, 'Control+Shift+h');
    t.match(await described(ada, 'Rose'), /hidden/);
    await press(ada, 'Control+Shift+l');
    t.match(await described(ada, 'Rose'), /hidden, locked/);
    await ada.inspect(t, 'Editor with a hidden layer');
    const { layers } = await saved();
    t.same(
      layers.map(({ name, visible }) => [name, visible]),
      [
        ['Green', undefined],
        ['Rose', undefined],
        ['Blue', undefined],
      ],
      'hidden and locked are no part of the record',
    );
    await focusLayers(ada);
    await press(ada, 'Home');
    t.same(await ada.page.$$eval('[role="option"][aria-selected="true"]', (all) => all.map((each) => each.ariaLabel)), [
      'Blue',
    ]);
    await press(ada, 'g');
    await press(ada, 'Shift+ArrowUp');
    t.equal((await ada.page.$$('[role="option"][aria-selected="true"]')).length, 2);
  });

  await t.test('layers are dragged, grouped and ungrouped, and all of it can be undone', async (t) => {
    const saved = await open(site, ada, workspace.id, RECORD);
    await shows(ada, 'Blue', 'Green', 'Red');
    await drag(ada, 'Red', 'Blue', 0.2);
    await shows(ada, 'Red', 'Blue', 'Green');
    await press(ada, 'Shift+ArrowDown');
    await press(ada, 'Control+g');
    await shows(ada, 'Group', 'Red', 'Blue', 'Green');
    const { layers } = await saved();
    t.match(layers[1], { type: 'group', x: 20, y: 20, width: 200, height: 40, layers: [{ x: 160 }, { x: 0 }] });
    await drag(ada, 'Green', 'Group', 0.5);
    await shows(ada, 'Group', 'Green', 'Red', 'Blue');
    t.match((await saved()).layers, [{ type: 'group', layers: [{ x: 160 }, { x: 0 }, { name: 'Green', x: 80 }] }]);
    await ada.click('option', 'Group');
    await press(ada, 'ArrowLeft');
    await shows(ada, 'Group');
    t.match(await described(ada, 'Group'), /collapsed/);
    await press(ada, 'ArrowRight');
    await press(ada, 'Control+Shift+g');
    await shows(ada, 'Green', 'Red', 'Blue');
    for (let steps = 0; steps < 4; steps++) await press(ada, 'Control+z');
    await shows(ada, 'Blue', 'Green', 'Red');
  });

  await t.test('a layer becomes a variable with a key of its own, and fixed again', async (t) => {
    const hotspots = [{ ...box('Title', 0, '#ffffff'), key: 'title', label: 'Title' }];
    const saved = await open(site, ada, workspace.id, { ...RECORD, hotspots });
    await shows(ada, 'Title', 'Blue', 'Green', 'Red');
    await chooseInMenu(ada, 'Red', 'Make a variable');
    const key = await ada.find('textbox', 'Key');
    t.equal(await key.evaluate((field) => (field as HTMLInputElement).value), 'red');
    await ada.fill('Key', 'title');
    await ada.sees('“Title” has the key title already');
    await ada.inspect(t, 'Editor with a key that is taken');
    await ada.fill('Key', 'badge');
    await ada.click('button', 'Make a variable');
    await ada.gone('dialog');
    t.match(await described(ada, 'Red'), /variable badge/);
    t.match((await saved()).layers[0], { key: 'badge', name: 'Red' });
    await chooseInMenu(ada, 'Title', 'Make fixed');
    await ada.until(
      async () => !(await described(ada, 'Title')).includes('variable'),
      () => 'it is a variable still',
    );
    const record = await saved();
    t.match(record.layers[3], { name: 'Title', key: undefined });
    t.match(record, { hotspots: [] });
  });

  await t.test('layers, texts and styles are copied and pasted', async (t) => {
    const saved = await open(site, ada, workspace.id, RECORD);
    await shows(ada, 'Blue', 'Green', 'Red');
    await ada.click('option', 'Red');
    await press(ada, 'Control+c', ['Copy']);
    await press(ada, 'Control+v', ['Paste']);
    await shows(ada, 'Red', 'Blue', 'Green', 'Red');
    t.match((await saved()).layers[3], { name: 'Red', x: 30, y: 30 });
    await press(ada, 'Control+x', ['Cut']);
    await shows(ada, 'Blue', 'Green', 'Red');
    await ada.click('option', 'Red');
    await press(ada, 'Control+Alt+c');
    await ada.click('option', 'Blue');
    await press(ada, 'Control+Alt+v');
    t.match((await saved()).layers[2], { name: 'Blue', x: 180, fillColor: '#ff0000' });

    await ada.page.evaluate(() => {
      const data = new DataTransfer();
      data.setData('text/plain', 'From elsewhere\r\n');
      const event = new ClipboardEvent('paste', { clipboardData: data, bubbles: true, cancelable: true });
      document.activeElement?.dispatchEvent(event);
    });
    await shows(ada, 'From elsewhere', 'Blue', 'Green', 'Red');
    // another template
    await focusLayers(ada);
    await press(ada, 'Control+a');
    await press(ada, 'Control+c', ['Copy']);
    const other = await open(site, ada, workspace.id, { name: 'Other', width: 400, height: 200 });
    await focusLayers(ada);
    await press(ada, 'Control+v', ['Paste']);
    await shows(ada, 'From elsewhere', 'Blue', 'Green', 'Red');
    t.match((await other()).layers, [{ name: 'Red', x: 20 }, {}, {}, { text: 'From elsewhere' }]);
  });

  await t.test('many layers have rows where they are seen, and are found by name', async (t) => {
    const layers = Array.from({ length: 480 }, (_, index) => box(`Layer ${index}`, index % 300, '#888888'));
    await open(site, ada, workspace.id, { ...RECORD, layers });
    await ada.find('option', 'Layer 479');
    t.ok((await rows(ada)).length < 80);
    await focusLayers(ada);
    await press(ada, 'End');
    await ada.find('option', 'Layer 0');
    await ada.fill('Find layer', 'layer 123', 'searchbox');
    await shows(ada, 'Layer 123');
    await ada.inspect(t, 'Editor with a filter of layers');
  });

  await t.test('who may not edit can select and look', async (t) => {
    const viewer = await browser.visit();
    await site.signIn(viewer, await site.operator('Vera', 'viewer', [workspace.id]));
    const id = await saveTemplate(site.store, workspace.id, RECORD);
    await viewer.goto(`/dashboard/templates/${id}`);
    await viewer.click('option', 'Red');
    for (const keys of ['Delete', 'Control+d', 'F2', 'Alt+ArrowUp']) await press(viewer, keys);
    await shows(viewer, 'Blue', 'Green', 'Red');
    t.equal(await viewer.has('button', 'Add shape'), false);
    t.equal(await viewer.has('textbox', 'Name'), false);
  });
});
