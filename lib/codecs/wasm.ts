// Compiles a package's .wasm file, read from disk on first use; the codecs' own loaders would use fetch, which fails in
// Node.
import { readFile } from 'node:fs/promises';
import { resolveDependencyFile } from '../package-files.js';
import { setMaxMemory } from './wasm-memory.js';

/** Input and output of the WASM codecs: straight (not premultiplied) RGBA, row by row from the top. */
export interface StraightImage {
  readonly data: Uint8ClampedArray;
  readonly width: number;
  readonly height: number;
}

const compiled = new Map<string, Promise<WebAssembly.Module>>();

/** Rejects, rather than throws, if the package is missing. */
async function readPackageFile(specifier: string): Promise<Buffer> {
  return readFile(resolveDependencyFile(specifier));
}

/**
 * Compiles `specifier` (`package/path.wasm`), once for all instances. If `maxMemory` is given, an instance's memory may
 * grow to that many bytes. Fails if the package or file is missing.
 */
export function compileWasm(specifier: string, maxMemory?: number): Promise<WebAssembly.Module> {
  let code = compiled.get(specifier);
  if (!code) {
    code = readPackageFile(specifier).then((bytes) =>
      WebAssembly.compile(maxMemory === undefined ? bytes : setMaxMemory(bytes, maxMemory)),
    );
    compiled.set(specifier, code);
    // don't cache a failed read
    code.catch(() => compiled.delete(specifier));
  }
  return code;
}

/**
 * A codec that is instantiated on first use and then reused. `run` calls it. An error that `isExpectedError` does not
 * accept (a trap, an exit, failed memory growth) discards the instance, so the next image starts with fresh memory.
 */
export function recreateOnTrap<T>(load: () => Promise<T>, isExpectedError: (cause: unknown) => boolean) {
  let ready: Promise<T> | undefined;
  return async <R>(run: (codec: T) => Promise<R>): Promise<R> => {
    ready ??= load();
    const instance = ready;
    try {
      return await run(await instance);
    } catch (cause) {
      if (ready === instance && !isExpectedError(cause)) ready = undefined;
      throw cause;
    }
  };
}
