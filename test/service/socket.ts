// A service behind a real socket, and raw clients that can misbehave.

import type { AddressInfo } from 'node:net';
import { connect, type Socket } from 'node:net';
import { pino } from 'pino';
import type { Test } from 'tap';
import { MemoryBudget } from '../../lib/service/admission/memory-budget.js';
import { createHttpServer, type HttpLimits } from '../../lib/service/http/server.js';
import type { Service } from '../../lib/service/request.js';

export interface Listening {
  readonly port: number;
  readonly url: string;
  /** The log's lines so far. */
  readonly log: Record<string, unknown>[];
  /** Server side ends of the connections that are open. */
  readonly sockets: ReadonlySet<Socket>;
}

/** Long enough for a busy machine. */
const LIMITS: HttpLimits = {
  headersMs: 20_000,
  requestMs: 20_000,
  checkIntervalMs: 50,
  keepAliveMs: 20_000,
  answerMs: 20_000,
  minBytesPerSecond: 50_000,
  maxAnswerMs: 300_000,
  lingerMs: 20_000,
};

export async function listen(
  t: Test,
  service: Service,
  limits: Partial<HttpLimits> = {},
  memoryBudget = new MemoryBudget(Number.POSITIVE_INFINITY),
): Promise<Listening> {
  const log: Record<string, unknown>[] = [];
  const sockets = new Set<Socket>();
  const logger = pino({}, { write: (line) => log.push(JSON.parse(line)) });
  const server = createHttpServer(service, logger, { limits: { ...LIMITS, ...limits }, memoryBudget });
  server.on('connection', (socket) => {
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  t.teardown(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });
  const { port } = server.address() as AddressInfo;
  return { port, url: `http://127.0.0.1:${port}`, log, sockets };
}

/** A client that sends exactly the given bytes and collects what it receives. */
export interface Raw {
  readonly socket: Socket;
  send(text: string | Uint8Array): void;
  /** The bytes that have arrived so far, as Latin-1. */
  heard(): string;
  /** Resolves when that contains `pattern`, or with what there is when the connection ends before. */
  hears(pattern: RegExp): Promise<string>;
  /** Resolves with all that arrived when the connection is closed: by its end, or by a reset. */
  readonly closed: Promise<{ text: string; reset: boolean }>;
}

export function raw(t: Test, port: number, { paused = false } = {}): Raw {
  const chunks: Buffer[] = [];
  let reset = false;
  const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true });
  const heard = () => Buffer.concat(chunks).toString('latin1');
  if (!paused) socket.on('data', (chunk) => chunks.push(chunk));
  socket.on('end', () => socket.end());
  socket.on('error', () => {
    reset = true;
  });
  t.teardown(() => socket.destroy());
  return {
    socket,
    send: (text) => void socket.write(text),
    heard,
    hears: (pattern) =>
      new Promise((resolve) => {
        const look = () => {
          if (!pattern.test(heard()) && !socket.destroyed) return;
          socket.off('data', look).off('close', look);
          resolve(heard());
        };
        socket.on('data', look).on('close', look);
        look();
      }),
    closed: new Promise((resolve) => socket.once('close', () => resolve({ text: heard(), reset }))),
  };
}

export interface RawRequest {
  readonly key?: string;
  readonly body?: string;
  readonly headers?: readonly string[];
  /** Said in place of the body's own length; none when null. */
  readonly length?: number | null;
}

/** A POST to /v1/render as it goes over the wire. */
export function post({ key, body = '', headers = [], length = Buffer.byteLength(body) }: RawRequest): string {
  const lines = [
    'POST /v1/render HTTP/1.1',
    'Host: test',
    ...(key === undefined ? [] : [`Authorization: Bearer ${key}`]),
    ...(length === null ? [] : [`Content-Length: ${length}`]),
    ...headers,
  ];
  return `${lines.join('\r\n')}\r\n\r\n${body}`;
}
