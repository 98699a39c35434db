// Where the files lie that the package reads, and a check, as the library starts, that they are there. A bundle of a
// program leaves them behind, and HarfBuzz, which loads next, would only say that some file is missing.
import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const here = fileURLToPath(import.meta.url);

/** Whether a bundler has put this module into a file of another name, whose folder then has the package's files. */
const isBundled = !/[\\/]lib[\\/]package-files\.[jt]s$/.test(here);

/** The nearest folder upward with a package.json, whether this module runs from lib/ or from dist/lib/. */
function packageRoot(): string {
  let folder = dirname(here);
  while (!existsSync(join(folder, 'package.json')) && dirname(folder) !== folder) folder = dirname(folder);
  return folder;
}

/** Bundled fonts, their manifest and their coverage. */
export const FONTS = join(isBundled ? dirname(here) : packageRoot(), 'fonts');

/** The path of a file of a package that this one depends on: `package/path.wasm`. */
export function packageFile(specifier: string): string {
  if (isBundled) {
    const path = join(dirname(here), basename(specifier));
    requireFiles([path]);
    return path;
  }
  try {
    return createRequire(import.meta.url).resolve(specifier);
  } catch {
    throw missingFiles([specifier]);
  }
}

function requireFiles(paths: readonly string[]): void {
  const missing = paths.filter((path) => !existsSync(path));
  if (missing.length > 0) throw missingFiles(missing);
}

function missingFiles(names: readonly string[]): Error {
  const message =
    `platen can't find ${names.join(', ')}: leave the package out of the bundle` +
    ' (esbuild: --external:platen; webpack: externals; Next.js: serverExternalPackages), or copy its files to the' +
    " bundle's folder, as its docs/library.md says; without a bundle, install the package again";
  // no stack: Node would print the line of the bundle with it, which may be all of the bundle
  return Object.assign(new Error(message), { code: 'ERR_PLATEN_FILES_MISSING', stack: `Error: ${message}` });
}

const FONT_INDEXES = ['manifest.json', 'coverage.json'].map((name) => join(FONTS, name));
requireFiles(isBundled ? [join(dirname(here), 'harfbuzz.wasm'), ...FONT_INDEXES] : FONT_INDEXES);
