// Loads what resolves payloads with data, charts or icons, with the first such payload, and the data of the locales and icons that
// they name.
import { isObject } from './contract/json/is-object.js';
import { host } from './host.js';
import { lacksChartRoom, setChartRoom } from './templates/data/chart-room.js';
import { lacksDataRoom, missingLocale, setDataRoom, setLocaleFile } from './templates/data/data-room.js';
import { lacksIconRoom, missingIconFiles, setIconFile, setIconRoom } from './templates/icons/icon-room.js';

interface Given {
  /** The locale that wins over the payload's. */
  readonly locale?: string | undefined;
  /** The variables that fill the payload. */
  readonly variables?: unknown;
  /** The brand of the workspace. */
  readonly brand?: Parameters<typeof lacksDataRoom>[1];
}

/**
 * Resolves when the payload, a template's record or a request, can be resolved. Rejects with RenderError `asset_failed` if
 * data can't be loaded.
 */
export async function loadDataFor(payload: unknown, { locale, variables, brand }: Given = {}): Promise<void> {
  if (lacksDataRoom(payload, brand)) {
    if (isObject(payload) && lacksChartRoom(payload)) setChartRoom((await import('./charts/index.js')).drawChart);
    setDataRoom(await import('./templates/data/data.js'));
  }
  for (let name = missingLocale(payload, locale); name !== undefined; name = missingLocale(payload, locale)) {
    setLocaleFile(name, await host().readFontFile(`locales/${name}.json`));
  }
  const values = [payload, variables];
  if (lacksIconRoom(values)) setIconRoom(await import('./templates/icons/icons.js'));
  for (let names = missingIconFiles(values); names.length > 0; names = missingIconFiles(values)) {
    const read = async (name: string) => setIconFile(name, await host().readFontFile(`icons/${name}.json`));
    await Promise.all(names.map(read));
  }
}
