// A proxy in front of the database's Unix socket that breaks connections at chosen statements.
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { connect, createServer, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/**
 * The fate of the next message that names a statement. `before`: it never arrives. `after`: the server executes it, and the
 * reply is lost. `late`: the client is disconnected at once, and the server gets the message some time later. `silent`: the
 * server executes it, and the client waits for a reply that never arrives.
 */
export type Cut = 'before' | 'after' | 'late' | 'silent';

/** Milliseconds from the cut until a `late` message arrives. */
const LATE_MS = 150;

export interface Proxy {
  /** The folder of its socket. */
  readonly folder: string;
  /** Round trips so far, counted by the server's ReadyForQuery messages. */
  trips(): number;
  /** Breaks the connection at the next `times` messages that name `statement`. */
  cut(statement: string, how: Cut, times?: number): void;
  close(): Promise<void>;
}

/** The message ReadyForQuery without its last byte. */
const READY = Buffer.from([0x5a, 0, 0, 0, 5]);

const SOCKET = '.s.PGSQL.5432';

export async function startProxy(serverFolder: string): Promise<Proxy> {
  const folder = mkdtempSync(join(tmpdir(), 'platen-px-'));
  const sockets = new Set<Socket>();
  let trips = 0;
  let wanted: { readonly statement: string; readonly how: Cut; times: number } | undefined;
  const listener = createServer((client) => {
    const server = connect(join(serverFolder, SOCKET));
    let waiting: Cut | undefined;
    for (const socket of [client, server]) {
      sockets.add(socket);
      socket.on('error', () => undefined);
      socket.on('close', () => sockets.delete(socket));
    }
    client.on('data', (bytes) => {
      if (!wanted?.times || !bytes.includes(wanted.statement)) {
        server.write(bytes);
        return;
      }
      const { how } = wanted;
      wanted.times--;
      if (how === 'after' || how === 'silent') {
        waiting = how;
        server.write(bytes);
      } else client.destroy();
      if (how === 'before') server.destroy();
      if (how === 'late') setTimeout(() => server.write(bytes), LATE_MS);
    });
    server.on('data', (bytes) => {
      for (let at = bytes.indexOf(READY); at >= 0; at = bytes.indexOf(READY, at + 1)) trips++;
      if (!waiting) client.write(bytes);
      else if (waiting === 'after') for (const socket of [client, server]) socket.destroy();
    });
    client.on('close', () => wanted?.how !== 'late' && server.destroy());
    server.on('close', () => client.destroy());
  });
  listener.listen(join(folder, SOCKET));
  await once(listener, 'listening');
  return {
    folder,
    trips: () => trips,
    cut(statement, how, times = 1) {
      wanted = { statement, how, times };
    },
    async close() {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => listener.close(resolve));
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
