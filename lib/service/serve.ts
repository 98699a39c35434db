// The whole server, put together and taken down: store, render processes, service, socket.
import type { AddressInfo, Socket } from 'node:net';
import { pino } from 'pino';
import { allowPublic } from '../net/address-policy.js';
import { createResolver } from '../net/dns.js';
import type { Resolve } from '../net/http-client.js';
import type { Settings } from '../settings.js';
import type { RequestStore } from '../store/types.js';
import { createLocalPool } from '../workers/in-process.js';
import { createPool, type PoolOptions } from '../workers/pool.js';
import { Admission } from './admission/admission.js';
import { MemoryBudget } from './admission/memory-budget.js';
import { createService, type Outcome } from './app.js';
import { type AddressNames, listen } from './http/listen.js';
import { createHttpServer, MAX_CONNECTIONS } from './http/server.js';
import { instrumentStore } from './metrics/instrument-store.js';
import type { Metrics } from './metrics/metrics.js';
import { type MetricsServer, serveMetrics } from './metrics/server.js';
import { createEngine, type EngineParts } from './render/engine.js';

export interface Running {
  /** `http://host:port`, the port that was really taken. */
  readonly url: string;
  /** Where its figures are, when they are wanted. */
  readonly metricsUrl?: string;
  /**
   * Says that it is not ready any more and serves on for SHUTDOWN_DELAY_MS, so that a load balancer sends its requests
   * elsewhere; then refuses new renders, waits for those that run (up to `graceMs`), and ends everything but the store.
   */
  stop(graceMs: number): Promise<void>;
}

/** What a worker process runs. */
export type Renderer = Pick<PoolOptions, 'entry' | 'argv'>;

export interface ServeOptions {
  readonly settings: Settings;
  readonly store: RequestStore;
  /** Where the log goes, a JSON line at a time. */
  readonly log: { write(line: string): void };
  /** Finds the addresses of the hosts that assets come from; by the system's hosts file and name servers unless given. */
  readonly resolve?: Resolve;
  /** What the address is called where it can't be had: as the user gave it. `HOST` and `PORT` unless given. */
  readonly addressNames?: AddressNames;
  /** What the worker processes run; the package's own module unless given. */
  readonly renderer?: Renderer;
}

const MEBIBYTE = 2 ** 20;
/**
 * A render that may be expected to wait for longer is refused at once: as a rule (or half of its time limit, where that is
 * less), and in a rush that lasts. What comes in takes processor time as well: 1.5 s expected are 2 s at most.
 */
const QUEUE_DELAY_MS = { max: 1500, min: 100 } as const;
/** A render that was let into the line all the same waits for so long, where its time limit is twice that. */
const MAX_WAIT_MS = 10_000;
/** How often a server that is going down looks whether its renders have ended, in milliseconds. */
const POLL_MS = 20;

/** Starts the server; rejects when the address can't be had. */
export async function serve(options: ServeOptions): Promise<Running> {
  const { settings, store, log, resolve = createResolver(), renderer } = options;
  const logger = pino({ base: null, level: settings.LOG_LEVEL, timestamp: pino.stdTimeFunctions.isoTime }, log);
  let metrics: Metrics | undefined;
  const timed: EngineParts['timed'] = (stage, format, milliseconds) => metrics?.stage(stage, format, milliseconds);
  const allowAddress = allowPublic(settings.ASSET_ALLOW_HOSTS);
  const memoryBytes = settings.RENDER_MEMORY_MB * MEBIBYTE;
  // half of the memory, but never so little that one request with one file would not fit
  const memoryBudget = new MemoryBudget(Math.max(memoryBytes / 2, settings.MAX_BODY_BYTES + settings.ASSET_MAX_BYTES));
  const half = settings.RENDER_TIMEOUT_MS / 2;
  const queueDelay = { maxMs: Math.min(QUEUE_DELAY_MS.max, half), minMs: Math.min(QUEUE_DELAY_MS.min, half) };
  const longestWaitMs = half < MAX_WAIT_MS ? undefined : MAX_WAIT_MS;
  const admission = new Admission({
    concurrency: Math.max(1, settings.RENDER_WORKERS),
    queue: settings.RENDER_QUEUE,
    memoryBytes,
    memoryBudget,
    queueDelay,
    longestWaitMs,
  });
  const pool =
    settings.RENDER_WORKERS === 0
      ? createLocalPool()
      : createPool({
          workers: settings.RENDER_WORKERS,
          ...renderer,
          report: (line) => logger.warn({ renderProcess: line }, 'a render process wrote to its standard error'),
        });
  const engine = createEngine({ pool, admission, settings, allowAddress, memoryBudget, resolve, timed });
  if (settings.METRICS_PORT !== undefined) {
    const { createMetrics } = await import('./metrics/metrics.js');
    metrics = createMetrics({ pool, admission, engine, memoryBudget, memoryLimit: memoryBytes });
  }
  let phase: 'serving' | 'draining' | 'closing' = 'serving';
  const service = createService({
    store: metrics ? instrumentStore(store, metrics) : store,
    engine,
    settings,
    draining: () => phase === 'draining',
    closing: () => phase === 'closing',
  });
  let open = 0;
  const server = createHttpServer(
    async (request) => {
      open++;
      const began = performance.now();
      try {
        const outcome = await service(request);
        metrics?.request(request, outcome, performance.now() - began);
        // a balancer that keeps connections must not send the next request on one that is about to be closed
        return phase === 'serving' ? outcome : withConnectionClosed(outcome);
      } finally {
        open--;
      }
    },
    logger,
    { memoryBudget },
  );
  let exposition: MetricsServer | undefined;
  try {
    if (metrics && settings.METRICS_PORT !== undefined) {
      exposition = await serveMetrics(metrics, settings.METRICS_HOST, settings.METRICS_PORT);
    }
    const address = { host: settings.HOST, port: settings.PORT, backlog: MAX_CONNECTIONS };
    await listen(server, address, options.addressNames ?? ['HOST', 'PORT']);
  } catch (error) {
    exposition?.close();
    pool.close();
    throw error;
  }
  if (exposition) logger.info({ url: exposition.url }, 'figures are served');
  const sockets = new Set<Socket>();
  server.on('connection', (socket) => {
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
  });
  // a connection that can't be taken (no descriptor is left) is lost; the server is not
  server.on('error', (error) => logger.error({ err: error }, 'the server could not take a connection'));
  const { address, port, family } = server.address() as AddressInfo;
  const host = family === 'IPv6' ? `[${address}]` : address;
  return {
    url: `http://${host}:${port}`,
    ...(exposition && { metricsUrl: exposition.url }),
    async stop(graceMs) {
      phase = 'draining';
      if (settings.SHUTDOWN_DELAY_MS > 0)
        await new Promise((resolve) => setTimeout(resolve, settings.SHUTDOWN_DELAY_MS));
      phase = 'closing';
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      const deadline = performance.now() + graceMs;
      while (open > 0 && performance.now() < deadline) await new Promise((resolve) => setTimeout(resolve, POLL_MS));
      // whose answer is on its way gets it; the connections that stay open after theirs are closed
      const idle = setInterval(() => {
        server.closeIdleConnections();
        // To Node a connection without a first byte is no idle one, but one whose request is late.
        for (const socket of sockets) if (socket.bytesRead === 0) socket.destroy();
      }, POLL_MS);
      const timer = setTimeout(() => server.closeAllConnections(), Math.max(POLL_MS, deadline - performance.now()));
      await closed;
      clearInterval(idle);
      clearTimeout(timer);
      pool.close();
      exposition?.close();
    },
  };
}

function withConnectionClosed(outcome: Outcome): Outcome {
  const headers = new Map([...outcome.answer.headers, ['Connection', 'close']]);
  return { ...outcome, answer: { ...outcome.answer, headers } };
}
