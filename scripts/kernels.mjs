// `npm run kernels`: compiles lib/kernels/assembly (AssemblyScript) to WebAssembly and embeds it in lib/kernels/module.ts
// as base64, so that builds, bundles and tests need no file path. `--check` only compares; test/kernels runs it.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import asc from 'assemblyscript/asc';

const root = fileURLToPath(new URL('..', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'kernels-'));
const binary = join(folder, 'kernels.wasm');
try {
  const entry = relative(process.cwd(), join(root, 'lib/kernels/assembly/index.ts'));
  const flags = ['-O3', '--converge', '--enable', 'simd', '--runtime', 'stub', '--zeroFilledMemory', '--noAssert'];
  const { error, stderr } = await asc.main([entry, '--outFile', relative(process.cwd(), binary), ...flags]);
  if (error) throw new Error(stderr.toString());
  const text = readFileSync(binary).toString('base64');
  const module = [
    '// Made by scripts/kernels.mjs from assembly/: not to be edited.',
    `export const MODULE = '${text}';`,
    '',
  ].join('\n');
  const target = join(root, 'lib/kernels/module.ts');
  if (process.argv.includes('--check')) process.exitCode = readFileSync(target, 'utf8') === module ? 0 : 1;
  else writeFileSync(target, module);
} finally {
  rmSync(folder, { recursive: true });
}
