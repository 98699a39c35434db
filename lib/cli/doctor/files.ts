// Folders: the package's fonts, and what the service writes to.
import { constants } from 'node:fs';
import { access, mkdtemp, rmdir } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { failure, finding, type HostFinding, reasonOf } from './finding.js';

export async function checkFonts(): Promise<HostFinding> {
  try {
    const [{ listFonts, loadManifest, readFace }, { FONTS_FOLDER }] = await Promise.all([
      import('../../fonts/bundled.js'),
      import('../../package-files.js'),
      import('../../node-host.js'),
    ]);
    const face = loadManifest().faces.find(({ format }) => format === 'woff2');
    if (face) await readFace(face);
    return finding('fonts', `${listFonts().length} families in ${FONTS_FOLDER}`);
  } catch (error) {
    return failure('fonts', reasonOf(error), 'text fails: install the package again');
  }
}

export async function checkTemporaryFolder(): Promise<HostFinding> {
  const folder = tmpdir();
  try {
    await rmdir(await mkdtemp(join(folder, 'platen-')));
    return finding('temp folder', folder);
  } catch (error) {
    const effect = 'admin commands reach a running server only if the path of its data folder is short';
    return finding('temp folder', reasonOf(error), effect);
  }
}

/** Checks the data folder. `folder` is the one of `platen serve`, which creates it; undefined if the data is in a database. */
export async function checkDataFolder(folder: string | undefined): Promise<HostFinding> {
  if (folder === undefined) return finding('data folder', 'in the database of STORE_URL');
  for (let path = resolve(folder); ; path = dirname(path)) {
    try {
      await access(path, constants.W_OK | constants.X_OK);
      return finding('data folder', path === resolve(folder) ? path : `${resolve(folder)}, which can be created`);
    } catch (error) {
      const isMissing = (error as NodeJS.ErrnoException).code === 'ENOENT' && path !== dirname(path);
      if (!isMissing)
        return finding('data folder', reasonOf(error), 'platen serve needs another DATA_DIR, or STORE_URL');
    }
  }
}
