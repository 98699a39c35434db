// npm run bench:web: what the dashboard's pages load, how long a key takes to become pixels in the playground, and what keeps
// the main thread busy, in Chromium. Exits with 1 if a budget is exceeded.
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import t from 'tap';
import { readHeader } from '../../../lib/codecs/header.js';
import type { Store } from '../../../lib/store/types.js';
import { ROOT } from '../../checkout.js';
import { saveTemplate } from '../../service/stores.js';
import { gzippedSize } from '../../web/built.js';
import { openBrowser, skipped } from './browsers.js';
import { Designer } from './editor/designer.js';
import {
  dragHeadline,
  growthByEdits,
  percentile,
  record,
  recordedIn,
  type Typed,
  typeHeadline,
  typePayload,
} from './measured.js';
import { fill, type Site, startSite, unbuilt } from './site.js';

const KB = 1000;
const MB = 1e6;
const TASK_MS = 50;

/** Kilobytes of gzip. */
const BUDGETS = { page: 40, editor: 70, json: 120, engine: 400, onDemand: 460 } as const;
const KEY_BUDGETS = { p50: 16, p95: 50 } as const;
/** Megabytes that the heap may grow over 1,000 edits. */
const HEAP_GROWTH = 1;
/** Pictures a second, at least. */
const DRAG_RATE = 50;

let isOver = false;

/** `isLeast`: whether the budget is the least value. */
function report(name: string, value: number, budget: number, unit: string, isLeast = false): void {
  const isExceeded = isLeast ? value < budget : value > budget;
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
  if (folder === 'files') return gzippedSize(name ?? '');
  return gzipSync(readFileSync(join(ROOT, 'dist/wasm', name ?? '')), { level: 9 }).length;
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

interface Card {
  readonly canvas: { readonly width: number; readonly height: number; readonly backgroundColor: string };
  readonly layers: readonly { readonly type: string; readonly text?: string }[];
}

/** The example card, with its pictures as assets of the workspace. */
async function exampleCard(store: Store, workspaceId: string): Promise<Card> {
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
  return card;
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
  const load = async (path: string, heading: string, { isSignedIn = true, code = '', tab = '' } = {}) => {
    const visitor = await visit(isSignedIn);
    const from = site.log.length;
    await visitor.goto(path);
    await visitor.find('heading', heading);
    if (code !== '') await visitor.find('textbox', code);
    if (tab !== '') await visitor.click('tab', tab);
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
  const editor = await load(`/dashboard/templates/${templateId}`, 'Editor', { tab: 'JSON' });
  report('Editor: without JSON view and engine, gzip', editor.page, BUDGETS.page + BUDGETS.editor, 'KB');
  report('JSON view, gzip', editor.json, BUDGETS.json, 'KB');
  const playground = await load('/dashboard/playground', 'Playground', { code: 'Payload' });
  report('Engine without fonts and AVIF, gzip', editor.engine, BUDGETS.engine, 'KB');
  // its example has a code, which is read back, and the page shows how large the file of each format is
  const onDemand = playground.engine - editor.engine;
  report('Code reader and encoders, when first used, gzip', onDemand, BUDGETS.onDemand, 'KB');
  report(`Longest task while a page loads (${longest.page})`, longest.ms, TASK_MS, 'ms');

  const card = await exampleCard(site.store, workspace.id);
  const times = (name: string, { keys, longest }: Typed) => {
    report(`${name}: key to new pixels, p50`, percentile(keys, 0.5), KEY_BUDGETS.p50, 'ms');
    report(`${name}: key to new pixels, p95`, percentile(keys, 0.95), KEY_BUDGETS.p95, 'ms');
    report(`${name}: longest task while keys are typed`, longest, TASK_MS, 'ms');
  };
  times('Playground', await typePayload(await visit(true), JSON.stringify(card, null, 2)));
  const { canvas, layers } = card;
  const { width, height, backgroundColor: color } = canvas;
  const template = { name: 'Card', width, height, background: { color }, layers };
  const designer = new Designer(await visit(true));
  await designer.open(await saveTemplate(site.store, workspace.id, template), width, height);
  const dragged = await dragHeadline(designer);
  report('Editor: pictures a second while a text is dragged', dragged.rate, DRAG_RATE, '/s', true);
  report('Editor: longest task while a text is dragged', dragged.longest, TASK_MS, 'ms');
  times('Editor', await typeHeadline(designer));
  report('Editor: heap after 1,000 edits more', (await growthByEdits(designer)) / MB, HEAP_GROWTH, 'MB');
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
