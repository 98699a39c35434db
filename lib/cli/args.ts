// Parses a render, batch, inspect or validate command line into a typed Command. Pure: reads no files and runs nothing.

import { extname } from 'node:path';
import { definedFields } from '../contract/json/defined-fields.js';
import { formatReceived } from '../contract/json/describe.js';
import { MAX_ALT_LENGTH } from '../contract/layers/limits.js';
import { MAX_CANVAS, MAX_DPI, MAX_SCALE, MIN_DPI, MIN_SCALE } from '../contract/layers/output-size.js';
import { FINDING_CODES, type FindingOptions, MAX_MIN_READABLE, SAFE_AREAS } from '../contract/messages/findings.js';
import { issue } from '../contract/messages/issues.js';
import { codeIssue, type StrictOptions } from '../contract/messages/strictness.js';
import { choiceHint, expectedChoice } from '../contract/messages/value-hints.js';
import type { WarningCode } from '../detail-codes.js';
import type { Warning } from '../errors.js';
import { isLanguageTag } from '../locale/tag.js';
import { parseArgv, UsageError } from './parse-options.js';

/** Values that `--format` accepts; `jpg` means `jpeg`. */
export type FormatName = 'png' | 'jpeg' | 'jpg' | 'webp' | 'avif' | 'svg' | 'pdf';
const FORMATS: readonly FormatName[] = ['png', 'jpeg', 'jpg', 'webp', 'avif', 'svg', 'pdf'];
/** Extensions of formats that can't be encoded. We reject them: writing another format under such a name would mislead. */
const UNSUPPORTED_EXTENSIONS = new Set(['.gif', '.bmp', '.tif', '.tiff', '.ico', '.heic', '.jxl']);

/** Sources of a template's variables. */
export interface VariableOptions {
  /** `--vars`: path of a JSON object, `-` for standard input. */
  readonly file?: string;
  /** `--var` options in order; they override the file. */
  readonly pairs: readonly (readonly [name: string, text: string])[];
}

/** The input to render or inspect. */
export interface SourceOptions {
  /** Path of the payload, `-` for standard input. */
  readonly source: string;
  readonly scale?: number;
  /** Name of one of the template's sizes. */
  readonly size?: string;
  /** Name of one of the template's sample sets. */
  readonly sample?: string;
  readonly variables?: VariableOptions;
  /** Name of one of the payload's themes. */
  readonly theme?: string;
  /** `--locale`: a language tag. */
  readonly locale?: string;
  /** `--alt`: what the picture shows. */
  readonly alt?: string;
  /** `--tokens`: path of a JSON object. */
  readonly tokens?: string;
  /** `--fonts`: a folder of font files. */
  readonly fonts?: string;
  /** `--width`, `--height`: the canvas of markup. */
  readonly width?: number;
  readonly height?: number;
}

/** How pictures are encoded. */
interface EncodingOptions {
  /** Format from `--format`, else from the extension of the output; if absent, the payload's. */
  readonly format?: FormatName;
  readonly quality?: number;
  readonly dpi?: number;
  readonly lossless?: boolean;
  /** A warning about the command line itself. */
  readonly warning?: Warning;
}

export interface RenderCommand extends SourceOptions, EncodingOptions, StrictOptions {
  readonly kind: 'render';
  /** Further payloads: they are the next pages of a PDF. */
  readonly others?: readonly string[];
  /** Output path; standard output when absent. */
  readonly output?: string;
  readonly watch: boolean;
  /** Whether to write the payload instead of the image. */
  readonly toJson?: boolean;
}

/** `strict` fails a row. */
export interface BatchCommand extends EncodingOptions, StrictOptions {
  readonly kind: 'batch';
  /** Path of the template, `-` for standard input; with `server`, the id of one of its templates. */
  readonly source: string;
  /** Path of the CSV or JSON rows, `-` for standard input. */
  readonly rows: string;
  /** Output path with placeholders such as `{name}`; without them, a PDF with a page for each row. */
  readonly output: string;
  readonly scale?: number;
  /** The size of rows that name none. */
  readonly size?: string;
  /** Name of a theme, a language tag, and the path of a JSON object with tokens. */
  readonly theme?: string;
  readonly locale?: string;
  readonly tokens?: string;
  /** The address of the server that renders. */
  readonly server?: string;
  /** Concurrent render processes; one per core when absent. */
  readonly jobs?: number;
  /** Whether to skip rows whose output file exists. */
  readonly skipExisting?: boolean;
}

export interface InspectCommand extends SourceOptions {
  readonly kind: 'inspect';
  readonly json: boolean;
  /** What findings are measured by; absent without `--findings`. */
  readonly findings?: FindingOptions;
}

export interface ExpandCommand extends SourceOptions {
  readonly kind: 'expand';
  /** Output path; standard output when absent. */
  readonly output?: string;
}

/** `strict` makes the payload invalid. */
export interface ValidateCommand extends StrictOptions {
  readonly kind: 'validate';
  readonly source: string;
  /** `--width`, `--height`: the canvas of markup. */
  readonly width?: number;
  readonly height?: number;
  readonly json: boolean;
}

export type Command =
  | { readonly kind: 'help' }
  | { readonly kind: 'version' }
  | RenderCommand
  | BatchCommand
  | InspectCommand
  | ExpandCommand
  | ValidateCommand;

const OPTIONS = {
  output: { type: 'string', short: 'o' },
  format: { type: 'string' },
  quality: { type: 'string' },
  dpi: { type: 'string' },
  lossless: { type: 'boolean' },
  scale: { type: 'string' },
  size: { type: 'string' },
  sample: { type: 'string' },
  var: { type: 'string', multiple: true },
  vars: { type: 'string' },
  theme: { type: 'string' },
  tokens: { type: 'string' },
  locale: { type: 'string' },
  alt: { type: 'string' },
  fonts: { type: 'string' },
  width: { type: 'string' },
  height: { type: 'string' },
  'to-json': { type: 'boolean' },
  jobs: { type: 'string' },
  server: { type: 'string' },
  'skip-existing': { type: 'boolean' },
  strict: { type: 'boolean' },
  allow: { type: 'string', multiple: true },
  watch: { type: 'boolean' },
  json: { type: 'boolean' },
  findings: { type: 'boolean' },
  'min-readable': { type: 'string' },
  'safe-area': { type: 'string' },
  ignore: { type: 'string', multiple: true },
  help: { type: 'boolean', short: 'h' },
  version: { type: 'boolean', short: 'v' },
} as const;

type OptionName = keyof typeof OPTIONS;
/** Options for the output of images. */
const OUTPUT_OPTIONS: readonly OptionName[] = ['output', 'format', 'quality', 'dpi', 'lossless', 'scale', 'size'];
/** Options that say what a design looks like, whatever fills it. */
const DESIGN_OPTIONS = ['theme', 'tokens', 'locale'] as const;
/** Options that say what a payload is filled with, and how large the canvas of markup is. */
const FILLING_OPTIONS = ['sample', 'var', 'vars', ...DESIGN_OPTIONS, 'alt', 'width', 'height'] as const;
const RENDER_OPTIONS: readonly OptionName[] = [
  ...OUTPUT_OPTIONS,
  ...FILLING_OPTIONS,
  'fonts',
  'to-json',
  'strict',
  'allow',
  'watch',
];
const DATA_OPTIONS: readonly OptionName[] = ['size', ...FILLING_OPTIONS];
const FINDING_OPTIONS = ['min-readable', 'safe-area', 'ignore'] as const;
const INSPECT_OPTIONS: readonly OptionName[] = [
  ...DATA_OPTIONS,
  'scale',
  'fonts',
  'json',
  'findings',
  ...FINDING_OPTIONS,
];
const EXPAND_OPTIONS: readonly OptionName[] = [...DATA_OPTIONS, 'output'];
const BATCH_OPTIONS: readonly OptionName[] = [
  ...OUTPUT_OPTIONS,
  ...DESIGN_OPTIONS,
  ...(['jobs', 'server', 'skip-existing', 'strict', 'allow'] as const),
];
const VALIDATE_OPTIONS: readonly OptionName[] = ['width', 'height', 'json', 'strict', 'allow'];

/** Parses `argv` (without the program name). Throws UsageError. */
export function parseCommand(argv: readonly string[]): Command {
  const { rest: plain, codes } = withoutStrictCodes(argv);
  const { values: parsed, positionals } = parseArgv(plain, OPTIONS);
  const values = { ...parsed, codes };
  if (values.help || argv.length === 0) return { kind: 'help' };
  if (values.version) return { kind: 'version' };
  const [first, ...rest] = positionals;
  if (first === 'validate') {
    rejectOtherOptions(values, VALIDATE_OPTIONS, 'platen validate');
    return {
      kind: 'validate',
      source: singleSource(rest),
      ...canvasOptions(values),
      json: values.json ?? false,
      ...strictOption(values),
    };
  }
  if (first === 'inspect') {
    rejectOtherOptions(values, INSPECT_OPTIONS, 'platen inspect');
    const findings = findingOptions(values);
    return {
      kind: 'inspect',
      json: values.json ?? false,
      ...sourceOptions(rest, values),
      ...definedFields({ findings }),
    };
  }
  if (first === 'expand') {
    rejectOtherOptions(values, EXPAND_OPTIONS, 'platen expand');
    return { kind: 'expand', ...sourceOptions(rest, values), ...definedFields({ output: values.output }) };
  }
  if (first === 'batch') {
    rejectOtherOptions(values, BATCH_OPTIONS, 'platen batch');
    return batchCommand(rest, values);
  }
  rejectOtherOptions(values, RENDER_OPTIONS, 'render');
  return renderCommand(positionals, values);
}

type Values = ReturnType<typeof parseArgv<typeof OPTIONS>>['values'] & {
  readonly codes: readonly string[] | undefined;
};

function sourceOptions(positionals: readonly string[], values: Values): SourceOptions {
  const source = singleSource(positionals);
  const variables = variableOptions(values);
  if (source === '-' && variables?.file === '-')
    throw new UsageError("payload and --vars can't both be standard input");
  if (values.alt !== undefined && values.alt.length > MAX_ALT_LENGTH) {
    throw new UsageError(`--alt: received ${values.alt.length} characters, expected at most ${MAX_ALT_LENGTH}`);
  }
  if (values.fonts === '') throw new UsageError('--fonts needs the name of a folder');
  return {
    source,
    ...sizeOptions(values),
    ...designOptions(values),
    ...definedFields({ sample: values.sample, variables, alt: values.alt, fonts: values.fonts }),
    ...canvasOptions(values),
  };
}

function designOptions({ theme, tokens, locale }: Values): Pick<SourceOptions, 'theme' | 'tokens' | 'locale'> {
  if (locale !== undefined && !isLanguageTag(locale)) {
    throw new UsageError(`--locale: received ${formatReceived(locale)}, expected a language tag such as de-CH`);
  }
  if (tokens === '') throw new UsageError('--tokens needs a file name');
  return definedFields({ theme, tokens, locale });
}

function canvasOptions(values: Values): { readonly width?: number; readonly height?: number } {
  return definedFields({ width: sideOption('width', values.width), height: sideOption('height', values.height) });
}

function sideOption(name: string, value: string | undefined): number | undefined {
  if (value === undefined) return undefined;
  if (/^[1-9]\d*$/.test(value) && Number(value) <= MAX_CANVAS) return Number(value);
  throw new UsageError(`--${name}: received ${formatReceived(value)}, expected a whole number from 1 to ${MAX_CANVAS}`);
}

function renderCommand(positionals: readonly string[], values: Values): RenderCommand {
  const encoding = encodingOptions(values.output === '-' ? undefined : values.output, values);
  const others = encoding.format === 'pdf' ? positionals.slice(1) : [];
  const sourceFlags = sourceOptions(others.length > 0 ? positionals.slice(0, 1) : positionals, values);
  const { source, variables } = sourceFlags;
  const output = values.output === '-' ? undefined : values.output;
  if (output === '') throw new UsageError('--output needs a file name');
  const watch = values.watch ?? false;
  if (watch && output === undefined)
    throw new UsageError('--watch needs -o FILE, because it writes the image repeatedly');
  if (watch && others.length > 0) throw new UsageError('--watch needs one payload');
  if (others.length > 0 && [source, variables?.file, ...others].filter((name) => name === '-').length > 1) {
    throw new UsageError('only one of the payloads and --vars can be standard input');
  }
  if (watch && source === '-') throw new UsageError('--watch needs a payload in a file, not on standard input');
  if (watch && variables?.file === '-') throw new UsageError('--watch needs --vars in a file, not on standard input');
  return {
    kind: 'render',
    ...sourceFlags,
    watch,
    ...(values['to-json'] && { toJson: true }),
    ...strictOption(values),
    ...(others.length > 0 && { others }),
    ...definedFields({ output }),
    ...encoding,
  };
}

function batchCommand([source, rows, ...extra]: readonly string[], values: Values): BatchCommand {
  const { output, jobs, server } = values;
  if (!source || !rows)
    throw new UsageError('expected the template and its rows: a JSON file, then a CSV or JSON lines file');
  if (extra.length > 0)
    throw new UsageError(`expected a template and one file of rows, received also ${extra.join(', ')}`);
  if (source === '-' && rows === '-') throw new UsageError("template and rows can't both be standard input");
  const encoding = encodingOptions(output, values);
  const isDocument = encoding.format === 'pdf' && server === undefined;
  if (!output || (!isDocument && !/\{[^{}]+\}/.test(output))) {
    throw new UsageError('a batch needs -o with a placeholder, such as -o "out/{name}.png" or -o "out/{#}.png"');
  }
  if (server !== undefined && (jobs !== undefined || values.strict)) {
    throw new UsageError(`--server can't be used with --${values.strict ? 'strict' : 'jobs'}`);
  }
  if (server !== undefined && !/^[\w-]+$/.test(source)) {
    throw new UsageError(`--server needs the id of a template on the server, received "${source}"`);
  }
  if (jobs !== undefined && !/^([1-9]\d{0,2})$/.test(jobs)) {
    throw new UsageError(`--jobs: received "${jobs}", expected a whole number from 1 to 999`);
  }
  if (!encoding.format && extname(output).includes('{'))
    throw new UsageError('--format is required when the file extension is a placeholder');
  return {
    kind: 'batch',
    source,
    rows,
    output,
    ...(values['skip-existing'] && { skipExisting: true }),
    ...strictOption(values),
    ...sizeOptions(values),
    ...designOptions(values),
    ...encoding,
    ...definedFields({ jobs: jobs === undefined ? undefined : Number(jobs), server }),
  };
}

/** The arguments with each `--strict=CODE,…` as `--strict`, and the codes; undefined without any. */
function withoutStrictCodes(argv: readonly string[]): { rest: string[]; codes: string[] | undefined } {
  const end = argv.indexOf('--');
  let codes: string[] | undefined;
  const rest = argv.map((argument, i) => {
    if (!argument.startsWith('--strict=') || (end >= 0 && i > end)) return argument;
    codes = [...(codes ?? []), ...argument.slice('--strict='.length).split(',')];
    return '--strict';
  });
  return { rest, codes };
}

function strictOption({ strict, allow, codes }: Values): StrictOptions {
  if (!strict && allow !== undefined) throw new UsageError('--allow needs --strict, from which it makes exceptions');
  if (!strict) return {};
  return {
    strict: codes === undefined ? true : parseCodes('strict', codes),
    ...(allow && {
      allow: parseCodes(
        'allow',
        allow.flatMap((list) => list.split(',')),
      ),
    }),
  };
}

function parseCodes(option: OptionName, codes: readonly string[]): WarningCode[] {
  return codes.map((code) => {
    const issue = codeIssue('', code);
    if (issue) throw new UsageError(`--${option}: ${issue.message}`);
    return code as WarningCode;
  });
}

/** What findings are measured by; undefined if they are not asked for. */
function findingOptions(values: Values): FindingOptions | undefined {
  if (!values.findings) {
    const name = FINDING_OPTIONS.find((option) => values[option] !== undefined);
    if (name !== undefined) throw new UsageError(`--${name} needs --findings`);
    return undefined;
  }
  return parseFindingOptions({
    minReadable: values['min-readable'],
    safeArea: values['safe-area'],
    ignore: values.ignore,
  });
}

/** Parses the options of findings, as the command line has them. Throws UsageError. */
export function parseFindingOptions(texts: {
  readonly minReadable?: string | undefined;
  readonly safeArea?: string | undefined;
  readonly ignore?: readonly string[] | undefined;
}): FindingOptions {
  const minReadable = parseNumber('min-readable', texts.minReadable, 1, MAX_MIN_READABLE);
  const safeArea = texts.safeArea === undefined ? undefined : named('safe-area', texts.safeArea, SAFE_AREAS);
  const ignore = texts.ignore?.flatMap((list) => list.split(',').map((code) => named('ignore', code, FINDING_CODES)));
  return definedFields({ minReadable, safeArea, ignore });
}

function named<Name extends string>(option: string, text: string, names: readonly Name[]): Name {
  const name = names.find((each) => each === text);
  if (name !== undefined) return name;
  const { message } = issue('', text, expectedChoice(names), choiceHint(text, names));
  throw new UsageError(`--${option}: ${message}`);
}

/** Output format and quality, from the options and the extension of `output`. */
function encodingOptions(output: string | undefined, values: Values): EncodingOptions {
  const format = values.format === undefined ? formatFromExtension(output) : parseFormat(values.format);
  const warning = values.format === undefined ? undefined : extensionMismatch(output, format);
  const quality = parseNumber('quality', values.quality, 1, 100);
  const dpi = parseNumber('dpi', values.dpi, MIN_DPI, MAX_DPI);
  return definedFields({ format, warning, quality, dpi, lossless: values.lossless });
}

function sizeOptions(values: Values): Pick<SourceOptions, 'scale' | 'size'> {
  return definedFields({ size: values.size, scale: parseNumber('scale', values.scale, MIN_SCALE, MAX_SCALE) });
}

function variableOptions({ var: assignments = [], vars: file }: Values): VariableOptions | undefined {
  if (file === '') throw new UsageError('--vars needs a file name');
  const pairs = assignments.map((assignment): [string, string] => {
    const equals = assignment.indexOf('=');
    if (equals < 1) throw new UsageError(`--var: received "${assignment}", expected name=value`);
    return [assignment.slice(0, equals), assignment.slice(equals + 1)];
  });
  return file === undefined && pairs.length === 0 ? undefined : { pairs, ...(file !== undefined && { file }) };
}

function rejectOtherOptions(values: Values, allowed: readonly string[], command: string): void {
  const { codes: _, ...named } = values;
  const other = Object.keys(named).find((name) => !(allowed as readonly string[]).includes(name));
  if (other !== undefined) throw new UsageError(`"${command}" does not support --${other}`);
}

function singleSource([source, ...extra]: readonly string[]): string {
  if (source === undefined || source === '')
    throw new UsageError('expected the payload: a JSON file, or - for standard input');
  if (extra.length > 0) {
    const output = extra.find((name) => FORMATS.some((format) => name.toLowerCase().endsWith(`.${format}`)));
    const hint = output === undefined ? '' : `; to write an image, use -o ${output}`;
    const all = [source, ...extra].join(', ');
    throw new UsageError(`expected one payload, received ${extra.length + 1}: ${all}${hint}`);
  }
  return source;
}

function parseFormat(name: string): FormatName {
  const known = FORMATS.find((format) => format === name.toLowerCase());
  if (!known) throw new UsageError(`--format: received "${name}", expected one of ${FORMATS.join(', ')}`);
  return known;
}

/** The format that the file extension implies; undefined for an unknown extension. */
function formatFromExtension(output: string | undefined): FormatName | undefined {
  const extension = extname(output ?? '').toLowerCase();
  if (UNSUPPORTED_EXTENSIONS.has(extension)) {
    throw new UsageError(`${extension} can't be written; use .png, .jpg, .webp, .avif, .svg or .pdf, or give --format`);
  }
  return FORMATS.find((format) => `.${format}` === extension);
}

/** A warning if the file extension implies another format than `format`. */
function extensionMismatch(output: string | undefined, format: FormatName | undefined): Warning | undefined {
  const extension = extname(output ?? '').toLowerCase();
  const implied = FORMATS.find((name) => `.${name}` === extension);
  const written = format === 'jpg' ? 'jpeg' : format;
  const matches =
    implied === undefined ? !UNSUPPORTED_EXTENSIONS.has(extension) : (implied === 'jpg' ? 'jpeg' : implied) === written;
  if (matches) return undefined;
  const message = `${output} is written as ${written?.toUpperCase()} because of --format, but its extension is ${extension}`;
  return { code: 'format_mismatch', path: '', message, value: extension };
}

function parseNumber(option: OptionName, text: string | undefined, min: number, max: number): number | undefined {
  if (text === undefined) return undefined;
  const number = text.trim() === '' ? Number.NaN : Number(text);
  if (!(number >= min && number <= max)) {
    throw new UsageError(`--${option}: received "${text}", expected a number from ${min} to ${max}`);
  }
  return number;
}
