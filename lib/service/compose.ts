// Composes the server's parts from its settings: memory budget, admission, worker pool, engine, metrics and the service.
import { type Logger, pino } from 'pino';
import { readIconFolder } from '../assets/icon-folder.js';
import { listFontFiles } from '../fonts/font-folder.js';
import { loadUserFonts, type UserFont } from '../fonts/user-fonts.js';
import type { AllowAddress, Resolve } from '../host.js';
import { allowPublic } from '../net/address-policy.js';
import { createResolver } from '../net/dns.js';
import { workerModule } from '../package-files.js';
import type { Settings } from '../settings.js';
import { readIconSets } from '../templates/icons/icon-sets.js';
import { createLocalPool } from '../workers/in-process.js';
import { createPool, type PoolOptions, type RenderPool } from '../workers/pool.js';
import { remoteLauncher } from '../workers/remote/connect.js';
import { selectSandbox } from '../workers/sandbox/select.js';
import { SandboxError } from '../workers/sandbox/walls.js';
import { Admission, EXTRA_SLOTS } from './admission/index.js';
import { MemoryBudget } from './admission/memory-budget.js';
import { createService } from './app.js';
import { trackBusyTime } from './metrics/busy-time.js';
import { instrumentService, instrumentStore } from './metrics/instrument.js';
import type { Metrics } from './metrics/prometheus.js';
import { createEngine, type EngineOptions } from './render/engine.js';
import { createWorkspaceAssets, type WorkspaceAssets } from './render/workspace-assets.js';
import type { Phase, Service, ServiceOptions, ServiceStore } from './request.js';
import { findTracing } from './trace/find.js';
import type { Tracing } from './trace/opentelemetry.js';

export interface ComposeOptions {
  readonly settings: Settings;
  readonly store: ServiceStore;
  /** Receives the log, one line of JSON at a time. */
  readonly log: { write(line: string): void };
  /** Resolves the hosts of asset URLs; by default through the system's hosts file and name servers. */
  readonly resolve?: Resolve;
  /** Creates the service at `/dashboard` and below; without it, there is none. */
  readonly dashboard?: (parts: DashboardParts) => Service;
  /** The module that worker processes run; the package's by default. */
  readonly renderer?: Pick<PoolOptions, 'entry'>;
}

/** The parts of the service that the dashboard shares. */
export interface DashboardParts extends ServiceOptions {
  readonly logger: Logger;
  readonly memoryBudget: MemoryBudget;
  readonly resolve: Resolve;
  readonly allowAddress: AllowAddress;
  readonly workspaceAssets: WorkspaceAssets;
  readonly userFonts: readonly UserFont[];
  /** The port of the API, once it listens. */
  readonly port: () => number;
}

export interface Components {
  readonly logger: Logger;
  readonly pool: RenderPool;
  readonly memoryBudget: MemoryBudget;
  readonly service: Service;
  /** The metrics; present only with METRICS_PORT. */
  readonly metrics: Metrics | undefined;
  /** Absent unless an OpenTelemetry SDK is loaded. */
  readonly tracing: Tracing | undefined;
}

const BELOW_DASHBOARD = /^\/dashboard(\/|$)/;
const MEBIBYTE = 2 ** 20;
/**
 * A render whose expected queue delay exceeds this is rejected at once: `max` normally (or half the render's time limit,
 * where that is less), `min` in a lasting overload. Reading requests takes processor time as well: 1.5 s expected are at
 * most 2 s in practice.
 */
const QUEUE_DELAY_MS = { max: 1500, min: 100 } as const;
/** A queued render waits no longer than this, unless its time limit is below twice that. */
const MAX_WAIT_MS = 10_000;

export async function compose(
  options: ComposeOptions,
  { phase, port }: { readonly phase: () => Phase; readonly port: () => number },
): Promise<Components> {
  const { settings, store, log, resolve = createResolver() } = options;
  const logger = pino({ base: null, level: settings.LOG_LEVEL, timestamp: pino.stdTimeFunctions.isoTime }, log);
  // throws on an invalid host, so it must precede the pool: nothing would end the pool's processes
  const allowAddress = allowPublic(settings.ASSET_ALLOW_HOSTS);
  const memoryBytes = settings.RENDER_MEMORY_MB * MEBIBYTE;
  // half of the memory, but enough for one request with one asset
  const oneRequestBytes = settings.MAX_BODY_BYTES + settings.ASSET_MAX_BYTES;
  const memoryBudget = new MemoryBudget(Math.max(memoryBytes / 2, MemoryBudget.bytesFor(oneRequestBytes)));
  const admission = createAdmission(settings, memoryBytes, memoryBudget);
  const userFonts =
    settings.FONTS_DIR === undefined ? [] : await loadUserFonts(await listFontFiles(settings.FONTS_DIR));
  const icons = settings.ICONS_DIR === undefined ? [] : readIconSets(await readIconFolder(settings.ICONS_DIR));
  const tracing = await findTracing();
  const { pool, busy } = trackBusyTime(await createRenderPool(options, logger, userFonts));
  let metrics: Metrics | undefined;
  const onStage: EngineOptions['onStage'] = (stage, format, milliseconds, startedAt) => {
    metrics?.stage(stage, format, milliseconds);
    tracing?.stage(stage, startedAt, milliseconds);
  };
  const userFamilies = userFonts.map(({ family }) => family);
  const workspaceAssets = createWorkspaceAssets({ store, memoryBudget, userFamilies });
  const engine = createEngine({
    pool,
    admission,
    settings,
    allowAddress,
    memoryBudget,
    resolve,
    workspaceAssets,
    icons,
    onStage,
    onCpu(consumer, milliseconds) {
      metrics?.cpu(consumer, milliseconds);
      store.countCpu(consumer, milliseconds);
    },
    untraced: tracing?.untraced,
  });
  if (settings.METRICS_PORT !== undefined) {
    const { createMetrics } = await import('./metrics/prometheus.js');
    const slots = Math.max(1, settings.RENDER_WORKERS);
    metrics = createMetrics({ pool, admission, engine, memoryBudget, memoryLimit: memoryBytes, slots, busy });
  }
  const onBatchRow: ServiceOptions['onBatchRow'] = (code) => metrics?.batchRow(code);
  const instrumented = metrics ? instrumentStore(store, metrics) : store;
  const { walls } = pool.stats();
  const observed = { phase, onBatchRow, traceRow: tracing?.traceRow, walls };
  const parts = { store: instrumented, engine, settings, userFonts, ...observed };
  const api = createService(parts);
  const network = { resolve, allowAddress, workspaceAssets };
  const dashboard = options.dashboard?.({ ...parts, ...network, logger, memoryBudget, port });
  const service: Service = dashboard
    ? (request) => (BELOW_DASHBOARD.test(request.path) ? dashboard(request) : api(request))
    : api;
  const counted = metrics ? instrumentService(service, metrics) : service;
  return { logger, pool, memoryBudget, metrics, tracing, service: tracing?.traceService(counted) ?? counted };
}

function createAdmission(settings: Settings, memoryBytes: number, memoryBudget: MemoryBudget): Admission {
  const { RENDER_WORKERS, RENDER_QUEUE, RENDER_TIMEOUT_MS } = settings;
  const halfTimeout = RENDER_TIMEOUT_MS / 2;
  return new Admission({
    concurrency: Math.max(1, RENDER_WORKERS),
    queue: RENDER_QUEUE,
    memoryBytes,
    memoryBudget,
    queueDelay: {
      maxMs: Math.min(QUEUE_DELAY_MS.max, halfTimeout),
      minMs: Math.min(QUEUE_DELAY_MS.min, halfTimeout),
    },
    maxWaitMs: halfTimeout < MAX_WAIT_MS ? undefined : MAX_WAIT_MS,
  });
}

/** Rejects with SandboxError when RENDER_SANDBOX=require or RENDER_POOL can't be met. */
async function createRenderPool(
  { settings, renderer }: ComposeOptions,
  logger: Logger,
  userFonts: readonly UserFont[],
): Promise<RenderPool> {
  const { RENDER_SANDBOX, RENDER_WORKERS, RENDER_POOL, RENDER_PROCESS_SHARING } = settings;
  if (RENDER_WORKERS === 0) {
    if (RENDER_POOL !== undefined) {
      throw new SandboxError('RENDER_POOL: RENDER_WORKERS is 0, so renders run in the server itself');
    }
    if (RENDER_SANDBOX === 'require') {
      throw new SandboxError('RENDER_SANDBOX=require: RENDER_WORKERS is 0, so renders run in the server itself');
    }
    return createLocalPool(userFonts);
  }
  const options = {
    userFonts: Promise.resolve(userFonts),
    stageLimits: { decodeMs: settings.RENDER_DECODE_CPU_MS, layoutMs: settings.RENDER_LAYOUT_CPU_MS },
    report: (line: string) => logger.warn({ renderProcess: line }, 'a render process wrote to its standard error'),
  };
  let sandbox: Pick<PoolOptions, 'launch' | 'first' | 'walls'>;
  if (RENDER_POOL !== undefined) {
    const report = (line: string) => logger.warn(line);
    sandbox = { launch: remoteLauncher({ path: RENDER_POOL, report }), walls: ['pool'] };
  } else {
    const program = { entry: renderer?.entry ?? workerModule() };
    const { reasons, ...selected } = await selectSandbox(RENDER_SANDBOX, program, options);
    for (const reason of reasons) logger.warn({ reason }, 'render processes do not start behind the best walls');
    if (RENDER_SANDBOX === 'off')
      logger.warn('RENDER_SANDBOX is off: a render process that is taken over reads what the server reads');
    sandbox = selected;
  }
  logger.info({ walls: sandbox.walls }, 'render processes start behind these walls');
  return createPool({
    ...options,
    ...sandbox,
    workers: RENDER_WORKERS,
    spares: EXTRA_SLOTS,
    sharing: RENDER_PROCESS_SHARING,
  });
}
