// `POST /v1/render` and `POST /v1/documents`: renders between the hold of its credits and their charge, or replays a charged
// render.
import { parseQuery, renderQuery } from '../../contract/api/query.js';
import { hasPages, parseRequest, type RenderRequest, type RequestOutput } from '../../contract/api/request.js';
import { limitWarnings } from '../../contract/messages/issues.js';
import { unknownInRequest } from '../../contract/unknown-fields.js';
import { CodedError, ServiceError, type Warning } from '../../errors.js';
import { engineCall, withCharge, withHold } from '../charged-render.js';
import { BodyError, toRenderError } from '../failure.js';
import { paywallAnswer, paywallMessage, renderAnswer } from '../http/answer.js';
import { claimTurn, idempotencyKeyOf, type Turn } from '../idempotency.js';
import type { OperationCall, ServiceOperation } from '../operation.js';
import type { EngineImage } from '../render/call.js';
import type { DocumentPlan, EngineDocument } from '../render/document.js';
import { checkDocumentSize } from '../render/temporary-file.js';
import { logFailure, logRender } from '../render-log.js';
import type { Answer, RenderAttempt, ServiceOptions } from '../request.js';
import { documentOf, readPagesRequest } from './documents.js';
import { findBrandOf } from './find-brand.js';
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
  const blame = <Result>(read: () => Result | Promise<Result>) => (output === 'picture' ? blamingBody(read) : read());
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
export async function readRenderRequest(
  body: unknown,
  settings: Pick<ServiceOptions['settings'], 'MAX_LAYERS'>,
  output: RequestOutput,
): Promise<{ readonly payload: RenderAttempt['payload']; readonly warnings: readonly Warning[] }> {
  if (output === 'document' && hasPages(body)) return await readPagesRequest(body, settings);
  const payload = parseRequest(body, { maxLayers: settings.MAX_LAYERS, output });
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
  const { signal } = context.request;
  const { payload } = attempt;
  const settled = turn && 'settled' in turn ? turn.settled : undefined;
  attempt.brand = await findBrandOf(workspace.id, store, settled);
  const { brand } = attempt;
  if (payload.kind === 'template') {
    attempt.template = await findTemplateOf(payload, workspace.id, store, settled?.templateVersion, brand);
  }
  const refuse = (balance: number, cost: number) => {
    logFailure(attempt, new ServiceError('credits_exhausted', paywallMessage(balance, cost)), options);
    return paywallAnswer(balance, cost, upgradeUrl);
  };
  let pages = payload.kind === 'pages' ? payload.pages.length : 1;
  // many pages take long to check
  if (pages > 1 && !settled && workspace.balance < costPerPage * pages)
    return refuse(workspace.balance, costPerPage * pages);
  const plan = await planOf(attempt, call, options);
  if (plan?.flows) {
    // laying the pages out that flow takes credits for those that are written, and gives them back
    const count = () => plan.countPages(engineCall(call, options, brand));
    const written = { workspaceId: workspace.id, cost: costPerPage * pages, settlement: undefined };
    const counted = settled ? { result: await count() } : await withHold(store, written, count);
    if (!('result' in counted)) return refuse(counted.balance, written.cost);
    pages = counted.result;
  }
  const cost = costPerPage * pages;
  let drawn: EngineImage | EngineDocument | undefined;
  const render = async () => {
    drawn = await renderPlanned(plan, pages, attempt, call, options);
    signal.throwIfAborted();
    return drawn;
  };
  const settlement =
    turn && 'lease' in turn
      ? {
          ...{ lease: turn.lease, renderId: attempt.renderId },
          ...{ templateVersion: attempt.template?.version, brandVersion: brand?.version },
        }
      : undefined;
  try {
    const { result, balance } = settled
      ? { result: await render(), balance: workspace.balance }
      : await withCharge(store, { workspaceId: workspace.id, cost, settlement }, render);
    if (!result) return refuse(balance, cost);
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
    // the answer closes the file, but it may never start
    signal.addEventListener('abort', () => void closeFile(result), { once: true });
    return renderAnswer(completed, balance, costPerPage);
  } catch (error) {
    await closeFile(drawn);
    throw error;
  }
}

async function closeFile(result: EngineImage | EngineDocument | undefined): Promise<void> {
  if (result && 'file' in result) await result.file.close();
}

/** The plan of a document that may have several pages. */
async function planOf(
  { payload, template, brand }: RenderAttempt,
  call: OperationCall,
  options: ServiceOptions,
): Promise<DocumentPlan | undefined> {
  const { engine } = options;
  const { workspace } = call.caller;
  if (payload.kind === 'pages') {
    return await engine.planDocument(
      documentOf(payload, workspace.id, options, brand),
      engineCall(call, options, brand),
    );
  }
  if (payload.format !== 'pdf') return undefined;
  const inputs = payload.kind === 'canvas' ? [payload.layers] : [template?.record, payload.variables];
  if (!JSON.stringify(inputs).includes('"paginate"')) return undefined;
  const { document, quality, lossless } = payload;
  const page = { path: '', request: payload, findRecord: async () => template?.record };
  return await engine.planDocument({ pages: [page], document, quality, lossless }, engineCall(call, options, brand));
}

/** Renders what the request asks for: by its plan, if it fills several pages. */
async function renderPlanned(
  plan: DocumentPlan | undefined,
  pages: number,
  { payload, template, brand }: RenderAttempt,
  call: OperationCall,
  options: ServiceOptions,
): Promise<EngineImage | EngineDocument> {
  const { engine, settings } = options;
  const caller = engineCall(call, options, brand);
  if (plan && (payload.kind === 'pages' || pages > 1)) return await plan.render(caller);
  const image = await engine.render(payload as RenderRequest, template?.record, caller);
  checkDocumentSize(image, settings);
  return image;
}
