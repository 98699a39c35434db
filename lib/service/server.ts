// The socket in front of the service: Node's own HTTP server, bounded in time and size on every side.
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { Logger } from 'pino';
import { RenderError } from '../errors.js';
import type { Answer } from './answer.js';
import type { ApiRequest, Service } from './service.js';

/** Milliseconds for a request's headers, for all of it, and for an idle connection to stay. */
const HEADERS_MS = 10_000;
const REQUEST_MS = 30_000;
const KEEP_ALIVE_MS = 5_000;
/** A reader gets this long for any answer, and as much more as its size takes at this many bytes a second. */
const ANSWER_MS = 30_000;
const SLOWEST_READER = 50_000;
const MAX_CONNECTIONS = 4096;

/** Makes the server; `listen` is the caller's. */
export function createHttpServer(service: Service, log: Logger): Server {
  const server = createServer(
    {
      headersTimeout: HEADERS_MS,
      requestTimeout: REQUEST_MS,
      keepAliveTimeout: KEEP_ALIVE_MS,
      // Node looks for late clients only this often, every 30 s by default
      connectionsCheckingInterval: 1000,
    },
    (request, response) => {
      handle(request, response, service, log).catch((error) => {
        log.error({ err: error }, 'the answer could not be sent');
        response.destroy();
      });
    },
  );
  server.maxConnections = MAX_CONNECTIONS;
  server.maxHeadersCount = 100;
  return server;
}

async function handle(
  request: IncomingMessage,
  response: ServerResponse,
  service: Service,
  log: Logger,
): Promise<void> {
  const began = performance.now();
  const gone = new AbortController();
  response.on('close', () => gone.abort(new RenderError('internal_error', 'the client went away')));
  const path = (request.url ?? '/').split('?', 1)[0];
  const outcome = await service(toApiRequest(request, path, gone.signal));
  const { answer, requestId, code, keyId, workspaceId, cause } = outcome;
  if (answer.status === 413) response.setHeader('Connection', 'close');
  await send(response, answer, request.method === 'HEAD');
  const line = {
    requestId,
    method: request.method,
    path: path.slice(0, 200),
    status: answer.status,
    code,
    keyId,
    workspaceId,
    bytes: answer.length,
    ms: Math.round(performance.now() - began),
    ...(gone.signal.aborted && !response.writableFinished && { clientGone: true }),
  };
  if (cause === undefined || gone.signal.aborted) log.info(line);
  else log.error({ ...line, err: cause });
}

function toApiRequest(request: IncomingMessage, path: string, signal: AbortSignal): ApiRequest {
  return {
    method: request.method ?? 'GET',
    path,
    authorization: request.headers.authorization,
    body: (maxBytes) => readBody(request, maxBytes),
    signal,
  };
}

/** Collects the body as far as it is allowed to go. */
function readBody(request: IncomingMessage, maxBytes: number): Promise<Uint8Array> {
  const tooLarge = () => new RenderError('payload_too_large', `the body is larger than ${maxBytes} bytes`);
  if (Number(request.headers['content-length'] ?? 0) > maxBytes) return Promise.reject(tooLarge());
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let length = 0;
    request.on('data', (chunk: Buffer) => {
      length += chunk.length;
      if (length > maxBytes) {
        request.pause();
        reject(tooLarge());
      } else chunks.push(chunk);
    });
    request.on('end', () => resolve(Buffer.concat(chunks)));
    request.on('error', reject);
    request.on('close', () => reject(new RenderError('internal_error', 'the request was cut short')));
  });
}

/** Writes the answer as fast as the client reads, and drops a client that reads too slowly. */
async function send(response: ServerResponse, answer: Answer, withoutBody: boolean): Promise<void> {
  if (response.destroyed) return;
  const patience = ANSWER_MS + (answer.length / SLOWEST_READER) * 1000;
  const timer = setTimeout(() => response.destroy(), patience);
  timer.unref();
  try {
    for (const [name, value] of answer.headers) response.setHeader(name, value);
    if (answer.status !== 204) response.setHeader('Content-Length', answer.length);
    response.writeHead(answer.status);
    if (!withoutBody) {
      if (answer.body instanceof Uint8Array) response.write(answer.body);
      else {
        for (const piece of answer.body) {
          if (response.destroyed) break;
          if (!response.write(piece)) await drained(response);
        }
      }
    }
    response.end();
    await finished(response);
  } finally {
    clearTimeout(timer);
  }
}

function drained(response: ServerResponse): Promise<void> {
  return new Promise((resolve) => {
    const done = () => {
      response.off('drain', done);
      response.off('close', done);
      resolve();
    };
    response.on('drain', done);
    response.on('close', done);
  });
}

function finished(response: ServerResponse): Promise<void> {
  if (response.writableFinished || response.destroyed) return Promise.resolve();
  return new Promise((resolve) => {
    response.once('finish', resolve);
    response.once('close', resolve);
  });
}
