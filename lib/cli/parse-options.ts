// The words of a command line → its options and operands, by node:util's rules; what is wrong with them, in one line.
import { type ParseArgsConfig, parseArgs } from 'node:util';
import { closestMatch } from '../contract/closest-match.js';

/** Thrown when a command line can't be understood or makes no sense; the message is one line. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}

type OptionList = NonNullable<ParseArgsConfig['options']>;
type Words<Options extends OptionList> = ReturnType<
  typeof parseArgs<{ args: string[]; options: Options; allowPositionals: true }>
>;

/** The values of `options` and the operands in `words`. Throws UsageError, which suggests an option for a mistyped one. */
export function parseArgv<const Options extends OptionList>(
  words: readonly string[],
  options: Options,
): Words<Options> {
  try {
    return parseArgs({ args: withValues(words, options), options, allowPositionals: true });
  } catch (cause) {
    const [first] = (cause as Error).message.split(/\n|\. /);
    const mistyped = /^Unknown option '--?([^']+)'/.exec(first)?.[1];
    const meant = mistyped && closestMatch(mistyped, Object.keys(options));
    throw new UsageError(meant ? `${first}; did you mean --${meant}?` : first, { cause });
  }
}

/** A negative number is a value: what is wrong with it is said where its bounds are known. */
const NEGATIVE_NUMBER = /^-[\d.]/;

/** The words, with each option that needs a value beside its value. Throws UsageError for one that has none. */
function withValues(words: readonly string[], options: OptionList): string[] {
  const result: string[] = [];
  for (let i = 0; i < words.length; i++) {
    const word = words[i];
    if (word === '--') return [...result, ...words.slice(i)];
    const found = Object.entries(options).find(([name, { short }]) => word === `--${name}` || word === `-${short}`);
    if (found?.[1].type !== 'string') {
      result.push(word);
      continue;
    }
    i++;
    const value = words[i];
    if (value === undefined) throw new UsageError(`${word} needs a value after it`);
    if (value.length > 1 && value.startsWith('-') && !NEGATIVE_NUMBER.test(value)) {
      throw new UsageError(`${word} needs a value after it, received "${value}" (as a value: --${found[0]}=${value})`);
    }
    result.push(`--${found[0]}=${value}`);
  }
  return result;
}

/** The values alone, of a command that takes no operands. */
export function readOptions<const Options extends OptionList>(
  words: readonly string[],
  options: Options,
): Words<Options>['values'] {
  const { values, positionals } = parseArgv(words, options);
  if (positionals.length > 0) throw new UsageError(`unexpected ${JSON.stringify(positionals[0])}`);
  return values;
}
