// The socket in front of the service: Node's own HTTP server, bounded in time and size on every side.
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { Logger } from 'pino';
import { MemoryBudget } from '../admission/memory-budget.js';
import type { ApiRequest, Service } from '../request.js';
import { logRequest } from './access-log.js';
import { BodyReader } from './body.js';
import { Connections } from './connections.js';
import { type ReaderLimits, send } from './send.js';
import { TurnQueue } from './turn-queue.js';

/** Milliseconds, unless it says otherwise. */
export interface HttpLimits extends ReaderLimits {
  /** For a request's headers, and for all of it. */
  readonly headers: number;
  readonly request: number;
  /** How often Node looks for clients that are later than that; 30 s by its own default. */
  readonly check: number;
  /** For an idle connection to stay. */
  readonly keepAlive: number;
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
  longest: 300_000,
  linger: 5000,
};
/** Connections that are open, and as many that have not been taken yet: what comes in a rush is refused, not dropped. */
export const MAX_CONNECTIONS = 4096;
const MAX_HEADERS = 100;

export interface HttpOptions {
  readonly limits?: HttpLimits;
  /** Where bodies lie until they are answered, and answers until they are read; without bound unless given. */
  readonly memoryBudget?: MemoryBudget;
}

/** Makes the server; `listen` is the caller's. */
export function createHttpServer(service: Service, log: Logger, options: HttpOptions = {}): Server {
  const { limits = LIMITS, memoryBudget = new MemoryBudget(Number.POSITIVE_INFINITY) } = options;
  const server = createServer({
    headersTimeout: limits.headers,
    requestTimeout: limits.request,
    keepAliveTimeout: limits.keepAlive,
    connectionsCheckingInterval: limits.check,
  });
  server.maxConnections = MAX_CONNECTIONS;
  // Node lets fall what is beyond: one more tells that there were too many
  server.maxHeadersCount = MAX_HEADERS + 1;
  const connections = new Connections(server);
  const turns = new TurnQueue();

  const handle = (request: IncomingMessage, response: ServerResponse, continues: boolean) => {
    if (request.rawHeaders.length > 2 * MAX_HEADERS) {
      response.writeHead(431, { Connection: 'close', 'Content-Length': 0 }).end();
      return;
    }
    const exchange = new Exchange(request, response, continues, { limits, memoryBudget });
    connections
      .withDisconnectSignal(request, async (gone) => {
        await turns.take();
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
    private readonly options: Required<HttpOptions>,
  ) {
    this.body = new BodyReader(request, options.memoryBudget, continues ? () => response.writeContinue() : undefined);
  }

  async run(service: Service, server: Server, log: Logger, gone: AbortSignal): Promise<void> {
    const { request, response, body } = this;
    const { limits, memoryBudget } = this.options;
    const began = performance.now();
    const apiRequest = this.toApiRequest(gone);
    const outcome = await service(apiRequest).finally(() => body.release());
    const { answer } = outcome;
    // A server that goes down keeps nobody; a body that nobody asked for may come or not, so nothing can follow it; and
    // one that is refused for its size, or for want of room, is not worth its connection.
    const isRefused = answer.status === 413 || (answer.status === 503 && body.isUnread);
    if (isRefused || !server.listening || body.isAwaitingContinue) response.setHeader('Connection', 'close');
    await send(response, answer, {
      isHead: request.method === 'HEAD',
      limits,
      memoryBudget,
      gone,
      between: () => (body.isAwaitingContinue ? Promise.resolve() : body.discard(limits.linger, gone)),
    });
    logRequest(log, outcome, {
      method: request.method,
      path: apiRequest.path,
      milliseconds: performance.now() - began,
      clientGone: gone.aborted && !response.writableFinished,
    });
  }

  private toApiRequest(signal: AbortSignal): ApiRequest {
    const { method = 'GET', url = '/', headers, headersDistinct } = this.request;
    const { authorization = [] } = headersDistinct;
    return {
      method,
      path: pathOf(url),
      // of two it could only be guessed which one is meant
      authorization: authorization.length === 1 ? authorization[0] : undefined,
      declaredBytes: this.body.declaredBytes,
      contentEncoding: headers['content-encoding'],
      body: (maxBytes) => this.body.read(maxBytes),
      signal,
    };
  }
}

/** The path of a request's target, be that a path or (as a proxy may send it) a whole URL; without the query. */
function pathOf(target: string): string {
  const [path] = target.replace(/^https?:\/\/[^/?#]*/i, '').split(/[?#]/, 1);
  return path === '' ? '/' : path;
}
