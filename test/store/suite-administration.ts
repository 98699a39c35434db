// The behaviour of assets, workspaces and keys that all store implementations have.
import { createHash } from 'node:crypto';
import type { Test } from 'tap';
import { createRawKey, hashKey } from '../../lib/store/api-keys.js';
import type { PageRequest, StoredAsset } from '../../lib/store/types.js';
import { addKey, addWorkspace, entryOf, holdOf, type SuiteSetup } from './suite.js';
import { draft, readPages, rejectAll } from './suite-templates.js';

const QUOTA = 1000;

/** Returns the description of `content`, an image unless `more` says otherwise. */
export const assetOf = (
  workspaceId: string,
  content: Uint8Array,
  more: Partial<StoredAsset> = { kind: 'image', width: 3, height: 2 },
) => ({
  workspaceId,
  kind: 'image' as const,
  mimeType: 'image/png',
  sha256: createHash('sha256').update(content).digest('hex'),
  ...more,
});

const bytes = (length: number, fill = 7) => new Uint8Array(length).fill(fill);

export function administrationSuite(t: Test, { open }: SuiteSetup): void {
  t.test('stores assets by their content, up to the quota', async (t) => {
    const store = await open(t);
    const { id: workspaceId } = await addWorkspace(store);
    const { id: other } = await addWorkspace(store);
    const content = Uint8Array.from({ length: 256 }, (_, n) => n);
    const { asset, isNew } = await store.addAsset(assetOf(workspaceId, content), content, QUOTA);
    t.equal(isNew, true);
    t.match(asset, { workspaceId, kind: 'image', mimeType: 'image/png', bytes: 256, width: 3, height: 2 });
    t.match(asset.id, /^asset_/);
    t.equal(new Date(asset.createdAt).toISOString(), asset.createdAt);
    t.strictSame(await store.addAsset(assetOf(workspaceId, content), content, QUOTA), { asset, isNew: false });
    t.strictSame(await store.findAsset(workspaceId, asset.id), asset);
    t.ok(Buffer.from(content).equals((await store.readAsset(workspaceId, asset.id))!));
    t.equal(await store.findAsset(other, asset.id), undefined);
    t.equal(await store.readAsset(other, asset.id), undefined);
    for (const odd of ['', '__proto__', '../keys']) t.equal(await store.findAsset(workspaceId, odd), undefined);

    const typeface = {
      scripts: ['Latn', 'Grek'],
      category: 'serif',
      sample: 'a\0 "é\u{1f600}',
      isVariable: true,
    } as const;
    const named = { kind: 'font', mimeType: 'font/ttf', family: 'Brand', weight: 700, style: 'italic' } as const;
    const font = { ...named, typeface };
    const added = await store.addAsset(assetOf(workspaceId, bytes(744), font), bytes(744), QUOTA);
    t.match(added.asset, font);
    t.notOk('width' in added.asset);
    t.strictSame(await store.listFontAssets(workspaceId), [added.asset]);
    t.strictSame(await store.listFontAssets(other), []);
    const one = bytes(1);
    await t.rejects(store.addAsset(assetOf(workspaceId, one), one, QUOTA), { name: 'StoreError', code: 'asset_quota' });
    t.match(await store.addAsset(assetOf(workspaceId, content), content, QUOTA), { isNew: false }, 'of no new bytes');
    t.match(await store.addAsset(assetOf(other, content), content, QUOTA), { isNew: true }, 'each has its own quota');
    await t.rejects(store.addAsset(assetOf('nobody', one), one, QUOTA), { name: 'StoreError', code: 'not_found' });
    t.equal((await store.listAssets(workspaceId, { limit: 10 })).items.length, 2);
  });

  t.test('adds concurrent uploads of the same bytes once', async (t) => {
    const store = await open(t);
    const { id: workspaceId } = await addWorkspace(store);
    const content = bytes(600);
    const uploads = Array.from({ length: 5 }, () => store.addAsset(assetOf(workspaceId, content), content, QUOTA));
    const outcomes = await Promise.all(uploads);
    t.equal(new Set(outcomes.map(({ asset }) => asset.id)).size, 1);
    t.equal(outcomes.filter(({ isNew }) => isNew).length, 1);
    t.ok(Buffer.from(content).equals((await store.readAsset(workspaceId, outcomes[0].asset.id))!));
  });

  t.test('lists assets in pages, newest first', async (t) => {
    const store = await open(t);
    const { id: workspaceId } = await addWorkspace(store);
    const made: string[] = [];
    for (let n = 0; n < 5; n++) {
      made.unshift((await store.addAsset(assetOf(workspaceId, bytes(9, n)), bytes(9, n), QUOTA)).asset.id);
    }
    const list = (page: PageRequest) => store.listAssets(workspaceId, page);
    const seen = await readPages(list, 2, () => store.addAsset(assetOf(workspaceId, bytes(8)), bytes(8), QUOTA));
    t.strictSame(
      seen.map(({ id }) => id),
      made,
    );
    await t.rejects(list({ limit: 1, cursor: 'x' }), { code: 'invalid_cursor' });
    await t.rejects(store.listAssets('nobody', { limit: 1 }), { code: 'not_found' });
  });

  t.test('deletes an asset unless a latest or published version names it', async (t) => {
    const store = await open(t);
    const { id: workspaceId } = await addWorkspace(store);
    const { id: other } = await addWorkspace(store);
    const add = async (fill: number) =>
      (await store.addAsset(assetOf(workspaceId, bytes(5, fill)), bytes(5, fill), QUOTA)).asset.id;
    const [early, released, latest] = [await add(1), await add(2), await add(3)];
    const template = await store.createTemplate(workspaceId, draft('t', {}, [early]), { publish: true });
    await store.createTemplate(other, draft('foreign', {}, [early]), { publish: true });
    await store.replaceTemplate(template, draft('t', {}, [released]), { publish: true });
    await store.replaceTemplate(template, draft('t', {}, [latest, released]), { publish: false });
    for (const id of [released, latest]) {
      await t.rejects(store.deleteAsset(workspaceId, id, { force: false }), {
        ...{ name: 'StoreError', code: 'asset_in_use', templates: [template.id], message: /^[^\n]+$/ },
      });
      t.ok(await store.readAsset(workspaceId, id));
    }
    t.match(await store.deleteAsset(workspaceId, early, { force: false }), { id: early }, 'of an older version');
    t.equal(await store.findAsset(workspaceId, early), undefined);
    t.equal(await store.readAsset(workspaceId, early), undefined);
    t.match(await store.deleteAsset(workspaceId, latest, { force: true }), { id: latest });
    await rejectAll(t, { code: 'not_found' }, [
      store.deleteAsset(workspaceId, latest, { force: true }),
      store.deleteAsset(other, released, { force: true }),
    ]);
    t.match(await add(3), /^asset_/, 'the same bytes can be added again');
  });

  t.test('changes the name and plan of a workspace', async (t) => {
    const store = await open(t);
    const workspace = await addWorkspace(store, 5, 'old');
    const { hash } = await addKey(store, workspace);
    t.strictSame(await store.updateWorkspace(workspace.id, { name: 'new' }), { ...workspace, name: 'new' });
    const changed = { ...workspace, name: 'new', plan: 'free' };
    t.strictSame(await store.updateWorkspace(workspace.id, { plan: 'free' }), changed);
    t.strictSame(await store.listWorkspaces(), [changed]);
    t.strictSame((await store.findKey(hash))?.workspace, changed);
    await t.rejects(store.updateWorkspace('nobody', { name: 'x' }), { name: 'StoreError', code: 'not_found' });
  });

  t.test('deletes a workspace with its keys, templates and assets', async (t) => {
    const store = await open(t);
    const workspace = await addWorkspace(store, 5);
    const kept = await addWorkspace(store, 5);
    const { id } = workspace;
    const { key, hash } = await addKey(store, workspace);
    const keptKey = await addKey(store, kept);
    const template = await store.createTemplate(id, draft('t'), { publish: true });
    const keptTemplate = await store.createTemplate(kept.id, draft('t'), { publish: true });
    const { asset } = await store.addAsset(assetOf(id, bytes(5)), bytes(5), QUOTA);
    const keptAsset = await store.addAsset(assetOf(kept.id, bytes(5)), bytes(5), QUOTA);
    const running = await holdOf(store, workspace);
    store.appendRender(entryOf(workspace, 'render of a deleted workspace'));
    t.strictSame(await store.deleteWorkspace(id), workspace);
    t.equal(await store.findKey(hash), undefined);
    t.strictSame(await store.listWorkspaces(), [kept]);
    t.equal(await store.findWorkspace(id), undefined);
    await rejectAll(t, { code: 'not_found' }, [
      store.deleteWorkspace(id),
      store.updateWorkspace(id, { name: 'x' }),
      store.grant(id, 1),
      store.revokeCredits(id, 1),
      store.listKeys(id),
      store.createKey({ workspaceId: id, name: 'x', scopes: [], hash: hashKey(createRawKey()) }),
      store.revokeKey(key.id),
      store.createTemplate(id, draft('x'), { publish: true }),
      store.listTemplates(id, { limit: 1 }),
      store.getTemplate({ id: template.id }),
      store.addAsset(assetOf(id, bytes(5)), bytes(5), QUOTA),
      store.listAssets(id, { limit: 1 }),
    ]);
    t.equal(await store.findTemplate(id, template.id), undefined);
    t.equal(await store.readAsset(id, asset.id), undefined);
    t.strictSame((await store.listTemplates(undefined, { limit: 9 })).items, [keptTemplate]);
    await t.resolves(store.settle(running), 'a render that was in progress is charged');
    t.strictSame(await store.balance(id), { workspaceId: id, balance: 4 }, 'its account stays readable');
    t.match((await store.listLedger(id, { limit: 9 })).items, [{ kind: 'charge' }, { kind: 'grant' }]);
    t.match((await store.listRenders(id, {}, { limit: 9 })).items, [{ workspaceId: id }]);
    t.strictSame(await store.findKey(keptKey.hash), { key: keptKey.key, workspace: kept });
    t.match(await store.findTemplate(kept.id, keptTemplate.id), { version: 1 });
    t.ok(Buffer.from(bytes(5)).equals((await store.readAsset(kept.id, keptAsset.asset.id))!), 'of the same bytes');
  });

  t.test('takes back credits that no render holds', async (t) => {
    const store = await open(t);
    const workspace = await addWorkspace(store, 5);
    const { id } = workspace;
    const running = await holdOf(store, workspace, 2);
    await t.rejects(store.revokeCredits(id, 3.5), { name: 'StoreError', message: /^[^\n]*3 credits[^\n]*$/ });
    t.strictSame(await store.revokeCredits(id, 3), { workspaceId: id, balance: 2 });
    t.strictSame(await store.hold(id, 0.5), { balance: 0 });
    t.strictSame(await store.settle(running), { balance: 0 });
    await t.rejects(store.revokeCredits(id, 0.000001), { name: 'StoreError' });
    await t.rejects(store.revokeCredits('nobody', 1), { name: 'StoreError', code: 'not_found' });
  });

  t.test('keys have a limit of their own and know when they were last used', async (t) => {
    const store = await open(t);
    const { id: workspaceId } = await addWorkspace(store);
    const hash = hashKey(createRawKey());
    const key = await store.createKey({ workspaceId, name: 'k', scopes: ['render:read'], hash, rateLimit: 7 });
    t.match(key, { rateLimit: 7 });
    t.notOk('lastUsedAt' in key);
    t.strictSame((await store.findKey(hash))?.key, key);
    await store.countRequest(key.id, 'render', 7);
    const [listed] = await store.listKeys(workspaceId);
    t.equal(new Date(listed.lastUsedAt!).toISOString(), listed.lastUsedAt);
    t.match(listed, { ...key });
  });

  t.test('counts renders and other requests of a key in windows of their own', async (t) => {
    const store = await open(t);
    const { key } = await addKey(store, await addWorkspace(store));
    for (const window of ['render', 'read'] as const) {
      for (let left = 1; left >= 0; left--) t.match(await store.countRequest(key.id, window, 2), { remaining: left });
      t.match(await store.countRequest(key.id, window, 2), { allowed: false });
    }
  });
}
