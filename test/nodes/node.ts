// A node: a `platen serve` process that can be killed, frozen, terminated and restarted, each time on another free port.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { ownEnvironment } from '../checkout.js';

export interface Node {
  /** The base URL; changes with every start. */
  url: string;
  readonly pid: number;
  /** Its stderr output since the last start. */
  errors: string;
  start(): Promise<void>;
  /** Sends the signal and waits for the exit; resolves with the exit code, null if the signal ended the process. */
  end(signal: 'SIGKILL' | 'SIGTERM'): Promise<number | null>;
  /** Suspends or resumes the server's process, but not its render processes. */
  freeze(frozen: boolean): void;
}

/** Settings of every node; those of the test override them. */
const SETTINGS = {
  PORT: '0',
  RENDER_WORKERS: '1',
  RENDER_CACHE_MB: '0',
  STORE_CONNECTIONS: '6',
  API_KEY_RATE_LIMIT_PER_MIN: '1000000',
  LOG_LEVEL: 'warn',
};

/** Starts a node of the built program in `checkout`. Rejects with its stderr output when it does not start. */
export async function startNode(checkout: string, settings: Readonly<Record<string, string>>): Promise<Node> {
  const environment = { ...ownEnvironment(checkout), ...SETTINGS, ...settings };
  let child: ChildProcess;
  const node: Node = {
    url: '',
    errors: '',
    get pid() {
      return child.pid!;
    },
    async start() {
      const words = [join(checkout, 'dist/bin/render.js'), 'serve'];
      child = spawn(process.execPath, words, { env: environment, cwd: checkout, stdio: ['ignore', 'pipe', 'pipe'] });
      node.errors = '';
      child.stderr!.on('data', (chunk) => {
        node.errors += chunk;
      });
      let output = '';
      for await (const chunk of child.stdout!.iterator({ destroyOnReturn: false })) {
        output += chunk;
        const url = /^listening on (\S+)$/m.exec(output)?.[1];
        if (url === undefined) continue;
        node.url = url;
        return;
      }
      throw new Error(`the node did not start: ${node.errors}`);
    },
    async end(signal) {
      if (child.exitCode !== null || child.signalCode !== null) return child.exitCode;
      const ended = once(child, 'exit');
      child.kill(signal);
      await ended;
      return child.exitCode;
    },
    freeze: (frozen) => void child.kill(frozen ? 'SIGSTOP' : 'SIGCONT'),
  };
  await node.start();
  return node;
}
