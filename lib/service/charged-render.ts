// The render of an admitted request, and the credits that it costs.
import { ServiceError } from '../errors.js';
import type { Settlement } from '../store/types.js';
import { tenantOf } from './checks.js';
import type { OperationCall, WorkspaceCall } from './operation.js';
import type { EngineCall, FoundBrand } from './render/call.js';
import type { Requester, ServiceOptions, ServiceStore } from './request.js';

export interface Charge {
  readonly workspaceId: string;
  readonly cost: number;
  /** The idempotency key that the charge settles. */
  readonly settlement: Settlement | undefined;
}

type CreditStore = Pick<ServiceStore, 'hold' | 'settle' | 'release'>;

/**
 * Holds the cost while `work` runs, which may charge it by calling `settle` once; otherwise releases it. Without enough credits
 * returns the balance alone, and `work` does not run.
 */
export async function withHold<Result>(
  store: CreditStore,
  { workspaceId, cost, settlement }: Charge,
  work: (settle: () => Promise<{ readonly balance: number }>) => Promise<Result>,
): Promise<{ readonly result: Result } | { readonly balance: number }> {
  const held = await store.hold(workspaceId, cost);
  if (!('hold' in held)) return held;
  let isSettled = false;
  const settle = async () => {
    const charged = await store.settle(held.hold, settlement);
    isSettled = true;
    return charged;
  };
  try {
    return { result: await work(settle) };
  } finally {
    if (!isSettled) await store.release(held.hold);
  }
}

/**
 * Holds the cost, runs `render`, then charges the hold; releases it when `render` fails. Without enough credits returns the
 * balance alone, and `render` does not run.
 */
export async function withCharge<Result>(
  store: CreditStore,
  charge: Charge,
  render: () => Promise<Result>,
): Promise<{ readonly result?: Result; readonly balance: number }> {
  const outcome = await withHold(store, charge, async (settle) => {
    const result = await render();
    return { result, ...(await settle()) };
  });
  return 'balance' in outcome ? outcome : outcome.result;
}

/** A request for a render: who pays, what ends it, and who gets its findings. */
interface RenderCaller extends Pick<WorkspaceCall, 'permit'> {
  /** Operators have no key. */
  readonly caller: Pick<Requester, 'workspace'> & Partial<Pick<Requester, 'key'>>;
  readonly context: Pick<OperationCall['context'], 'assetFailures'> & {
    readonly request: Pick<OperationCall['context']['request'], 'signal'>;
  };
}

/** Builds the engine's call for a request, which takes this brand. Throws RenderError `overloaded` when the server closes. */
export function engineCall(
  { caller, permit, context }: RenderCaller,
  { settings, phase }: Pick<ServiceOptions, 'settings' | 'phase'>,
  brand?: FoundBrand,
): EngineCall {
  if (phase?.() === 'closing') throw new ServiceError('overloaded', 'the server is shutting down');
  return {
    tenant: tenantOf(caller.workspace, settings),
    keyId: caller.key?.id,
    brand,
    watermark: caller.workspace.plan === 'free' ? settings.WATERMARK_TEXT : undefined,
    timeoutMs: settings.RENDER_TIMEOUT_MS,
    signal: context.request.signal,
    permit,
    onAssetFailure: (failure) => void context.assetFailures.push(failure),
  };
}
