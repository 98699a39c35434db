// The admin API, `/dashboard/api/…`. Every state change carries the header that forms of other sites can't send.
import type { Failure } from '../../lib/contract/dashboard.js';

const BASE = '/dashboard/api/';

/** Values of a query; undefined and empty ones are left out. */
export type QueryValues = Readonly<Record<string, string | number | undefined>>;

/** An answer with an error status, or no answer at all (`code` is then `unreachable`). */
export class ApiError extends Error {
  readonly status: number;
  readonly code: string;
  /** Faults of fields; `path` names the field of the body. */
  readonly details: readonly { readonly path: string; readonly message: string }[];
  readonly retryAfterSeconds: number | undefined;
  readonly requestId: string | undefined;
  /** Ids of the templates that use the asset, for the code `asset_in_use`. */
  readonly templates: readonly string[];

  constructor(status: number, failure: Partial<Failure>, retryAfter?: string | null) {
    super(failure.error ?? 'The server answered with an error');
    this.status = status;
    this.code = failure.code ?? 'internal_error';
    this.details = failure.details ?? [];
    this.retryAfterSeconds = retryAfter ? Number(retryAfter) : undefined;
    this.requestId = failure.requestId;
    this.templates = failure.templates ?? [];
  }
}

/** Called when the server says that there is no session; the session store sets it. */
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

/** Sends a request. `json` is the text of the body. Rejects with ApiError, or with the reason of an aborted signal. */
async function request<Answer>(method: string, path: string, json?: string, options?: RequestInit): Promise<Answer> {
  const headers = new Headers(options?.headers);
  if (method !== 'GET') headers.set('x-platen-csrf', '1');
  if (json !== undefined) headers.set('content-type', 'application/json');
  const sent = { ...options, method, headers, ...(json !== undefined && { body: json }) };
  // an answer may break off too
  const unreachable = (error: unknown): never => {
    if (options?.signal?.aborted) throw error;
    throw new ApiError(0, { code: 'unreachable', error: 'The server can’t be reached' });
  };
  const response = await fetch(BASE + path, { credentials: 'same-origin', ...sent }).catch(unreachable);
  if (response.status === 204) return undefined as Answer;
  if (response.ok) return await response.json().catch(unreachable);
  const body: Partial<Failure> = await response.json().catch(() => ({}));
  if (body.code === 'signed_out') onSignedOut();
  throw new ApiError(response.status, body, response.headers.get('retry-after'));
}

/**
 * Sends a file as it is: `await upload<AssetAnswer>(inWorkspace('assets'), file, { onProgress, signal })`. Rejects as the
 * operations of `api` do.
 */
export function upload<Answer>(path: string, file: Blob, { onProgress, signal }: UploadOptions): Promise<Answer> {
  return new Promise((resolve, reject) => {
    // fetch doesn't report upload progress
    const sent = new XMLHttpRequest();
    sent.open('POST', BASE + path);
    sent.setRequestHeader('x-platen-csrf', '1');
    sent.setRequestHeader('content-type', 'application/octet-stream');
    sent.responseType = 'json';
    sent.upload.onprogress = ({ loaded, total }) => onProgress(total > 0 ? loaded / total : 0);
    sent.onload = () => {
      const { status, response } = sent;
      if (status >= 200 && status < 300) return resolve(response as Answer);
      const failure: Partial<Failure> = response ?? {};
      if (failure.code === 'signed_out') onSignedOut();
      reject(new ApiError(status, failure, sent.getResponseHeader('retry-after')));
    };
    sent.onerror = () => reject(new ApiError(0, { code: 'unreachable', error: 'The server can’t be reached' }));
    sent.onabort = () => reject(signal.reason);
    signal.addEventListener('abort', () => sent.abort());
    sent.send(file);
  });
}

export interface UploadOptions {
  /** Called with the share that has been sent, 0 to 1. */
  readonly onProgress: (share: number) => void;
  readonly signal: AbortSignal;
}

/** The operations, such as `await api.get<{ items: KeyAnswer[] }>(inWorkspace('keys'))`. They reject with ApiError. */
export const api = {
  get: <Answer>(path: string, options?: RequestInit) => request<Answer>('GET', path, undefined, options),
  post: <Answer>(path: string, body: unknown = {}, options?: RequestInit) =>
    request<Answer>('POST', path, JSON.stringify(body), options),
  /** Posts JSON text exactly as it is. */
  postText: <Answer>(path: string, json: string) => request<Answer>('POST', path, json),
  put: <Answer>(path: string, body: unknown, options?: RequestInit) =>
    request<Answer>('PUT', path, JSON.stringify(body), options),
  delete: <Answer = void>(path: string, options?: RequestInit) => request<Answer>('DELETE', path, undefined, options),
};
