// The origin of the load's images and fonts: example files, a bundled font, and faulty answers.
import { readdirSync, readFileSync } from 'node:fs';
import { createServer } from 'node:http';

const root = new URL('../../', import.meta.url);
const PICTURES = new URL('examples/pictures/', root);

/** Listens on a free loopback port. Returns its `host:port` and a function that closes it. */
export async function startOrigin() {
  const font = readFileSync(new URL('fonts/lobster/lobster-400.woff2', root));
  const pictures = readdirSync(PICTURES)
    .filter((name) => /\.(jpg|svg)$/.test(name))
    .map((name) => readFileSync(new URL(name, PICTURES)));
  const answers = new Map([
    ['picture', (response, picture) => response.setHeader('Cache-Control', 'max-age=5').end(picture)],
    ['font', (response) => response.setHeader('Cache-Control', 'max-age=5').end(font)],
    ['cut', (response, picture) => response.end(picture.subarray(0, Math.floor(picture.length / 3)))],
    ['late', (response, picture) => setTimeout(() => response.end(picture), 200)],
    ['reset', (response) => response.socket.resetAndDestroy()],
  ]);
  const server = createServer((request, response) => {
    const [, kind, index] = new URL(request.url, 'http://origin').pathname.split('/');
    const answer = answers.get(kind);
    if (answer) answer(response, pictures[Number(index) % pictures.length]);
    else response.writeHead(404).end();
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  const close = () => {
    server.closeAllConnections();
    server.close();
  };
  return { host: `127.0.0.1:${server.address().port}`, close };
}
