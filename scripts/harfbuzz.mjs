// `npm run kernels`: writes data/wasm/harfbuzz.wasm, the package's HarfBuzz without the functions that lib/text/harfbuzz does not
// call: 7 % less, compressed. The optimizer is larger than all that a build needs, so its result is in git. `--check` only
// compares; test/kernels runs it.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { argv } from 'node:process';
import { fileURLToPath } from 'node:url';
import { installTools, toolUrl } from './tools.mjs';
import { WASM_FILES } from './wasm-files.mjs';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const TARGET = join(ROOT, 'data/wasm/harfbuzz.wasm');

/**
 * HarfBuzz without the functions that lib/text/harfbuzz does not call.
 * @param {Uint8Array} bytes
 */
async function withoutUnused(bytes) {
  const { default: binaryen } = await import(toolUrl('binaryen/index.js'));
  const folder = join(ROOT, 'lib/text/harfbuzz');
  const source = readdirSync(folder).map((name) => readFileSync(join(folder, name), 'utf8'));
  const used = new Set(source.join(' ').match(/\w+/g));
  const module = binaryen.readBinary(bytes);
  // every supported engine must read the result
  const { Features } = binaryen;
  module.setFeatures(
    Features.BulkMemory |
      Features.BulkMemoryOpt |
      Features.CallIndirectOverlong |
      Features.MutableGlobals |
      Features.NontrappingFPToInt |
      Features.ReferenceTypes |
      Features.SignExt,
  );
  for (const { name } of WebAssembly.Module.exports(new WebAssembly.Module(bytes))) {
    if (!used.has(name)) module.removeExport(name);
  }
  module.runPasses(['remove-unused-module-elements']);
  binaryen.setOptimizeLevel(2);
  binaryen.setShrinkLevel(2);
  module.optimize();
  const smaller = module.emitBinary();
  if (!module.validate() || !WebAssembly.validate(smaller)) throw new Error('the smaller HarfBuzz is not valid');
  return smaller;
}

installTools();
const { specifier } = WASM_FILES.harfbuzz;
const made = await withoutUnused(readFileSync(createRequire(import.meta.url).resolve(specifier)));
if (argv.includes('--check')) process.exitCode = readFileSync(TARGET).equals(made) ? 0 : 1;
else writeFileSync(TARGET, made);
