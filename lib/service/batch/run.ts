// Renders the rows of a batch side by side, and charges them one by one, in their order, each when its picture is about to be
// sent: a picture that the client never gets is not charged. Each row has an idempotency key derived from the batch's.
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { limitWarnings } from '../../contract/messages/issues.js';
import { unknownInRequest } from '../../contract/unknown-fields.js';
import { CodedError, ServiceError, type Warning } from '../../errors.js';
import type { IdempotencyKey } from '../../store/types.js';
import type { Reservation } from '../admission/memory-budget.js';
import { engineCall, withCharge } from '../charged-render.js';
import { authenticate } from '../checks.js';
import { toRenderError } from '../failure.js';
import { paywallMessage, rendersFor } from '../http/answer.js';
import { claimTurn, type Turn } from '../idempotency.js';
import type { OperationCall } from '../operation.js';
import { checkVariant } from '../operations/find-template.js';
import type { EngineImage } from '../render/call.js';
import { checkDocumentSize } from '../render/temporary-file.js';
import { logFailure, logRender } from '../render-log.js';
import type { BatchTally, CompletedRender, RenderAttempt, ServiceOptions } from '../request.js';
import { inOrder } from './in-order.js';
import type { BatchInput, InputRow } from './input.js';
import type { BatchTemplates } from './templates.js';

/** Pictures that exist at once, the one that is being sent included. */
const MAX_PICTURES = 32;
/** While pictures of this many bytes wait to be sent, only the row whose turn it is renders. */
const MAX_WAITING_BYTES = 32 * 2 ** 20;
/** A lease of this age is renewed before its row is charged: the picture may have waited for a slow client. */
const LEASE_MS = 20_000;
/** Milliseconds for which a row waits for another request with its key, or for an overloaded server. */
const PATIENCE_MS = 30_000;
const POLL_MS = { min: 50, max: 1000 } as const;
/** Failures to fetch assets that the log gets. */
const MAX_ASSET_FAILURES = 100;

/** A row that ended: with a picture, charged unless it is a replay, or with an error. */
export type RowResult =
  | { readonly row: InputRow; readonly completed: CompletedRender & { readonly result: EngineImage } }
  | { readonly row: InputRow; readonly error: CodedError; readonly renderId: string | undefined };

interface DrawnRow {
  readonly row: InputRow;
  readonly attempt: RenderAttempt;
  readonly turn: Turn | undefined;
  /** Time of the claim by `performance.now()`. */
  readonly claimedAt: number;
  readonly image: EngineImage | CodedError;
  readonly reservation: Reservation | undefined;
}

export interface BatchRun {
  /** Credits that are left, as of the last charge. */
  readonly balance: number;
  /** Yields the outcomes of the rows in their order, and drops each picture once the next outcome is asked for. */
  outcomes(): AsyncGenerator<RowResult, void>;
}

export interface BatchParts {
  readonly input: BatchInput;
  readonly templates: BatchTemplates;
  /** The `Idempotency-Key` of the batch. */
  readonly key: string | undefined;
  readonly tally: BatchTally;
}

/** The key of one row. No `Idempotency-Key` contains a line feed, so it is the key of nothing else. */
export function rowKey(keyId: string, key: string, { index }: InputRow): IdempotencyKey {
  return { keyId, value: `batch\n${index}\n${key}` };
}

export function runBatch(
  { input, templates, key, tally }: BatchParts,
  call: OperationCall,
  options: ServiceOptions,
): BatchRun {
  const { caller, context } = call;
  const { store, engine, settings, traceRow } = options;
  const { signal } = context.request;
  const { RENDER_CREDIT_COST: cost } = settings;
  let { balance } = caller.workspace;
  let isExhausted = false;
  let waitingBytes = 0;

  async function claim(row: InputRow): Promise<Turn | undefined> {
    if (key === undefined) return undefined;
    const attempt = () => claimTurn(rowKey(caller.key.id, key, row), row.body, { headers: new Map() }, store);
    return await patiently(attempt, 'idempotency_in_progress');
  }

  /** Repeats what fails with `code` until it succeeds or PATIENCE_MS are over. */
  async function patiently<Result>(attempt: () => Promise<Result>, code: CodedError['code']): Promise<Result> {
    const deadline = performance.now() + PATIENCE_MS;
    for (let waitMs: number = POLL_MS.min; ; waitMs = Math.min(POLL_MS.max, 2 * waitMs)) {
      try {
        return await attempt();
      } catch (error) {
        const isPassing = error instanceof CodedError && error.code === code && options.phase?.() !== 'closing';
        if (!isPassing || performance.now() + waitMs > deadline) throw error;
        await sleep(waitMs, undefined, { signal });
      }
    }
  }

  async function draw(row: InputRow): Promise<DrawnRow> {
    signal.throwIfAborted();
    const startedAt = performance.now();
    const attempt: RenderAttempt = { renderId: randomUUID(), startedAt, caller, payload: row.payload };
    let turn: Turn | undefined;
    try {
      // a key that is revoked meanwhile draws no more
      await authenticate(context.request.authorization, store);
      turn = await claim(row);
      const claimedAt = performance.now();
      const settled = turn && 'settled' in turn ? turn.settled : undefined;
      const { payload } = row;
      const brand = await templates.findBrand(settled);
      attempt.brand = brand;
      if (payload.kind === 'template') {
        attempt.template = await templates.find(payload, settled?.templateVersion);
        checkVariant(attempt.template.record, payload, brand);
      }
      if (isExhausted && !settled) throw exhausted();
      const rendered = await patiently(
        () =>
          engine.render(payload, attempt.template?.record, {
            ...engineCall(call, options, brand),
            ...ROW_CALL,
            onAssetFailure,
          }),
        'overloaded',
      );
      signal.throwIfAborted();
      checkDocumentSize(rendered, settings);
      const image = { ...rendered, warnings: limitWarnings(ownWarnings(row), rendered.warnings) };
      const reservation = engine.openReservation(caller.workspace.id);
      reservation.forceReserve(image.bytes.length);
      waitingBytes += image.bytes.length;
      return { row, attempt, turn, claimedAt, image, reservation };
    } catch (error) {
      if (turn && 'lease' in turn) await store.releaseIdempotencyLease(turn.lease);
      // the row has not failed: its client has left
      signal.throwIfAborted();
      return { row, attempt, turn: undefined, claimedAt: 0, image: toRenderError(error), reservation: undefined };
    }
  }

  const onAssetFailure = (failure: (typeof context.assetFailures)[number]) => {
    if (context.assetFailures.length < MAX_ASSET_FAILURES) context.assetFailures.push(failure);
  };
  const exhausted = (rowCost = cost) => new ServiceError('credits_exhausted', paywallMessage(balance, rowCost));

  async function charge(drawn: DrawnRow): Promise<RowResult> {
    const { row, attempt, image } = drawn;
    let { turn } = drawn;
    try {
      if (image instanceof CodedError) throw image;
      if (turn && 'lease' in turn && performance.now() - drawn.claimedAt > LEASE_MS) {
        await store.releaseIdempotencyLease(turn.lease);
        turn = await claim(row);
      }
      const settled = turn && 'settled' in turn ? turn.settled : undefined;
      const rowCost = cost * (image.pages ?? 1);
      if (!settled) await pay(attempt, turn, rowCost);
      const completed = {
        ...attempt,
        result: image,
        durationMs: performance.now() - attempt.startedAt,
        creditsCost: settled ? 0 : rowCost,
        ...(settled && { replayOf: settled.renderId }),
      };
      logRender(completed, options);
      tally.succeeded++;
      options.onBatchRow?.('ok');
      return { row, completed };
    } catch (cause) {
      signal.throwIfAborted();
      const error = toRenderError(cause);
      if (error.code === 'internal_error') tally.cause ??= error.cause ?? error;
      tally.failed++;
      options.onBatchRow?.(error.code);
      return { row, error, renderId: logFailure(attempt, error, options) ? attempt.renderId : undefined };
    } finally {
      if (turn && 'lease' in turn) await store.releaseIdempotencyLease(turn.lease);
    }
  }

  /** Charges the row, or throws RenderError `credits_exhausted`. */
  async function pay(
    { renderId, template, brand }: RenderAttempt,
    turn: Turn | undefined,
    rowCost: number,
  ): Promise<void> {
    if (isExhausted) throw exhausted();
    const versions = { templateVersion: template?.version, brandVersion: brand?.version };
    const settlement = turn && 'lease' in turn ? { lease: turn.lease, renderId, ...versions } : undefined;
    const charge = { workspaceId: caller.workspace.id, cost: rowCost, settlement };
    const charged = await withCharge(store, charge, async () => {
      signal.throwIfAborted();
      return true;
    });
    balance = charged.balance;
    if (charged.result !== undefined) return;
    // a document of several pages may cost more than there is for one render
    isExhausted = rendersFor(balance, cost) < 1;
    throw exhausted(rowCost);
  }

  /** Frees what a row holds, apart from its picture's place in the answer. */
  async function discard({ turn, image, reservation }: DrawnRow): Promise<void> {
    if (!(image instanceof CodedError)) waitingBytes -= image.bytes.length;
    reservation?.release();
    if (turn && 'lease' in turn) await store.releaseIdempotencyLease(turn.lease);
  }

  return {
    get balance() {
      return balance;
    },
    async *outcomes() {
      const drawn = inOrder(input.rows, {
        concurrency: engine.batchConcurrency,
        maxAhead: MAX_PICTURES,
        // no pictures that nobody can pay for
        hasRoom: (ahead) => waitingBytes < MAX_WAITING_BYTES && ahead <= rendersFor(balance, cost),
        start: (row) => (traceRow ? traceRow(row.index, () => draw(row), codeOf) : draw(row)),
        discard,
      });
      for await (const each of drawn) {
        yield await charge(each);
        await discard({ ...each, turn: undefined });
      }
    },
  };
}

/** The code of a row that failed. */
function codeOf({ image }: DrawnRow): string | undefined {
  return image instanceof CodedError ? image.code : undefined;
}

/** A row waits for single renders. The permit of its request ended with the request's body. */
const ROW_CALL = { lane: 'batch', permit: undefined } as const;

/** About the row's own fields; those of rows that fill one template are among the warnings of the batch. */
function ownWarnings({ body, payload, isRequest }: InputRow): Iterable<Warning> {
  return isRequest ? unknownInRequest(body, payload.kind) : [];
}
