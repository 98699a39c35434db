// Serves what browsers and edge functions load from the checkout, on the loopback address.
import { createReadStream, statSync } from 'node:fs';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { extname, join, normalize } from 'node:path';
import { ROOT } from '../../checkout.js';

/** No script is compiled from text, and nothing comes from elsewhere. */
const POLICY = "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; worker-src 'self'; connect-src 'self'";
const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html',
  '.js': 'text/javascript',
  '.mjs': 'text/javascript',
  '.json': 'application/json',
  '.wasm': 'application/wasm',
};
const SERVED = /^(dist\/browser|dist\/wasm|fonts|test\/parity)\//;

/** Answers what is no file of the checkout; returns false if there is nothing. */
type Answer = (pathname: string, request: IncomingMessage, response: ServerResponse) => Promise<boolean>;

export async function serveCheckout(answer: Answer = async () => false): Promise<Server> {
  const serve = async (request: IncomingMessage, response: ServerResponse) => {
    const { pathname } = new URL(request.url ?? '/', 'http://127.0.0.1');
    if (await answer(pathname, request, response)) return;
    const path = normalize(pathname).slice(1);
    const file = join(ROOT, path);
    if (!SERVED.test(path) || !statSync(file, { throwIfNoEntry: false })?.isFile()) {
      response.writeHead(404).end();
      return;
    }
    const type = TYPES[extname(path)] ?? 'application/octet-stream';
    response.writeHead(200, { 'content-type': type, 'content-security-policy': POLICY });
    createReadStream(file).pipe(response);
  };
  const server = createServer((request, response) => {
    serve(request, response).catch((error) => response.destroy(error));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return server;
}
