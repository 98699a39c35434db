// Tells every request in progress when its client disconnects. Node notifies only the request that is answered next; those
// pipelined behind it would never learn.
import type { EventEmitter } from 'node:events';
import type { IncomingMessage, Server } from 'node:http';
import type { Socket } from 'node:net';
import { RenderError } from '../../errors.js';

export class Connections {
  /** The requests in progress on each connection. */
  private readonly requests = new WeakMap<Socket, Set<AbortController>>();

  constructor(server: Server) {
    server.on('connection', (socket) => {
      const requests = new Set<AbortController>();
      this.requests.set(socket, requests);
      socket.once('close', () => {
        const reason = new RenderError('internal_error', 'the client disconnected');
        for (const controller of requests) controller.abort(reason);
      });
    });
  }

  /** Runs `work` with a signal that aborts when the request's client disconnects. */
  async withDisconnectSignal(request: IncomingMessage, work: (gone: AbortSignal) => Promise<void>): Promise<void> {
    const controller = new AbortController();
    const requests = this.requests.get(request.socket);
    requests?.add(controller);
    try {
      await work(controller.signal);
    } finally {
      requests?.delete(controller);
    }
  }
}

/** Resolves on the emitter's next `event`, or when the signal aborts; leaves no listener behind. */
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
