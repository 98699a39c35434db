// `render PAYLOAD`: reads, renders, writes; in watch mode again and again.
import '../../contract/zod-jitless.js';
import { resolve } from 'node:path';
import { isObject } from '../../contract/fields.js';
import { formatReceived } from '../../contract/issues.js';
import { RenderError } from '../../errors.js';
import type { RendererOptions, RenderOptions } from '../../index.js';
import { type RenderSettings, readLineSettings } from '../../settings.js';
import type { RenderCommand, VariableOptions } from '../args.js';
import { EXIT, type ExitCode, rejectWarnings, report } from '../errors.js';
import { checkOutputPath, replaceFile } from '../output-file.js';
import { UsageError } from '../parse-options.js';
import { readPayload } from '../payload.js';
import { type CliContext, findingLine, oneLine, write } from '../stdio.js';

/** Renders once, or until the terminal's signal in watch mode. Throws what report.ts knows how to print. */
export async function draw(command: RenderCommand, terminal: CliContext): Promise<ExitCode> {
  const limits = { ...limitsFrom(readLineSettings(terminal.environment)), strict: command.strict ?? false };
  if (command.output === undefined && terminal.output.isTTY) {
    throw new UsageError('a picture is not written to a terminal: use -o FILE, or redirect the output');
  }
  if (command.output !== undefined) await checkOutputPath(resolve(terminal.directory, command.output));
  if (command.warning !== undefined) {
    if (limits.strict) rejectWarnings([command.warning]);
    await write(terminal.errors, oneLine(`warning: ${command.warning}`));
  }
  if (!command.watch) {
    await drawOnce(command, terminal, limits);
    return EXIT.done;
  }
  const { watchPayload } = await import('./watch.js');
  await watchPayload(command, terminal, async () => {
    try {
      await write(terminal.errors, await drawOnce(command, terminal, limits));
    } catch (error) {
      await write(terminal.errors, report(error).lines);
    }
  });
  return EXIT.done;
}

/** Gives a line that says what was drawn. */
async function drawOnce(
  command: RenderCommand,
  terminal: CliContext,
  limits: RendererOptions & RenderOptions,
): Promise<string> {
  // The engine takes its time to load, and so does a disk: both at once.
  const [{ value, baseDirectory }, variables, { render }] = await Promise.all([
    readPayload(command.source, terminal),
    command.variables && readVariables(command.variables, terminal),
    import('../../index.js'),
  ]);
  const { format, quality, output } = command;
  const { bytes, warnings, width, height, durationMs } = await render(value, {
    ...limits,
    baseDirectory,
    ...(format !== undefined && { format }),
    ...(quality !== undefined && { quality }),
    ...(variables && { variables }),
    ...(terminal.signal && { signal: terminal.signal }),
  });
  if (output === undefined) await write(terminal.output, bytes);
  else await replaceFile(resolve(terminal.directory, output), bytes);
  // to open the stream alone takes some milliseconds
  if (warnings.length > 0) {
    await write(terminal.errors, warnings.map((warning) => findingLine('warning', warning)).join(''));
  }
  return `${output ?? 'picture'}: ${width} × ${height}, ${bytes.length} bytes, ${Math.round(durationMs)} ms\n`;
}

function limitsFrom(settings: RenderSettings): RendererOptions {
  return {
    assetTimeoutMs: settings.ASSET_TIMEOUT_MS,
    assetMaxBytes: settings.ASSET_MAX_BYTES,
    assetMaxPixels: settings.ASSET_MAX_PIXELS,
    ...(settings.ASSET_ALLOW_HOSTS && { allowHosts: settings.ASSET_ALLOW_HOSTS }),
    timeoutMs: settings.RENDER_TIMEOUT_MS,
    maxLayers: settings.MAX_LAYERS,
  };
}

/**
 * The variables that the words name: those of the file, then each pair's text as it stands (no JSON is looked for in it).
 * Throws RenderError when the file can't be read, is no JSON or no object.
 */
export async function readVariables(
  { file, pairs }: VariableOptions,
  terminal: CliContext,
): Promise<Record<string, unknown>> {
  const { value } = file === undefined ? { value: {} } : await readPayload(file, terminal);
  if (!isObject(value)) {
    throw new RenderError(
      'invalid_request',
      `${file}: received ${formatReceived(value)}, expected an object of variables`,
    );
  }
  // Entries rather than assignments: a variable may be called __proto__.
  return Object.fromEntries([...Object.entries(value), ...pairs]);
}
