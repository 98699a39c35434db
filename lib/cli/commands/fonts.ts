// `render fonts`: lists the bundled font families as a table or JSON.
import '../../node-host.js';
import { listFonts } from '../../fonts/bundled.js';
import type { ExitCode } from '../errors.js';
import { readOptions } from '../parse-options.js';
import { formatJson, formatTable } from '../print.js';
import { type CliContext, write } from '../stdio.js';

const OPTIONS = { json: { type: 'boolean' }, help: { type: 'boolean', short: 'h' } } as const;

const USAGE = `Usage: render fonts [--json]

Lists the bundled font families with their weights, styles and scripts: as a table on a terminal, as JSON when piped or
with --json.
`;

/** `argv`: the arguments after `fonts`. */
export async function fontsCommand(argv: readonly string[], context: CliContext): Promise<ExitCode> {
  const { json, help } = readOptions(argv, OPTIONS);
  const families = listFonts().map((family) => ({ ...family }));
  const text = help
    ? USAGE
    : json || !context.output.isTTY
      ? formatJson(families)
      : formatTable(families, ['family', 'weights', 'italics', 'scripts'], 'no fonts are bundled');
  await write(context.output, text);
  return 0;
}
