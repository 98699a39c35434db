// Attacks in a real browser: text that is code, in everything that is stored and shown, and pages of other sites.
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import t, { type Test } from 'tap';
import type { Operator } from '../../../lib/store/operator-store.js';
import type { Workspace } from '../../../lib/store/types.js';
import { saveTemplate } from '../../service/stores.js';
import { entryOf } from '../../store/suite.js';
import { openBrowser, skipped } from './browsers.js';
import { CARD, type Site, startSite, unbuilt } from './site.js';

/** Each runs, or loads something, if a page takes it for anything but text. */
const CODE = [
  '<img src=x onerror=attacked()>',
  '"><script>attacked()</script>',
  "'><svg/onload=attacked()>",
  '</title></style></script><script>attacked()</script>',
  '<iframe srcdoc="<script>parent.attacked()</script>">',
  '<a href="javascript:attacked()">x</a>',
  'javascript:attacked()',
  '" autofocus onfocus=attacked() x="',
  "' onmouseover='attacked()",
  '<details open ontoggle=attacked()>',
  '<style>@import "//attacker.example/x.css";*{color:red}</style>',
  '<base href="//attacker.example/">',
  '<meta http-equiv="refresh" content="0;url=//attacker.example/">',
  '<form action="//attacker.example/"><button autofocus>',
  '<math><mtext></form><form><mglyph><style></math><img src onerror=attacked()>',
  '<template shadowrootmode=open><script>attacked()</script></template>',
  '#{attacked()} <%= attacked() %>',
  '{{constructor.constructor("attacked()")()}}',
  '\\u003cscript\\u003eattacked()\\u003c/script\\u003e',
  '&lt;img src=x onerror=attacked()&gt;',
  '%3Cscript%3Eattacked()%3C/script%3E',
  '<x-y onclick=attacked() style="position:fixed;inset:0">',
  '__proto__',
  'constructor',
  '\u202etxet\u2066',
  'data:text/html,<script>attacked()</script>',
];

const OWNER = CODE[2];

const RUNNING =
  'script:not([src^="/dashboard/files/"]), iframe, object, embed, base, meta[http-equiv], [onerror], [onload], [onfocus], [onclick], [ontoggle], [onmouseover], a[href^="javascript:" i], a[href^="data:" i], form[action]';

/** Writes the strings wherever operators, callers and the API can write text. */
async function plant({ store, key }: Site, workspace: Workspace): Promise<string> {
  const { id: workspaceId } = workspace;
  let templateId = '';
  for (const [i, code] of CODE.entries()) {
    if (code !== OWNER) await store.createOperator({ name: code, role: 'editor', workspaces: [workspaceId] });
    const { id: keyId } = await store.createKey({
      workspaceId,
      name: code,
      scopes: ['render:write'],
      hash: String(i).padStart(64, '0'),
    });
    store.appendRender(
      entryOf(workspace, `rnd_${i}`, {
        time: new Date().toISOString(),
        keyId,
        templateId: code,
        status: i % 2 === 0 ? 'failed' : 'ok',
        code,
        detail: { path: code, message: code },
        metadata: JSON.parse(`{${JSON.stringify(code)}: ${JSON.stringify(code)}}`),
      }),
    );
    await store.appendAudit({
      actor: { kind: 'operator', name: code },
      action: code,
      workspaceId,
      subject: code,
      details: JSON.parse(`{${JSON.stringify(code)}: ${JSON.stringify(code)}}`),
    });
  }
  await key(workspace, CODE.join(' ').slice(0, 90));
  for (const code of CODE.slice(0, 6)) {
    const hotspot = { ...CARD.hotspots[0], key: code, label: code, text: code, fontFamily: code };
    const record = { ...CARD, name: code, [code]: code, hotspots: [hotspot] };
    templateId = await saveTemplate(store, workspaceId, record);
  }
  return templateId;
}

// fault: 96
t.test('text that is code stays text on every page', { skip: unbuilt || skipped('chromium') }, async (t) => {
  const site = await startSite(t);
  const browser = await openBrowser(t, 'chromium', site.origin);
  const workspace = await site.store.createWorkspace({ name: CODE[0], plan: 'paid', credits: 1000 });
  await site.store.createWorkspace({ name: CODE[1], plan: 'free', credits: 0 });
  const owner = await site.operator(OWNER, 'owner');
  const templateId = await plant(site, workspace);
  const visitor = await browser.visit();
  await site.signIn(visitor, owner);
  const { page } = visitor;
  await page.evaluateOnNewDocument(() => {
    Object.assign(window, { attacked: () => document.documentElement.setAttribute('data-attacked', '') });
  });
  // the trap itself works
  await page.goto('about:blank');
  await page.evaluate((code) => {
    document.body.innerHTML = code;
  }, CODE[0]);
  await page.waitForSelector('[data-attacked]');
  const pages: [path: string, shown: string][] = [
    ['/dashboard/', OWNER],
    ['/dashboard/keys', CODE[0]],
    ['/dashboard/renders', CODE[0]],
    ['/dashboard/renders?id=rnd_4', CODE[4]],
    [`/dashboard/renders?templateId=${encodeURIComponent(CODE[0])}`, CODE[0]],
    ['/dashboard/billing', CODE[2]],
    ['/dashboard/activity', CODE[0]],
    ['/dashboard/operators', CODE[0]],
    ['/dashboard/templates', CODE[5]],
    [`/dashboard/templates/${templateId}`, CODE[5]],
    [`/dashboard/playground?template=${templateId}`, CODE[2]],
    [`/dashboard/playground?render=rnd_1&x=${encodeURIComponent(CODE[0])}`, CODE[2]],
    [`/dashboard/login?next=${encodeURIComponent(CODE[6])}`, ''],
    [`/dashboard/link#${CODE[1]}`, ''],
  ];
  for (const [path, shown] of pages) {
    const [before, hash] = path.split('#');
    const separator = before.includes('?') ? '&' : '?';
    await visitor.goto(`${before}${separator}workspace=${workspace.id}${hash === undefined ? '' : `#${hash}`}`);
    await visitor.find('heading');
    await visitor.settled();
    // names in fields and choices count too; parts of pages load when they are needed
    const isShown = (text: string, html: string) =>
      (document.body.textContent ?? '').includes(text) || document.documentElement.outerHTML.includes(html);
    await t.resolves(page.waitForFunction(isShown, {}, shown, escaped(shown)), `${path} shows ${shown}`);
    const seen = await page.evaluate(() => document.documentElement.outerHTML);
    t.notMatch(seen.slice(0, 200), 'data-attacked', `${path}: nothing ran`);
    t.same(await page.$$eval(RUNNING, (found) => found.map((element) => element.outerHTML.slice(0, 200))), [], path);
    t.ok(visitor.page.url().startsWith(`${site.origin}/dashboard/`), `${path}: the page stays`);
    const inherited = await page.evaluate(() => Object.keys(Object.prototype));
    t.same(inherited, [], `${path}: no object inherits what was stored`);
    t.same(visitor.problems, [], `${path}: no error, and nothing that the policy had to stop`);
  }
});

const escaped = (text: string) =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');

/** A page on another site: `localhost` is another one than `127.0.0.1`. */
async function otherSite(t: Test, html: (path: string) => string): Promise<string> {
  const server = createServer((request, response) => {
    response.writeHead(200, { 'Content-Type': 'text/html; charset=utf-8' }).end(html(request.url ?? '/'));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  t.teardown(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://localhost:${(server.address() as AddressInfo).port}`;
}

// fault: 97, 106
t.test(
  'a page of another site can neither frame, nor change, nor read',
  { skip: unbuilt || skipped('chromium') },
  async (t) => {
    const site = await startSite(t);
    const browser = await openBrowser(t, 'chromium', site.origin);
    const owner: Operator = await site.operator('Ada', 'owner');
    await site.store.createWorkspace({ name: 'Secret name', plan: 'paid', credits: 0 });
    const target = `${site.origin}/dashboard/api/operators`;
    const eve = '{"name":"Eve","role":"owner","workspaces":null,"x":"';
    const forms: Record<string, string> = {
      '/urlencoded': `<form method=post action="${target}"><input name=name value=Eve><input name=role value=owner></form>`,
      '/plain': `<form method=post enctype=text/plain action="${target}"><input name='${eve}' value='"}'></form>`,
      '/multipart': `<form method=post enctype=multipart/form-data action="${target}"><input name=name value=Eve></form>`,
      '/get': `<form action="${site.origin}/dashboard/api/session"></form>`,
    };
    const origin = await otherSite(t, (path) => `<!doctype html><title>x</title>${forms[path] ?? ''}`);
    const before = JSON.stringify(await site.store.listOperators());
    const visitor = await browser.visit();
    // Without SameSite, Chromium sends a new cookie with forms of other sites: the server's own checks have to hold.
    await site.signIn(visitor, owner);
    const { page } = visitor;
    await visitor.goto('/dashboard/keys');
    await visitor.find('heading', 'Keys');

    for (const path of Object.keys(forms)) {
      await page.goto(`${origin}${path}`);
      await Promise.all([page.waitForNavigation(), page.$eval('form', (form) => form.submit())]);
      t.match(await page.evaluate(() => document.body.innerText), /"code":"(cross_site|signed_out)"/, path);
    }

    await page.goto(origin);
    const outcomes = await page.evaluate(async (api) => {
      const tried = async (path: string, init: RequestInit) => {
        const settled = await fetch(`${api}/${path}`, { credentials: 'include', ...init }).then(
          ({ type, status }) => `${type} ${status}`,
          () => 'failed',
        );
        return `${init.method ?? 'GET'} ${path}: ${settled}`;
      };
      const body = JSON.stringify({ name: 'Eve', role: 'owner', workspaces: null });
      const headers = { 'X-Platen-Csrf': '1', 'Content-Type': 'application/json' };
      const loaded = (element: HTMLElement) =>
        new Promise<string>((resolve) => {
          element.onload = () => resolve('loaded');
          element.onerror = () => resolve('failed');
          document.body.append(element);
        });
      return [
        await tried('session', {}),
        await tried('operators', { method: 'POST', body, headers }),
        await tried('operators', { method: 'PUT', body }),
        await tried('session', { method: 'DELETE' }),
        `script: ${await loaded(Object.assign(document.createElement('script'), { src: `${api}/session` }))}`,
        `image: ${await loaded(Object.assign(new Image(), { src: `${api}/asset?workspace=x&url=https://a.example/x.png` }))}`,
        `style: ${await loaded(Object.assign(document.createElement('link'), { rel: 'stylesheet', href: `${api}/session` }))}`,
      ];
    }, `${site.origin}/dashboard/api`);
    for (const outcome of outcomes) t.match(outcome, /: failed$/);
    const blind = await page.evaluate(
      (url) =>
        fetch(url, { method: 'POST', mode: 'no-cors', credentials: 'include', body: '{"name":"Eve"}' }).then(
          ({ type, status }) => `${type} ${status}`,
          () => 'failed',
        ),
      target,
    );
    t.match(blind, /^(opaque 0|failed)$/, 'it can be sent, and not read');

    const framed = await page.evaluate(async (url) => {
      const frame = Object.assign(document.createElement('iframe'), { src: url });
      await new Promise((resolve) => {
        frame.onload = resolve;
        document.body.append(frame);
      });
      try {
        return frame.contentDocument === null ? 'of another origin' : 'readable';
      } catch {
        return 'of another origin';
      }
    }, `${site.origin}/dashboard/`);
    t.equal(framed, 'of another origin');
    const [, frame] = page.frames();
    t.notOk(frame.url().startsWith(site.origin), `the frame has nothing of the dashboard: ${frame.url()}`);

    const opened = await page.evaluate(async (url) => {
      const other = window.open(url);
      if (!other) return 'did not open';
      for (let i = 0; i < 600 && !other.closed; i++) await new Promise((resolve) => setTimeout(resolve, 50));
      return other.closed ? 'cut off' : 'in reach';
    }, `${site.origin}/dashboard/`);
    t.equal(opened, 'cut off', 'a window with the dashboard');

    t.equal(JSON.stringify(await site.store.listOperators()), before, 'no operator was made');
    const refused = site.log.filter(({ code }) => code === 'cross_site');
    t.ok(refused.length >= 4, `${refused.length} requests were refused as those of another site`);
    const tab = await browser.tab(visitor);
    await tab.goto('/dashboard/keys');
    await tab.find('heading', 'Keys');
    t.equal(tab.path, '/dashboard/keys', 'Ada is still signed in');
  },
);
