// The dashboard's error codes that the API lacks, and the answers to all errors below `/dashboard`.

import { toRenderError } from '../service/failure.js';
import { errorAnswer, jsonAnswer, withHeaders } from '../service/http/answer.js';
import type { Answer, RequestContext } from '../service/request.js';
import { StoreError } from '../store/types.js';

const STATUS = {
  signed_out: 401,
  wrong_password: 401,
  /** The request may come from another site. */
  cross_site: 403,
  /** The operator's role does not allow it. */
  forbidden: 403,
  workspace_not_found: 404,
  operator_not_found: 404,
  key_not_found: 404,
  /** The build contains no pages. */
  no_pages: 404,
  duplicate_name: 409,
  /** The workspace has as many active link keys as it may have. */
  link_key_limit: 409,
  last_owner: 409,
  link_invalid: 410,
  /** The request names another host. */
  misdirected: 421,
  too_many_attempts: 429,
  busy: 503,
} as const;

export type DashboardErrorCode = keyof typeof STATUS;

export class DashboardError extends Error {
  override readonly name = 'DashboardError';

  constructor(
    readonly code: DashboardErrorCode,
    message: string,
    /** Seconds after which a new attempt makes sense. */
    readonly retryAfter?: number,
  ) {
    super(message);
  }
}

export interface FailedAnswer {
  readonly answer: Answer;
  readonly code: string;
  /** The unexpected error, if it is one; the log records it. */
  readonly cause?: unknown;
}

/** Builds the answer to a request that failed with `error`, in the API's form. */
export function failureOf(error: unknown, context: RequestContext): FailedAnswer {
  const known = ofStore(error);
  if (known instanceof DashboardError) {
    const { code, message, retryAfter } = known;
    const status = STATUS[code];
    const body = {
      success: false,
      error: message,
      code,
      ...(status >= 500 && { requestId: context.requestId }),
    };
    const answer = jsonAnswer(status, body);
    return { code, answer: retryAfter === undefined ? answer : withRetryAfter(answer, retryAfter) };
  }
  const failure = toRenderError(known);
  const answer = errorAnswer(failure, context);
  return {
    code: failure.code,
    answer: answer.status === 503 ? withRetryAfter(answer, 1) : answer,
    ...(failure.code === 'internal_error' && { cause: failure.cause ?? failure }),
  };
}

function ofStore(error: unknown): unknown {
  if (!(error instanceof StoreError)) return error;
  switch (error.code) {
    case 'duplicate_name':
    case 'last_owner':
    case 'link_key_limit':
      return new DashboardError(error.code, error.message);
    // the workspace, or the object that the path names, was deleted during the request
    case 'not_found':
      return workspaceNotFound();
    default:
      return error;
  }
}

export const workspaceNotFound = () =>
  new DashboardError('workspace_not_found', 'there is no workspace with this id, or you may not see it');

function withRetryAfter(answer: Answer, seconds: number): Answer {
  return withHeaders(answer, [['Retry-After', String(seconds)]]);
}
