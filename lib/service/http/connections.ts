// Handles the requests of a connection one after the other, and tells the one in work when its client disconnects. Node
// parses all requests that a client pipelines at once, and would have them all in work.
import type { EventEmitter } from 'node:events';
import type { Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { ServiceError } from '../../errors.js';

/** Requests that wait on one connection before the server stops reading it. A few may wait, so that a disconnect is noticed. */
const MAX_READ_AHEAD = 16;
/**
 * Requests that wait on all connections together, 5 KB each. One read of 64 KiB may hold 2,400, so the connection with the
 * most waiting requests is closed beyond this.
 */
export const MAX_WAITING_REQUESTS = 8192;

/**
 * Milliseconds after which a client that has closed its side is probed, and from each probe to the next. The client may have
 * closed only its side and read on, or be gone: TCP tells the two apart when something is sent to it. The first probe makes the
 * system of a client that is gone answer with a reset, and the next one finds that reset. Most renders are done before.
 */
const PROBE_DELAYS_MS = [500, 250, 5000] as const;

interface Connection {
  readonly socket: Socket;
  /** Aborts the request in work; undefined while there is none. */
  controller: AbortController | undefined;
  /** The requests behind it, in order. */
  readonly waiting: (() => void)[];
}

export class Connections {
  private readonly connections = new WeakMap<Socket, Connection>();
  /** Connections on which requests wait. */
  private readonly crowded = new Set<Connection>();
  private waitingCount = 0;

  constructor(
    server: Server,
    private readonly maxWaiting = MAX_WAITING_REQUESTS,
  ) {
    server.on('connection', (socket) => {
      const connection: Connection = { socket, controller: undefined, waiting: [] };
      this.connections.set(socket, connection);
      socket.once('close', () => {
        this.drop(connection);
        connection.controller?.abort(new ServiceError('internal_error', 'the client disconnected'));
      });
    });
  }

  /**
   * Runs `work` when the previous answers on the connection are out, with a signal that aborts when the client disconnects.
   * Doesn't run it if the client has gone meanwhile. A client that closes only its side still gets its answer.
   */
  async inTurn(response: ServerResponse, work: (gone: AbortSignal) => Promise<void>): Promise<void> {
    const { socket } = response.req;
    const connection = this.connections.get(socket);
    if (!connection || socket.destroyed) return;
    if (connection.controller) await this.wait(connection);
    if (socket.destroyed) return;
    const controller = new AbortController();
    connection.controller = controller;
    const stopProbing = probeWhenEnded(socket, response);
    try {
      await work(controller.signal);
    } finally {
      stopProbing();
      connection.controller = undefined;
      this.next(connection);
    }
  }

  /** Resolves when it is the turn of the next request; never, when the client disconnects before. */
  private wait(connection: Connection): Promise<void> {
    return new Promise((resolve) => {
      connection.waiting.push(resolve);
      this.crowded.add(connection);
      this.waitingCount++;
      if (connection.waiting.length >= MAX_READ_AHEAD) connection.socket.pause();
      if (this.waitingCount > this.maxWaiting) this.mostCrowded().socket.destroy();
    });
  }

  private next(connection: Connection): void {
    const start = connection.waiting.shift();
    if (!start) return;
    this.waitingCount--;
    if (connection.waiting.length === 0) this.crowded.delete(connection);
    if (connection.waiting.length < MAX_READ_AHEAD) connection.socket.resume();
    start();
  }

  /** Forgets the requests that wait. */
  private drop(connection: Connection): void {
    this.waitingCount -= connection.waiting.length;
    connection.waiting.length = 0;
    this.crowded.delete(connection);
  }

  private mostCrowded(): Connection {
    let most: Connection | undefined;
    for (const connection of this.crowded) {
      if (!most || connection.waiting.length > most.waiting.length) most = connection;
    }
    // called while a request waits
    return most!;
  }
}

/**
 * Finds out whether a client is gone that has closed its side, by interim answers (100 Continue), which every client of
 * HTTP/1.1 has to skip: RFC 9110, section 15.2. Ends with the head of the answer, and when the returned function is called.
 */
function probeWhenEnded(socket: Socket, response: ServerResponse): () => void {
  let timer: NodeJS.Timeout | undefined;
  let probes = 0;
  const schedule = () => {
    const delay = PROBE_DELAYS_MS[Math.min(probes++, PROBE_DELAYS_MS.length - 1)];
    timer = setTimeout(() => {
      if (response.headersSent || socket.destroyed) return;
      response.writeContinue();
      schedule();
    }, delay).unref();
  };
  // HTTP/1.0 has no interim answers
  if (response.req.httpVersion !== '1.1') return () => undefined;
  if (socket.readableEnded) schedule();
  else socket.once('end', schedule);
  return () => {
    socket.off('end', schedule);
    clearTimeout(timer);
  };
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
