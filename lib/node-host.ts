// The host on Node: reads the package's files, fetches with node:http. Importing it sets the host.
import { readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { isAbsolute, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import zlib from 'node:zlib';
import { readLocalFile } from './assets/local-file.js';
import { type Host, type Instantiate, type Native, setHost, type WasmName } from './host.js';
import { MODULE } from './kernels/module.js';
import { fontFile, hyphenationFile, readFontText, translationFile, wasmFile } from './package-files.js';

const compiled = new Map<WasmName, Promise<WebAssembly.Module>>();
const translated = new Map<WasmName, Instantiate>();

async function compileFile(name: WasmName): Promise<WebAssembly.Module> {
  if (name === 'kernels') return compileKernels();
  return WebAssembly.compile(readFileSync(wasmFile(name)));
}

let kernels: WebAssembly.Module | undefined;

/** Takes about a millisecond, once. */
function compileKernels(): WebAssembly.Module {
  kernels ??= new WebAssembly.Module(Buffer.from(MODULE, 'base64'));
  return kernels;
}

const native: Native = {
  decodeBase64(text) {
    // the decoder reads only the low byte of a UTF-16 code unit, so other text could pass as base64
    if (Buffer.byteLength(text) !== text.length) return undefined;
    const bytes = Buffer.from(text, 'base64');
    // small buffers are views of a shared pool: those are copied
    const ownsBuffer = bytes.buffer.byteLength === bytes.length;
    return ownsBuffer ? new Uint8Array(bytes.buffer) : new Uint8Array(bytes);
  },
  /** By memcmp. */
  rowComparison({ buffer, byteOffset, byteLength }) {
    const bytes = Buffer.from(buffer, byteOffset, byteLength);
    return (a, b, count) => bytes.compare(bytes, 4 * a, 4 * (a + count), 4 * b, 4 * (b + count)) === 0;
  },
};

/** Reads one set of patterns of the file that scripts/bundle.mjs writes. */
function readHyphenation(name: string): unknown {
  const file = readFileSync(hyphenationFile());
  const header = file.indexOf('\n');
  let start = header + 1;
  for (const [each, length] of Object.entries<number>(JSON.parse(file.toString('utf8', 0, header)))) {
    if (each === name) return JSON.parse(zlib.inflateSync(file.subarray(start, start + length)).toString());
    start += length;
  }
  throw new Error(`the package has no hyphenation patterns ${name}`);
}

export const nodeHost = {
  readFontFile: async (path) => readFileSync(fontFile(path)),
  readManifest: () => readFontText('manifest.json'),
  readCoverage: () => readFontText('coverage.txt'),
  readLocale: (name) => readFontText(`locales/${name}.json`),
  readIcons: (name) => readFontText(`icons/${name}.json`),
  readHyphenation,
  // node:http and node:crypto are imported on first use: most short-lived processes don't need them
  fetchAsset: async (url, policy) => (await import('./net/http-client.js')).fetchAsset(url, policy),
  async digest(bytes) {
    const { createHash } = await import('node:crypto');
    return createHash('sha256').update(bytes).digest('hex');
  },
  loadWasm(name) {
    let code = compiled.get(name);
    if (!code) {
      code = compileFile(name);
      compiled.set(name, code);
      // don't cache a failed read
      code.catch(() => compiled.delete(name));
    }
    return code;
  },
  async loadTranslation(name) {
    const known = translated.get(name);
    if (known) return known;
    const { runInThisContext } = await import('node:vm');
    // ASCII
    const script = zlib.gunzipSync(readFileSync(translationFile(name))).toString('latin1');
    const found: Instantiate = runInThisContext(script, { filename: `${name}.js` });
    translated.set(name, found);
    return found;
  },
  compileKernels,
  zlib,
  native,
  files: {
    isAbsolute,
    resolve,
    fromUrl: (url) => fileURLToPath(url),
    readWhole: (path) => readFile(path),
    read: readLocalFile,
  },
} satisfies Host;

setHost(nodeHost);
