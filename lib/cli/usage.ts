// What --help and --version print.
import { createRequire } from 'node:module';

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
