// Loads what expands payloads with data, with the first such payload, what draws charts, and the data of the locales that they name.
import { isObject } from './contract/json/is-object.js';
import { host } from './host.js';
import { lacksChartRoom, setChartRoom } from './templates/chart-room.js';
import { lacksDataRoom, missingLocale, setDataRoom, setLocaleFile } from './templates/data-room.js';

/**
 * Resolves when the payload, a template's record or a request, can be resolved. `locale`: the one that wins over the payload's.
 * `brand`: that of the
 * workspace.
 * Rejects with RenderError `asset_failed` if the locale's data can't be loaded.
 */
export async function loadDataFor(
  payload: unknown,
  locale?: string,
  brand?: Parameters<typeof lacksDataRoom>[1],
): Promise<void> {
  if (lacksDataRoom(payload, brand)) {
    if (isObject(payload) && lacksChartRoom(payload)) setChartRoom((await import('./charts/index.js')).drawChart);
    setDataRoom(await import('./templates/data.js'));
  }
  for (let name = missingLocale(payload, locale); name !== undefined; name = missingLocale(payload, locale)) {
    setLocaleFile(name, await host().readFontFile(`locales/${name}.json`));
  }
}
