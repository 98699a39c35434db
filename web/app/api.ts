// The admin API, `/dashboard/api/…`. Every state change carries the header that forms of other sites can't send.
import type { Failure } from '../../lib/contract/dashboard.js';

const BASE = '/dashboard/api/';

/** What a query's values may be; undefined and empty ones are left out. */
export type QueryValues = Readonly<Record<string, string | number | undefined>>;

/** An answer that is no success, or no answer at all (`code` is then `unreachable`). */
export class ApiError extends Error {
  readonly status: number;
  readonly code: string;
  /** Faults of fields: `path` names the field of the body. */
  readonly details: readonly { readonly path: string; readonly message: string }[];
  readonly retryAfterSeconds: number | undefined;
  readonly requestId: string | undefined;

  constructor(status: number, failure: Partial<Failure>, retryAfter?: string | null) {
    super(failure.error ?? 'The server answered with an error');
    this.status = status;
    this.code = failure.code ?? 'internal_error';
    this.details = failure.details ?? [];
    this.retryAfterSeconds = retryAfter ? Number(retryAfter) : undefined;
    this.requestId = failure.requestId;
  }
}

/** What to do once the server says that there is no session; the session store sets it. */
let onSignedOut: () => void = () => {};
export function whenSignedOut(action: () => void): void {
  onSignedOut = action;
}

/** `withQuery('keys', { limit: 50, cursor: undefined })` → `keys?limit=50`. */
export function withQuery(path: string, values: QueryValues): string {
  const filled = Object.entries(values).filter(([, value]) => value !== undefined && value !== '');
  const query = new URLSearchParams(filled.map(([name, value]) => [name, String(value)]));
  return query.size > 0 ? `${path}?${query}` : path;
}

/** A request to `/dashboard/api/PATH` whose answer is anything; not checked for success. Rejects with ApiError without one. */
export async function send(path: string, options: RequestInit = {}): Promise<Response> {
  try {
    return await fetch(BASE + path, { credentials: 'same-origin', ...options });
  } catch (error) {
    if (options.signal?.aborted) throw error;
    throw new ApiError(0, { code: 'unreachable', error: 'The server can’t be reached' });
  }
}

/** The ApiError of an answer that is no success. */
export async function failureOf(response: Response): Promise<ApiError> {
  const body: Partial<Failure> = await response.json().catch(() => ({}));
  return new ApiError(response.status, body, response.headers.get('retry-after'));
}

async function request<Answer>(method: string, path: string, body?: unknown, options?: RequestInit): Promise<Answer> {
  const headers = new Headers(options?.headers);
  if (method !== 'GET') headers.set('x-platen-csrf', '1');
  if (body !== undefined) headers.set('content-type', 'application/json');
  const sent = { ...options, method, headers, ...(body !== undefined && { body: JSON.stringify(body) }) };
  const response = await send(path, sent);
  if (response.status === 204) return undefined as Answer;
  if (response.ok) return (await response.json()) as Answer;
  const failure = await failureOf(response);
  if (failure.code === 'signed_out') onSignedOut();
  throw failure;
}

/** `await api.get<{ items: KeyAnswer[] }>(inWorkspace('keys'))`. Rejects with ApiError. */
export const api = {
  get: <Answer>(path: string, options?: RequestInit) => request<Answer>('GET', path, undefined, options),
  post: <Answer>(path: string, body: unknown = {}, options?: RequestInit) =>
    request<Answer>('POST', path, body, options),
  put: <Answer>(path: string, body: unknown, options?: RequestInit) => request<Answer>('PUT', path, body, options),
  delete: <Answer = void>(path: string, options?: RequestInit) => request<Answer>('DELETE', path, undefined, options),
};
