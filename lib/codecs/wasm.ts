// A package's .wasm file → compiled code, read from disk on first use: the codecs' own loaders would fetch it, which fails here.
import { readFile } from 'node:fs/promises';
import { packageFile } from '../package-files.js';
import { withMemoryBound } from './wasmbound.js';

/** What the WASM codecs take and give: straight (not premultiplied) RGBA, row by row from the top. */
export interface StraightImage {
  readonly data: Uint8ClampedArray;
  readonly width: number;
  readonly height: number;
}

const compiled = new Map<string, Promise<WebAssembly.Module>>();

async function readPackageFile(specifier: string): Promise<Buffer> {
  return readFile(packageFile(specifier));
}

/**
 * `specifier` (`package/path.wasm`), compiled once for all instances, whose memory may then grow to `most` bytes where that
 * is given. Fails when the package or the file is missing.
 */
export function compileWasm(specifier: string, most?: number): Promise<WebAssembly.Module> {
  let code = compiled.get(specifier);
  if (!code) {
    code = readPackageFile(specifier).then((bytes) =>
      WebAssembly.compile(most === undefined ? bytes : withMemoryBound(bytes, most)),
    );
    compiled.set(specifier, code);
    // a file that could not be read may be readable next time
    code.catch(() => compiled.delete(specifier));
  }
  return code;
}

/**
 * A codec that is readied on first use and then kept. `run` passes it on; a failure for which `isOrdinary` does not
 * vouch (a trap, an exit, memory that could not grow) drops it, so the next picture starts from fresh memory.
 */
export function lazily<T>(load: () => Promise<T>, isOrdinary: (cause: unknown) => boolean) {
  let ready: Promise<T> | undefined;
  return async <R>(run: (codec: T) => Promise<R>): Promise<R> => {
    ready ??= load();
    const mine = ready;
    try {
      return await run(await mine);
    } catch (cause) {
      if (ready === mine && !isOrdinary(cause)) ready = undefined;
      throw cause;
    }
  };
}
