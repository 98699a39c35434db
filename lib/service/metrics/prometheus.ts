// Prometheus metrics of a server. Label values come from closed lists (patterns of routes, codes, stages, formats, store
// methods), never from a path, address or file; ids of workspaces and keys up to a number. So the time series are bounded.
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import type { CpuConsumer } from '../../store/usage-store.js';
import type { JobResult } from '../../workers/job.js';
import type { RenderPool } from '../../workers/pool.js';
import { WALLS } from '../../workers/sandbox/walls.js';
import type { Admission } from '../admission/index.js';
import type { EngineStats, TimedStage } from '../render/engine.js';
import type { ApiRequest, RequestOutcome } from '../request.js';
import type { BusyTime } from './busy-time.js';
import { createUsageReader, type PoolUsage } from './process-usage.js';

/** The value of what came after the list was full. */
const OTHER = 'other';

export class LabelLimiter {
  private readonly values = new Set<string>();

  /** The first `max` different values are kept. */
  constructor(private readonly max: number) {}

  /** `value` while it is among the first, else `other`. */
  limit(value: string): string {
    if (this.values.has(value)) return value;
    if (this.values.size >= this.max) return OTHER;
    this.values.add(value);
    return value;
  }
}

/** Records events. Times are passed in milliseconds and exported in seconds. */
export interface Metrics {
  /** Records one request; `milliseconds` until its answer was ready to send. */
  request(request: ApiRequest, outcome: RequestOutcome, milliseconds: number): void;
  /** Records bytes of an answer that is made while it is sent. */
  streamed(bytes: number): void;
  /** Records a row of a batch: `ok`, or the code of its error. */
  batchRow(code: string): void;
  /** Records one stage of a render that was not served from the cache. */
  stage(stage: TimedStage, format: JobResult['format'], milliseconds: number): void;
  /** Records one call of a store method. */
  store(method: string, milliseconds: number, hasFailed: boolean): void;
  charged(credits: number): void;
  /** Records processor time of a render process, and whom it was for: renders that fail cost it too. */
  cpu(consumer: CpuConsumer, milliseconds: number): void;
  /** All metrics in Prometheus' text format. */
  text(): Promise<string>;
  /** The media type of `text`. */
  readonly contentType: string;
}

/** Sources of the values that are read at each scrape. */
export interface MetricSources {
  readonly pool: Pick<RenderPool, 'stats'>;
  readonly admission: Pick<Admission, 'queued' | 'running' | 'reserved' | 'memory' | 'batches'>;
  readonly engine: { stats(): EngineStats };
  readonly memoryBudget: { readonly usedBytes: number };
  /** Memory limit of the renders in flight, in bytes. */
  readonly memoryLimit: number;
  /** Renders that run at once. */
  readonly slots: number;
  /** Time that the pool's processes have been busy. */
  readonly busy: () => BusyTime;
}

/** Largest number of workspace ids, and of pairs of workspace and key, with separate time series. */
const MAX_WORKSPACES = 200;
const MAX_KEYS = 1000;
/** The key of what operators have rendered in the dashboard. */
const NO_KEY = 'none';

/** The status that proxies log for a client that disconnected before its answer; never sent. */
const CLIENT_GONE = 499;

/** Seconds: from a cached render to the default time limit of a render. */
const REQUEST_BUCKETS = [0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 30];
const STAGE_BUCKETS = [0.0005, 0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 5, 30];

/** Creates the metrics in a separate registry. */
export function createMetrics(sources: MetricSources): Metrics {
  const { pool, admission, engine, memoryBudget, memoryLimit, slots, busy } = sources;
  const registers = [new Registry()];
  const [registry] = registers;
  collectDefaultMetrics({ register: registry });

  const counter = <Label extends string>(name: string, help: string, ...labelNames: Label[]) =>
    new Counter({ name, help, labelNames, registers });
  const seconds = <Label extends string>(name: string, help: string, buckets: number[], ...labelNames: Label[]) =>
    new Histogram({ name, help, buckets, labelNames, registers });

  const requests = counter(
    'platen_requests_total',
    'Requests by route, status and code; the code of a success is ok. ' +
      'A client that disconnected before its answer counts as status 499, code client_gone',
    'route',
    'status',
    'code',
  );
  const answerBytes = counter('platen_answer_bytes_total', 'Total size of response bodies in bytes');
  const renders = seconds(
    'platen_render_duration_seconds',
    'Time from a request to its rendered image, for renders answered 200, cache hits included',
    REQUEST_BUCKETS,
    'format',
  );
  const stages = seconds(
    'platen_stage_duration_seconds',
    'Duration of each stage of renders that missed the cache: fetch, queue, check, load, layout, paint, encode',
    STAGE_BUCKETS,
    'stage',
    'format',
  );
  const storeDurations = seconds(
    'platen_store_duration_seconds',
    'Duration of store calls by method',
    STAGE_BUCKETS,
    'verb',
  );
  const storeErrors = counter('platen_store_errors_total', 'Store calls that failed, by method', 'verb');
  const batchRows = counter('platen_batch_rows_total', 'Rows of batches by code; the code of a success is ok', 'code');
  const cpu = counter(
    'platen_render_cpu_seconds_total',
    'Processor time of render processes in seconds, by workspace and key. The key of operators is none; the first 200 workspaces and 1,000 keys have names, the rest is other',
    'workspace',
    'key',
  );
  const credits = counter('platen_credits_charged_total', 'Credits charged');
  const workspaces = new LabelLimiter(MAX_WORKSPACES);
  const keys = new LabelLimiter(MAX_KEYS);

  const gauge = (name: string, help: string, read: () => number) =>
    new Gauge({
      name,
      help,
      registers,
      collect() {
        this.set(read());
      },
    });
  gauge('platen_queue_length', 'Renders that wait in the queue', () => admission.queued);
  gauge('platen_queue_reserved', 'Renders with a place in the queue whose body or assets still arrive', () => {
    return admission.reserved;
  });
  gauge('platen_renders_running', 'Renders that are running, rows of batches included', () => admission.running);
  gauge('platen_batch_rows_queued', 'Rows of batches that wait for a slot', () => admission.batches.queued);
  gauge('platen_batch_rows_running', 'Rows of batches that are rendered now', () => admission.batches.running);
  gauge('platen_requests_in_flight', 'Render requests that passed the checks and are not answered yet', () => {
    return engine.stats().inFlight;
  });
  gauge('platen_memory_admitted_bytes', 'Estimated memory of the running renders', () => admission.memory);
  gauge('platen_memory_limit_bytes', 'Memory limit of the running renders (RENDER_MEMORY_MB)', () => memoryLimit);
  gauge(
    'platen_held_bytes',
    'Request bodies, fetched assets and answers that the server process holds',
    () => memoryBudget.usedBytes,
  );
  gauge('platen_render_slots', 'Renders that may run at once (RENDER_WORKERS)', () => slots);
  gauge('platen_render_processes', 'Render processes that are alive', () => pool.stats().pids.length);
  gauge('platen_render_processes_busy', 'Render processes that work on a job', () => busy().jobs);
  new Gauge({
    name: 'platen_render_walls',
    help: 'Walls around render processes: 1 for each that stands',
    labelNames: ['wall'],
    registers,
    collect() {
      const walls = pool.stats().walls ?? [];
      for (const wall of WALLS) this.set({ wall }, Number(walls.includes(wall)));
    },
  });
  gauge('platen_asset_cache_bytes', 'Size of the asset cache', () => engine.stats().assetCache.bytes);
  gauge('platen_render_cache_bytes', 'Size of the render cache', () => engine.stats().renderCache.bytes);

  /** A counter whose totals are kept elsewhere; `read` returns them by the value of `label`, or as one entry without a label. */
  const total = (name: string, help: string, label: string | undefined, read: () => Iterable<[string, number]>) =>
    new Counter({
      name,
      help,
      labelNames: label === undefined ? [] : [label],
      registers,
      collect() {
        this.reset();
        for (const [value, sum] of read()) this.inc(label === undefined ? {} : { [label]: value }, sum);
      },
    });
  const alone = (sum: number): [string, number][] => [['', sum]];
  const outcomes = ({ hits, misses }: { hits: number; misses: number }): [string, number][] => [
    ['hit', hits],
    ['miss', misses],
  ];
  total('platen_child_restarts_total', 'Render processes that ended, for any reason', undefined, () => {
    return alone(pool.stats().restarts);
  });
  total('platen_asset_cache_requests_total', 'Asset cache lookups by result', 'result', () => {
    return outcomes(engine.stats().assetCache);
  });
  total('platen_render_cache_requests_total', 'Render cache lookups by result', 'result', () => {
    return outcomes(engine.stats().renderCache);
  });

  total('platen_render_busy_seconds_total', 'Time that render processes worked on jobs', undefined, () => {
    return alone(busy().seconds);
  });
  const readUsage = createUsageReader(pool);
  /** Read before each scrape. */
  let usage: PoolUsage = { processes: new Map(), cpuSeconds: 0 };
  total(
    'platen_render_processes_cpu_seconds_total',
    'Processor time of all render processes in seconds, those that ended and their start included',
    undefined,
    () => alone(usage.cpuSeconds),
  );
  total(
    'platen_render_process_cpu_seconds_total',
    'Processor time of each living render process in seconds; starts again at 0 with a new process',
    'process',
    () => Array.from(usage.processes, ([number, { cpuSeconds }]) => [String(number), cpuSeconds]),
  );
  new Gauge({
    name: 'platen_render_process_resident_memory_bytes',
    help: 'Resident memory of each living render process',
    labelNames: ['process'],
    registers,
    collect() {
      this.reset();
      for (const [number, { residentBytes }] of usage.processes) this.set({ process: number }, residentBytes);
    },
  });

  return {
    request({ signal }, { route = 'other', answer, code, format }, milliseconds) {
      const { length = 0 } = answer;
      // the disconnect made the request fail: not a server error, and its answer is not sent
      const isGone = signal.aborted && code === 'internal_error';
      const status = isGone ? CLIENT_GONE : answer.status;
      // a 402 answer has no code on the wire
      const label = isGone ? 'client_gone' : (code ?? (status === 402 ? 'credits_exhausted' : 'ok'));
      requests.inc({ route, status, code: label });
      if (!isGone) answerBytes.inc(length);
      if (format !== undefined) renders.observe({ format }, milliseconds / 1000);
    },
    streamed: (bytes) => answerBytes.inc(bytes),
    batchRow: (code) => batchRows.inc({ code }),
    stage: (stage, format, milliseconds) => stages.observe({ stage, format }, milliseconds / 1000),
    store(method, milliseconds, hasFailed) {
      storeDurations.observe({ verb: method }, milliseconds / 1000);
      if (hasFailed) storeErrors.inc({ verb: method });
    },
    charged: (amount) => credits.inc(amount),
    cpu({ workspaceId, keyId = NO_KEY }, milliseconds) {
      const workspace = workspaces.limit(workspaceId);
      const isNamed = workspace !== OTHER && (keyId === NO_KEY || keys.limit(keyId) !== OTHER);
      cpu.inc({ workspace, key: isNamed ? keyId : OTHER }, milliseconds / 1000);
    },
    async text() {
      usage = await readUsage();
      return registry.metrics();
    },
    contentType: registry.contentType,
  };
}
