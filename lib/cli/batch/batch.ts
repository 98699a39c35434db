// `render batch TEMPLATE ROWS`: one picture a row, on all cores. A row that fails stops no other. What is wrong with the
// template, the pattern or the file of rows as a whole is found before the first picture, unless the rows come from a pipe.
import { dirname } from 'node:path';
import { parseTemplate } from '../../contract/template.js';
import { RenderError } from '../../errors.js';
import { usableCores } from '../../resources.js';
import { readRenderSettings } from '../../settings.js';
import { makeFolders } from '../../store/make-folders.js';
import { isTemplate } from '../../templates/resolve.js';
import type { BatchCommand } from '../args.js';
import { addressPolicyFrom } from '../assets.js';
import { EXIT, type ExitCode, rejectWarnings, systemReason } from '../errors.js';
import { isNonEmptyFile } from '../output-file.js';
import { readPayload } from '../payload.js';
import { exitCodeFor } from '../signals.js';
import { type CliContext, oneLine, write } from '../stdio.js';
import { mismatch, unusedColumns, variablesFrom } from './cells.js';
import type { WorkerReply } from './messages.js';
import { checkPattern, columnsIn, fileName, OutputPaths, RowError } from './output-paths.js';
import { Pool, startWorker } from './pool.js';
import { Progress } from './progress.js';
import { isRepeatable, openRows, type Row } from './rows.js';
import { BatchSummary } from './summary.js';

/** Draws all rows, or until Ctrl-C. Throws what report.ts knows how to print. */
export async function batch(command: BatchCommand, terminal: CliContext): Promise<ExitCode> {
  const settings = readRenderSettings(terminal.environment);
  addressPolicyFrom(settings);
  const { source, output, quality, strict = false, skipExisting = false } = command;
  const format = command.format === 'jpg' ? 'jpeg' : command.format;
  const { value, baseDirectory } = await readPayload(source, terminal);
  if (!isTemplate(value)) throw new RenderError('invalid_request', `${source}: it is no template: it has no hotspots`);
  const template = parseTemplate(value, { maxLayers: settings.MAX_LAYERS });
  const total = (await isRepeatable(command.rows, terminal)) ? await countRows(command, terminal) : undefined;
  const { columns, rows } = await openRows(command.rows, terminal);
  if (columns) checkPattern(output, columns);

  const rowFormat = { columns, fileNameColumns: columnsIn(output) };
  const variablesOf = variablesFrom(template, rowFormat);
  const unfit = mismatch(template, rowFormat);
  if (unfit !== undefined) {
    throw new RenderError('invalid_request', `${command.rows === '-' ? 'standard input' : command.rows}: ${unfit}`);
  }
  const warnings = [...(command.warning === undefined ? [] : [command.warning]), ...unusedColumns(template, rowFormat)];
  if (strict) rejectWarnings(warnings);
  const ending = terminal.interrupt?.() ?? terminal.signal ?? new AbortController().signal;
  const tally = new BatchSummary(new Progress(terminal.errors, total));
  for (const line of warnings) await tally.warn(line);
  const claims = new OutputPaths(terminal.directory);
  for (const [name, what] of [
    [source, 'the template'],
    [command.rows, 'the rows'],
  ]) {
    if (name !== '-') claims.reserve(name, what);
  }
  const pool = new Pool(
    {
      template: value,
      baseDirectory,
      settings,
      strict,
      ...(format && { format }),
      ...(quality !== undefined && { quality }),
    },
    () => startWorker(terminal.program),
  );
  const stop = () => pool.stop();
  ending.addEventListener('abort', stop);

  async function draw(row: Row): Promise<WorkerReply> {
    try {
      if (!row.values) throw new RowError(row.error);
      const target = claims.reserve(fileName(output, row), `row ${row.number}`);
      if (skipExisting && isNonEmptyFile(target)) return { kind: 'skipped' };
      await makeFolder(dirname(target));
      return ending.aborted ? { kind: 'stopped' } : await pool.run({ variables: variablesOf(row.values), target });
    } catch (error) {
      if (error instanceof RowError) return { kind: 'failed', reason: error.message };
      throw error;
    }
  }

  let broken: unknown;
  try {
    await inParallel(until(ending, rows), command.jobs ?? usableCores(), async (row) =>
      tally.add(row.number, await draw(row)),
    );
  } catch (error) {
    broken = error;
  } finally {
    ending.removeEventListener('abort', stop);
    await pool.close();
  }
  await tally.printFailures();
  await write(terminal.output, oneLine(`${ending.aborted ? 'stopped: ' : ''}${tally.summary()}`));
  if (broken !== undefined) throw broken;
  if (ending.aborted) return exitCodeFor(ending);
  return tally.failed > 0 ? EXIT.failed : EXIT.done;
}

/** Reads all rows once, so that a file that is broken somewhere is refused before anything is drawn. */
async function countRows({ rows: source, output }: BatchCommand, terminal: CliContext): Promise<number> {
  const { columns, rows } = await openRows(source, terminal);
  if (columns) checkPattern(output, columns);
  let count = 0;
  for await (const _row of rows) count++;
  return count;
}

async function makeFolder(path: string): Promise<void> {
  try {
    await makeFolders(path);
  } catch (error) {
    throw new RowError(`the folder ${path} can't be made: ${systemReason(error)}`);
  }
}

/** The items of `source` until it ends, or `ending` aborts: also while the next one is waited for. */
async function* until<Item>(ending: AbortSignal, source: AsyncIterable<Item>): AsyncGenerator<Item> {
  const items = source[Symbol.asyncIterator]();
  const aborted = new Promise<undefined>((stop) => ending.addEventListener('abort', () => stop(undefined)));
  while (!ending.aborted) {
    const next = await Promise.race([items.next(), aborted]);
    if (!next || next.done) break;
    yield next.value;
  }
  // Not waited for: a pipe may never bring what it is asked for.
  items.return?.().catch(() => undefined);
}

/** Calls `work` for each item, `most` at a time, and takes no item before there is room for it. */
async function inParallel<Item>(
  items: AsyncIterable<Item>,
  most: number,
  work: (item: Item) => Promise<void>,
): Promise<void> {
  const running = new Set<Promise<void>>();
  try {
    for await (const item of items) {
      const task: Promise<void> = work(item).finally(() => running.delete(task));
      running.add(task);
      if (running.size >= most) await Promise.race(running);
    }
  } finally {
    await Promise.all(running);
  }
}
