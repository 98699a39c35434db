// `POST /v1/render` and `POST /v1/documents`: renders between the hold of its credits and their charge, or replays a charged
// render.
import { parseQuery, renderQuery } from '../../contract/api/query.js';
import { parseRequest, type RequestOutput } from '../../contract/api/request.js';
import { limitWarnings } from '../../contract/messages/issues.js';
import { unknownInRequest } from '../../contract/unknown-fields.js';
import { CodedError, ServiceError, type Warning } from '../../errors.js';
import { engineCall, renderPayload, withCharge } from '../charged-render.js';
import { BodyError, toRenderError } from '../failure.js';
import { paywallAnswer, paywallMessage, renderAnswer } from '../http/answer.js';
import { claimTurn, idempotencyKeyOf, type Turn } from '../idempotency.js';
import type { OperationCall, ServiceOperation } from '../operation.js';
import { logFailure, logRender } from '../render-log.js';
import type { Answer, RenderAttempt, ServiceOptions } from '../request.js';
import { findTemplateOf } from './find-template.js';

export function renderOperation(options: ServiceOptions, output: RequestOutput): ServiceOperation {
  return {
    scope: 'render:write',
    window: 'render',
    maxBodyBytes: options.settings.MAX_BODY_BYTES,
    run: (call) => postRender(call, output, options),
  };
}

async function postRender(call: OperationCall, output: RequestOutput, options: ServiceOptions): Promise<Answer> {
  const { context, caller } = call;
  const blame = output === 'picture' ? blamingBody : <Result>(read: () => Result) => read();
  const body = await blame(() => call.json());
  // true is another operation; whoever misspells it must not be charged
  parseQuery(renderQuery, call.query);
  const { payload, warnings } = await blame(() => readRenderRequest(body, options.settings, output));
  const key = idempotencyKeyOf(context.request);
  const attempt: RenderAttempt = { renderId: context.requestId, startedAt: context.startedAt, caller, payload };
  let turn: Turn | undefined;
  try {
    if (key !== undefined) turn = await claimTurn({ keyId: caller.key.id, value: key }, body, context, options.store);
    return await renderInTurn(call, attempt, { turn, warnings }, options);
  } catch (error) {
    // a failure after the client disconnected may come from the disconnect
    if (!context.request.signal.aborted) logFailure(attempt, toRenderError(error), options);
    throw error;
  } finally {
    if (turn && 'lease' in turn) await options.store.releaseIdempotencyLease(turn.lease);
  }
}

/** Makes errors of `read` errors of the body: the contract gives those of a render no code. */
async function blamingBody<Result>(read: () => Result | Promise<Result>): Promise<Result> {
  try {
    return await read();
  } catch (error) {
    throw error instanceof CodedError ? new BodyError(error) : error;
  }
}

/** The payload in the body of a render or an inspection. `warnings`: about the request's own fields. */
export function readRenderRequest(
  body: unknown,
  { MAX_LAYERS: maxLayers }: Pick<ServiceOptions['settings'], 'MAX_LAYERS'>,
  output: RequestOutput,
) {
  const payload = parseRequest(body, { maxLayers, output });
  return { payload, warnings: limitWarnings(unknownInRequest(body, payload.kind)) };
}

/** State of a render. `warnings` are about the request's own fields. */
interface Progress {
  readonly turn: Turn | undefined;
  readonly warnings: readonly Warning[];
}

/** Renders for a charge, or for none when the request's idempotency key has been settled. */
async function renderInTurn(
  call: OperationCall,
  attempt: RenderAttempt,
  { turn, warnings }: Progress,
  options: ServiceOptions,
): Promise<Answer> {
  const { context, caller } = call;
  const { store, settings } = options;
  const { RENDER_CREDIT_COST: costPerPage, UPGRADE_URL: upgradeUrl } = settings;
  const { workspace } = caller;
  const { payload } = attempt;
  const settled = turn && 'settled' in turn ? turn.settled : undefined;
  if (payload.kind === 'template') {
    attempt.template = await findTemplateOf(payload, workspace.id, store, settled?.templateVersion);
  }
  const pages = settled || workspace.balance < costPerPage ? 1 : await countPages(attempt, call, options);
  const cost = costPerPage * pages;
  const render = () => renderPayload(attempt, call, options);
  const settlement =
    turn && 'lease' in turn
      ? { lease: turn.lease, renderId: attempt.renderId, templateVersion: attempt.template?.version }
      : undefined;
  const { result, balance } = settled
    ? { result: await render(), balance: workspace.balance }
    : await withCharge(store, { workspaceId: workspace.id, cost, settlement }, render);
  if (!result) {
    logFailure(attempt, new ServiceError('credits_exhausted', paywallMessage(balance, cost)), options);
    return paywallAnswer(balance, cost, upgradeUrl);
  }
  context.format = result.format;
  const completed = {
    ...attempt,
    result: { ...result, warnings: limitWarnings(warnings, result.warnings) },
    durationMs: performance.now() - attempt.startedAt,
    creditsCost: settled ? 0 : cost,
    ...(settled && { replayOf: settled.renderId }),
  };
  logRender(completed, options);
  if (settled) context.headers.set('Idempotency-Replayed', 'true');
  return renderAnswer(completed, balance, costPerPage);
}

/** The pages that the payload fills: more than one only in a PDF with a group that flows, which is laid out to know it. */
async function countPages(
  { payload, template }: RenderAttempt,
  call: OperationCall,
  options: ServiceOptions,
): Promise<number> {
  if (payload.format !== 'pdf') return 1;
  const inputs = payload.kind === 'canvas' ? [payload.layers] : [template?.record, payload.variables];
  if (!JSON.stringify(inputs).includes('"paginate"')) return 1;
  const { watermark: _, ...engineOptions } = engineCall(call, options);
  const { pages } = await options.engine.inspect(payload, template?.record, { ...engineOptions, permit: undefined });
  return pages?.length ?? 1;
}
