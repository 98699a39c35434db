// The render of an admitted request, the credits that it costs, and its entry in the render log.
import { RenderError } from '../errors.js';
import type { RequestStore } from '../store/types.js';
import type { Call } from './operation.js';
import type { RenderedImage } from './render/engine.js';
import type { CompletedRender, ParsedPayload, ServiceOptions } from './request.js';

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

/** Renders the payload for its caller. Rejects when the client disconnects or the server closes. */
export async function renderPayload(
  { payload, record }: ParsedPayload,
  { caller, permit, context }: Call,
  { engine, settings, phase }: ServiceOptions,
): Promise<RenderedImage> {
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
  { renderId, parsed: { payload }, caller, result, durationMs }: CompletedRender,
  { store, settings, now = () => new Date() }: ServiceOptions,
): void {
  const { metadata } = payload;
  store.appendRender({
    id: renderId,
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
