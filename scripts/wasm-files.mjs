// The WebAssembly modules in dist/wasm: each is made of a file of a package, except the kernels, which are our own.
// Limits the memory of a module by rewriting its memory section, which defines the maximum if the module owns its memory.
// Source: WebAssembly core specification, sections 5.5.2 (sections) and 5.3.7 (limits).
import { fileURLToPath } from 'node:url';

/**
 * @typedef {object} WasmFile
 * @property {string} specifier `package/path.wasm`, or a script that contains the module in base64
 * @property {number} [maxMemory] Bytes that an instance's memory may grow to, where the file allows more.
 */

/** @type {Readonly<Record<string, WasmFile>>} */
export const WASM_FILES = {
  harfbuzz: { specifier: 'harfbuzzjs/dist/harfbuzz.wasm' },
  'harfbuzz-subset': { specifier: 'harfbuzzjs/dist/harfbuzz-subset.wasm' },
  // A font of the largest size and brotli's window, several times; used where the host has no zlib.
  brotli: { specifier: 'brotli-dec-wasm/web/bg.wasm', maxMemory: 2 ** 28 },
  'jpeg-decoder': { specifier: '@jsquash/jpeg/codec/dec/mozjpeg_dec.wasm' },
  'webp-decoder': { specifier: '@jsquash/webp/codec/dec/webp_dec.wasm' },
  // Every supported engine has SIMD, and the package then always uses its SIMD loader.
  'webp-encoder': { specifier: '@jsquash/webp/codec/enc/webp_enc_simd.wasm' },
  'avif-decoder': { specifier: '@jsquash/avif/codec/dec/avif_dec.wasm' },
  'avif-encoder': { specifier: '@jsquash/avif/codec/enc/avif_enc.wasm' },
  // The largest image, everything that svg/pixels.ts allows it to hold, and its fonts. An SVG that exceeds this anyway
  // ends in a trap.
  resvg: { specifier: '@resvg/resvg-wasm/index_bg.wasm', maxMemory: 1.5 * 2 ** 30 },
  // It starts with 21 MiB; the largest image that scanner/verify.ts gives it takes less than that again.
  'barcode-reader': { specifier: 'zxing-wasm/reader/zxing_reader.wasm', maxMemory: 2 ** 27 },
  // It starts with 16 MiB, and takes some 20 MiB for a font of 10 MB.
  'woff2-encoder': { specifier: 'woff2-encoder', maxMemory: 2 ** 28 },
};

/**
 * Modules that are translated to JavaScript, too (translate-wasm.mjs): a file that is translated in place of the module's file, if
 * that uses what JavaScript doesn't have. AVIF is not among them: its translation has 14 MB, and takes minutes.
 * @type {Readonly<Record<string, Partial<WasmFile>>>}
 */
export const TRANSLATED = {
  harfbuzz: {},
  resvg: {},
  'barcode-reader': {},
  'webp-encoder': { specifier: '@jsquash/webp/codec/enc/webp_enc.wasm' },
  'jpeg-decoder': {},
  'webp-decoder': {},
};

/** The path of a module's translation in the checkout. */
export const translationPath = (/** @type {string} */ name) =>
  fileURLToPath(new URL(`../data/wasm/translated/${name}.js.gz`, import.meta.url));

/** The bytes of a WASM file as they are compiled. */
export function prepareWasm(/** @type {Uint8Array} */ bytes, /** @type {WasmFile} */ { maxMemory }) {
  const code = bytes[0] === 0 ? bytes : embeddedModule(Buffer.from(bytes).toString('latin1'));
  return maxMemory === undefined ? code : setMaxMemory(code, maxMemory);
}

/** The first module that a script contains in base64. */
function embeddedModule(/** @type {string} */ script) {
  const found = /[^A-Za-z0-9+/](AGFzbQ[A-Za-z0-9+/]+=*)/.exec(script);
  if (!found) throw new Error('the script contains no WebAssembly module');
  return new Uint8Array(Buffer.from(found[1], 'base64'));
}

const HEADER_BYTES = 8;
const PAGE_BYTES = 65_536;
const MEMORY_SECTION = 5;
/** Flag of a memory's limits: a maximum follows. */
const HAS_MAX = 1;

/**
 * Returns `code` with the maximum of its only memory set to `maxMemory` bytes. Throws if it defines no memory, or one
 * with a larger minimum.
 * @param {Uint8Array} code
 * @param {number} maxMemory
 */
export function setMaxMemory(code, maxMemory) {
  for (let at = HEADER_BYTES; at < code.length; ) {
    const length = readLeb128(code, at + 1);
    const end = length.end + length.value;
    if (code[at] === MEMORY_SECTION) {
      const minPages = readLeb128(code, length.end + 2);
      const pages = Math.floor(maxMemory / PAGE_BYTES);
      if (code[length.end] !== 1 || minPages.value > pages) break;
      const limits = [1, HAS_MAX, ...leb128Bytes(minPages.value), ...leb128Bytes(pages)];
      const section = [MEMORY_SECTION, ...leb128Bytes(limits.length), ...limits];
      const limited = new Uint8Array(at + section.length + code.length - end);
      limited.set(code.subarray(0, at));
      limited.set(section, at);
      limited.set(code.subarray(end), at + section.length);
      return limited;
    }
    at = end;
  }
  throw new Error('the WebAssembly module has no memory that can be limited to this size');
}

/**
 * Reads an unsigned LEB128 number of up to 32 bits; also returns its end.
 * @param {Uint8Array} code
 * @param {number} start
 */
function readLeb128(code, start) {
  let value = 0;
  for (let i = 0; i < 5; i++) {
    const byte = code[start + i];
    value += (byte & 0x7f) * 2 ** (7 * i);
    if (byte < 0x80) return { value, end: start + i + 1 };
  }
  throw new Error('the WebAssembly module is malformed');
}

/**
 * @param {number} value
 * @returns {number[]}
 */
function leb128Bytes(value) {
  return value < 0x80 ? [value] : [(value & 0x7f) | 0x80, ...leb128Bytes(Math.floor(value / 0x80))];
}
