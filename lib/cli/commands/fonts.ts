// `platen fonts`: lists the font families as a table, or as JSON with --json. `platen fonts inspect` looks into one font file.
import '../../node-host.js';
import { resolve } from 'node:path';
import { listFontFamilies } from '../../fonts/catalogue.js';
import type { ExitCode } from '../errors.js';
import { parseArgv, readOptions, UsageError } from '../parse-options.js';
import { formatJson, formatTable } from '../print.js';
import { type CliContext, write } from '../stdio.js';

const OPTIONS = {
  json: { type: 'boolean' },
  fonts: { type: 'string' },
  help: { type: 'boolean', short: 'h' },
} as const;

const INSPECT_OPTIONS = {
  json: { type: 'boolean' },
  text: { type: 'string' },
  help: { type: 'boolean', short: 'h' },
} as const;

const USAGE = `Usage: platen fonts [--fonts DIR] [--json]
       platen fonts inspect <font file | URL> [--text TEXT] [--json]

Lists the bundled font families with their styles, scripts (ISO 15924 codes, the main one first) and category as a table.
With --json, prints what GET /v1/fonts of a server answers.

      --fonts DIR     with the font files in DIR
      --json          print JSON

"platen fonts inspect" prints what a TTF, OTF, WOFF or WOFF2 file holds: names, weights, axes, OpenType features, scripts
(ISO 15924 codes, the main one first) and the languages of which it has every letter, the number of glyphs and characters,
licence and embedding. URLs are fetched as renders fetch theirs. The file is read in a process of its own.

      --text TEXT     also the characters of TEXT that the font lacks
      --json          print JSON instead of text

Environment, as for a render: ASSET_TIMEOUT_MS, ASSET_MAX_BYTES, ASSET_ALLOW_HOSTS, RENDER_TIMEOUT_MS.
`;

/** Lists the fonts. `argv` holds the arguments after `fonts`. */
export async function fontsCommand(argv: readonly string[], context: CliContext): Promise<ExitCode> {
  if (argv[0] === 'inspect') return await inspectCommand(argv.slice(1), context);
  const { json, fonts, help } = readOptions(argv, OPTIONS);
  await write(context.output, help ? USAGE : await list(fonts, json, context));
  return 0;
}

async function inspectCommand(argv: readonly string[], context: CliContext): Promise<ExitCode> {
  const { values, positionals } = parseArgv(argv, INSPECT_OPTIONS);
  const { json, text, help } = values;
  if (help) {
    await write(context.output, USAGE);
    return 0;
  }
  if (positionals.length !== 1) throw new UsageError('expected the path or URL of one font file');
  // imported on first use: the list needs neither processes nor the network
  const { inspectFont, formatFontReport } = await import('./inspect-font.js');
  const report = await inspectFont(positionals[0], text, context);
  await write(context.output, json ? formatJson(report) : formatFontReport(report));
  return 0;
}

async function list(
  folder: string | undefined,
  asJson: boolean | undefined,
  { directory }: CliContext,
): Promise<string> {
  const items = await listFontFamilies(folder === undefined ? [] : await loadFolder(resolve(directory, folder)));
  if (asJson) return formatJson({ items });
  const rows = items.map(({ styles, scripts, ...font }) => ({ ...font, scripts, styles: styles.map(styleName) }));
  return formatTable(rows, ['family', 'styles', 'scripts', 'category'], 'no fonts are bundled');
}

/** Imported on first use: few programs add fonts. */
async function loadFolder(folder: string) {
  const { listFontFiles } = await import('../../fonts/font-folder.js');
  const { loadUserFonts } = await import('../../fonts/user-fonts.js');
  return loadUserFonts(await listFontFiles(folder));
}

/** `400`, `700i`, and `400v` of a variable font. */
function styleName({ weight, style, variable }: { weight: number; style: string; variable?: boolean | undefined }) {
  return `${weight}${style === 'italic' ? 'i' : ''}${variable ? 'v' : ''}`;
}
