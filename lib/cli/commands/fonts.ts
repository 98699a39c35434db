// `render fonts`: the bundled families, a line each, or as JSON.
import { listFonts } from '../../fonts/bundled.js';
import type { ExitCode } from '../errors.js';
import { readOptions } from '../parse-options.js';
import { asJson, asTable } from '../print.js';
import { type CliContext, write } from '../stdio.js';

const OPTIONS = { json: { type: 'boolean' }, help: { type: 'boolean', short: 'h' } } as const;

const USAGE = `Usage: render fonts [--json]

Lists the bundled font families with their weights, styles and scripts: a table, or JSON with --json or when piped.
`;

/** `words`: what follows `fonts`. */
export async function fontsCommand(words: readonly string[], terminal: CliContext): Promise<ExitCode> {
  const { json, help } = readOptions(words, OPTIONS);
  const families = listFonts().map((family) => ({ ...family }));
  const text = help
    ? USAGE
    : json || !terminal.output.isTTY
      ? asJson(families)
      : asTable(families, ['family', 'weights', 'italics', 'scripts'], 'no fonts are bundled');
  await write(terminal.output, text);
  return 0;
}
