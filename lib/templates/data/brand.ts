// Checks the brand of a workspace before it is saved.
import { parseAssetUrl } from '../../assets/source.js';
import { type BrandRecord, parseBrand } from '../../contract/api/brand.js';
import { attempt, invalidRequest, issue, joinPath, mismatchOf } from '../../contract/messages/issues.js';
import { themeIssues, tokenIssues } from '../../data/index.js';
import type { Detail } from '../../errors.js';
import { urlIssue } from '../check-layers.js';

/** Throws RenderError `invalid_request` with every fault: of the shape, of tokens and themes, and of URLs of logos. */
export function checkBrand(body: unknown): BrandRecord {
  const { value: brand, details } = attempt(() => parseBrand(body));
  if (!brand) throw invalidRequest(details);
  const { tokens, themes, logos } = brand;
  const faults = [...tokenIssues(tokens, 'tokens'), ...themeIssues(themes, 'themes'), ...logoIssues(logos)];
  if (faults.length > 0) throw invalidRequest(faults);
  return brand;
}

function* logoIssues(logos: Readonly<Record<string, unknown>>): Generator<Detail> {
  for (const [name, url] of Object.entries(logos)) {
    const path = joinPath('logos', name);
    if (typeof url !== 'string') {
      yield issue(path, url, 'the URL of a picture');
      continue;
    }
    const message = urlIssue(() => void parseAssetUrl(url, { hasAssets: true }));
    if (message !== undefined) yield { code: 'invalid_url', path, message, ...mismatchOf(url) };
  }
}
