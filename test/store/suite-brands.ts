// The behaviour of brands that all store implementations have.
import type { Test } from 'tap';
import { MAX_VERSIONS } from '../../lib/store/types.js';
import { addWorkspace, type SuiteSetup } from './suite.js';
import { rejectAll } from './suite-templates.js';

export function brandSuite(t: Test, { open }: SuiteSetup): void {
  t.test('a brand has versions, of which the latest is used', async (t) => {
    const store = await open(t);
    const { id: workspaceId } = await addWorkspace(store);
    const { id: other } = await addWorkspace(store);
    t.equal(await store.findBrand(workspaceId), undefined);
    const first = await store.replaceBrand(workspaceId, { tokens: { brand: '#00f', odd: 'a\0\ud800' } });
    t.equal(first.version, 1);
    t.equal(new Date(first.createdAt).toISOString(), first.createdAt);
    t.strictSame(await store.findBrand(workspaceId), first);
    const second = await store.replaceBrand(workspaceId, { tokens: { brand: '#0f0' } }, 1);
    t.match(second, { version: 2, record: { tokens: { brand: '#0f0' } } });
    t.strictSame(await store.findBrand(workspaceId), second);
    t.strictSame(await store.findBrand(workspaceId, 1), first, 'versions stay');
    for (const odd of [0, 3, -1, 1.5, 2 ** 40]) t.equal(await store.findBrand(workspaceId, odd), undefined);
    t.equal(await store.findBrand(other), undefined, 'each workspace has its own');
    for (const odd of ['', '__proto__', 'a\0', 'nobody']) t.equal(await store.findBrand(odd), undefined);
  });

  t.test('a brand is replaced at the version that is expected', async (t) => {
    const store = await open(t);
    const { id: workspaceId } = await addWorkspace(store);
    await t.rejects(store.replaceBrand(workspaceId, {}, 1), {
      code: 'version_conflict',
      message: 'the workspace has no brand yet, not version 1',
    });
    t.match(await store.replaceBrand(workspaceId, {}, 0), { version: 1 });
    await rejectAll(t, { code: 'version_conflict', message: /^the brand is at version 1, not \d+$/ }, [
      store.replaceBrand(workspaceId, {}, 0),
      store.replaceBrand(workspaceId, {}, 2),
      store.replaceBrand(workspaceId, {}, 2 ** 40),
    ]);
    await rejectAll(t, { code: 'not_found' }, [store.replaceBrand('nobody', {}), store.replaceBrand('a\0', {}, 0)]);
    const attempts = await Promise.allSettled(
      Array.from({ length: 4 }, (_, n) => store.replaceBrand(workspaceId, { n }, 1)),
    );
    t.equal(attempts.filter(({ status }) => status === 'fulfilled').length, 1, 'one of several writes is made');
    t.match(await store.findBrand(workspaceId), { version: 2 });
  });

  t.test(`keeps the latest ${MAX_VERSIONS} versions of a brand`, async (t) => {
    const store = await open(t);
    const { id: workspaceId } = await addWorkspace(store);
    for (let n = 1; n <= MAX_VERSIONS + 2; n++) await store.replaceBrand(workspaceId, { n });
    t.equal(await store.findBrand(workspaceId, 2), undefined);
    t.match(await store.findBrand(workspaceId, 3), { version: 3, record: { n: 3 } });
    t.match(await store.findBrand(workspaceId), { version: MAX_VERSIONS + 2, record: { n: MAX_VERSIONS + 2 } });
  });

  t.test('the brand of a deleted workspace is gone', async (t) => {
    const store = await open(t);
    const { id: workspaceId } = await addWorkspace(store);
    await store.replaceBrand(workspaceId, {});
    await store.deleteWorkspace(workspaceId);
    t.equal(await store.findBrand(workspaceId), undefined);
    await t.rejects(store.replaceBrand(workspaceId, {}), { code: 'not_found' });
  });
}
