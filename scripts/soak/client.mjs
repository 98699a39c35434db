// One request → how it ended: its status, its bytes and its milliseconds; and clients that leave in the middle.
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

  /** Sends `body`; `leaveAfter` is when the client resets its connection, in milliseconds. Never rejects. */
  function send(body, { leaveAfter, keep = false } = {}) {
    const began = performance.now();
    return new Promise((resolve) => {
      let timer;
      const done = (status, chunks) => {
        clearTimeout(timer);
        resolve({ status, ms: performance.now() - began, ...(keep && { bytes: Buffer.concat(chunks) }) });
      };
      const sent = request(options, (response) => {
        const chunks = [];
        response.on('data', (chunk) => keep && chunks.push(chunk));
        response.on('end', () => done(response.statusCode, chunks));
        response.on('error', () => done('broken off', []));
      });
      sent.on('error', (error) => done(leaveAfter === undefined ? (error.code ?? 'failed') : 'left', []));
      if (leaveAfter !== undefined) timer = setTimeout(() => (sent.socket ?? sent).destroy(), leaveAfter);
      sent.end(typeof body === 'string' ? body : JSON.stringify(body));
    });
  }
  return { send, close: () => agent.destroy() };
}
