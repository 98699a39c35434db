// A loopback HTTP server with configurable routes, which records its requests.
import { createServer, type IncomingMessage, type RequestListener, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';

export interface TestServer {
  readonly origin: string;
  readonly port: number;
  /** Requested paths, in order. */
  readonly hits: string[];
  /** The maximum number of concurrent requests. */
  readonly peak: () => number;
  /** Raw headers of the last request. */
  readonly headers: () => readonly string[];
  /** Number of open sockets. */
  readonly open: () => number;
  readonly close: () => Promise<void>;
}

export async function serve(
  routes: Record<string, (res: ServerResponse, req: IncomingMessage) => void>,
): Promise<TestServer> {
  const hits: string[] = [];
  const sockets = new Set<Socket>();
  let headers: readonly string[] = [];
  let running = 0;
  let peak = 0;
  const listener: RequestListener = (req, res) => {
    hits.push(req.url ?? '');
    headers = req.rawHeaders;
    peak = Math.max(peak, ++running);
    res.on('close', () => running--);
    const route = routes[(req.url ?? '').split('?')[0]];
    if (route) route(res, req);
    else res.writeHead(404).end('nothing here');
  };
  const server = createServer(listener);
  server.on('connection', (socket) => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket)).on('error', () => {});
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    origin: `http://127.0.0.1:${port}`,
    port,
    hits,
    peak: () => peak,
    headers: () => headers,
    open: () => sockets.size,
    close: () =>
      new Promise((resolve) => {
        for (const socket of sockets) socket.destroy();
        server.close(() => resolve());
      }),
  };
}
