// A server that answers as a test scripts it, and records what it was asked.
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import type { Test } from 'tap';
import { createClient } from '../../lib/client/index.js';
import type { ClientOptions } from '../../lib/client/types.js';

export interface Asked {
  readonly method: string;
  readonly url: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
  /** When it had arrived, in milliseconds. */
  readonly time: number;
}

/** Answers one request; the last step answers all further ones. */
export type Step = (response: ServerResponse, request: IncomingMessage) => void;

export const API_KEY = `svc_live_${'a'.repeat(64)}`;

export function answer(status: number, body: unknown, headers: Readonly<Record<string, string>> = {}): Step {
  return (response) => {
    const isBytes = Buffer.isBuffer(body);
    response.writeHead(status, { 'Content-Type': isBytes ? 'image/png' : 'application/json', ...headers });
    response.end(body === undefined || isBytes ? body : JSON.stringify(body));
  };
}

export function failure(status: number, code: string, headers: Readonly<Record<string, string>> = {}): Step {
  return answer(status, { success: false, error: `the error ${code}`, code }, headers);
}

/** Closes the connection without an answer, after the request has arrived. */
export const cut: Step = (_response, request) => request.socket.destroy();

/** Sends a part of its answer, then closes the connection. */
export const cutInTheMiddle: Step = (response, request) => {
  response.writeHead(200, { 'Content-Type': 'image/png', 'Content-Length': '100' });
  response.write('half', () => request.socket.destroy());
};

export async function startStub(t: Test, steps: readonly Step[], options: Partial<ClientOptions> = {}) {
  const asked: Asked[] = [];
  const server = createServer(async (request, response) => {
    const body = await buffer(request);
    const { method = '', url = '', headers } = request;
    asked.push({ method, url, headers, body, time: performance.now() });
    steps[Math.min(asked.length, steps.length) - 1](response, request);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  t.teardown(() => {
    server.closeAllConnections();
    server.close();
  });
  const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return { asked, baseUrl, server, client: createClient({ baseUrl, apiKey: API_KEY, ...options }) };
}
