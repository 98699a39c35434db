// Writes what the package says about the code of others in it: THIRD-PARTY-LICENSES.txt and data/wasm/manifest.json.
//   npm run supply
//   node scripts/supply.mjs --check    only compares, and fails if one is out of date
// Needs a built dist/. Both are in git, so that a change of a dependency shows what it changes here.
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, realpathSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join, relative, sep } from 'node:path';
import { argv } from 'node:process';
import { fileURLToPath } from 'node:url';
import { importSource } from './import-source.mjs';
import { compilerPackage, licenceFile } from './licences.mjs';
import { WASM_FILES } from './wasm-files.mjs';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const read = (path) => readFileSync(join(ROOT, path));
const readJson = (path) => JSON.parse(read(path));
const sha256 = (bytes) => createHash('sha256').update(bytes).digest('hex');

/** Every WebAssembly file that Platen loads: its source with its hash, and the file that is made of it for browsers. */
export async function wasmManifest() {
  const browserFile = (name) => ({ path: `dist/wasm/${name}.wasm`, sha256: sha256(read(`dist/wasm/${name}.wasm`)) });
  const { version } = readJson('package.json');
  const compiler = `assemblyscript@${compilerPackage().version}`;
  const files = Object.entries(WASM_FILES).map(([name, { specifier, maxMemory }]) => {
    const path = realpathSync(createRequire(import.meta.url).resolve(specifier));
    const [folder, owner] = /^.*[\\/]node_modules[\\/]((?:@[^\\/]+[\\/])?[^\\/]+)/.exec(path);
    const source = {
      package: owner.replaceAll('\\', '/'),
      version: JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')).version,
      path: relative(folder, path).split(sep).join('/'),
      sha256: sha256(readFileSync(path)),
    };
    return [name, { ...source, ...(maxMemory !== undefined && { maxMemory }), browser: browserFile(name) }];
  });
  const { MODULE } = await importSource(`export * from './lib/kernels/module.ts';`);
  const kernels = {
    source: 'lib/kernels/assembly',
    version,
    compiler,
    path: 'lib/kernels/module.ts',
    sha256: sha256(Buffer.from(MODULE, 'base64')),
    browser: browserFile('kernels'),
  };
  return `${JSON.stringify({ ...Object.fromEntries(files), kernels }, null, 2)}\n`;
}

if (argv[1] === fileURLToPath(import.meta.url)) {
  const files = { 'THIRD-PARTY-LICENSES.txt': licenceFile(), 'data/wasm/manifest.json': await wasmManifest() };
  for (const [path, text] of Object.entries(files)) {
    if (existsSync(join(ROOT, path)) && read(path).toString() === text) continue;
    if (argv.includes('--check')) {
      console.error(`${path} is out of date: run npm run supply`);
      process.exitCode = 1;
    } else {
      mkdirSync(join(ROOT, dirname(path)), { recursive: true });
      writeFileSync(join(ROOT, path), text);
      console.log(`wrote ${path}`);
    }
  }
}
