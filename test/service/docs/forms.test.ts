// The forms of GET /docs in a browser: a key entered once, calls of this server, and answers that are shown.
// SCREENSHOTS=folder writes pictures of the page there.
import { writeFileSync } from 'node:fs';
import t from 'tap';
import { OPERATIONS } from '../../../lib/contract/api/operations/index.js';
import { CHROMIUM, startChromium } from '../../chromium.js';
import { startWhole } from '../whole.js';

/** Sends the form of an operation after `prepare`, and waits for its answer. */
const sent = (method: string, path: string, prepare = '') => `(async () => {
  const form = document.querySelector('form[data-method="${method}"][data-path="${path}"]');
  ${prepare}
  form.querySelector('button').click();
  const line = () => form.querySelector('.passed, .failed');
  while (!line() || form.querySelector('button').disabled) await new Promise((resolve) => setTimeout(resolve, 10));
  const image = form.querySelector('img');
  if (image) await image.decode();
  return {
    line: line().textContent,
    size: image && [image.naturalWidth, image.naturalHeight],
    text: [...form.querySelectorAll('.answer > pre')].map((pre) => pre.textContent).join('\\n\\n'),
    headers: form.querySelector('.answer details pre')?.textContent,
  };
})()`;

interface Shown {
  readonly line: string;
  readonly size: readonly number[] | null;
  readonly text: string;
  readonly headers: string | undefined;
}

t.test('the forms of GET /docs', { skip: CHROMIUM === undefined && 'there is no browser here' }, async (t) => {
  const whole = await startWhole(t, {});
  const { key } = await whole.caller({ scopes: ['render:write', 'batch:write'] });
  const open = await startChromium(t);
  const page = await open(`${whole.url}/docs`);
  const enterKey = `document.getElementById('key').value = ${JSON.stringify(key)};`;
  const setBody = (body: object) => `form.elements.body.value = ${JSON.stringify(JSON.stringify(body))};`;

  await t.test('there is one for each operation, and each control has a label', async (t) => {
    const forms = await page.evaluate<string[]>(
      `[...document.querySelectorAll('form.try')].filter((form) => form.offsetHeight > 0).map((form) => form.dataset.method + ' ' + form.dataset.path)`,
    );
    t.same(
      forms,
      OPERATIONS.map(({ method, path }) => `${method} ${path}`),
    );
    const unlabelled = `[...document.querySelectorAll('input, select, textarea')].filter((control) => control.labels.length !== 1).map((control) => control.outerHTML)`;
    t.same(await page.evaluate(unlabelled), []);
  });

  await t.test('without a key nothing is sent', async (t) => {
    const { line } = await page.evaluate<Shown>(sent('POST', '/v1/render'));
    t.match(line, 'Enter an API key');
    t.equal(await page.evaluate('document.activeElement.id'), 'key');
  });

  await t.test('the example of a render shows a picture', async (t) => {
    const { line, size, headers } = await page.evaluate<Shown>(sent('POST', '/v1/render', enterKey));
    t.match(line, /^200 OK, \d+ ms$/);
    t.same(size, [600, 315]);
    t.match(headers, 'content-type: image/png');
  });

  await t.test('an answer with a picture in JSON shows both, base64 shortened', async (t) => {
    const layer = { type: 'text', text: 'A text', x: 0, y: 0, width: 90, height: 60, fontSize: 20 };
    const body = { canvas: { width: 90, height: 60 }, layers: [layer], responseType: 'json' };
    const { line, size, text } = await page.evaluate<Shown>(sent('POST', '/v1/render', setBody(body)));
    t.match(line, /^200 OK/);
    t.same(size, [90, 60]);
    t.match(JSON.parse(text), { success: true, width: 90, base64: /^iVBOR.* characters\)$/ });
  });

  await t.test('a batch shows each picture and line', async (t) => {
    const layer = { type: 'shape', shapeType: 'rectangle', x: 0, y: 0, width: 9, height: 9 };
    const item = { canvas: { width: 80, height: 40 }, layers: [layer], name: 'first' };
    const broken = { ...layer, type: 'image', url: 'data:image/png;base64,AAAA' };
    const body = { items: [item, { ...item, layers: [broken] }] };
    const { line, size, text } = await page.evaluate<Shown>(sent('POST', '/v1/batches', setBody(body)));
    t.match(line, /^200 OK/);
    t.same(size, [80, 40]);
    const [first, second, summary] = text.split('\n\n').map((each) => JSON.parse(each));
    t.match(first, { index: 0, name: 'first', success: true, format: 'png' });
    t.match(second, { index: 1, success: false, code: 'render_failed' });
    t.match(summary, { done: true, succeeded: 1, failed: 1 });
  });

  await t.test('an error is shown as it came', async (t) => {
    const { line, text } = await page.evaluate<Shown>(sent('POST', '/v1/render', setBody({ canvas: {} })));
    t.match(line, /^400 Bad Request/);
    t.match(JSON.parse(text), { success: false, details: [{ path: 'canvas.width' }] });
  });

  await t.test('nothing keeps the key, and the policy allows all that the page does', async (t) => {
    const kept = 'JSON.stringify([location.href, document.cookie, { ...localStorage }, { ...sessionStorage }])';
    t.notMatch(await page.evaluate<string>(kept), key);
    t.same(page.problems, []);
  });

  if (process.env.SCREENSHOTS) {
    for (const [name, width, dark] of [
      ['wide', 1100, false],
      ['narrow', 360, true],
    ] as const) {
      await page.send('Emulation.setDeviceMetricsOverride', {
        width,
        height: 1000,
        deviceScaleFactor: 1,
        mobile: false,
      });
      await page.send('Emulation.setEmulatedMedia', {
        features: [{ name: 'prefers-color-scheme', value: dark ? 'dark' : 'light' }],
      });
      for (const [at, selector] of ['header', 'form.try', '#listRenders', '#replaceTemplate'].entries()) {
        await page.evaluate(`document.querySelector('${selector}').scrollIntoView()`);
        const { data } = (await page.send('Page.captureScreenshot')) as unknown as { data: string };
        writeFileSync(`${process.env.SCREENSHOTS}/${name}-${at}.png`, Buffer.from(data, 'base64'));
      }
    }
  }
});
