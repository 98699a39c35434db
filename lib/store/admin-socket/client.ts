// Runs admin commands on the server that holds the data folder's lock, through its admin socket.
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { ServiceError } from '../../errors.js';
import { readLines } from '../lines.js';
import { StoreError } from '../types.js';
import {
  ADMIN_VERBS,
  type AdminReply,
  type AdminRequest,
  type AdminVerbs,
  decodeValue,
  encodeValue,
  PROTOCOL,
} from './server.js';

export interface AdminConnection extends AdminVerbs {
  close(): Promise<void>;
}

interface PendingRequest {
  readonly resolve: (result: unknown) => void;
  readonly reject: (error: unknown) => void;
}

/** Connects to the server that listens at `path`. Rejects with the system's error when none does. */
export async function connectAdmin(path: string): Promise<AdminConnection> {
  const socket = connect(path);
  await once(socket, 'connect');
  const pending = new Map<number, PendingRequest>();
  const ended = readReplies(socket, pending);
  let lastId = 0;
  const send = (verb: string, values: readonly unknown[]): Promise<unknown> =>
    new Promise((resolve, reject) => {
      const request: AdminRequest = { id: ++lastId, verb: PROTOCOL + verb, arguments: values.map(encodeValue) };
      pending.set(request.id, { resolve, reject });
      if (socket.destroyed) rejectAll(pending);
      else socket.write(`${JSON.stringify(request)}\n`);
    });
  const verbs = ADMIN_VERBS.map((verb) => [verb, (...values: readonly unknown[]) => send(verb, values)]);
  const store = Object.fromEntries(verbs) as unknown as AdminVerbs;
  return {
    ...store,
    async close() {
      socket.destroy();
      await ended;
    },
  };
}

async function readReplies(socket: Socket, pending: Map<number, PendingRequest>): Promise<void> {
  try {
    for await (const line of readLines(socket)) {
      const { id, result, error } = JSON.parse(line) as AdminReply;
      const request = pending.get(id);
      pending.delete(id);
      if (error) request?.reject(toError(error));
      else request?.resolve(decodeValue(result));
    }
  } catch {
    // The connection broke: all pending requests are rejected below.
  }
  socket.destroy();
  rejectAll(pending);
}

function rejectAll(pending: Map<number, PendingRequest>): void {
  for (const { reject } of pending.values()) {
    reject(
      new StoreError('the server closed the connection before it answered: check whether the command took effect'),
    );
  }
  pending.clear();
}

function toError({ name, message, code, templates }: NonNullable<AdminReply['error']>): Error {
  if (name === 'RenderError') return new ServiceError('storage_unavailable', message);
  return new StoreError(message, { ...(code && { code }), ...(templates && { templates }) });
}
