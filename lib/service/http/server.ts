// The HTTP server in front of the service: Node's own, with limits on every duration and size.
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { Logger } from 'pino';
import { MemoryBudget, type Owner } from '../admission/memory-budget.js';
import { type ApiRequest, isStream, type RequestOutcome, type Service } from '../request.js';
import { logRequest } from './access-log.js';
import { BodyReader } from './body.js';
import { BodyTurns } from './body-turns.js';
import { Connections } from './connections.js';
import { type ReaderLimits, send } from './send.js';

export interface HttpLimits extends ReaderLimits {
  /** Time for a request's headers, and for the whole request. */
  readonly headersMs: number;
  readonly requestMs: number;
  /** Interval at which Node enforces these two; its default is 30 s. */
  readonly checkIntervalMs: number;
  /** Time for which an idle connection stays open. */
  readonly keepAliveMs: number;
  /** Time for which the rest of a body is read after the answer, so that the client can read the answer. */
  readonly lingerMs: number;
}

const LIMITS: HttpLimits = {
  headersMs: 10_000,
  requestMs: 30_000,
  checkIntervalMs: 1000,
  keepAliveMs: 5000,
  answerMs: 30_000,
  minBytesPerSecond: 50_000,
  maxAnswerMs: 300_000,
  lingerMs: 5000,
};
/** Open connections; the accept backlog is as long, so that a burst gets 503 answers and not dropped connections. */
export const MAX_CONNECTIONS = 4096;
const MAX_HEADERS = 100;

export interface HttpOptions {
  readonly limits?: HttpLimits;
  /** Bounds the bodies and answers in memory; unlimited by default. */
  readonly memoryBudget?: MemoryBudget;
}

/** Creates the server; the caller makes it listen. */
export function createHttpServer(service: Service, log: Logger, options: HttpOptions = {}): Server {
  const { limits = LIMITS, memoryBudget = new MemoryBudget(Number.POSITIVE_INFINITY) } = options;
  const server = createServer({
    headersTimeout: limits.headersMs,
    requestTimeout: limits.requestMs,
    keepAliveTimeout: limits.keepAliveMs,
    connectionsCheckingInterval: limits.checkIntervalMs,
  });
  server.maxConnections = MAX_CONNECTIONS;
  // a client that has sent its request may close its side, and gets its answer
  (server as Server & { httpAllowHalfOpen: boolean }).httpAllowHalfOpen = true;
  // Node silently drops extra headers, so one more is allowed to detect the overflow
  server.maxHeadersCount = MAX_HEADERS + 1;
  const connections = new Connections(server);
  const turnQueue = new TurnQueue();
  const bodyTurns = new BodyTurns();

  const handle = (request: IncomingMessage, response: ServerResponse, expectsContinue: boolean) => {
    if (isAmbiguous(request)) return void response.writeHead(400, { Connection: 'close', 'Content-Length': 0 }).end();
    if (request.rawHeaders.length > 2 * MAX_HEADERS) {
      response.writeHead(431, { Connection: 'close', 'Content-Length': 0 }).end();
      return;
    }
    const exchange = new Exchange(request, response, expectsContinue, { limits, memoryBudget, bodyTurns });
    connections
      .inTurn(response, async (gone) => {
        await turnQueue.next();
        await exchange.run(service, server, log, gone);
      })
      .catch((error) => {
        log.error({ err: error }, 'the answer could not be sent');
        response.destroy();
      });
  };
  server.on('request', (request, response) => handle(request, response, false));
  // `Expect: 100-continue`: the client gets `100 Continue` when the body is wanted, otherwise its final answer at once
  server.on('checkContinue', (request, response) => handle(request, response, true));
  return server;
}

/**
 * Whether a proxy in front may read the request otherwise than this server: it has several Host headers (RFC 9112, section
 * 3.2), or it is of HTTP/0.9, which has no headers at all.
 */
function isAmbiguous({ httpVersionMajor, headersDistinct }: IncomingMessage): boolean {
  return httpVersionMajor < 1 || (headersDistinct.host?.length ?? 0) > 1;
}

/** A request and its answer on the socket. */
class Exchange {
  private readonly body: BodyReader;

  constructor(
    private readonly request: IncomingMessage,
    private readonly response: ServerResponse,
    expectsContinue: boolean,
    private readonly options: Required<HttpOptions> & { readonly bodyTurns: BodyTurns },
  ) {
    this.body = new BodyReader(
      request,
      options.memoryBudget,
      expectsContinue ? () => response.writeContinue() : undefined,
    );
  }

  async run(service: Service, server: Server, log: Logger, gone: AbortSignal): Promise<void> {
    const { request, response, body } = this;
    const { limits, memoryBudget } = this.options;
    const startedAt = performance.now();
    const apiRequest = this.toApiRequest(gone);
    const outcome = await service(apiRequest).catch((error) => {
      body.release();
      throw error;
    });
    const { answer } = outcome;
    // what a stream is made of may be in the body
    if (!isStream(answer.body)) body.release();
    // Closes the connection when the server stops; when a body may or may not follow, so that the next request could not be
    // found; and when a body was rejected for its size or for lack of memory, instead of receiving it.
    const isBodyRejected = answer.status === 413 || (answer.status === 503 && body.isUnread);
    if (isBodyRejected || !server.listening || body.isAwaitingContinue) response.setHeader('Connection', 'close');
    const sentBytes = await send(response, answer, {
      isHead: request.method === 'HEAD',
      limits,
      memoryBudget,
      owner: ownerOf(outcome),
      gone,
      beforeEnd: () => (body.isAwaitingContinue ? Promise.resolve() : body.discard(limits.lingerMs, gone)),
    }).finally(() => body.release());
    logRequest(log, outcome, {
      method: request.method,
      path: apiRequest.path,
      milliseconds: performance.now() - startedAt,
      sentBytes,
      clientGone: gone.aborted && !response.writableFinished,
    });
  }

  private toApiRequest(signal: AbortSignal): ApiRequest {
    const { method = 'GET', url = '/', headers, headersDistinct } = this.request;
    // two headers are ambiguous, so neither is used
    const header = (name: string) => {
      const values = headersDistinct[name] ?? [];
      return values.length === 1 ? values[0] : undefined;
    };
    return {
      method,
      ...splitTarget(url),
      authority: authorityOf(url, header('host')),
      header,
      authorization: header('authorization'),
      declaredBytes: this.body.declaredBytes,
      contentEncoding: headers['content-encoding'],
      idempotencyKeys: headersDistinct['idempotency-key'],
      ifMatch: headers['if-match'],
      ifNoneMatch: headers['if-none-match'],
      body: async (maxBytes, owner) => {
        const bytes = await this.body.read(maxBytes, owner);
        await this.options.bodyTurns.next(owner, bytes.length);
        signal.throwIfAborted();
        return bytes;
      },
      signal,
    };
  }
}

/** Who reads the answer: the workspace of a valid key or link, or an operator. */
function ownerOf({ workspaceId, operatorId }: RequestOutcome): Owner {
  return workspaceId ?? operatorId;
}

/** RFC 9112, section 3.2.2: the host of an absolute target replaces the Host header. Clients send the same in both. */
function authorityOf(target: string, host: string | undefined): string | undefined {
  const [, named] = /^https?:\/\/([^/?#]*)/i.exec(target) ?? [];
  return named === undefined || named.toLowerCase() === host?.toLowerCase() ? host : undefined;
}

/** The path and the query of a request target, which is a path, or a whole URL when a proxy sends it. */
function splitTarget(target: string): { path: string; query: string } {
  const [beforeFragment] = target.replace(/^https?:\/\/[^/?#]*/i, '').split('#', 1);
  const start = beforeFragment.indexOf('?');
  const path = start < 0 ? beforeFragment : beforeFragment.slice(0, start);
  return { path: path === '' ? '/' : path, query: start < 0 ? '' : beforeFragment.slice(start + 1) };
}

/**
 * Starts at most one request per turn of the event loop. Node accepts one new connection per turn (libuv since 1.45) and
 * receives finished renders once per turn. If a burst on 200 kept connections started in one turn, new connections would
 * wait for 2 s (now 0.07 s at the 99th percentile), and render processes for work: with 256 clients in a closed loop the
 * throughput was 45 images a second, and is 200 now.
 */
export class TurnQueue {
  private readonly waiting: (() => void)[] = [];
  private hasStartedOne = false;

  /** Resolves when the next request may start: at once if none has started in this turn. */
  async next(): Promise<void> {
    if (this.hasStartedOne) return new Promise((resolve) => this.waiting.push(resolve));
    this.hasStartedOne = true;
    setImmediate(() => this.startNext());
  }

  private startNext(): void {
    const resolve = this.waiting.shift();
    this.hasStartedOne = resolve !== undefined;
    if (!resolve) return;
    setImmediate(() => this.startNext());
    resolve();
  }
}
