// Compiles a package's .wasm file, read from disk on first use; the codecs' own loaders would use fetch, which fails in
// Node.
// Limits the memory of a WebAssembly module by rewriting its memory section, which defines the maximum if the module
// owns its memory. Source: WebAssembly core specification, sections 5.5.2 (sections) and 5.3.7 (limits).
import { readFile } from 'node:fs/promises';
import { resolveDependencyFile } from '../package-files.js';

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

const HEADER_BYTES = 8;
const PAGE_BYTES = 65_536;
const MEMORY_SECTION = 5;
/** Flag of a memory's limits: a maximum follows. */
const HAS_MAX = 1;

/**
 * Returns `code` with the maximum of its only memory set to `maxMemory` bytes. Throws if it defines no memory, or one
 * with a larger minimum.
 */
export function setMaxMemory(code: Uint8Array, maxMemory: number): Uint8Array<ArrayBuffer> {
  for (let at = HEADER_BYTES; at < code.length; ) {
    const length = readLeb128(code, at + 1);
    const end = length.end + length.value;
    if (code[at] === MEMORY_SECTION) {
      const minPages = readLeb128(code, length.end + 2);
      const pages = Math.floor(maxMemory / PAGE_BYTES);
      if (code[length.end] !== 1 || minPages.value > pages) break;
      const limits = [1, HAS_MAX, ...leb128Bytes(minPages.value), ...leb128Bytes(pages)];
      const section = [MEMORY_SECTION, ...leb128Bytes(limits.length), ...limits];
      return Uint8Array.from(Buffer.concat([code.subarray(0, at), Uint8Array.from(section), code.subarray(end)]));
    }
    at = end;
  }
  throw new Error('the WebAssembly module has no memory that can be limited to this size');
}

/** Reads an unsigned LEB128 number of up to 32 bits; also returns its end. */
function readLeb128(code: Uint8Array, start: number): { value: number; end: number } {
  let value = 0;
  for (let i = 0; i < 5; i++) {
    const byte = code[start + i];
    value += (byte & 0x7f) * 2 ** (7 * i);
    if (byte < 0x80) return { value, end: start + i + 1 };
  }
  throw new Error('the WebAssembly module is malformed');
}

function leb128Bytes(value: number): number[] {
  return value < 0x80 ? [value] : [(value & 0x7f) | 0x80, ...leb128Bytes(Math.floor(value / 0x80))];
}
