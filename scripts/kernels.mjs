// `npm run kernels`: compiles lib/kernels/assembly (AssemblyScript) to WebAssembly and embeds it in lib/kernels/module.ts
// as base64, so that builds, bundles and tests need no file path. `--check` only compares; `--check-hash` does so without
// compiling, by the hash of the sources and their output. test/kernels runs both. The compiler is one of the tools of test/.
import { createHash } from 'node:crypto';
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { compilerPackage } from './licences.mjs';
import { installTools, toolUrl } from './tools.mjs';

const FLAGS = ['-O3', '--converge', '--enable', 'simd', '--runtime', 'stub', '--zeroFilledMemory', '--noAssert'];

const root = fileURLToPath(new URL('..', import.meta.url));
const assembly = join(root, 'lib/kernels/assembly');
const target = join(root, 'lib/kernels/module.ts');

/** The hash of all that the output depends on, and of the output. */
function hashOf(output) {
  const { version } = compilerPackage();
  const hash = createHash('sha256').update(JSON.stringify([version, FLAGS, output]));
  for (const name of readdirSync(assembly, { recursive: true }).sort()) {
    const path = join(assembly, name);
    if (statSync(path).isFile()) hash.update(`\0${name.replaceAll('\\', '/')}\0`).update(readFileSync(path));
  }
  return hash.digest('hex');
}

async function compile() {
  installTools();
  const { default: asc } = await import(toolUrl('assemblyscript/dist/asc.js'));
  const folder = mkdtempSync(join(tmpdir(), 'kernels-'));
  const binary = join(folder, 'kernels.wasm');
  try {
    const entry = relative(process.cwd(), join(assembly, 'index.ts'));
    const { error, stderr } = await asc.main([entry, '--outFile', relative(process.cwd(), binary), ...FLAGS]);
    if (error) throw new Error(stderr.toString());
    return readFileSync(binary).toString('base64');
  } finally {
    rmSync(folder, { recursive: true });
  }
}

const present = readFileSync(target, 'utf8');
const output = process.argv.includes('--check-hash') ? /'(.*)'/.exec(present)?.[1] : await compile();
const module = [
  '// Made by scripts/kernels.mjs from assembly/: not to be edited.',
  `// Hash: ${hashOf(output)}`,
  `export const MODULE = '${output}';`,
  '',
].join('\n');
if (process.argv.some((argument) => argument.startsWith('--check'))) process.exitCode = present === module ? 0 : 1;
else writeFileSync(target, module);
