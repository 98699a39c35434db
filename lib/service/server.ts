// The socket in front of the service: Node's own HTTP server, bounded in time and size on every side.
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { Logger } from 'pino';
import type { Answer } from './answer.js';
import { BodyReader } from './body.js';
import { Connections, until } from './connections.js';
import type { ApiRequest, Service } from './service.js';

/** Milliseconds, unless it says otherwise. */
export interface HttpLimits {
  /** For a request's headers, and for all of it. */
  readonly headers: number;
  readonly request: number;
  /** How often Node looks for clients that are later than that; 30 s by its own default. */
  readonly check: number;
  /** For an idle connection to stay. */
  readonly keepAlive: number;
  /** A reader gets this long for any answer, and as much more as its size takes at `slowestReader` bytes a second. */
  readonly answer: number;
  readonly slowestReader: number;
  /** A client that still sends is heard out for so long after its answer, so that it can read it. */
  readonly linger: number;
}

const LIMITS: HttpLimits = {
  headers: 10_000,
  request: 30_000,
  check: 1000,
  keepAlive: 5000,
  answer: 30_000,
  slowestReader: 50_000,
  linger: 5000,
};
const MAX_CONNECTIONS = 4096;
const MAX_HEADERS = 100;

/** Makes the server; `listen` is the caller's. */
export function createHttpServer(service: Service, log: Logger, limits: HttpLimits = LIMITS): Server {
  const server = createServer({
    headersTimeout: limits.headers,
    requestTimeout: limits.request,
    keepAliveTimeout: limits.keepAlive,
    connectionsCheckingInterval: limits.check,
  });
  server.maxConnections = MAX_CONNECTIONS;
  server.maxHeadersCount = MAX_HEADERS;
  const connections = new Connections(server);

  const handle = (request: IncomingMessage, response: ServerResponse, continues: boolean) => {
    const exchange = new Exchange(request, response, continues, limits);
    connections
      .during(request, async (gone) => {
        await exchange.run(service, server, log, gone);
      })
      .catch((error) => {
        log.error({ err: error }, 'the answer could not be sent');
        response.destroy();
      });
  };
  server.on('request', (request, response) => handle(request, response, false));
  // The client waits for a word before it sends the body: it gets one when the body is wanted, or its refusal at once.
  server.on('checkContinue', (request, response) => handle(request, response, true));
  return server;
}

/** One request and its answer. */
class Exchange {
  private readonly body: BodyReader;

  constructor(
    private readonly request: IncomingMessage,
    private readonly response: ServerResponse,
    continues: boolean,
    private readonly limits: HttpLimits,
  ) {
    this.body = new BodyReader(request, continues ? () => response.writeContinue() : undefined);
  }

  async run(service: Service, server: Server, log: Logger, gone: AbortSignal): Promise<void> {
    const { request, response } = this;
    const began = performance.now();
    const apiRequest = this.toApiRequest(gone);
    const { answer, requestId, code, keyId, workspaceId, cause } = await service(apiRequest);
    // A server that goes down keeps nobody; and a body that nobody asked for may come or not, so nothing can follow it.
    if (answer.status === 413 || !server.listening || this.body.isUnasked) response.setHeader('Connection', 'close');
    await this.send(answer, gone);
    const line = {
      requestId,
      method: request.method,
      path: apiRequest.path.slice(0, 200),
      status: answer.status,
      code,
      keyId,
      workspaceId,
      bytes: answer.length,
      ms: Math.round(performance.now() - began),
      ...(gone.aborted && !response.writableFinished && { clientGone: true }),
    };
    if (cause === undefined || gone.aborted) log.info(line);
    else log.error({ ...line, err: cause });
  }

  private toApiRequest(signal: AbortSignal): ApiRequest {
    const { method = 'GET', url = '/', headersDistinct } = this.request;
    const { authorization = [] } = headersDistinct;
    return {
      method,
      path: pathOf(url),
      // of two it could only be guessed which one is meant
      authorization: authorization.length === 1 ? authorization[0] : undefined,
      body: (maxBytes) => this.body.read(maxBytes),
      signal,
    };
  }

  /** Writes the answer as fast as the client reads, and drops a client that reads too slowly. */
  private async send(answer: Answer, gone: AbortSignal): Promise<void> {
    const { request, response, limits } = this;
    // of pipelined requests, an answer waits for those before it
    if (!response.socket) await until(response, 'socket', gone);
    if (gone.aborted || response.destroyed) return;
    const patience = limits.answer + (answer.length / limits.slowestReader) * 1000;
    const timer = setTimeout(() => response.destroy(), patience);
    timer.unref();
    try {
      for (const [name, value] of answer.headers) response.setHeader(name, value);
      if (answer.status !== 204) response.setHeader('Content-Length', answer.length);
      response.writeHead(answer.status);
      response.flushHeaders();
      if (request.method !== 'HEAD') await this.write(answer.body, gone);
      if (!this.body.isUnasked) await this.body.discard(limits.linger, gone);
      if (gone.aborted) return;
      response.end();
      if (!response.writableFinished) await until(response, 'finish', gone);
    } finally {
      clearTimeout(timer);
    }
  }

  /** Ends when all of it is handed to the system, or the client is gone: only then may the response be called finished. */
  private async write(body: Answer['body'], gone: AbortSignal): Promise<void> {
    const { response } = this;
    for (const piece of body instanceof Uint8Array ? [body] : body) {
      if (gone.aborted || response.destroyed) return;
      if (piece.length > 0 && !response.write(piece)) await until(response, 'drain', gone);
    }
  }
}

/** The path of a request's target, be that a path or (as a proxy may send it) a whole URL; without the query. */
function pathOf(target: string): string {
  const [path] = target.replace(/^https?:\/\/[^/?#]*/i, '').split(/[?#]/, 1);
  return path === '' ? '/' : path;
}
