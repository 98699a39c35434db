// The words of a command line → its options and operands, by node:util's rules; what is wrong with them, in one line.
import { type ParseArgsConfig, parseArgs } from 'node:util';
import { nearest } from '../contract/nearest.js';

/** Thrown when a command line can't be understood or makes no sense; the message is one line. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}

type OptionList = NonNullable<ParseArgsConfig['options']>;
type Words<Options extends OptionList> = ReturnType<
  typeof parseArgs<{ args: string[]; options: Options; allowPositionals: true }>
>;

/** The values of `options` and the operands in `words`. Throws UsageError, which suggests an option for a mistyped one. */
export function readWords<const Options extends OptionList>(
  words: readonly string[],
  options: Options,
): Words<Options> {
  try {
    return parseArgs({ args: [...words], options, allowPositionals: true });
  } catch (cause) {
    const [first] = (cause as Error).message.split(/\n|\. /);
    const mistyped = /^Unknown option '--?([^']+)'/.exec(first)?.[1];
    const meant = mistyped && nearest(mistyped, Object.keys(options));
    throw new UsageError(meant ? `${first}; did you mean --${meant}?` : first, { cause });
  }
}

/** The values alone, of a command that takes no operands. */
export function readOptions<const Options extends OptionList>(
  words: readonly string[],
  options: Options,
): Words<Options>['values'] {
  const { values, positionals } = readWords(words, options);
  if (positionals.length > 0) throw new UsageError(`unexpected ${JSON.stringify(positionals[0])}`);
  return values;
}
