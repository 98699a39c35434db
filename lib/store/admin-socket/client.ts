// The admin verbs, asked of the server that holds the folder.
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { RenderError } from '../../errors.js';
import { type AdminStore, StoreError } from '../types.js';
import { linesOf } from './lines.js';
import { ADMIN_VERBS, type Reply, type Request } from './server.js';

export interface AdminConnection extends AdminStore {
  close(): Promise<void>;
}

interface Waiting {
  readonly resolve: (result: unknown) => void;
  readonly reject: (error: unknown) => void;
}

/** Connects to the server that listens at `path`. Rejects with the system's error when none does. */
export async function connectAdmin(path: string): Promise<AdminConnection> {
  const socket = connect(path);
  await once(socket, 'connect');
  const waiting = new Map<number, Waiting>();
  const ended = readReplies(socket, waiting);
  let last = 0;
  const ask = (verb: string, values: readonly unknown[]): Promise<unknown> =>
    new Promise((resolve, reject) => {
      const request: Request = { id: ++last, verb, arguments: values };
      waiting.set(request.id, { resolve, reject });
      if (socket.destroyed) failAll(waiting);
      else socket.write(`${JSON.stringify(request)}\n`);
    });
  const verbs = ADMIN_VERBS.map((verb) => [verb, (...values: readonly unknown[]) => ask(verb, values)]);
  const store = Object.fromEntries(verbs) as AdminStore;
  return {
    ...store,
    async close() {
      socket.destroy();
      await ended;
    },
  };
}

async function readReplies(socket: Socket, waiting: Map<number, Waiting>): Promise<void> {
  try {
    for await (const line of linesOf(socket)) {
      const { id, result, error } = JSON.parse(line) as Reply;
      const asked = waiting.get(id);
      waiting.delete(id);
      if (error) asked?.reject(errorOf(error));
      else asked?.resolve(result);
    }
  } catch {
    // The connection broke: whoever waits is told below.
  }
  socket.destroy();
  failAll(waiting);
}

function failAll(waiting: Map<number, Waiting>): void {
  for (const { reject } of waiting.values()) {
    reject(new StoreError('the server went away before it answered: look whether the command was done'));
  }
  waiting.clear();
}

function errorOf({ name, message }: { readonly name: string; readonly message: string }): Error {
  if (name === 'RenderError') return new RenderError('storage_unavailable', message);
  return new StoreError(message);
}
