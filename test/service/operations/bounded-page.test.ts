// Pages of templates with many hotspots are shorter than their limit.
import t from 'tap';
import { boundedPage } from '../../../lib/service/operations/bounded-page.js';

const items = (...counts: number[]) =>
  counts.map((count, id) => ({
    id,
    hotspots: Array.from({ length: count }, () => ({ key: 'k', label: 'l', type: 'text' })),
  }));

async function idsOf(all: ReturnType<typeof items>, limit: number) {
  const asked: number[] = [];
  const page = await boundedPage(async (most) => {
    asked.push(most);
    return { items: all.slice(0, most), nextCursor: all.length > most ? String(most) : null };
  }, limit);
  return { ids: page.items.map(({ id }) => id), nextCursor: page.nextCursor, asked };
}

t.test('ends a page before the item with which it would have more than 10,000 hotspots', async (t) => {
  t.same(await idsOf(items(1, 2, 3), 200), { ids: [0, 1, 2], nextCursor: null, asked: [200] });
  t.same(await idsOf(items(5000, 5000), 200), { ids: [0, 1], nextCursor: null, asked: [200] });
  t.same(await idsOf(items(5000, 5000, 1), 200), { ids: [0, 1], nextCursor: '2', asked: [200, 2] });
  t.same(await idsOf(items(1, 2, 3), 2), { ids: [0, 1], nextCursor: '2', asked: [2] });
});

t.test('has at least one item', async (t) => {
  t.same(await idsOf(items(20_000), 200), { ids: [0], nextCursor: null, asked: [200] });
  t.same(await idsOf(items(20_000, 1), 200), { ids: [0], nextCursor: '1', asked: [200, 1] });
  t.same(await idsOf([], 200), { ids: [], nextCursor: null, asked: [200] });
});
