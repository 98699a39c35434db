// `platen pool`: runs the render processes of a server, apart from it, until a termination signal.
import { resolve } from 'node:path';
import { workerModule } from '../../package-files.js';
import { readPoolSettings } from '../../settings.js';
import { servePool } from '../../workers/remote/serve.js';
import { selectSandbox } from '../../workers/sandbox/select.js';
import type { ExitCode } from '../errors.js';
import { logUnhandledRejections, openLogStream } from '../log-stream.js';
import { readOptions, UsageError } from '../parse-options.js';
import { ignoreRotationSignals, nextTerminationSignal } from '../signals.js';
import { type CliContext, write } from '../stdio.js';

const OPTIONS = {
  listen: { type: 'string' },
  processes: { type: 'string' },
  help: { type: 'boolean', short: 'h' },
} as const;

const DEFAULT_PROCESSES = 64;
const MAX_PROCESSES = 4096;
/** Levels of log lines, as the server writes them. */
const INFO = 30;
const WARN = 40;

/** Tests the pool. `argv` holds the arguments after `pool`. Throws UsageError, SettingsError and SandboxError. */
export async function poolCommand(argv: readonly string[], context: CliContext): Promise<ExitCode> {
  const { listen, processes = String(DEFAULT_PROCESSES), help } = readOptions(argv, OPTIONS);
  if (help) {
    await write(context.output, POOL_USAGE);
    return 0;
  }
  if (listen === undefined || listen.trim() === '') {
    throw new UsageError('--listen: expected the path of a socket, such as /run/platen/pool.sock');
  }
  if (process.platform === 'win32') throw new UsageError('Windows has no sockets with permissions for a pool');
  if (!/^\d{1,4}$/.test(processes) || Number(processes) < 1 || Number(processes) > MAX_PROCESSES) {
    throw new UsageError(`--processes: received "${processes}", expected a whole number from 1 to ${MAX_PROCESSES}`);
  }
  const { RENDER_SANDBOX } = readPoolSettings(context.environment);
  const path = resolve(context.directory, listen);
  const lines = openLogStream(context.errors);
  const log = (level: number, msg: string, fields: object = {}) =>
    lines.write(`${JSON.stringify({ level, time: new Date().toISOString(), ...fields, msg })}\n`);
  logUnhandledRejections(process, lines);
  ignoreRotationSignals();
  const stopped = nextTerminationSignal();
  const report = (line: string) => log(WARN, 'a render process wrote to its standard error', { renderProcess: line });
  const program = { entry: workerModule() };
  const { walls, launch, first, reasons } = await selectSandbox(RENDER_SANDBOX, program, { report });
  // it has shown which walls stand; the server's processes start with their connections
  first?.kill();
  for (const reason of reasons) log(WARN, 'render processes do not start behind the best walls', { reason });
  log(INFO, 'render processes start behind these walls', { walls });
  const server = await servePool({ path, launch, maxProcesses: Number(processes), report }).catch((cause: Error) => {
    throw new UsageError(`--listen: can't listen at ${path}: ${cause.message}`, { cause });
  });
  await write(context.output, `listening on ${path}\n`);
  await stopped;
  await server.close();
  return 0;
}

export const POOL_USAGE = `Usage: platen pool --listen SOCKET [--processes N]

Runs the render processes of servers with RENDER_POOL=SOCKET, as another user and without network and data: what decodes
files of strangers is then apart from what holds keys and credits. Prints "listening on SOCKET" when ready. The log goes
to standard error. A server starts a process by a connection, which ends with it. Only the user of the pool and its
group may connect. SIGTERM or Ctrl-C ends the processes; servers wait until the pool is back. See docs/sandbox.md.

      --listen SOCKET  path of a Unix socket; one that a pool has left is replaced
      --processes N    render processes that may live at once; default: 64. A server has up to twice its
                       RENDER_WORKERS and two
  -h, --help           print this help

Environment (empty counts as unset):
  RENDER_SANDBOX   auto   walls around each process, besides the pool's own: auto (the best that start here), require
                          (namespaces, or the pool does not start) or off
`;
