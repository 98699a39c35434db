// `platen expand PAYLOAD`: prints the plain payload that lists, conditions, components, tokens and expressions make.
import { resolve } from 'node:path';
import { definedFields } from '../../contract/json/defined-fields.js';
import { limitWarnings } from '../../contract/messages/issues.js';
import { loadDataFor } from '../../load-data.js';
import { readRenderSettings } from '../../settings.js';
import { expand } from '../../templates/expand.js';
import type { ExpandCommand } from '../args.js';
import { EXIT, type ExitCode } from '../errors.js';
import { loadIcons } from '../icons.js';
import { replaceFile } from '../output-file.js';
import { readSource } from '../source.js';
import { type CliContext, findingLine, write } from '../stdio.js';

/** Prints the payload, or writes it to a file. Throws errors that `report` can format. */
export async function expandCommand(command: ExpandCommand, context: CliContext): Promise<ExitCode> {
  const { payload, options } = await readSource(command, context);
  const settings = readRenderSettings(context.environment);
  const { MAX_LAYERS: maxLayers, MAX_EXPANDED_LAYERS: maxExpandedLayers } = settings;
  const icons = (await loadIcons(settings))?.sets;
  const { variables, size, theme, tokens, locale, alt } = options;
  await loadDataFor(payload, { locale, variables });
  const expanded = expand(payload, { maxLayers, maxExpandedLayers, icons, variables, size, theme, tokens, locale });
  const text = `${JSON.stringify({ ...expanded.payload, ...definedFields({ alt }) }, null, 2)}\n`;
  const { output } = command;
  if (output === undefined || output === '-') await write(context.output, text);
  else await replaceFile(resolve(context.directory, output), Buffer.from(text));
  await write(
    context.errors,
    limitWarnings(expanded.warnings)
      .map((each) => findingLine('warning', each))
      .join(''),
  );
  return EXIT.done;
}
