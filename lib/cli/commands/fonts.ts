// `render fonts`: the bundled families, a line each, or as JSON.
import { loadManifest } from '../../fonts/bundled.js';
import type { ExitCode } from '../errors.js';
import { readOptions } from '../parse-options.js';
import { asJson, asTable, type Fields } from '../print.js';
import { type CliContext, write } from '../stdio.js';

const OPTIONS = { json: { type: 'boolean' }, help: { type: 'boolean', short: 'h' } } as const;

const USAGE = `Usage: render fonts [--json]

Lists the bundled font families with their weights, styles and scripts: a table, or JSON with --json or when piped.
`;

/** `words`: what follows `fonts`. */
export async function fontsCommand(words: readonly string[], terminal: CliContext): Promise<ExitCode> {
  const { json, help } = readOptions(words, OPTIONS);
  const families = listFamilies();
  const text = help
    ? USAGE
    : json || !terminal.output.isTTY
      ? asJson(families)
      : asTable(families, ['family', 'weights', 'italics', 'scripts'], 'no fonts are bundled');
  await write(terminal.output, text);
  return 0;
}

function listFamilies(): Fields[] {
  const { faces, fallback, emoji } = loadManifest();
  return Array.from(new Set(faces.map(({ family }) => family)), (family) => {
    const own = faces.filter((face) => face.family === family);
    const weights = (style: string) => own.filter((face) => face.style === style).map(({ weight }) => weight);
    return {
      family,
      weights: weights('normal'),
      italics: weights('italic'),
      scripts: own[0].scripts,
      fallback: fallback.includes(family) || family === emoji,
    };
  });
}
