// `POST /v1/batches`: renders many rows for one request, and streams what becomes of them.
import { MAX_BATCH_BODY_BYTES } from '../../contract/api/batch.js';
import { ServiceError } from '../../errors.js';
import { answerStream, BATCH_MEDIA_TYPES, formOf } from '../batch/answers.js';
import { type InputRow, readBatch } from '../batch/input.js';
import { rowKey, runBatch } from '../batch/run.js';
import { BatchTemplates } from '../batch/templates.js';
import { paywallAnswer } from '../http/answer.js';
import { claimTurn, fingerprintOf, idempotencyKeyOf, mismatch } from '../idempotency.js';
import type { OperationCall, ServiceOperation } from '../operation.js';
import type { Answer, ServiceOptions } from '../request.js';

/** Batches that run at once. Each holds its body, and pictures that wait to be sent. */
const MAX_BATCHES = 8;

export function batchOperation(options: ServiceOptions): ServiceOperation {
  let running = 0;
  /** Counts a batch until the returned function is called. */
  const enter = () => {
    if (running >= MAX_BATCHES)
      throw new ServiceError('overloaded', 'too many batches are running; try again in a moment');
    running++;
    let isRunning = true;
    return () => {
      if (isRunning) running--;
      isRunning = false;
    };
  };
  return {
    scope: 'batch:write',
    window: 'render',
    maxBodyBytes: MAX_BATCH_BODY_BYTES,
    async run(call) {
      const leave = enter();
      try {
        return await postBatch(call, options, leave);
      } catch (error) {
        leave();
        throw error;
      }
    },
  };
}

/** Answers a batch. `leave` is called when the batch is over. */
async function postBatch(call: OperationCall, options: ServiceOptions, leave: () => void): Promise<Answer> {
  const { context, caller } = call;
  const { settings, store } = options;
  const { request } = context;
  const templates = new BatchTemplates(caller.workspace.id, store);
  const body = await call.body();
  const key = idempotencyKeyOf(request);
  const input = await readBatch(body, call, templates, settings);
  await templates.findBrand(undefined);
  const hasPaidRow = key !== undefined && (await checkRepeat(input.rows, key, call, options));
  if (!hasPaidRow) {
    const { RENDER_CREDIT_COST: cost, UPGRADE_URL: upgradeUrl } = settings;
    const held = await store.hold(caller.workspace.id, cost);
    if ('hold' in held) await store.release(held.hold);
    else {
      leave();
      return paywallAnswer(held.balance, cost, upgradeUrl, 'credits_exhausted');
    }
  }
  const tally = { rows: input.rows.length, succeeded: 0, failed: 0 };
  context.batch = tally;
  const run = runBatch({ input, templates, key, tally }, call, options);
  const form = formOf(request.header?.('accept'));
  // the stream may never start, when the client has left
  request.signal.addEventListener('abort', leave, { once: true });
  return {
    status: 200,
    headers: new Map([['Content-Type', BATCH_MEDIA_TYPES[form]]]),
    body: untilOver(answerStream(form, { run, warnings: input.warnings }), leave),
    length: undefined,
  };
}

async function* untilOver<Chunk>(chunks: AsyncIterable<Chunk>, onOver: () => void): AsyncGenerator<Chunk, void> {
  try {
    yield* chunks;
  } finally {
    onOver();
  }
}

/**
 * Whether an earlier batch with this key was charged for one of the rows, which are free now. Throws RenderError
 * `idempotency_mismatch` if a row that was charged differs, and `idempotency_in_progress` while the first row is drawn.
 */
async function checkRepeat(
  rows: readonly InputRow[],
  key: string,
  { caller, context }: OperationCall,
  { store }: ServiceOptions,
): Promise<boolean> {
  const paid = await store.settledFingerprints(rows.map((row) => rowKey(caller.key.id, key, row)));
  const different = rows.find(({ body }, i) => paid[i] !== undefined && paid[i] !== fingerprintOf(body));
  if (different) {
    throw mismatch(
      `row ${different.index + 1} was charged with another body under this Idempotency-Key; use a new key for a new batch`,
    );
  }
  if (paid[0] === undefined) {
    const turn = await claimTurn(rowKey(caller.key.id, key, rows[0]), rows[0].body, context, store);
    if ('lease' in turn) await store.releaseIdempotencyLease(turn.lease);
  }
  return paid.some((fingerprint) => fingerprint !== undefined);
}
