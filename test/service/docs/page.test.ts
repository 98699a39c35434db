// GET /docs: its examples run unchanged, its tables match the schemas, and it fits a narrow screen.
import { execFile, execFileSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import t from 'tap';
import { readHeader } from '../../../lib/codecs/header.js';
import { ERRORS } from '../../../lib/contract/api/errors.js';
import { openapi } from '../../../lib/contract/openapi.js';
import { docsAnswer } from '../../../lib/service/docs/page.js';
import { EXAMPLES, TEMPLATE_EXAMPLE } from '../../../scripts/api-page/examples.js';
import { SCRIPT } from '../../../scripts/api-page/script.js';
import { saveTemplate } from '../stores.js';
import { startWhole } from '../whole.js';

const run = promisify(execFile);
const page = Buffer.from(docsAnswer().body as Uint8Array).toString();

function unescapeHtml(html: string): string {
  return html.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&quot;', '"').replaceAll('&amp;', '&');
}

/** The page's text without tags, blanks run together. */
function textOf(html: string): string {
  return unescapeHtml(html.replace(/<[^>]*>/g, ' ')).replace(/\s+/g, ' ');
}

function canRun(program: string): boolean {
  try {
    execFileSync('sh', ['-c', `command -v ${program}`], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}

t.test('the page shows the examples exactly as this test runs them', async (t) => {
  const blocks = Array.from(page.matchAll(/<pre[^>]*><code>([\s\S]*?)<\/code>/g), ([, html]) => unescapeHtml(html));
  for (const { language, code } of EXAMPLES) t.ok(blocks.includes(code), language);
  t.ok(blocks.includes(TEMPLATE_EXAMPLE));
  t.match(textOf(page), 'Authorization: Bearer svc_live_');
});

for (const { language, file, command = '', code } of EXAMPLES) {
  const program = file === undefined ? 'curl' : command.split(' ')[0];
  t.test(`the example in ${language}`, { skip: !canRun(program) && `there is no ${program} here` }, async (t) => {
    const whole = await startWhole(t, {});
    const { key } = await whole.caller();
    const folder = t.testdir();
    if (file !== undefined) writeFileSync(join(folder, file), code);
    const script = file === undefined ? code : command;
    const start = (apiKey: string) =>
      run('sh', ['-ec', script], { cwd: folder, env: { ...process.env, PLATEN_URL: whole.url, PLATEN_KEY: apiKey } });
    await start(key);
    t.match(readHeader(readFileSync(join(folder, 'hello.png'))), { format: 'png', width: 600, height: 315 });
    const refused = await start(`svc_live_${'0'.repeat(64)}`).catch((error) => error);
    t.ok(refused.code > 0, 'a refusal is a failure');
    t.match(refused.stdout + refused.stderr, '401');
  });
}

t.test('the example with a template', { skip: !canRun('curl') && 'there is no curl here' }, async (t) => {
  const whole = await startWhole(t, {});
  const { key, workspaceId } = await whole.caller();
  const hotspot = { key: 'title', label: 'Title', type: 'text', x: 0, y: 0, width: 90, height: 40, text: '' };
  const record = { name: 'T', width: 100, height: 50, hotspots: [hotspot] };
  const id = await saveTemplate(whole.store, workspaceId, record);
  const folder = t.testdir();
  const env = { ...process.env, PLATEN_URL: whole.url, PLATEN_KEY: key };
  await run('sh', ['-ec', TEMPLATE_EXAMPLE.replace('TEMPLATE_ID', id)], { cwd: folder, env });
  t.match(readHeader(readFileSync(join(folder, 'card.png'))), { format: 'png', width: 100, height: 50 });
});

interface Schema {
  readonly properties?: Readonly<Record<string, Schema>>;
}

/** The text of each row of the table under the heading `id`. */
function rowsOf(id: string): string[] {
  const [, table = ''] = page.split(`<h3 id="${id}">`)[1]?.split(/<table>|<\/table>/) ?? [];
  return Array.from(table.matchAll(/<tr>(.*?)<\/tr>/g), ([, row]) => textOf(row).trim());
}

t.test('lists every field in a table, nested objects in tables of their own', async (t) => {
  const { schemas } = (openapi() as { components: { schemas: Record<string, Schema> } }).components;
  const ofAll = rowsOf('Layer').map((row) => row.split(' ')[0]);
  const check = (id: string, schema: Schema, isLayer: boolean) => {
    const names = rowsOf(id).map((row) => row.split(' ')[0]);
    for (const [name, field] of Object.entries(schema.properties ?? {})) {
      const isShared = isLayer && ofAll.includes(name);
      if (!isShared) t.ok(names.includes(name), `${id}.${name}`);
      if (field.properties) check(`${isShared ? 'Layer' : id}.${name}`, field, false);
    }
  };
  for (const [name, schema] of Object.entries(schemas)) {
    if (!/^Layer$|Hotspot$|^(?:InPlace|Template)Group$/.test(name)) check(name, schema, /.Layer$/.test(name));
  }
  t.match(rowsOf('Hotspot').join(), /key .*label /, 'the other fields of hotspots are those of layers');
  for (const id of ['CanvasRequest.canvas', 'Layer.shadow', 'TextLayer.stroke', 'ImageLayer.border']) {
    t.ok(rowsOf(id).length > 2, id);
  }
  t.equal(page.split('id="Layer.shadow"').length, 2, 'once');
});

t.test('shows ranges that users can reach', async (t) => {
  const rows = [
    ['TextLayer', 'minFontSize number, more than 0, up to 10,000 8 '],
    ['TextLayer', 'maxLines integer, 1 or more '],
    ['TextLayer', 'letterSpacing number, −10,000 to 10,000 0 '],
    ['TextLayer', 'text string, up to 1,000,000 characters '],
    ['Layer', 'opacity number, 0 to 1 1 '],
    ['CanvasRequest.canvas', 'width integer, 1 to 8,192 required '],
    ['QrcodeLayer', 'colorDark color "#000000" '],
  ];
  for (const [id, row] of rows)
    t.ok(
      rowsOf(id).some((found) => found.startsWith(row)),
      row,
    );
  t.notMatch(page.replace(SCRIPT, ''), /9007199254740991|undefined|\[object|NaN/);
});

t.test('lists every error code with its status and reason', async (t) => {
  const text = textOf(page);
  for (const [code, { status, wire, when }] of Object.entries(ERRORS)) {
    t.match(text, `${status} ${wire ? code : 'none'} ${when}`);
  }
});

t.test('links lead to headings, and ids are unique', async (t) => {
  const ids = Array.from(page.matchAll(/ id="([^"]+)"/g), ([, id]) => id);
  t.equal(new Set(ids).size, ids.length);
  const targets = Array.from(page.matchAll(/href="#([^"]+)"/g), ([, id]) => id);
  t.ok(targets.length > 10);
  t.same(
    targets.filter((id) => !ids.includes(id)),
    [],
  );
  t.notMatch(
    page.replace(`<script>${SCRIPT}</script>`, ''),
    /<script|<link|src=| on\w+=/,
    'one script, and no handler in a tag',
  );
});

const browser = ['/usr/bin/chromium-headless-shell', '/usr/bin/chromium', '/usr/bin/google-chrome'].find(existsSync);

t.test(
  'it fits screens of 360 to 1440 pixels',
  { skip: browser === undefined && 'there is no browser here' },
  async (t) => {
    // Windows can't be that narrow, frames can.
    const widths = [360, 768, 1440];
    const source = page.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<details>', '<details open>');
    const frames = widths.map(
      (width) => `<iframe style="border:0;width:${width}px;height:800px" srcdoc="${source}"></iframe>`,
    );
    const measure = () => {
      const found = Array.from(document.querySelectorAll('iframe'), (frame) => {
        const root = frame.contentDocument!.documentElement;
        const wide = root.querySelectorAll('td, p, h2, h3, nav');
        const cut = Array.from(wide).filter((element) => element.scrollWidth > element.clientWidth + 1);
        return { width: root.clientWidth, content: root.scrollWidth, cut: cut.map((element) => element.textContent) };
      });
      document.body.innerHTML = `<output>${encodeURIComponent(JSON.stringify(found))}</output>`;
    };
    const folder = t.testdir({
      'page.html': `<!doctype html><body>${frames.join('')}<script>onload = ${measure}</script></body>`,
    });
    const flags = [
      '--headless',
      '--no-sandbox',
      '--disable-gpu',
      '--disable-background-networking',
      '--hide-scrollbars',
    ];
    const profile = `--user-data-dir=${join(folder, 'profile')}`;
    const { stdout } = await run(browser!, [...flags, profile, '--dump-dom', `file://${join(folder, 'page.html')}`], {
      maxBuffer: 2 ** 24,
    });
    const found = JSON.parse(decodeURIComponent(/<output>(.*?)<\/output>/.exec(stdout)?.[1] ?? '[]'));
    t.same(
      found,
      widths.map((width) => ({ width, content: width, cut: [] })),
    );
  },
);
