// An operation of the API as data. OpenAPI, GET /docs and the tests of the documentation are made from these.
import type * as z from 'zod';
import type { ErrorCode } from '../../../errors.js';

export type Scope = 'render:write' | 'render:read' | 'templates:read' | 'templates:write' | 'batch:write';

/** The request headers that operations read. */
export const REQUEST_HEADERS = {
  'Idempotency-Key':
    'Names this request, so that it is charged once however often it is sent: 1 to 255 printable ASCII characters, valid for 24 hours',
  'If-Match':
    'The ETag that the template or brand must have, such as "3.2", or its latest version, such as "3"; otherwise the answer is 412',
  'If-None-Match': 'The ETag that the client has; if the answer would have the same one, it is 304',
};

/** A header as OpenAPI describes it. */
export const header = (description: string, type = 'string') => ({ description, schema: { type } });

/** The response headers of single operations. */
export const ANSWER_HEADERS = {
  'X-Render-Duration-Ms': header('Server-side render time', 'number'),
  'X-Canvas-Width': header('Width in pixels', 'integer'),
  'X-Canvas-Height': header('Height in pixels', 'integer'),
  'X-Service-Watermark': header('Whether the picture carries a watermark', 'boolean'),
  'X-Service-Credits-Remaining': header('Credit balance after this render', 'number'),
  'X-Service-Renders-Remaining': header('Renders left at the standard cost', 'integer'),
  'X-Service-Pages': header('Pages of the document', 'integer'),
  'X-Service-Alt': header(
    'What the picture shows, for those who don’t see it: percent-encoded text, when it is 4 KiB or less and not empty',
  ),
  'X-Service-Metadata': header('The request’s metadata as percent-encoded JSON, when 4 KiB or less'),
  'X-Service-Warnings': header(
    'How many warnings there are, at most 100; absent when none. responseType json gives them in full',
    'integer',
  ),
  'X-Service-Render-Id': header('Id of the entry in the render log'),
  'Idempotency-Replayed': header(
    'true if an earlier request with this Idempotency-Key was charged, so that this one was not',
  ),
  ETag: header(
    'Of a picture: the SHA-256 of its bytes, base64url. Of a template: its latest and its published version (0 for none), such as 3.2; of one version, or of a brand: its number. All in quotes',
  ),
  Location: header('Path of what was made'),
  'Cache-Control': header('For how many seconds anyone may keep the picture; no-store with errors and redirects'),
};

/** Headers of every answer to a request that was counted. */
export const RATE_HEADERS = {
  'X-RateLimit-Limit': header('Requests of this key in any 60 seconds', 'integer'),
  'X-RateLimit-Remaining': header('Requests that are left', 'integer'),
  'X-RateLimit-Reset': header('Seconds until the oldest counted request leaves the window', 'integer'),
};

export type AnswerHeader = keyof typeof ANSWER_HEADERS;
export type RequestHeader = keyof typeof REQUEST_HEADERS;

/** A body of another media type than JSON. */
export interface OtherBody {
  readonly mediaType: 'application/x-ndjson' | 'application/zip' | 'text/csv';
  /** The component that each line is; absent for bytes and text. */
  readonly lines?: string;
  readonly example?: unknown;
}

export interface OperationBody {
  readonly mediaType: 'application/json' | 'application/octet-stream';
  /** Names of the components that the body may be. */
  readonly schemas: readonly string[];
  readonly description: string;
  /** Absent for a file. */
  readonly example?: unknown;
  readonly others?: readonly OtherBody[];
}

export interface OperationAnswer {
  readonly status: 200 | 201 | 204 | 302 | 304;
  readonly description: string;
  /** The name of the component that a JSON body is; an answer without one has no body. */
  readonly schema?: string;
  readonly example?: unknown;
  /** Forms of an answer that is sent while it is being made. */
  readonly streams?: readonly OtherBody[];
  /** Whether the body may be the picture itself. */
  readonly isPicture?: boolean;
  /** Whether the body may be the document itself. */
  readonly isDocument?: boolean;
  readonly headers?: readonly AnswerHeader[];
}

export interface Operation {
  /** The operationId of OpenAPI. */
  readonly id: string;
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  /** `/v1/templates/{id}` */
  readonly path: string;
  readonly tag:
    | 'Render'
    | 'Documents'
    | 'Inspection'
    | 'Batches'
    | 'Render log'
    | 'Templates'
    | 'Assets'
    | 'Brand'
    | 'Fonts'
    | 'Workspace';
  /** Summary in one line, in the imperative. */
  readonly summary: string;
  readonly description: string;
  /** Whether the signature of a link stands in for an API key. */
  readonly isSigned?: boolean;
  /** Scope that a key needs; any valid key if absent. */
  readonly scope?: Scope;
  /** The rate window that counts it. */
  readonly window: 'render' | 'read';
  /** An example value and a description of each parameter in the path. */
  readonly parameters?: Readonly<Record<string, { readonly description: string; readonly example: string }>>;
  readonly query?: z.ZodObject;
  readonly headers?: readonly RequestHeader[];
  readonly body?: OperationBody;
  /** The query and the headers of its example. */
  readonly exampleQuery?: string;
  readonly exampleHeaders?: Partial<Readonly<Record<RequestHeader, string>>>;
  readonly answers: readonly OperationAnswer[];
  /** Its errors besides those of every operation. */
  readonly errors: readonly ErrorCode[];
}

/** An answer of 200 with a JSON body. */
export function json(
  description: string,
  schema: string,
  example: unknown,
  headers: readonly AnswerHeader[] = [],
): OperationAnswer {
  return { status: 200, description, schema, example, headers };
}

/** One page of a list, with one item as the example. */
export function page(schema: string, item: unknown): OperationAnswer {
  return json('One page', schema, { items: [item], nextCursor: null });
}

/** Errors of every operation that API keys call. */
export const KEY_ERRORS: readonly ErrorCode[] = ['missing_api_key', 'invalid_api_key', 'revoked_api_key'];

/** Errors of every operation, whatever it does. */
export const COMMON_ERRORS: readonly ErrorCode[] = [
  'rate_limited',
  'internal_error',
  'overloaded',
  'storage_unavailable',
];

/** All error codes of an operation. */
export function errorsOf({ scope, body, errors, isSigned }: Operation): ErrorCode[] {
  const needed: ErrorCode[] = [
    ...(scope ? (['insufficient_scope'] as const) : []),
    ...(body ? (['payload_too_large', 'unsupported_media_type'] as const) : []),
    ...(body?.mediaType === 'application/json' ? (['invalid_json', 'invalid_request'] as const) : []),
  ];
  return [...new Set([...(isSigned ? [] : KEY_ERRORS), ...COMMON_ERRORS, ...needed, ...errors])];
}
