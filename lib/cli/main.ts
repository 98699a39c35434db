// A command line → an exit code. What a command doesn't need is not loaded: --help reads neither zod nor the engine.
import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { closestMatch } from '../contract/closest-match.js';
import { ADMIN_GROUPS, isAdmin } from './admin/args.js';
import { parseCommand } from './args.js';
import type { ExitCode } from './errors.js';
import { UsageError } from './parse-options.js';
import { type CliContext, write } from './stdio.js';

/** Runs the command that `words` (without the program's own name) ask for. Never throws: failures are printed. */
export async function main(words: readonly string[], terminal: CliContext): Promise<ExitCode> {
  try {
    return await run(words, terminal);
  } catch (error) {
    const { lines, code } = (await import('./errors.js')).report(meant(error, words, terminal), helpFor(words));
    await write(terminal.errors, lines);
    return code;
  }
}

async function run(words: readonly string[], terminal: CliContext): Promise<ExitCode> {
  if (isAdmin(words)) return await (await import('./admin/admin.js')).admin(words, terminal);
  const [first, ...rest] = words;
  if (first === 'help') return await run([...rest, '--help'], terminal);
  if (first === 'serve') return await (await import('./commands/serve.js')).serveCommand(rest, terminal);
  if (first === 'fonts') return await (await import('./commands/fonts.js')).fontsCommand(rest, terminal);
  const command = parseCommand(words);
  switch (command.kind) {
    case 'help':
      await write(terminal.output, (await import('./usage.js')).USAGE);
      return 0;
    case 'version':
      await write(terminal.output, `${(await import('./usage.js')).version()}\n`);
      return 0;
    case 'render':
      return await (await import('./commands/render.js')).draw(command, terminal);
    case 'batch':
      return await (await import('./batch/batch.js')).batch(command, terminal);
    case 'validate':
      return await (await import('./commands/validate.js')).validate(command, terminal);
  }
}

/** Commands that are not a payload's name; a payload called so is written `./serve`. */
const COMMANDS = [...ADMIN_GROUPS, 'serve', 'fonts', 'batch', 'validate'];

function helpFor([first = '', second]: readonly string[]): string {
  const command = first === 'help' ? second : first;
  return isAdmin([command]) || command === 'serve' || command === 'fonts'
    ? `render ${command} --help`
    : 'render --help';
}

/** The failure, or the mistake behind it: a command that is misspelled, or that stands behind its options. */
function meant(error: unknown, words: readonly string[], { directory }: CliContext): unknown {
  const [first = ''] = words;
  const isMisuse = error instanceof UsageError;
  if (isMisuse && first.startsWith('-')) {
    const at = words.findIndex((word) => COMMANDS.includes(word));
    if (at < 0) return error;
    const line = ['render', ...words.slice(at), ...words.slice(0, at)].join(' ');
    return new UsageError(`the command comes first: ${line}`, { cause: error });
  }
  if ((!isMisuse && !isMissing(error)) || !/^[a-z]+$/i.test(first) || COMMANDS.includes(first)) return error;
  if (existsSync(resolve(directory, first))) return error;
  if (first === 'render' && words.length > 1) {
    return new UsageError(`"render" is the program itself: render ${words.slice(1).join(' ')}`, { cause: error });
  }
  const command = closestMatch(first, COMMANDS);
  if (command === undefined) return error;
  return new UsageError(`there is no command or file "${first}"; did you mean "render ${command}"?`, { cause: error });
}

function isMissing(error: unknown): boolean {
  return error instanceof Error && (error.cause as NodeJS.ErrnoException | undefined)?.code === 'ENOENT';
}
