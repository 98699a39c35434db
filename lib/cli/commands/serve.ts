// `platen serve`: runs the HTTP server until a termination signal.
import { createDashboard } from '../../dashboard/index.js';
import { usableMemory } from '../../resources.js';
import { serve } from '../../service/serve.js';
import { publicOrigin, readSettings } from '../../settings.js';
import { openStore } from '../../store/open.js';
import { addressPolicyFrom } from '../assets.js';
import type { ExitCode } from '../errors.js';
import { logUnhandledRejections, openLogStream } from '../log-stream.js';
import { memoryWarning } from '../memory-warning.js';
import { readOptions, UsageError } from '../parse-options.js';
import { ignoreRotationSignals, nextTerminationSignal } from '../signals.js';
import { type CliContext, oneLine, write } from '../stdio.js';
import { version } from '../version.js';
import { UNBOUNDED_WORKERS } from '../worker.js';

const OPTIONS = {
  host: { type: 'string' },
  port: { type: 'string' },
  data: { type: 'string' },
  help: { type: 'boolean', short: 'h' },
} as const;

/** Time beyond RENDER_TIMEOUT_MS that renders in flight get to finish at shutdown. */
const GRACE_MS = 5_000;

/** Serves the API. `argv` holds the arguments after `serve`. Throws UsageError and SettingsError before anything is opened. */
export async function serveCommand(argv: readonly string[], context: CliContext): Promise<ExitCode> {
  const { host, port, data, help } = readOptions(argv, OPTIONS);
  if (help) {
    await write(context.output, SERVE_USAGE);
    return 0;
  }
  const optionNames: Record<string, string> = {};
  const overrides: Record<string, string> = {};
  for (const [option, setting, value] of [
    ['--host', 'HOST', host],
    ['--port', 'PORT', port],
    ['--data', 'DATA_DIR', data],
  ] as const) {
    if (value === undefined) continue;
    if (value.trim() === '') throw new UsageError(`${option} must not be empty`);
    optionNames[setting] = option;
    overrides[setting] = value;
  }
  // Errors name the option if the value came from one.
  const settings = readSettings({ ...context.environment, ...overrides }, optionNames);
  addressPolicyFrom(settings);
  const addressNames = [optionNames.HOST ?? 'HOST', optionNames.PORT ?? 'PORT'] as const;
  const log = openLogStream(context.errors);
  ignoreRotationSignals();
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
    const shortage = memoryWarning(settings, usableMemory());
    if (shortage) warn(shortage);
    const server = await serve({
      settings,
      store,
      log,
      addressNames,
      dashboard: (parts) => createDashboard({ ...parts, store, version: version() }),
    });
    const stopped = nextTerminationSignal();
    if (settings.RENDER_WORKERS === 0) {
      log.write('RENDER_WORKERS is 0: renders run in the server process, without isolation\n');
    } else if (UNBOUNDED_WORKERS) log.write(`${UNBOUNDED_WORKERS}\n`);
    const option = settings.STORE_URL === undefined ? ` --data ${settings.DATA_DIR}` : '';
    const hasOperators = await store.hasOperators();
    if ((await store.listWorkspaces()).length === 0) {
      log.write(`no workspace yet: run "platen init${option}" to create one with an API key\n`);
    } else if (!hasOperators && settings.DASHBOARD === 'on') {
      log.write(`no operator yet: run "platen operators create NAME${option}" to use the dashboard\n`);
    }
    const origin = publicOrigin(settings, Number(new URL(server.url).port));
    const dashboard = hasOperators && settings.DASHBOARD === 'on' ? `dashboard at ${origin}/dashboard/\n` : '';
    // The server runs on if this can't be written: the port may be known without it.
    await write(context.output, `listening on ${server.url}\n${dashboard}`).catch((error: Error) =>
      warn(`"listening on ${server.url}" can't be written: ${error.message}`),
    );
    await stopped;
    // A second signal ends the process at once.
    nextTerminationSignal().then(() => process.exit(1));
    await server.stop(settings.RENDER_TIMEOUT_MS + GRACE_MS);
    return 0;
  } finally {
    await store.close();
  }
}

export const SERVE_USAGE = `Usage: platen serve [--host H] [--port N] [--data DIR]

Serves POST /v1/render, GET /healthz, /readyz, /openapi.json and /docs, and the dashboard at /dashboard/ if there is an
operator. Prints "listening on http://H:N" when ready, and where the dashboard is. The log goes to standard error, one
JSON line per request. SIGTERM or Ctrl-C stops the server after the renders in flight. "platen init" creates a first
workspace, an API key, a sample template and an operator in the data folder, before the server starts or while it runs.

      --host H    address to listen on; default: HOST, else 127.0.0.1
      --port N    port to listen on, 0 for any free port; default: PORT, else 8080
      --data DIR  data folder, created if missing; default: DATA_DIR, else ./data
  -h, --help      print this help

Environment (empty counts as unset):
  STORE_URL                                       postgres://…: store keys, credits, templates, rate limits and the log
                                                  in this database, for any number of servers, instead of DATA_DIR
  FONTS_DIR                                       folder of TTF, OTF, WOFF or WOFF2 files, whose families payloads can
                                                  name in fontFamily; unset: bundled fonts only
  ICONS_DIR                                       folder of icon sets in Iconify's JSON, whose icons payloads can name;
                                                  unset: Lucide only
  STORE_CONNECTIONS           10                  database connections of this server
  METRICS_PORT                                    serve Prometheus metrics at GET /metrics on this port; unset: none.
                                                  They need no API key: don't expose the port publicly
  METRICS_HOST                127.0.0.1           address of the metrics port
  LOG_LEVEL                   info                debug (adds probes), info, warn (5xx responses), error or silent
  SHUTDOWN_DELAY_MS           0                   after SIGTERM, /readyz answers 503 for this long before requests are
                                                  refused, so that a load balancer notices
  API_KEY_RATE_LIMIT_PER_MIN  60                  renders per key in any 60 seconds
  API_KEY_READ_LIMIT_PER_MIN  300                 other requests per key in any 60 seconds
  LINK_RATE_LIMIT_PER_MIN     600                 images drawn per link key in any 60 seconds
  LINK_MAX_AGE                86400               seconds for which caches keep the image of a link
  RENDER_CREDIT_COST          1                   credits per render
  WATERMARK_TEXT              Made with Platen    text drawn on the images of free workspaces
  UPGRADE_URL                 /dashboard/billing  link in 402 responses
  DASHBOARD                   on                  on or off: whether the dashboard is served at /dashboard/
  DASHBOARD_ORIGIN            http://HOST:PORT    origin at which people open the dashboard, such as
                                                  https://images.example.com behind a proxy
  MAX_BODY_BYTES              10485760            maximum size of a request body
  MAX_LAYERS                  500                 maximum number of layers in a payload
  MAX_EXPANDED_LAYERS         5000                maximum number of layers that its lists and components make
  RENDER_TIMEOUT_MS           30000               time limit for one render
  RENDER_WORKERS              number of cores     render processes; 0 renders in the server process
  RENDER_SANDBOX              auto                walls around render processes: auto (the best that start here),
                                                  require (namespaces or RENDER_POOL, or the server does not start)
                                                  or off
  RENDER_POOL                                     socket of a "platen pool", in which the render processes run; unset:
                                                  the server starts them itself
  RENDER_PROCESS_SHARING      all                 all, or workspace: a render process that has read files of a
                                                  workspace draws for no other
  RENDER_QUEUE                256                 renders that may wait for a render process
  RENDER_PAID_WEIGHT          4                   processor time of a paid workspace beside a free one
  RENDER_MEMORY_MB            1024                memory budget of all renders in flight
  RENDER_CACHE_MB             64                  cache of finished renders for identical requests; 0 disables it
  DOCUMENT_MAX_BYTES          268435456           maximum size of a document
  RENDER_DECODE_CPU_MS        5000                processor time for decoding one image or font
  RENDER_LAYOUT_CPU_MS        5000                processor time for the layout of all texts of a render
  LOG_VARIABLES               off                 on: the render log keeps the variables of each render, up to 16 KiB
  ASSET_TIMEOUT_MS            10000               time limit for one remote image or font, including redirects
  ASSET_MAX_BYTES             26214400            maximum size of one remote image or font
  ASSET_MAX_PIXELS            67108864            maximum decoded size of one image
  ASSET_QUOTA_MB              256                 maximum size of the images and fonts that a workspace stores
  ASSET_ALLOW_HOSTS                               hosts (a,b:8080) that may be fetched from despite private addresses
`;
