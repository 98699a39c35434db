// A render process of a batch: takes orders from its parent, draws and writes one picture at a time, and ends with it.

import { createImageCache } from '../../assets/image-cache.js';
import { type Assets, createAssets } from '../../assets/loader.js';
import { summary } from '../../contract/issues.js';
import { RenderError } from '../../errors.js';
import { createFontRegistry } from '../../fonts/registry.js';
import { renderScene } from '../../render.js';
import { resolve } from '../../templates/resolve.js';
import { exitWithParent } from '../../workers/exit-with-parent.js';
import { addressPolicyFrom, collectUrls } from '../assets.js';
import { OutputFileError } from '../errors.js';
import { replaceFile } from '../output-file.js';
import { TERMINATION_SIGNALS } from '../signals.js';
import type { BatchConfig, Job, WorkerMessage, WorkerReply } from './messages.js';

/** Bytes of decoded pictures that a process keeps from row to row. */
const CACHE_BYTES = 64 * 2 ** 20;
const STOPPED = new Error('stopped');

/** Draws the assignment's template, once for each job. */
function createDrawer({ template, baseDirectory, settings, format, quality, strict }: BatchConfig) {
  const typefaces = createFontRegistry();
  const cache = createImageCache(CACHE_BYTES);
  const allowAddress = addressPolicyFrom(settings);
  const own = collectUrls(template);
  const open = () =>
    createAssets({
      timeoutMs: settings.ASSET_TIMEOUT_MS,
      maxBytes: settings.ASSET_MAX_BYTES,
      maxPixels: settings.ASSET_MAX_PIXELS,
      baseDirectory,
      allowAddress,
      explain: true,
      cache,
    });
  /** What the template itself names is fetched once for all rows, what a row names for that row. */
  let shared = open();
  const assetsOfRow = (): Assets => {
    const row = open();
    const of = (url: string) => (own.has(url) ? shared : row);
    return {
      source: row.source,
      bytes: (url, signal) => of(url).bytes(url, signal),
      image: (url, options) => of(url).image(url, options),
    };
  };
  return async ({ variables, target, draft }: Job, signal: AbortSignal): Promise<WorkerReply> => {
    try {
      const assets = assetsOfRow();
      const scene = resolve(template, { maxLayers: settings.MAX_LAYERS, variables, checkUrl: assets.source });
      const { bytes, warnings } = await renderScene(scene, { assets, typefaces, format, quality, strict, signal });
      await replaceFile(target, bytes, draft);
      return { kind: 'drawn', warnings };
    } catch (error) {
      // A failure is remembered as a picture is: the next row tries again.
      shared = open();
      return error === STOPPED ? { kind: 'stopped' } : { kind: 'failed', reason: reasonOf(error) };
    }
  };
}

function reasonOf(error: unknown): string {
  if (error instanceof RenderError) return error.details.length > 0 ? summary(error.details) : error.message;
  if (error instanceof OutputFileError) return error.message;
  return `internal error: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`;
}

/** Obeys the orders that come from `parent`. */
function serve(parent: NodeJS.Process): void {
  let draw: ReturnType<typeof createDrawer> | undefined;
  let limit = 0;
  let ending = new AbortController();
  parent.on('message', (order: WorkerMessage) => {
    switch (order.kind) {
      case 'assign':
        draw = createDrawer(order.assignment);
        limit = order.assignment.settings.RENDER_TIMEOUT_MS;
        break;
      case 'draw':
        ending = new AbortController();
        drawInTime(order.job, ending);
        break;
      case 'stop':
        ending.abort(STOPPED);
        break;
    }
  });
  // A signal may reach every process of the terminal or the service; the parent says what becomes of this one.
  for (const name of TERMINATION_SIGNALS) parent.on(name, () => undefined);
  parent.on('disconnect', () => parent.exit(0));
  exitWithParent();

  async function drawInTime(job: Job, controller: AbortController): Promise<void> {
    const late = new RenderError('render_timeout', `the render took longer than ${limit} ms`);
    const timer = setTimeout(() => controller.abort(late), limit);
    const outcome = await draw?.(job, controller.signal);
    clearTimeout(timer);
    parent.send?.(outcome);
  }
}

serve(process);
