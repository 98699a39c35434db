// Sends the same random requests and admin operations to a server on the embedded store and to one on PostgreSQL, and
// compares statuses, headers and bodies, except ids and durations. The test sets the clock of both rate limits.
import { createHash } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import t from 'tap';
import { serve } from '../../lib/service/serve.js';
import { readSettings } from '../../lib/settings.js';
import { createRawKey, hashKey } from '../../lib/store/api-keys.js';
import { openEmbeddedStore } from '../../lib/store/embedded/store.js';
import { openPostgresStore } from '../../lib/store/postgres/store.js';
import type { Plan, RateWindow, Scope, Store } from '../../lib/store/types.js';
import { dice, FORM, pick, roll, rounds, SEED } from '../exhaustive.js';
import { skipped, startCluster, stopClock } from '../store/postgres/server.js';

const random = dice(SEED);

const SETTINGS = {
  PORT: '0',
  RENDER_WORKERS: '0',
  API_KEY_RATE_LIMIT_PER_MIN: '12',
  RENDER_CREDIT_COST: '0.3',
  MAX_BODY_BYTES: '20000',
  LOG_LEVEL: 'silent',
};
/** Headers that differ between any two responses. */
const OWN_HEADERS = ['date', 'x-request-id', 'x-service-render-id', 'x-render-duration-ms', 'connection', 'keep-alive'];

interface Owner {
  readonly id: string;
  readonly templates: string[];
  readonly assets: string[];
  readonly keys: { readonly id: string; readonly raw: string }[];
}

/** One side of the comparison: a server with its store. */
interface Side {
  readonly store: Store;
  readonly url: string;
  readonly owners: Owner[];
  /** Names for ids, the same on both sides. */
  readonly names: Map<string, string>;
}

let now = 0;

async function startSide(store: Store): Promise<Side> {
  const { url, stop } = await serve({ settings: readSettings(SETTINGS), store, log: { write: () => undefined } });
  t.teardown(() => stop(0));
  return { store, url, owners: [], names: new Map() };
}

async function embeddedSide(): Promise<Side> {
  const folder = await mkdtemp(join(tmpdir(), 'platen-alike-'));
  const store = await openEmbeddedStore(folder, { clock: () => now });
  t.teardown(async () => {
    await store.close();
    await rm(folder, { recursive: true });
  });
  return await startSide(store);
}

async function postgresSide(): Promise<Side> {
  const cluster = await startCluster();
  const database = await cluster.create();
  const setClock = await stopClock(cluster, database);
  const store = await openPostgresStore(cluster.url(database));
  t.teardown(async () => {
    await store.close();
    await cluster.remove();
  });
  const counting = async (keyId: string, window: RateWindow, limit: number) => {
    await setClock(now);
    return await store.countRequest(keyId, window, limit);
  };
  return await startSide({ ...store, countRequest: counting });
}

/** Does one thing on a side; returns the result with ids replaced by their names. */
type Step = (side: Side) => Promise<unknown>;

/** Replaces ids by their names, and removes times, durations and processor time, which requests that share a render lack. */
function normalize(side: Side, text: string): string {
  let result = text;
  for (const [id, name] of side.names) result = result.replaceAll(id, name);
  return result
    .replace(/"(requestId|renderId|replayOf|id|time|createdAt|updatedAt|lastUsedAt|nextCursor)":"[^"]*"/g, '"$1":""')
    .replace(/,"(durationMs|cpuMs)":\d+(\.\d+)?/g, '');
}

async function fetchFrom(side: Side, path: string, init: RequestInit): Promise<unknown> {
  const response = await fetch(`${side.url}${path}`, init);
  const headers: [string, string][] = [];
  response.headers.forEach((value, name) => {
    if (!OWN_HEADERS.includes(name)) headers.push([name, value]);
  });
  const bytes = Buffer.from(await response.arrayBuffer());
  const isText = response.headers.get('content-type')?.includes('json');
  // The length of a body with ids and durations varies.
  const kept = headers.filter(([name]) => !isText || name !== 'content-length');
  return [response.status, kept, isText ? normalize(side, bytes.toString()) : bytes.toString('base64')];
}

/** The result or the error message of an admin operation. */
async function outcomeOf(side: Side, work: Promise<unknown>): Promise<unknown> {
  return normalize(side, JSON.stringify(await work.catch((error: Error) => `${error.name}: ${error.message}`)));
}

const TEMPLATE = {
  name: 'Card \u2028 “ü”',
  width: 20,
  height: 10,
  background: { color: '#123456' },
  hotspots: [{ key: 'code', label: 'Code', type: 'qrcode', x: 0, y: 0, width: 10, height: 10, data: 'x' }],
};
const METADATA = { '\u0000': 'a\u0000b', order: [1.5, null, { deep: '😀' }], b: 1, a: 2 };
const canvas = { width: 6, height: 4, backgroundColor: 'rgb(1 2 3 / 50%)' };
const BODIES: readonly unknown[] = [
  { canvas, layers: [] },
  { canvas, layers: [], metadata: METADATA, responseType: 'json' },
  { canvas, layers: [], format: 'jpg', quality: 50, metadata: { a: 1 } },
  { canvas, layers: [{ type: 'shape', shapeType: 'circle', x: 0, y: 0, width: 5, height: 5, opacity: 2 }] },
  { canvas: { width: 0, height: 1 }, layers: [] },
  { canvas, layers: [], templateId: 'both' },
  { templateId: 'nowhere' },
  { templateId: 'a\u0000b' },
  { templateId: `${'x'.repeat(5000)}` },
  { canvas, layers: [], metadata: { long: 'x'.repeat(30_000) } },
  '{"canvas":',
  '[]',
  '',
];
const PATHS = ['/healthz', '/readyz', '/nowhere', '/v1/render', '/v1/render/'];
const SCOPES: readonly (readonly Scope[])[] = [['render:write'], ['render:write', 'batch:write'], ['templates:read']];

const FILTERS: readonly ((keyId: string, templateId: string) => string)[] = [
  () => 'status=failed',
  () => 'status=ok',
  () => 'metadata.a=1',
  (keyId) => `keyId=${keyId}`,
  (keyId) => `keyId=${keyId}&status=failed`,
  (_, templateId) => `templateId=${templateId}`,
  (_, templateId) => `templateId=${templateId}&status=ok`,
  () => 'from=2020-01-01T00:00:00Z',
  () => 'to=2020-01-01T00:00:00Z',
];

const sha256 = (content: Uint8Array) => createHash('sha256').update(content).digest('hex');

/** Chooses a random step. All random numbers are drawn here, before the step runs, so that both sides do the same. */
function chooseStep(raw: string): Step {
  const [owner, which, other, body, amount] = Array.from({ length: 5 }, () => random());
  const of = (side: Side): Owner => side.owners[Math.floor(owner * side.owners.length)];
  const one = <Item>(list: readonly Item[], at = which): Item | undefined => list[Math.floor(at * list.length)];
  const post = (
    side: Side,
    given: unknown,
    key = one(of(side).keys)?.raw ?? raw,
    idempotencyKey?: string,
  ): Promise<unknown> => {
    const text = typeof given === 'string' ? given : JSON.stringify(given);
    const headers = {
      Authorization: `Bearer ${key}`,
      ...(idempotencyKey !== undefined && { 'Idempotency-Key': idempotencyKey }),
    };
    return fetchFrom(side, '/v1/render', { method: 'POST', headers, body: text });
  };
  /** An operation other than a render, with a key that has all scopes. */
  const manage = (side: Side, method: string, path: string, given?: unknown, headers: Record<string, string> = {}) =>
    fetchFrom(side, path, {
      method,
      headers: { Authorization: `Bearer ${of(side).keys[0].raw}`, ...headers },
      ...(given !== undefined && { body: JSON.stringify(given) }),
    });
  const asTemplate = (side: Side, owner: Owner, idempotencyKey?: string) => {
    const templateId = one(owner.templates, other) ?? 'none';
    const given = { templateId, variables: { code: 'abc', Unknown: 1 }, responseType: 'json' };
    return post(side, given, idempotencyKey === undefined ? undefined : owner.keys[0].raw, idempotencyKey);
  };
  const plain = () => (side: Side) => post(side, one(BODIES, body));
  const choices: readonly (() => Step)[] = [
    plain,
    plain,
    plain,
    () => (side) => post(side, one(BODIES.slice(0, 3), body), of(side).keys[0].raw),
    () => (side) => post(side, one(BODIES.slice(0, 3), body), of(side).keys[0].raw),
    () => (side) => post(side, one(BODIES.slice(0, 3), body), of(side).keys[0].raw),
    () => (side) => asTemplate(side, of(side)),
    () => (side) => asTemplate(side, one(side.owners) ?? of(side)),
    () => (side) => post(side, BODIES[0], raw),
    () => (side) => post(side, BODIES[0], one(['', 'x', `${raw}0`, raw.toUpperCase()])),
    () => (side) => {
      const method = one(['GET', 'HEAD', 'OPTIONS', 'PUT', 'POST'], other) ?? 'GET';
      return fetchFrom(side, one(PATHS) ?? '/', { method });
    },
    () => async (side) => {
      // Which of the requests come first differs between the sides; how many are allowed does not. With credits for all,
      // their entries in the log are alike.
      await side.store.grant(of(side).id, 3);
      const many = await Promise.all(Array.from({ length: 8 }, () => post(side, BODIES[0])));
      return many.map((answer) => (answer as [number])[0]).sort();
    },
    // Idempotency keys, of which there are few.
    () => (side) => post(side, one(BODIES.slice(0, 3), body), of(side).keys[0].raw, `key ${Math.floor(amount * 3)}`),
    () => (side) => post(side, one(BODIES.slice(0, 3), body), of(side).keys[0].raw, `key ${Math.floor(amount * 3)}`),
    () => (side) => asTemplate(side, of(side), 'template'),
    () => (side) => post(side, BODIES[0], of(side).keys[0].raw, one(['', ' ', 'ü', 'x'.repeat(256)], other)),
    // Templates and their versions.
    ...Array.from({ length: 4 }, () => () => (side: Side) => {
      const path = `/v1/templates/${one(of(side).templates, other) ?? 'none'}`;
      const version = 1 + Math.floor(amount * 4);
      const changed = { ...TEMPLATE, name: `Card ${Math.floor(body * 9)}`, width: 10 + Math.floor(which * 50) };
      const ifMatch: Record<string, string> = which < 0.3 ? { 'If-Match': `"${version}"` } : {};
      return (
        one<() => Promise<unknown>>(
          [
            () => manage(side, 'GET', '/v1/templates?limit=2'),
            () => manage(side, 'GET', `/v1/templates?limit=2&cursor=${which < 0.5 ? 'odd' : ''}`),
            () => manage(side, 'GET', path),
            () => manage(side, 'GET', `${path}/versions?limit=3`),
            () => manage(side, 'GET', `${path}/versions/${version}`),
            () => manage(side, 'PUT', `${path}${which < 0.5 ? '?publish=false' : ''}`, changed, ifMatch),
            () => manage(side, 'PUT', path, changed, ifMatch),
            () => manage(side, 'POST', `${path}/publish`, { version }, ifMatch),
            () => manage(side, 'POST', `${path}/restore`, { version }, ifMatch),
            () => manage(side, 'PUT', path, { ...changed, width: -1 }),
          ],
          body,
        )?.() ?? Promise.resolve()
      );
    }),
    // The render log and the workspace.
    ...Array.from({ length: 2 }, () => () => async (side: Side) => {
      const filter = one(FILTERS, body)?.(of(side).keys[0].id, one(of(side).templates, other) ?? 'none');
      return await manage(side, 'GET', `/v1/renders?limit=200&${filter}`);
    }),
    () => (side) => manage(side, 'GET', one(['/v1/workspace', '/v1/renders/none', '/v1/renders?limit=0']) ?? '/'),
    // Assets.
    () => async (side) => {
      const { id: workspaceId, assets } = of(side);
      const content = Buffer.from(`asset ${Math.floor(amount * 5)}`);
      const fields = { workspaceId, kind: 'image', mimeType: 'image/png', width: 1, height: 2 } as const;
      const added = side.store.addAsset({ ...fields, sha256: sha256(content) }, content, 20).then((made) => {
        if (made.isNew) side.names.set(made.asset.id, `asset ${side.names.size}`);
        if (made.isNew) assets.push(made.asset.id);
        return made;
      });
      return await outcomeOf(side, added);
    },
    () => async (side) => {
      const { id, assets } = of(side);
      const asset = one(assets, other) ?? 'none';
      const { store } = side;
      const draft = { record: TEMPLATE, hotspots: [], assetIds: [asset] };
      const [template] = of(side).templates;
      return [
        await outcomeOf(side, store.replaceTemplate({ id: template ?? 'none' }, draft, { publish: amount < 0.5 })),
        await outcomeOf(side, store.deleteAsset(id, asset, { force: amount < 0.3 })),
        await outcomeOf(
          side,
          store.readAsset(id, asset).then((content) => String(content && Buffer.from(content))),
        ),
        await outcomeOf(side, store.listAssets(id, { limit: 100 })),
      ];
    },
    // Administration.
    () => (side) => outcomeOf(side, side.store.revokeCredits(of(side).id, amount * 3)),
    () => (side) => outcomeOf(side, side.store.updateWorkspace(of(side).id, { name: `w ${Math.floor(amount * 9)}` })),
    () => async (side) => {
      const { store } = side;
      const { id } = await store.createWorkspace({ name: 'short-lived', plan: 'free', credits: 2 });
      side.names.set(id, `workspace ${side.names.size}`);
      const fields = { workspaceId: id, name: 'k', scopes: SCOPES[0], hash: hashKey(raw), rateLimit: 2 };
      const { id: keyId } = await store.createKey(fields);
      side.names.set(keyId, `key ${side.names.size}`);
      return [
        await post(side, BODIES[0], raw),
        await outcomeOf(side, store.deleteWorkspace(id)),
        await post(side, BODIES[0], raw),
        await outcomeOf(side, store.listKeys(id)),
        await outcomeOf(side, store.deleteWorkspace(id)),
      ];
    },
    () => (side) => outcomeOf(side, side.store.grant(of(side).id, Math.ceil(amount * 2))),
    () => (side) => outcomeOf(side, side.store.revokeKey(which < 0.5 ? 'no\u0000key' : (of(side).keys[3]?.id ?? ''))),
    () => async (side) => {
      const { id, keys } = of(side);
      const fields = { workspaceId: id, name: 'k “ü”', scopes: one(SCOPES) ?? [], hash: hashKey(raw) };
      return await outcomeOf(
        side,
        side.store.createKey(fields).then((key) => {
          side.names.set(key.id, `key ${side.names.size}`);
          keys.push({ id: key.id, raw });
          return key;
        }),
      );
    },
    () => async (side) => {
      const { id, templates } = of(side);
      const draft = { record: TEMPLATE, hotspots: [], assetIds: [] };
      const made = await side.store.createTemplate(id, draft, { publish: true });
      side.names.set(made.id, `template ${side.names.size}`);
      templates.push(made.id);
      return await outcomeOf(side, side.store.getTemplate({ id: made.id }));
    },
    () => (side) => outcomeOf(side, side.store.deleteTemplate({ id: one(of(side).templates) ?? 'none' })),
    () => async (side) => {
      // concurrent renders may be logged in any order
      const { items } = await side.store.listRenders(of(side).id, {}, { limit: 200 });
      return items.map((entry) => normalize(side, JSON.stringify(entry))).sort();
    },
    () => async (side) => {
      const { store } = side;
      const lists = [
        store.listWorkspaces(),
        store.listKeys(of(side).id),
        store.listTemplates(undefined, { limit: 200 }),
        store.balance(of(side).id),
      ];
      return await Promise.all(lists.map((list) => outcomeOf(side, list)));
    },
  ];
  return pick(random, choices)();
}

t.test('a server behaves the same on the embedded store and on PostgreSQL', { skip: skipped }, async (t) => {
  const sides = [await embeddedSide(), await postgresSide()];
  const plans: readonly [Plan, number][] = [
    ['paid', 1000],
    ['free', 1],
    ['paid', 0],
  ];
  for (const [plan, credits] of plans) {
    const raw = createRawKey();
    for (const side of sides) {
      const { id } = await side.store.createWorkspace({ name: `${plan} 😀`, plan, credits });
      const key = await side.store.createKey({
        workspaceId: id,
        name: 'k',
        scopes: ['render:write', 'render:read', 'templates:read', 'templates:write'],
        hash: hashKey(raw),
      });
      side.names.set(id, `workspace ${side.owners.length}`);
      side.names.set(key.id, `key ${side.owners.length}`);
      side.owners.push({ id, templates: [], assets: [], keys: [{ id: key.id, raw }] });
    }
  }
  const statuses = new Map<number, number>();
  let steps = 0;
  for (const _ of rounds(1)) {
    for (let step = 0; step < 350; step++, steps++) {
      if (roll(random, 4) === 0) now += roll(random, 6000);
      const run = chooseStep(createRawKey());
      const [embedded, postgres] = [await run(sides[0]), await run(sides[1])];
      if (JSON.stringify(embedded) !== JSON.stringify(postgres)) t.strictSame(postgres, embedded, `step ${steps}`);
      const status = Array.isArray(embedded) && typeof embedded[0] === 'number' ? embedded[0] : 0;
      statuses.set(status, (statuses.get(status) ?? 0) + 1);
    }
  }
  // Another seed than the normal form's may miss a status.
  for (const status of FORM !== 'normal' ? [] : [200, 400, 401, 402, 403, 404, 405, 412, 422, 429]) {
    t.ok(statuses.has(status), `a response had status ${status}`);
  }
  const counts = [...statuses].sort(([a], [b]) => a - b).map(([status, times]) => `${times} × ${status || 'admin'}`);
  t.comment(`alike: ${steps} steps; ${counts.join(', ')}`);
});
