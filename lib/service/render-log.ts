// Writes the entries of the render log: renders that were charged or replayed, and those that failed for a reason that lies in
// them.
import { ERRORS } from '../contract/api/errors.js';
import { jsonBytes } from '../contract/api/request.js';
import type { CodedError } from '../errors.js';
import type { LoggedRender } from '../store/types.js';
import { detailsOf, sizeOf } from './http/answer.js';
import { cpuMsOfFailure } from './render/engine.js';
import type { CompletedRender, RenderAttempt, ServiceOptions } from './request.js';

/** The id of a template. What a request names may be anything; only this goes into the log. */
const TEMPLATE_ID = /^[\w-]{1,64}$/;
/** Longest path and message of a failure's detail, in characters. */
const MAX_DETAIL_LENGTH = 500;
/** Variables of more bytes as JSON are left out. */
const MAX_VARIABLES_BYTES = 16 * 1024;

/** Whether the log has renders that failed with this status. Others were refused for reasons of key, limits or load. */
function isLogged(status: number): boolean {
  return status === 402 || status === 404 || status === 422 || (status >= 500 && status !== 503);
}

/** Appends a render that was made. */
export function logRender(completed: CompletedRender, options: ServiceOptions): void {
  const { result, durationMs, creditsCost, replayOf } = completed;
  options.store.appendRender({
    ...entryOf(completed, options),
    status: 'ok',
    format: result.format,
    width: result.width,
    height: result.height,
    durationMs: Math.round(durationMs),
    ...cpuOf(result.cpuMs),
    sizeBytes: sizeOf(result),
    creditsCost,
    sha256: result.sha256,
    warnings: result.warnings.length,
    ...(replayOf !== undefined && { replayOf }),
  });
}

/** Appends a render that failed, unless its status is one that the log leaves out. Returns whether it did. */
export function logFailure(attempt: RenderAttempt, error: CodedError, options: ServiceOptions): boolean {
  if (!isLogged(ERRORS[error.code].status)) return false;
  const { path, message } = detailsOf(error).at(0) ?? { path: '', message: error.message };
  options.store.appendRender({
    ...entryOf(attempt, options),
    status: 'failed',
    code: error.code,
    detail: { path: path.slice(0, MAX_DETAIL_LENGTH), message: message.slice(0, MAX_DETAIL_LENGTH) },
    format: attempt.payload.format,
    width: 0,
    height: 0,
    durationMs: Math.round(performance.now() - attempt.startedAt),
    ...cpuOf(cpuMsOfFailure(error)),
    sizeBytes: 0,
    creditsCost: 0,
    warnings: 0,
  });
  return true;
}

function cpuOf(cpuMs: number | undefined): Pick<LoggedRender, 'cpuMs'> {
  return cpuMs === undefined ? {} : { cpuMs: Math.round(cpuMs) };
}

/** Builds the part of an entry that describes its request. */
function entryOf({ renderId, caller, payload, template }: RenderAttempt, options: ServiceOptions) {
  const { now = () => new Date(), settings } = options;
  const { metadata } = payload;
  const isNamed = payload.kind === 'template' && TEMPLATE_ID.test(payload.templateId);
  const keepsVariables =
    settings.LOG_VARIABLES === 'on' && isNamed && jsonBytes(payload.variables) <= MAX_VARIABLES_BYTES;
  return {
    id: renderId,
    time: now().toISOString(),
    workspaceId: caller.workspace.id,
    keyId: caller.key.id,
    ...(isNamed && { templateId: payload.templateId }),
    ...(template && { templateVersion: template.version }),
    ...(metadata !== undefined && { metadata }),
    ...(keepsVariables && { variables: payload.variables }),
  } satisfies Partial<LoggedRender>;
}
