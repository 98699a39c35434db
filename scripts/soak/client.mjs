// An HTTP client that reports the status, bytes and duration of each request, and can disconnect during one.
import { Agent, request } from 'node:http';

export function createClient({ url, key }) {
  const agent = new Agent({ keepAlive: true, maxSockets: Number.POSITIVE_INFINITY });
  const { hostname, port } = new URL(url);
  const options = {
    agent,
    host: hostname,
    port,
    path: '/v1/render',
    method: 'POST',
    headers: { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' },
  };

  /** Sends `body`. `disconnectAfter`: milliseconds after which the client closes its connection. Never rejects. */
  function send(body, { disconnectAfter, keep = false } = {}) {
    const startedAt = performance.now();
    return new Promise((resolve) => {
      let timer;
      const done = (status, chunks) => {
        clearTimeout(timer);
        resolve({ status, ms: performance.now() - startedAt, ...(keep && { bytes: Buffer.concat(chunks) }) });
      };
      const sent = request(options, (response) => {
        const chunks = [];
        response.on('data', (chunk) => keep && chunks.push(chunk));
        response.on('end', () => done(response.statusCode, chunks));
        response.on('error', () => done('truncated', []));
      });
      sent.on('error', (error) => done(disconnectAfter === undefined ? (error.code ?? 'failed') : 'disconnected', []));
      if (disconnectAfter !== undefined) timer = setTimeout(() => (sent.socket ?? sent).destroy(), disconnectAfter);
      sent.end(typeof body === 'string' || Buffer.isBuffer(body) ? body : JSON.stringify(body));
    });
  }
  return { send, close: () => agent.destroy() };
}
