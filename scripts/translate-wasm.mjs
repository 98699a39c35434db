// Translates WebAssembly modules to JavaScript by binaryen's wasm2js, for hosts that don't run WebAssembly: each becomes a module
// of ECMAScript in dist/wasm, beside its .wasm file, which exports a function from imports to exports. A translation takes up to
// a minute, so dist/translated has those of earlier builds, by the hash of what they are made of.
import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { transform } from 'esbuild';
import { TRANSLATED } from './wasm-files.mjs';

const require = createRequire(import.meta.url);
const WASM2JS = require.resolve('binaryen/bin/wasm2js');
const FLAGS = [
  // what wasm2js itself can't translate
  '--llvm-nontrapping-fptoint-lowering',
  '--signext-lowering',
  '--all-features',
  // a function of the imports, in place of a module that imports them
  '--emscripten',
  '-O1',
];
const BASE = [WASM2JS, require.resolve('esbuild/package.json'), fileURLToPath(import.meta.url)].map((path) =>
  readFileSync(path),
);

/**
 * What wasm2js gets wrong, and what takes its place. Each appears once.
 * @type {readonly (readonly [found: string, replacement: string])[]}
 */
const REPAIRS = [
  // memory that can't grow, which modules look for
  ['(newPages < 65536)', '(newPages < 32768)'],
  [
    'var newBuffer = new ArrayBuffer(newPages << 16);',
    'try { var newBuffer = new ArrayBuffer(newPages << 16); } catch { return -1; }',
  ],
  [
    '   bufferView = HEAPU8;\n  }\n  return oldPages;',
    '   bufferView = HEAPU8;\n  } else if (pagesToAdd) return -1;\n  return oldPages;',
  ],
  // loaders know that memory has grown by its buffer, which is detached then
  ['newHEAP8.set(HEAP8);', 'newHEAP8.set(HEAP8);\nstructuredClone(buffer, { transfer: [buffer] });'],
  // callers from outside expect an exception
  [
    '"value": __wasm_memory_grow',
    '"value": (pages) => { const old = __wasm_memory_grow(pages); if (old < 0) throw new RangeError("no memory left"); return old; }',
  ],
  // a trap is known by its name
  [
    "function wasm2js_trap() { throw new Error('abort'); }",
    "function wasm2js_trap() { throw Object.assign(new Error('unreachable'), { name: 'RuntimeError' }); }",
  ],
  // interpreted, this takes half of the time to load a module
  [
    'var b1, b2, i = 0, j = offset,',
    "if (typeof Buffer !== 'undefined') return void uint8Array.set(Buffer.from(b64, 'base64'), offset);\nvar b1, b2, i = 0, j = offset,",
  ],
];

/** Writes the translation of each module into `folder`; `cache` has those of earlier builds. */
export async function translateAll(/** @type {string} */ folder, /** @type {string} */ cache) {
  mkdirSync(cache, { recursive: true });
  const names = Object.keys(TRANSLATED);
  const work = async () => {
    for (let name = names.shift(); name; name = names.shift()) {
      const specifier = TRANSLATED[name];
      const bytes = readFileSync(specifier ? require.resolve(specifier) : join(folder, `${name}.wasm`));
      const hash = createHash('sha256');
      for (const part of [...BASE, bytes]) hash.update(part);
      const path = join(cache, `${name}-${hash.digest('hex').slice(0, 16)}.js`);
      if (!existsSync(path)) {
        // so that a build that is interrupted leaves no half of a file
        writeFileSync(`${path}.new`, await translate(bytes));
        renameSync(`${path}.new`, path);
      }
      copyFileSync(path, join(folder, `${name}.js`));
    }
  };
  await Promise.all(Array.from({ length: availableParallelism() }, work));
}

/** The translation of a module, as a module of ECMAScript. */
async function translate(/** @type {Uint8Array} */ wasm) {
  const folder = mkdtempSync(join(tmpdir(), 'translate-'));
  try {
    const [input, output] = ['module.wasm', 'module.js'].map((name) => join(folder, name));
    writeFileSync(input, wasm);
    await promisify(execFile)(process.execPath, [WASM2JS, input, ...FLAGS, '-o', output], { maxBuffer: 2 ** 26 });
    let text = readFileSync(output, 'utf8');
    for (const [found, replacement] of REPAIRS) {
      if (text.split(found).length !== 2) throw new Error(`wasm2js wrote something else than one ${found}`);
      text = text.replace(found, () => replacement);
    }
    const { code } = await transform(`${text}\nexport default instantiate;`, { minify: true, charset: 'ascii' });
    return code;
  } finally {
    rmSync(folder, { recursive: true });
  }
}
