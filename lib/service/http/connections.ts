// Who is still there: for each connection the requests that are being answered, told when their client goes away.
// Node itself tells only the one whose answer is next; those pipelined behind it would never learn.
import type { EventEmitter } from 'node:events';
import type { IncomingMessage, Server } from 'node:http';
import type { Socket } from 'node:net';
import { RenderError } from '../../errors.js';

export class Connections {
  private readonly open = new WeakMap<Socket, Set<AbortController>>();

  constructor(server: Server) {
    server.on('connection', (socket) => {
      const requests = new Set<AbortController>();
      this.open.set(socket, requests);
      socket.once('close', () => {
        const reason = new RenderError('internal_error', 'the client went away');
        for (const controller of requests) controller.abort(reason);
      });
    });
  }

  /** Does `work` with a signal that aborts when the request's client goes away before it is done. */
  async withDisconnectSignal(request: IncomingMessage, work: (gone: AbortSignal) => Promise<void>): Promise<void> {
    const controller = new AbortController();
    const requests = this.open.get(request.socket);
    requests?.add(controller);
    try {
      await work(controller.signal);
    } finally {
      requests?.delete(controller);
    }
  }
}

/** Waits for the emitter's next `event`, or until the signal aborts; leaves no listener behind. */
export function onceOrAborted(emitter: EventEmitter, event: string, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const done = () => {
      emitter.off(event, done);
      signal.removeEventListener('abort', done);
      resolve();
    };
    if (signal.aborted) return resolve();
    emitter.on(event, done);
    signal.addEventListener('abort', done);
  });
}
