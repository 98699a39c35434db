// Locates the data files of the package, and checks when the library loads that they exist: a bundler that left them behind
// would make the first render fail.
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { WasmName } from './host.js';
import { checksFiles } from './load-check.js';
import { fontUrl, hyphenationUrl, translationUrl, wasmUrl, workerUrl } from './package-urls.js';

const FOLDER = dirname(fileURLToPath(import.meta.url));

/** The path of a file of the package: that of its URL, or else `name` beside the bundle that contains this module. */
function locate(url: URL | undefined, name: string): string {
  const path = url?.protocol === 'file:' ? fileURLToPath(url) : undefined;
  return path !== undefined && existsSync(path) ? path : join(FOLDER, name);
}

/** The path of a file in the package's folder fonts, by its path there. */
export const fontFile = (path: string): string => locate(fontUrl(path), `fonts/${path}`);

/** The path of a WebAssembly module. Throws if it does not exist. */
export function wasmFile(name: WasmName): string {
  return existing(locate(wasmUrl(name), `wasm/${name}.wasm`));
}

/** The path of a WebAssembly module's translation to JavaScript, packed by gzip. Throws if it does not exist. */
export function translationFile(name: WasmName): string {
  return existing(locate(translationUrl(name), `wasm/${name}.js.gz`));
}

/** The path of the hyphenation patterns. Throws if they do not exist. */
export function hyphenationFile(): string {
  return existing(locate(hyphenationUrl(), 'hyphenation.bin'));
}

/** The module that a worker process runs. Throws if it does not exist. */
export function workerModule(): string {
  return existing(locate(workerUrl(), 'platen-worker.mjs'));
}

/** The folder of the bundled fonts, their manifest and their coverage. */
export const FONTS_FOLDER = dirname(fontFile('manifest.json'));
/** The package's root; in an application's bundle the folder above the fonts. */
const ROOT = dirname(FONTS_FOLDER);
/** The folders of what the build makes for the dashboard's pages: their manifest and archive of files, and WebAssembly. */
export const PAGES_FOLDER = join(ROOT, 'dist/dashboard');
export const WASM_FOLDER = join(ROOT, 'dist/wasm');
/** The archived folder of the guide with its playground, and the folder of the engine that this runs. */
export const GUIDE_FOLDER = join(ROOT, 'dist/docs');
export const ENGINE_FOLDER = join(ROOT, 'dist/browser');
/** The page of the API. */
export const API_PAGE_FILE = join(ROOT, 'dist/api-page.html');

/** The package's root, and what of it a render process reads; a checkout has other things beside them, such as a data folder. */
export function packagePaths(): { readonly root: string; readonly own: readonly string[] } {
  const isPackage = existsSync(join(ROOT, 'package.json'));
  const own = isPackage
    ? ['package.json', 'dist', 'fonts'].map((name) => join(ROOT, name))
    : [FOLDER, FONTS_FOLDER, dirname(wasmFile('harfbuzz'))];
  return { root: ROOT, own };
}

/** Reads a file of the fonts' folder, as text. Throws if it does not exist. */
export const readFontText = (path: string): string => readFileSync(existing(fontFile(path)), 'utf8');

function existing(path: string): string {
  if (!existsSync(path)) throw missingFilesError([path]);
  return path;
}

function missingFilesError(paths: readonly string[]): Error {
  const message =
    `platen can't find ${paths.join(', ')}: leave the package out of the bundle` +
    " (Next.js: serverExternalPackages: ['platen']; esbuild: --external:platen; webpack: externals), or copy its files to" +
    " the bundle's folder, as its docs/library.md explains; if you use no bundler, install the package again";
  // No stack: with one, Node prints the source line that threw, which may be the whole bundle.
  return Object.assign(new Error(message), { code: 'ERR_PLATEN_FILES_MISSING', stack: `Error: ${message}` });
}

const missing = [
  locate(wasmUrl('harfbuzz'), 'wasm/harfbuzz.wasm'),
  ...['manifest.json', 'coverage.txt'].map(fontFile),
].filter((path) => !existsSync(path));
if (missing.length > 0 && checksFiles()) throw missingFilesError(missing);
