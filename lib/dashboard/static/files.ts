// Serves the dashboard's files: scripts and styles of its pages, the bundled fonts and the engine's WebAssembly.
import { join } from 'node:path';
import { FONTS_FOLDER, PAGES_FOLDER, WASM_FOLDER } from '../../package-files.js';
import { IMMUTABLE, listFolder, REVALIDATED, type StaticFile } from '../../service/http/static-files.js';
import { PAGE_POLICY, WORKER_POLICY } from '../headers.js';

export interface DashboardFolders {
  readonly pages: string;
  readonly fonts: string;
  readonly wasm: string;
}

const FOLDERS: DashboardFolders = { pages: join(PAGES_FOLDER, 'files'), fonts: FONTS_FOLDER, wasm: WASM_FOLDER };

/** Lists the files by their paths. `workers` names the scripts that run as workers. */
export function listFiles(workers: readonly string[], folders = FOLDERS): ReadonlyMap<string, StaticFile> {
  const policyOf = (name: string) => (workers.includes(name) ? WORKER_POLICY : PAGE_POLICY);
  return new Map([
    ...listFolder({ folder: folders.pages, base: '/dashboard/files/', caching: IMMUTABLE, policyOf }),
    ...listFolder({ folder: folders.fonts, base: '/dashboard/fonts/', caching: REVALIDATED, policyOf }),
    ...listFolder({ folder: folders.wasm, base: '/dashboard/wasm/', caching: REVALIDATED, policyOf }),
  ]);
}
