// `render PAYLOAD`: renders a payload or template to an image; with --watch, again after every change.
import '../../contract/zod-jitless.js';
import { resolve } from 'node:path';
import { isObject } from '../../contract/fields.js';
import { formatReceived } from '../../contract/issues.js';
import { RenderError } from '../../errors.js';
import type { RendererOptions, RenderOptions } from '../../index.js';
import { type RenderSettings, readRenderSettings } from '../../settings.js';
import type { RenderCommand, VariableOptions } from '../args.js';
import { EXIT, type ExitCode, rejectWarnings, report } from '../errors.js';
import { checkOutputPath, replaceFile } from '../output-file.js';
import { UsageError } from '../parse-options.js';
import { readPayload } from '../payload.js';
import { type CliContext, findingLine, oneLine, write } from '../stdio.js';

/** Renders once; with --watch until the context's signal aborts. Throws errors that `report` can format. */
export async function renderCommand(command: RenderCommand, context: CliContext): Promise<ExitCode> {
  const options = { ...rendererOptions(readRenderSettings(context.environment)), strict: command.strict ?? false };
  if (command.output === undefined && context.output.isTTY) {
    throw new UsageError('an image is not written to a terminal: use -o FILE, or redirect the output');
  }
  if (command.output !== undefined) await checkOutputPath(resolve(context.directory, command.output));
  if (command.warning !== undefined) {
    if (options.strict) rejectWarnings([command.warning]);
    await write(context.errors, oneLine(`warning: ${command.warning}`));
  }
  if (!command.watch) {
    await renderOnce(command, context, options);
    return EXIT.done;
  }
  const { watchPayload } = await import('./watch.js');
  await watchPayload(command, context, async () => {
    try {
      await write(context.errors, await renderOnce(command, context, options));
    } catch (error) {
      await write(context.errors, report(error).lines);
    }
  });
  return EXIT.done;
}

/** Returns a line that describes the image. */
async function renderOnce(
  command: RenderCommand,
  context: CliContext,
  options: RendererOptions & RenderOptions,
): Promise<string> {
  // Load the engine while the files are read: both take time.
  const [{ value, baseDirectory }, variables, { createRenderer, render: renderAlone }] = await Promise.all([
    readPayload(command.source, context),
    command.variables && readVariables(command.variables, context),
    import('../../index.js'),
  ]);
  const { format, quality, dpi, lossless, scale, output } = command;
  let render = renderAlone;
  if (command.fonts !== undefined) {
    const { listFontFiles } = await import('../../fonts/font-folder.js');
    const fonts = await listFontFiles(resolve(context.directory, command.fonts));
    render = (payload: unknown, perRender) => createRenderer({ ...perRender, fonts }).render(payload, perRender);
  }
  const { bytes, warnings, width, height, durationMs } = await render(value, {
    ...options,
    baseDirectory,
    ...(format !== undefined && { format }),
    ...(quality !== undefined && { quality }),
    ...(dpi !== undefined && { dpi }),
    ...(lossless !== undefined && { lossless }),
    ...(scale !== undefined && { scale }),
    ...(variables && { variables }),
    ...(context.signal && { signal: context.signal }),
  });
  if (output === undefined) await write(context.output, bytes);
  else await replaceFile(resolve(context.directory, output), bytes);
  // Opening standard error takes some milliseconds, so don't touch it without need.
  if (warnings.length > 0) {
    await write(context.errors, warnings.map((warning) => findingLine('warning', warning)).join(''));
  }
  return `${output ?? 'image'}: ${width} × ${height}, ${bytes.length} bytes, ${Math.round(durationMs)} ms\n`;
}

export function rendererOptions(settings: RenderSettings): RendererOptions {
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
 * Combines the variables of --vars and --var; the latter win. The text of a --var is taken literally, never as JSON.
 * Throws RenderError if the file can't be read or does not hold a JSON object.
 */
async function readVariables({ file, pairs }: VariableOptions, context: CliContext): Promise<Record<string, unknown>> {
  const { value } = file === undefined ? { value: {} } : await readPayload(file, context);
  if (!isObject(value)) {
    throw new RenderError(
      'invalid_request',
      `${file}: received ${formatReceived(value)}, expected an object of variables`,
    );
  }
  // fromEntries, not assignments: a variable may be named __proto__.
  return Object.fromEntries([...Object.entries(value), ...pairs]);
}
