// `platen batch TEMPLATE ROWS`: renders one image per row, on all cores. A row that fails does not stop the others. Errors in
// the template, its scale, the pattern or the file of rows are found before the first image, unless the rows come from a pipe.
import { dirname } from 'node:path';
import { mismatch, sizeColumnOf, sizeOf, unusedColumns, variablesFrom } from '../../batch/cells.js';
import { type Row, RowError } from '../../batch/rows.js';
import { definedFields } from '../../contract/json/defined-fields.js';
import { MAX_PAGES } from '../../contract/layers/output-size.js';
import { invalidRequest, summary } from '../../contract/messages/issues.js';
import { strictnessOf } from '../../contract/messages/strictness.js';
import type { Template } from '../../contract/payload.js';
import { checkSize, checkTemplate } from '../../contract/template/parse.js';
import { isTemplate } from '../../contract/template/record-layers.js';
import { sizeNames } from '../../contract/template/sizes.js';
import { CodedError, RenderError } from '../../errors.js';
import type { PageWithOptions } from '../../options.js';
import { usableCores } from '../../resources.js';
import { type RenderSettings, readRenderSettings } from '../../settings.js';
import { checkScale } from '../../templates/output.js';
import type { BatchCommand } from '../args.js';
import { addressPolicyFrom, collectUrls } from '../assets.js';
import { writeDocument } from '../commands/render-pages.js';
import { EXIT, type ExitCode, OutputFileError, rejectWarnings } from '../errors.js';
import { loadIcons } from '../icons.js';
import { isNonEmptyFile, replaceFile } from '../output-file.js';
import { readPayload } from '../payload.js';
import { exitCodeFor } from '../signals.js';
import { readObject, rendererOptions } from '../source.js';
import { type CliContext, oneLine, withCode, write } from '../stdio.js';
import { countRows, isRepeatable, openRows } from './open-rows.js';
import { checkPattern, columnsIn, fileName, hasPlaceholder, makeFolder, OutputPaths } from './output-paths.js';
import { Progress } from './progress.js';
import { createRowRenderer } from './row-renderer.js';
import { type RowOutcome, RunSummary } from './summary.js';

/** Renders all rows, or until Ctrl-C. Throws errors that cli/errors.ts can print. */
export async function batch(command: BatchCommand, terminal: CliContext): Promise<ExitCode> {
  const settings = readRenderSettings(terminal.environment);
  addressPolicyFrom(settings);
  const icons = await loadIcons(settings);
  const { source, output, quality, dpi, lossless, scale, size, theme, locale, skipExisting = false } = command;
  const strict = strictnessOf(command);
  const format = command.format === 'jpg' ? 'jpeg' : command.format;
  const { value, baseDirectory } = await readPayload(source, terminal);
  if (!isTemplate(value)) throw new RenderError('invalid_request', `${source}: it is no template: it has no hotspots`);
  const tokens = command.tokens === undefined ? undefined : await readObject(command.tokens, 'tokens', terminal);
  const template = checkTemplate(value, { maxLayers: settings.MAX_LAYERS });
  if (size !== undefined) checkSize(value, size);
  if (theme !== undefined) await checkTheme(value as object, theme);
  checkScale(template, scale);
  const total = (await isRepeatable(command.rows, terminal)) ? await countRows(command, terminal) : undefined;
  const { columns, rows } = await openRows(command.rows, terminal);
  if (columns) checkPattern(output, columns);

  const sizeColumn = sizeColumnOf(template, sizeNames(value as Record<string, unknown>));
  const rowFormat = { columns, fileNameColumns: columnsIn(output), sizeColumn };
  const variablesOf = variablesFrom(template, rowFormat);
  const problem = mismatch(template, rowFormat);
  if (problem !== undefined) {
    throw new RenderError('invalid_request', `${command.rows === '-' ? 'standard input' : command.rows}: ${problem}`);
  }
  const warnings = [...(command.warning === undefined ? [] : [command.warning]), ...unusedColumns(template, rowFormat)];
  rejectWarnings(warnings, command);
  const signal = terminal.interrupt?.() ?? terminal.signal ?? new AbortController().signal;
  const results = new RunSummary(new Progress(terminal.errors, total));
  for (const warning of warnings) await results.warn(warning);
  if (!hasPlaceholder(output)) {
    const shared = definedFields({ scale, theme, tokens, locale });
    return await rowsDocument(
      command,
      { template: value, baseDirectory, rows, settings, signal, shared },
      terminal,
      (row) => ({ variables: variablesOf(row), size: sizeOf(row, rowFormat) ?? size }),
    );
  }
  const outputPaths = new OutputPaths(terminal.directory);
  for (const [name, what] of [
    [source, 'the template'],
    [command.rows, 'the rows'],
  ]) {
    if (name !== '-') outputPaths.reserve(name, what);
  }
  const jobs = command.jobs ?? usableCores();
  const report = (text: string) => void results.report(text);
  const renderer = createRowRenderer({
    icons: icons?.sets,
    record: value,
    templateUrls: collectUrls(value),
    baseDirectory,
    settings,
    strict,
    format,
    quality,
    dpi,
    lossless,
    scale,
    theme,
    tokens,
    locale,
    workers: { workers: jobs, isNice: false, report },
  });

  async function renderRow(row: Row): Promise<RowOutcome> {
    try {
      if (!row.values) throw new RowError(row.error);
      const target = outputPaths.reserve(fileName(output, row), `row ${row.number}`);
      if (skipExisting && isNonEmptyFile(target)) return { kind: 'skipped' };
      await makeFolder(dirname(target));
      const { bytes, warnings } = await renderer.render(
        { variables: variablesOf(row.values), size: sizeOf(row.values, rowFormat) ?? size },
        signal,
      );
      await replaceFile(target, bytes);
      return { kind: 'rendered', warnings };
    } catch (error) {
      if (signal.aborted && error === signal.reason) return { kind: 'stopped' };
      return { kind: 'failed', reason: reasonOf(error) };
    }
  }

  let failure: unknown;
  try {
    await inParallel(until(signal, rows), jobs, async (row) => results.add(row.number, await renderRow(row)));
  } catch (error) {
    failure = error;
  } finally {
    await renderer.close();
  }
  await results.printFailures();
  await write(terminal.output, oneLine(`${signal.aborted ? 'stopped: ' : ''}${results.summary()}`));
  if (failure !== undefined) throw failure;
  if (signal.aborted) return exitCodeFor(signal);
  return results.failed > 0 ? EXIT.failed : EXIT.done;
}

/** Throws RenderError `invalid_request` for a theme that the template has not got. */
async function checkTheme(record: object, theme: string): Promise<void> {
  const { themeIssue, themeNames } = await import('../../templates/data/data.js');
  const names = themeNames((record as Record<string, unknown>).themes, undefined);
  if (!names.includes(theme)) throw invalidRequest([themeIssue(theme, names)]);
}

function reasonOf(error: unknown): string {
  if (error instanceof CodedError && error.details.length > 0) return summary(error.details.map(withCode));
  if (error instanceof CodedError || error instanceof RowError || error instanceof OutputFileError)
    return error.message;
  return `internal error: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`;
}

/** The items of `source`, until it ends or `signal` aborts, even while the next item is pending. */
async function* until<Item>(signal: AbortSignal, source: AsyncIterable<Item>): AsyncGenerator<Item> {
  const items = source[Symbol.asyncIterator]();
  const aborted = new Promise<undefined>((resolve) => signal.addEventListener('abort', () => resolve(undefined)));
  while (!signal.aborted) {
    const next = await Promise.race([items.next(), aborted]);
    if (!next || next.done) break;
    yield next.value;
  }
  // not awaited: a pipe may never deliver its next item
  items.return?.().catch(() => undefined);
}

/** Calls `work` for each item, at most `limit` at a time, and reads no item before it can start. */
async function inParallel<Item>(
  items: AsyncIterable<Item>,
  limit: number,
  work: (item: Item) => Promise<void>,
): Promise<void> {
  const running = new Set<Promise<void>>();
  try {
    for await (const item of items) {
      const task: Promise<void> = work(item).finally(() => running.delete(task));
      running.add(task);
      if (running.size >= limit) await Promise.race(running);
    }
  } finally {
    await Promise.all(running);
  }
}

/** Renders a PDF with a page for each row. */
async function rowsDocument(
  { output, strict, allow }: BatchCommand,
  { template, baseDirectory, rows, settings, signal, shared }: RowsOfDocument,
  terminal: CliContext,
  fillingOf: (values: RowValues) => {
    readonly variables: Readonly<Record<string, unknown>>;
    readonly size: string | undefined;
  },
): Promise<ExitCode> {
  const pages: PageWithOptions[] = [];
  for await (const row of until(signal, rows)) {
    if (!row.values) throw new RenderError('invalid_request', `row ${row.number}: ${row.error}`);
    if (pages.length === MAX_PAGES) {
      throw new RenderError('invalid_request', `row ${row.number}: a document has at most ${MAX_PAGES} pages`);
    }
    const { variables, size } = fillingOf(row.values);
    pages.push({ payload: template as Template, variables, ...shared, ...definedFields({ size }), baseDirectory });
  }
  if (signal.aborted) return exitCodeFor(signal);
  const library = await import('../../index.js');
  const icons = await loadIcons(settings);
  const { renderDocument } = icons ? library.createRenderer({ icons: icons.json }) : library;
  const options = { ...rendererOptions(settings), signal };
  const line = await writeDocument(
    { pages, document: { title: (template as Template).name } },
    { renderer: { renderDocument }, options, output, ...definedFields({ strict, allow }) },
    terminal,
  );
  await write(terminal.output, oneLine(line.trimEnd()));
  return EXIT.done;
}

type RowValues = Extract<Row, { values: object }>['values'];

interface RowsOfDocument {
  readonly template: unknown;
  readonly baseDirectory: string;
  readonly rows: AsyncIterable<Row>;
  readonly settings: RenderSettings;
  readonly signal: AbortSignal;
  /** What all pages have in common. */
  readonly shared: Pick<PageWithOptions, 'scale' | 'theme' | 'tokens' | 'locale'>;
}
