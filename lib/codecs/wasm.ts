// A package's .wasm file → compiled code, read from disk on first use: the codecs' own loaders would fetch it, which fails here.
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';

/** What the WASM codecs take and give: straight (not premultiplied) RGBA, row by row from the top. */
export interface StraightImage {
  readonly data: Uint8ClampedArray;
  readonly width: number;
  readonly height: number;
}

const { resolve } = createRequire(import.meta.url);

/** Compiles `specifier` (`package/path.wasm`). Fails when the package or the file is missing. */
export async function compileWasm(specifier: string): Promise<WebAssembly.Module> {
  return WebAssembly.compile(await readFile(resolve(specifier)));
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
