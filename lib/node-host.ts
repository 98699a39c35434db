// The host on Node: reads the package's files, fetches with node:http. Importing it sets the host.
import { readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { isAbsolute, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import * as zlib from 'node:zlib';
import { readLocalFile } from './assets/local-file.js';
import { type Host, setHost, type WasmName } from './host.js';
import { MODULE } from './kernels/module.js';
import { FONTS_FOLDER, resolveDependencyFile } from './package-files.js';
import { prepareWasm, WASM_FILES } from './wasm-files.js';

const compiled = new Map<WasmName, Promise<WebAssembly.Module>>();

async function compileFile(name: WasmName): Promise<WebAssembly.Module> {
  if (name === 'kernels') return compileKernels();
  const file = WASM_FILES[name];
  return WebAssembly.compile(prepareWasm(await readFile(resolveDependencyFile(file.specifier)), file));
}

let kernels: WebAssembly.Module | undefined;

/** Takes about a millisecond, once. */
function compileKernels(): WebAssembly.Module {
  kernels ??= new WebAssembly.Module(Buffer.from(MODULE, 'base64'));
  return kernels;
}

export const nodeHost = {
  readFontFile: (path) => readFile(join(FONTS_FOLDER, path)),
  readFontText: (path) => readFileSync(join(FONTS_FOLDER, path), 'utf8'),
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
  compileKernels,
  zlib,
  files: { isAbsolute, resolve, fromUrl: (url) => fileURLToPath(url), read: readLocalFile },
} satisfies Host;

setHost(nodeHost);
