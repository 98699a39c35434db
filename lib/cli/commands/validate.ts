// `render validate PAYLOAD`: all that is wrong or doubtful, found without rendering and without the network.
import { validatePayload } from '../../contract/validate.js';
import { limitWarnings } from '../../contract/warnings.js';
import { readLineSettings } from '../../settings.js';
import type { ValidateCommand } from '../args.js';
import { checkAssets } from '../assets.js';
import { EXIT, type ExitCode } from '../errors.js';
import { readPayload } from '../payload.js';
import { type CliContext, findingLine, write } from '../stdio.js';

/** Prints the findings; the exit code says whether something is wrong. Throws when the payload can't be read or is no JSON. */
export async function validate({ source, json, strict }: ValidateCommand, terminal: CliContext): Promise<ExitCode> {
  const { MAX_LAYERS: maxLayers } = readLineSettings(terminal.environment);
  const { value, baseDirectory } = await readPayload(source, terminal);
  const reviewed = validatePayload(value, { maxLayers });
  const closer = await Promise.all(reviewed.layers.map((placed) => checkAssets(placed, baseDirectory)));
  const errors = [...reviewed.errors, ...closer.flatMap(({ errors }) => errors)];
  const warnings = limitWarnings(reviewed.warnings, ...closer.map((each) => each.warnings));
  const valid = errors.length === 0 && !(strict && warnings.length > 0);
  if (json) {
    await write(terminal.output, `${JSON.stringify({ valid, errors, warnings }, null, 2)}\n`);
  } else {
    const lines = [
      ...errors.map((each) => findingLine('error', each)),
      ...warnings.map((each) => findingLine('warning', each)),
    ];
    await write(terminal.errors, lines.join(''));
    await write(terminal.output, `${source}: ${count(errors.length, 'error')}, ${count(warnings.length, 'warning')}\n`);
  }
  return valid ? EXIT.done : EXIT.failed;
}

const count = (n: number, what: string) => `${n === 0 ? 'no' : n} ${what}${n === 1 ? '' : 's'}`;
