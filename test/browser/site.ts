// Serves the package's files to a page, as a web server would, under a strict content security policy.
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { extname, join, normalize } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Test } from 'tap';

export const ROOT = fileURLToPath(new URL('../..', import.meta.url));

export const POLICY = [
  "default-src 'none'",
  "script-src 'self' 'wasm-unsafe-eval'",
  "connect-src 'self'",
  'img-src blob: data:',
  "worker-src 'self'",
].join('; ');

const TYPES = new Map([
  ['.js', 'text/javascript'],
  ['.wasm', 'application/wasm'],
  ['.json', 'application/json'],
]);

export interface Site {
  readonly origin: string;
  /** The paths that have been requested since the last call. */
  requested(): string[];
}

/** `page`: the script of the page at /. Other paths are files of the package. */
export async function serveSite(t: Test, script: string, policy = POLICY): Promise<Site> {
  let paths: string[] = [];
  const server = createServer(async (request, response) => {
    const { pathname } = new URL(request.url ?? '/', 'http://site');
    response.setHeader('Content-Security-Policy', policy);
    if (pathname === '/') {
      response.setHeader('Content-Type', 'text/html; charset=utf-8');
      response.end('<!doctype html><title>page</title><script type="module" src="/page.js"></script>');
      return;
    }
    if (pathname === '/page.js') {
      response.setHeader('Content-Type', 'text/javascript').end(script);
      return;
    }
    paths.push(pathname);
    try {
      const bytes = await readFile(join(ROOT, normalize(decodeURIComponent(pathname))));
      response.setHeader('Content-Type', TYPES.get(extname(pathname)) ?? 'application/octet-stream').end(bytes);
    } catch {
      response.writeHead(404).end();
    }
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  t.teardown(() => server.close());
  t.teardown(() => server.closeAllConnections());
  const { port } = server.address() as AddressInfo;
  return {
    origin: `http://127.0.0.1:${port}`,
    requested() {
      const found = paths;
      paths = [];
      return found;
    },
  };
}
