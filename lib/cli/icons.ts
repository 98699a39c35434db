// The sets of icons in the folder of the setting ICONS_DIR.
import type { IconSet } from '../icons/icon-set.js';
import type { IconifySet } from '../options.js';
import type { RenderSettings } from '../settings.js';

interface LoadedIcons {
  readonly json: readonly IconifySet[];
  readonly sets: readonly IconSet[];
}

/** What was read in this process: several steps of a command need it. */
const known = new Map<string, Promise<LoadedIcons>>();

/** The sets of ICONS_DIR; undefined without it. Rejects with RenderError, which names the file, for one that can't be drawn. */
export async function loadIcons({ ICONS_DIR }: Pick<RenderSettings, 'ICONS_DIR'>): Promise<LoadedIcons | undefined> {
  if (ICONS_DIR === undefined) return undefined;
  const loading = known.get(ICONS_DIR) ?? readIcons(ICONS_DIR);
  known.set(ICONS_DIR, loading);
  return await loading;
}

async function readIcons(folder: string): Promise<LoadedIcons> {
  const [{ readIconFolder }, { readIconSets }] = await Promise.all([
    import('../assets/icon-folder.js'),
    import('../templates/icons/icon-sets.js'),
  ]);
  const files = await readIconFolder(folder);
  return { sets: readIconSets(files), json: files.map(({ json }) => json as IconifySet) };
}
