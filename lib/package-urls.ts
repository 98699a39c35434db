// The URLs of the package's files, as they are in a checkout. The build replaces this module by one that names each file in a
// separate `new URL('…', import.meta.url)` (scripts/package-urls.mjs): bundlers copy files that are named like this, and
// deployments trace them.
import type { WasmName } from './host.js';

/** The checkout, from lib/ or, compiled for tools, from dist/modules/lib/. */
const ROOT = new URL(import.meta.url.includes('/dist/modules/') ? '../../../' : '../', import.meta.url);

/** A file of the package's folder fonts, by its path there. Undefined if the package has no such file. */
export function fontUrl(path: string): URL | undefined {
  return new URL(`fonts/${path}`, ROOT);
}

/** The file of a WebAssembly module. */
export function wasmUrl(name: WasmName): URL | undefined {
  return new URL(`dist/wasm/${name}.wasm`, ROOT);
}

/** The file of a module's translation to JavaScript, packed by gzip. Undefined if it is not translated. */
export function translationUrl(name: WasmName): URL | undefined {
  return new URL(`dist/wasm/${name}.js.gz`, ROOT);
}

/** The hyphenation patterns (scripts/bundle.mjs says how they are stored). */
export function hyphenationUrl(): URL | undefined {
  return new URL('dist/hyphenation.bin', ROOT);
}

/** The main module of worker processes. */
export function workerUrl(): URL | undefined {
  const extension = import.meta.url.endsWith('.ts') ? 'ts' : 'js';
  return new URL(`./workers/child.${extension}`, import.meta.url);
}
