// `platen PAYLOAD`: renders a payload or template to an image; with --watch, again after every change.

import { resolve } from 'node:path';
import { definedFields } from '../../contract/json/defined-fields.js';
import type { Warning } from '../../errors.js';
import { readRenderSettings } from '../../settings.js';
import type { RenderCommand } from '../args.js';
import { EXIT, type ExitCode, rejectWarnings, report } from '../errors.js';
import { checkOutputPath, replaceFile } from '../output-file.js';
import { UsageError } from '../parse-options.js';
import { readSource } from '../source.js';
import { type CliContext, findingLine, write } from '../stdio.js';

/** Renders once; with --watch until the context's signal aborts. Throws errors that `report` can format. */
export async function renderCommand(command: RenderCommand, context: CliContext): Promise<ExitCode> {
  // a bad setting is reported before anything is watched
  readRenderSettings(context.environment);
  if (command.output === undefined && context.output.isTTY && !command.toJson) {
    throw new UsageError('an image is not written to a terminal: use -o FILE, or redirect the output');
  }
  if (command.output !== undefined) await checkOutputPath(resolve(context.directory, command.output));
  if (command.warning !== undefined) {
    rejectWarnings([command.warning], command);
    await write(context.errors, findingLine('warning', command.warning));
  }
  if (!command.watch) {
    await renderOnce(command, context);
    return EXIT.done;
  }
  const { watchPayload } = await import('./watch.js');
  await watchPayload(command, context, async () => {
    try {
      await write(context.errors, await renderOnce(command, context));
    } catch (error) {
      await write(context.errors, report(error).lines);
    }
  });
  return EXIT.done;
}

/** Returns a line that describes the image. */
async function renderOnce(command: RenderCommand, context: CliContext): Promise<string> {
  const source = await readSource(command, context);
  const { payload, options, renderer, warnings: markupWarnings } = source;
  rejectWarnings(markupWarnings, command);
  if (command.others || (typeof payload === 'object' && payload !== null && 'pages' in payload)) {
    const { renderPages } = await import('./render-pages.js');
    return await renderPages(command, source, context);
  }
  const { format, quality, dpi, lossless, output, strict, allow } = command;
  if (command.toJson) {
    const text = `${JSON.stringify(payload, null, 2)}\n`;
    await (output === undefined
      ? write(context.output, text)
      : replaceFile(resolve(context.directory, output), new TextEncoder().encode(text)));
    await writeWarnings(markupWarnings, context);
    return `${output ?? 'payload'}: ${text.length} characters\n`;
  }
  const { bytes, warnings, width, height, durationMs } = await renderer.render(payload, {
    ...options,
    ...definedFields({ strict, allow, format, quality, dpi, lossless }),
  });
  if (output === undefined) await write(context.output, bytes);
  else await replaceFile(resolve(context.directory, output), bytes);
  // Opening standard error takes some milliseconds, so don't touch it without need.
  await writeWarnings([...markupWarnings, ...warnings], context);
  return `${output ?? 'image'}: ${width} × ${height}, ${bytes.length} bytes, ${Math.round(durationMs)} ms\n`;
}

async function writeWarnings(warnings: readonly Warning[], context: CliContext): Promise<void> {
  if (warnings.length === 0) return;
  await write(context.errors, warnings.map((warning) => findingLine('warning', warning)).join(''));
}
