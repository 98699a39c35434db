// The socket that figures are read from: GET /metrics and nothing else, on an address of its own. The API's address is
// open to strangers, this one is not to be; so it knows no key, and by default only the machine itself can reach it.
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { listen } from '../http/listen.js';
import type { Metrics } from './prometheus.js';

/** Of one scrape, in milliseconds. */
const TIMEOUT_MS = 10_000;
/** Two scrapers and somebody who looks. */
const MAX_CONNECTIONS = 16;

export interface MetricsServer {
  /** `http://host:port/metrics`, the port that was really taken. */
  readonly url: string;
  close(): void;
}

/** Serves the figures; rejects when the address can't be had. */
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
      if (url?.split('?', 1)[0] !== '/metrics') return answer(404, 'text/plain', 'the figures are at /metrics\n');
      if (method !== 'GET' && method !== 'HEAD') {
        response.setHeader('Allow', 'GET, HEAD');
        return answer(405, 'text/plain', 'GET alone\n');
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
  const { address, port: taken, family } = server.address() as AddressInfo;
  return {
    url: `http://${family === 'IPv6' ? `[${address}]` : address}:${taken}/metrics`,
    close() {
      server.close();
      server.closeAllConnections();
    },
  };
}
