// Prepares a template's record to be saved: checks it, and derives what the store keeps beside it.

import { parseAssetUrl } from '../assets/source.js';
import { attempt, mismatchOf } from '../contract/messages/issues.js';
import { isObject } from '../contract/schema/fields.js';
import { checkTemplate, invalidTemplate, type Template } from '../contract/template/parse.js';
import { listAssetIds } from '../contract/template/record-layers.js';
import {
  type HotspotSummary,
  hasPlaceholders,
  listHotspots,
  recordStrings,
} from '../contract/template/record-strings.js';
import { sampleString } from '../contract/template/sample.js';
import type { Detail } from '../errors.js';
import { urlIssue } from './check-layers.js';
import { dataFindings } from './data/data-room.js';

/**
 * Parses the record of a template (contract/template/parse.ts) and checks that each of its URLs is one that the service can fetch
 * or read, not a local path. Throws RenderError `invalid_request` with every issue.
 */
function checkSavedTemplate(record: unknown, options: { readonly maxLayers: number }): Template {
  const urls = isObject(record) ? [...urlIssuesIn(record)] : [];
  const { value: template, details: found } = attempt(() => checkTemplate(record, options));
  const data = found.length === 0 ? dataFindings(record, options.maxLayers).errors : [];
  const details = [...found, ...data, ...urls];
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

/** A checked record with its hotspots and the ids of the assets that it names. */
export interface Draft {
  readonly record: { readonly name: string; readonly width: number; readonly height: number };
  readonly hotspots: readonly HotspotSummary[];
  readonly assetIds: readonly string[];
}

/** Throws RenderError `invalid_request` with every fault of the record. */
export function draftOf(record: unknown, options: { readonly maxLayers: number }): Draft {
  checkSavedTemplate(record, options);
  return { record: record as Draft['record'], hotspots: listHotspots(record), assetIds: listAssetIds(record) };
}
