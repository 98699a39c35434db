// Reads lists that the store returns in pages.
import type { PageRequest, StorePage } from '../../store/types.js';

/** Items of a page. */
const PAGE_SIZE = 200;

/** The first `limit` items of a list. */
export async function readPages<Item>(
  read: (page: PageRequest) => Promise<StorePage<Item>>,
  limit = Number.POSITIVE_INFINITY,
): Promise<Item[]> {
  const items: Item[] = [];
  let cursor: string | null | undefined;
  while (items.length < limit && cursor !== null) {
    const page = await read({ limit: Math.min(PAGE_SIZE, limit - items.length), cursor });
    items.push(...page.items);
    cursor = page.nextCursor;
  }
  return items;
}
