// `render serve`: the HTTP server, until a signal ends it.
import { usableMemory } from '../../resources.js';
import { serve } from '../../service/serve.js';
import { readSettings } from '../../settings.js';
import { openStore } from '../../store/open.js';
import { guardFrom } from '../address-policy.js';
import type { ExitCode } from '../errors.js';
import { openLogStream } from '../log-stream.js';
import { readOptions, UsageError } from '../parse-options.js';
import { ENDING_SIGNALS } from '../signals.js';
import { type CliContext, oneLine, write } from '../stdio.js';
import { logUnhandledRejections } from '../unhandled-rejections.js';
import type { WorkerKind } from '../worker-kinds.js';
import { memoryWarning } from './memory-warning.js';
import { SERVE_USAGE } from './serve-usage.js';

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
  guardFrom(settings);
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
      for (const name of ENDING_SIGNALS) process.off(name, done);
      resolve();
    };
    for (const name of ENDING_SIGNALS) process.on(name, done);
  });
}
