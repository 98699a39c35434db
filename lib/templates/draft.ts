// Prepares a template's record to be saved: checks it, and derives what the store keeps beside it.
import { listAssetIds } from '../contract/template/record-layers.js';
import { type HotspotSummary, listHotspots } from '../contract/template/record-strings.js';
import { checkSavedTemplate } from './saved.js';

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
