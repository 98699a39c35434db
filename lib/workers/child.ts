// The main module of a worker process: renders one job at a time for its parent. The service decodes untrusted bytes only here.

import { inspectAsset } from '../assets/inspect.js';
import { isFitted } from '../contract/layers/output-size.js';
import { CodedError, isWasmTrap } from '../errors.js';
import { processorTimeMs } from '../resources.js';
import { type JobLimits, type StageBegin, StageBudget } from '../stage-budget.js';
import { AssetCache } from './asset-transfer.js';
import { openChannel } from './channel/child.js';
import { exitWithParent } from './exit-with-parent.js';
import { IMAGE_CACHE_ARGUMENT, type JobMessage, KILLED_BY_KERNEL, type ParentMessage } from './job.js';
import { lowerPriority } from './priority.js';
import { createCaches, IMAGE_CACHE_BYTES, runInspectJob, runJob } from './run-job.js';

/**
 * The process measures its memory after every 16th job, because the system call took 5% of the time of text cards, and
 * after every image of this many pixels.
 */
const MEASURE_EVERY = 16;
const LARGE_PIXELS = 2 ** 20;
/**
 * Bytes of growth after which the process collects garbage before its next job: otherwise the canvas of a huge image stays
 * allocated until V8 needs memory. A new process instead costs ten times as much, and its first renders are slow.
 */
const GROWTH_BEFORE_GC = 96 * 2 ** 20;
let jobs = 0;
let rss = measureRss();
let rssAfterGc = rss;

const cacheArgument = process.argv.find((argument) => argument.startsWith(IMAGE_CACHE_ARGUMENT));
const imageCacheBytes =
  cacheArgument === undefined ? IMAGE_CACHE_BYTES : Number(cacheArgument.slice(IMAGE_CACHE_ARGUMENT.length));
let caches = createCaches(imageCacheBytes);
const heldAssets = new AssetCache();
let limits: JobLimits | undefined;
/** The parent kills the process when a stage overruns that can't be polled. */
const STAGE_LISTENERS = {
  onStageBegin: (begin: StageBegin) => send({ kind: 'stage', begin }),
  onStageEnd: () => send({ kind: 'stageEnd' }),
};

const send = openChannel(onMessage, () => process.exit(0));

/** 0 where the system does not say (Linux without /proc); the pool then replaces the process by its number of jobs alone. */
function measureRss(): number {
  try {
    return process.memoryUsage.rss();
  } catch {
    return 0;
  }
}

/**
 * Returns the resident bytes as last measured. Measures, and collects garbage, when it is time. `pixels` are those of the image
 * that the job made.
 */
function residentBytes(pixels: number): number {
  if (jobs++ % MEASURE_EVERY !== 0 && pixels < LARGE_PIXELS) return rss;
  rss = measureRss();
  if (rss > rssAfterGc + GROWTH_BEFORE_GC) {
    globalThis.gc?.();
    rss = measureRss();
    rssAfterGc = rss;
  }
  return rss;
}

async function onMessage(message: ParentMessage): Promise<void> {
  if (message.kind === 'fonts') {
    caches = createCaches(imageCacheBytes, message.fonts);
    return;
  }
  if (message.kind === 'limits') {
    limits = message.limits;
    return;
  }
  if (message.kind === 'background') {
    lowerPriority(0, message.niceness);
    return;
  }
  const started = performance.now();
  const startedCpuMs = processorTimeMs();
  const elapsed = () => ({ ms: performance.now() - started, cpuMs: processorTimeMs() - startedCpuMs });
  const stages = limits && new StageBudget({ ...limits, clock: processorTimeMs, ...STAGE_LISTENERS });
  send({ kind: 'begun' });
  try {
    if (message.kind === 'asset') {
      const { mimeType: _, ...result } = await inspectAsset(
        message.file,
        message.maxPixels,
        stages?.decoder((text) => ({ code: 'render_timeout', path: '', message: text })),
      );
      send({ kind: 'result', result, memory: residentBytes(LARGE_PIXELS), ...elapsed() });
    } else if (message.kind === 'font') {
      // imported on first use: only a command asks for it
      const { reportFont } = await import('../fonts/report.js');
      const result = await reportFont(message.file, message.text);
      send({ kind: 'result', result, memory: residentBytes(LARGE_PIXELS), ...elapsed() });
    } else if (message.kind === 'inspect') {
      const { width, height, ...inspected } = await runInspectJob(
        heldAssets.unpack(message),
        caches,
        undefined,
        stages,
      );
      const result = { ...inspected, ...fittedSize(message, width, height) };
      send({ kind: 'result', result, memory: residentBytes(0), ...elapsed() });
    } else {
      const {
        bytes,
        width,
        height,
        format: _,
        ...rendered
      } = await runJob(heldAssets.unpack(message), caches, undefined, stages);
      const result = { ...rendered, ...fittedSize(message, width, height) };
      const memory = residentBytes(width * height);
      send({ kind: 'result', result, memory, ...elapsed() }, bytes);
    }
  } catch (error) {
    if (!(error instanceof CodedError)) console.error(error);
    const failure =
      error instanceof CodedError
        ? { code: error.code, message: error.message, details: error.details }
        : { code: 'render_failed' as const, message: 'the render engine failed on this payload', details: [] };
    send({ kind: 'failure', failure, broken: isBroken(error), memory: residentBytes(LARGE_PIXELS), ...elapsed() });
  }
}

/** The size of a picture that ends where its layers do. The parent knows any other. */
function fittedSize({ scene }: Pick<JobMessage, 'scene'>, width: number, height: number) {
  return isFitted(scene.canvas) && { size: [width, height] };
}

/** Whether the process may be damaged: after a WebAssembly trap or a lack of memory, in whatever error they are wrapped. */
function isBroken(error: unknown): boolean {
  for (let cause = error; cause instanceof Error; cause = cause.cause) {
    if (cause instanceof RangeError || isWasmTrap(cause)) return true;
    if (!(cause instanceof CodedError) && cause.cause === undefined && cause === error) return true;
  }
  return false;
}

if (!process.argv.includes(KILLED_BY_KERNEL)) exitWithParent();
// A terminal sends Ctrl-C and SIGHUP to the whole process group, and so does a service manager its SIGTERM; the parent
// decides when its renders end. The other two would open a debugger and end the process.
for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGUSR1', 'SIGUSR2'] as const) {
  if (process.platform !== 'win32' || !name.startsWith('SIGUSR')) process.on(name, () => {});
}

send({ kind: 'ready' });
