// Sends one call, and sends it again after failures that may pass: exponential back-off with jitter, within the call's time.
import { errorOfAnswer, PlatenError } from './error.js';
import type { CallOptions, ClientOptions } from './types.js';

/** Further attempts after the first. */
const RETRIES = 3;
const TIMEOUT_MS = 120_000;
/** The longest wait before the first retry; it doubles with each. */
const FIRST_WAIT_MS = 500;
const MAX_WAIT_MS = 8000;
/** The shortest wait for an earlier attempt that is still running. */
const MIN_RUNNING_WAIT_MS = 50;
/** Timers take 31 bits; longer ones would end at once. */
const MAX_TIMER_MS = 2 ** 31 - 1;

export interface Call {
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  /** Path with the leading slash; ids in it are encoded. */
  readonly path: string;
  readonly query?: Readonly<Record<string, string | number | boolean | Date | undefined>>;
  readonly headers?: Readonly<Record<string, string | undefined>>;
  readonly json?: unknown;
  readonly file?: Uint8Array<ArrayBuffer> | ArrayBuffer | Blob;
  /** Media type of the file; `application/octet-stream` by default. */
  readonly contentType?: string;
  /** Whether the call may be sent twice although the first may have had its effect. */
  readonly isRepeatable: boolean;
}

/** An answer of success, read to its end. */
export interface ServerAnswer {
  readonly status: number;
  readonly headers: Headers;
  readonly bytes: Uint8Array<ArrayBuffer>;
}

/** A failed attempt. */
interface Failure {
  readonly error: PlatenError;
  /** Whether the server certainly did nothing. */
  readonly wasRefused: boolean;
  readonly retryAfterMs: number | undefined;
}

export interface Transport {
  /** Sends a call until it succeeds, fails for good, or its time is over. */
  send(call: Call, options?: CallOptions): Promise<ServerAnswer>;
  /** The same for an answer that is read while the server makes it: the time is that of each wait for more of it. */
  stream(call: Call, options?: CallOptions): AsyncGenerator<Uint8Array, void>;
  /** Waits before a stream that was cut is asked for again, `cuts` times in a row without anything new; else throws `error`. */
  retryAfterCut(error: unknown, cuts: number, options: CallOptions): Promise<void>;
}

export function createTransport(clientOptions: ClientOptions): Transport {
  const client = { ...clientOptions, ...limits(clientOptions) };
  const base = String(client.baseUrl).replace(/\/+$/, '');
  // a wrong address or key would look like a network failure
  if (!URL.canParse(base)) throw optionError('baseUrl', client.baseUrl, 'the address of the server');
  if (typeof client.apiKey !== 'string' || !/^[\x21-\x7e]+$/.test(client.apiKey)) {
    throw optionError('apiKey', undefined, 'an API key, without blanks');
  }
  const fetchAnswer = client.fetch ?? ((url: string, init: RequestInit) => fetch(url, init));
  const limitsOf = (options: CallOptions) => {
    const { retries = RETRIES, timeoutMs = TIMEOUT_MS } = { ...client, ...limits(options) };
    return { retries, timeoutMs };
  };

  async function retrying<Result extends object>(
    call: Call,
    options: CallOptions,
    attemptOnce: (url: string, init: RequestInit) => Promise<Result | Failure>,
  ): Promise<Result | ServerAnswer> {
    const { retries, timeoutMs } = limitsOf(options);
    const init = requestOf(call, client.apiKey);
    const url = base + call.path + searchOf(call.query);
    const deadline = Date.now() + timeoutMs;
    const stop = stopAt(timeoutMs, options.signal);
    try {
      for (let attempt = 0, isUncertain = false; ; ) {
        const result = await attemptOnce(url, { ...init, signal: stop.signal });
        if (!('error' in result)) return result;
        // the delete that was cut off had been done
        if (isUncertain && call.method === 'DELETE' && result.error.status === 404) return GONE;
        stop.check(result.error.cause);
        const isRunning = result.error.code === 'idempotency_in_progress';
        const waitMs = Math.max(result.retryAfterMs ?? backOff(attempt), isRunning ? MIN_RUNNING_WAIT_MS : 0);
        const isTransient = result.wasRefused || (call.isRepeatable && isPassing(result.error));
        if (!isTransient || attempt >= retries || Date.now() + waitMs > deadline) throw result.error;
        isUncertain ||= !result.wasRefused;
        // an earlier attempt is still at work: waiting for it is no failure
        if (!isRunning) attempt++;
        await stop.wait(waitMs);
      }
    } finally {
      stop.end();
    }
  }

  return {
    send: (call, options = {}) =>
      retrying(call, options, (url, init) => attemptOnce(fetchAnswer, url, init, readAnswer)) as Promise<ServerAnswer>,
    async *stream(call, options = {}) {
      const { timeoutMs } = limitsOf(options);
      const reading = new AbortController();
      const abort = () => reading.abort(options.signal?.reason);
      if (options.signal?.aborted) abort();
      options.signal?.addEventListener('abort', abort);
      try {
        const response = (await retrying(call, options, (url, { signal, ...init }) => {
          signal?.addEventListener('abort', () => reading.abort(signal.reason), { once: true });
          return attemptOnce(fetchAnswer, url, { ...init, signal: reading.signal }, async (answer) => answer);
        })) as Response;
        yield* chunksOf(response, reading, timeoutMs);
      } finally {
        options.signal?.removeEventListener('abort', abort);
        // the caller may have left before the end
        reading.abort();
      }
    },
    async retryAfterCut(error, cuts, options) {
      const { retries } = limitsOf(options);
      const isCut = error instanceof PlatenError && error.code === 'network_error' && error.status === 200;
      if (!isCut || cuts >= retries) throw error;
      const stop = stopAt(MAX_TIMER_MS, options.signal);
      await stop.wait(backOff(cuts)).finally(() => stop.end());
    },
  };
}

/** The body of an answer as it arrives. Throws PlatenError `timeout` when nothing more arrives in time. */
async function* chunksOf(
  { body }: Response,
  reading: AbortController,
  timeoutMs: number,
): AsyncGenerator<Uint8Array, void> {
  const reader = body?.getReader();
  const late = new PlatenError(`no more of the answer within ${timeoutMs} ms`, { status: 200, code: 'timeout' });
  for (;;) {
    const timer = setTimeout(() => reading.abort(late), Math.min(timeoutMs, MAX_TIMER_MS));
    try {
      const next = await reader?.read();
      if (!next || next.done) return;
      clearTimeout(timer);
      yield next.value;
    } catch (cause) {
      if (reading.signal.aborted) throw reading.signal.reason;
      const message = `the answer was cut off: ${reasonOf(cause)}`;
      throw new PlatenError(message, { status: 200, code: 'network_error', cause });
    } finally {
      clearTimeout(timer);
    }
  }
}

const GONE: ServerAnswer = { status: 204, headers: new Headers(), bytes: new Uint8Array() };

function requestOf(
  { method, headers = {}, json, file, contentType = 'application/octet-stream' }: Call,
  apiKey: string,
): RequestInit {
  const body = json === undefined ? file : JSON.stringify(json);
  const type = json === undefined ? contentType : 'application/json';
  const headerList = Object.entries({ ...headers, ...(body !== undefined && { 'Content-Type': type }) });
  return {
    method,
    // throws at once what fetch would report as a failure of the network
    headers: new Headers([['Authorization', `Bearer ${apiKey}`], ...headerList.filter(isGiven)]),
    ...(body !== undefined && { body }),
  };
}

function isGiven(pair: [string, string | undefined]): pair is [string, string] {
  return pair[1] !== undefined;
}

function searchOf(query: Call['query'] = {}): string {
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    if (value !== undefined) search.set(name, value instanceof Date ? value.toISOString() : String(value));
  }
  return search.size > 0 ? `?${search}` : '';
}

async function readAnswer(response: Response): Promise<ServerAnswer> {
  const bytes = new Uint8Array(await response.arrayBuffer());
  return { status: response.status, headers: response.headers, bytes };
}

/** Sends one attempt. `read` converts a successful answer. */
async function attemptOnce<Result>(
  fetchAnswer: NonNullable<ClientOptions['fetch']>,
  url: string,
  init: RequestInit,
  read: (response: Response) => Promise<Result>,
): Promise<Result | Failure> {
  try {
    const response = await fetchAnswer(url, init);
    if (response.ok || response.status === 304) return await read(response);
    const { bytes, headers } = await readAnswer(response);
    const error = errorOfAnswer(response, new TextDecoder().decode(bytes));
    return { error, wasRefused: isRefusal(error), retryAfterMs: retryAfter(headers) };
  } catch (cause) {
    const message = `no answer from ${new URL(url).origin}: ${reasonOf(cause)}`;
    const error = new PlatenError(message, { status: 0, code: 'network_error', cause });
    return { error, wasRefused: NEVER_SENT.has(codeOf(cause)), retryAfterMs: undefined };
  }
}

/** Node's codes of connections that never came about. */
const NEVER_SENT = new Set<unknown>(['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'UND_ERR_CONNECT_TIMEOUT']);

function codeOf(error: unknown): unknown {
  const { cause } = error as { cause?: { code?: unknown } };
  return cause?.code;
}

function reasonOf(error: unknown): string {
  const { cause, message } = error as { cause?: { message?: string }; message?: string };
  return cause?.message || String(codeOf(error) ?? message ?? error);
}

/** Whether the server did nothing. After `storage_unavailable` a write may have been made all the same. */
function isRefusal({ status, code }: PlatenError): boolean {
  return status === 429 || code === 'overloaded' || code === 'idempotency_in_progress';
}

/** Whether the same call may succeed later: the connection or the storage failed, or a proxy lost the server. */
function isPassing({ status, code }: PlatenError): boolean {
  const isProxys = code === 'unexpected_answer' && (status === 502 || status === 503 || status === 504);
  return code === 'network_error' || code === 'storage_unavailable' || isProxys;
}

/** RFC 9110, section 10.2.3: seconds, or a date. */
function retryAfter(headers: Headers): number | undefined {
  const value = headers.get('Retry-After');
  if (!value) return undefined;
  const ms = /^\d+$/.test(value) ? Number(value) * 1000 : Date.parse(value) - Date.now();
  return Number.isNaN(ms) ? undefined : Math.max(0, ms);
}

/** "Full jitter": clients that failed together do not come back together. */
function backOff(attempt: number): number {
  return Math.random() * Math.min(MAX_WAIT_MS, FIRST_WAIT_MS * 2 ** attempt);
}

/** Stops a call when its time is over or its caller aborts. AbortSignal.any is too new for some runtimes. */
function stopAt(timeoutMs: number, signal: AbortSignal | undefined) {
  const controller = new AbortController();
  const late = new PlatenError(`no answer within ${timeoutMs} ms`, { status: 0, code: 'timeout' });
  const abort = () => controller.abort(signal?.reason);
  const timer = setTimeout(() => controller.abort(late), Math.min(timeoutMs, MAX_TIMER_MS));
  if (signal?.aborted) abort();
  signal?.addEventListener('abort', abort);
  return {
    signal: controller.signal,
    /** Throws why the call was stopped, if it was; `cause` is what it failed with. */
    check: (cause?: unknown) => {
      if (!controller.signal.aborted) return;
      const { reason } = controller.signal;
      if (reason === late && cause !== late && cause !== undefined) late.cause = cause;
      throw reason;
    },
    wait: (ms: number) =>
      new Promise<void>((resolve, reject) => {
        const wake = setTimeout(
          () => {
            controller.signal.removeEventListener('abort', give);
            resolve();
          },
          Math.min(ms, MAX_TIMER_MS),
        );
        const give = () => {
          clearTimeout(wake);
          reject(controller.signal.reason);
        };
        controller.signal.addEventListener('abort', give, { once: true });
      }),
    end: () => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', abort);
    },
  };
}

/** The numbers among the options, without those that are undefined. Throws PlatenError `invalid_request` for a bad one. */
function limits({ retries, timeoutMs }: CallOptions): Pick<CallOptions, 'retries' | 'timeoutMs'> {
  const isWhole = (value: unknown, min: number) => Number.isSafeInteger(value) && Number(value) >= min;
  if (retries !== undefined && !isWhole(retries, 0)) {
    throw optionError('retries', retries, 'a whole number of at least 0');
  }
  if (timeoutMs !== undefined && !isWhole(timeoutMs, 1)) {
    throw optionError('timeoutMs', timeoutMs, 'a whole number of at least 1');
  }
  return { ...(retries !== undefined && { retries }), ...(timeoutMs !== undefined && { timeoutMs }) };
}

/** The error of an option. `received` is undefined where it must not be shown. */
function optionError(name: string, received: unknown, expected: string): PlatenError {
  const value = typeof received === 'string' ? JSON.stringify(received) : String(received);
  const message = `${name}: ${received === undefined ? '' : `received ${value}, `}expected ${expected}`;
  return new PlatenError(message, { status: 0, code: 'invalid_request' });
}
