// Batches: the rows as they stream. A batch that was cut is sent again with the same key, so that no row is charged twice.
import type { BatchFailure, BatchLine, BatchPicture, BatchSummary } from '../contract/api/batch.js';
import { PlatenError } from './error.js';
import type { Call, Transport } from './request.js';
import type { BatchOptions, BatchPayload, BatchResult } from './types.js';

/** Yields the result of each row, in their order; returns the summary. */
export async function* renderBatch(
  { stream, retryAfterCut }: Transport,
  payload: BatchPayload,
  { idempotencyKey, ...callOptions }: BatchOptions & { readonly idempotencyKey: string },
): AsyncGenerator<BatchResult, BatchSummary> {
  const call = callOf(payload, idempotencyKey);
  /** Whether each row that was given has succeeded, by its index. */
  const outcomes = new Map<number, boolean>();
  for (let cuts = 0; ; ) {
    try {
      for await (const line of linesOf(stream(call, callOptions))) {
        if ('done' in line) return line;
        const isKnown = outcomes.get(line.index);
        // a row that failed before the cut may have succeeded since: then it was charged, and the caller gets it
        if (isKnown === true || (isKnown === false && !line.success)) continue;
        outcomes.set(line.index, line.success);
        cuts = 0;
        yield line.success ? pictureOf(line) : line;
      }
      throw cut('the answer ended before its last line');
    } catch (error) {
      await retryAfterCut(error, cuts++, callOptions);
    }
  }
}

function callOf(payload: BatchPayload, key: string): Call {
  const shared = { method: 'POST', path: '/v1/batches', isRepeatable: true } as const;
  const headers = { 'Idempotency-Key': key, Accept: 'application/x-ndjson' };
  if (!('csv' in payload)) return { ...shared, headers, json: payload };
  const { csv, ...query } = payload;
  const file = new Blob([csv]);
  return { ...shared, query, headers, file, contentType: 'text/csv' };
}

async function* linesOf(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<BatchLine> {
  const decoder = new TextDecoder();
  let parts: string[] = [];
  for await (const chunk of chunks) {
    const [first, ...others] = decoder.decode(chunk, { stream: true }).split('\n');
    parts.push(first);
    for (const next of others) {
      const line = parts.join('');
      parts = [next];
      if (line !== '') yield parseLine(line);
    }
  }
}

function parseLine(line: string): BatchLine {
  try {
    return JSON.parse(line);
  } catch (cause) {
    const fields = { status: 200, code: 'unexpected_answer', cause } as const;
    throw new PlatenError('the server answered a batch with a line that is no JSON', fields);
  }
}

function pictureOf({ base64, ...fields }: BatchPicture): Exclude<BatchResult, BatchFailure> {
  const text = atob(base64);
  const bytes = new Uint8Array(text.length);
  for (let i = 0; i < bytes.length; i++) bytes[i] = text.charCodeAt(i);
  return { ...fields, bytes };
}

/** The error of an answer that ended too early. Its status is that of the answer. */
export function cut(reason: string, cause?: unknown): PlatenError {
  return new PlatenError(reason, { status: 200, code: 'network_error', cause });
}
