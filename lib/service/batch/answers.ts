// The answers of a batch, made while its rows render: lines of JSON, or an archive of the pictures with a report.
import { isDocumentFormat } from '../../codecs/codec.js';
import type { BatchFailure, BatchLine, BatchPicture, BatchSummary } from '../../contract/api/batch.js';
import type { CodedError, Warning } from '../../errors.js';
import { base64, detailsOf } from '../http/answer.js';
import type { BatchRun, RowResult } from './run.js';
import { ZipWriter } from './zip.js';

export type BatchForm = 'lines' | 'zip';

export const BATCH_MEDIA_TYPES: Readonly<Record<BatchForm, string>> = {
  lines: 'application/x-ndjson',
  zip: 'application/zip',
};

/** The form that an `Accept` header prefers; lines unless it prefers an archive (RFC 9110, section 12.5.1). */
export function formOf(accept = ''): BatchForm {
  let best: { readonly form: BatchForm; readonly quality: number } = { form: 'lines', quality: 0 };
  for (const part of accept.split(',')) {
    const [type, ...parameters] = part.split(';').map((text) => text.trim().toLowerCase());
    const weight = parameters.find((text) => text.startsWith('q='))?.slice(2);
    const quality = weight === undefined ? 1 : Number(weight) || 0;
    const form = type === BATCH_MEDIA_TYPES.zip ? 'zip' : 'lines';
    const isKnown = form === 'zip' || /^(?:\*|application)\/(?:\*|json|(?:x-)?ndjson)$/.test(type);
    if (isKnown && quality > best.quality) best = { form, quality };
  }
  return best.form;
}

export interface BatchReport {
  readonly run: BatchRun;
  /** About the batch as a whole. */
  readonly warnings: readonly Warning[];
}

export function answerStream(form: BatchForm, report: BatchReport): AsyncGenerator<string | Uint8Array, void> {
  return form === 'zip' ? zipOf(report) : linesOf(report);
}

async function* linesOf({ run, warnings }: BatchReport): AsyncGenerator<string, void> {
  const counts = { succeeded: 0, failed: 0 };
  for await (const outcome of run.outcomes()) {
    if ('error' in outcome) {
      counts.failed++;
      yield `${JSON.stringify(failureOf(outcome))}\n`;
      continue;
    }
    counts.succeeded++;
    yield `${JSON.stringify(pictureOf(outcome)).slice(0, -1)},"base64":"`;
    // a picture may be longer than a string can be
    yield* base64(outcome.completed.result.bytes);
    yield '"}\n';
  }
  yield `${JSON.stringify(summaryOf(counts, run, warnings))}\n`;
}

const REPORT = 'report.json';

async function* zipOf({ run, warnings }: BatchReport): AsyncGenerator<Uint8Array, void> {
  const zip = new ZipWriter();
  const counts = { succeeded: 0, failed: 0 };
  const rows: (Omit<BatchLine, 'base64'> & { readonly file?: string })[] = [];
  for await (const outcome of run.outcomes()) {
    if ('error' in outcome) {
      counts.failed++;
      rows.push(failureOf(outcome));
      continue;
    }
    counts.succeeded++;
    rows.push({ ...pictureOf(outcome), file: outcome.row.file });
    yield* zip.add(outcome.row.file, outcome.completed.result.bytes);
  }
  const report = { ...summaryOf(counts, run, warnings), rows };
  yield* zip.add(REPORT, Buffer.from(`${JSON.stringify(report, null, 2)}\n`));
  yield zip.end();
}

function pictureOf({ row, completed }: Extract<RowResult, { completed: object }>): Omit<BatchPicture, 'base64'> {
  const { renderId, replayOf, result } = completed;
  const { format, alt, bytes, warnings } = result;
  return {
    index: row.index,
    name: row.name,
    success: true,
    renderId,
    format,
    alt,
    ...(isDocumentFormat(format) && { pages: result.pages ?? 1 }),
    sizeBytes: bytes.length,
    ...(replayOf !== undefined && { replayed: true }),
    ...(warnings.length > 0 && { warnings: [...warnings] }),
  };
}

function failureOf({ row, error, renderId }: Extract<RowResult, { error: CodedError }>): BatchFailure {
  const details = detailsOf(error);
  return {
    index: row.index,
    name: row.name,
    success: false,
    ...(renderId !== undefined && { renderId }),
    error: error.message,
    code: error.code === 'credits_exhausted' ? 'CREDITS_EXHAUSTED' : error.code,
    ...(details.length > 0 && { details: [...details] }),
  };
}

function summaryOf(
  counts: { readonly succeeded: number; readonly failed: number },
  { balance }: BatchRun,
  warnings: readonly Warning[],
): BatchSummary {
  return {
    done: true,
    ...counts,
    creditsRemaining: balance,
    ...(warnings.length > 0 && { warnings: [...warnings] }),
  };
}
