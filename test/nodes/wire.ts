// A proxy in front of the database's Unix socket that counts bytes and round trips.
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { connect, createServer, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export interface Wire {
  /** The folder of its socket. */
  readonly folder: string;
  /** Totals: bytes to the database (`asked`) and back (`answered`), and round trips (ReadyForQuery messages). */
  counted(): { readonly asked: number; readonly answered: number; readonly trips: number };
  close(): Promise<void>;
}

/** The message ReadyForQuery without its last byte. */
const READY = Buffer.from([0x5a, 0, 0, 0, 5]);
const SOCKET = '.s.PGSQL.5432';

export async function startWire(serverFolder: string): Promise<Wire> {
  const folder = mkdtempSync(join(tmpdir(), 'platen-wire-'));
  const sockets = new Set<Socket>();
  let [asked, answered, trips] = [0, 0, 0];
  const listener = createServer((client) => {
    const server = connect(join(serverFolder, SOCKET));
    for (const socket of [client, server]) {
      sockets.add(socket);
      socket.on('error', () => undefined);
    }
    client.on('data', (bytes) => {
      asked += bytes.length;
    });
    server.on('data', (bytes) => {
      answered += bytes.length;
      for (let at = bytes.indexOf(READY); at >= 0; at = bytes.indexOf(READY, at + 1)) trips++;
    });
    client.pipe(server).pipe(client);
  }).listen(join(folder, SOCKET));
  await once(listener, 'listening');
  return {
    folder,
    counted: () => ({ asked, answered, trips }),
    async close() {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => listener.close(resolve));
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
