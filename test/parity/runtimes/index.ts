// The runtimes: where they are, and how each renders a file of cases.
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from '../../checkout.js';
import { launch, runInPage } from './browsers.js';
import { RUNTIMES_FOLDER, type RunOptions } from './options.js';
import { type Program, runProgram } from './programs.js';
import { runInWorkerd } from './workerd.js';

const PACKAGES = join(RUNTIMES_FOLDER, 'node_modules');

export interface Runtime {
  readonly name: string;
  readonly version: string;
  /** The program that runs the command line, if there is one. */
  readonly program?: Program;
  /** Renders all cases. Throws what the runtime says when it fails as a whole. */
  run(options: RunOptions): Promise<void>;
}

/** The Node that runs this: all others are compared with it. */
export const reference: Runtime = createProgram('node', process.execPath);

type Find = (name: string) => Runtime | Promise<Runtime>;

/** Each throws why the runtime can't be started here. */
const FINDERS: Readonly<Record<string, Find>> = {
  node20: findNode,
  node22: findNode,
  node24: findNode,
  node26: findNode,
  deno: (name) =>
    createProgram(name, findPackaged('@deno/linux-x64-glibc/deno'), ['run', '--allow-all', '--no-prompt']),
  bun: (name) => createProgram(name, findPackaged('@oven/bun-linux-x64/bin/bun', '@oven/bun-linux-aarch64/bin/bun')),
  workerd: createWorkerd,
  chromium: (name) => createBrowser(name, 'chrome', false),
  'chromium-worker': (name) => createBrowser(name, 'chrome', true),
  firefox: (name) => createBrowser(name, 'firefox', false),
  'firefox-worker': (name) => createBrowser(name, 'firefox', true),
};

export const RUNTIME_NAMES: readonly string[] = Object.keys(FINDERS);

/** @param name one of RUNTIME_NAMES */
export async function findRuntime(name: string): Promise<Runtime | { readonly skipped: string }> {
  try {
    return await FINDERS[name](name);
  } catch (error) {
    return { skipped: (error as Error).message.split('\n')[0] };
  }
}

/** Installs test/runtimes if that was not done for its lock file. Returns why it failed, if it did. */
export function installRuntimes(): string | undefined {
  const stamp = join(PACKAGES, '.lock.sha256');
  const hash = createHash('sha256')
    .update(readFileSync(join(RUNTIMES_FOLDER, 'package-lock.json')))
    .digest('hex');
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === hash) return undefined;
  console.log('installing test/runtimes');
  try {
    const flags = ['--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'];
    execFileSync('npm', ['ci', ...flags], { cwd: RUNTIMES_FOLDER, stdio: ['ignore', 'ignore', 'pipe'] });
    writeFileSync(stamp, hash);
    return undefined;
  } catch (error) {
    const { stderr, message } = error as Error & { stderr?: Buffer };
    const reason = stderr?.toString().trim().split('\n').slice(0, 3).join(' ');
    return `npm ci in test/runtimes failed: ${reason || message}`;
  }
}

/** The program in the packages of which npm installs the one for this machine, if there is one. */
function findPackaged(...files: readonly string[]): string {
  const path = files.map((file) => join(PACKAGES, file)).find((file) => existsSync(file));
  if (path === undefined) throw new Error('not installed: see test/runtimes/package.json');
  return path;
}

function findNode(name: string): Runtime {
  return createProgram(name, findPackaged(`${name}-${process.platform}-${process.arch}/bin/node`));
}

function versionIn(text: string): string {
  return /\d+([.-]\d+)+/.exec(text)?.[0] ?? '';
}

/** A runtime with files and processes. */
function createProgram(name: string, path: string, flags: readonly string[] = []): Runtime {
  const env = { ...process.env, DENO_NO_UPDATE_CHECK: '1', DENO_DIR: join(PACKAGES, '.cache/deno') };
  const program = { path, flags, env };
  const version = versionIn(execFileSync(path, ['--version'], { encoding: 'utf8', env }));
  return { name, version, program, run: (options) => runProgram(program, options) };
}

/** The browser build of the library is needed. */
function expectBrowserBuild(): void {
  if (!existsSync(join(ROOT, 'dist/browser/index.js'))) throw new Error('dist/browser is missing: npm run build');
}

function createWorkerd(name: string): Runtime {
  const path = findPackaged('@cloudflare/workerd-linux-64/bin/workerd', '@cloudflare/workerd-linux-arm64/bin/workerd');
  expectBrowserBuild();
  const version = versionIn(execFileSync(path, ['--version'], { encoding: 'utf8' }));
  return { name, version, run: (options) => runInWorkerd(path, options) };
}

const BROWSERS = {
  chrome: ['/usr/bin/chromium', '/usr/bin/google-chrome'],
  firefox: ['/usr/bin/firefox-esr', '/usr/bin/firefox'],
};

async function createBrowser(name: string, kind: 'chrome' | 'firefox', inWorker: boolean): Promise<Runtime> {
  const path = BROWSERS[kind].find((file) => existsSync(file));
  if (path === undefined) throw new Error(`not installed: ${BROWSERS[kind].join(' or ')}`);
  expectBrowserBuild();
  const browser = await launch(kind, path);
  const version = versionIn(await browser.version());
  await browser.close();
  return { name, version, run: async (options) => runInPage(await launch(kind, path), inWorker, options) };
}
