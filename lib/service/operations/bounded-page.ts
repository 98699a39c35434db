// Bounds the size of a page of templates or versions, each of which may have hundreds of hotspots.
import type { StoredHotspot, StorePage } from '../../store/types.js';

/** Most hotspots in one answer, unless it has one item only. 200 ordinary templates have about 2,000. */
const MAX_HOTSPOTS = 10_000;

interface Item {
  readonly hotspots: readonly StoredHotspot[];
}

/**
 * A page of at most `limit` items, or of fewer if they have too many hotspots: the longest page, 200 templates with 500
 * hotspots each, would be 100 MB of JSON, made in one go.
 */
export async function boundedPage<Entry extends Item>(
  list: (limit: number) => Promise<StorePage<Entry>>,
  limit: number,
): Promise<StorePage<Entry>> {
  const page = await list(limit);
  let hotspots = 0;
  const fitting = page.items.findIndex((item) => {
    hotspots += item.hotspots.length;
    return hotspots > MAX_HOTSPOTS;
  });
  return fitting < 0 || page.items.length === 1 ? page : await list(Math.max(1, fitting));
}
