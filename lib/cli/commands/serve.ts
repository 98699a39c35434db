// `render serve`: the HTTP server, until a signal ends it.
import { usableMemory } from '../../resources.js';
import { serve } from '../../service/serve.js';
import { readSettings, type Settings } from '../../settings.js';
import { openStore } from '../../store/open.js';
import { addressPolicyFrom } from '../assets.js';
import type { ExitCode } from '../errors.js';
import { logUnhandledRejections, openLogStream } from '../log-stream.js';
import { readOptions, UsageError } from '../parse-options.js';
import { TERMINATION_SIGNALS } from '../signals.js';
import { type CliContext, oneLine, write } from '../stdio.js';
import type { WorkerKind } from '../worker-kinds.js';

const OPTIONS = {
  host: { type: 'string' },
  port: { type: 'string' },
  data: { type: 'string' },
  help: { type: 'boolean', short: 'h' },
} as const;

/** Milliseconds that renders in flight get to end, beyond their own time limit, once the server is told to stop. */
const GRACE_MS = 5_000;

/** `words`: what follows `serve`. Throws UsageError and SettingsError before anything is opened. */
export async function serveCommand(words: readonly string[], terminal: CliContext): Promise<ExitCode> {
  const { host, port, data, help } = readOptions(words, OPTIONS);
  if (help) {
    await write(terminal.output, SERVE_USAGE);
    return 0;
  }
  const names: Record<string, string> = {};
  const given: Record<string, string> = {};
  for (const [name, setting, value] of [
    ['--host', 'HOST', host],
    ['--port', 'PORT', port],
    ['--data', 'DATA_DIR', data],
  ] as const) {
    if (value === undefined) continue;
    if (value.trim() === '') throw new UsageError(`${name} must not be empty`);
    names[setting] = name;
    given[setting] = value;
  }
  const settings = readSettings({ ...terminal.environment, ...given }, names);
  addressPolicyFrom(settings);
  const addressNames = [names.HOST ?? 'HOST', names.PORT ?? 'PORT'] as const;
  const log = openLogStream(terminal.errors);
  if (process.platform !== 'win32') for (const name of IGNORED_SIGNALS) process.on(name, () => undefined);
  const warn = (message: string) => log.write(oneLine(`warning: ${message}`));
  const store = await openStore(
    {
      folder: settings.DATA_DIR,
      url: settings.STORE_URL,
      connections: settings.STORE_CONNECTIONS,
      renderMs: settings.RENDER_TIMEOUT_MS,
    },
    { warn },
  );
  try {
    logUnhandledRejections(process, log);
    const { program } = terminal;
    const renderer =
      program === undefined ? undefined : { entry: program, argv: ['serve-renders' satisfies WorkerKind] };
    const shortage = memoryWarning(settings, usableMemory());
    if (shortage) warn(shortage);
    const running = await serve({ settings, store, log, addressNames, ...(renderer && { renderer }) });
    const stopped = nextSignal();
    if (settings.RENDER_WORKERS === 0) {
      log.write('RENDER_WORKERS is 0: renders run in the server itself, without a wall around them\n');
    }
    if ((await store.listWorkspaces()).length === 0) {
      const where = settings.STORE_URL === undefined ? ` --data ${settings.DATA_DIR}` : '';
      log.write(`no workspace yet: render init${where} makes one, with a key\n`);
    }
    // whoever can't be told may know the port all the same
    await write(terminal.output, `listening on ${running.url}\n`).catch((error: Error) =>
      warn(`"listening on ${running.url}" can't be written: ${error.message}`),
    );
    await stopped;
    // a second signal does not wait
    nextSignal().then(() => process.exit(1));
    await running.stop(settings.RENDER_TIMEOUT_MS + GRACE_MS);
    return 0;
  } finally {
    await store.close();
  }
}

/**
 * What others reopen their logs at, as log rotation sends it. Unheard, the first opens V8's debugger to everybody on the
 * machine, and the second ends the process.
 */
const IGNORED_SIGNALS = ['SIGUSR1', 'SIGUSR2'] as const;

function nextSignal(): Promise<void> {
  return new Promise((resolve) => {
    const done = () => {
      for (const name of TERMINATION_SIGNALS) process.off(name, done);
      resolve();
    };
    for (const name of TERMINATION_SIGNALS) process.on(name, done);
  });
}

/** MiB that the server itself, and each of its render processes, take beside what the settings allow them. */
const SERVER_MB = 160;
const PROCESS_MB = 100;

/** What to say when the settings allow more than `usable` bytes; undefined when they don't. */
export function memoryWarning(
  settings: Pick<Settings, 'RENDER_MEMORY_MB' | 'RENDER_CACHE_MB' | 'RENDER_WORKERS'>,
  usable: number,
): string | undefined {
  // one process is kept ready to take another's place
  const processes = settings.RENDER_WORKERS === 0 ? 0 : settings.RENDER_WORKERS + 1;
  const needed = settings.RENDER_MEMORY_MB + settings.RENDER_CACHE_MB + SERVER_MB + processes * PROCESS_MB;
  const had = Math.floor(usable / 2 ** 20);
  if (needed <= had) return undefined;
  return (
    `RENDER_MEMORY_MB ${settings.RENDER_MEMORY_MB}, RENDER_CACHE_MB ${settings.RENDER_CACHE_MB} and ` +
    `${processes} render processes may take ${needed} MiB, of which there are ${had}: ` +
    'lower RENDER_MEMORY_MB or RENDER_WORKERS, or the system ends renders when it runs out'
  );
}

export const SERVE_USAGE = `Usage: render serve [--host H] [--port N] [--data DIR]

Serves POST /v1/render, and GET /healthz, /readyz, /openapi.json and /docs. Prints "listening on http://H:N" when it is ready;
its log goes to standard error, a JSON line a request. SIGTERM or Ctrl-C lets the renders that run come to their end.
"render init" makes a first workspace, a key and a sample template in the data folder, before or while the server runs.

      --host H    the address to listen on; else HOST, else 127.0.0.1
      --port N    the port, 0 for any free one; else PORT, else 8080
      --data DIR  the data folder, made when it is missing; else DATA_DIR, else ./data
  -h, --help      print this

Environment (empty counts as unset):
  STORE_URL                                       postgres://…: keys, credits, templates, rate windows and the log are
                                                  in that database, for any number of servers; no data folder then
  STORE_CONNECTIONS           10                  connections of this server to it
  METRICS_PORT                                    figures for Prometheus at GET /metrics of this port; unset, none.
                                                  Whoever reaches it reads them: keep it from strangers
  METRICS_HOST                127.0.0.1           the address of that port
  LOG_LEVEL                   info                debug (probes too), info, warn (answers 5xx), error or silent
  SHUTDOWN_DELAY_MS           0                   after SIGTERM /readyz says 503 for so long before anything is refused,
                                                  so that a load balancer finds out
  API_KEY_RATE_LIMIT_PER_MIN  60                  requests of a key in any 60 seconds
  RENDER_CREDIT_COST          1                   credits a render
  WATERMARK_TEXT              Made with Platen    drawn on the pictures of free workspaces
  UPGRADE_URL                 /dashboard/billing  where the answer 402 points
  MAX_BODY_BYTES              10485760            size of a request
  MAX_LAYERS                  500                 layers of one payload
  RENDER_TIMEOUT_MS           30000               one whole render
  RENDER_WORKERS              number of cores     render processes; 0 renders in the server itself
  RENDER_QUEUE                256                 renders that may wait for one
  RENDER_MEMORY_MB            1024                what the renders in flight may hold together
  RENDER_CACHE_MB             64                  finished renders kept for requests that are the same; 0 keeps none
  ASSET_TIMEOUT_MS            10000               one remote picture or font, redirects included
  ASSET_MAX_BYTES             26214400            size of one
  ASSET_MAX_PIXELS            67108864            decoded size of one picture
  ASSET_ALLOW_HOSTS                               hosts (a,b:8080) that may be fetched from although they are not public
`;
