// The editor's canvas in Chromium: what gestures and keys make of the record.
import type { KeyInput } from 'puppeteer-core';
import t, { type Test } from 'tap';
import { saveTemplate } from '../../../service/stores.js';
import { openBrowser, skipped } from '../browsers.js';
import { startSite, unbuilt } from '../site.js';

type Json = Record<string, unknown>;

const shape = (id: string, x: number, y: number, width: number, height: number, more: Json = {}): Json => ({
  type: 'shape',
  id,
  shapeType: 'rectangle',
  x,
  y,
  width,
  height,
  ...more,
});

const RECORD = {
  name: 'Card',
  width: 600,
  height: 400,
  layers: [
    shape('panel', 60, 60, 120, 80),
    shape('badge', 263, 170, 100, 80),
    shape('turned', 440, 60, 80, 40, { rotation: 90 }),
    {
      type: 'group',
      id: 'pair',
      x: 60,
      y: 260,
      width: 200,
      height: 120,
      layers: [shape('one', 10, 10, 60, 40), shape('two', 100, 50, 60, 40)],
    },
    {
      type: 'group',
      id: 'row',
      layout: 'row',
      gap: 10,
      padding: 10,
      x: 340,
      y: 310,
      width: 200,
      height: 60,
      layers: [shape('first', 0, 0, 40, 40), shape('second', 0, 0, 40, 40), shape('third', 0, 0, 40, 40)],
    },
  ],
  hotspots: [],
};

t.test('the canvas of the editor', { skip: unbuilt || skipped('chromium') }, async (t) => {
  const site = await startSite(t);
  const browser = await openBrowser(t, 'chromium', site.origin);
  const workspace = await site.store.createWorkspace({ name: 'Studio', plan: 'paid', credits: 10 });
  const id = await saveTemplate(site.store, workspace.id, RECORD);
  const ada = await browser.visit();
  await site.signIn(ada, await site.operator('Ada', 'owner'));
  await ada.resize(1440, 900);
  await ada.goto(`/dashboard/templates/${id}`);
  const { mouse, keyboard } = ada.page;
  const stage = await ada.find('application', 'Canvas');

  /** A point of the canvas in the window. */
  async function at(x: number, y: number): Promise<[number, number]> {
    await ada.drawn();
    const picture = await ada.find('img', 'Preview');
    const { left, top, zoom } = await picture.evaluate((element) => {
      const { left, top, width } = element.getBoundingClientRect();
      return { left, top, zoom: width / 600 };
    });
    return [left + x * zoom, top + y * zoom];
  }

  async function click(x: number, y: number, ...keys: KeyInput[]): Promise<void> {
    for (const key of keys) await keyboard.down(key);
    await mouse.click(...(await at(x, y)));
    for (const key of keys) await keyboard.up(key);
  }

  /** Drags from one point of the canvas to another, with keys held on the way. */
  async function drag(
    from: readonly [number, number],
    to: readonly [number, number],
    ...keys: KeyInput[]
  ): Promise<void> {
    await mouse.move(...(await at(...from)));
    await mouse.down();
    for (const key of keys) await keyboard.down(key);
    await mouse.move(...(await at(...to)), { steps: 4 });
    await mouse.up();
    for (const key of keys) await keyboard.up(key);
  }

  async function press(key: KeyInput, ...held: KeyInput[]): Promise<void> {
    for (const each of held) await keyboard.down(each);
    await keyboard.press(key);
    for (const each of held) await keyboard.up(each);
  }

  /** Returns the text by which screen readers describe the selection. */
  const described = () => ada.page.$eval('#canvas-selection', (element) => element.textContent?.split('. Tab')[0]);

  async function says(t: Test, wanted: string): Promise<void> {
    let said: string | undefined;
    await ada.until(
      async () => {
        said = await described();
        return said === wanted;
      },
      () => `the selection was never “${wanted}”, but “${said}”`,
    );
    t.equal(said, wanted);
  }

  /** The layers of the record, as they are saved. */
  async function saved(): Promise<Json[]> {
    await ada.click('button', 'Save');
    await ada.until(
      async () => !(await ada.text()).includes('Unsaved changes'),
      () => 'the changes were never saved',
    );
    const { version } = await site.store.getTemplate({ id });
    const found = await site.store.findTemplate(workspace.id, id, version);
    return (found!.record as { layers: Json[] }).layers;
  }

  const byId = (layers: readonly Json[], wanted: string) => layers.find((each) => each.id === wanted);

  await ada.until(
    async () => (await at(0, 0))[0] > 0 && (await ada.page.$('.stage-picture-empty')) === null,
    () => 'the picture never came',
  );

  await t.test('a click selects the topmost layer, and a group from the outside in', async (t) => {
    await says(t, 'Nothing selected');
    await click(100, 100);
    await says(t, 'panel, Shape, x 60, y 60, 120 × 80');
    await click(300, 200, 'Shift');
    await says(t, '2 layers selected');
    await click(300, 200, 'Shift');
    await says(t, 'panel, Shape, x 60, y 60, 120 × 80');
    await click(100, 290);
    await says(t, 'pair, Group, x 60, y 260, 200 × 120');
    await mouse.click(...(await at(100, 290)), { clickCount: 2 });
    await says(t, 'one, Shape, x 10, y 10, 60 × 40');
    await click(190, 330);
    await says(t, 'two, Shape, x 100, y 50, 60 × 40');
    await click(20, 20);
    await says(t, 'Nothing selected');
    await click(190, 330, 'Control');
    await says(t, 'two, Shape, x 100, y 50, 60 × 40');
    await press('Escape');
    await says(t, 'pair, Group, x 60, y 260, 200 × 120');
    await press('Enter');
    await says(t, 'two, Shape, x 100, y 50, 60 × 40');
  });

  await t.test('dragging moves by whole pixels and snaps; Ctrl suspends it; a drag is one step', async (t) => {
    await drag([100, 100], [131, 155], 'Control');
    await says(t, 'panel, Shape, x 91, y 115, 120 × 80');
    await press('z', 'Control');
    await says(t, 'panel, Shape, x 60, y 60, 120 × 80');
    // 3 pixels from the centre of the canvas, to which it snaps
    await drag([300, 200], [289, 200]);
    await says(t, 'badge, Shape, x 250, y 170, 100 × 80');
    await drag([300, 200], [300, 190], 'Shift');
    await says(t, 'badge, Shape, x 250, y 160, 100 × 80');
    await mouse.move(...(await at(290, 180)));
    await mouse.down();
    await mouse.move(...(await at(340, 240)), { steps: 4 });
    await ada.sees('badge, Shape, x 300');
    await press('Escape');
    await mouse.up();
    await says(t, 'badge, Shape, x 250, y 160, 100 × 80');
    t.match(byId(await saved(), 'badge'), { x: 250, y: 160, width: 100, height: 80 });
  });

  await t.test(
    'handles resize: in the axes of a turned layer, with Shift in ratio, with Alt from the centre',
    async (t) => {
      await click(300, 200);
      await drag([350, 240], [400, 270], 'Control');
      await says(t, 'badge, Shape, x 250, y 160, 150 × 110');
      await drag([250, 215], [240, 215], 'Control', 'Alt');
      await says(t, 'badge, Shape, x 240, y 160, 170 × 110');
      await drag([410, 270], [495, 280], 'Control', 'Shift');
      await says(t, 'badge, Shape, x 240, y 160, 255 × 165');
      for (let i = 0; i < 3; i++) await press('z', 'Control');
      await says(t, 'badge, Shape, x 250, y 160, 100 × 80');
      await click(480, 80);
      // its right side is at the bottom
      await drag([480, 120], [480, 150]);
      const turned = byId(await saved(), 'turned');
      t.match(turned, { width: 110, height: 40, rotation: 90 });
      t.equal((turned!.x as number) + 55, 480, 'the opposite side stays');
      t.equal((turned!.y as number) + 20 - 55, 40);
    },
  );

  await t.test('beside a corner, dragging turns; with Shift to multiples of 15 degrees', async (t) => {
    await click(100, 100);
    await drag([188, 148], [100, 180], 'Shift');
    const { rotation } = byId(await saved(), 'panel')!;
    t.ok(typeof rotation === 'number' && rotation > 0 && rotation % 15 === 0, `${rotation}°`);
    await press('z', 'Control');
    await says(t, 'panel, Shape, x 60, y 60, 120 × 80');
  });

  await t.test('several layers resize as one', async (t) => {
    await click(100, 100);
    await click(300, 200, 'Shift');
    await drag([350, 240], [640, 420], 'Control');
    const layers = await saved();
    t.match(byId(layers, 'panel'), { x: 60, y: 60, width: 240, height: 160 });
    t.match(byId(layers, 'badge'), { x: 440, y: 260, width: 200, height: 160 });
    await press('z', 'Control');
  });

  await t.test('a plain group takes its layers along', async (t) => {
    await click(20, 20);
    await click(100, 290);
    await drag([260, 380], [360, 320], 'Control');
    t.match(byId(await saved(), 'pair'), {
      width: 300,
      height: 60,
      layers: [
        { x: 15, y: 5, width: 90, height: 20 },
        { x: 150, y: 25, width: 90, height: 20 },
      ],
    });
    await press('z', 'Control');
  });

  await t.test('arrow keys move by a pixel, and say where to; with Ctrl they resize', async (t) => {
    await click(100, 100);
    await press('ArrowRight');
    await press('ArrowDown', 'Shift');
    await says(t, 'panel, Shape, x 61, y 70, 120 × 80');
    await ada.until(
      async () => (await ada.page.$eval('[role=status]', (element) => element.textContent)) === 'panel, x 61, y 70',
      () => 'the place was never said',
    );
    await press('ArrowRight', 'Control', 'Shift');
    await says(t, 'panel, Shape, x 61, y 70, 130 × 80');
    for (let i = 0; i < 3; i++) await press('z', 'Control');
    await says(t, 'panel, Shape, x 60, y 60, 120 × 80');
  });

  await t.test('Alt and a drag leave the layer and move a copy', async (t) => {
    await drag([100, 100], [100, 220], 'Alt', 'Control');
    await says(t, 'panel-2, Shape, x 60, y 180, 120 × 80');
    const layers = await saved();
    t.same(
      layers.slice(0, 2).map((each) => [each.id, each.y]),
      [
        ['panel', 60],
        ['panel-2', 180],
      ],
    );
    await press('z', 'Control');
    t.equal((await saved()).length, 5);
  });

  await t.test('a marquee selects what it touches; layers are aligned and distributed', async (t) => {
    await drag([30, 30], [260, 200]);
    await says(t, '2 layers selected');
    await ada.click('button', 'Align bottom');
    await ada.click('button', 'Align left');
    let layers = await saved();
    t.match(byId(layers, 'panel'), { x: 60, y: 160 });
    t.match(byId(layers, 'badge'), { x: 60, y: 160 });
    await ada.click('button', 'Undo');
    await ada.click('button', 'Undo');
    await click(100, 100);
    await ada.click('button', 'Align right');
    layers = await saved();
    t.match(byId(layers, 'panel'), { x: 480, y: 60 });
    await ada.click('button', 'Undo');
  });

  await t.test('layers in a row change places, or leave it', async (t) => {
    await click(370, 340, 'Control');
    await drag([370, 340], [432, 342]);
    await ada.until(
      async () => (await described())?.includes('placed by row'),
      () => 'no layer of the row is selected',
    );
    const idsOf = (group: Json) => (group.layers as Json[]).map((each) => each.id);
    t.same(idsOf(byId(await saved(), 'row')!), ['second', 'first', 'third']);
    await press('ArrowRight');
    t.same(idsOf(byId(await saved(), 'row')!), ['second', 'third', 'first']);
    await stage.focus();
    await click(20, 20);
    await click(370, 340, 'Control');
    await drag([370, 340], [300, 40]);
    const layers = await saved();
    t.same(idsOf(byId(layers, 'row')!), ['third', 'first']);
    t.match(byId(layers, 'second'), { x: 280, y: 20, width: 40, height: 40 });
    await press('z', 'Control');
    t.same(idsOf(byId(await saved(), 'row')!), ['second', 'third', 'first']);
  });

  await t.test('Tab goes from layer to layer and out of the canvas', async (t) => {
    await click(20, 20);
    await press('Tab');
    await says(t, 'panel, Shape, x 60, y 60, 120 × 80');
    await press('Tab');
    await says(t, 'badge, Shape, x 250, y 160, 100 × 80');
    await press('Tab', 'Shift');
    await says(t, 'panel, Shape, x 60, y 60, 120 × 80');
    await press('Escape');
    await press('Escape');
    await press('Tab');
    t.not(await ada.focused(), 'div Canvas');
    await says(t, 'Nothing selected');
  });

  await t.test('the menu has the actions with their shortcuts, by mouse and keyboard', async (t) => {
    await click(100, 100);
    await press('F10', 'Shift');
    await ada.find('menu', 'Layer');
    await ada.inspect(t, 'Canvas with the menu of a layer');
    await ada.click('menuitem', 'Bring to front');
    t.equal((await saved()).at(-1)?.id, 'panel');
    await stage.focus();
    await press('z', 'Control');
    await mouse.click(...(await at(20, 20)), { button: 'right' });
    await ada.click('menuitem', 'Add vertical guide');
    const guide = await ada.find('slider', 'Vertical guide');
    const isAt = (wanted: string) =>
      ada.until(
        () => guide.evaluate((element, value) => element.getAttribute('aria-valuenow') === value, wanted),
        () => `the guide is not at ${wanted}`,
      );
    await isAt('300');
    await guide.focus();
    await press('ArrowRight', 'Shift');
    await isAt('310');
    await press('Delete');
    await ada.gone('slider', 'Vertical guide');
  });

  await t.test('zooms by keys and buttons', async (t) => {
    const level = () => ada.page.$eval('.canvas-zoom', (element) => (element as HTMLElement).innerText);
    const isLevel = (wanted: string) =>
      ada.until(
        async () => (await level()) === wanted,
        () => `the zoom is not ${wanted}`,
      );
    await stage.focus();
    await press('Digit0', 'Shift');
    await isLevel('100 %');
    await press('+');
    await isLevel('150 %');
    await ada.click('button', 'Zoom out');
    await isLevel('100 %');
    for (let i = 0; i < 9; i++) await ada.click('button', 'Zoom in');
    await isLevel('800 %');
    t.ok(await ada.page.$('.stage-picture-pixels'), 'pixels are squares');
    await ada.click('button', 'Fit');
    const fitted = await level();
    await ada.click('button', '100 %');
    await stage.focus();
    await press('Digit1', 'Shift');
    await isLevel(fitted);
  });

  await t.test('on a phone there is the picture alone', async (t) => {
    await ada.resize(390, 844);
    await ada.gone('application', 'Canvas');
    await ada.find('img', 'Preview');
    t.same(ada.problems, []);
  });
});
