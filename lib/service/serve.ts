// The server's life: starts its listeners, drains and stops. compose.ts builds the parts that it runs.
import type { Server } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { type ComposeOptions, compose } from './compose.js';
import { withHeaders } from './http/answer.js';
import { type AddressNames, listen } from './http/listen.js';
import { createHttpServer, MAX_CONNECTIONS } from './http/server.js';
import { type MetricsServer, serveMetrics } from './metrics/server.js';
import type { Phase, RequestOutcome } from './request.js';

export interface RunningServer {
  /** `http://host:port`, with the port that was assigned. */
  readonly url: string;
  /** URL of the metrics; absent without METRICS_PORT. */
  readonly metricsUrl?: string;
  /**
   * Reports not ready and serves on for SHUTDOWN_DELAY_MS, so that load balancers send requests elsewhere. Then rejects new
   * renders, waits up to `graceMs` for those in flight, and closes everything but the store.
   */
  stop(graceMs: number): Promise<void>;
}

export interface ServeOptions extends ComposeOptions {
  /** Names of the host and the port in error messages; `HOST` and `PORT` by default. */
  readonly addressNames?: AddressNames;
}

/** Milliseconds between two looks of a closing server for requests in flight and idle connections. */
const POLL_MS = 20;

/** Starts the server. Rejects with ListenError when an address is not available. */
export async function serve(options: ServeOptions): Promise<RunningServer> {
  const { settings, addressNames = ['HOST', 'PORT'] } = options;
  let phase: Phase = 'serving';
  let inFlight = 0;
  const { service, logger, pool, memoryBudget, metrics, tracing } = await compose(options, {
    phase: () => phase,
    port: () => (server.address() as AddressInfo | null)?.port ?? settings.PORT,
  });
  const server: Server = createHttpServer(
    async (request) => {
      inFlight++;
      try {
        const outcome = await service(request);
        // a load balancer must not send its next request on a connection that is about to be closed
        return phase === 'serving' ? outcome : withConnectionClose(outcome);
      } finally {
        inFlight--;
      }
    },
    logger,
    { memoryBudget },
  );
  const sockets = trackSockets(server);
  let metricsServer: MetricsServer | undefined;
  try {
    if (metrics && settings.METRICS_PORT !== undefined) {
      metricsServer = await serveMetrics(metrics, settings.METRICS_HOST, settings.METRICS_PORT);
    }
    await listen(server, { host: settings.HOST, port: settings.PORT, backlog: MAX_CONNECTIONS }, addressNames);
  } catch (error) {
    metricsServer?.close();
    pool.close();
    throw error;
  }
  if (metricsServer) logger.info({ url: metricsServer.url }, 'serving metrics');
  // without a free file descriptor a connection is lost, but the server goes on
  server.on('error', (error) => logger.error({ err: error }, 'the server could not accept a connection'));
  return {
    url: urlOf(server),
    ...(metricsServer && { metricsUrl: metricsServer.url }),
    async stop(graceMs) {
      phase = 'draining';
      if (settings.SHUTDOWN_DELAY_MS > 0) await sleep(settings.SHUTDOWN_DELAY_MS);
      phase = 'closing';
      await closeServer(server, sockets, () => inFlight > 0, graceMs);
      pool.close();
      metricsServer?.close();
      // the program ends at once after this, and the SDK has a batch of spans that wait to be exported
      await tracing?.flush();
    },
  };
}

function withConnectionClose(outcome: RequestOutcome): RequestOutcome {
  return { ...outcome, answer: withHeaders(outcome.answer, [['Connection', 'close']]) };
}

function urlOf(server: Server): string {
  const { address, port, family } = server.address() as AddressInfo;
  return `http://${family === 'IPv6' ? `[${address}]` : address}:${port}`;
}

function trackSockets(server: Server): ReadonlySet<Socket> {
  const sockets = new Set<Socket>();
  server.on('connection', (socket) => {
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
  });
  return sockets;
}

/** Closes the server once nothing is in flight, or after `graceMs`; answers that are being sent are finished first. */
async function closeServer(
  server: Server,
  sockets: ReadonlySet<Socket>,
  isInFlight: () => boolean,
  graceMs: number,
): Promise<void> {
  const closed = new Promise<void>((resolve) => server.close(() => resolve()));
  const deadline = performance.now() + graceMs;
  while (isInFlight() && performance.now() < deadline) await sleep(POLL_MS);
  const idle = setInterval(() => {
    server.closeIdleConnections();
    // Node does not count a connection as idle before its first byte: it takes it for one whose request is late
    for (const socket of sockets) if (socket.bytesRead === 0) socket.destroy();
  }, POLL_MS);
  const timer = setTimeout(() => server.closeAllConnections(), Math.max(POLL_MS, deadline - performance.now()));
  await closed;
  clearInterval(idle);
  clearTimeout(timer);
}

function sleep(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds));
}
