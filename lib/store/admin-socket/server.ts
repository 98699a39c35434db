// Admin commands while a server runs: it lends its store through a local socket that only its own user can open.
// Lines of JSON: { id, verb, arguments } → { id, result } or { id, error: { name, message } }.
import { createHash, randomBytes } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { createServer, type Server, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type AdminStore, StoreError } from '../types.js';
import { linesOf } from './lines.js';

export const ADMIN_VERBS = [
  'createWorkspace',
  'listWorkspaces',
  'createKey',
  'listKeys',
  'revokeKey',
  'balance',
  'grant',
  'importTemplate',
  'listTemplates',
  'showTemplate',
  'exportTemplate',
  'deleteTemplate',
  'listRenders',
] as const satisfies readonly (keyof AdminStore)[];

export interface Request {
  readonly id: number;
  readonly verb: string;
  readonly arguments: readonly unknown[];
}

export interface Reply {
  readonly id: number;
  readonly result?: unknown;
  readonly error?: { readonly name: string; readonly message: string };
}

export interface AdminSocket {
  readonly socket: string;
  /** Answers what has been asked, and takes no more. */
  close(): Promise<void>;
}

/** Bytes of a socket's path that every system takes (macOS: 104 with the final zero, Linux: 108). */
const MAX_PATH = 103;

/** Serves `store` to the admin commands of `folder`, which is locked by the caller. */
export async function serveAdminSocket(folder: string, store: AdminStore): Promise<AdminSocket> {
  const connections = new Set<Socket>();
  const asked = new Set<Promise<void>>();
  let closing = false;
  const converse = async (connection: Socket) => {
    for await (const line of linesOf(connection)) {
      // Not begun, so not done: the other side hears no answer and says so.
      if (closing) return;
      const answered = answer(line, store).then((reply) => written(connection, reply));
      asked.add(answered);
      await answered.finally(() => asked.delete(answered));
    }
  };
  const server = createServer((connection) => {
    connections.add(connection);
    connection.on('close', () => connections.delete(connection));
    // A client that went away, or talks nonsense, is let go.
    converse(connection)
      .catch(() => undefined)
      .finally(() => connection.destroy());
  });
  const socket = await bind(server, folder);
  return {
    socket,
    async close() {
      closing = true;
      const closed = new Promise((resolve) => server.close(resolve));
      await Promise.allSettled(asked);
      for (const connection of connections) connection.destroy();
      await closed;
    },
  };
}

/** Resolves when the line is handed on, or nobody is there to take it. */
function written(connection: Socket, line: string): Promise<void> {
  return new Promise((resolve) => connection.write(line, () => resolve()));
}

async function bind(server: Server, folder: string): Promise<string> {
  const name = `platen-${createHash('sha256').update(folder).digest('hex').slice(0, 16)}-${randomBytes(8).toString('hex')}`;
  if (process.platform === 'win32') return await bindTo(server, `\\\\.\\pipe\\${name}`);
  const inFolder = join(folder, 'control.sock');
  if (Buffer.byteLength(inFolder) <= MAX_PATH) {
    try {
      // The folder's lock is ours, so what lies there is left over.
      await rm(inFolder, { force: true });
      return await bindTo(server, inFolder);
    } catch {
      // Some file systems hold no sockets.
    }
  }
  return await bindTo(server, join(tmpdir(), `${name}.sock`));
}

function bindTo(server: Server, path: string): Promise<string> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    // The socket's file is made within this call, at no moment open to others.
    const mask = process.umask(0o177);
    try {
      server.listen(path, () => {
        server.off('error', reject);
        resolve(path);
      });
    } finally {
      process.umask(mask);
    }
  });
}

/** The reply to one line, as a line. */
async function answer(line: string, store: AdminStore): Promise<string> {
  const { id, verb, arguments: values } = JSON.parse(line) as Request;
  const reply = await perform(verb, values, store).then(
    (result): Reply => ({ id, result }),
    (error: Error): Reply => ({ id, error: { name: error.name, message: error.message } }),
  );
  return `${JSON.stringify(reply)}\n`;
}

async function perform(verb: string, values: readonly unknown[], store: AdminStore): Promise<unknown> {
  const known = ADMIN_VERBS.find((name) => name === verb);
  if (!known) throw new StoreError('the server is of another version: restart it');
  const method = store[known] as (...values: unknown[]) => Promise<unknown>;
  // JSON has no undefined: what was not given arrives as null
  return await method(...values.map((value) => value ?? undefined));
}
