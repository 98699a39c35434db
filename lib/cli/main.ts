// A command line → an exit code. What a command doesn't need is not loaded: --help reads neither zod nor the engine.
import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
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
  if (isAdmin(words)) return await (await import('./admin/index.js')).admin(words, terminal);
  const [first, ...rest] = words;
  if (first === 'help') return await run([...rest, '--help'], terminal);
  if (first === 'serve') return await (await import('./commands/serve.js')).serveCommand(rest, terminal);
  if (first === 'fonts') return await (await import('./commands/fonts.js')).fontsCommand(rest, terminal);
  const command = parseCommand(words);
  switch (command.kind) {
    case 'help':
      await write(terminal.output, USAGE);
      return 0;
    case 'version':
      await write(terminal.output, `${version()}\n`);
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

export const USAGE = `Usage: render <payload.json | -> [-o FILE] [--format F] [--quality N] [--strict] [--watch]
       render <template.json | -> [--var NAME=TEXT]... [--vars FILE] [-o FILE] …
       render batch <template.json | -> <rows.csv | .jsonl | .json | -> -o "out/{name}.png" [--jobs N] …
       render validate <payload.json | -> [--json]
       render serve [--host H] [--port N] [--data DIR]              (render serve --help says more)
       render fonts [--json]
       render init|workspaces|keys|credits|templates|log|store|migrate …   (render init --help says more)

Renders a JSON payload to a picture. "-" reads the payload from standard input; without -o the picture goes to
standard output. Local paths in the payload start from the payload's folder.

  -o, --output FILE   write to FILE: all of it or, on failure, nothing
      --format F      png, jpeg (or jpg), webp, avif; else by FILE's ending, else the payload's own, else png
      --quality N     1 to 100; else the payload's own, else 90
      --var NAME=TEXT a variable of the template, by key or label; may be given again; wins over --vars
      --vars FILE     variables from a JSON object in FILE; "-" is standard input
      --jobs N        batch: N pictures at a time; else one for each core
      --skip-existing batch: leave out the rows whose file is there and not empty
      --strict        any warning is an error: nothing is written; a batch fails the row; validate exits with 1
      --watch         render again whenever the payload or a local picture or font changes; needs -o
      --json          validate: print the findings as JSON
  -h, --help          print this
  -v, --version       print the version

A JSON object with "hotspots" is a template: variables fill its hotspots, and what is not given keeps its default.

"render batch" draws one picture a row. A CSV's first line names the columns, separated by commas, semicolons or tabs;
JSON lines are an object a line, and an array of objects is taken too; names are those of the variables. {name} in -o
is the row's value of that name, {#} the row's number; no two rows share a file. Failed rows are listed at the end,
and stop no other; Ctrl-C stops them all.

"render validate" names everything that is wrong or doubtful in a payload or a template without rendering it.

Problems go to standard error, a line each: "error: layers[2].url: …" or "warning: …".

Exit codes:
  0   done; for validate: nothing wrong
  1   the payload is wrong or can't be read, the render failed, or the picture can't be written; batch: a row failed
  2   wrong usage: unknown or contradicting options, a bad setting, a picture that would go to a terminal
  130 stopped by Ctrl-C; 143 by SIGTERM, 129 by SIGHUP. No part of a picture is left behind

Environment (empty counts as unset):
  ASSET_TIMEOUT_MS    10000      one remote picture or font, redirects included
  ASSET_MAX_BYTES     26214400   size of one
  ASSET_MAX_PIXELS    67108864   decoded size of one picture
  ASSET_ALLOW_HOSTS              when set: only public addresses are fetched from, and these hosts (a,b:8080)
  MAX_LAYERS          500        layers of one payload
  RENDER_TIMEOUT_MS   30000      one whole render
`;

/** The package's version, as its package.json says. */
export function version(): string {
  // The package refers to itself by name, so that this holds for the sources as for the build.
  const { version } = createRequire(import.meta.url)('platen/package.json') as { version: string };
  return version;
}
