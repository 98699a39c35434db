// npm run bench:web: what the dashboard's pages load, how long a key takes to become pixels in the playground, and what keeps
// the main thread busy, in Chromium. Exits with 1 if a budget is exceeded.
import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import t from 'tap';
import { readHeader } from '../../../lib/codecs/header.js';
import type { Store } from '../../../lib/store/types.js';
import { ROOT } from '../../checkout.js';
import { openBrowser, skipped } from './browsers.js';
import { fill, type Site, startSite, unbuilt } from './site.js';
import type { Visitor } from './visitor.js';

const KB = 1000;
const KEYS = 80;
/** Keys before measuring starts, so that fonts are loaded and hot loops compiled. */
const WARM_UP_KEYS = 20;
const TASK_MS = 50;

/** Kilobytes of gzip. */
const BUDGETS = { page: 40, editor: 70, json: 120, engine: 400 } as const;
const KEY_BUDGETS = { p50: 16, p95: 50 } as const;

let isOver = false;

function report(name: string, value: number, budget: number, unit: string): void {
  const isExceeded = value > budget;
  isOver ||= isExceeded;
  console.log(
    `${name.padEnd(46)} ${value.toFixed(1).padStart(8)} ${unit}   budget ${budget} ${unit}${isExceeded ? '   OVER' : ''}`,
  );
}

const part = (path: string) => {
  const name = path.slice(path.lastIndexOf('/') + 1);
  if (path.startsWith('/dashboard/fonts/') || /avif/.test(name)) return 'other';
  if (path.startsWith('/dashboard/wasm/') || name.startsWith('engine-')) return 'engine';
  if (!path.startsWith('/dashboard/files/')) return 'other';
  return isJsonView(name) ? 'json' : 'page';
};

const metafile: { outputs: Record<string, { inputs: Record<string, unknown> }> } = unbuilt
  ? { outputs: {} }
  : JSON.parse(readFileSync(join(ROOT, 'dist/dashboard.metafile.json'), 'utf8'));

/** Whether a chunk has the JSON view: CodeMirror, and what completes and checks JSON. */
function isJsonView(name: string): boolean {
  const [, output] = Object.entries(metafile.outputs).find(([path]) => path.endsWith(`/${name}`)) ?? [];
  return Object.keys(output?.inputs ?? {}).some((input) =>
    /node_modules\/@(codemirror|lezer)\/|^web\/json\//.test(input),
  );
}

/** Bytes of a file of the dashboard, compressed as every server can. */
function gzipBytes(path: string): number {
  const [, folder, name] = /^\/dashboard\/(files|wasm)\/(.*)$/.exec(path) ?? [];
  const file = join(ROOT, folder === 'wasm' ? 'dist/wasm' : 'dist/dashboard/files', name ?? '');
  return existsSync(`${file}.gz`)
    ? readFileSync(`${file}.gz`).length
    : gzipSync(readFileSync(file), { level: 9 }).length;
}

/** Kilobytes that were loaded since `from`, by part. */
function loadedSince(site: Site, from: number): Record<'page' | 'json' | 'engine' | 'other', number> {
  const paths = new Set(site.log.slice(from).map(({ path }) => String(path)));
  const sums = { page: 0, json: 0, engine: 0, other: 0 };
  for (const path of paths) {
    const which = part(path);
    if (which !== 'other') sums[which] += gzipBytes(path) / KB;
  }
  return sums;
}

/** The example card, with its pictures as assets of the workspace. */
async function exampleCard(store: Store, workspaceId: string): Promise<string> {
  const card = JSON.parse(readFileSync(join(ROOT, 'examples/social-card.json'), 'utf8'));
  for (const layer of card.layers) {
    if (typeof layer.url !== 'string' || !layer.url.startsWith('pictures/')) continue;
    const content = readFileSync(join(ROOT, 'examples', layer.url));
    const isSvg = layer.url.endsWith('.svg');
    const { width, height } = isSvg ? { width: layer.width, height: layer.height } : readHeader(content);
    const sha256 = createHash('sha256').update(content).digest('hex');
    const mimeType = isSvg ? 'image/svg+xml' : 'image/jpeg';
    const added = { workspaceId, kind: 'image', mimeType, sha256, width, height } as const;
    layer.url = `asset:${(await store.addAsset(added, content, 2 ** 30)).asset.id}`;
  }
  return JSON.stringify(card, null, 2);
}

interface Recorded {
  readonly painted: { readonly at: number; readonly width: number }[];
  readonly keys: number[];
  readonly tasks: number[];
}

/** Notes when keys are pressed, when pixels are shown, and tasks that keep the main thread busy. */
async function record(visitor: Visitor): Promise<void> {
  await visitor.page.evaluateOnNewDocument(() => {
    const recorded: Recorded = { painted: [], keys: [], tasks: [] };
    Object.assign(globalThis, { recorded });
    const { putImageData } = CanvasRenderingContext2D.prototype;
    CanvasRenderingContext2D.prototype.putImageData = function (this: CanvasRenderingContext2D, ...values: unknown[]) {
      (putImageData as (...given: unknown[]) => void).apply(this, values);
      recorded.painted.push({ at: performance.now(), width: this.canvas.width });
    } as typeof putImageData;
    addEventListener('keydown', ({ timeStamp }) => recorded.keys.push(timeStamp), true);
    new PerformanceObserver((list) => {
      for (const { duration } of list.getEntries()) recorded.tasks.push(duration);
    }).observe({ type: 'longtask', buffered: true });
  });
}

const recordedIn = (visitor: Visitor) =>
  visitor.page.evaluate(() => (globalThis as unknown as { recorded: Recorded }).recorded);

async function measureKeys(visitor: Visitor, text: string): Promise<{ times: number[]; tasks: readonly number[] }> {
  const { keyboard } = visitor.page;
  await visitor.goto('/dashboard/playground');
  await (await visitor.find('textbox', 'Payload')).focus();
  await keyboard.down('Control');
  await keyboard.press('a');
  await keyboard.up('Control');
  await keyboard.sendCharacter(text);
  // the cursor goes to the end of the headline
  const line = text.split('\n').findIndex((each) => each.includes('"text": "Five mornings'));
  await keyboard.down('Control');
  await keyboard.press('Home');
  await keyboard.up('Control');
  for (let at = 0; at < line; at++) await keyboard.press('ArrowDown');
  await keyboard.press('End');
  for (let at = 0; at < 2; at++) await keyboard.press('ArrowLeft');
  const isPainted = async (count: number) =>
    await visitor.until(
      async () => (await recordedIn(visitor)).painted.filter(({ width }) => width === 1200).length >= count,
      () => 'no picture came',
    );
  await isPainted(1);
  const times: number[] = [];
  let tasksBefore = 0;
  for (let key = 0; key < WARM_UP_KEYS + KEYS; key++) {
    const start = await recordedIn(visitor);
    const before = start.painted.length;
    if (key === WARM_UP_KEYS) tasksBefore = start.tasks.length;
    await keyboard.press(key % 2 === 0 ? 'x' : 'Backspace');
    await visitor.until(
      async () => (await recordedIn(visitor)).painted.length > before,
      () => `key ${key} drew nothing`,
    );
    const { keys, painted } = await recordedIn(visitor);
    if (key >= WARM_UP_KEYS) times.push(painted[before]!.at - keys.at(-1)!);
  }
  const { tasks } = await recordedIn(visitor);
  return { times: times.sort((a, b) => a - b), tasks: tasks.slice(tasksBefore) };
}

async function measure(): Promise<void> {
  const site = await startSite(t);
  const { workspace, templateId } = await fill(site, 'Webshop');
  const owner = await site.operator('Ada', 'owner');
  const browser = await openBrowser(t, 'chromium', site.origin);
  const visit = async (isSignedIn: boolean) => {
    const visitor = await browser.visit();
    await record(visitor);
    if (isSignedIn) await site.signIn(visitor, owner);
    return visitor;
  };
  let longest = { ms: 0, page: 'none' };
  /** Opens a page with an empty cache, until nothing loads any more. */
  const load = async (path: string, heading: string, { isSignedIn = true, code = '' } = {}) => {
    const visitor = await visit(isSignedIn);
    const from = site.log.length;
    await visitor.goto(path);
    await visitor.find('heading', heading);
    if (code !== '') await visitor.find('textbox', code);
    await visitor.settled();
    // the engine's modules come last
    await visitor.page.waitForNetworkIdle({ idleTime: 1000, timeout: 300_000 });
    const worst = Math.max(0, ...(await recordedIn(visitor)).tasks);
    if (worst > longest.ms) longest = { ms: worst, page: heading };
    const loaded = loadedSince(site, from);
    await visitor.page.close();
    return loaded;
  };

  for (const [name, path, isSignedIn] of [
    ['Sign in', 'login', false],
    ['Keys', 'keys', true],
    ['Renders', 'renders', true],
  ] as const) {
    const { page } = await load(`/dashboard/${path}`, name, { isSignedIn });
    report(`${name}: scripts and styles, gzip`, page, BUDGETS.page, 'KB');
  }
  const editor = await load(`/dashboard/templates/${templateId}`, 'Editor', { code: 'JSON' });
  report('Editor: without JSON view and engine, gzip', editor.page, BUDGETS.page + BUDGETS.editor, 'KB');
  report('JSON view, gzip', editor.json, BUDGETS.json, 'KB');
  const playground = await load('/dashboard/playground', 'Playground', { code: 'Payload' });
  report('Engine without fonts and AVIF, gzip', Math.max(editor.engine, playground.engine), BUDGETS.engine, 'KB');
  report(`Longest task while a page loads (${longest.page})`, longest.ms, TASK_MS, 'ms');

  const visitor = await visit(true);
  const { times, tasks } = await measureKeys(visitor, await exampleCard(site.store, workspace.id));
  report('Key to new pixels, p50', times[Math.floor(times.length * 0.5)]!, KEY_BUDGETS.p50, 'ms');
  report('Key to new pixels, p95', times[Math.floor(times.length * 0.95)]!, KEY_BUDGETS.p95, 'ms');
  report('Longest task while keys are typed', Math.max(0, ...tasks), TASK_MS, 'ms');
}

const missing = unbuilt || skipped('chromium');
if (missing) {
  console.error(missing);
  process.exitCode = 1;
} else {
  // its parts come from tests, which end what they start when this ends
  t.setTimeout(0);
  await measure();
  t.end();
  if (isOver) process.exitCode = 1;
}
