// Serves the pages of this folder, and the package under /platen/: node examples/browser/serve.mjs [port]
import { createReadStream, statSync } from 'node:fs';
import { createServer } from 'node:http';
import { extname } from 'node:path';
import { argv } from 'node:process';
import { fileURLToPath } from 'node:url';

const HERE = new URL('.', import.meta.url);
const PACKAGE = new URL('../../', HERE);
const TYPES = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.json': 'application/json',
  '.wasm': 'application/wasm',
};
/** All that the pages need; as a header, since a worker has the policy of its own script. */
const POLICY = "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; worker-src 'self'; connect-src 'self'; img-src 'self'";

export function handle(request, response) {
  const { pathname } = new URL(request.url, 'http://localhost');
  // of the package, what a browser needs
  const inPackage = /^\/platen\/((?:dist|fonts)\/.*)$/.exec(pathname)?.[1];
  const file = inPackage ? new URL(inPackage, PACKAGE) : new URL(`.${pathname === '/' ? '/index.html' : pathname}`, HERE);
  if (!isFile(file)) return void response.writeHead(404).end();
  const type = TYPES[extname(file.pathname)] ?? 'application/octet-stream';
  response.writeHead(200, { 'content-type': type, 'content-security-policy': POLICY });
  createReadStream(file).pipe(response);
}

function isFile(url) {
  try {
    return statSync(url).isFile();
  } catch {
    return false;
  }
}

if (argv[1] === fileURLToPath(import.meta.url)) {
  const server = createServer(handle).listen(Number(argv[2] ?? 8080), '127.0.0.1', () => {
    console.log(`http://localhost:${server.address().port}/`);
  });
}
