// What the server does → figures for Prometheus. Labels are taken from closed lists alone (routes, codes, stages, formats,
// verbs of the store): no workspace, key, address or file ever becomes one, so the number of series is bounded.
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import type { JobResult } from '../../workers/job.js';
import type { RenderPool } from '../../workers/pool.js';
import type { Admission } from '../admission/index.js';
import type { EngineStats, TimedStage } from '../render/engine.js';
import type { ApiRequest, RequestOutcome } from '../request.js';

/** Told of what happens; all times are in milliseconds, and come out in seconds. */
export interface Metrics {
  /** One request was answered; `milliseconds` until its answer was made. */
  request(request: ApiRequest, outcome: RequestOutcome, milliseconds: number): void;
  /** One stage of a render that was drawn has ended. */
  stage(stage: TimedStage, format: JobResult['format'], milliseconds: number): void;
  /** One verb of the store has ended. */
  store(verb: string, milliseconds: number, failed: boolean): void;
  charged(credits: number): void;
  /** Everything in Prometheus' text format, and its media type. */
  text(): Promise<string>;
  readonly contentType: string;
}

/** Where figures come from that are only looked at when they are asked for. */
export interface Sources {
  readonly pool: Pick<RenderPool, 'stats'>;
  readonly admission: Pick<Admission, 'queued' | 'running' | 'memory'>;
  readonly engine: { stats(): EngineStats };
  readonly memoryBudget: { readonly usedBytes: number };
  /** Bytes that the renders in flight may hold together. */
  readonly memoryLimit: number;
}

const ROUTES = new Set(['/v1/render', '/healthz', '/readyz', '/openapi.json', '/docs']);

/** What proxies write down for a client that left before its answer; never sent. */
const CLIENT_GONE = 499;

/** Seconds; from a repeated card out of the cache to the usual time limit of a render. */
const REQUEST_BUCKETS = [0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 30];
const STAGE_BUCKETS = [0.0005, 0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 5, 30];

/** Figures of a server, in a registry of its own. */
export function createMetrics({ pool, admission, engine, memoryBudget, memoryLimit }: Sources): Metrics {
  const registers = [new Registry()];
  const [registry] = registers;
  collectDefaultMetrics({ register: registry });

  const requests = new Counter({
    name: 'platen_requests_total',
    help:
      'Requests answered, by route, status and code; the code of a success is ok. ' +
      'Who hung up before the answer is status 499, code client_gone',
    labelNames: ['route', 'status', 'code'],
    registers,
  });
  const answerBytes = new Counter({
    name: 'platen_answer_bytes_total',
    help: 'Bytes of the bodies of all answers',
    registers,
  });
  const renders = new Histogram({
    name: 'platen_render_duration_seconds',
    help: 'Time from a request to its picture, for renders answered 200, repeats included',
    labelNames: ['format'],
    buckets: REQUEST_BUCKETS,
    registers,
  });
  const stages = new Histogram({
    name: 'platen_stage_duration_seconds',
    help: 'Time of each stage of the renders that were drawn: fetch, queue, check, load, layout, paint, encode',
    labelNames: ['stage', 'format'],
    buckets: STAGE_BUCKETS,
    registers,
  });
  const storeTimes = new Histogram({
    name: 'platen_store_duration_seconds',
    help: 'Time of each verb of the store',
    labelNames: ['verb'],
    buckets: STAGE_BUCKETS,
    registers,
  });
  const storeErrors = new Counter({
    name: 'platen_store_errors_total',
    help: 'Verbs of the store that failed',
    labelNames: ['verb'],
    registers,
  });
  const credits = new Counter({ name: 'platen_credits_charged_total', help: 'Credits charged', registers });

  const gauge = (name: string, help: string, look: () => number) =>
    new Gauge({
      name,
      help,
      registers,
      collect() {
        this.set(look());
      },
    });
  gauge('platen_queue_length', 'Renders that wait for a render process', () => admission.queued);
  gauge('platen_renders_running', 'Renders in render processes', () => admission.running);
  gauge('platen_requests_in_flight', 'Requests for a render between the gates and the answer', () => {
    return engine.stats().inFlight;
  });
  gauge('platen_memory_admitted_bytes', 'Memory estimated for the running renders', () => admission.memory);
  gauge('platen_memory_limit_bytes', 'What they may hold together (RENDER_MEMORY_MB)', () => memoryLimit);
  gauge(
    'platen_held_bytes',
    'Bodies, fetched files and answers that the server itself holds',
    () => memoryBudget.usedBytes,
  );
  gauge('platen_render_processes', 'Render processes alive', () => pool.stats().pids.length);
  gauge('platen_asset_cache_bytes', 'Bytes of fetched files kept', () => engine.stats().assetCache.bytes);
  gauge('platen_render_cache_bytes', 'Bytes of finished renders kept', () => engine.stats().renderCache.bytes);

  /** A sum that is kept elsewhere, by the values of its one label, or with none. */
  const total = (name: string, help: string, label: string | undefined, look: () => Record<string, number>) =>
    new Counter({
      name,
      help,
      labelNames: label === undefined ? [] : [label],
      registers,
      collect() {
        this.reset();
        for (const [value, sum] of Object.entries(look())) this.inc(label === undefined ? {} : { [label]: value }, sum);
      },
    });
  const outcomes = ({ hits, misses }: { hits: number; misses: number }) => ({ hit: hits, miss: misses });
  total('platen_child_restarts_total', 'Render processes that ended, for whatever reason', undefined, () => {
    return { all: pool.stats().restarts };
  });
  total('platen_asset_cache_requests_total', 'Files looked for among those fetched before', 'result', () => {
    return outcomes(engine.stats().assetCache);
  });
  total('platen_render_cache_requests_total', 'Renders looked for among those made before', 'result', () => {
    return outcomes(engine.stats().renderCache);
  });

  return {
    request({ path, signal }, { answer, code, format }, milliseconds) {
      const { length } = answer;
      // who hung up made the request fail: no error of the server's, and nobody gets its answer
      const isGone = signal.aborted && code === 'internal_error';
      const status = isGone ? CLIENT_GONE : answer.status;
      // a paywall is an answer of its own, with no code on the wire
      const known = isGone ? 'client_gone' : (code ?? (status === 402 ? 'credits_exhausted' : 'ok'));
      requests.inc({ route: ROUTES.has(path) ? path : 'other', status, code: known });
      if (!isGone) answerBytes.inc(length);
      if (format !== undefined) renders.observe({ format }, milliseconds / 1000);
    },
    stage: (stage, format, milliseconds) => stages.observe({ stage, format }, milliseconds / 1000),
    store(verb, milliseconds, failed) {
      storeTimes.observe({ verb }, milliseconds / 1000);
      if (failed) storeErrors.inc({ verb });
    },
    charged: (amount) => credits.inc(amount),
    text: () => registry.metrics(),
    contentType: registry.contentType,
  };
}
