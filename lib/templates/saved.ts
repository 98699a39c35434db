// Checks a template's record before it is saved: its schema, and that the service can fetch its URLs.
import { parseAssetUrl } from '../assets/source.js';
import { attempt, mismatchOf } from '../contract/messages/issues.js';
import { isObject } from '../contract/schema/fields.js';
import { checkTemplate, invalidTemplate, type Template } from '../contract/template/parse.js';
import { hasPlaceholders, recordStrings } from '../contract/template/record-strings.js';
import { sampleString } from '../contract/template/sample.js';
import type { Detail } from '../errors.js';
import { urlIssue } from './check-layers.js';

/**
 * Parses the record of a template (contract/template/parse.ts) and checks that each of its URLs is one that the service can fetch
 * or read, not a local path. Throws RenderError `invalid_request` with every issue.
 */
export function checkSavedTemplate(record: unknown, options: { readonly maxLayers: number }): Template {
  const urls = isObject(record) ? [...urlIssuesIn(record)] : [];
  const { value: template, details: found } = attempt(() => checkTemplate(record, options));
  const details = [...found, ...urls];
  if (template && details.length === 0) return template;
  throw invalidTemplate(details);
}

/** Leaves out URLs that are no strings: the schema reports them. */
function* urlIssuesIn(record: Record<string, unknown>): Generator<Detail> {
  for (const each of recordStrings(record)) {
    if (each.kind !== 'url') continue;
    const url = hasPlaceholders(record) ? sampleString(each) : each.value;
    const message = urlIssue(() => void parseAssetUrl(url, { hasAssets: true }));
    if (message !== undefined) yield { code: 'invalid_url', path: each.field, message, ...mismatchOf(url) };
  }
}
