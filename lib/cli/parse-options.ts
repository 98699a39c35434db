// Splits argv into options and operands with node:util's parseArgs; reports misuse as one-line UsageErrors.
import { type ParseArgsConfig, parseArgs } from 'node:util';
import { closestMatch, didYouMean } from '../contract/messages/closest-match.js';

/** Invalid or contradictory command line. The message is one line. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}

type OptionList = NonNullable<ParseArgsConfig['options']>;
type ParsedArgv<Options extends OptionList> = ReturnType<
  typeof parseArgs<{ args: string[]; options: Options; allowPositionals: true }>
>;

/** Option values and operands of `argv`. Throws UsageError, with a suggestion for a mistyped option. */
export function parseArgv<const Options extends OptionList>(
  argv: readonly string[],
  options: Options,
): ParsedArgv<Options> {
  try {
    return parseArgs({ args: joinValues(argv, options), options, allowPositionals: true });
  } catch (cause) {
    throw new UsageError(misuse(argv, options) ?? (cause as Error).message, { cause });
  }
}

/** Describes the first option that is unknown, or that has a value and takes none. */
function misuse(argv: readonly string[], options: OptionList): string | undefined {
  const { tokens } = parseArgs({ args: joinValues(argv, options), options, strict: false, tokens: true });
  for (const token of tokens) {
    if (token.kind !== 'option') continue;
    const { name, rawName, value } = token;
    if (!Object.hasOwn(options, name)) {
      const meant = closestMatch(name, Object.keys(options));
      return `Unknown option '${rawName}'${didYouMean(meant && `--${meant}`)}`;
    }
    const { type, short } = options[name];
    if (type === 'boolean' && value !== undefined) {
      return `Option '${short === undefined ? '' : `-${short}, `}--${name}' does not take an argument`;
    }
  }
  return undefined;
}

/** Negative numbers are accepted as values here; the code that knows the option's bounds rejects them. */
const NEGATIVE_NUMBER = /^-[\d.]/;

/**
 * Rewrites `--name value` and `-n value` as `--name=value`, because parseArgs rejects values that start with a dash.
 * Throws UsageError for an option whose value is missing.
 */
function joinValues(argv: readonly string[], options: OptionList): string[] {
  const result: string[] = [];
  for (let i = 0; i < argv.length; i++) {
    const argument = argv[i];
    if (argument === '--') return [...result, ...argv.slice(i)];
    const option = Object.entries(options).find(
      ([name, { short }]) => argument === `--${name}` || argument === `-${short}`,
    );
    if (option?.[1].type !== 'string') {
      result.push(argument);
      continue;
    }
    i++;
    const value = argv[i];
    if (value === undefined) throw new UsageError(`${argument} needs a value`);
    if (value.length > 1 && value.startsWith('-') && !NEGATIVE_NUMBER.test(value)) {
      throw new UsageError(`${argument} needs a value, received "${value}" (as a value: --${option[0]}=${value})`);
    }
    result.push(`--${option[0]}=${value}`);
  }
  return result;
}

/** Option values of a command that takes no operands. */
export function readOptions<const Options extends OptionList>(
  argv: readonly string[],
  options: Options,
): ParsedArgv<Options>['values'] {
  const { values, positionals } = parseArgv(argv, options);
  if (positionals.length > 0) throw new UsageError(`unexpected ${JSON.stringify(positionals[0])}`);
  return values;
}
