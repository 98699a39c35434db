// Finds the brand that a render takes.
import { RenderError } from '../../errors.js';
import type { BrandStore, SettledRequest } from '../../store/types.js';
import type { Brand } from '../../templates/data/data.js';
import type { FoundBrand } from '../render/call.js';

/**
 * The latest version of the workspace's brand, or, for a replay, the one that was charged; undefined if there is none. Throws
 * RenderError `template_not_found` for a version that is not kept any more.
 */
export async function findBrandOf(
  workspaceId: string,
  store: Pick<BrandStore, 'findBrand'>,
  settled?: Pick<SettledRequest, 'brandVersion'>,
): Promise<FoundBrand | undefined> {
  if (settled && settled.brandVersion === undefined) return undefined;
  const found = await store.findBrand(workspaceId, settled?.brandVersion);
  if (found) return { record: found.record as Brand, version: found.version };
  if (!settled) return undefined;
  const message = `version ${settled.brandVersion} of the brand, which was charged, is not kept any more`;
  throw new RenderError('template_not_found', message);
}
