import { cpSync } from 'node:fs';
import { build } from 'esbuild';

const platen = 'node_modules/platen';
await build({
  entryPoints: { main: 'main.js', worker: `${platen}/dist/browser/worker.js` },
  bundle: true,
  format: 'esm',
  splitting: true,
  minify: true,
  outdir: 'dist',
});
cpSync('index.html', 'dist/index.html');
cpSync(`${platen}/fonts`, 'dist/platen/fonts', { recursive: true });
cpSync(`${platen}/dist/wasm`, 'dist/platen/wasm', { recursive: true });
