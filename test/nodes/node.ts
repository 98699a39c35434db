// One node: `render serve` of a built copy as a process of its own, which can be killed, frozen, asked to go and started
// again, each time on another free port.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { ownEnvironment } from '../checkout.js';

export interface Node {
  /** Where it listens now. */
  url: string;
  readonly pid: number;
  /** What it wrote to standard error since it was started. */
  errors: string;
  start(): Promise<void>;
  /** Sends the signal; resolves with the exit code, or null, when the process has ended of it. */
  end(signal: 'SIGKILL' | 'SIGTERM'): Promise<number | null>;
  /** Stops the server's process where it is, or lets it go on; its render processes never stop. */
  freeze(frozen: boolean): void;
}

/** Settings of every node; `settings` of the test come after them. */
const SETTINGS = {
  PORT: '0',
  RENDER_WORKERS: '1',
  RENDER_CACHE_MB: '0',
  STORE_CONNECTIONS: '6',
  API_KEY_RATE_LIMIT_PER_MIN: '1000000',
  LOG_LEVEL: 'warn',
};

/** Starts a node of the built copy in `checkout`. Rejects with what it said when it does not come up. */
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
