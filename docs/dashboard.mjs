// Takes the pictures of docs/dashboard.md and the README: starts a server on a new data folder with a month of renders, signs
// in as a person does, and photographs the pages in Chromium.
//   npm run build && node docs/dashboard.mjs
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { openEmbeddedStore } from '../dist/modules/lib/store/embedded/store.js';
import { installTools, toolUrl } from '../scripts/tools.mjs';

installTools();
const { default: puppeteer } = await import(toolUrl('puppeteer-core/lib/esm/puppeteer/puppeteer-core.js'));

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const PROGRAM = join(ROOT, 'dist/bin/render.js');
const CHROMIUM = ['/usr/bin/chromium', '/usr/bin/google-chrome'].find(existsSync);
const TEMPLATES = ['certificate', 'product'];
const VARIABLES = { title: 'Release party', date: '12 December, 19:00', link: 'https://example.com' };
const PASSWORD = 'a long password';
const DAY_MS = 86_400_000;

const folder = mkdtempSync(join(tmpdir(), 'platen-pictures-'));
const data = join(folder, 'data');
const port = await freePort();
const env = { ...process.env, DATA_DIR: data, PORT: String(port), API_KEY_RATE_LIMIT_PER_MIN: '1000' };

async function freePort() {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address();
  await new Promise((resolve) => server.close(resolve));
  return port;
}

/** Runs a command and returns what it prints as JSON. */
async function run(...words) {
  const child = spawn(process.execPath, [PROGRAM, ...words, '--json'], { env, stdio: ['ignore', 'pipe', 'inherit'] });
  let output = '';
  child.stdout.on('data', (chunk) => {
    output += chunk;
  });
  const [code] = await once(child, 'close');
  if (code !== 0) throw new Error(`platen ${words.join(' ')}: ${code}`);
  return JSON.parse(output);
}

/** A month of charges, as if the server had run: the clock of the store is set back. */
async function fillMonth(workspaceId, keyId, templateIds) {
  let time = Date.now() - 29 * DAY_MS;
  const store = await openEmbeddedStore(data, { now: () => new Date(time) });
  await store.grant(workspaceId, 2000);
  for (let day = 0; day < 29; day++, time += DAY_MS) {
    const weekday = new Date(time).getUTCDay();
    const renders = weekday === 0 || weekday === 6 ? 9 + (day % 4) : 28 + ((day * 7) % 17) + day;
    for (let n = 0; n < renders; n++) {
      const { hold } = await store.hold(workspaceId, 1);
      const isFailed = (day * 31 + n) % 41 === 0;
      if (isFailed) await store.release(hold);
      else await store.settle(hold);
      store.appendRender({
        ...{ id: `render_${day}_${n}`, time: new Date(time + n).toISOString(), workspaceId, keyId },
        ...{ templateId: templateIds[n % templateIds.length], format: 'png', width: 1200, height: 630 },
        ...{ durationMs: 40 + (n % 30), sizeBytes: 48_000 + n * 97, creditsCost: isFailed ? 0 : 1, warnings: 0 },
        ...(isFailed ? { status: 'failed', code: 'invalid_request' } : { status: 'ok' }),
      });
    }
  }
  await store.close();
}

async function photograph(origin, link, templateId) {
  const browser = await puppeteer.launch({
    executablePath: CHROMIUM,
    args: ['--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--disable-background-networking'],
  });
  try {
    const page = await browser.newPage();
    await page.setViewport({ width: 1280, height: 800, deviceScaleFactor: 1.5 });
    const shoot = async (name) => {
      await page.mouse.move(0, 0);
      await page.evaluate(() => {
        document.activeElement?.blur();
        scrollTo(0, 0);
      });
      await page.waitForNetworkIdle({ idleTime: 1500 });
      const bytes = await page.screenshot({ type: 'webp', quality: 82 });
      writeFileSync(join(ROOT, `docs/dashboard/${name}.webp`), bytes);
      console.log(`docs/dashboard/${name}.webp: ${bytes.length} bytes`);
    };
    const visit = (path) => page.goto(`${origin}/dashboard/${path}`, { waitUntil: 'networkidle0' });
    await page.goto(link);
    for (const name of ['Password', 'Repeat password']) await page.locator(`::-p-aria([name="${name}"][role="textbox"])`).fill(PASSWORD);
    await page.locator('::-p-aria([name="Set password"][role="button"])').click();
    await page.locator('::-p-aria([name="Overview"][role="heading"])').wait();
    await shoot('overview');
    await visit('templates');
    await shoot('templates');
    await visit(`playground?template=${templateId}`);
    await page.locator('::-p-aria([name="Payload"][role="textbox"])').click();
    await page.keyboard.down('Control');
    await page.keyboard.press('A');
    await page.keyboard.up('Control');
    await page.keyboard.sendCharacter(JSON.stringify({ templateId, variables: VARIABLES, format: 'webp' }, null, 2));
    // the worker encodes AVIF last
    await page.waitForFunction(() => /AVIF\s*[\d.]+ KB/.test(document.body.innerText), { timeout: 60_000 });
    await shoot('playground');
    await visit('billing');
    await shoot('billing');
  } finally {
    await browser.close();
  }
}

try {
  const { workspace, key, template, operator } = await run('init');
  const imported = [];
  for (const name of TEMPLATES) {
    const path = join(ROOT, `data/templates/${name}.json`);
    imported.push((await run('templates', 'import', path, '--workspace', workspace.id)).id);
  }
  await run('keys', 'create', '--workspace', workspace.id, '--name', 'Newsletter', '--scopes', 'render:write,render:read');
  await fillMonth(workspace.id, key.id, [template.id, ...imported]);
  const server = spawn(process.execPath, [PROGRAM, 'serve'], { env, stdio: ['ignore', 'pipe', 'ignore'] });
  try {
    await once(server.stdout, 'data');
    const origin = `http://127.0.0.1:${port}`;
    const headers = { Authorization: `Bearer ${key.key}`, 'Content-Type': 'application/json' };
    for (let n = 1; n <= 24; n++) {
      const variables = { title: `Meetup no. ${n}`, date: `${n} December, 19:00`, link: `https://example.com/${n}` };
      const metadata = { event: `meetup-${n}` };
      const body = JSON.stringify({ templateId: template.id, variables, metadata, responseType: 'binary' });
      const answer = await fetch(`${origin}/v1/render`, { method: 'POST', headers, body });
      if (answer.status !== 200) throw new Error(`the render was answered with ${answer.status}`);
      await answer.arrayBuffer();
    }
    mkdirSync(join(ROOT, 'docs/dashboard'), { recursive: true });
    await photograph(origin, operator.link, template.id);
  } finally {
    server.kill();
    await once(server, 'exit');
  }
} finally {
  rmSync(folder, { recursive: true, force: true });
}
