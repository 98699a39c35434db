// workerd, the runtime of Cloudflare's edge functions: no files, no compilation at run time, no Node modules.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { ROOT } from '../../checkout.js';
import { serveCheckout } from './file-server.js';
import type { RunOptions } from './options.js';

/** Date that selects the behaviour of workerd; no flags: not even `nodejs_compat`. */
const COMPATIBILITY_DATE = '2026-11-01';
const FOLDER = join(ROOT, 'out/parity/workerd');

/** Renders the cases in a server of workerd's, one request each. */
export async function runInWorkerd(path: string, { file, pictures, onResult }: RunOptions): Promise<void> {
  const fonts = await serveCheckout();
  const { port } = fonts.address() as AddressInfo;
  mkdirSync(FOLDER, { recursive: true });
  writeFileSync(join(FOLDER, 'config.capnp'), configOf(`http://127.0.0.1:${port}/fonts/`));
  const args = ['serve', join(FOLDER, 'config.capnp'), '--socket-addr=http=127.0.0.1:0', '--control-fd=3'];
  const child = spawn(path, args, { stdio: ['ignore', 'ignore', 'pipe', 'pipe'] });
  let complaint = '';
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    complaint = `${complaint}${text}`.slice(-4000);
  });
  const ended = once(child, 'exit');
  try {
    const url = `http://127.0.0.1:${await listening(child)}/`;
    for (const line of readFileSync(file, 'utf8').trim().split('\n')) {
      const answer = await fetch(url, { method: 'POST', body: JSON.stringify({ ...JSON.parse(line), pictures }) });
      const text = await answer.text();
      if (!answer.ok) throw new Error(`${JSON.parse(line).name}: ${answer.status} ${text}`);
      onResult(JSON.parse(text));
    }
  } catch (error) {
    throw new Error(`${(error as Error).message}\n${complaint}`.trim());
  } finally {
    child.kill('SIGKILL');
    await ended;
    fonts.closeAllConnections();
    fonts.close();
  }
}

/** The port, which workerd writes to its control pipe. */
async function listening(child: ChildProcess): Promise<number> {
  for await (const line of createInterface({ input: child.stdio[3] as Readable })) {
    const { event, port } = JSON.parse(line);
    if (event === 'listen') return port;
  }
  throw new Error('workerd ended');
}

/** Modules are named by their path in the checkout, so that relative imports find each other. */
function configOf(fontsUrl: string): string {
  const scripts = readdirSync(join(ROOT, 'dist/browser')).filter((name) => name.endsWith('.js'));
  const binaries = readdirSync(join(ROOT, 'dist/wasm')).filter((name) => name.endsWith('.wasm'));
  const names = binaries.map((name) => name.slice(0, -'.wasm'.length));
  const index = [
    ...names.map((name, i) => `import m${i} from './dist/wasm/${name}.wasm';`),
    `export default { ${names.map((name, i) => `${JSON.stringify(name)}: m${i}`).join(', ')} };`,
  ].join('\n');
  writeFileSync(join(FOLDER, 'wasm-modules.js'), index);
  const embed = (name: string, kind: string, path = `../../../${name}`) =>
    `(name = ${JSON.stringify(name)}, ${kind} = embed ${JSON.stringify(path)})`;
  const modules = [
    embed('test/parity/runtimes/edge-function.mjs', 'esModule'),
    embed('test/parity/runtimes/render-case.mjs', 'esModule'),
    embed('wasm-modules.js', 'esModule', 'wasm-modules.js'),
    ...scripts.map((name) => embed(`dist/browser/${name}`, 'esModule')),
    ...binaries.map((name) => embed(`dist/wasm/${name}`, 'wasm')),
  ];
  return `using Workerd = import "/workerd/workerd.capnp";
const config :Workerd.Config = (
  services = [
    (name = "main", worker = .worker),
    (name = "internet", network = (allow = ["local", "private", "public"])),
  ],
  sockets = [(name = "http", http = (), service = "main")],
);
const worker :Workerd.Worker = (
  compatibilityDate = "${COMPATIBILITY_DATE}",
  bindings = [(name = "FONTS_URL", text = ${JSON.stringify(fontsUrl)})],
  modules = [
    ${modules.join(',\n    ')},
  ],
);
`;
}
