// The words of a command line → a Command, or a UsageError in one line. Reads nothing, does nothing.
import { extname } from 'node:path';
import { parseArgs } from 'node:util';
import { nearest } from '../contract/nearest.js';

/** The formats that `--format` takes; `jpg` is `jpeg`. */
export type FormatName = 'png' | 'jpeg' | 'jpg' | 'webp' | 'avif';
const FORMATS: readonly FormatName[] = ['png', 'jpeg', 'jpg', 'webp', 'avif'];
/** Endings of pictures that can't be written: to name a file so and write something else would only confuse. */
const FOREIGN = new Set(['.gif', '.svg', '.bmp', '.tif', '.tiff', '.pdf', '.ico', '.heic', '.jxl']);

export interface RenderCommand {
  readonly kind: 'render';
  /** Path of the payload, `-` for standard input. */
  readonly source: string;
  /** Path to write; standard output when absent. */
  readonly output?: string;
  /** From `--format`, else from the output's ending; the payload's own when absent. */
  readonly format?: FormatName;
  readonly quality?: number;
  readonly watch: boolean;
}

export interface ValidateCommand {
  readonly kind: 'validate';
  readonly source: string;
  readonly json: boolean;
}

export type Command = { readonly kind: 'help' } | { readonly kind: 'version' } | RenderCommand | ValidateCommand;

/** Thrown when a command line can't be understood or makes no sense; the message is one line. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}

const OPTIONS = {
  output: { type: 'string', short: 'o' },
  format: { type: 'string' },
  quality: { type: 'string' },
  watch: { type: 'boolean' },
  json: { type: 'boolean' },
  help: { type: 'boolean', short: 'h' },
  version: { type: 'boolean', short: 'v' },
} as const;

type OptionName = keyof typeof OPTIONS;
const RENDER_OPTIONS: readonly OptionName[] = ['output', 'format', 'quality', 'watch'];
const VALIDATE_OPTIONS: readonly OptionName[] = ['json'];

/** The command that `words` (without the program's own name) ask for. Throws UsageError. */
export function parseCommand(words: readonly string[]): Command {
  const { values, positionals } = readWords(words);
  if (values.help || words.length === 0) return { kind: 'help' };
  if (values.version) return { kind: 'version' };
  if (positionals[0] === 'validate') {
    refuseOthers(Object.keys(values), VALIDATE_OPTIONS, 'render validate');
    return { kind: 'validate', source: onlySource(positionals.slice(1)), json: values.json ?? false };
  }
  refuseOthers(Object.keys(values), RENDER_OPTIONS, 'render');
  const source = onlySource(positionals);
  const output = values.output === '-' ? undefined : values.output;
  if (output === '') throw new UsageError('--output needs the name of a file');
  const format = values.format === undefined ? formatOf(output) : namedFormat(values.format);
  const watch = values.watch ?? false;
  if (watch && output === undefined)
    throw new UsageError('--watch needs -o FILE: it writes the picture again and again');
  if (watch && source === '-') throw new UsageError('--watch needs a payload in a file, not on standard input');
  return {
    kind: 'render',
    source,
    watch,
    ...(output !== undefined && { output }),
    ...(format !== undefined && { format }),
    ...(values.quality !== undefined && { quality: qualityOf(values.quality) }),
  };
}

function readWords(words: readonly string[]) {
  try {
    return parseArgs({ args: [...words], options: OPTIONS, allowPositionals: true });
  } catch (cause) {
    const [first] = (cause as Error).message.split(/\n|\. /);
    const mistyped = /^Unknown option '--?([^']+)'/.exec(first)?.[1];
    const meant = mistyped && nearest(mistyped, Object.keys(OPTIONS));
    throw new UsageError(meant ? `${first}; did you mean --${meant}?` : first, { cause });
  }
}

function refuseOthers(given: readonly string[], known: readonly string[], command: string): void {
  const other = given.find((name) => !known.includes(name));
  if (other !== undefined) throw new UsageError(`--${other} has no meaning for "${command}"`);
}

function onlySource([source, ...others]: readonly string[]): string {
  if (source === undefined || source === '')
    throw new UsageError('expected the payload: a JSON file, or - for standard input');
  if (others.length > 0)
    throw new UsageError(`expected one payload, received ${others.length + 1}: ${[source, ...others].join(', ')}`);
  return source;
}

function namedFormat(name: string): FormatName {
  const known = FORMATS.find((format) => format === name.toLowerCase());
  if (!known) throw new UsageError(`--format: received "${name}", expected one of ${FORMATS.join(', ')}`);
  return known;
}

/** The format that a file's ending asks for; none when the ending says nothing. */
function formatOf(output: string | undefined): FormatName | undefined {
  const ending = extname(output ?? '').toLowerCase();
  if (FOREIGN.has(ending)) {
    throw new UsageError(`${ending} can't be written; end the name in .png, .jpg, .webp or .avif, or give --format`);
  }
  return FORMATS.find((format) => `.${format}` === ending);
}

function qualityOf(text: string): number {
  const quality = text.trim() === '' ? Number.NaN : Number(text);
  if (!(quality >= 1 && quality <= 100)) {
    throw new UsageError(`--quality: received "${text}", expected a number from 1 to 100`);
  }
  return quality;
}
