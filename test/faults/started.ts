// Starts `platen serve` in a separate process, with a real render process, and checks every response: it follows the contract,
// only a 200 is charged, and a control render after it has the same bytes.
import { type ChildProcess, spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { join } from 'node:path';
import type { Test } from 'tap';
import { createRawKey, hashKey } from '../../lib/store/api-keys.js';
import { openEmbeddedStore } from '../../lib/store/embedded/store.js';
import { openAdminStore } from '../../lib/store/open.js';
import { makeCheckout, ownEnvironment } from '../checkout.js';

const CREDITS = 100_000;

/** A payload with text, a translucent shape and a QR code, so that state leaking between renders changes it. */
const CONTROL = {
  canvas: { width: 160, height: 90, backgroundColor: '#14213d' },
  layers: [
    { type: 'shape', shapeType: 'circle', x: 90, y: -20, width: 90, height: 90, fillColor: '#fca311', opacity: 0.7 },
    { type: 'text', x: 8, y: 8, width: 100, height: 60, text: 'Control fi', fontSize: 24, color: 'white' },
    { type: 'qrcode', x: 110, y: 40, width: 44, height: 44, data: 'control' },
  ],
};

export interface StartOptions {
  readonly settings?: Readonly<Record<string, string>>;
  /** Arguments of Node. */
  readonly nodeOptions?: readonly string[];
  /** Maximum number of open file descriptors of the server. */
  readonly descriptors?: number;
}

export interface CheckedResponse {
  readonly status: number;
  readonly code: string | undefined;
  readonly text: string;
  readonly headers: Headers;
}

export interface Started {
  readonly child: ChildProcess;
  readonly url: string;
  readonly key: string;
  readonly workspaceId: string;
  /** Standard error so far: the log as JSON lines. */
  log(): string;
  /** Sends a body (a string unchanged, other values as JSON) and checks the response. */
  post(body: unknown, headers?: Readonly<Record<string, string>>): Promise<CheckedResponse>;
  /** Renders the control payload and returns the status and hash of the response. */
  control(): Promise<string>;
  /** Stops the server; returns the credits charged, the responses of 200 received, and the exit code. */
  end(): Promise<{ charged: number; answered: number; exitCode: number | null }>;
}

/** Error codes by status, as in README and OpenAPI; `undefined` means no code. */
const CODES = new Map<number, readonly (string | undefined)[]>([
  [200, [undefined]],
  [400, [undefined]],
  [401, ['missing_api_key', 'invalid_api_key', 'revoked_api_key']],
  [404, ['template_not_found', 'not_found']],
  [413, ['payload_too_large']],
  [415, ['unsupported_media_type']],
  [500, ['render_failed']],
  [502, ['asset_failed']],
  [503, ['overloaded']],
  [504, ['render_timeout']],
]);

export async function start(t: Test, options: StartOptions = {}): Promise<Started> {
  const { settings = {}, nodeOptions = [], descriptors } = options;
  const folder = t.testdir();
  makeCheckout(folder);
  const data = join(folder, 'kept');
  const store = await openEmbeddedStore(data);
  const { id: workspaceId } = await store.createWorkspace({ name: 'w', plan: 'paid', credits: CREDITS });
  const key = createRawKey();
  await store.createKey({ workspaceId, name: 'k', scopes: ['render:write'], hash: hashKey(key) });
  await store.close();
  const argv = [process.execPath, ...nodeOptions, join(folder, 'dist/bin/render.js'), 'serve'];
  const limited =
    descriptors === undefined ? argv : ['/bin/sh', '-c', `ulimit -n ${descriptors}; exec "$@"`, 'sh', ...argv];
  const child = spawn(limited[0], limited.slice(1), {
    env: {
      ...ownEnvironment(folder),
      ...{
        RENDER_WORKERS: '1',
        RENDER_CACHE_MB: '0',
        // Long enough for a slow machine.
        RENDER_TIMEOUT_MS: '600000',
        ASSET_TIMEOUT_MS: '600000',
        API_KEY_RATE_LIMIT_PER_MIN: '1000000',
        DATA_DIR: data,
        PORT: '0',
      },
      ...settings,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  t.teardown(() => child.kill('SIGKILL'));
  const exited = once(child, 'exit');
  let log = '';
  child.stderr?.setEncoding('utf8').on('data', (chunk) => {
    log += chunk;
  });
  const url = await waitForUrl(child, () => log);
  let answered = 0;
  const send = async (body: unknown, headers: Readonly<Record<string, string>> = {}) => {
    const response = await fetch(`${url}/v1/render`, {
      method: 'POST',
      headers: { Authorization: `Bearer ${key}`, ...headers },
      body: typeof body === 'string' ? body : JSON.stringify(body),
    });
    if (response.status === 200) answered++;
    return response;
  };
  return {
    child,
    url,
    key,
    workspaceId,
    log: () => log,
    async post(body, headers) {
      const response = await send(body, headers);
      const isJson = response.headers.get('content-type')?.startsWith('application/json') ?? false;
      const text = isJson ? await response.text() : Buffer.from(await response.arrayBuffer()).toString('latin1');
      const code: string | undefined = isJson ? JSON.parse(text).code : undefined;
      const { status, headers: responseHeaders } = response;
      if (!CODES.get(status)?.includes(code))
        t.fail(`${status} ${code} does not follow the contract: ${text.slice(0, 300)}`);
      if (status !== 200) t.equal(JSON.parse(text).success, false);
      if (responseHeaders.get('x-content-type-options') !== 'nosniff') t.fail('a response without nosniff');
      return { status, code, text, headers: responseHeaders };
    },
    async control() {
      const response = await send(CONTROL);
      const bytes = new Uint8Array(await response.arrayBuffer());
      return `${response.status} ${createHash('sha256').update(bytes).digest('hex')}`;
    },
    async end() {
      child.kill('SIGTERM');
      const [exitCode] = await exited;
      const admin = await openAdminStore(data);
      const { balance } = await admin.balance(workspaceId);
      await admin.close();
      return { charged: CREDITS - balance, answered, exitCode };
    },
  };
}

async function waitForUrl(child: ChildProcess, log: () => string): Promise<string> {
  let output = '';
  for await (const chunk of child.stdout ?? []) {
    output += chunk;
    const url = /^listening on (\S+)$/m.exec(output)?.[1];
    if (url !== undefined) return url;
  }
  throw new Error(`the server did not start: ${log()}`);
}
