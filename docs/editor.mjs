// Takes the pictures of docs/editor.md, and records a session in the template editor as an animated picture: starts a server on
// a new data folder, signs in as a person does, and works in Chromium with the mouse. Needs img2webp, of Debian's package webp.
//   npm run build && node docs/editor.mjs
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { installTools, toolUrl } from '../scripts/tools.mjs';

installTools();
const { default: puppeteer } = await import(toolUrl('puppeteer-core/lib/esm/puppeteer/puppeteer-core.js'));

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const PROGRAM = join(ROOT, 'dist/bin/render.js');
const CHROMIUM = ['/usr/bin/chromium', '/usr/bin/google-chrome'].find(existsSync);
const PASSWORD = 'a long password';
const FRAME_MS = 110;

const folder = mkdtempSync(join(tmpdir(), 'platen-editor-'));
const port = await freePort();
const env = { ...process.env, DATA_DIR: join(folder, 'data'), PORT: String(port) };

async function freePort() {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address();
  await new Promise((resolve) => server.close(resolve));
  return port;
}

const run = (...words) =>
  JSON.parse(execFileSync(process.execPath, [PROGRAM, ...words, '--json'], { env, stdio: ['ignore', 'pipe', 'inherit'] }));

/** A pointer that pictures show, because Chromium draws none in them. */
const POINTER =
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 16 24" width="20" height="30"><path d="M1 1v18l4.6-4 3 7 3.4-1.4-3-6.8h6z" fill="#111" stroke="#fff" stroke-width="1.4"/></svg>';

/** The frames of a session: each with how long it is shown. */
class Recording {
  frames = [];
  pointer = { x: 700, y: 450 };

  constructor(page) {
    this.page = page;
  }

  async frame(milliseconds = FRAME_MS) {
    const { x, y } = this.pointer;
    await this.page.evaluate(
      (markup, left, top) => {
        let shown = document.querySelector('#pointer');
        if (!shown) {
          shown = document.createElement('div');
          shown.id = 'pointer';
          shown.popover = 'manual';
          shown.innerHTML = markup;
          Object.assign(shown.style, { position: 'fixed', inset: 'auto', margin: 0, padding: 0, border: 0 });
          Object.assign(shown.style, { background: 'none', pointerEvents: 'none', overflow: 'visible' });
          document.body.append(shown);
        }
        // over dialogs and popovers too
        if (shown.matches(':popover-open')) shown.hidePopover();
        shown.showPopover();
        shown.style.left = `${left}px`;
        shown.style.top = `${top}px`;
      },
      POINTER,
      x,
      y,
    );
    const path = join(folder, `frame-${String(this.frames.length).padStart(4, '0')}.png`);
    writeFileSync(path, await this.page.screenshot({ type: 'png' }));
    this.frames.push({ path, milliseconds });
  }

  /** Moves the pointer, faster in the middle of its way. */
  async moveTo([x, y], steps = 5) {
    const from = { ...this.pointer };
    for (let step = 1; step <= steps; step++) {
      const part = (1 - Math.cos((Math.PI * step) / steps)) / 2;
      this.pointer = { x: from.x + (x - from.x) * part, y: from.y + (y - from.y) * part };
      await this.page.mouse.move(this.pointer.x, this.pointer.y);
      await this.frame();
    }
  }

  async click(at, { count = 1, wait = 500 } = {}) {
    await this.moveTo(at);
    for (let n = 1; n <= count; n++) {
      await this.page.mouse.down({ clickCount: n });
      await this.page.mouse.up({ clickCount: n });
    }
    await settle(this.page);
    await this.frame(wait);
  }

  async drag(from, to, steps = 10) {
    await this.moveTo(from);
    await this.page.mouse.down();
    await this.moveTo(to, steps);
    await settle(this.page);
    await this.frame(500);
    await this.page.mouse.up();
    await settle(this.page);
    await this.frame(500);
  }

  async type(text) {
    for (const piece of text.match(/.{1,2}/gs)) {
      await this.page.keyboard.type(piece);
      await settle(this.page);
      await this.frame();
    }
  }

  save(name) {
    const path = join(ROOT, name);
    const words = this.frames.flatMap(({ path, milliseconds }) => ['-d', String(milliseconds), '-lossy', '-q', '62', '-m', '4', path]);
    execFileSync('img2webp', ['-loop', '0', '-mixed', '-kmax', '60', ...words, '-o', path], { stdio: 'ignore' });
    const { length } = readFileSync(path);
    const seconds = this.frames.reduce((sum, { milliseconds }) => sum + milliseconds, 0) / 1000;
    console.log(`${name}: ${this.frames.length} frames, ${seconds.toFixed(1)} s, ${length} bytes`);
  }
}

/** For what comes by itself: small pictures, and fonts. */
const pause = (milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds));

/** Waits until the engine has drawn what was changed last. */
async function settle(page) {
  await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve, 120))));
}

const named = (page, role, name) => page.locator(`::-p-aria([name="${name}"][role="${role}"])`);

async function middleOf(page, role, name) {
  const element = await page.waitForSelector(`::-p-aria([name="${name}"][role="${role}"])`);
  await element.scrollIntoView();
  const { x, y, width, height } = await element.boundingBox();
  return [x + width / 2, y + height / 2];
}

/** Where a point of the picture is in the window. */
const onCanvas = (page, x, y) =>
  page.$eval(
    '.stage-picture',
    (picture, x, y) => {
      const { left, top, width } = picture.getBoundingClientRect();
      const zoom = width / picture.width;
      return [left + x * zoom, top + y * zoom];
    },
    x,
    y,
  );

async function openEditor(page, origin, id) {
  await page.goto(`${origin}/dashboard/templates/${id}`, { waitUntil: 'networkidle0' });
  await page.waitForSelector('.stage-picture');
  await page.waitForFunction(() => getComputedStyle(document.querySelector('.stage-picture')).visibility === 'visible');
  await pause(2500);
  await settle(page);
}

async function photograph(page, origin, id) {
  await page.setViewport({ width: 1280, height: 800, deviceScaleFactor: 1.5 });
  const shoot = async (name) => {
    await settle(page);
    await pause(2500);
    const bytes = await page.screenshot({ type: 'webp', quality: 80 });
    writeFileSync(join(ROOT, `docs/editor/${name}.webp`), bytes);
    console.log(`docs/editor/${name}.webp: ${bytes.length} bytes`);
  };
  const press = async (role, name) => page.mouse.click(...(await middleOf(page, role, name)));
  await openEditor(page, origin, id);
  await press('option', 'Title');
  await shoot('text');
  await press('option', 'shade');
  await press('button', 'Choose fill colour');
  await shoot('gradient');
  await page.keyboard.press('Escape');
  await press('tab', 'Variables');
  await pause(2500);
  await shoot('variables');
  await press('tab', 'JSON');
  await page.waitForSelector('::-p-aria([name="JSON"][role="textbox"])');
  await shoot('json');
  await press('tab', 'Properties');
  await press('button', 'Export');
  const format = await page.waitForSelector('::-p-aria([name="Format"][role="combobox"])');
  await format.select('pdf');
  await shoot('export');
  await page.keyboard.press('Escape');
}

async function record(page, origin, id) {
  await page.setViewport({ width: 1280, height: 760, deviceScaleFactor: 0.75 });
  await openEditor(page, origin, id);
  const recording = new Recording(page);
  const click = async (role, name, options) => recording.click(await middleOf(page, role, name), options);
  await recording.frame(1000);
  // a star that snaps into its corner
  await click('button', 'More shapes');
  await click('menuitem', 'Star');
  await recording.drag(await onCanvas(page, 600, 315), await onCanvas(page, 1010, 196));
  await recording.drag(await onCanvas(page, 1136, 70), await onCanvas(page, 1136 + 5, 64), 4);
  // from a colour to a gradient
  await click('button', 'Choose fill colour');
  await click('radio', 'Linear');
  await click('textbox', 'Colour', { count: 3, wait: 200 });
  await page.keyboard.type('#fde047');
  await settle(page);
  await recording.frame(500);
  await click('slider', 'Stop 2', { wait: 200 });
  await click('textbox', 'Colour', { count: 3, wait: 200 });
  await page.keyboard.type('#ec4899');
  await settle(page);
  await recording.frame(700);
  await page.keyboard.press('Escape');
  // another text
  await click('option', 'Title', { wait: 300 });
  await click('textbox', 'Text', { count: 3, wait: 200 });
  await recording.type('Harbour Nights');
  await recording.frame(600);
  // with other variables
  await click('tab', 'Variables');
  await pause(2500);
  for (const set of ['Long', 'Japanese']) {
    const tile = await page.waitForSelector(`.set-tile ::-p-text(${set})`);
    await tile.scrollIntoView();
    const { x, y, width } = await tile.boundingBox();
    await recording.click([x + width / 2, y - 20], { wait: 1100 });
  }
  await click('button', 'Publish', { wait: 200 });
  await page.waitForFunction(() => /Published: 2/.test(document.body.innerText));
  await settle(page);
  await recording.frame(2200);
  recording.save('docs/editor/session.webp');
}

try {
  const { workspace, operator } = run('init');
  const { id } = run('templates', 'import', join(ROOT, 'data/templates/event-card.json'), '--workspace', workspace.id);
  const server = spawn(process.execPath, [PROGRAM, 'serve'], { env, stdio: ['ignore', 'pipe', 'ignore'] });
  const browser = await puppeteer.launch({
    executablePath: CHROMIUM,
    protocolTimeout: 600_000,
    args: ['--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--disable-background-networking'],
  });
  try {
    await once(server.stdout, 'data');
    mkdirSync(join(ROOT, 'docs/editor'), { recursive: true });
    const page = await browser.newPage();
    page.setDefaultTimeout(60_000);
    await page.goto(operator.link);
    for (const name of ['Password', 'Repeat password']) await named(page, 'textbox', name).fill(PASSWORD);
    await named(page, 'button', 'Set password').click();
    await named(page, 'heading', 'Overview').wait();
    const origin = `http://127.0.0.1:${port}`;
    await photograph(page, origin, id);
    await record(page, origin, id);
  } finally {
    await browser.close();
    server.kill();
    await once(server, 'exit');
  }
} finally {
  rmSync(folder, { recursive: true, force: true });
}
