// Whole designs in the editor, from an empty canvas: each ends in a record without warnings, whose picture is that of the
// service, and can be taken back to the empty canvas and made again.
import t from 'tap';
import { openBrowser, skipped } from '../browsers.js';
import { fill, startSite, unbuilt } from '../site.js';
import { Designer } from './designer.js';
import { KEYBOARD_DESIGN, MOUSE_DESIGNS } from './designs.js';

t.test('designs', { skip: unbuilt || skipped('chromium') }, async (t) => {
  const site = await startSite(t);
  const browser = await openBrowser(t, 'chromium', site.origin);
  const { workspace } = await fill(site, 'Studio');
  const ada = await browser.visit();
  await ada.resize(1440, 900);
  await site.signIn(ada, await site.operator('Ada', 'owner'));
  const designer = new Designer(ada);

  const isEnabled = async (name: string) =>
    (await ada.find('button', name)).evaluate((button) => !(button as HTMLButtonElement).disabled);

  /** Presses a button until it has nothing more to do. Returns how often. */
  const clickOut = async (name: string): Promise<number> => {
    let clicks = 0;
    while (await isEnabled(name)) {
      await ada.click('button', name);
      clicks++;
    }
    return clicks;
  };

  for (const { name, width, height, make, expected } of [...MOUSE_DESIGNS, KEYBOARD_DESIGN]) {
    await t.test(`${name}${name === KEYBOARD_DESIGN.name ? ', by keyboard' : ''}`, async (t) => {
      const id = await designer.begin(name, width, height);
      const empty = await designer.json();
      await make(designer);
      await ada.click('button', 'Verify with service');
      await ada.sees('Identical');
      await ada.click('tab', 'Warnings');
      await ada.sees('Nothing to warn about');
      await ada.click('tab', 'Properties');
      await ada.click('button', 'Save');
      const saved = await ada.until(
        async () => {
          const latest = await site.store.getTemplateRecord({ workspaceId: workspace.id, id });
          return latest.version.version === 2 && latest.record;
        },
        () => 'version 2 was never saved',
      );
      t.match(saved, expected);

      const steps = await clickOut('Undo');
      t.ok(steps > 3, `${steps} steps`);
      t.equal(await designer.json(), empty, 'the first record, byte for byte');
      t.equal(await clickOut('Redo'), steps);
      await ada.until(
        async () => !(await isEnabled('Save')),
        () => 'it is not what was saved',
      );
      t.same(ada.problems, []);
    });
  }
});
