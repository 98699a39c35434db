// What templates/data/data.ts does for payloads with data, once it is loaded: with the first such payload (lib/load-data.ts), or by
// an entry whose functions can't wait. Payloads without data never load it.

import { setExpandedKinds } from '../../contract/layers/expanded/types.js';
import { invalidRequest, issue } from '../../contract/messages/issues.js';
import { isObject } from '../../contract/schema/fields.js';
import { canvasUsesData, recordUsesData, usesBrand } from '../../contract/template/data-fields.js';
import { isTemplate } from '../../contract/template/record-layers.js';
import { host } from '../../host.js';
import { lacksChartRoom } from './chart-room.js';
import type * as room from './data.js';

type DataRoom = typeof room;

let loaded: DataRoom | undefined;

/** Gives templates the exports of templates/data/data.ts. */
export function setDataRoom(exports: DataRoom): void {
  loaded = exports;
  setExpandedKinds(exports.EXPANDED_KINDS);
}

/** Whether the payload, a record or a request, needs the room and it is not there. */
export function lacksDataRoom(payload: unknown, brand?: room.Brand): boolean {
  if (!isObject(payload)) return false;
  if (loaded) return lacksChartRoom(payload);
  if (brand && usesBrand([payload.layers, payload.hotspots], stylesOf(brand))) return true;
  return isTemplate(payload) ? recordUsesData(payload) : canvasUsesData(payload);
}

/** The names of the text styles of a brand. */
export function stylesOf(brand: room.Brand | undefined): ReadonlySet<string> {
  const tokens = isObject(brand?.tokens) ? brand.tokens : {};
  return new Set(Object.keys(tokens).filter((name) => isObject(tokens[name])));
}

export function dataRoom(): DataRoom {
  if (!loaded) throw new Error('templates/data/data.ts is not loaded');
  return loaded;
}

/**
 * The file of a locale that expressions of a payload may need next, and that can't be read at once. `override`: the locale that
 * wins over the payload's.
 */
export function missingLocale(payload: unknown, override?: string): string | undefined {
  return host().readLocale ? undefined : loaded?.missingLocale(payload, override);
}

/** Takes the file of a locale. */
export function setLocaleFile(name: string, bytes: Uint8Array): void {
  dataRoom().takeLocaleFile(name, new TextDecoder().decode(bytes));
}

/** Throws RenderError `invalid_request` for a theme that a payload without data can't have, as the brand has not got it. */
export function rejectTheme({ theme, brand }: room.DesignOptions): void {
  if (theme === undefined || (isObject(brand?.themes) && Object.hasOwn(brand.themes, theme))) return;
  throw invalidRequest([issue('theme', theme, NO_THEMES)]);
}

const NO_THEMES = 'none: there are no themes';

/** Faults and doubtful names in the data of a template's record without other faults; nothing before the room is loaded. */
export function dataFindings(record: unknown, maxLayers: number): ReturnType<DataRoom['findings']> {
  return loaded?.findings(record, maxLayers) ?? { errors: [], warnings: [] };
}
