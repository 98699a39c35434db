// Editing a text in place on the canvas in Chromium: by keys, pointer and input method. What counts is the record.
import type { KeyInput } from 'puppeteer-core';
import t from 'tap';
import type { Json } from '../../../../web/document/json.js';
import { saveTemplate } from '../../../service/stores.js';
import { openBrowser, skipped } from '../browsers.js';
import { fill, startSite, unbuilt } from '../site.js';

const TITLE = { type: 'text', name: 'Title', text: 'Hello world', x: 40, y: 60, width: 500, height: 120, fontSize: 48 };
const RECORD = {
  name: 'Card',
  width: 600,
  height: 400,
  background: { color: '#ffffff' },
  layers: [
    TITLE,
    { type: 'text', name: 'Foot', text: '**Foot** note', markup: true, x: 40, y: 300, width: 300, height: 40 },
  ],
};

t.test('editing a text on the canvas', { skip: unbuilt || skipped('chromium') }, async (t) => {
  const site = await startSite(t);
  const browser = await openBrowser(t, 'chromium', site.origin);
  const { workspace } = await fill(site, 'Webshop');
  const ada = await browser.visit();
  await ada.resize(1440, 900);
  await site.signIn(ada, await site.operator('Ada', 'owner'));
  const id = await saveTemplate(site.store, workspace.id, RECORD);
  await ada.goto(`/dashboard/templates/${id}`);
  const { page } = ada;
  const { keyboard, mouse } = page;

  const press = async (keys: string, times = 1) => {
    const parts = keys.split('+') as KeyInput[];
    const held = parts.slice(0, -1);
    for (const key of held) await keyboard.down(key);
    for (let i = 0; i < times; i++) await keyboard.press(parts.at(-1)!);
    for (const key of held.toReversed()) await keyboard.up(key);
  };
  /** Ends with the record as it is saved. */
  let version = 1;
  const saved = async (): Promise<{ layers: Json[] }> => {
    await ada.click('button', 'Save');
    const wanted = ++version;
    const latest = await ada.until(
      async () => {
        const found = await site.store.getTemplateRecord({ workspaceId: workspace.id, id });
        return found.version.version === wanted && found;
      },
      () => `version ${wanted} was never saved`,
    );
    return latest.record as unknown as { layers: Json[] };
  };
  /** A point of the canvas in the window. */
  const onPage = async (x: number, y: number) => {
    await ada.drawn();
    const box = (await (await ada.find('img', 'Preview')).boundingBox())!;
    return { x: box.x + (x * box.width) / RECORD.width, y: box.y + (y * box.height) / RECORD.height };
  };
  const field = (name: string) =>
    page.$eval(`textarea[aria-label="Text of ${name}"]`, (each) => {
      const { value, selectionStart, selectionEnd } = each as HTMLTextAreaElement;
      return { value, selection: [selectionStart, selectionEnd] };
    });
  /** Waits until the text field has this text and selection, and the picture shows it. */
  const shows = async (value: string, ...selection: number[]) => {
    let last: unknown;
    await ada.until(
      async () => {
        const found = await field('Title');
        last = found;
        const isShown = await page.$eval('.text-carets', (each) => each.getAttribute('data-current') === 'true');
        return (
          isShown && found.value === value && (selection.length === 0 || found.selection.join() === selection.join())
        );
      },
      () => `the text never was ${JSON.stringify(value)} ${selection}, but ${JSON.stringify(last)}`,
    );
  };
  const focused = () =>
    ada.until(
      async () => (await ada.focused()).startsWith('textarea Text of'),
      () => 'the text never had the focus',
    );
  const open = async (name: string) => {
    await ada.click('option', name);
    await press('Enter');
    await ada.find('textbox', `Text of ${name}`);
    await focused();
  };

  await t.test('Enter selects all of the text, and keys replace it; Escape keeps it', async (t) => {
    await open('Title');
    await shows('Hello world', 0, 11);
    await ada.inspect(t, 'a text that is edited');
    // phones have no canvas: it is there anew
    await shows('Hello world', 0, 11);
    await focused();
    await keyboard.type('Good');
    await press('Enter');
    await keyboard.type('day');
    await shows('Good\nday', 8, 8);
    await press('ArrowUp');
    await shows('Good\nday', 3, 3);
    await press('Escape');
    await ada.gone('textbox', 'Text of Title');
    t.equal(await ada.focused(), 'div Canvas');
    t.same((await saved()).layers[0], { ...TITLE, text: 'Good\nday' });
  });

  await t.test('words are steps of undo, which brings back the caret', async (t) => {
    await open('Title');
    await shows('Good\nday', 0, 8);
    await press('ArrowRight');
    await shows('Good\nday', 8, 8);
    await keyboard.type(' to all');
    await shows('Good\nday to all', 15, 15);
    await press('Control+z');
    await shows('Good\nday to', 11, 11);
    await press('Control+z');
    await shows('Good\nday', 8, 8);
    await press('Control+Shift+z');
    await shows('Good\nday to', 11, 11);
    await press('Control+Backspace');
    await shows('Good\nday ', 9, 9);
    await press('Control+Home');
    await press('Delete');
    await shows('ood\nday ', 0, 0);
    await press('Control+z');
    await press('Control+z');
    await press('Control+z');
    await shows('Good\nday', 8, 8);
    await press('Escape');
    t.notOk(await ada.has('textbox', 'Text of Title'));
  });

  await t.test(
    'a double click edits the word under it; a drag selects, and Ctrl+B and the toolbar style it',
    async (t) => {
      const word = await onPage(60, 85);
      await mouse.click(word.x, word.y);
      await mouse.click(word.x, word.y, { count: 2 });
      await focused();
      await shows('Good\nday', 0, 4);
      const [from, to] = [await onPage(40, 140), await onPage(300, 140)];
      await mouse.move(from.x, from.y);
      await mouse.down();
      await mouse.move(to.x, to.y, { steps: 5 });
      await mouse.up();
      await shows('Good\nday', 5, 8);
      t.equal(await page.$$eval('.text-selection', (areas) => areas.length), 1);
      await press('Control+b');
      const pressed = async (name: string) => (await ada.find('button', name)).evaluate((each) => each.ariaPressed);
      t.equal(await pressed('Bold'), 'true');
      await ada.click('button', 'Underline');
      await ada.fill('Font size', '60');
      await press('Enter');
      await focused();
      await press('End');
      await keyboard.type('s');
      await shows('Good\ndays', 9, 9);
      await mouse.click(from.x, from.y + 150);
      await ada.gone('textbox', 'Text of Title');
      const styled = { text: 'days', fontWeight: 'bold', textDecoration: 'underline', fontSize: 60 };
      const { text: _, ...layer } = TITLE;
      t.same((await saved()).layers[0], { ...layer, spans: [{ text: 'Good\n' }, styled] });
    },
  );

  await t.test('plain text again without styles; three clicks select the line; copies keep their styles', async (t) => {
    await open('Title');
    await shows('Good\ndays', 0, 9);
    await press('Control+b');
    await press('Control+b');
    await press('Control+u');
    await press('Control+u');
    await ada.fill('Font size', '48');
    await press('Enter');
    await focused();
    await press('Escape');
    t.match((await saved()).layers[0], { text: 'Good\ndays', fontSize: 48, spans: undefined });
    await open('Title');
    const word = await onPage(60, 85);
    await mouse.click(word.x, word.y, { count: 3 });
    await shows('Good\ndays', 0, 4);
    await press('Control+i');
    await keyboard.down('Control');
    await keyboard.press('c', { commands: ['Copy'] });
    await keyboard.up('Control');
    await press('Control+End');
    await keyboard.down('Control');
    await keyboard.press('v', { commands: ['Paste'] });
    await keyboard.up('Control');
    await shows('Good\ndaysGood', 13, 13);
    await press('Escape');
    const italic = { text: 'Good', fontStyle: 'italic' };
    t.same((await saved()).layers[0]?.spans, [italic, { text: '\ndays' }, italic]);
  });

  await t.test('Arabic goes from right to left, and arrow keys as they are seen', async () => {
    await open('Title');
    await shows('Good\ndaysGood', 0, 13);
    await keyboard.type('مرحبا');
    await shows('مرحبا', 5, 5);
    await press('ArrowRight');
    await shows('مرحبا', 4, 4);
    await press('Shift+ArrowRight', 2);
    await shows('مرحبا', 2, 4);
    await press('Control+x');
    await shows('\u0645\u0631\u0627', 2, 2);
    await press('Home');
    await shows('\u0645\u0631\u0627', 0, 0);
    await press('Delete');
    await shows('\u0631\u0627', 0, 0);
    await press('Escape');
  });

  await t.test('an input method composes in place, in one step of undo', async (t) => {
    await open('Title');
    const client = await page.createCDPSession();
    const compose = async (text: string) => {
      const { length } = text;
      await client.send('Input.imeSetComposition', { text, selectionStart: length, selectionEnd: length });
    };
    for (const text of ['に', 'にほ', 'にほん']) {
      await compose(text);
      await shows(text);
    }
    await client.send('Input.insertText', { text: '日本' });
    await shows('日本', 2, 2);
    await press('Control+z');
    await shows('را');
    await press('Control+Shift+z');
    await press('Escape');
    t.match((await saved()).layers[0]?.spans, [{ text: '日本', fontStyle: 'italic' }]);
  });

  await t.test('markup is edited as it is written, and a note says so', async (t) => {
    await open('Foot');
    await ada.sees('Markup is shown as it is written.');
    t.equal((await field('Foot')).value, '**Foot** note');
    await press('End');
    await keyboard.type('!');
    await press('Escape');
    t.match((await saved()).layers[1], { text: '**Foot** note!', markup: true });
  });
  t.same(ada.problems, []);
});
