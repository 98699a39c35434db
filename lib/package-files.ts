// Locates the data files of the package, and checks when the library loads that they exist. A bundler leaves them behind,
// and HarfBuzz, which loads next, would only report that some file is missing.
import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { basename, dirname, extname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const thisFile = fileURLToPath(import.meta.url);

/** Whether a bundler has moved this module into another file, whose folder must then contain the package's files. */
const isBundled = !/[\\/]lib[\\/]package-files\.[jt]s$/.test(thisFile);

/** The nearest parent folder with a package.json: this module runs from lib/ or from dist/lib/. */
function findPackageRoot(): string {
  let folder = dirname(thisFile);
  while (!existsSync(join(folder, 'package.json')) && dirname(folder) !== folder) folder = dirname(folder);
  return folder;
}

const ROOT = isBundled ? dirname(thisFile) : findPackageRoot();

/** The folder of the bundled fonts, their manifest and their coverage. */
export const FONTS_FOLDER = join(ROOT, 'fonts');
/** The folders of what the build makes for the dashboard's pages: their manifest and files, and WebAssembly. */
export const PAGES_FOLDER = join(ROOT, 'dist/dashboard');
export const WASM_FOLDER = join(ROOT, 'dist/wasm');
/** The folders of what the build makes for any page: the guide with its playground, and the engine that this runs. */
export const GUIDE_FOLDER = join(ROOT, 'dist/docs');
export const ENGINE_FOLDER = join(ROOT, 'dist/browser');

/**
 * The package's root, and what of it a render process reads; a checkout has other things beside them, such as a data folder.
 * In an application's bundle that is the folder of the bundle.
 */
export function packagePaths(): { readonly root: string; readonly own: readonly string[] } {
  const own = isBundled ? [ROOT] : ['package.json', 'dist', 'fonts'].map((name) => join(ROOT, name));
  return { root: ROOT, own };
}

/** The path of a file in a dependency, named as `package/path.wasm`. */
export function resolveDependencyFile(specifier: string): string {
  if (isBundled) {
    const path = join(dirname(thisFile), basename(specifier));
    assertFilesExist([path]);
    return path;
  }
  try {
    return createRequire(import.meta.url).resolve(specifier);
  } catch {
    throw missingFilesError([specifier]);
  }
}

/** The exports of a CommonJS module in a dependency, named as `package/path.js`. */
export function loadDependency(specifier: string): unknown {
  const path = resolveDependencyFile(specifier);
  return createRequire(path)(path);
}

/** The module that a worker process runs: the package's own, or the bundle of it beside the program's bundle. */
export function workerModule(): string {
  const path = join(dirname(thisFile), isBundled ? 'platen-worker.mjs' : `workers/child${extname(thisFile)}`);
  assertFilesExist([path]);
  return path;
}

function assertFilesExist(paths: readonly string[]): void {
  const missing = paths.filter((path) => !existsSync(path));
  if (missing.length > 0) throw missingFilesError(missing);
}

function missingFilesError(names: readonly string[]): Error {
  const message =
    `platen can't find ${names.join(', ')}: leave the package out of the bundle` +
    ' (esbuild: --external:platen; webpack: externals; Next.js: serverExternalPackages), or copy its files to the' +
    " bundle's folder, as its docs/library.md explains; if you use no bundler, install the package again";
  // No stack: with one, Node prints the source line that threw, which may be the whole bundle.
  return Object.assign(new Error(message), { code: 'ERR_PLATEN_FILES_MISSING', stack: `Error: ${message}` });
}

const FONT_INDEXES = ['manifest.json', 'coverage.json'].map((name) => join(FONTS_FOLDER, name));
assertFilesExist(isBundled ? [join(dirname(thisFile), 'harfbuzz.wasm'), ...FONT_INDEXES] : FONT_INDEXES);
