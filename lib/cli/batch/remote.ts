// `platen batch TEMPLATE_ID ROWS --server URL`: a server renders the rows, this command names and writes the files. Rows are
// sent as many at a time as one batch takes; a CSV goes as a CSV, so that the server matches its columns with the template.
import { dirname } from 'node:path';
import { type Row, RowError } from '../../batch/rows.js';
import { type BatchPayload, type BatchResult, type Client, createClient, PlatenError } from '../../client/index.js';
import { MAX_BATCH_BODY_BYTES, MAX_BATCH_ROWS } from '../../contract/api/batch.js';
import { summary } from '../../contract/messages/issues.js';
import { type CodedError, codedError, type Detail, type Warning } from '../../errors.js';
import type { BatchCommand } from '../args.js';
import { EXIT, type ExitCode, OutputFileError } from '../errors.js';
import { isNonEmptyFile, replaceFile } from '../output-file.js';
import { UsageError } from '../parse-options.js';
import { exitCodeFor } from '../signals.js';
import { readObject } from '../source.js';
import { type CliContext, oneLine, write } from '../stdio.js';
import { countRows, isRepeatable, openRows } from './open-rows.js';
import { checkPattern, columnsIn, fileName, makeFolder, OutputPaths } from './output-paths.js';
import { Progress } from './progress.js';
import { type RowOutcome, RunSummary } from './summary.js';

/** Room for the fields around the rows, and for what JSON and CSV escape. */
const MAX_SENT_BYTES = MAX_BATCH_BODY_BYTES / 2;

/** A row that is sent, and the file that its picture goes to. */
interface SentRow {
  readonly number: number;
  readonly values: Readonly<Record<string, unknown>>;
  readonly target: string;
}

export async function remoteBatch(command: BatchCommand & { server: string }, terminal: CliContext): Promise<ExitCode> {
  const { output, rows: source } = command;
  const tokens = command.tokens === undefined ? undefined : await readObject(command.tokens, 'tokens', terminal);
  const client = connect(command.server, terminal);
  const total = (await isRepeatable(source, terminal)) ? await countRows(command, terminal) : undefined;
  const { columns, rows } = await openRows(source, terminal);
  if (columns) checkPattern(output, columns);
  // a CSV is the whole body: the other fields are parameters of the query
  if (columns && tokens) throw new UsageError('--tokens with --server needs rows in JSON');
  const signal = terminal.interrupt?.() ?? terminal.signal ?? new AbortController().signal;
  const results = new RunSummary(new Progress(terminal.errors, total));
  if (command.warning !== undefined) await results.warn(command.warning);
  const paths = new OutputPaths(terminal.directory);
  if (source !== '-') paths.reserve(source, 'the rows');
  const warned = new Set<string>();
  let failure: unknown;
  try {
    for await (const sent of inBatches(rows, prepare)) await send(sent);
  } catch (error) {
    if (!signal.aborted) failure = error;
  }
  await results.printFailures();
  await write(terminal.output, oneLine(`${signal.aborted ? 'stopped: ' : ''}${results.summary()}`));
  if (failure !== undefined) throw failure;
  if (signal.aborted) return exitCodeFor(signal);
  return results.failed > 0 ? EXIT.failed : EXIT.done;

  /** The row as it is sent; undefined if there is nothing to render. */
  async function prepare(row: Row): Promise<SentRow | undefined> {
    signal.throwIfAborted();
    try {
      if (!row.values) throw new RowError(row.error);
      const target = paths.reserve(fileName(output, row), `row ${row.number}`);
      if (!command.skipExisting || !isNonEmptyFile(target)) return { number: row.number, values: row.values, target };
      await results.add(row.number, { kind: 'skipped' });
    } catch (error) {
      if (!(error instanceof RowError)) throw error;
      await results.add(row.number, { kind: 'failed', reason: error.message });
    }
    return undefined;
  }

  async function send(sent: readonly SentRow[]): Promise<void> {
    // a row that failed may come again with its picture, after a cut
    const failed = new Map<number, string>();
    try {
      const batch = client.batch(payloadOf({ ...command, tokens }, columns, sent), { signal });
      for (let next = await batch.next(); ; next = await batch.next()) {
        if (next.done) {
          await warnOnce((next.value.warnings ?? []) as readonly Warning[]);
          break;
        }
        const row = sent[next.value.index];
        const outcome = await save(row, next.value);
        if (outcome.kind === 'failed') failed.set(row.number, outcome.reason);
        else {
          failed.delete(row.number);
          await results.add(row.number, outcome);
        }
      }
    } catch (error) {
      throw error instanceof PlatenError ? translated(error, sent) : error;
    } finally {
      for (const [number, reason] of failed) await results.add(number, { kind: 'failed', reason });
    }
  }

  async function save({ target }: SentRow, result: BatchResult): Promise<RowOutcome> {
    if (!result.success)
      return { kind: 'failed', reason: result.details ? summary(result.details as readonly Detail[]) : result.error };
    try {
      await makeFolder(dirname(target));
      await replaceFile(target, result.bytes);
    } catch (error) {
      if (!(error instanceof RowError || error instanceof OutputFileError)) throw error;
      return { kind: 'failed', reason: error.message };
    }
    const named = [...columnsIn(output)].map((name) => `variables.${name}`);
    return {
      kind: 'rendered',
      warnings: ((result.warnings ?? []) as readonly Warning[]).filter(({ path }) => !named.includes(path)),
    };
  }

  /** Warnings about the columns, except those that the names of the files use. */
  async function warnOnce(warnings: readonly Warning[]): Promise<void> {
    const used = columnsIn(output);
    for (const warning of warnings) {
      const { column, message } = warning;
      if (warned.has(message) || (column !== undefined && used.has(column))) continue;
      warned.add(message);
      await results.warn(warning);
    }
  }
}

function connect(server: string, { environment }: CliContext): Client {
  const { PLATEN_API_KEY: apiKey } = environment;
  if (!apiKey) throw new UsageError('--server needs an API key with the scope batch:write in PLATEN_API_KEY');
  try {
    return createClient({ baseUrl: server, apiKey });
  } catch (cause) {
    const isUrl = URL.canParse(server);
    const what = isUrl ? 'PLATEN_API_KEY' : '--server';
    const expected = isUrl
      ? 'is no API key'
      : `received "${server}", expected a URL such as https://images.example.com`;
    throw new UsageError(`${what}: ${expected}`, { cause });
  }
}

/** The rows that `prepare` keeps, as many at a time as one batch takes. */
async function* inBatches(
  rows: AsyncIterable<Row>,
  prepare: (row: Row) => Promise<SentRow | undefined>,
): AsyncGenerator<SentRow[]> {
  let sent: SentRow[] = [];
  let bytes = 0;
  for await (const row of rows) {
    const request = await prepare(row);
    if (!request) continue;
    const size = Buffer.byteLength(JSON.stringify(request.values));
    if (sent.length > 0 && (sent.length === MAX_BATCH_ROWS || bytes + size > MAX_SENT_BYTES)) {
      yield sent;
      sent = [];
      bytes = 0;
    }
    sent.push(request);
    bytes += size;
  }
  if (sent.length > 0) yield sent;
}

function payloadOf(
  command: Omit<BatchCommand, 'tokens'> & { readonly tokens: Readonly<Record<string, unknown>> | undefined },
  columns: readonly string[] | undefined,
  sent: readonly SentRow[],
): BatchPayload {
  const { source: templateId, format, quality, dpi, lossless, scale, size, theme, tokens, locale } = command;
  const output = format === 'svg' || format === 'pdf' ? 'document' : undefined;
  const shared = { templateId, output, format, quality, dpi, lossless, scale, size, theme, locale } as const;
  if (!columns)
    return { ...shared, tokens, rows: sent.map(({ values }) => ({ variables: values as Record<string, string> })) };
  const lines = sent.map(({ values }) => columns.map((name) => values[name]));
  return { ...shared, csv: [columns, ...lines].map((cells) => `${cells.map(quoted).join(',')}\n`).join('') };
}

/** RFC 4180 */
function quoted(cell: unknown): string {
  return `"${String(cell).replaceAll('"', '""')}"`;
}

/** The error of a batch that was refused, with the numbers of the rows in place of their places in the batch. */
function translated({ code, message, details, paywall }: PlatenError, sent: readonly SentRow[]): CodedError {
  const known = details.map((detail) => {
    const path = detail.path.replace(/^rows\[(\d+)\]\.?/, (_all, index) => `row ${sent[Number(index)]?.number}: `);
    return { ...detail, path: path.replace(/: $/, '') };
  });
  const text = paywall?.message ?? message;
  // the codes of the client itself are none of the library's
  const own = code === 'network_error' || code === 'timeout' || code === 'unexpected_answer';
  return codedError(own ? 'render_failed' : code, text, { details: known });
}
