// Runs the programs of a trial: commands that end, and servers on a free port of the loopback address.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { createServer } from 'node:net';

/** Milliseconds after which a command or the start of a server is stuck. */
const MAX_MS = 420_000;
/** Characters of a program's output that messages quote. */
const MAX_QUOTED = 20_000;
/** Characters of a line of it: those of a bundle's code are long. */
const MAX_LINE = 500;

/** The environment without what npm and the test runner add, and without reports of frameworks to their makers. */
const ENVIRONMENT = {
  ...Object.fromEntries(
    Object.entries(process.env).filter(
      ([name]) => !/^(?:npm_(?!config_)|TAP|NODE_OPTIONS|NODE_ENV|INIT_CWD)/i.test(name),
    ),
  ),
  ASTRO_TELEMETRY_DISABLED: '1',
  DENO_NO_UPDATE_CHECK: '1',
  NEXT_TELEMETRY_DISABLED: '1',
  NUXT_TELEMETRY_DISABLED: '1',
  WRANGLER_SEND_METRICS: 'false',
  CI: '1',
};

export interface RunOptions {
  readonly cwd: string;
  /** Variables beside those of this process, or in place of all of them. */
  readonly env?: Readonly<Record<string, string>>;
  readonly isBare?: boolean;
}

interface Started {
  readonly child: ChildProcess;
  /** The last lines of its output and its errors, for messages. */
  quote(): string;
  stdout(): string;
}

function start(command: string, args: readonly string[], { cwd, env, isBare = false }: RunOptions): Started {
  const child = spawn(command, args, {
    cwd,
    env: isBare ? { ...env } : { ...ENVIRONMENT, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
    // a group of its own, which ends as a whole
    detached: true,
  });
  let all = '';
  let output = '';
  child.stdout?.setEncoding('utf8').on('data', (text: string) => {
    output += text;
    all = (all + text).slice(-MAX_QUOTED);
  });
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    all = (all + text).slice(-MAX_QUOTED);
  });
  const quote = () =>
    all
      .trim()
      .split('\n')
      .map((line) => line.slice(0, MAX_LINE))
      .join('\n');
  return { child, quote, stdout: () => output };
}

function kill({ pid, exitCode, signalCode }: ChildProcess): void {
  if (pid === undefined || exitCode !== null || signalCode !== null) return;
  process.kill(-pid, 'SIGKILL');
}

/** Runs a command and returns what it prints. Throws with its last lines if it fails. */
export async function run(command: string, args: readonly string[], options: RunOptions): Promise<string> {
  const { child, quote, stdout } = start(command, args, options);
  const timer = setTimeout(() => kill(child), MAX_MS);
  try {
    const [code, signal] = await once(child, 'close');
    if (code !== 0) throw new Error(`${[command, ...args].join(' ')} ended with ${code ?? signal}:\n${quote()}`);
    return stdout();
  } finally {
    clearTimeout(timer);
  }
}

export interface Server extends AsyncDisposable {
  /** Its URL, without a slash at the end. */
  readonly url: string;
  /** The last lines that it wrote, for messages. */
  quote(): string;
}

/**
 * Starts a server that gets its address as HOST and PORT, and waits until it answers. Its group of
 * processes ends when it is disposed of.
 */
export async function serve(command: string, args: readonly string[], options: RunOptions): Promise<Server> {
  const port = String(await freePort());
  const env = { HOST: '127.0.0.1', PORT: port, ...options.env };
  const { child, quote } = start(command, args, { ...options, env });
  const ended = once(child, 'close');
  const url = `http://127.0.0.1:${port}`;
  const deadline = performance.now() + MAX_MS;
  while (!(await answers(url))) {
    const isOver = child.exitCode !== null || performance.now() > deadline;
    if (!isOver) continue;
    kill(child);
    throw new Error(`${[command, ...args].join(' ')} does not answer at ${url}:\n${quote()}`);
  }
  return {
    url,
    quote,
    async [Symbol.asyncDispose]() {
      kill(child);
      await ended;
    },
  };
}

async function answers(url: string): Promise<boolean> {
  try {
    await fetch(url, { redirect: 'manual' });
    return true;
  } catch {
    await new Promise((resolve) => setTimeout(resolve, 100));
    return false;
  }
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}
