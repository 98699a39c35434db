// The runtimes: where their programs are, and how each renders a file of cases.
import { execFileSync, spawn } from 'node:child_process';
import { existsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { ROOT } from '../checkout.js';
import type { Program } from './commands.js';
import type { Result } from './compare.js';

/** The folder with the runtimes' own package.json. */
export const RUNTIMES_FOLDER = join(ROOT, 'test/runtimes');
const PACKAGES = join(RUNTIMES_FOLDER, 'node_modules');

export interface RunOptions {
  /** One case as JSON on each line. */
  readonly file: string;
  /** Whether results have their pixels. */
  readonly pictures: boolean;
  readonly onResult: (result: Result) => void;
}

export interface Runtime {
  readonly name: string;
  readonly version: string;
  /** What the command line runs on, if it can. */
  readonly program?: Program;
  /** Renders all cases. Throws what the runtime says when it fails as a whole. */
  run(options: RunOptions): Promise<void>;
}

/** A runtime that can't be started here. */
export interface Skipped {
  readonly name: string;
  readonly skipped: string;
}

/** The Node that runs this: all others are compared with it. */
export const reference: Runtime = createProgram('node', process.execPath, []);

const FINDERS: Readonly<Record<string, () => Runtime | Skipped>> = {
  node20: () => findNode('node20'),
  node22: () => findNode('node22'),
  node24: () => findNode('node24'),
  node26: () => findNode('node26'),
  deno: () => findProgram('deno', ['@deno/linux-x64-glibc/deno'], ['run', '--allow-all', '--no-prompt']),
  bun: () => findProgram('bun', ['@oven/bun-linux-x64/bin/bun', '@oven/bun-linux-aarch64/bin/bun'], []),
};

export const RUNTIME_NAMES: readonly string[] = Object.keys(FINDERS);

/** @param name one of RUNTIME_NAMES */
export const findRuntime = (name: string): Runtime | Skipped => FINDERS[name]();

/** Installs test/runtimes if that was not done since its lock file changed. Returns why it failed, if it did. */
export function installRuntimes(): string | undefined {
  const modified = (path: string) => statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0;
  const installed = modified(join(PACKAGES, '.package-lock.json'));
  if (installed >= modified(join(RUNTIMES_FOLDER, 'package-lock.json'))) return undefined;
  console.log('installing test/runtimes');
  try {
    const flags = ['--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'];
    execFileSync('npm', ['ci', ...flags], { cwd: RUNTIMES_FOLDER, stdio: ['ignore', 'ignore', 'pipe'] });
    return undefined;
  } catch (error) {
    const { stderr, message } = error as Error & { stderr?: Buffer };
    return `npm ci in test/runtimes failed: ${stderr?.toString().trim().split('\n').slice(0, 3).join(' ') || message}`;
  }
}

function findNode(name: string): Runtime | Skipped {
  return findProgram(name, [`${name}-${process.platform}-${process.arch}/bin/node`], []);
}

/** @param files in test/runtimes/node_modules, of which npm installs the one for this machine, if there is one */
function findProgram(name: string, files: readonly string[], flags: readonly string[]): Runtime | Skipped {
  const path = files.map((file) => join(PACKAGES, file)).find((file) => existsSync(file));
  if (path === undefined) return { name, skipped: 'not installed: see test/runtimes/package.json' };
  try {
    return createProgram(name, path, flags);
  } catch (error) {
    return { name, skipped: `does not start: ${(error as Error).message.split('\n')[0]}` };
  }
}

/** A runtime with files and processes, as a command. */
function createProgram(name: string, path: string, flags: readonly string[]): Runtime {
  const env = { ...process.env, DENO_NO_UPDATE_CHECK: '1', DENO_DIR: join(PACKAGES, '.cache/deno') };
  const printed = execFileSync(path, ['--version'], { encoding: 'utf8', env });
  const version = /\d+\.\d+\.\d+/.exec(printed)?.[0] ?? '';
  return {
    name,
    version,
    program: { path, flags, env },
    async run({ file, pictures, onResult }) {
      const driver = join(ROOT, 'test/parity/driver.mjs');
      const args = [...flags, driver, join(ROOT, 'dist/lib/index.js'), file, ...(pictures ? ['--pictures'] : [])];
      const child = spawn(path, args, { stdio: ['ignore', 'pipe', 'pipe'], env });
      let complaint = '';
      child.stderr.setEncoding('utf8').on('data', (text) => {
        complaint = `${complaint}${text}`.slice(-4000);
      });
      const ended = new Promise<string>((resolve) => {
        child.on('error', ({ message }) => resolve(message));
        child.on('close', (code, signal) => resolve(code === 0 ? '' : `ended with ${signal ?? `exit code ${code}`}`));
      });
      for await (const line of createInterface({ input: child.stdout })) onResult(JSON.parse(line));
      const failure = await ended;
      if (failure !== '') throw new Error([failure, complaint.trim()].filter(Boolean).join('\n'));
    },
  };
}
