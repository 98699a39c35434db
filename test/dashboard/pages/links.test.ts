// The page Links in Chromium: a link key from its making to its end, and the link that the page composes, signed and opened.
import type { HTTPRequest } from 'puppeteer-core';
import t from 'tap';
import { signImageUrl } from '../../../lib/links/sign.js';
import { openBrowser, skipped } from './browsers.js';
import { fill, startSite, unbuilt } from './site.js';

t.test('the page Links', { skip: unbuilt || skipped('chromium') }, async (t) => {
  const site = await startSite(t);
  const browser = await openBrowser(t, 'chromium', site.origin);
  const { workspace, templateId } = await fill(site, 'Webshop');
  const erin = await browser.visit();
  await site.signIn(erin, await site.operator('Erin', 'editor', [workspace.id]));
  const vera = await browser.visit();
  await site.signIn(vera, await site.operator('Vera', 'viewer', [workspace.id]));
  let privateKey = '';
  let link = '';

  await t.test('says that there is no link key yet', async (t) => {
    await erin.goto('/dashboard/');
    await erin.click('link', 'Links');
    await erin.find('heading', 'Links');
    await erin.sees('No link keys yet');
    t.equal(erin.path, '/dashboard/links');
    t.notOk(await erin.has('heading', 'Compose a link'), 'nothing could sign it');
    await erin.inspect(t, 'no link keys');
  });

  await t.test('makes a link key, whose private half is shown once', async (t) => {
    await erin.click('button', 'Create link key');
    const dialog = await erin.find('dialog', 'Create link key');
    await erin.inspect(t, 'Create link key');
    await erin.fill('Name', 'Blog <b>');
    await erin.click('button', 'Create link key', dialog);
    privateKey = await erin.until(
      async () => /lnk_live_[\w-]{43}/.exec(await erin.values())?.[0],
      () => 'no private key came',
    );
    await erin.find('button', 'Copy', await erin.find('dialog', 'Link key created'));
    await erin.inspect(t, 'the new link key');
    await erin.click('button', 'Done');
    await erin.gone('dialog');
    const [key] = await site.store.listLinkKeys(workspace.id);
    t.match(await erin.rows('Links'), [['Blog <b>', key?.id, /\d{4}/, 'never', '0', '0', '–', 'Revoke']]);
    const stored = await erin.page.evaluate(() => JSON.stringify({ ...localStorage, ...sessionStorage }));
    const shown = (await erin.page.content()) + (await erin.values());
    for (const text of [stored, shown, JSON.stringify(key)]) t.notOk(text.includes(privateKey), 'it is nowhere');
  });

  await t.test('composes a URL that renders once it is signed', async (t) => {
    await erin.choose('Template', 'Social card');
    await erin.choose('Format', 'WEBP');
    await erin.fill('Title', 'Salt & “pepper”');
    await erin.date('Expires after (UTC)', '2001-02-03');
    await erin.sees('This day is over.');
    t.notOk(await erin.has('textbox', 'Unsigned URL'), 'there is no link that would fail');
    await erin.inspect(t, 'a day that is over');
    await erin.date('Expires after (UTC)', '2101-02-03');
    const field = await erin.find('textbox', 'Unsigned URL');
    const url = await field.evaluate((input) => (input as HTMLInputElement).value);
    const [{ id } = { id: '' }] = await site.store.listLinkKeys(workspace.id);
    const { origin, pathname, searchParams } = new URL(url);
    t.equal(origin, site.origin);
    t.equal(pathname, `/v1/images/${templateId}.webp`);
    const expires = String(Date.UTC(2101, 1, 4) / 1000);
    t.strictSame(Object.fromEntries(searchParams), { 'v.title': 'Salt & “pepper”', keyId: id, expires });
    const code = await (await erin.find('textbox', 'Code')).evaluate((area) => (area as HTMLTextAreaElement).value);
    t.match(code, "import { signImageUrl } from 'platen/client'");
    t.ok(code.includes(JSON.stringify(url)));
    await erin.inspect(t, 'a composed link');

    t.equal((await fetch(url)).status, 403, 'not signed yet');
    link = await signImageUrl(url, privateKey);
    const answer = await fetch(link);
    t.equal(answer.status, 200);
    t.equal(answer.headers.get('Content-Type'), 'image/webp');
    await answer.arrayBuffer();
  });

  await t.test('shows a viewer the keys without any control', async (t) => {
    await vera.goto('/dashboard/links');
    t.match(await vera.rows('Links'), [['Blog <b>']]);
    for (const name of ['Create link key', 'Revoke', 'Copy']) t.notOk(await vera.has('button', name), name);
    t.notOk(await vera.has('heading', 'Compose a link'));
    await vera.inspect(t, 'Links, for a viewer');
  });

  await t.test('revokes by the name, and its links stop at once', async (t) => {
    await erin.click('button', 'Revoke');
    const dialog = await erin.find('dialog', 'Revoke link key');
    const [confirm] = await erin.all('button', 'Revoke', dialog);
    t.ok(await confirm?.evaluate((button) => (button as HTMLButtonElement).disabled), 'not before the name is typed');
    await erin.fill('Name', 'Blog <b>');
    await erin.inspect(t, 'Revoke link key');
    await erin.click('button', 'Revoke', dialog);
    await erin.gone('dialog');
    await erin.sees('No active link keys');
    t.equal((await fetch(link)).status, 403);
    t.notOk(await erin.has('heading', 'Compose a link'));
    await erin.click('radio', 'Revoked');
    const [row] = await erin.rows('Links');
    t.equal(row?.length, 5, 'name, id, created, last used, revoked');
    t.match(row?.[4], /\d{4}/);
    await erin.inspect(t, 'revoked link keys');
  });

  await t.test('fails, and tries again', async (t) => {
    const body = JSON.stringify({ success: false, error: 'it broke', code: 'internal_error', requestId: 'r-1' });
    const fail = (request: HTTPRequest) =>
      void (/\/links$/.test(request.url()) && request.url().includes('/api/')
        ? request.respond({ status: 500, contentType: 'application/json', body })
        : request.continue());
    await erin.page.setRequestInterception(true);
    erin.page.on('request', fail);
    await erin.goto('/dashboard/links');
    await erin.find('button', 'Try again');
    await erin.inspect(t, 'Links failed');
    erin.page.off('request', fail);
    await erin.page.setRequestInterception(false);
    await erin.click('button', 'Try again');
    await erin.find('radio', 'Revoked');
  });
  for (const { problems } of [erin, vera]) t.same(problems, []);
});
