// The panel Properties in Chromium: what is typed, picked and pressed changes the record, and one step of it can be undone.
import t from 'tap';
import { saveTemplate } from '../../../service/stores.js';
import { openBrowser, skipped } from '../browsers.js';
import { startSite, unbuilt } from '../site.js';
import type { Visitor } from '../visitor.js';

const RECORD = {
  name: 'Summer sale',
  width: 600,
  height: 300,
  background: { color: '#14213d' },
  layers: [
    { type: 'shape', id: 'panel', shapeType: 'rectangle', x: 10, y: 20, width: 200, height: 100, fillColor: '#ff8800' },
    { type: 'text', key: 'title', label: 'Title', text: 'Hello', x: 20, y: 30, width: 150, height: 40, color: 'white' },
    {
      type: 'group',
      id: 'row',
      x: 300,
      y: 20,
      width: 200,
      height: 100,
      layout: 'row',
      layers: [{ type: 'shape', id: 'dot', shapeType: 'circle', width: 20, height: 20 }],
    },
  ],
  sizes: { story: { width: 300, height: 600 } },
};

/** Selects a layer by its name. */
async function select(visitor: Visitor, name: string): Promise<void> {
  const option = await visitor.until(
    async () => {
      for (const each of await visitor.page.$$('[role="option"]')) {
        if ((await visitor.textOf(each)).startsWith(name)) return each;
      }
      return undefined;
    },
    () => `no layer ${name} came`,
  );
  await option.click();
  await visitor.until(
    async () =>
      await visitor.page.evaluate(
        (text) => document.querySelector('.prop-title')?.textContent?.startsWith(text) ?? false,
        name,
      ),
    () => `the form of ${name} did not come`,
  );
}

async function textIn(visitor: Visitor, name: string, role = 'textbox'): Promise<string> {
  const field = await visitor.find(role, name);
  return await field.evaluate((element) => (element as HTMLInputElement).value);
}

async function press(visitor: Visitor, ...keys: readonly string[]): Promise<void> {
  for (const key of keys) {
    const [main, ...modifiers] = key.split('+').reverse();
    for (const each of modifiers) await visitor.page.keyboard.down(each as 'Shift');
    await visitor.page.keyboard.press(main as 'Enter');
    for (const each of modifiers) await visitor.page.keyboard.up(each as 'Shift');
  }
}

t.test('the panel Properties', { skip: unbuilt || skipped('chromium') }, async (t) => {
  const site = await startSite(t);
  const workspace = await site.store.createWorkspace({ name: 'Studio', plan: 'paid', credits: 1000 });
  const id = await saveTemplate(site.store, workspace.id, RECORD);
  const operator = await site.operator('ada', 'owner');
  const { visit } = await openBrowser(t, 'chromium', site.origin);
  const visitor = await visit();
  await visitor.resize(1440, 900);
  await site.signIn(visitor, operator);
  await visitor.goto(`/dashboard/templates/${id}`);
  await visitor.find('textbox', 'Width');

  const violations = async () => {
    const found: string[] = [];
    for (const value of ['light', 'dark']) {
      await visitor.page.emulateMediaFeatures([{ name: 'prefers-color-scheme', value }]);
      found.push(...(await visitor.violations()).map((each) => `${value}: ${each}`));
    }
    return found;
  };
  const see = async (name: string, value: string, role = 'textbox') => {
    let shown = '';
    await visitor.until(
      async () => {
        shown = await textIn(visitor, name, role);
        return shown === value;
      },
      () => `${name} is ${shown}, not ${value}`,
    );
  };

  await t.test('numbers take sums, arrow keys and bounds', async (t) => {
    await select(visitor, 'panel');
    await visitor.fill('X', '100/4');
    await press(visitor, 'Enter');
    await see('X', '25');
    await press(visitor, 'ArrowUp', 'Shift+ArrowUp', 'Alt+ArrowDown');
    await see('X', '35.9');
    await visitor.fill('X', '+=4');
    await press(visitor, 'Tab');
    await see('X', '39.9');
    await visitor.fill('Width', '50%');
    await press(visitor, 'Tab');
    await see('Width', '50%');
    await visitor.click('button', 'Undo');
    await see('Width', '200');

    await visitor.fill('Opacity', '2');
    await press(visitor, 'Tab');
    await visitor.sees('Enter a number from 0 to 1');
    t.equal(await textIn(visitor, 'Opacity'), '2', 'what is typed stays');
    t.same(await violations(), []);
    await select(visitor, 'Title');
    t.equal(await textIn(visitor, 'Opacity'), '');
    await select(visitor, 'panel');
    t.equal(await textIn(visitor, 'Opacity'), '2', 'it is kept for its layer');
    await visitor.fill('Opacity', '.5');
    await press(visitor, 'Tab');
    await see('Opacity', '0.5');
    t.notMatch(await visitor.text(), 'Enter a number from 0 to 1');
  });

  await t.test('a drag on the label of a number is one step', async () => {
    const label = await visitor.page.$('[data-field="y"] label');
    const box = (await label!.boundingBox())!;
    await visitor.page.mouse.move(box.x + 5, box.y + 5);
    await visitor.page.mouse.down();
    await visitor.page.mouse.move(box.x + 15, box.y + 5);
    await visitor.page.mouse.move(box.x + 35, box.y + 5);
    await visitor.page.mouse.up();
    await see('Y', '50');
    await visitor.click('button', 'Undo');
    await see('Y', '20');
  });

  await t.test('colours are typed and picked, and become gradients', async (t) => {
    await visitor.fill('Fill colour', 'rebecca');
    await press(visitor, 'Tab');
    await visitor.sees('Enter a colour');
    await visitor.fill('Fill colour', 'rebeccapurple');
    await press(visitor, 'Tab');
    await visitor.click('button', 'Choose fill colour');
    await (await visitor.find('slider', 'Alpha')).focus();
    await press(visitor, 'Shift+ArrowLeft', 'Shift+ArrowLeft', 'Shift+ArrowLeft', 'Shift+ArrowLeft', 'Shift+ArrowLeft');
    await see('Fill colour', '#66339980');
    t.same(await violations(), [], 'the picker is accessible');
    await (await visitor.find('radio', 'Radial')).focus();
    await press(visitor, 'Space');
    await visitor.find('slider', 'Stop 1');
    await see('Fill colour', 'radial-gradient(#66339980, #66339900)');
    await visitor.click('button', 'Add stop');
    await (await visitor.find('slider', 'Stop 2')).focus();
    await press(visitor, 'ArrowRight');
    await see('Fill colour', 'radial-gradient(#66339980 0%, #66339940 51%, #66339900 100%)');
    t.same(await violations(), [], 'the gradient editor is accessible');
    await press(visitor, 'Delete');
    await see('Fill colour', 'radial-gradient(#66339980 0%, #66339900 100%)');
    await press(visitor, 'Escape');
    await visitor.gone('dialog', 'Fill colour');
    t.match(await visitor.focused(), 'Choose fill colour');
  });

  await t.test('borders and shadows are added and removed', async (t) => {
    await visitor.click('button', 'Add border');
    const border = await visitor.find('group', 'Border');
    const [width] = await visitor.all('textbox', 'Width', border);
    await width!.click();
    await width!.type('6');
    await press(visitor, 'Tab');
    await visitor.click('button', 'Add shadow');
    await visitor.find('group', 'Shadow 1');
    await visitor.click('button', 'Add shadow');
    await visitor.find('group', 'Shadow 2');
    await visitor.click('button', 'Remove shadow 2');
    await visitor.gone('group', 'Shadow 2');
    t.ok(await visitor.has('group', 'Shadow 1'));
  });

  await t.test('a key must be another than those of other layers', async () => {
    await visitor.fill('Key', 'title');
    await visitor.sees('Another layer has the key title');
    await visitor.fill('Key', 'hero');
    await press(visitor, 'Enter');
    await visitor.find('textbox', 'Label');
  });

  await t.test('fonts are found by their names', async (t) => {
    await select(visitor, 'Title');
    await visitor.click('button', 'Font family Inter');
    await visitor.fill('Search fonts', 'lat', 'combobox');
    await visitor.until(
      async () => await visitor.page.evaluate(() => document.querySelector('.family-preview-drawn') !== null),
      () => 'no font was drawn',
    );
    t.same(await violations(), [], 'the list of fonts is accessible');
    await press(visitor, 'ArrowDown', 'Enter');
    await visitor.find('button', 'Font family Lato');
  });

  await t.test('the layout of a group is chosen at a glance', async () => {
    await select(visitor, 'row');
    await (await visitor.find('radio', 'Right, middle')).focus();
    await press(visitor, 'Space');
    await see('Justify content', 'end', 'combobox');
    await see('Align items', 'center', 'combobox');
  });

  await t.test('several layers show what differs, and are set together', async (t) => {
    await visitor.page.keyboard.down('Control');
    await (await visitor.page.$$('[role="option"]')).reduce<Promise<void>>(async (before, each) => {
      await before;
      if ((await visitor.textOf(each)).startsWith('Title')) await each.click();
    }, Promise.resolve());
    await visitor.page.keyboard.up('Control');
    await visitor.sees('2 layers');
    const width = await visitor.find('textbox', 'Width');
    t.equal(await width.evaluate((element) => (element as HTMLInputElement).placeholder), 'Mixed');
    await visitor.fill('Height', '80');
    await press(visitor, 'Tab');
    await see('Height', '80');
  });

  await t.test('the record has all of it', async (t) => {
    await visitor.click('button', 'Save');
    type Layer = Record<string, unknown>;
    const record = await visitor.until(
      async () => {
        const url = `/dashboard/api/workspaces/${workspace.id}/templates/${id}`;
        const answer = await visitor.page.evaluate(async (path) => await (await fetch(path)).json(), url);
        return answer.version > 1 && (answer.record as { layers: Layer[] });
      },
      () => 'nothing was saved',
    );
    const named = (wanted: string) => record.layers.find(({ id, key }) => id === wanted || key === wanted);
    t.match(named('panel'), {
      key: 'hero',
      x: 39.9,
      y: 20,
      width: 200,
      opacity: 0.5,
      fillColor: 'radial-gradient(#66339980 0%, #66339900 100%)',
      border: { width: 6 },
      shadow: { blur: 12 },
    });
    t.match(named('title'), { fontFamily: 'Lato', height: 80 });
    t.match(named('row'), { justifyContent: 'end', alignItems: 'center', height: 80 });
    t.same(visitor.problems, []);
  });
});
