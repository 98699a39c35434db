// A small load balancer: sends requests in turn to the nodes whose /readyz answers 200, over kept connections. It retries
// nothing, so a request that a node drops fails.
import { once } from 'node:events';
import { Agent, createServer, get, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Test } from 'tap';

export interface Balancer {
  readonly url: string;
  /** Adds a node, which gets requests as soon as it is ready. */
  add(url: string): void;
  /** Forgets a node that has ended. */
  remove(url: string): void;
  /** Nodes that get requests now. */
  ready(): string[];
}

/** Milliseconds between two health checks of the nodes. */
const CHECK_MS = 25;

export async function startBalancer(t: Test): Promise<Balancer> {
  const nodes = new Map<string, boolean>();
  const agent = new Agent({ keepAlive: true, maxSockets: 64 });
  let turn = 0;
  const ready = () => [...nodes].flatMap(([url, isReady]) => (isReady ? [url] : []));
  const checks = setInterval(() => {
    for (const url of nodes.keys()) {
      const say = (isReady: boolean) => {
        if (nodes.has(url)) nodes.set(url, isReady);
      };
      get(`${url}/readyz`, { agent: false }, (answer) => say(answer.resume().statusCode === 200)).on('error', () =>
        say(false),
      );
    }
  }, CHECK_MS);
  const server = createServer((incoming, outgoing) => {
    const urls = ready();
    if (urls.length === 0) return outgoing.writeHead(502).end('no node is ready');
    const { method = 'GET', url = '/', headers } = incoming;
    const node = new URL(url, urls[turn++ % urls.length]);
    const { connection: _hop, ...rest } = headers;
    const passed = request(node, { method, headers: rest, agent }, (answer) => {
      const { connection: _own, 'keep-alive': _also, ...kept } = answer.headers;
      outgoing.writeHead(answer.statusCode ?? 502, kept);
      answer.pipe(outgoing);
    });
    passed.on('error', (error) => {
      if (outgoing.headersSent) outgoing.destroy();
      else outgoing.writeHead(502).end(error.message);
    });
    incoming.pipe(passed);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.teardown(() => {
    clearInterval(checks);
    agent.destroy();
    server.closeAllConnections();
    server.close();
  });
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    add: (url) => void nodes.set(url, false),
    remove: (url) => void nodes.delete(url),
    ready,
  };
}
