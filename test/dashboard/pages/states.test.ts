// The states of the dashboard's pages, in Chromium: what each role sees, nothing to show yet, loading, failures, a server that
// is gone, sessions that end, two tabs, and use by keyboard alone.
import type { HTTPRequest } from 'puppeteer-core';
import t from 'tap';
import { saveTemplate } from '../../service/stores.js';
import { type OpenBrowser, openBrowser, skipped } from './browsers.js';
import { CARD, fill, PASSWORD, type Site, startSite, unbuilt } from './site.js';
import type { Visitor } from './visitor.js';

const LISTS = ['Keys', 'Renders', 'Billing', 'Activity'];

const pathOf = (page: string) => `/dashboard/${page === 'Overview' ? '' : page.toLowerCase()}`;

t.test('states of the pages', { skip: unbuilt || skipped('chromium') }, async (t) => {
  const site = await startSite(t);
  const browser = await openBrowser(t, 'chromium', site.origin);
  const { workspace } = await fill(site, 'Webshop');
  const empty = await site.store.createWorkspace({ name: 'Newsletter', plan: 'free', credits: 0 });
  await site.operator('Ada', 'owner');
  const editor = await site.operator('Erin', 'editor', [workspace.id]);
  const viewer = await site.operator('Vera', 'viewer', [workspace.id, empty.id]);
  const ada = await visitAs(site, browser, 'Ada');

  await t.test('what a role may not do is not shown', async (t) => {
    const may: Record<string, Record<string, string[]>> = {
      Ada: { Keys: ['Create key', 'Revoke'], Billing: ['Grant credits'], Operators: ['Create operator'] },
      Erin: { Keys: ['Create key', 'Revoke'], Billing: [], Operators: [] },
      Vera: { Keys: [], Billing: [], Operators: [] },
    };
    const controls = [...new Set(Object.values(may).flatMap((pages) => Object.values(pages).flat()))];
    for (const [name, pages] of Object.entries(may)) {
      const person = name === 'Ada' ? ada : await visitAs(site, browser, name);
      for (const [page, expected] of Object.entries(pages)) {
        await person.goto(`${pathOf(page)}?workspace=${workspace.id}`);
        await person.find('heading', page);
        await person.settled();
        const shown: string[] = [];
        for (const control of controls) if (await person.has('button', control)) shown.push(control);
        t.same(shown, expected, `${name}, ${page}`);
      }
      t.equal(await person.has('link', 'Operators'), name === 'Ada', `${name}: Operators in the navigation`);
      t.equal(await person.has('combobox', 'Workspace'), name !== 'Erin', `${name}: a choice of workspaces`);
      if (name !== 'Ada') {
        await person.inspect(t, `Operators, for ${name}`);
        t.same(person.problems, []);
        await person.page.close();
      }
    }
  });

  await t.test('there is nothing yet', async (t) => {
    for (const page of ['Overview', ...LISTS]) {
      await ada.goto(`${pathOf(page)}?workspace=${empty.id}${page === 'Activity' ? '&scope=workspace' : ''}`);
      await ada.find('heading', page);
      await ada.settled();
      await ada.inspect(t, `${page} of an empty workspace`);
    }
    await ada.choose('Workspace', 'Webshop');
    await ada.goto('/dashboard/keys');
    await ada.sees('Web shop');
    await ada.goto('/dashboard/nothing-of-that-kind');
    t.match(await ada.text(), /nothing at this path/);
  });

  await t.test('templates are named and found however many newer ones there are', async (t) => {
    const { workspace: archive } = await fill(site, 'Archive');
    for (let i = 0; i < 201; i++) await saveTemplate(site.store, archive.id, { ...CARD, name: `Newer ${i}` });
    await ada.goto(`/dashboard/?workspace=${archive.id}`);
    await ada.find('heading', 'Overview');
    await ada.sees('Social card');
    await ada.goto('/dashboard/renders');
    await ada.choose('Template', 'Social card');
    await ada.until(
      async () => (await ada.rows('Renders').catch(() => [])).length === 2,
      () => 'its two renders did not come',
    );
    t.same(
      (await ada.rows('Renders')).map(([, template]) => template),
      ['Social card', 'Social card'],
    );
    await ada.choose('Workspace', 'Webshop');
  });

  await t.test('pages load, fail, and try again', async (t) => {
    const held: HTTPRequest[] = [];
    let onRequest = (request: HTTPRequest) => void request.continue();
    const listener = (request: HTTPRequest) => onRequest(request);
    await ada.page.setRequestInterception(true);
    ada.page.on('request', listener);
    const isOfPage = (request: HTTPRequest) => /\/api\/(workspaces|audit|operators)/.test(request.url());
    for (const page of ['Overview', ...LISTS, 'Operators']) {
      onRequest = (request) => void (isOfPage(request) ? held.push(request) : request.continue());
      await ada.goto(pathOf(page));
      await ada.find('heading', page);
      await ada.until(
        async () => held.length > 0,
        () => 'nothing was asked for',
      );
      await ada.inspect(t, `${page} loads`);
      const broken = JSON.stringify({ success: false, error: 'it broke', code: 'internal_error', requestId: 'r-1' });
      const fail = (request: HTTPRequest) =>
        request.respond({ status: 500, contentType: 'application/json', body: broken });
      onRequest = (request) => void (isOfPage(request) ? fail(request) : request.continue());
      for (const request of held.splice(0)) await fail(request);
      await ada.find('button', 'Try again');
      await ada.inspect(t, `${page} failed`);
      onRequest = (request) => void request.continue();
      for (const again of await ada.all('button', 'Try again')) await again.click();
      await ada.gone('button', 'Try again');
      await ada.settled();
    }
    ada.page.off('request', listener);
    await ada.page.setRequestInterception(false);
  });

  await t.test('the server is gone for a while', async (t) => {
    await ada.goto('/dashboard/renders');
    await ada.find('heading', 'Renders');
    await ada.settled();
    await site.pause();
    await ada.choose('Status', 'Failed');
    await ada.sees('can’t be reached');
    await ada.inspect(t, 'the server is gone');
    await ada.click('link', 'Billing');
    await ada.until(
      async () => (await ada.text()).includes('Try again'),
      () => 'no way to try again came',
    );
    await site.resume();
    for (const again of await ada.all('button', 'Try again')) await again.click();
    await ada.sees('Ledger');
    await ada.find('table', 'Ledger');
  });

  await t.test('a session that ends leads to Sign in, and back', async (t) => {
    const erin = await browser.visit();
    await site.signIn(erin, editor);
    await erin.goto('/dashboard/keys');
    const second = await browser.tab(erin);
    await second.goto('/dashboard/renders');
    await second.find('table', 'Renders');
    await erin.front();
    await erin.click('button', 'Sign out');
    await erin.find('heading', 'Sign in');
    await second.front();
    await second.choose('Status', 'Failed');
    await second.find('heading', 'Sign in');
    t.equal(second.path, `/dashboard/login?next=${encodeURIComponent('/dashboard/renders?status=failed')}`);
    await second.inspect(t, 'the session ended');
    await second.fill('Name', 'Erin');
    await second.fill('Password', PASSWORD);
    await second.click('button', 'Sign in');
    await second.find('heading', 'Renders');
    t.equal(second.path, '/dashboard/renders?status=failed');
    await erin.front();
    await erin.goto('/dashboard/');
    await erin.find('heading', 'Overview');
    for (const tab of [erin, second]) t.same(tab.problems, []);
    await second.page.close();

    const vera = await browser.visit();
    await site.signIn(vera, viewer);
    await vera.goto('/dashboard/renders');
    await vera.find('heading', 'Renders');
    await site.store.removeOperator(viewer.id);
    await vera.click('link', 'Billing');
    await vera.find('heading', 'Sign in');
    await vera.page.close();
    await erin.page.close();
  });

  await t.test('the keyboard is enough', async (t) => {
    const { keyboard } = ada.page;
    await ada.click('button', 'Sign out');
    await ada.find('heading', 'Sign in');
    await ada.tabTo('input Name');
    await keyboard.type('Ada');
    await keyboard.press('Tab');
    await keyboard.type(PASSWORD);
    await keyboard.press('Enter');
    await ada.find('heading', 'Overview');
    // the focus is on the heading of the page
    await ada.focuses(/^h1 Overview/);

    await ada.goto('/dashboard/');
    await ada.find('heading', 'Overview');
    await keyboard.press('Tab');
    await ada.focuses('a Skip to content');
    await keyboard.press('Enter');
    await keyboard.press('Tab');
    t.ok(await ada.page.evaluate(() => document.querySelector('main')?.contains(document.activeElement)));

    await ada.tabTo('a Keys', 'Shift+Tab');
    await keyboard.press('Enter');
    await ada.find('heading', 'Keys');
    await ada.focuses('h1 Keys');
    t.equal(await ada.page.title(), 'Keys · Platen');
    await ada.tabTo('button Create key');
    await keyboard.press('Enter');
    await ada.find('dialog', 'Create key');
    await ada.tabTo('input Name');
    await keyboard.type('By keyboard');
    await keyboard.press('Enter');
    await ada.find('button', 'Copy');
    await ada.tabTo('button Copy');
    await keyboard.press('Escape');
    await ada.gone('dialog');
    // the focus is back where it was
    await ada.focuses('button Create key');

    await ada.goto('/dashboard/renders');
    const newest = await ada.until(
      async () => (await ada.rows('Renders'))[0],
      () => 'no render came',
    );
    await ada.tabTo(`a ${newest[0]}`);
    await keyboard.press('Enter');
    await ada.find('dialog', 'Render');
    await keyboard.press('Escape');
    await ada.gone('dialog');
    await ada.focuses(`a ${newest[0]}`);
  });
  t.same(ada.problems, []);
});

async function visitAs(site: Site, browser: OpenBrowser, name: string): Promise<Visitor> {
  const operator = (await site.store.listOperators()).find((one) => one.name === name);
  if (!operator) throw new Error(`there is no operator ${name}`);
  const visitor = await browser.visit();
  await site.signIn(visitor, operator);
  return visitor;
}
