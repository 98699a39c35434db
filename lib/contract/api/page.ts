// The answer of every list: one page, newest first.
import * as z from 'zod';

export function pageOf<Item extends z.ZodType>(item: Item) {
  return z.object({
    items: z.array(item).describe('newest first'),
    nextCursor: z.string().nullable().describe('the cursor of the next page; null after the last'),
  });
}
