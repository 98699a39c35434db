// `platen store copy` of template versions, assets, idempotency keys, keys' fields and deleted workspaces.
import { createHash } from 'node:crypto';
import { join } from 'node:path';
import t, { type Test } from 'tap';
import { createRawKey, hashKey } from '../../lib/store/api-keys.js';
import { databaseEndpoint } from '../../lib/store/copy/database.js';
import { folderEndpoint } from '../../lib/store/copy/folder.js';
import { copyStore } from '../../lib/store/copy/index.js';
import { openEmbeddedStore } from '../../lib/store/embedded/store.js';
import { openPostgresStore } from '../../lib/store/postgres/store.js';
import { skipped, startCluster } from './postgres/server.js';
import { entryOf } from './suite.js';

const cluster = skipped ? undefined! : await startCluster();
t.teardown(() => cluster?.remove());

const quiet = { warn: () => undefined };
const FINGERPRINT = 'ef'.repeat(32);
const ALL = { limit: 1000 };

type Opened = Awaited<ReturnType<typeof openEmbeddedStore>> | Awaited<ReturnType<typeof openPostgresStore>>;

/** A store that can be opened again and again: a folder or a database. */
interface Place {
  readonly endpoint: ReturnType<typeof folderEndpoint>;
  use<Result>(work: (store: Opened) => Promise<Result>): Promise<Result>;
}

function folderPlace(folder: string): Place {
  return {
    endpoint: folderEndpoint(folder, true, quiet.warn),
    async use(work) {
      const store = await openEmbeddedStore(folder, quiet);
      return await work(store).finally(() => store.close());
    },
  };
}

async function databasePlace(isSource: boolean): Promise<Place> {
  const url = cluster.url(await cluster.create());
  return {
    endpoint: databaseEndpoint(url, isSource, quiet.warn),
    async use(work) {
      const store = await openPostgresStore(url, quiet);
      return await work(store).finally(() => store.close());
    },
  };
}

const draft = (name: string, assetIds: readonly string[] = []) => ({
  record: { name, width: 10, height: 20, 'odd\0field': ['\ud800', { b: 1, a: [2] }], 10: 'x', 9: 'y' },
  hotspots: [{ key: 'k\0', label: 'Ключ', type: 'text' }],
  assetIds,
});

const font = new Uint8Array(100_000).map((_, at) => at % 251);
const picture = Uint8Array.from({ length: 256 }, (_, byte) => byte);
const today = new Date().toISOString().slice(0, 10);
const sha256 = (content: Uint8Array) => createHash('sha256').update(content).digest('hex');

/** Fills a store with everything that the API can create. */
async function fill(store: Opened) {
  const { id: workspaceId } = await store.createWorkspace({ name: 'kept', plan: 'paid', credits: 100 });
  const hash = hashKey(createRawKey());
  const key = await store.createKey({
    workspaceId,
    name: 'k',
    scopes: ['render:read'],
    hash,
    rateLimit: 7,
    prefix: 'svc_live_01234567',
  });
  await store.countRequest(key.id, 'read', 5);
  store.countCpu({ workspaceId, keyId: key.id }, 77);
  const image = { workspaceId, kind: 'image', mimeType: 'image/png', width: 3, height: 2 } as const;
  const { asset } = await store.addAsset({ ...image, sha256: sha256(picture) }, picture, 1e6);
  const brand = { kind: 'font', mimeType: 'font/ttf', family: 'Brand', weight: 700, style: 'italic' } as const;
  await store.addAsset({ ...brand, workspaceId, sha256: sha256(font) }, font, 1e6);
  const { id } = await store.createTemplate(workspaceId, draft('one'), { publish: true });
  for (let n = 2; n <= 30; n++) await store.replaceTemplate({ id }, draft(`v ${n}`, [asset.id]), { publish: n === 17 });
  await store.createTemplate(workspaceId, draft('draft'), { publish: false });
  for (let n = 1; n <= 3; n++)
    await store.replaceBrand(workspaceId, { tokens: { brand: `#00000${n}`, odd: 'a\0\ud800' } });
  for (const value of ['first', 'second']) {
    const claim = await store.claimIdempotencyKey({ keyId: key.id, value }, FINGERPRINT);
    const held = await store.hold(workspaceId, 0.25);
    if (!('lease' in claim && 'hold' in held)) throw new Error('expected a lease and a hold');
    const version = value === 'first' ? { templateVersion: 17, brandVersion: 2 } : {};
    await store.settle(held.hold, { lease: claim.lease, renderId: `render ${value}`, ...version });
  }
  const workspace = { id: workspaceId, name: '', plan: 'paid', balance: 0 } as const;
  const failed = { status: 'failed', code: 'template_not_found', templateId: 'odd\0' } as const;
  store.appendRender({ ...entryOf(workspace, 'ok'), status: 'ok', cpuMs: 12, warnings: 2, metadata: { order: 42 } });
  store.appendRender({ ...entryOf(workspace, 'failed'), cpuMs: 0, warnings: 0, ...failed });
  for (const amount of [5, 0.000001]) await store.grant(workspaceId, amount);
  await store.revokeCredits(workspaceId, 2);
  const owner = await store.createOperator({ name: 'Änne “\u2028”', role: 'owner', workspaces: null });
  await store.createOperator({ name: 'editor', role: 'editor', workspaces: [workspaceId] });
  const secret = (digits: string) => ({ hash: digits.repeat(32), expiresAt: new Date(Date.now() + 1e7).toISOString() });
  await store.createSignInToken(owner.id, secret('01'));
  await store.setPassword(secret('01').hash, 'scrypt$hash');
  await store.createSession(owner.id, secret('02'));
  const details = { name: 'k "\u2028"', amount: 0.5, publishes: true, before: null };
  await store.appendAudit({ actor: { kind: 'operator', name: 'Änne' }, action: 'key.create', workspaceId, details });
  await store.appendAudit({ actor: { kind: 'command' }, action: 'operator.create', subject: owner.id });
  await store.appendAudit({ actor: { kind: 'key', name: key.id }, action: 'template.create', workspaceId });
  const publicKey = Buffer.alloc(32, 0xfb).toString('base64url');
  const link = await store.createLinkKey({ workspaceId, name: 'Änne', publicKey });
  await store.countRequest(link.id, 'render', 5);
  await store.createLinkKey({ workspaceId, name: 'old', publicKey }).then(({ id }) => store.revokeLinkKey(id));
  const gone = await store.createWorkspace({ name: 'gone', plan: 'free', credits: 3 });
  const goneHash = hashKey(createRawKey());
  await store.createKey({ workspaceId: gone.id, name: 'k', scopes: [], hash: goneHash });
  await store.deleteWorkspace(gone.id);
  return { workspaceId, key, hash, goneHash, templateId: id };
}

type Filled = Awaited<ReturnType<typeof fill>>;

/** Everything that a store returns of what `fill` created. */
async function contents(store: Opened, { workspaceId, key, hash, goneHash, templateId: id }: Filled) {
  const { items: versions } = await store.listTemplateVersions({ id }, ALL);
  const { items: assets } = await store.listAssets(workspaceId, ALL);
  const claim = (value: string) => store.claimIdempotencyKey({ keyId: key.id, value }, FINGERPRINT);
  return {
    workspaces: await store.listWorkspaces(),
    key: await store.findKey(hash),
    gone: await store.findKey(goneHash),
    links: await store.listLinkKeys(workspaceId),
    templates: (await store.listTemplates(workspaceId, ALL)).items,
    versions,
    records: await Promise.all(
      versions.map(async ({ version }) => JSON.stringify((await store.getTemplateRecord({ id }, version)).record)),
    ),
    rendered: await store.findTemplate(workspaceId, id),
    brands: await Promise.all([1, 2, undefined].map((version) => store.findBrand(workspaceId, version))),
    assets,
    contents: await Promise.all(
      assets.map(async (asset) => Buffer.from((await store.readAsset(workspaceId, asset.id))!).toString('base64')),
    ),
    settled: [await claim('first'), await claim('second')],
    ledger: (await store.listLedger(workspaceId, ALL)).items.map(({ id: _id, ...line }) => line),
    usage: await store.dailyUsage(workspaceId, '2026-01-01', '2026-01-03'),
    cpuMs: await store.dailyUsage(workspaceId, today, today),
    operators: await store.listOperators(),
    owner: await store.findOperator('Änne “\u2028”'),
    audit: (await store.listAudit({}, ALL)).items,
    renders: (await store.listRenders(workspaceId, {}, ALL)).items,
    found: (await store.listRenders(workspaceId, { metadata: { order: '42' } }, ALL)).items.map(({ id }) => id),
  };
}

async function copies(t: Test, from: Place, to: Place) {
  const filled = await from.use(fill);
  const wanted = await from.use((store) => contents(store, filled));
  const report = await copyStore(from.endpoint, to.endpoint, async () => undefined);
  const added = Object.fromEntries(report.map(({ what, ...counts }) => [what, counts.added]));
  t.match(added, {
    workspaces: 2,
    keys: 1,
    'link keys': 2,
    templates: 2,
    versions: 31,
    'brand versions': 3,
    assets: 2,
    'idempotency keys': 2,
    renders: 2,
  });
  t.match(added, { ledgers: 2, 'usage days': 2, operators: 2, 'audit entries': 3 });
  for (const { what, source, verified } of report) t.equal(verified, source, what);
  t.strictSame(await to.use((store) => contents(store, filled)), wanted);
  const again = await copyStore(from.endpoint, to.endpoint, async () => undefined);
  t.ok(
    again.every((row) => row.added === 0),
    'a second copy changes nothing',
  );
  const owner = (store: Opened) => store.useSession('02'.repeat(32), 1e7);
  t.equal(await to.use(owner), undefined, 'without sessions');
  // The copy is a store like any other.
  await to.use(async (store) => {
    const { templateId: id, workspaceId } = filled;
    const before = await store.listLedger(workspaceId, ALL);
    const { balance } = await store.grant(workspaceId, 3);
    const { items } = await store.listLedger(workspaceId, ALL);
    t.equal(items.length, before.items.length + 1, 'the ledger goes on');
    t.equal(items.reduce((sum, { amount }) => sum + amount, 0).toFixed(6), balance.toFixed(6));
    await store.revokeCredits(workspaceId, 3);
    t.match(await store.restoreTemplate({ id }, 1, { publish: true, ifVersion: { version: 30 } }), {
      version: 31,
      name: 'one',
    });
    const [used] = (await store.listAssets(workspaceId, ALL)).items.filter(({ kind }) => kind === 'image');
    await store.publishTemplate({ id }, 30);
    await t.rejects(store.deleteAsset(workspaceId, used.id, { force: false }), { code: 'asset_in_use' });
  });
  await t.rejects(
    copyStore(from.endpoint, to.endpoint, async () => undefined),
    /^template \S+ exists already, and differs/,
  );
}

t.test('copies everything from a folder to a database', { skip: skipped }, async (t) => {
  await copies(t, folderPlace(join(t.testdir({}), 'data')), await databasePlace(false));
});

t.test('copies everything from a database to a folder', { skip: skipped }, async (t) => {
  await copies(t, await databasePlace(true), folderPlace(join(t.testdir({}), 'data')));
});

t.test('copies everything between databases', { skip: skipped }, async (t) => {
  await copies(t, await databasePlace(true), await databasePlace(false));
});

t.test('copies everything between folders', async (t) => {
  const directory = t.testdir({});
  await copies(t, folderPlace(join(directory, 'a')), folderPlace(join(directory, 'b')));
});
