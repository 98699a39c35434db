// The render of an admitted request, the credits that it costs, and its entry in the render log.
import { randomUUID } from 'node:crypto';
import { RenderError } from '../errors.js';
import type { RequestStore } from '../store/types.js';
import type { JobResult } from '../workers/job.js';
import type { Permit } from './admission/index.js';
import type { Caller, CompletedRender, ParsedPayload, RequestContext, ServiceOptions } from './request.js';

/**
 * Holds `cost`, runs `render`, then charges the hold; releases it when `render` fails. Without enough credits returns the
 * balance alone, and `render` does not run.
 */
export async function withCharge<Result>(
  store: RequestStore,
  workspaceId: string,
  cost: number,
  render: () => Promise<Result>,
): Promise<{ readonly result?: Result; readonly balance: number }> {
  const held = await store.hold(workspaceId, cost);
  if (!('hold' in held)) return { balance: held.balance };
  let isSettled = false;
  try {
    const result = await render();
    const { balance } = await store.settle(held.hold);
    isSettled = true;
    return { result, balance };
  } finally {
    if (!isSettled) await store.release(held.hold);
  }
}

export interface RenderCall {
  readonly caller: Caller;
  readonly permit: Permit | undefined;
  readonly context: RequestContext;
}

/** Renders the payload for its caller. Rejects when the client disconnects or the server closes. */
export async function renderPayload(
  { payload, record }: ParsedPayload,
  { caller, permit, context }: RenderCall,
  { engine, settings, phase }: ServiceOptions,
): Promise<JobResult> {
  if (phase?.() === 'closing') throw new RenderError('overloaded', 'the server is shutting down');
  const { signal } = context.request;
  const result = await engine.render(payload, record, {
    workspaceId: caller.workspace.id,
    watermark: caller.workspace.plan === 'free' ? settings.WATERMARK_TEXT : undefined,
    timeoutMs: settings.RENDER_TIMEOUT_MS,
    signal,
    permit,
    onAssetFailure: (failure) => void context.assetFailures.push(failure),
  });
  signal.throwIfAborted();
  return result;
}

/** Appends a charged render to the render log. */
export function logRender(
  { parsed: { payload }, caller, result, durationMs }: CompletedRender,
  { store, settings, now = () => new Date() }: ServiceOptions,
): void {
  const { metadata } = payload;
  store.appendRender({
    id: randomUUID(),
    time: now().toISOString(),
    workspaceId: caller.workspace.id,
    keyId: caller.key.id,
    ...(payload.kind === 'template' && { templateId: payload.templateId }),
    format: result.format,
    width: result.width,
    height: result.height,
    durationMs: Math.round(durationMs),
    sizeBytes: result.bytes.length,
    creditsCost: settings.RENDER_CREDIT_COST,
    ...(metadata !== undefined && { metadata }),
  });
}
