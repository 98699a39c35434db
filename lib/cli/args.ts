// The words of a command line → a Command, or a UsageError in one line. Reads nothing, does nothing.
import { extname } from 'node:path';
import { parseArgv, UsageError } from './parse-options.js';

/** The formats that `--format` takes; `jpg` is `jpeg`. */
export type FormatName = 'png' | 'jpeg' | 'jpg' | 'webp' | 'avif';
const FORMATS: readonly FormatName[] = ['png', 'jpeg', 'jpg', 'webp', 'avif'];
/** Endings of pictures that can't be written: to name a file so and write something else would only confuse. */
const FOREIGN = new Set(['.gif', '.svg', '.bmp', '.tif', '.tiff', '.pdf', '.ico', '.heic', '.jxl']);

/** Where a template's variables come from. */
export interface VariableOptions {
  /** `--vars`: path of a JSON object, `-` for standard input. */
  readonly file?: string;
  /** `--var`: name and text, in their order; they win over the file. */
  readonly pairs: readonly (readonly [name: string, text: string])[];
}

export interface RenderCommand {
  readonly kind: 'render';
  /** Path of the payload, `-` for standard input. */
  readonly source: string;
  /** Path to write; standard output when absent. */
  readonly output?: string;
  /** From `--format`, else from the output's ending; the payload's own when absent. */
  readonly format?: FormatName;
  readonly quality?: number;
  readonly variables?: VariableOptions;
  readonly watch: boolean;
  /** Whether any warning fails the render. */
  readonly strict?: boolean;
  /** What is doubtful about the words themselves. */
  readonly warning?: string;
}

export interface BatchCommand {
  readonly kind: 'batch';
  /** Path of the template, `-` for standard input. */
  readonly source: string;
  /** Path of the CSV or JSON lines, `-` for standard input. */
  readonly rows: string;
  /** Path to write, with placeholders such as `{name}`. */
  readonly output: string;
  readonly format?: FormatName;
  readonly quality?: number;
  /** Processes that render at a time; one for every core when absent. */
  readonly jobs?: number;
  /** Whether rows whose file is there are left out. */
  readonly skipExisting?: boolean;
  /** Whether any warning fails its row. */
  readonly strict?: boolean;
  /** What is doubtful about the words themselves. */
  readonly warning?: string;
}

export interface ValidateCommand {
  readonly kind: 'validate';
  readonly source: string;
  readonly json: boolean;
  /** Whether a payload with warnings is invalid. */
  readonly strict?: boolean;
}

export type Command =
  | { readonly kind: 'help' }
  | { readonly kind: 'version' }
  | RenderCommand
  | BatchCommand
  | ValidateCommand;

const OPTIONS = {
  output: { type: 'string', short: 'o' },
  format: { type: 'string' },
  quality: { type: 'string' },
  var: { type: 'string', multiple: true },
  vars: { type: 'string' },
  jobs: { type: 'string' },
  'skip-existing': { type: 'boolean' },
  strict: { type: 'boolean' },
  watch: { type: 'boolean' },
  json: { type: 'boolean' },
  help: { type: 'boolean', short: 'h' },
  version: { type: 'boolean', short: 'v' },
} as const;

type OptionName = keyof typeof OPTIONS;
const RENDER_OPTIONS: readonly OptionName[] = ['output', 'format', 'quality', 'var', 'vars', 'strict', 'watch'];
const BATCH_OPTIONS: readonly OptionName[] = ['output', 'format', 'quality', 'jobs', 'skip-existing', 'strict'];
const VALIDATE_OPTIONS: readonly OptionName[] = ['json', 'strict'];

/** The command that `words` (without the program's own name) ask for. Throws UsageError. */
export function parseCommand(words: readonly string[]): Command {
  const { values, positionals } = parseArgv(words, OPTIONS);
  if (values.help || words.length === 0) return { kind: 'help' };
  if (values.version) return { kind: 'version' };
  const [first, ...rest] = positionals;
  if (first === 'validate') {
    refuseOthers(values, VALIDATE_OPTIONS, 'render validate');
    return { kind: 'validate', source: onlySource(rest), json: values.json ?? false, ...strictOf(values) };
  }
  if (first === 'batch') {
    refuseOthers(values, BATCH_OPTIONS, 'render batch');
    return batchCommand(rest, values);
  }
  refuseOthers(values, RENDER_OPTIONS, 'render');
  return renderCommand(positionals, values);
}

type Values = ReturnType<typeof parseArgv<typeof OPTIONS>>['values'];

function renderCommand(positionals: readonly string[], values: Values): RenderCommand {
  const source = onlySource(positionals);
  const output = values.output === '-' ? undefined : values.output;
  if (output === '') throw new UsageError('--output needs the name of a file');
  const variables = variableWords(values);
  if (source === '-' && variables?.file === '-')
    throw new UsageError("payload and --vars can't both be standard input");
  const watch = values.watch ?? false;
  if (watch && output === undefined)
    throw new UsageError('--watch needs -o FILE: it writes the picture again and again');
  if (watch && source === '-') throw new UsageError('--watch needs a payload in a file, not on standard input');
  if (watch && variables?.file === '-') throw new UsageError('--watch needs --vars in a file, not on standard input');
  return {
    kind: 'render',
    source,
    watch,
    ...strictOf(values),
    ...(output !== undefined && { output }),
    ...(variables && { variables }),
    ...writingOf(output, values),
  };
}

function batchCommand([source, rows, ...others]: readonly string[], values: Values): BatchCommand {
  const { output, jobs } = values;
  if (!source || !rows)
    throw new UsageError('expected the template and its rows: a JSON file, then a CSV or JSON lines file');
  if (others.length > 0)
    throw new UsageError(`expected a template and one file of rows, received also ${others.join(', ')}`);
  if (source === '-' && rows === '-') throw new UsageError("template and rows can't both be standard input");
  if (!output || !/\{[^{}]+\}/.test(output)) {
    throw new UsageError('a batch needs -o with a placeholder, such as -o "out/{name}.png" or -o "out/{#}.png"');
  }
  if (jobs !== undefined && !/^([1-9]\d{0,2})$/.test(jobs)) {
    throw new UsageError(`--jobs: received "${jobs}", expected a whole number from 1 to 999`);
  }
  const writing = writingOf(output, values);
  if (!writing.format && extname(output).includes('{'))
    throw new UsageError('give --format: the ending is a placeholder');
  return {
    kind: 'batch',
    source,
    rows,
    output,
    ...(values['skip-existing'] && { skipExisting: true }),
    ...strictOf(values),
    ...writing,
    ...(jobs !== undefined && { jobs: Number(jobs) }),
  };
}

const strictOf = ({ strict }: Values) => (strict ? { strict } : {});

/** How pictures are to be written to `output`. */
function writingOf(
  output: string | undefined,
  values: Values,
): { format?: FormatName; quality?: number; warning?: string } {
  const format = values.format === undefined ? formatOf(output) : namedFormat(values.format);
  const warning = values.format === undefined ? undefined : misnamed(output, format);
  return {
    ...(format !== undefined && { format }),
    ...(warning !== undefined && { warning }),
    ...(values.quality !== undefined && { quality: qualityOf(values.quality) }),
  };
}

function variableWords({ var: words = [], vars: file }: Values): VariableOptions | undefined {
  if (file === '') throw new UsageError('--vars needs the name of a file');
  const pairs = words.map((word): [string, string] => {
    const equals = word.indexOf('=');
    if (equals < 1) throw new UsageError(`--var: received "${word}", expected name=value`);
    return [word.slice(0, equals), word.slice(equals + 1)];
  });
  return file === undefined && pairs.length === 0 ? undefined : { pairs, ...(file !== undefined && { file }) };
}

function refuseOthers(values: Values, known: readonly string[], command: string): void {
  const other = Object.keys(values).find((name) => !known.includes(name));
  if (other !== undefined) throw new UsageError(`--${other} has no meaning for "${command}"`);
}

function onlySource([source, ...others]: readonly string[]): string {
  if (source === undefined || source === '')
    throw new UsageError('expected the payload: a JSON file, or - for standard input');
  if (others.length > 0) {
    const written = others.find((other) => FORMATS.some((format) => other.toLowerCase().endsWith(`.${format}`)));
    const hint = written === undefined ? '' : `; a picture is written with -o ${written}`;
    const all = [source, ...others].join(', ');
    throw new UsageError(`expected one payload, received ${others.length + 1}: ${all}${hint}`);
  }
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

/** Says so when the file's ending names another format than the one that is written. */
function misnamed(output: string | undefined, format: FormatName | undefined): string | undefined {
  const ending = extname(output ?? '').toLowerCase();
  const known = FORMATS.find((name) => `.${name}` === ending);
  const written = format === 'jpg' ? 'jpeg' : format;
  if (known === undefined ? !FOREIGN.has(ending) : (known === 'jpg' ? 'jpeg' : known) === written) return undefined;
  return `${output} gets a ${written?.toUpperCase()} picture, as --format says; its ending says ${ending.slice(1).toUpperCase()}`;
}

function qualityOf(text: string): number {
  const quality = text.trim() === '' ? Number.NaN : Number(text);
  if (!(quality >= 1 && quality <= 100)) {
    throw new UsageError(`--quality: received "${text}", expected a number from 1 to 100`);
  }
  return quality;
}
