// The guide below /docs/guide/: which paths have a file, with which headers, and the pages and the playground in Chromium.
// SCREENSHOTS=folder writes pictures of the pages there.
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { brotliCompressSync, brotliDecompressSync } from 'node:zlib';
import t from 'tap';
import { render, renderToPixels } from '../../../lib/index.js';
import { createGuide } from '../../../lib/service/docs/guide.js';
import { docsAnswer } from '../../../lib/service/docs/page.js';
import { type ApiRequest, createContext } from '../../../lib/service/request.js';
import { ROOT } from '../../checkout.js';
import { CHROMIUM, type Page, startChromium } from '../../chromium.js';
import { startWhole } from '../whole.js';

const MEBIBYTE = 2 ** 20;

t.test('without a site there is no guide', async (t) => {
  const none = t.testdir({ fonts: { 'a.woff2': 'font' } });
  const folders = { guide: join(none, 'docs'), engine: none, fonts: join(none, 'fonts'), wasm: none };
  const request = { method: 'GET', path: '/docs/guide/fonts/a.woff2' } as ApiRequest;
  t.equal(createGuide(folders)(createContext(request)), undefined);
});

t.test('answers the files of four folders, and nothing else', async (t) => {
  const folder = t.testdir({
    docs: { 'index.html.br': brotliCompressSync('<h1>The guide</h1>'), pictures: { 'a.webp': 'picture' } },
    engine: { 'worker.js': 'worker' },
    fonts: { inter: { 'inter-400.woff2': 'font' } },
    wasm: { 'kernels.wasm': 'module' },
    'secret.json': '{}',
  });
  const path = (name: string) => join(folder, name);
  const guide = createGuide({ guide: path('docs'), engine: path('engine'), fonts: path('fonts'), wasm: path('wasm') });
  const ask = async (asked: string, { method = 'GET', encoding = '' } = {}) => {
    const header = (name: string) => (name === 'accept-encoding' ? encoding : undefined);
    const context = createContext({ method, path: asked, header } as unknown as ApiRequest);
    const answer = await guide(context);
    const body = answer && Buffer.from(answer.body as Uint8Array);
    return answer && { ...answer, text: body!.toString(), bytes: body!, route: context.route };
  };

  const page = await ask('/docs/guide/');
  t.match(page, { status: 200, text: '<h1>The guide</h1>', route: '/docs/guide/{file}' });
  t.equal(page!.headers.get('Content-Type'), 'text/html; charset=utf-8');
  t.match(page!.headers.get('Content-Security-Policy'), /^default-src 'none'; script-src 'self'; style-src 'self'; /);
  t.equal(page!.headers.get('Content-Encoding'), undefined);
  const small = await ask('/docs/guide/index.html', { encoding: 'gzip, br' });
  t.equal(small!.headers.get('Content-Encoding'), 'br');
  t.ok(small!.bytes.equals(readFileSync(path('docs/index.html.br'))));

  t.match(await ask('/docs/guide/pictures/a.webp'), { status: 200, text: 'picture' });
  t.match(await ask('/docs/guide/fonts/inter/inter-400.woff2'), { status: 200, text: 'font' });
  t.match(await ask('/docs/guide/wasm/kernels.wasm'), { status: 200, text: 'module' });
  const worker = await ask('/docs/guide/engine/worker.js');
  t.match(worker!.headers.get('Content-Security-Policy'), "script-src 'self' 'wasm-unsafe-eval';");

  const moved = await ask('/docs/guide');
  t.match([moved!.status, moved!.headers.get('Location')], [308, 'guide/']);
  const reference = await ask('/docs/guide/reference.html');
  t.match([reference!.status, reference!.headers.get('Location')], [308, '../../docs']);

  for (const other of ['index.html.br', '../secret.json', '..%2fsecret.json', 'pictures', 'pictures/', 'nothing.html'])
    t.equal(await ask(`/docs/guide/${other}`), undefined, other);
  await t.rejects(async () => await ask('/docs/guide/', { method: 'POST' }), { code: 'method_not_allowed' });
});

const built = join(ROOT, 'dist/docs');
const unbuilt = !existsSync(join(built, 'index.html.br')) && 'the site is not made: npm run build';

t.test('takes at most 1.75 MiB of the package', { skip: unbuilt }, async (t) => {
  const names = readdirSync(built, { recursive: true, encoding: 'utf8' });
  const sizes = names.map((name) => statSync(join(built, name))).map((each) => (each.isFile() ? each.size : 0));
  const sum = sizes.reduce((a, b) => a + b, 0);
  t.ok(sum <= 1.75 * MEBIBYTE, `${sum} bytes`);
});

t.test('links and pictures of the pages lead somewhere', { skip: unbuilt }, async (t) => {
  const pages = new Map(
    readdirSync(built)
      .filter((name) => name.endsWith('.html.br'))
      .map((name) => [name.slice(0, -3), brotliDecompressSync(readFileSync(join(built, name))).toString()]),
  );
  let links = 0;
  for (const [name, html] of pages) {
    for (const [, target] of html.matchAll(/ (?:href|src)="([^"]+)"/g)) {
      const [file, anchor] = target.split('#');
      if (/^https:/.test(file) || file === 'reference.html') continue;
      links++;
      const exists = file === '' || [file, `${file}.br`].some((each) => existsSync(join(built, each)));
      t.ok(exists, `${name} links to ${file}`);
      if (anchor) t.ok(pages.get(file || name)?.includes(` id="${anchor}"`), `${name} links to ${target}`);
    }
  }
  t.ok(links > 1000, `${links} links`);
});

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
const AXE_RUN = `(async () => {
  ${AXE};
  return (await axe.run()).violations.map(({ id, nodes }) => [id, nodes[0].html]);
})()`;
/** Pages with everything that pages have: pictures, tables, code, what folds, the playground. */
const KINDS = ['index.html', 'api.html', 'recipes.html', 'playground.html', 'text.html'];
const skip = unbuilt || (CHROMIUM === undefined && 'there is no browser here');

t.test('the guide of a server in a browser', { skip }, async (t) => {
  const whole = await startWhole(t, {});
  const open = await startChromium(t);
  const site = `${whole.url}/docs/guide/`;

  await t.test('the page of the API leads to the guide, and the guide to it', async (t) => {
    t.match(Buffer.from(docsAnswer().body as Uint8Array).toString(), '<a href="docs/guide/">the guide</a>');
    const page = await open(`${whole.url}/docs`);
    const target = await page.evaluate<string>(`document.querySelector('header a[href="docs/guide/"]').href`);
    t.equal(target, site);
    const back = await open(`${site}reference.html`);
    t.equal(await back.evaluate('location.pathname'), '/docs');
  });

  await t.test(
    'every page fits wide and narrow screens; pages of each kind are accessible, light and dark',
    async (t) => {
      const pages = readdirSync(built).filter((name) => name.endsWith('.html.br'));
      t.ok(pages.length > 25, `${pages.length} pages`);
      const page = await open(site);
      for (const [i, name] of pages.entries()) {
        const file = name.replace(/\.br$/, '');
        await show(page, { width: i % 2 ? 360 : 1440, isDark: i % 4 > 1 });
        await go(page, site + file);
        const [content, width] = await page.evaluate<number[]>(
          '[document.documentElement.scrollWidth, document.documentElement.clientWidth]',
        );
        t.ok(content <= width, `${file} is ${content} pixels wide`);
        // the checker takes seconds for each
        if (KINDS.includes(file)) t.same(await page.evaluate(AXE_RUN), [], `${file} is accessible`);
        if (process.env.SCREENSHOTS) {
          const { data } = (await page.send('Page.captureScreenshot')) as unknown as { data: string };
          writeFileSync(`${process.env.SCREENSHOTS}/${file}.png`, Buffer.from(data, 'base64'));
        }
      }
      t.same(page.problems, []);
    },
  );

  await t.test('the search finds a section and leads there, by keyboard', async (t) => {
    const page = await open(`${site}text.html`);
    await page.evaluate(`document.dispatchEvent(new KeyboardEvent('keydown', { key: '/' }))`);
    t.equal(await page.evaluate('document.activeElement.id'), 'search');
    await page.send('Input.insertText', { text: 'backdropFilter' });
    await page.evaluate(until(`document.querySelector('.results a')`));
    await press(page, 'ArrowDown');
    t.match(await page.evaluate('document.activeElement.href'), 'visuals.html#backdropfilter');
    t.match(await page.evaluate('document.activeElement.textContent'), 'Visuals: backdropFilter');
    await press(page, 'Escape');
    t.equal(await page.evaluate(`document.querySelector('.results').hidden`), true);
    await page.send('Input.insertText', { text: 'xyzzy' });
    await page.evaluate(until(`/Nothing has all of “xyzzy”/.test(document.querySelector('.results').textContent)`));
    t.same(page.problems, []);
  });

  await t.test('the playground draws what Node draws, and says where faults are', async (t) => {
    const page = await open(`${site}playground.html`);
    await page.evaluate(until(DRAWN));
    const payload = JSON.parse(await page.evaluate<string>(`document.querySelector('#payload').value`));
    const { data, width, height } = await renderToPixels(payload);
    const pixels = await page.evaluate<{ width: number; height: number; hash: string }>(`(async () => {
      const { width, height } = document.querySelector('canvas');
      const { data } = document.querySelector('canvas').getContext('2d').getImageData(0, 0, width, height);
      const hash = new Uint8Array(await crypto.subtle.digest('SHA-256', data));
      return { width, height, hash: Array.from(hash, (byte) => byte.toString(16).padStart(2, '0')).join('') };
    })()`);
    t.same(pixels, { width, height, hash: createHash('sha256').update(data).digest('hex') });

    const type = (text: string) => `(() => {
      const editor = document.querySelector('#payload');
      editor.value = ${JSON.stringify(text)};
      editor.dispatchEvent(new Event('input'));
    })()`;
    const problems = `Array.from(document.querySelectorAll('#problems li'), ({ textContent }) => textContent)`;
    payload.layers[0].fillColor = 'bluu';
    payload.layers[1].fontSize = 'big';
    const text = JSON.stringify(payload, null, 2);
    await page.evaluate(type(text));
    await page.evaluate(until(`document.querySelectorAll('#problems li').length === 2`));
    const lineOf = (part: string) => text.slice(0, text.indexOf(part)).split('\n').length;
    const [first, second] = await page.evaluate<string[]>(problems);
    t.match(first, new RegExp(`^Line ${lineOf('"bluu"')} Error: layers\\[0\\]\\.fillColor: received "bluu"`));
    t.match(second, new RegExp(`^Line ${lineOf('"big"')} Error: layers\\[1\\]\\.fontSize: received "big"`));
    const chosen = `(() => {
      document.querySelector('#problems button').click();
      const { value, selectionStart, selectionEnd } = document.activeElement;
      return value.slice(selectionStart, selectionEnd).trim();
    })()`;
    t.equal(await page.evaluate(chosen), '"fillColor": "bluu"');

    await page.evaluate(type('{ "canvas": { "width": 10, } }'));
    await page.evaluate(until(`/not JSON/.test(document.querySelector('#state').textContent)`));
    t.same(await page.evaluate(problems), ['Line 1 Error: received "}", expected a key in quotes']);
    t.same(page.problems, [], 'the policy allows what the page does');
  });

  await t.test('the playground saves the picture as PNG, SVG and PDF', async (t) => {
    const page = await open(`${site}playground.html`);
    await page.evaluate(until(DRAWN));
    await page.evaluate(`(() => {
      const { createObjectURL } = URL;
      window.files = [];
      URL.createObjectURL = (blob) => { window.blob = blob; return createObjectURL(blob); };
      HTMLAnchorElement.prototype.click = function () { files.push({ name: this.download, blob }); };
    })()`);
    const payload = JSON.parse(await page.evaluate<string>(`document.querySelector('#payload').value`));
    for (const format of ['png', 'svg', 'pdf'] as const) {
      await page.evaluate(`document.querySelector('button[data-format="${format}"]').click()`);
      await page.evaluate(until(`document.querySelector('#state').textContent.startsWith('picture.${format}, ')`));
      const file = await page.evaluate(`(async () => {
        const { name, blob } = files.pop();
        const hash = new Uint8Array(await crypto.subtle.digest('SHA-256', await blob.arrayBuffer()));
        return [name, blob.type, Array.from(hash, (byte) => byte.toString(16).padStart(2, '0')).join('')];
      })()`);
      const { bytes, mimeType } = await render(payload, { format });
      t.same(file, [`picture.${format}`, mimeType, createHash('sha256').update(bytes).digest('hex')]);
    }
    t.same(page.problems, [], 'the policy allows what the page does');
  });

  await t.test('the playground draws each example without a fault, and asks only this server', async (t) => {
    const page = await open(`${site}playground.html`);
    const count = await page.evaluate<number>(`document.querySelector('#example').options.length`);
    t.ok(count >= 8);
    for (let i = 0; i < count; i++) {
      const found = await page.evaluate(`(async () => {
        document.querySelector('#state').textContent = '';
        const choice = document.querySelector('#example');
        choice.selectedIndex = ${i};
        choice.dispatchEvent(new Event('change'));
        await ${until(DRAWN)};
        return [choice.value, document.querySelector('#problems').textContent];
      })()`);
      t.match(found, [/./, ''], String(found));
    }
    const origins = `[...new Set(performance.getEntriesByType('resource').map(({ name }) => new URL(name).origin))]`;
    t.same(await page.evaluate(origins), [whole.url]);
    t.same(page.problems, []);
  });
});

const DRAWN = `/drawn in/.test(document.querySelector('#state').textContent)`;

/** Waits for a condition of the page: two minutes, as the machine may do much else. */
function until(condition: string): string {
  return `(async () => {
    for (let i = 0; !(${condition}); i++) {
      if (i === 6000) throw new Error(${JSON.stringify(`never: ${condition}`)} + ': ' + document.body.innerText);
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  })()`;
}

async function press(page: Page, key: string): Promise<void> {
  const windowsVirtualKeyCode = { ArrowDown: 40, Escape: 27 }[key];
  await page.send('Input.dispatchKeyEvent', { type: 'rawKeyDown', key, windowsVirtualKeyCode });
  await page.send('Input.dispatchKeyEvent', { type: 'keyUp', key, windowsVirtualKeyCode });
}

async function show(page: Page, { width, isDark }: { width: number; isDark: boolean }): Promise<void> {
  const size = { width, height: 800, deviceScaleFactor: 1, mobile: false };
  await page.send('Emulation.setDeviceMetricsOverride', size);
  const features = [{ name: 'prefers-color-scheme', value: isDark ? 'dark' : 'light' }];
  await page.send('Emulation.setEmulatedMedia', { features });
}

async function go(page: Page, url: string): Promise<void> {
  await page.send('Page.navigate', { url });
  // scripts are modules, which the end of loading waits for
  await page.evaluate(until(`location.href === ${JSON.stringify(url)} && document.readyState === 'complete'`));
}
