// Serves GET /metrics on a separate address. Unlike the API's address it must not be public: it asks for no key, and by default
// only the machine itself can reach it.
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { listen } from '../http/listen.js';
import type { Metrics } from './prometheus.js';

/** Limit for one scrape, in milliseconds. */
const TIMEOUT_MS = 10_000;
/** Enough for two scrapers and an operator. */
const MAX_CONNECTIONS = 16;

export interface MetricsServer {
  /** `http://host:port/metrics`, with the port that was assigned. */
  readonly url: string;
  close(): void;
}

/** Starts the metrics server. Rejects with ListenError when the address is not available. */
export async function serveMetrics(
  metrics: Pick<Metrics, 'text' | 'contentType'>,
  host: string,
  port: number,
): Promise<MetricsServer> {
  const server = createServer(
    { headersTimeout: TIMEOUT_MS, requestTimeout: TIMEOUT_MS, keepAliveTimeout: TIMEOUT_MS },
    async ({ method, url }, response) => {
      const answer = (status: number, type: string, body: string) =>
        response.writeHead(status, { 'Content-Type': type, 'X-Content-Type-Options': 'nosniff' }).end(body);
      if (url?.split('?', 1)[0] !== '/metrics') return answer(404, 'text/plain', 'the metrics are at /metrics\n');
      if (method !== 'GET' && method !== 'HEAD') {
        response.setHeader('Allow', 'GET, HEAD');
        return answer(405, 'text/plain', 'only GET is allowed\n');
      }
      try {
        answer(200, metrics.contentType, await metrics.text());
      } catch (error) {
        answer(500, 'text/plain', `${(error as Error).message}\n`);
      }
    },
  );
  server.maxConnections = MAX_CONNECTIONS;
  await listen(server, { host, port }, ['METRICS_HOST', 'METRICS_PORT']);
  const { address, port: assigned, family } = server.address() as AddressInfo;
  return {
    url: `http://${family === 'IPv6' ? `[${address}]` : address}:${assigned}/metrics`,
    close() {
      server.close();
      server.closeAllConnections();
    },
  };
}
