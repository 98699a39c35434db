// The behaviour of link keys that all store implementations have.
import type { Test } from 'tap';
import { type LinkKey, MAX_LINK_KEYS, type Store, type Workspace } from '../../lib/store/types.js';
import { addKey, addWorkspace, type SuiteSetup } from './suite.js';
import { rejectAll } from './suite-templates.js';

const PUBLIC_KEY = Buffer.alloc(32, 0xfb).toString('base64url');

const addLinkKey = (store: Store, { id: workspaceId }: Workspace, name = 'link') =>
  store.createLinkKey({ workspaceId, name, publicKey: PUBLIC_KEY });

export function linkSuite(t: Test, { open }: SuiteSetup): void {
  t.test('creates link keys, finds them, lists and revokes them', async (t) => {
    const store = await open(t);
    const mine = await addWorkspace(store, 3);
    const other = await addWorkspace(store);
    t.strictSame(await store.listLinkKeys(mine.id), []);
    const key = await addLinkKey(store, mine, 'Blog “\u2028”');
    t.match(key, {
      id: /^link_\w+$/,
      workspaceId: mine.id,
      name: 'Blog “\u2028”',
      publicKey: PUBLIC_KEY,
      state: 'active',
    });
    t.equal(new Date(key.createdAt).toISOString(), key.createdAt);
    t.notOk('revokedAt' in key);
    const second = await addLinkKey(store, mine);
    await addLinkKey(store, other);
    t.strictSame(await store.listLinkKeys(mine.id), [second, key]);
    t.strictSame(await store.findLinkKey(key.id), { key, workspace: mine });
    const { key: apiKey, hash } = await addKey(store, mine);
    for (const odd of ['', '__proto__', '\0', 'x'.repeat(1e5), apiKey.id, hash]) {
      t.equal(await store.findLinkKey(odd), undefined, odd.slice(0, 99));
    }
    const revoked = await store.revokeLinkKey(key.id);
    t.match(revoked, { ...key, state: 'revoked', revokedAt: String });
    t.strictSame(await store.revokeLinkKey(key.id), revoked, 'revoking again changes nothing');
    t.strictSame((await store.findLinkKey(key.id))?.key, revoked);
    t.strictSame(await store.listLinkKeys(mine.id), [second, revoked]);
    await rejectAll(t, { name: 'StoreError', code: 'not_found', message: /^[^\n]+$/ }, [
      store.createLinkKey({ workspaceId: 'nobody', name: 'x', publicKey: PUBLIC_KEY }),
      store.listLinkKeys('nobody'),
      store.revokeLinkKey('link_none'),
      store.revokeLinkKey(apiKey.id),
      store.revokeKey(second.id),
    ]);
  });

  // before: a workspace could have any number of link keys, each with a separate rate limit
  t.test('bounds the active link keys of a workspace', async (t) => {
    const store = await open(t);
    const workspace = await addWorkspace(store);
    const other = await addWorkspace(store);
    const keys: LinkKey[] = [];
    while (keys.length < MAX_LINK_KEYS - 3) keys.push(await addLinkKey(store, workspace));
    const results = await Promise.allSettled(Array.from({ length: 8 }, () => addLinkKey(store, workspace)));
    t.equal(results.filter(({ status }) => status === 'fulfilled').length, 3, 'the bound holds for requests at once');
    const atLimit = {
      name: 'StoreError',
      code: 'link_key_limit',
      message: 'the workspace has 100 active link keys, and may have no more: revoke one first',
    };
    await rejectAll(t, atLimit, [addLinkKey(store, workspace)]);
    for (const { reason } of results.flatMap((each) => (each.status === 'rejected' ? [each] : []))) {
      t.match(reason, atLimit);
    }
    await addLinkKey(store, other);
    await store.revokeLinkKey(keys[0].id);
    await addLinkKey(store, workspace);
    await rejectAll(t, atLimit, [addLinkKey(store, workspace)]);
    t.equal((await store.listLinkKeys(workspace.id)).length, MAX_LINK_KEYS + 1);
  });

  t.test('limits and counts the requests of link keys like those of API keys', async (t) => {
    const store = await open(t);
    const workspace = await addWorkspace(store);
    const key = await addLinkKey(store, workspace);
    const unused = await addLinkKey(store, workspace);
    const { key: apiKey } = await addKey(store, workspace);
    const allowed: boolean[] = [];
    for (let n = 0; n < 4; n++) allowed.push((await store.countRequest(key.id, 'render', 3)).allowed);
    t.strictSame(allowed, [true, true, true, false]);
    t.match(await store.countRequest(apiKey.id, 'render', 3), { allowed: true, remaining: 2 });
    const requests = await store.keyRequests(workspace.id);
    t.strictSame(requests[key.id], { requests: 4, refused: 1, cpuMs: 0 });
    t.strictSame(requests[apiKey.id], { requests: 1, refused: 0, cpuMs: 0 });
    t.notOk(unused.id in requests);
    const [, used] = await store.listLinkKeys(workspace.id);
    t.equal(new Date(used.lastUsedAt!).toISOString(), used.lastUsedAt);
    t.notOk('lastUsedAt' in (await store.findLinkKey(unused.id))!.key);
    await rejectAll(t, { code: 'not_found' }, [store.countRequest('link_none', 'render', 3)]);
  });

  t.test('deletes the link keys of a workspace with it', async (t) => {
    const store = await open(t);
    const workspace = await addWorkspace(store);
    const kept = await addWorkspace(store);
    const key = await addLinkKey(store, workspace);
    const keptKey = await addLinkKey(store, kept);
    await store.countRequest(key.id, 'render', 3);
    await store.deleteWorkspace(workspace.id);
    t.equal(await store.findLinkKey(key.id), undefined);
    t.strictSame(await store.findLinkKey(keptKey.id), { key: keptKey, workspace: kept });
    await rejectAll(t, { code: 'not_found' }, [
      store.revokeLinkKey(key.id),
      store.listLinkKeys(workspace.id),
      store.createLinkKey({ workspaceId: workspace.id, name: 'x', publicKey: PUBLIC_KEY }),
      store.countRequest(key.id, 'render', 3),
    ]);
  });
}
