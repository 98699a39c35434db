// The whole server, put together and taken down: store, render processes, service, socket.
import type { AddressInfo } from 'node:net';
import { pino } from 'pino';
import { allowPublic } from '../assets/guard.js';
import type { Settings } from '../settings.js';
import type { RequestStore } from '../store/store.js';
import { createEngine } from './engine.js';
import { createLocalPool } from './local.js';
import { createPool } from './pool.js';
import { createHttpServer } from './server.js';
import { createService } from './service.js';

export interface Running {
  /** `http://host:port`, the port that was really taken. */
  readonly url: string;
  /** Refuses new renders, waits for those that run (up to `graceMs`), then ends everything but the store. */
  stop(graceMs: number): Promise<void>;
}

export interface ServeOptions {
  readonly settings: Settings;
  readonly store: RequestStore;
  /** Where the log goes, a JSON line at a time. */
  readonly log: { write(line: string): void };
}

const MEBIBYTE = 2 ** 20;
/** How often a server that is going down looks whether its renders have ended, in milliseconds. */
const POLL_MS = 20;

/** Starts the server; rejects when the address can't be had. */
export async function serve({ settings, store, log }: ServeOptions): Promise<Running> {
  const logger = pino({ base: null, timestamp: pino.stdTimeFunctions.isoTime }, log);
  const allowAddress = allowPublic(settings.ASSET_ALLOW_HOSTS);
  const limits = { queue: settings.RENDER_QUEUE, memoryBytes: settings.RENDER_MEMORY_MB * MEBIBYTE };
  const pool =
    settings.RENDER_WORKERS === 0
      ? createLocalPool(limits)
      : createPool({
          ...limits,
          workers: settings.RENDER_WORKERS,
          entry: new URL('./child.js', import.meta.url),
          report: (line) => logger.warn({ renderProcess: line }, 'a render process wrote to its standard error'),
        });
  const engine = createEngine(pool, settings, allowAddress);
  let closing = false;
  const service = createService({ store, engine, settings, closing: () => closing });
  let open = 0;
  const server = createHttpServer(async (request) => {
    open++;
    try {
      return await service(request);
    } finally {
      open--;
    }
  }, logger);
  try {
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject);
      server.listen(settings.PORT, settings.HOST, resolve);
    });
  } catch (error) {
    pool.close();
    throw error;
  }
  const { address, port, family } = server.address() as AddressInfo;
  const host = family === 'IPv6' ? `[${address}]` : address;
  return {
    url: `http://${host}:${port}`,
    async stop(graceMs) {
      closing = true;
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      const deadline = performance.now() + graceMs;
      while (open > 0 && performance.now() < deadline) await new Promise((resolve) => setTimeout(resolve, POLL_MS));
      // whose answer is on its way gets it; the connections that stay open after theirs are closed
      const idle = setInterval(() => server.closeIdleConnections(), POLL_MS);
      const timer = setTimeout(() => server.closeAllConnections(), Math.max(POLL_MS, deadline - performance.now()));
      await closed;
      clearInterval(idle);
      clearTimeout(timer);
      pool.close();
    },
  };
}
