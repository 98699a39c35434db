// An operation of the API as data. OpenAPI, GET /docs and the tests of the documentation are made from these.
import type * as z from 'zod';
import type { ErrorCode } from '../../../errors.js';

export type Scope = 'render:write' | 'render:read' | 'templates:read' | 'templates:write' | 'batch:write';

/** Response headers that the documentation describes; `HEADERS` in openapi.ts has their texts. */
export type AnswerHeader =
  | 'X-Render-Duration-Ms'
  | 'X-Canvas-Width'
  | 'X-Canvas-Height'
  | 'X-Service-Watermark'
  | 'X-Service-Credits-Remaining'
  | 'X-Service-Renders-Remaining'
  | 'X-Service-Metadata'
  | 'X-Service-Warnings'
  | 'X-Service-Render-Id'
  | 'Idempotency-Replayed'
  | 'ETag'
  | 'Cache-Control'
  | 'Location';

export type RequestHeader = 'Idempotency-Key' | 'If-Match' | 'If-None-Match';

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
  readonly headers?: readonly AnswerHeader[];
}

export interface Operation {
  /** The operationId of OpenAPI. */
  readonly id: string;
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  /** `/v1/templates/{id}` */
  readonly path: string;
  readonly tag: 'Render' | 'Inspection' | 'Batches' | 'Render log' | 'Templates' | 'Assets' | 'Fonts' | 'Workspace';
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
