// A web server that delays its images until the test releases them, to keep renders in progress.
import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { eventually } from '../eventually.js';

export interface Origin {
  /** For ASSET_ALLOW_HOSTS. */
  readonly host: string;
  /** A card with an image of this server; each call returns another URL. */
  card(): object;
  /** Resolves when `count` renders are waiting for an image. */
  waiting(count?: number): Promise<void>;
  /** Sends the images of all waiting renders. */
  answer(): void;
  close(): void;
}

const PICTURE = '<svg xmlns="http://www.w3.org/2000/svg" width="4" height="4"><rect width="4" height="4"/></svg>';

export async function startOrigin(): Promise<Origin> {
  const waiting = new Set<ServerResponse>();
  let made = 0;
  const server = createServer((_, response) => {
    waiting.add(response);
    response.on('close', () => waiting.delete(response));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    host,
    card: () => ({
      canvas: { width: 8, height: 8 },
      layers: [{ type: 'image', x: 0, y: 0, width: 8, height: 8, url: `http://${host}/${++made}.svg` }],
    }),
    waiting: (count = 1) => eventually(() => waiting.size >= count, `${count} renders wait for an image`),
    answer() {
      for (const response of waiting) response.writeHead(200, { 'Content-Type': 'image/svg+xml' }).end(PICTURE);
    },
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
}
