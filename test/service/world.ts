// The service without a socket, for tests: a real store, a clock that the test moves, an engine that the test controls, and
// checks that hold for every answer.
import { createHash } from 'node:crypto';
import type { Test } from 'tap';
import { AssetFile } from '../../lib/assets/asset-file.js';
import type { Inspection } from '../../lib/contract/api/inspection.js';
import type { RenderRequest } from '../../lib/contract/api/request.js';
import { ServiceError } from '../../lib/errors.js';
import { MemoryBudget } from '../../lib/service/admission/memory-budget.js';
import { createService } from '../../lib/service/app.js';
import type { EngineCall, EngineImage } from '../../lib/service/render/call.js';
import type { Engine } from '../../lib/service/render/engine.js';
import type { Phase, RequestOutcome, Service } from '../../lib/service/request.js';
import { readSettings, type Settings } from '../../lib/settings.js';
import { createRawKey, hashKey } from '../../lib/store/api-keys.js';
import type { Plan, Scope, Store } from '../../lib/store/types.js';
import { openTestStore } from './stores.js';

export const CANVAS = { width: 4, height: 3 };
/** The shortest request that renders. */
export const FLAT = { canvas: CANVAS, layers: [] };

const WRITE: readonly Scope[] = ['render:write'];

export interface Caller {
  readonly workspaceId: string;
  readonly keyId: string;
  /** The raw key. */
  readonly key: string;
}

export interface Ask {
  readonly method?: string;
  readonly path?: string;
  /** A raw key, sent as it should be. */
  readonly key?: string;
  readonly authorization?: string;
  readonly query?: string;
  readonly contentEncoding?: string;
  readonly idempotencyKeys?: readonly string[];
  readonly ifMatch?: string;
  readonly ifNoneMatch?: string;
  /** By lower-case name; there are no others. */
  readonly given?: Readonly<Record<string, string>>;
  /** Bytes and text as they are, anything else as JSON. */
  readonly body?: unknown;
  readonly signal?: AbortSignal;
}

export interface Reply {
  readonly status: number;
  /** By lower-case name. */
  readonly headers: ReadonlyMap<string, string>;
  readonly bytes: Buffer;
  /** The body as JSON; undefined when it is none. */
  readonly json: Record<string, unknown>;
  readonly outcome: RequestOutcome;
}

export interface World {
  readonly store: Store;
  readonly service: Service;
  readonly engine: StandIn;
  /** Moves the clock of the rate windows on, in milliseconds. */
  pass(milliseconds: number): void;
  caller(options?: {
    credits?: number;
    plan?: Plan;
    scopes?: readonly Scope[];
    workspaceId?: string;
    rateLimit?: number;
  }): Promise<Caller>;
  balance(caller: Caller): Promise<number>;
  ask(request: Ask): Promise<Reply>;
}

/** An engine that renders nothing: it records its calls and returns what the test sets. */
export interface StandIn extends Engine {
  readonly asked: { request: RenderRequest; record: unknown; options: EngineCall }[];
  result: Partial<EngineImage>;
  inspection: Inspection;
  /** Called before each result; throws or waits in the engine's place. */
  before: (options: EngineCall) => void | Promise<void>;
  isUp: boolean;
}

export function standIn(): StandIn {
  const engine: StandIn = {
    asked: [],
    result: {},
    inspection: {
      width: 1,
      height: 1,
      alt: '',
      warnings: [],
      layers: [],
      timings: { check: 0.1, load: 0.2, layout: 0.3 },
    },
    before: () => {},
    isUp: true,
    reserve: () => ({ acquire: async () => () => {}, release() {} }),
    batchConcurrency: 2,
    openReservation: () => new MemoryBudget(Number.POSITIVE_INFINITY).open('one'),
    isReady: async () => engine.isUp,
    async verify(request, record, options) {
      const image = await engine.render(request, record, options);
      return { ...image, pixelsSha256: createHash('sha256').update(image.bytes).digest('hex'), timings: [] };
    },
    planDocument: () => Promise.reject(new Error('this engine has no documents')),
    fetchAsset: async () => new AssetFile(Uint8Array.of()),
    async inspect(request, record, options) {
      engine.asked.push({ request, record, options: { ...options, watermark: undefined } });
      await engine.before({ ...options, watermark: undefined });
      return engine.inspection;
    },
    inspectAsset: async () => ({ kind: 'image', mimeType: 'image/png', width: 1, height: 1 }),
    async render(request, record, options) {
      engine.asked.push({ request, record, options });
      await engine.before(options);
      const size = request.kind === 'canvas' ? request.canvas : { width: 1, height: 1 };
      const { width, height } = size;
      const { bytes = Uint8Array.of(1, 2, 3, 4) } = engine.result;
      return {
        bytes,
        sha256: createHash('sha256').update(bytes).digest('base64url'),
        format: request.format,
        width,
        height,
        alt: '',
        warnings: [],
        ...engine.result,
      };
    },
  };
  return engine;
}

export interface WorldOptions {
  readonly settings?: Readonly<Record<string, string>>;
  /** In place of the stand-in. */
  readonly engine?: (settings: Settings, store: Store) => Engine;
  /** Verbs that fail or wait in place of the store's own. */
  readonly storeVerbs?: Partial<Store>;
  /** The same, when they need the store. */
  readonly wrapStore?: (store: Store) => Partial<Store>;
  readonly phase?: () => Phase;
}

export async function createWorld(t: Test, options: WorldOptions = {}): Promise<World> {
  let time = 0;
  const real = await openTestStore(t, () => time);
  const store = { ...real, ...options.storeVerbs, ...options.wrapStore?.(real) };
  const engine = standIn();
  const settings = readSettings({ API_KEY_RATE_LIMIT_PER_MIN: '1000', ...options.settings });
  const service = createService({
    store,
    engine: options.engine?.(settings, store) ?? engine,
    settings,
    ...(options.phase && { phase: options.phase }),
  });
  return {
    store,
    service,
    engine,
    pass: (milliseconds) => {
      time += milliseconds;
    },
    async caller({ credits = 1000, plan = 'paid', scopes = WRITE, workspaceId: given, rateLimit } = {}) {
      const workspaceId = given ?? (await real.createWorkspace({ name: 'Test', plan, credits })).id;
      const key = createRawKey();
      const { id: keyId } = await real.createKey({ workspaceId, name: 'test', scopes, hash: hashKey(key), rateLimit });
      return { workspaceId, keyId, key };
    },
    balance: async ({ workspaceId }) => (await real.balance(workspaceId)).balance,
    async ask(request) {
      const outcome = await service(toApiRequest(request));
      return checked(t, await toReply(outcome));
    },
  };
}

function toApiRequest({
  method = 'POST',
  path = '/v1/render',
  key,
  authorization,
  body,
  signal,
  given = {},
  ...headers
}: Ask) {
  const bytes =
    body instanceof Uint8Array ? body : Buffer.from(typeof body === 'string' ? body : JSON.stringify(body ?? FLAT));
  return {
    method,
    path,
    authorization: key === undefined ? authorization : `Bearer ${key}`,
    ...headers,
    header: (name: string) => given[name],
    declaredBytes: bytes.length,
    body: async (maxBytes: number) => {
      if (bytes.length > maxBytes) throw new ServiceError('payload_too_large', 'too large');
      return bytes;
    },
    signal: signal ?? new AbortController().signal,
  };
}

async function toReply(outcome: RequestOutcome): Promise<Reply> {
  const { status, headers, body, length } = outcome.answer;
  const bytes = await bytesOf(body);
  if (length !== undefined && bytes.length !== length)
    throw new Error(`the answer has ${bytes.length} bytes and says ${length}`);
  const isJson = headers.get('Content-Type')?.startsWith('application/json');
  return {
    status,
    headers: new Map(Array.from(headers, ([name, value]) => [name.toLowerCase(), value])),
    bytes,
    json: isJson ? JSON.parse(bytes.toString()) : undefined,
    outcome,
  };
}

async function bytesOf(body: RequestOutcome['answer']['body']): Promise<Buffer> {
  if (body instanceof Uint8Array) return Buffer.from(body);
  const chunks: Uint8Array[] = [];
  for await (const chunk of body) chunks.push(Buffer.from(chunk));
  return Buffer.concat(chunks);
}

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** Checks the rules for every answer (docs/service.md#responses, docs/service.md#errors). */
function checked(t: Test, reply: Reply): Reply {
  const { status, headers, json } = reply;
  t.equal(headers.get('access-control-allow-origin'), '*', 'any origin may read it');
  t.match(
    headers.get('access-control-expose-headers'),
    /X-Request-Id.*X-Service-Metadata.*X-RateLimit-Reset.*Retry-After/,
  );
  t.notOk(headers.has('set-cookie'), 'no cookie is set');
  t.notOk(headers.has('access-control-allow-credentials'), 'none is asked for');
  t.match(headers.get('x-request-id'), UUID);
  t.equal(headers.get('x-content-type-options'), 'nosniff');
  const passes = [429, 503].includes(status) || json?.code === 'idempotency_in_progress';
  t.equal(headers.has('retry-after'), passes, 'Retry-After on what passes alone');
  t.equal(headers.has('allow'), status === 405, 'Allow on 405 alone');
  t.equal(headers.has('accept-encoding'), status === 415, 'Accept-Encoding on 415 alone');
  if (status >= 400 && json && 'success' in json) checkErrorBody(t, reply);
  return reply;
}

function checkErrorBody(t: Test, { status, headers, json, bytes }: Reply): void {
  const allowed = new Set(['success', 'error', 'code', 'details', 'requestId']);
  if (status === 402) allowed.add('paywall');
  if (json.code === 'asset_in_use') allowed.add('templates');
  t.same(
    Object.keys(json).filter((field) => !allowed.has(field)),
    [],
    'no other fields',
  );
  t.equal(json.success, false);
  t.ok(typeof json.error === 'string' && json.error !== '', 'a message');
  t.equal(json.requestId, status >= 500 ? headers.get('x-request-id') : undefined);
  t.notMatch(bytes.toString(), /\n\s+at |\.ts:|svc_live_/, 'neither a stack nor a key');
}
