// Entry point of the command line: dispatches argv to a command and returns its exit code. Commands are imported on
// demand, so that --help loads neither zod nor the engine.
import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { closestMatch } from '../contract/messages/closest-match.js';
import { loadWithoutFiles } from '../load-check.js';
import { ADMIN_GROUPS, isAdmin } from './admin/groups.js';
import { parseCommand } from './args.js';
import type { ExitCode } from './errors.js';
import { UsageError } from './parse-options.js';
import { type CliContext, write } from './stdio.js';
import { version } from './version.js';

/** Runs the command in `argv` (without the program name). Never throws: failures are printed. */
export async function main(argv: readonly string[], context: CliContext): Promise<ExitCode> {
  loadWithoutFiles();
  try {
    return await run(argv, context);
  } catch (error) {
    const { report } = await import('./errors.js');
    const { lines, code } = report(withSuggestion(error, argv, context), helpCommandFor(argv));
    await write(context.errors, lines);
    return code;
  }
}

async function run(argv: readonly string[], context: CliContext): Promise<ExitCode> {
  if (isAdmin(argv)) return await (await import('./admin/index.js')).admin(argv, context);
  const [first, ...rest] = argv;
  if (first === 'help') return await run([...rest, '--help'], context);
  if (first === 'serve') return await (await import('./commands/serve.js')).serveCommand(rest, context);
  if (first === 'pool') return await (await import('./commands/pool.js')).poolCommand(rest, context);
  if (first === 'lint') return await (await import('./commands/lint.js')).lintCommand(rest, context);
  if (first === 'doctor') return await (await import('./commands/doctor.js')).doctorCommand(rest, context);
  if (first === 'fonts') return await (await import('./commands/fonts.js')).fontsCommand(rest, context);
  const command = parseCommand(argv);
  switch (command.kind) {
    case 'help':
      await write(context.output, USAGE);
      return 0;
    case 'version':
      await write(context.output, `${version()}\n`);
      return 0;
    case 'render':
      return await (await import('./commands/render.js')).renderCommand(command, context);
    case 'batch':
      return command.server === undefined
        ? await (await import('./batch/index.js')).batch(command, context)
        : await (await import('./batch/remote.js')).remoteBatch({ ...command, server: command.server }, context);
    case 'inspect':
      return await (await import('./commands/inspect.js')).inspectCommand(command, context);
    case 'expand':
      return await (await import('./commands/expand.js')).expandCommand(command, context);
    case 'validate':
      return await (await import('./commands/validate.js')).validate(command, context);
  }
}

/** Reserved command names; a payload file with such a name is written `./serve`. */
const COMMANDS = [
  ...ADMIN_GROUPS,
  'serve',
  'pool',
  'fonts',
  'doctor',
  'batch',
  'inspect',
  'lint',
  'expand',
  'validate',
];

function helpCommandFor([first = '', second]: readonly string[]): string {
  const command = first === 'help' ? second : first;
  return isAdmin([command]) || ['serve', 'pool', 'fonts', 'doctor', 'lint'].includes(command)
    ? `platen ${command} --help`
    : 'platen --help';
}

/** Replaces `error` by a UsageError if its likely cause is a misspelled command or options before the command. */
function withSuggestion(error: unknown, argv: readonly string[], { directory }: CliContext): unknown {
  const [first = ''] = argv;
  const isMisuse = error instanceof UsageError;
  if (isMisuse && first.startsWith('-')) {
    const index = argv.findIndex((argument) => COMMANDS.includes(argument));
    if (index < 0) return error;
    const line = ['platen', ...argv.slice(index), ...argv.slice(0, index)].join(' ');
    return new UsageError(`the command comes first: ${line}`, { cause: error });
  }
  if ((!isMisuse && !isFileMissing(error)) || !/^[a-z]+$/i.test(first) || COMMANDS.includes(first)) return error;
  if (existsSync(resolve(directory, first))) return error;
  if (['platen', 'render'].includes(first) && argv.length > 1) {
    return new UsageError(`"${first}" is the program itself: platen ${argv.slice(1).join(' ')}`, { cause: error });
  }
  const command = closestMatch(first, COMMANDS);
  if (command === undefined) return error;
  return new UsageError(`there is no command or file "${first}"; did you mean "platen ${command}"?`, { cause: error });
}

function isFileMissing(error: unknown): boolean {
  return error instanceof Error && (error.cause as NodeJS.ErrnoException | undefined)?.code === 'ENOENT';
}

export const USAGE = `Usage: platen <payload.json | -> [-o FILE] [--format F] [--quality N] [--scale N] [--strict[=CODE,…]] [--watch]
       platen <template.json | -> [--var NAME=TEXT]... [--vars FILE] [-o FILE] …
       platen batch <template.json | -> <rows.csv | .jsonl | .json | -> -o "out/{name}.png" [--jobs N] …
       platen batch <template-id> <rows> -o "out/{name}.png" --server URL …
       platen inspect <payload.json | template.json | -> [--json] [--findings] [--var NAME=TEXT]...
       platen lint <payload.json | template.json | - | template-id> [--fail-on error|warning|info] [--json]
       platen expand <payload.json | template.json | -> [-o FILE] [--var NAME=TEXT]...
       platen validate <payload.json | -> [--json]
       platen serve [--host H] [--port N] [--data DIR]              (see platen serve --help)
       platen pool --listen SOCKET [--processes N]                  (see platen pool --help)
       platen fonts [--json]
       platen fonts inspect <font file | URL> [--text TEXT] [--json]
       platen doctor [--json]
       platen init                                                  a first workspace, key, template and operator
       platen workspaces create|list|update|delete                  (these: see platen COMMAND --help)
       platen keys|links create|list|revoke
       platen credits show|grant|revoke
       platen templates import|update|list|versions|show|export|publish|restore|delete|lint|diff
       platen brand get|set                                         tokens, fonts and logos of a workspace
       platen assets add|list|delete
       platen log                                                   the render log of a workspace
       platen operators create|list|link|remove                     who uses the dashboard
       platen audit                                                 who changed what
       platen store restore|copy
       platen migrate                                               updates the schema of the database

Renders a JSON payload to an image. "-" reads the payload from standard input. Without -o, the image is written to
standard output. Local paths in the payload are relative to the payload's folder.

  -o, --output FILE   write to FILE; if the render fails, FILE is left unchanged
      --format F      png, jpeg (or jpg), webp, avif, svg or pdf; default: FILE's extension, else the payload's format,
                      else png
      --quality N     1 to 100; default: the payload's quality, else 90
      --dpi N         1 to 2400: pixels per inch, noted in the file; default: the payload's dpi, else none
      --lossless      webp and avif without loss, whatever the quality
      --width N       markup: width of the canvas; 1200 by default
      --height N      markup: height of the canvas; 630 by default
      --to-json       write the payload that markup becomes, instead of the image
      --scale N       0.1 to 8: pixels of the image per pixel of the payload; default: the payload's scale, else 1
      --size NAME     one of the template's sizes; batch: for rows whose column "size" names none
      --sample NAME   fill the template with one of its sample sets; --vars and --var override its variables
      --var NAME=TEXT set a template variable, by key or label; repeatable; overrides --vars
      --vars FILE     read variables from a JSON object in FILE; "-" is standard input
      --theme NAME    one of the payload's themes
      --locale TAG    write numbers, dates and lists for readers of this language, such as de-CH
      --alt TEXT      what the picture shows, in place of the payload's alt; stored in the file
      --tokens FILE   read tokens from a JSON object in FILE; they override the payload's
      --fonts DIR     add the font files in DIR: their families are used like the bundled ones
      --jobs N        batch: render N images at a time; default: one per core
      --server URL    batch: a server renders the rows, with the API key in PLATEN_API_KEY; files are named here
      --skip-existing batch: skip rows whose output file exists and is not empty
      --strict[=CODE,…]
                      treat warnings as errors, or those with these codes: no image is written, a batch fails the row,
                      validate exits with 1
      --allow CODE,…  with --strict: codes of warnings that are no errors; repeatable
      --watch         render again when the payload or a local image or font changes; needs -o
      --findings      inspect: also list faults of the design
      --min-readable N
                      inspect --findings, lint: the smallest size of text that can be read, in pixels
      --safe-area NAME
                      inspect --findings, lint: the platform whose margins texts keep free: instagram-story, …
      --ignore CODE,…
                      inspect --findings, lint: findings that are left out; repeatable
      --fail-on SEVERITY
                      lint: error, warning or info, from which the exit code is 1; default: warning
      --json          inspect, lint, validate, doctor: print JSON
  -h, --help          print this help
  -v, --version       print the version

A file .html or .htm is markup: "platen card.html -o card.png --width 1200 --height 630".
A JSON object with "type" and "props" is an element tree, such as React's: "platen card.jsx.json -o card.png".
A file .jsx or .tsx runs, by the esbuild of its project, and exports an element or a component by default.
A JSON object with "hotspots", or with "name", "width" and "height" but no "canvas", is a template. Variables fill its
hotspots and placeholders; a hotspot without a variable keeps its default.

"platen batch" renders one image per row. Rows are a CSV whose first line names the columns (separated by commas,
semicolons or tabs), JSON lines with one object per line, or a JSON array of objects. Column names are variable names.
A column "size" names the template's size of each row, unless the template has a variable of that name.
In -o, {name} is replaced by the row's value of that name and {#} by the row's number; no two rows may share a file.
A failed row does not stop the others; failures are listed at the end. Ctrl-C stops the batch.

"platen inspect" lists what a render would draw, without drawing it: the box of each layer, where it paints, the size,
lines and fonts of texts, the shown parts of images. It takes --scale, --size, --sample, --var, --vars and --fonts as a
render does.

"platen lint" lists faults of a payload or template that can be measured, in each size and with each sample set. A
template of the store is named by its id, with --data DIR if it is not in ./data.

"platen validate" lists all errors and warnings of a payload or template without rendering it. It reads QR codes and
barcodes back from the picture, and warns about those that scanners can't read.

"platen doctor" checks what this host offers (WebAssembly, memory, processes, folders) and what follows from it.

Problems are printed to standard error, one per line: "error: layers[2].url: …" or "warning: …".

Exit codes:
  0   success; validate: no errors; doctor: renders work
  1   the payload is invalid or unreadable, the render failed, or the image can't be written; batch: a row failed
  2   usage error: unknown or conflicting options, an invalid setting, or an image that would go to a terminal
  130 stopped by Ctrl-C; 143 by SIGTERM, 129 by SIGHUP. No partial image is left behind

Environment (empty counts as unset):
  ASSET_TIMEOUT_MS    10000      time limit for one remote image or font, including redirects
  ASSET_MAX_BYTES     26214400   maximum size of one remote image or font
  ASSET_MAX_PIXELS    67108864   maximum decoded size of one image
  ASSET_ALLOW_HOSTS              if set, only public addresses and these hosts (a,b:8080) may be fetched from
  MAX_LAYERS          500        maximum number of layers in a payload
  MAX_EXPANDED_LAYERS 5000       maximum number of layers that its lists and components make
  PLATEN_API_KEY                 API key for --server, with the scope batch:write
  RENDER_TIMEOUT_MS   30000      time limit for one render
`;
