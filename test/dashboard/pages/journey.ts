// The first day of an owner with the dashboard, from the sign-in link to the last sign-out, in any browser. Each step looks
// at the page as the one before left it.
import t from 'tap';
import { type BrowserName, openBrowser, skipped } from './browsers.js';
import { fill, PASSWORD, startSite, unbuilt } from './site.js';

export function journey(name: BrowserName): void {
  t.test(`an owner’s first day, in ${name}`, { skip: unbuilt || skipped(name) }, async (t) => {
    const site = await startSite(t);
    const browser = await openBrowser(t, name, site.origin);
    const { workspace, key: firstKey } = await fill(site, 'Webshop');
    const owner = await site.store.createOperator({ name: 'Ada', role: 'owner', workspaces: null });
    const link = await site.link(owner);
    const ada = await browser.visit();

    await t.test('sets a password by the link', async (t) => {
      await ada.goto('/dashboard/keys');
      await ada.find('heading', 'Sign in');
      t.equal(ada.path, '/dashboard/login?next=%2Fdashboard%2Fkeys');
      await ada.inspect(t, 'Sign in');
      await ada.fill('Name', 'Ada');
      await ada.fill('Password', 'wrong');
      await ada.click('button', 'Sign in');
      await ada.find('alert', 'Wrong name or password');
      t.ok(await ada.has('alert'));
      await ada.inspect(t, 'wrong password');

      await ada.goto(link);
      await ada.find('heading', 'Set password');
      t.notOk(ada.page.url().includes('#'), 'the token is not in the address');
      await ada.inspect(t, 'Set password');
      await ada.fill('Password', PASSWORD);
      await ada.fill('Repeat password', `${PASSWORD}!`);
      await ada.click('button', 'Set password');
      t.ok(await ada.has('heading', 'Set password'), 'the two differ');
      await ada.fill('Repeat password', PASSWORD);
      await ada.click('button', 'Set password');
      await ada.find('heading', 'Overview');
      const stored = await ada.page.evaluate(() => JSON.stringify({ ...localStorage, ...sessionStorage }));
      t.notOk(stored.includes(PASSWORD) || stored.includes(link.split('#')[1]!), 'no secret is stored');

      await ada.goto(link);
      await ada.sees('used');
      await ada.inspect(t, 'a link that was used');
    });

    await t.test('Overview counts renders, failures and credits', async (t) => {
      await ada.goto('/dashboard/');
      await ada.find('heading', 'Overview');
      await ada.click('button', 'Show as table');
      await ada.until(
        async () => (await ada.all('table')).length > 0,
        () => 'no table came',
      );
      await ada.sees('Social card');
      await ada.inspect(t, 'Overview');
    });

    let key = '';
    await t.test('Keys makes a key, which is shown once and works', async (t) => {
      await ada.click('link', 'Keys');
      await ada.find('heading', 'Keys');
      await ada.inspect(t, 'Keys');
      await ada.click('button', 'Create key');
      const dialog = await ada.find('dialog', 'Create key');
      await ada.inspect(t, 'Create key');
      await ada.fill('Name', 'Newsletter');
      await ada.click('button', 'Create key', dialog);
      const shown = await ada.until(
        async () => /svc_live_[\w-]{20,}/.exec(await ada.values())?.[0],
        () => 'no key came',
      );
      key = shown;
      await ada.find('button', 'Copy');
      await ada.inspect(t, 'the new key');
      await ada.page.keyboard.press('Escape');
      await ada.gone('dialog');
      t.notOk((await ada.values()).includes(key));
      const [row] = await ada.rows('Keys');
      t.equal(row?.[0], 'Newsletter');
      t.ok(row?.[1]?.startsWith(key.slice(0, 'svc_live_'.length + 8)), row?.[1]);
      t.equal(
        (await site.render(key, { canvas: { width: 9, height: 7 }, layers: [], metadata: { order: 77 } })).status,
        200,
      );
    });

    await t.test('Renders finds that render, and failures', async (t) => {
      await ada.click('link', 'Renders');
      await ada.find('heading', 'Renders');
      await ada.until(
        async () => (await ada.rows('Renders')).length === 5,
        () => 'five renders did not come',
      );
      t.match((await ada.rows('Renders'))[0], [...[/\d/, 'Canvas', 'PNG', /B$/, /s$/, /s$|^–$/, 'Newsletter', 'OK']]);
      await ada.inspect(t, 'Renders');
      const shows = async (expected: number) =>
        await ada.until(
          async () => (await ada.rows('Renders').catch(() => [])).length === expected,
          () => `${expected} renders did not come`,
        );
      await ada.choose('Status', 'Failed');
      await shows(1);
      await ada.choose('Status', 'OK');
      await shows(4);
      await ada.choose('Key', 'Web shop');
      await shows(3);
      await ada.choose('Template', 'Social card');
      await shows(2);
      await ada.fill('Metadata', 'order=41');
      await shows(1);
      t.match(ada.path, /status=ok.*metadata=order%3D41/, 'the address has the filters');
      await ada.page.reload();
      await shows(1);

      const [row] = (await ada.all('row')).slice(1);
      await row?.click();
      const dialog = await ada.find('dialog', 'Render');
      await ada.sees('Ada <b>Lovelace</b>');
      await ada.inspect(t, 'details of a render');
      t.match(await ada.textOf(dialog), /Metadata.*"order": 41.*Variables.*"title": "First"/);
      const [editor] = await ada.all('link', 'Open in editor', dialog);
      t.match(
        await editor?.evaluate((found) => found.getAttribute('href')),
        /^\/dashboard\/templates\/tpl_\w+\?render=/,
      );
      await ada.page.keyboard.press('Escape');
      await ada.gone('dialog');

      await ada.fill('Metadata', 'order=none');
      await ada.sees('No render matches');
      await ada.inspect(t, 'no render matches');
      await ada.click('button', 'Clear filters');
      await shows(5);
      const tomorrow = new Date(Date.now() + 86_400_000).toISOString().slice(0, 10);
      await ada.date('From', tomorrow);
      await ada.sees('No render matches');
      await ada.date('From', '2020-01-01');
      await ada.date('To', tomorrow);
      await shows(5);
      await ada.goto('/dashboard/renders?status=failed');
      await shows(1);
      await ada.click('row', undefined, (await ada.all('rowgroup'))[1]);
      await ada.find('dialog', 'Render');
      await ada.sees('template_not_found');
      t.notOk(await ada.has('link', 'Open in editor'), 'there is no such template');
    });

    await t.test('Billing shows the charges, and grants credits', async (t) => {
      await ada.goto('/dashboard/billing');
      await ada.find('heading', 'Billing');
      await ada.sees('996');
      await ada.inspect(t, 'Billing');
      await ada.click('button', 'Grant credits');
      const dialog = await ada.find('dialog', 'Grant credits');
      await ada.fill('Amount', 'many');
      await ada.sees('A whole number');
      await ada.inspect(t, 'Grant credits');
      await ada.fill('Amount', '500');
      await ada.click('button', 'Grant credits', dialog);
      await ada.gone('dialog');
      await ada.sees('1,496');
      t.equal((await site.store.balance(workspace.id)).balance, 1496);
      await ada.until(
        async () => (await ada.rows('Ledger')).some(([, what, amount]) => what === 'Granted' && amount === '+500'),
        () => 'the grant is not in the ledger',
      );
      t.ok((await ada.rows('Ledger')).some(([, what, amount]) => what === '4 renders' && amount === '−4'));
    });

    await t.test('Operators makes one, whose link works once', async (t) => {
      await ada.click('link', 'Operators');
      await ada.find('heading', 'Operators');
      await ada.inspect(t, 'Operators');
      await ada.click('button', 'Create operator');
      const dialog = await ada.find('dialog', 'Create operator');
      await ada.fill('Name', 'Grace');
      await ada.choose('Role', 'Viewer');
      await ada.click('checkbox', 'All workspaces');
      await ada.find('checkbox', 'Webshop');
      await ada.inspect(t, 'Create operator');
      await ada.click('checkbox', 'Webshop');
      await ada.click('button', 'Create operator', dialog);
      const linkOf = () =>
        ada.until(
          async () => /http\S+\/dashboard\/link#[\w-]{43}/.exec(await ada.values())?.[0],
          () => 'no link came',
        );
      await linkOf();
      await ada.find('button', 'Copy');
      await ada.inspect(t, 'the sign-in link');
      await ada.click('button', 'Done');
      await ada.gone('dialog');
      t.match(await ada.rows('Operators'), [
        [/^Grace/, 'Viewer', 'Webshop', 'Invited'],
        [/^Ada.*You/, 'Owner', 'All', 'Active'],
      ]);

      await ada.click('button', 'New link', (await ada.all('row'))[1]);
      await ada.click('button', 'New link', await ada.find('dialog', 'New link'));
      const second = await linkOf();
      const grace = await browser.visit();
      await grace.goto(second);
      await grace.fill('Password', PASSWORD);
      await grace.fill('Repeat password', PASSWORD);
      await grace.click('button', 'Set password');
      await grace.find('heading', 'Overview');

      await ada.click('button', 'Done');
      await ada.click('button', 'Remove', (await ada.all('row'))[1]);
      const asked = await ada.find('dialog', 'Remove operator');
      t.match(await ada.textOf(asked), /Grace/);
      await ada.inspect(t, 'Remove operator');
      await ada.click('button', 'Remove', asked);
      await ada.gone('dialog');
      t.equal((await ada.rows('Operators')).length, 1);
      await grace.goto('/dashboard/keys');
      await grace.find('heading', 'Sign in');
      t.same(grace.problems, []);
      await grace.page.close();

      await ada.click('button', 'Remove');
      await ada.click('button', 'Remove', await ada.find('dialog', 'Remove operator'));
      await ada.sees('last owner');
      await ada.click('button', 'Cancel');
    });

    await t.test('Activity has all of it', async (t) => {
      await ada.click('link', 'Activity');
      await ada.find('heading', 'Activity');
      await ada.until(
        async () => (await ada.rows('Activity')).length >= 6,
        () => 'too few entries came',
      );
      const words = (await ada.rows('Activity')).map(([, who, what]) => `${who}: ${what}`);
      for (const expected of [
        'Ada: Removed operator',
        'Ada: Made a sign-in link',
        'Ada: Created operator',
        'Ada: Granted credits',
        'Ada: Created key',
        'Ada: Failed to sign in',
      ]) {
        t.ok(words.includes(expected), expected);
      }
      await ada.inspect(t, 'Activity');
      t.notMatch(await ada.text(), /svc_live_[\w-]{30}/);
      await ada.choose('Action', 'Created key');
      await ada.until(
        async () => (await ada.rows('Activity')).length === 1,
        () => 'the filter did nothing',
      );
    });

    await t.test('Revoke asks for the name, and the key stops at once', async (t) => {
      await ada.click('link', 'Keys');
      await ada.find('heading', 'Keys');
      await ada.find('table', 'Keys');
      await ada.click('button', 'Revoke');
      const dialog = await ada.find('dialog', 'Revoke key');
      const [confirm] = await ada.all('button', 'Revoke', dialog);
      t.ok(await confirm?.evaluate((button) => (button as HTMLButtonElement).disabled), 'not before the name is typed');
      await ada.fill('Name', 'Newsletter');
      await ada.inspect(t, 'Revoke key');
      await ada.click('button', 'Revoke', dialog);
      await ada.gone('dialog');
      t.equal((await site.render(key, { canvas: { width: 1, height: 1 }, layers: [] })).status, 401);
      t.equal((await site.render(firstKey, { canvas: { width: 1, height: 1 }, layers: [] })).status, 200);
    });

    await t.test('Sign out ends the session on the server', async (t) => {
      const [cookie] = await ada.context.cookies();
      await ada.click('button', 'Sign out');
      await ada.find('heading', 'Sign in');
      const headers = { Cookie: `platen=${cookie?.value}`, 'Sec-Fetch-Site': 'same-origin' };
      t.equal((await fetch(`${site.origin}/dashboard/api/session`, { headers })).status, 401);
      await ada.fill('Name', 'Ada');
      await ada.fill('Password', PASSWORD);
      await ada.page.keyboard.press('Enter');
      await ada.find('heading', 'Overview');
    });
    t.same(ada.problems, []);
  });
}
