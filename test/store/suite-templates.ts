// The behaviour of templates and their versions that all store implementations have.
import type { Test } from 'tap';
import { listHotspots } from '../../lib/contract/template/record-strings.js';
import type { PageRequest, StorePage, TemplateDraft } from '../../lib/store/types.js';
import { MAX_VERSIONS } from '../../lib/store/types.js';
import { addWorkspace, record, type SuiteSetup } from './suite.js';

export const draft = (
  name: string,
  more: Readonly<Record<string, unknown>> = {},
  assetIds: readonly string[] = [],
): TemplateDraft => {
  const whole = { ...record(name), ...more };
  return { record: whole, hotspots: listHotspots(whole), assetIds };
};

/** All items of a list, read in pages of `limit`. */
export async function readPages<Item>(
  read: (page: PageRequest) => Promise<StorePage<Item>>,
  limit: number,
  between: (page: number) => Promise<unknown> = async () => undefined,
): Promise<Item[]> {
  const items: Item[] = [];
  let cursor: string | undefined;
  for (let page = 0; ; page++) {
    const { items: some, nextCursor } = await read({ limit, cursor });
    items.push(...some);
    if (nextCursor === null) return items;
    cursor = nextCursor;
    await between(page);
  }
}

/** Expects a StoreError of each attempt. All have started, and reject in any order. */
export async function rejectAll(t: Test, expected: object, attempts: readonly Promise<unknown>[]): Promise<void> {
  await Promise.all(attempts.map((attempt) => t.rejects(attempt, { name: 'StoreError', ...expected })));
}

const ids = (rows: readonly { readonly id: string }[]) => rows.map(({ id }) => id);
const published = { publish: true };

export function templateSuite(t: Test, { open }: SuiteSetup): void {
  t.test('a template has its first version, published or not', async (t) => {
    const store = await open(t);
    const { id: workspaceId } = await addWorkspace(store);
    const hotspots = [{ key: 'title', type: 'text', label: 'Title' }];
    const made = await store.createTemplate(workspaceId, draft('a', { hotspots, '7': 1, '2': [null] }), published);
    t.match(made, { workspaceId, name: 'a', width: 100, height: 50, version: 1, publishedVersion: 1 });
    t.strictSame(made.hotspots, [{ key: 'title', label: 'Title', type: 'text' }]);
    t.equal(new Date(made.createdAt).toISOString(), made.createdAt);
    t.equal(made.updatedAt, made.createdAt);
    t.strictSame(await store.getTemplate({ id: made.id }), made);
    t.strictSame(await store.getTemplate({ id: made.id, workspaceId }), made);
    const found = await store.findTemplate(workspaceId, made.id);
    t.equal(found?.version, 1);
    t.equal(JSON.stringify(found?.record), JSON.stringify({ ...record('a'), hotspots, '7': 1, '2': [null] }));
    const read = await store.getTemplateRecord({ id: made.id });
    t.strictSame(read.record, found?.record);
    t.match(read.version, { version: 1, name: 'a', width: 100, height: 50, hotspots: made.hotspots });

    const unpublished = await store.createTemplate(workspaceId, draft('b'), { publish: false });
    t.match(unpublished, { version: 1, publishedVersion: null });
    t.equal(await store.findTemplate(workspaceId, unpublished.id), undefined, 'renders do not find a draft');
    t.match(await store.findTemplate(workspaceId, unpublished.id, 1), { version: 1, record: record('b') });
    await t.rejects(store.createTemplate('nobody', draft('c'), published), { name: 'StoreError', code: 'not_found' });
  });

  t.test('replaces, publishes and restores versions, which never change', async (t) => {
    const store = await open(t);
    const { id: workspaceId } = await addWorkspace(store);
    const { id } = await store.createTemplate(workspaceId, draft('one'), published);
    const address = { id, workspaceId };
    const renderedName = async () =>
      (await store.findTemplate(workspaceId, id))?.record as { name: string } | undefined;
    t.match(await store.replaceTemplate(address, draft('two', { width: 7 }), published), {
      ...{ name: 'two', width: 7, version: 2, publishedVersion: 2 },
    });
    t.match(await store.replaceTemplate(address, draft('three'), { publish: false }), {
      ...{ name: 'three', width: 100, version: 3, publishedVersion: 2 },
    });
    t.match(await renderedName(), { name: 'two' });
    t.match(await store.publishTemplate(address, 3), { version: 3, publishedVersion: 3 });
    t.match(await renderedName(), { name: 'three' });
    t.match(await store.publishTemplate(address, 1), { version: 3, publishedVersion: 1 });
    t.match(await renderedName(), { name: 'one' });
    t.match(await store.restoreTemplate(address, 2, { publish: false }), {
      ...{ name: 'two', width: 7, version: 4, publishedVersion: 1 },
    });
    t.match(await store.restoreTemplate(address, 1, published), { name: 'one', version: 5, publishedVersion: 5 });
    for (const [version, name] of [
      [1, 'one'],
      [2, 'two'],
      [3, 'three'],
      [4, 'two'],
      [5, 'one'],
    ] as const) {
      t.match(await store.findTemplate(workspaceId, id, version), { version, record: { name } });
      t.match(await store.getTemplateRecord(address, version), { version: { version, name }, record: { name } });
    }
    t.match(await store.getTemplateRecord(address), { version: { version: 5 } }, 'the latest');
    t.equal(await store.findTemplate(workspaceId, id, 6), undefined);
    const versions = (await store.listTemplateVersions(address, { limit: 10 })).items;
    t.strictSame(
      versions.map(({ version, name }) => `${version} ${name}`),
      ['5 one', '4 two', '3 three', '2 two', '1 one'],
    );
    t.strictSame(Object.keys(versions[0]).sort(), ['createdAt', 'height', 'hotspots', 'name', 'version', 'width']);
    await rejectAll(t, { code: 'not_found', message: /has no version/ }, [
      store.getTemplateRecord(address, 6),
      store.restoreTemplate(address, 0, published),
      store.publishTemplate(address, 6),
    ]);
    t.match(await store.getTemplate(address), { version: 5, publishedVersion: 5 });
  });

  t.test('writes only if the latest version is the expected one', async (t) => {
    const store = await open(t);
    const { id: workspaceId } = await addWorkspace(store);
    const { id } = await store.createTemplate(workspaceId, draft('one'), published);
    const attempts = [
      () => store.replaceTemplate({ id }, draft('x'), { publish: true, ifVersion: { version: 2 } }),
      () => store.restoreTemplate({ id }, 1, { publish: true, ifVersion: { version: 2 } }),
      () => store.publishTemplate({ id }, 1, { version: 2 }),
      () => store.deleteTemplate({ id }, { version: 2 }),
    ];
    for (const attempt of attempts) await t.rejects(attempt(), { name: 'StoreError', code: 'version_conflict' });
    t.match(await store.getTemplate({ id }), { version: 1, name: 'one' });
    const writes = Array.from({ length: 5 }, (_, n) =>
      store.replaceTemplate({ id }, draft(`of ${n}`), { publish: true, ifVersion: { version: 1 } }),
    );
    const outcomes = await Promise.allSettled(writes);
    t.equal(outcomes.filter(({ status }) => status === 'fulfilled').length, 1, 'one of five concurrent writes wins');
    t.match(await store.getTemplate({ id }), { version: 2 });
    await store.publishTemplate({ id }, 1);
    const outdated = [
      () =>
        store.replaceTemplate({ id }, draft('x'), { publish: true, ifVersion: { version: 2, publishedVersion: 2 } }),
      () => store.restoreTemplate({ id }, 1, { publish: true, ifVersion: { version: 2, publishedVersion: 0 } }),
      () => store.publishTemplate({ id }, 2, { version: 2, publishedVersion: 2 ** 40 }),
      () => store.deleteTemplate({ id }, { version: 2, publishedVersion: 2 }),
    ];
    for (const attempt of outdated) await t.rejects(attempt(), { name: 'StoreError', code: 'version_conflict' });
    const publications = [1, 2, 3].map(() =>
      store.publishTemplate({ id }, 2, { version: 2, publishedVersion: 1 }).then(() => 'published'),
    );
    const settled = await Promise.allSettled(publications);
    t.equal(settled.filter(({ status }) => status === 'fulfilled').length, 1, 'one of three publications wins');
    t.match(
      await store.replaceTemplate({ id }, draft('y'), {
        publish: false,
        ifVersion: { version: 2, publishedVersion: 2 },
      }),
      {
        version: 3,
        publishedVersion: 2,
      },
    );
    const unpublished = await store.createTemplate(workspaceId, draft('never'), { publish: false });
    const none = { version: 1, publishedVersion: 0 };
    t.match(await store.publishTemplate({ id: unpublished.id }, 1, none), { publishedVersion: 1 });
    t.match(await store.deleteTemplate({ id }, { version: 3 }), { version: 3 });
  });

  t.test('treats templates of other workspaces as unknown, and finds nothing of a deleted one', async (t) => {
    const store = await open(t);
    const { id: workspaceId } = await addWorkspace(store);
    const { id: other } = await addWorkspace(store);
    const { id } = await store.createTemplate(workspaceId, draft('one'), published);
    t.equal(await store.findTemplate(other, id), undefined);
    for (const odd of ['', '__proto__', '../keys', 'x'.repeat(1e6)])
      t.equal(await store.findTemplate(workspaceId, odd), undefined);
    const messages = new Set<string>();
    const assertUnknown = async (address: { id: string; workspaceId?: string }) => {
      const attempts = [
        store.getTemplate(address),
        store.getTemplateRecord(address),
        store.replaceTemplate(address, draft('x'), published),
        store.restoreTemplate(address, 1, published),
        store.publishTemplate(address, 1),
        store.deleteTemplate(address),
        store.listTemplateVersions(address, { limit: 1 }),
      ];
      await rejectAll(t, { code: 'not_found' }, attempts);
      for (const attempt of attempts) messages.add(await attempt.then(String, ({ message }: Error) => message));
    };
    await assertUnknown({ id, workspaceId: other });
    t.match(await store.getTemplate({ id }), { version: 1 });
    t.match(await store.deleteTemplate({ id, workspaceId }), { id, name: 'one', version: 1 });
    await assertUnknown({ id, workspaceId });
    await assertUnknown({ id });
    t.equal(messages.size, 1, 'the message is the same for all');
    t.equal(await store.findTemplate(workspaceId, id, 1), undefined);
    t.strictSame((await store.listTemplates(workspaceId, { limit: 10 })).items, []);
  });

  t.test('lists templates in pages that stay in place while others come and go', async (t) => {
    const store = await open(t);
    const { id: workspaceId } = await addWorkspace(store);
    const { id: other } = await addWorkspace(store);
    const made: string[] = [];
    for (let n = 0; n < 7; n++) {
      made.unshift((await store.createTemplate(workspaceId, draft(`t ${n}`), published)).id);
      if (n % 3 === 0) await store.createTemplate(other, draft('foreign'), published);
    }
    const list = (page: PageRequest) => store.listTemplates(workspaceId, page);
    t.strictSame(ids((await list({ limit: 7 })).items), made);
    t.equal((await list({ limit: 7 })).nextCursor, null, 'no empty page follows a full one');
    t.equal((await store.listTemplates(undefined, { limit: 100 })).items.length, 10);
    const seen = await readPages(list, 2, async (page) => {
      await store.createTemplate(workspaceId, draft('newer'), published);
      if (page === 0) await store.deleteTemplate({ id: made[1] });
      if (page === 1) await store.replaceTemplate({ id: made[6] }, draft('changed'), published);
      if (page === 1) await store.deleteTemplate({ id: made[4] });
    });
    t.strictSame(
      ids(seen),
      made.filter((_, at) => at !== 4),
    );
    t.match(seen.at(-1), { name: 'changed', version: 2 });
    for (const cursor of ['', 'x', 'AAAA', 'é', '__proto__', `${'9'.repeat(400)}`]) {
      const attempts = [list({ limit: 2, cursor }), store.listTemplateVersions({ id: made[0] }, { limit: 2, cursor })];
      await rejectAll(t, { code: 'invalid_cursor' }, attempts);
    }
    await t.rejects(store.listTemplates('nobody', { limit: 1 }), { code: 'not_found' });
  });

  t.test(`keeps the latest ${MAX_VERSIONS} versions and the published one`, async (t) => {
    const store = await open(t);
    const { id: workspaceId } = await addWorkspace(store);
    const { id } = await store.createTemplate(workspaceId, draft('1'), published);
    for (let n = 2; n <= MAX_VERSIONS + 5; n++)
      await store.replaceTemplate({ id }, draft(`${n}`), { publish: n === 3 });
    const list = (page: PageRequest) => store.listTemplateVersions({ id }, page);
    const kept = await readPages(list, 30);
    t.equal(kept.length, MAX_VERSIONS + 1);
    t.match(kept.at(-1), { version: 3 }, 'the published one');
    t.match(kept.at(-2), { version: 6 });
    t.match(await store.findTemplate(workspaceId, id), { version: 3, record: { name: '3' } });
    t.equal(await store.findTemplate(workspaceId, id, 5), undefined);
    await store.publishTemplate({ id }, MAX_VERSIONS);
    t.equal((await readPages(list, 200)).length, MAX_VERSIONS, 'it is not kept when another is published');
  });
}
