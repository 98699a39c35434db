// What draws charts, once it is loaded: with the first payload that has one (lib/load-data.ts).
import type { DrawChart } from '../../charts/index.js';
import { usesCharts } from '../../contract/template/data-fields.js';

let loaded: DrawChart | undefined;

/** Gives templates what draws charts. */
export function setChartRoom(draw: DrawChart): void {
  loaded = draw;
}

/** Whether the payload, a record or a request, has charts, and what draws them is not there. */
export function lacksChartRoom(payload: Readonly<Record<string, unknown>>): boolean {
  return !loaded && usesCharts(payload);
}

export function chartRoom(): DrawChart {
  if (!loaded) throw new Error('lib/charts is not loaded');
  return loaded;
}
