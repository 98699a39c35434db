// Writes the WebAssembly files of the package into dist/wasm: those of packages, with limits of their memory, a smaller HarfBuzz
// (scripts/harfbuzz.mjs), and the kernels; beside them, translations to JavaScript (scripts/translate-wasm.mjs).
//   node scripts/wasm.mjs [dist]
import { copyFileSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { basename, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { importSource } from './import-source.mjs';
import { prepareWasm, TRANSLATED, translationPath, WASM_FILES } from './wasm-files.mjs';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const WASM = join(resolve(process.argv[2] ?? join(ROOT, 'dist')), 'wasm');

rmSync(WASM, { recursive: true, force: true });
mkdirSync(WASM, { recursive: true });
const { MODULE } = await importSource(`export * from './lib/kernels/module.ts';`);
writeFileSync(join(WASM, 'kernels.wasm'), Buffer.from(MODULE, 'base64'));
for (const [name, file] of Object.entries(WASM_FILES)) {
  const target = join(WASM, `${name}.wasm`);
  if (name === 'harfbuzz') copyFileSync(join(ROOT, 'data/wasm/harfbuzz.wasm'), target);
  else writeFileSync(target, prepareWasm(readFileSync(createRequire(import.meta.url).resolve(file.specifier)), file));
}
for (const path of Object.keys(TRANSLATED).map(translationPath)) copyFileSync(path, join(WASM, basename(path)));
