// `POST /v1/render`: renders one image between the hold of its credits and their charge.
import { parseRequest } from '../../contract/api/request.js';
import { unknownInRequest } from '../../contract/unknown-fields.js';
import { limitWarnings } from '../../contract/warnings.js';
import { RenderError } from '../../errors.js';
import { logRender, renderPayload, withCharge } from '../charged-render.js';
import { paywallAnswer, renderAnswer } from '../http/answer.js';
import type { Call, Operation } from '../operation.js';
import type { Answer, ParsedPayload, ServiceOptions } from '../request.js';

export function renderOperation(options: ServiceOptions): Operation {
  return {
    scope: 'render:write',
    window: 'render',
    maxBodyBytes: options.settings.MAX_BODY_BYTES,
    omitsCode: true,
    run: (call) => postRender(call, options),
  };
}

async function postRender(call: Call, options: ServiceOptions): Promise<Answer> {
  const { context, caller } = call;
  const { RENDER_CREDIT_COST: cost, UPGRADE_URL: upgradeUrl } = options.settings;
  const parsed = await readPayload(call, options);
  const work = () => renderPayload(parsed, call, options);
  const { result, balance } = await withCharge(options.store, caller.workspace.id, cost, work);
  if (!result) return paywallAnswer(balance, cost, upgradeUrl);
  context.format = result.format;
  const completed = {
    renderId: context.requestId,
    parsed,
    caller,
    result,
    durationMs: performance.now() - context.startedAt,
  };
  logRender(completed, options);
  return renderAnswer(completed, balance, cost);
}

/** Checks that the body has one of the two shapes, and that the template that it names exists. */
async function readPayload(
  { caller: { workspace }, json }: Call,
  { store, settings }: ServiceOptions,
): Promise<ParsedPayload> {
  const body = await json();
  const payload = parseRequest(body, { maxLayers: settings.MAX_LAYERS });
  const warnings = limitWarnings(unknownInRequest(body, payload.kind));
  if (payload.kind === 'canvas') return { payload, record: undefined, warnings };
  const record = await store.findTemplate(workspace.id, payload.templateId);
  if (record === undefined) throw new RenderError('template_not_found', 'there is no template with this id');
  return { payload, record, warnings };
}
